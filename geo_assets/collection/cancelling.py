"""Cancelling accepted jobs at the platform, after the ledger has cancelled their samples.

What belongs here: sending the cancellations and booking the exchanges. What does not: which samples are cancelled
(ledger.actions), and refunds: a platform's bill decides those.
"""

import asyncio
import logging
from collections.abc import Sequence
from random import Random

from geo_assets.collection.asking import Asker
from geo_assets.collection.attempt import Attempt, Context
from geo_assets.collection.faults import FaultPoints
from geo_assets.collection.keeper import Keeper, io_pool
from geo_assets.collection.request import CollectRequest
from geo_assets.evidence.store import EvidenceStore
from geo_assets.ledger import Ledger
from geo_assets.model.answers import HttpResponse
from geo_assets.platforms.connector import Connector

_log = logging.getLogger(__name__)


def cancel_upstream(
    request: CollectRequest,
    ledger: Ledger,
    evidence: EvidenceStore,
    connector: Connector,
    jobs: Sequence[tuple[str, str, str]],
) -> int:
    """Cancel the jobs that `Ledger.cancel` returned, as (sample, attempt, upstream id); how many the platform took.

    Where the platform cannot cancel nothing is sent. Every exchange is kept as evidence and booked.
    """
    if not jobs or not connector.capabilities(request.platform.options).cancel:
        return 0
    io = io_pool()
    try:
        context = Context(
            request=request,
            ledger=ledger,
            evidence=evidence,
            connector=connector,
            capabilities=connector.capabilities(request.platform.options),
            deadline=ledger.now(),
            random=Random(),  # noqa: S311 - jitter
            faults=FaultPoints(),
            io=io,
        )
        return asyncio.run(_cancel_all(context, jobs))
    finally:
        io.shutdown(wait=True)


async def _cancel_all(context: Context, jobs: Sequence[tuple[str, str, str]]) -> int:
    limit = context.request.platform.limits.submit.concurrency
    gate = asyncio.Semaphore(limit)
    async with Asker(limit, context.request.platform.timeouts.connect, trust_env=context.request.trust_env) as asker:

        async def one(attempt_id: str) -> bool:
            async with gate:
                return await _cancel(context, asker, attempt_id)

        return sum(await asyncio.gather(*(one(attempt_id) for _, attempt_id, _ in jobs)))


async def _cancel(context: Context, asker: Asker, attempt_id: str) -> bool:
    claim = context.ledger.reconstruct(attempt_id)
    if claim is None or claim.upstream_id is None:
        return False
    context.prepare([claim])
    attempt = Attempt(context, claim, Keeper(context.evidence, context.io))
    response = await attempt.cancel(asker)
    for record in attempt.records:
        context.ledger.record_exchange(attempt_id, record)
    for sidecar in attempt.sidecars:
        context.evidence.finish_sidecar(sidecar)
    taken = isinstance(response, HttpResponse) and response.status < 300
    if not taken:
        _log.warning("job %s was not cancelled: %s", claim.upstream_id, response)
    return taken
