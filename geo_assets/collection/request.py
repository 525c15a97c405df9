"""What a caller gives to the collector and gets back."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Literal

from geo_assets.collection.alerts import Destination
from geo_assets.ledger.budgets import Budgets
from geo_assets.model.alerts import Alert
from geo_assets.model.configuration import Platform


@dataclass(frozen=True, slots=True)
class CollectRequest:
    """One partition to collect.

    `base_url` is where calls go (the simulated profile points it at the simulator). `keys`: account id → key; an
    account without an entry is not used. `deadline`: no submission after it, nor after the capture date's end in
    `timezone`.
    `slice_seconds`: claim nothing new after that long. `max_idle_seconds`: return rather than wait longer than that for
    something to be due; None waits as long as anything is open. `monitors`: only these (tenant, monitor), first of all.
    `destinations`: who is told of alerts.
    """

    platform: Platform
    date: str
    timezone: str
    base_url: str
    keys: Mapping[str, str | None]
    deadline: datetime | None = None
    slice_seconds: float | None = None
    max_idle_seconds: float | None = None
    monitors: tuple[tuple[str, str], ...] = ()
    budgets: Budgets = field(default_factory=Budgets)
    tenant_weights: Mapping[str, float] = field(default_factory=dict)
    uncertain_policy: Literal["resample", "hold"] = "resample"
    max_attempts: int = 12
    purpose: str = "collect"
    close_at_deadline: bool = True
    grace_seconds: float = 20.0
    trust_env: bool = False
    destinations: tuple[Destination, ...] = ()


class Ended(StrEnum):
    """Why the collector returned."""

    DONE = "done"  # nothing is open any more
    CLOSED = "closed"  # the deadline came; what was never asked is not_captured
    SLICE = "slice"  # the slice is over; more is due
    WAITING = "waiting"  # what is open is due later
    BLOCKED = "blocked"  # a person must act (stopped account)
    STOPPED = "stopped"  # asked to stop


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a running collector is. `done` and `open` count the whole partition as far as this worker has seen it."""

    date: str
    platform: str
    planned: int
    done: int
    open: int
    in_flight: int
    calls: int
    answered: int
    failed: int
    retried: int
    throttled: int
    elapsed_seconds: float
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CollectReport:
    """What one call of the collector did. Counts are of this call only, but `open` is what the partition has left."""

    date: str
    platform: str
    ended: Ended
    calls: int
    answered: int
    failed: int
    retried: int
    throttled: int
    uncertain: int
    given_back: int
    replayed: int
    reaped: int
    over_budget: int
    closed: int
    open: int
    next_due_at: datetime | None
    blocked: tuple[str, ...]
    elapsed_seconds: float
    peak_in_flight: int
    alerts: tuple[Alert, ...] = ()


OnProgress = Callable[[Progress], None]
OnAlert = Callable[[Alert], None]
ShouldStop = Callable[[], bool]
