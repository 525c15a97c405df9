"""One claim's way: ask, store, judge. Several exchanges where the platform wants them.

What belongs here: the order of these steps for one sample. What does not: which sample comes next (engine) and the
transaction that settles (scribe).
"""

import asyncio
import hashlib
from collections.abc import Awaitable, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

from geo_assets.collection import waits
from geo_assets.collection.asking import Asker
from geo_assets.collection.faults import FaultPoints
from geo_assets.collection.judge import Failure, Rules, interrupted, judge
from geo_assets.collection.keeper import Keeper
from geo_assets.collection.request import CollectRequest
from geo_assets.configuration.prices import price_for
from geo_assets.evidence.store import EvidenceStore, Sidecar, digest_of, request_entity, request_from_entity
from geo_assets.ledger import Ledger
from geo_assets.ledger.claims import Claim, Lane
from geo_assets.ledger.pace import LaneLimit
from geo_assets.ledger.settle import ExchangeRecord, Settlement
from geo_assets.model.answers import Ask, Completed, Exchange, HttpRequest, HttpResponse, NextLeg, Rejected, Reply
from geo_assets.model.errors import ErrorClass
from geo_assets.model.money import Price
from geo_assets.platforms.connector import Capabilities, Connector

MAX_LEGS = 12
"""Exchanges of one attempt in one claim; a platform that wants more is caught in a loop."""


def key_fingerprint(key: str | None) -> str | None:
    """Enough of a hash to see that a key was replaced, too little to find it."""
    return None if key is None else hashlib.sha256(key.encode()).hexdigest()[:8]


@dataclass(slots=True)
class Context:
    """What all attempts of a run share."""

    request: CollectRequest
    ledger: Ledger
    evidence: EvidenceStore
    connector: Connector
    capabilities: Capabilities
    deadline: int
    random: Random
    faults: FaultPoints
    io: ThreadPoolExecutor
    frozen: dict[tuple[str, int], dict[str, Any]] = field(default_factory=dict)

    @property
    def connector_name(self) -> str:
        """Dialect and version, as kept with each answer."""
        return f"{self.connector.dialect}/{self.connector.version}"

    def lane_limit(self, lane: str) -> LaneLimit:
        """The configured limits of a lane."""
        configured = getattr(self.request.platform.limits, lane)
        return LaneLimit(configured.per_second, configured.burst, configured.concurrency)

    def frozen_platform(self, claim: Claim) -> Mapping[str, Any]:
        """What the sample's plan froze of the platform. Asks the ledger once for each batch; see `prepare`."""
        key = (claim.planned.batch_id, claim.revision)
        if key not in self.frozen:
            self.frozen[key] = self.ledger.frozen_platform(*key, claim.planned.platform)
        return self.frozen[key]

    def prepare(self, claims: Sequence[Claim]) -> None:
        """Get from the ledger what these claims need, so that nothing blocks later. To be called in a thread."""
        for claim in claims:
            self.frozen_platform(claim)

    def price(self, claim: Claim) -> Price:
        """The price that the sample was quoted with, whatever the book says today."""
        frozen = self.frozen_platform(claim).get("price")
        if frozen is not None:
            return Price(**frozen)
        platform = self.request.platform
        versions = tuple(v for v in platform.prices if v.version == claim.planned.price_version)
        return price_for(platform.model_copy(update={"prices": versions or platform.prices}), claim.planned.date)

    def ask(self, claim: Claim) -> Ask:
        """The question as the connector wants it."""
        planned = claim.planned
        options = self.frozen_platform(claim).get("options", self.request.platform.options)
        return Ask(
            platform=planned.platform,
            base_url=self.request.base_url,
            model=planned.model,
            question=planned.question_text,
            language=planned.language,
            search=planned.search,
            attempt_id=claim.attempt_id,
            idempotency_key=str(claim.attempt["idempotency_key"]),
            region=planned.region,
            device=planned.device,
            mode=planned.mode,
            options=options,
        )

    def rules(self, claim: Claim) -> Rules:
        """What judging this claim now depends on."""
        key = self.request.keys.get(claim.planned.account)
        return Rules(
            now=self.ledger.now(),
            deadline=self.deadline,
            hold=self.request.uncertain_policy == "hold",
            max_attempts=self.request.max_attempts,
            job_seconds=self.request.platform.timeouts.job,
            price=self.price(claim),
            limit=self.lane_limit(claim.lane.pace_lane),
            random=self.random,
            connector=self.connector_name,
            safe_to_resend=self.capabilities.idempotency_key,
            can_look_up=self.capabilities.lookup,
            key_fingerprint=key_fingerprint(key),
        )


@dataclass(slots=True)
class Attempt:
    """The exchanges of one claim, as they come about."""

    context: Context
    claim: Claim
    keeper: Keeper
    exchanges: list[Exchange] = field(default_factory=list)
    records: list[ExchangeRecord] = field(default_factory=list)
    sidecars: list[Sidecar] = field(default_factory=list)
    sent: bool = False

    async def run(self, asker: Asker, slot: Callable[[str], Awaitable[None]]) -> Settlement:
        """Ask until there is a reply; returns how the claim is to be settled. Evidence is durable by then.

        `slot` waits for the pace before a further exchange.
        """
        ask = self.context.ask(self.claim)
        if self.claim.legs:
            self.exchanges.extend(await self._in_thread(lambda: earlier_exchanges(self.context, self.claim)))
        request, kind = self._first(ask)
        request = self._labelled(request)
        result: Reply | Failure
        for _ in range(MAX_LEGS):
            result = await self._exchange(asker, request, kind, ask)
            if not isinstance(result, NextLeg):
                break
            request = self._labelled(result.request)
            await slot("submit")
        else:
            result = Rejected(
                ErrorClass.UNREADABLE, "too_many_legs", f"the platform wanted more than {MAX_LEGS} exchanges"
            )
        partly = isinstance(result, Completed) and not await self._further_evidence(asker, ask, slot)
        await self._cancel_if_overdue(asker, result)
        return judge(self.claim, result, self.context.rules(self.claim), tuple(self.records), partly=partly)

    def interrupted(self) -> Settlement:
        """How the claim is to be settled when the call had to be broken off."""
        return interrupted(self.claim, self.context.rules(self.claim))

    def _first(self, ask: Ask) -> tuple[HttpRequest, str]:
        connector, claim = self.context.connector, self.claim
        if claim.lane is Lane.POLL:
            return connector.poll(ask, claim.upstream_id or ""), "poll"
        if claim.lane is Lane.LOOKUP:
            request = connector.lookup(ask)
            if request is not None:
                return request, "lookup"
        return connector.submit(ask), "submit"

    def _labelled(self, request: HttpRequest) -> HttpRequest:
        """The simulator is told whose call this is, so that it answers alike whenever it is asked; nobody else is."""
        planned = self.claim.planned
        if not planned.simulated:
            return request
        labels = {"x-geo-sample": planned.sample_id, "x-geo-date": planned.date, "x-geo-attempt": self.claim.attempt_id}
        return replace(request, headers={**request.headers, **labels})

    async def _exchange(self, asker: Asker, request: HttpRequest, kind: str, ask: Ask) -> Reply | Failure:
        """One exchange: sent, stored, read."""
        response = await self._send(asker, request, kind)
        if isinstance(response, Failure):
            return response
        exchange = Exchange(self.records[-1].leg, kind, request, response)
        self.exchanges.append(exchange)
        return self.context.connector.read(ask, self.exchanges)

    async def _send(self, asker: Asker, request: HttpRequest, kind: str) -> HttpResponse | Failure:
        context, claim = self.context, self.claim
        timeouts = context.request.platform.timeouts
        earlier = claim.pass_errors.get(ErrorClass.TIMEOUT.value, 0)
        key = context.request.keys.get(claim.planned.account)
        self.sent = True
        sent_at = context.ledger.now()
        response = await asker.send(
            request, key, read=waits.stretched(timeouts.read, earlier), total=waits.stretched(timeouts.total, earlier)
        )
        received_at = context.ledger.now()
        context.faults.reach("after_send")
        facts = _Facts(claim.legs + len(self.records), kind, sent_at, received_at)
        entity = request_entity(request)
        if isinstance(response, Failure):  # nothing to lose but the request
            digest = await self._in_thread(lambda: context.evidence.put(entity))
            error = f"{response.error}: {response.message}"
            self.records.append(ExchangeRecord(facts.leg, kind, digest, sent_at, received_at, error=error))
            return response
        sidecar = _sidecar(claim, facts, digest_of(entity), response)
        await self.keeper.keep(sidecar, (entity, response.body))
        context.faults.reach("after_store")
        self.records.append(record_of(sidecar))
        self.sidecars.append(sidecar)
        return response

    async def _further_evidence(self, asker: Asker, ask: Ask, slot: Callable[[str], Awaitable[None]]) -> bool:
        """Fetch what the platform has besides the answer; False where that did not work."""
        request = self.context.connector.fetch_evidence(ask, self.claim.upstream_id or "")
        if request is None:
            return True
        await slot("download")
        response = await self._send(asker, request, "evidence")
        return isinstance(response, HttpResponse) and response.status < 300

    async def _cancel_if_overdue(self, asker: Asker, result: Reply | Failure) -> None:
        """A job that is given up is cancelled where the platform can, so that it costs no more."""
        claim, can = self.claim, self.context.capabilities.cancel
        overdue = claim.job_deadline is not None and self.context.ledger.now() >= claim.job_deadline
        if can and overdue and claim.lane is Lane.POLL and not isinstance(result, Completed):
            await self.cancel(asker)

    async def cancel(self, asker: Asker) -> HttpResponse | Failure:
        """Ask the platform to cancel the accepted job."""
        ask = self.context.ask(self.claim)
        request = self.context.connector.cancel(ask, self.claim.upstream_id or "")
        return await self._send(asker, self._labelled(request), "cancel")

    async def _in_thread(self, work: Callable[[], Any]) -> Any:
        return await asyncio.get_running_loop().run_in_executor(self.context.io, work)


@dataclass(frozen=True, slots=True)
class _Facts:
    """Place and time of an exchange."""

    leg: int
    kind: str
    sent_at: int
    received_at: int


def _sidecar(claim: Claim, facts: _Facts, request_digest: str, response: HttpResponse) -> Sidecar:
    return Sidecar(
        attempt_id=claim.attempt_id,
        sample_id=claim.sample_id,
        date=claim.planned.date,
        platform=claim.planned.platform,
        leg=facts.leg,
        kind=facts.kind,
        fencing_token=claim.fencing_token,
        request_digest=request_digest,
        sent_at=facts.sent_at,
        received_at=facts.received_at,
        response_digest=digest_of(response.body),
        response_bytes=len(response.body),
        status=response.status,
        headers=dict(response.headers),
        simulated=claim.planned.simulated,
    )


def record_of(sidecar: Sidecar) -> ExchangeRecord:
    """The exchange that a sidecar stands for."""
    return ExchangeRecord(
        leg=sidecar.leg,
        kind=sidecar.kind,
        request_digest=sidecar.request_digest,
        sent_at=sidecar.sent_at,
        received_at=sidecar.received_at,
        response_digest=sidecar.response_digest,
        http_status=sidecar.status,
        response_headers=sidecar.headers,
        response_bytes=sidecar.response_bytes,
        error=sidecar.error,
    )


def exchange_of(evidence: EvidenceStore, record: ExchangeRecord) -> Exchange | None:
    """The exchange with its bodies, None where no response came."""
    if record.response_digest is None or record.http_status is None:
        return None
    request = request_from_entity(evidence.read(record.request_digest))
    body = evidence.read(record.response_digest)
    return Exchange(
        record.leg, record.kind, request, HttpResponse(record.http_status, dict(record.response_headers), body)
    )


def earlier_exchanges(context: Context, claim: Claim) -> list[Exchange]:
    """The exchanges that an attempt has behind it. Of its polls none: each says all that the job is now."""
    rows = context.ledger.sample(claim.sample_id).exchanges
    found = []
    for row in rows:
        if row.attempt_id != claim.attempt_id or row.kind == "poll":
            continue
        record = ExchangeRecord(
            row.leg,
            row.kind,
            row.request_digest,
            0,
            0,
            response_digest=row.response_digest,
            http_status=row.http_status,
            response_headers=row.response_headers,
        )
        exchange = exchange_of(context.evidence, record)
        if exchange is not None:
            found.append(exchange)
    return sorted(found, key=lambda exchange: exchange.leg)
