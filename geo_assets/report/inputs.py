"""What a report is made of: plain rows of the tables, per monitor and platform."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from geo_assets.analysis.review import ReviewItem
from geo_assets.model.dictionary import Dictionary

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class PlatformInfo:
    """A platform as readers should see it. `channel` is the configured one: api, browser and so on."""

    id: str
    name: str
    name_zh: str = ""
    channel: str = "api"
    model: str = ""


@dataclass(frozen=True, slots=True)
class MonitorInput:
    """One monitor on one date.

    `daily`: rows of `daily_visibility` of the date; only those of all questions (segment `all`) are looked at.
    `history`: earlier date → its headline rows of mention rates; dates that are not there show as gaps. The other
    fields map a platform to its rows of the table of that name, `doubts` to its undecided cases. `changes`: rows with
    platform, brand, metric and the fields of a verdict.
    """

    monitor: str
    dictionary: Dictionary
    platforms: Sequence[PlatformInfo]
    daily: Sequence[Row]
    history: Mapping[str, Sequence[Row]] = field(default_factory=dict)
    answers: Mapping[str, Sequence[Row]] = field(default_factory=dict)
    mentions: Mapping[str, Sequence[Row]] = field(default_factory=dict)
    citations: Mapping[str, Sequence[Row]] = field(default_factory=dict)
    health: Mapping[str, Sequence[Row]] = field(default_factory=dict)
    spend: Mapping[str, Sequence[Row]] = field(default_factory=dict)
    untracked_names: Mapping[str, Sequence[Row]] = field(default_factory=dict)
    doubts: Mapping[str, Sequence[ReviewItem]] = field(default_factory=dict)
    changes: Sequence[Row] = ()
    language: str = "zh"


@dataclass(frozen=True, slots=True)
class ReportInput:
    """Everything of one page. `simulated`: the profile; the header says so.

    `monitors` are looked at once and one after another, so they may be read when they are asked for.
    """

    project: str
    monitors: Iterable[MonitorInput]
    simulated: bool
    timezone: str = "Asia/Shanghai"
