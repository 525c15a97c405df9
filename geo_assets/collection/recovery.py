"""After a crash: settling from sidecars what a dead worker had stored, then setting free what it held.

Sidecars come first: an answer that is in the evidence store is never asked for again. What belongs here: finding and
replaying. What does not: what a settlement may do when it is late (ledger.settle decides that).
"""

import logging
from dataclasses import dataclass
from itertools import groupby

from geo_assets.collection.attempt import Context, earlier_exchanges, exchange_of, record_of
from geo_assets.collection.judge import Failure, judge
from geo_assets.collection.machine import is_gone
from geo_assets.evidence.store import EvidenceMissing, Sidecar
from geo_assets.ledger.claims import Claim
from geo_assets.ledger.settle import Settlement
from geo_assets.model.answers import Reply
from geo_assets.model.errors import ErrorClass

_log = logging.getLogger(__name__)
_CLOSED = frozenset({"answered", "rejected", "superseded", "given_back", "ruled_out"})


@dataclass(frozen=True, slots=True)
class Recovered:
    """What a recovery found."""

    replayed: int = 0
    reaped: int = 0


def recover(context: Context, own_worker: str) -> Recovered:
    """Replay the sidecars of workers that live no more, then reap them. Blocking; runs at start and at heartbeats."""
    date, platform = context.request.date, context.request.platform.id
    dead = [worker for worker in context.ledger.dead_workers(date, platform, is_gone) if worker.worker_id != own_worker]
    busy = context.ledger.live_workers() - {worker.worker_id for worker in dead}
    replayed = 0
    sidecars = list(context.evidence.pending_sidecars(date, platform))
    for attempt_id, legs in groupby(sidecars, key=lambda sidecar: sidecar.attempt_id):
        replayed += _replay(context, attempt_id, list(legs), busy)
    reaped = 0
    for worker in dead:
        moved = context.ledger.reap(worker.worker_id, date, platform, hold=_hold(context))
        reaped += moved.lost + moved.freed
        _log.warning(
            "%s %s: worker %s is gone; %d calls perhaps executed, %d samples set free",
            date,
            platform,
            worker.worker_id,
            moved.lost,
            moved.freed,
        )
    return Recovered(replayed, reaped)


def _hold(context: Context) -> bool:
    safe = context.capabilities.lookup or context.capabilities.idempotency_key
    return context.request.uncertain_policy == "hold" and not safe


def _replay(context: Context, attempt_id: str, sidecars: list[Sidecar], busy: set[str]) -> int:
    """Settle one attempt from its sidecars; 1 if there was something to settle."""
    claim = context.ledger.reconstruct(attempt_id)
    if claim is None:
        _log.warning("sidecars of attempt %s, which the ledger does not know: left alone", attempt_id)
        return 0
    if claim.attempt["worker_id"] in busy and claim.attempt["state"] not in _CLOSED:
        return 0  # its worker lives and settles by itself
    fresh = [sidecar for sidecar in sidecars if sidecar.leg >= claim.legs]
    if fresh:
        settlement = _settlement(context, claim, fresh)
        if settlement is None:
            return 0
        context.ledger.settle([settlement], lambda: context.faults.reach("in_settle"))
        context.faults.reach("after_settle")
    for sidecar in sidecars:
        context.evidence.finish_sidecar(sidecar)
    return int(bool(fresh))


def _settlement(context: Context, claim: Claim, sidecars: list[Sidecar]) -> Settlement | None:
    records = [record_of(sidecar) for sidecar in sorted(sidecars, key=lambda s: s.leg)]
    try:
        exchanges = [*earlier_exchanges(context, claim)] if claim.legs else []
        exchanges += [e for e in (exchange_of(context.evidence, r) for r in records if r.kind != "evidence") if e]
    except EvidenceMissing:
        _log.exception("attempt %s: a sidecar points to evidence that is not there: left alone", claim.attempt_id)
        return None
    result: Reply | Failure
    if exchanges:
        result = context.connector.read(context.ask(claim), exchanges)
    else:
        result = Failure(ErrorClass.DISCONNECT, "no response was stored", sent=True)
    return judge(claim, result, context.rules(claim), tuple(records))
