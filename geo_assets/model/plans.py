"""What is going to be asked: samples, batches, quotes. Pure: from configuration to rows, without a clock or a store."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from geo_assets.model.text import content_hash


class Unplanned(StrEnum):
    """Why nothing is planned for a monitor on a platform on a capture date."""

    PAUSED = "paused"
    NOT_DUE = "not_due"  # a weekly monitor on another day
    NOT_STARTED = "not_started"  # before the project's first capture date
    RETIRED = "retired"
    NO_KEY = "no_key"
    NO_PRICE = "no_price"  # no version of the price book holds on the day
    OVER_MAX = "over_max"  # more questions than the monitor's own limit
    BROKEN = "broken"  # the platform's configuration has errors
    MISSED = "missed"  # the day is over and nobody planned it


@dataclass(frozen=True, slots=True)
class PlannedSample:
    """One planned asking.

    `sample_id` is a hash of (batch, question revision, platform, region, device, mode, slot, repeat_index), so
    planning twice gives the same rows. `position` is the question's place in the monitor's list (samples of equal
    priority go round by round: repeat 0 of all questions first). `region`, `device`, `mode` are None where the
    platform's own default holds.
    """

    sample_id: str
    batch_id: str
    tenant: str
    monitor: str
    date: str
    platform: str
    question_id: str
    question_revision: str
    question_text: str
    language: str
    intent: str
    tags: tuple[str, ...]
    weight: int
    region: str | None
    device: str | None
    mode: str | None
    slot: int
    repeat_index: int
    position: int
    priority: int
    model: str
    search: bool
    account: str
    price_version: str
    currency: str
    estimate_micros: int
    simulated: bool


@dataclass(frozen=True, slots=True)
class Batch:
    """One monitor on one capture date: the frozen snapshot and its samples.

    `merged_duplicates` pairs the id of the question that is asked with the id of one that repeats it. `skipped` gives
    the `Unplanned` reason of each platform without samples, `notices` the same for people (naming a missing variable).
    """

    batch_id: str
    tenant: str
    monitor: str
    date: str
    snapshot_hash: str
    snapshot: Mapping[str, Any]
    samples: tuple[PlannedSample, ...]
    merged_duplicates: tuple[tuple[str, str], ...] = ()
    skipped: Mapping[str, str] = field(default_factory=dict)
    notices: Mapping[str, str] = field(default_factory=dict)


def batch_id(tenant: str, monitor: str, date: str, *, simulated: bool) -> str:
    """The id of a batch; a simulated and a live batch never share one."""
    return "b" + content_hash([tenant, monitor, date, "simulated" if simulated else "live"])[:23]


def sample_id(
    batch: str,
    revision: str,
    platform: str,
    region: str | None,
    device: str | None,
    mode: str | None,
    slot: int,
    repeat_index: int,
) -> str:
    """The id of a sample: `s` and 23 hex digits."""
    return "s" + content_hash([batch, revision, platform, region, device, mode, slot, repeat_index])[:23]
