"""How collecting went, per (tenant, monitor) of a partition: from the ledger alone, so that it can be computed again.

What belongs here: waits, latencies, tries, error classes. What does not: live state (pace, breaker), which tables must
not contain.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from geo_assets.ledger import queries
from geo_assets.ledger.engine import Database
from geo_assets.ledger.rows import AttemptRow, SampleRow
from geo_assets.model.errors import ErrorClass
from geo_assets.model.states import Outcome

NOT_SENT = frozenset({"given_back", "submitting"})


@dataclass(frozen=True, slots=True)
class Spread:
    """Nearest-rank percentiles in seconds; None where there is nothing to measure."""

    count: int
    p50: float | None
    p95: float | None
    maximum: float | None


@dataclass(frozen=True, slots=True)
class Health:
    """One (tenant, monitor) of a partition.

    `queue_wait`: from being planned to the first call. `acceptance`: call sent → accepted or
    answered. `time_to_answer`: a sample's first call → its answer, retries included.
    """

    tenant: str
    monitor: str
    planned: int
    asked: int
    attempts: int
    sent: int
    retries: int
    throttled: int
    polls: int
    late: int
    superseded: int
    uncertain: int
    outcomes: Mapping[str, int]
    error_classes: Mapping[str, int]
    attempts_per_sample: float | None
    queue_wait: Spread
    acceptance: Spread
    time_to_answer: Spread
    first_asked_at: datetime | None
    last_answered_at: datetime | None


@dataclass(slots=True)
class _Gather:
    """Sums of one group, added up row by row so that memory does not grow with what rows hold."""

    planned: int = 0
    polls: int = 0
    late: int = 0
    attempts: int = 0
    sent: int = 0
    throttled: int = 0
    superseded: int = 0
    uncertain: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)
    errors: Counter[str] = field(default_factory=Counter)
    first_asked: dict[str, datetime] = field(default_factory=dict)
    waits: list[float] = field(default_factory=list)
    acceptances: list[float] = field(default_factory=list)
    answers: list[float] = field(default_factory=list)
    last_answered: datetime | None = None

    def add_attempt(self, row: AttemptRow) -> None:
        """Attempts come first: samples need to know when they were first asked."""
        self.attempts += 1
        self.superseded += row.state == "superseded"
        self.uncertain += row.state == "uncertain"
        if row.state in NOT_SENT:
            return
        self.sent += 1
        if row.error_class:
            self.errors[row.error_class] += 1
            self.throttled += row.error_class == ErrorClass.RATE_LIMITED
        asked = row.asked_at or row.claimed_at
        if asked is not None:
            self.first_asked[row.sample_id] = min(asked, self.first_asked.get(row.sample_id, asked))
        if row.state == "answered":
            _note(self.acceptances, row.asked_at, row.accepted_at or row.answered_at)

    def add_sample(self, row: SampleRow) -> None:
        """Count one sample."""
        self.planned += row.outcome is not Outcome.WITHDRAWN
        self.polls += row.polls
        self.late += row.late
        self.outcomes[row.outcome.value] += 1
        first = self.first_asked.get(row.sample_id)
        _note(self.waits, row.queued_at, first)
        _note(self.answers, first, row.answered_at)
        if row.answered_at is not None:
            self.last_answered = max(row.answered_at, self.last_answered or row.answered_at)


def _note(values: list[float], start: datetime | None, end: datetime | None) -> None:
    if start is not None and end is not None:
        values.append(max(0.0, (end - start).total_seconds()))


def health(database: Database, date: str, platform: str) -> list[Health]:
    """Ordered by tenant and monitor."""
    groups: dict[tuple[str, str], _Gather] = defaultdict(_Gather)
    for attempt in queries.attempts(database, date, platform):
        groups[attempt.tenant, attempt.monitor].add_attempt(attempt)
    for sample in queries.samples(database, date, platform):
        groups[sample.planned.tenant, sample.planned.monitor].add_sample(sample)
    return [_health(key, gathered) for key, gathered in sorted(groups.items())]


def spread(values: Sequence[float]) -> Spread:
    """Percentiles by nearest rank."""
    if not values:
        return Spread(0, None, None, None)
    ordered = sorted(values)

    def rank(share: float) -> float:
        return ordered[max(0, -(-int(share * 100) * len(ordered) // 100) - 1)]

    return Spread(len(ordered), rank(0.5), rank(0.95), ordered[-1])


def _health(key: tuple[str, str], g: _Gather) -> Health:
    asked = len(g.first_asked)
    return Health(
        tenant=key[0],
        monitor=key[1],
        planned=g.planned,
        asked=asked,
        attempts=g.attempts,
        sent=g.sent,
        retries=max(0, g.sent - asked),
        throttled=g.throttled,
        polls=g.polls,
        late=g.late,
        superseded=g.superseded,
        uncertain=g.uncertain,
        outcomes=dict(sorted(g.outcomes.items())),
        error_classes=dict(sorted(g.errors.items())),
        attempts_per_sample=g.sent / asked if asked else None,
        queue_wait=spread(g.waits),
        acceptance=spread(g.acceptances),
        time_to_answer=spread(g.answers),
        first_asked_at=min(g.first_asked.values(), default=None),
        last_answered_at=g.last_answered,
    )
