"""Cancelling accepted jobs at their platform, after a person cancelled their samples. Every exchange is recorded.

What belongs here: one cancel call per job. What does not: ending samples (ledger) and refunds (never by itself).
"""

import asyncio
from collections.abc import Mapping
from typing import Any

import sqlalchemy as sa

from geo_assets.collection.asking import Asker
from geo_assets.collection.judge import Failure
from geo_assets.evidence.store import EvidenceStore, request_entity
from geo_assets.ledger import Ledger
from geo_assets.ledger import tables as t
from geo_assets.model.answers import Ask, HttpRequest, HttpResponse
from geo_assets.model.configuration import Platform
from geo_assets.model.text import canonical_json
from geo_assets.platforms.registry import connector


def cancel_upstream(
    ledger: Ledger,
    store: EvidenceStore,
    platform: Platform,
    base_url: str,
    keys: Mapping[str, str | None],
    job: tuple[str, str, str],
) -> str:
    """Ask the platform to cancel one job (sample, attempt, upstream id); returns what became of it, in words."""
    sample_id, attempt_id, upstream_id = job
    sample = ledger.sample(sample_id).sample
    planned = sample.planned
    frozen = ledger.snapshot(sample.snapshot_hash)["platforms"][platform.id]
    dialect = connector(frozen["dialect"])
    if not dialect.capabilities(frozen["options"]).cancel:
        return "the platform cannot cancel; the job runs on and is billed"
    ask = Ask(
        platform=platform.id,
        base_url=base_url,
        model=planned.model,
        question=planned.question_text,
        language=planned.language,
        search=planned.search,
        attempt_id=attempt_id,
        idempotency_key=attempt_id,
        options=frozen["options"],
    )
    request = dialect.cancel(ask, upstream_id)
    sent = ledger.now()
    response = asyncio.run(_send(request, keys.get(planned.account), platform.timeouts.connect, platform.timeouts.read))
    _record(ledger, store, sample_id, attempt_id, request, response, sent)
    if isinstance(response, Failure):
        return f"the call failed: {response.message}"
    return "cancelled" if response.status < 300 else f"the platform answered HTTP {response.status}"


async def _send(request: HttpRequest, key: str | None, connect: float, read: float) -> HttpResponse | Failure:
    async with Asker(1, connect) as asker:
        return await asker.send(request, key, read=read, total=read)


def _record(
    ledger: Ledger,
    store: EvidenceStore,
    sample_id: str,
    attempt_id: str,
    request: HttpRequest,
    response: HttpResponse | Failure,
    sent: int,
) -> None:
    """Store the exchange's entities and its row, as the next leg of the attempt."""
    row: dict[str, Any] = {"request_digest": store.put(request_entity(request)), "kind": "cancel", "sent_at": sent}
    if isinstance(response, Failure):
        row |= {"error": response.message, "response_headers": "{}"}
    else:
        row |= {
            "response_digest": store.put(response.body),
            "http_status": response.status,
            "response_headers": canonical_json(dict(response.headers)),
            "response_bytes": len(response.body),
        }
    x, a = t.exchanges.c, t.attempts

    def insert(connection: sa.Connection) -> None:
        attempt = connection.execute(sa.select(a).where(a.c.attempt_id == attempt_id)).mappings().one()
        last = connection.execute(sa.select(sa.func.max(x.leg)).where(x.attempt_id == attempt_id)).scalar()
        shared = {name: attempt[name] for name in ("date", "platform", "fencing_token", "simulated")}
        values = row | shared | {"attempt_id": attempt_id, "sample_id": sample_id, "received_at": ledger.now()}
        connection.execute(sa.insert(t.exchanges).values(**values, leg=0 if last is None else last + 1))

    ledger.database.write(insert)
