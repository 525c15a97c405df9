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
    samples: list[SampleRow] = field(default_factory=list)
    attempts: list[AttemptRow] = field(default_factory=list)


def health(database: Database, date: str, platform: str) -> list[Health]:
    """Ordered by tenant and monitor."""
    groups: dict[tuple[str, str], _Gather] = defaultdict(_Gather)
    for sample in queries.samples(database, date, platform):
        groups[sample.planned.tenant, sample.planned.monitor].samples.append(sample)
    for attempt in queries.attempts(database, date, platform):
        groups[attempt.tenant, attempt.monitor].attempts.append(attempt)
    return [_health(key, gathered) for key, gathered in sorted(groups.items())]


def spread(values: Sequence[float]) -> Spread:
    """Percentiles by nearest rank."""
    if not values:
        return Spread(0, None, None, None)
    ordered = sorted(values)

    def rank(share: float) -> float:
        return ordered[max(0, -(-int(share * 100) * len(ordered) // 100) - 1)]

    return Spread(len(ordered), rank(0.5), rank(0.95), ordered[-1])


def _seconds(start: datetime | None, end: datetime | None) -> float | None:
    return None if start is None or end is None else max(0.0, (end - start).total_seconds())


def _health(key: tuple[str, str], gathered: _Gather) -> Health:
    sent = [a for a in gathered.attempts if a.state not in NOT_SENT]
    first_asked: dict[str, datetime] = {}
    for attempt in sent:
        asked = attempt.asked_at or attempt.claimed_at
        if asked is not None:
            first_asked[attempt.sample_id] = min(asked, first_asked.get(attempt.sample_id, asked))
    waits = [_seconds(s.queued_at, first_asked.get(s.sample_id)) for s in gathered.samples]
    accepted = [_seconds(a.asked_at, a.accepted_at or a.answered_at) for a in sent if a.state == "answered"]
    answers = [_seconds(first_asked.get(s.sample_id), s.answered_at) for s in gathered.samples if s.answered_at]
    throttled = sum(a.error_class == "rate_limited" for a in sent)
    asked_samples = len(first_asked)
    return Health(
        tenant=key[0],
        monitor=key[1],
        planned=sum(s.outcome is not Outcome.WITHDRAWN for s in gathered.samples),
        asked=asked_samples,
        attempts=len(gathered.attempts),
        sent=len(sent),
        retries=max(0, len(sent) - asked_samples),
        throttled=throttled,
        polls=sum(s.polls for s in gathered.samples),
        late=sum(s.late for s in gathered.samples),
        superseded=sum(a.state == "superseded" for a in gathered.attempts),
        uncertain=sum(a.state == "uncertain" for a in gathered.attempts),
        outcomes=dict(sorted(Counter(s.outcome.value for s in gathered.samples).items())),
        error_classes=dict(sorted(Counter(a.error_class for a in sent if a.error_class).items())),
        attempts_per_sample=len(sent) / asked_samples if asked_samples else None,
        queue_wait=spread([w for w in waits if w is not None]),
        acceptance=spread([w for w in accepted if w is not None]),
        time_to_answer=spread([w for w in answers if w is not None]),
        first_asked_at=min(first_asked.values(), default=None),
        last_answered_at=max((s.answered_at for s in gathered.samples if s.answered_at), default=None),
    )
