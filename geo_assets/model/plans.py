"""What is going to be asked: samples, batches, quotes. Pure: from configuration to rows, without a clock or a store."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from geo_assets.model.text import content_hash


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
    """One monitor on one capture date: the frozen snapshot and its samples. `reason` says why there are none."""

    batch_id: str
    tenant: str
    monitor: str
    date: str
    snapshot_hash: str
    snapshot: Mapping[str, Any]
    samples: tuple[PlannedSample, ...]
    merged_duplicates: tuple[tuple[str, str], ...] = ()
    skipped: Mapping[str, str] = field(default_factory=dict)


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
