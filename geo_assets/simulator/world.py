"""The simulated platforms themselves: who may ask, what is taken, what goes wrong, what is answered.

What belongs here: one synchronous decision per request, written to the call log before anything is sent. What does not:
sockets and waiting (`app`), wire formats (`dialects`).
"""

import json
import math
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Literal

from geo_assets.model.text import question_revision
from geo_assets.simulator.answers import AnswerBook, Ending, SimulatedAnswer, read_answers
from geo_assets.simulator.calllog import Call, CallLog
from geo_assets.simulator.dialects import DIALECTS
from geo_assets.simulator.dialects.base import Asked, Dialect, Ids, Refusal, RefusedError, Reply, Route, Trouble, Wait
from geo_assets.simulator.draws import generator, token, unit
from geo_assets.simulator.faults import ACCEPTING, Fault, FaultInjector, FaultKind
from geo_assets.simulator.jobs import Job, JobStore
from geo_assets.simulator.limiter import TrueLimit
from geo_assets.simulator.market import MarketIndex
from geo_assets.simulator.pages import ERROR_PAGE, LOGIN_PAGE
from geo_assets.simulator.settings import Latency, SimulatedPlatform, SimulatorConfig

SAMPLE_HEADER = "x-geo-sample"
DATE_HEADER = "x-geo-date"
ATTEMPT_HEADER = "x-geo-attempt"
"""Headers that only a simulator gets: the sample's id (seeds its answer), the capture date, the attempt's id."""

_EFFECTS = frozenset({FaultKind.SEARCH_SKIPPED, FaultKind.CONTENT_FILTER, FaultKind.JOB_FAILED})
_SERVER_TROUBLE = {500: Trouble.SERVER_ERROR, 502: Trouble.BAD_GATEWAY, 503: Trouble.OVERLOADED}


@dataclass(frozen=True, slots=True)
class Decision:
    """What the connection does: wait `delay` seconds, then send, cut the body, reset, or stay silent and reset."""

    reply: Reply | None
    delay: float = 0.0
    ending: Literal["send", "cut", "reset", "hang"] = "send"


class PlatformState:
    """One platform at run time: its limits, its latency, its counts."""

    def __init__(self, platform: SimulatedPlatform) -> None:
        self.platform = platform
        self.dialect: Dialect = DIALECTS[platform.dialect]
        base = self.dialect.default_base_path if platform.base_path is None else platform.base_path
        self.base_path = base.rstrip("/")
        self.reset()

    def reset(self) -> None:
        """Back to the configured limits and latency, all counts zero."""
        platform = self.platform
        self.set_limit(platform.per_second, platform.burst, platform.tolerance)
        self.search_limit = TrueLimit(platform.search_per_second) if platform.search_per_second else None
        self.latency: Latency = platform.latency
        self.counts: Counter[str] = Counter()
        self.in_flight = 0

    def set_limit(self, per_second: float | None, burst: int, tolerance: float) -> None:
        """Change the true limit; None lifts it."""
        self.limit = TrueLimit(per_second, burst, tolerance) if per_second else None


class World:
    """All platforms of one simulator, with one log, one book of answers and one source of faults."""

    def __init__(self, config: SimulatorConfig) -> None:
        for platform in config.platforms:
            if platform.dialect not in DIALECTS:
                known = ", ".join(sorted(DIALECTS))
                message = f"platform {platform.id}: dialect: {platform.dialect!r} is not simulated; known are {known}"
                raise ValueError(message)
        self.config = config
        self.states = {platform.id: PlatformState(platform) for platform in config.platforms}
        recorded = read_answers(config.answers) if config.answers else None
        self.book = AnswerBook(MarketIndex(config.markets), config.rates, recorded, config.seed)
        self.injector = FaultInjector(config.faults)
        self.jobs = JobStore()
        self._submits: Counter[tuple[str, str]] = Counter()
        self._accepted: Counter[tuple[str, str, str]] = Counter()
        self.log = CallLog(config.call_log)
        for call in self.log.take_past():
            self._restore(call)

    def reset(self) -> None:
        """Back to the configuration: limits, latency, faults, counts. The call log stays, and so do its sequences."""
        for state in self.states.values():
            state.reset()
        self.injector = FaultInjector(self.config.faults)

    def handle(self, platform_id: str, method: str, path: str, headers: Mapping[str, str], raw: bytes) -> Decision:
        """Decide one request. `path` has no platform prefix, header names are lower case."""
        state = self.states[platform_id]
        state.counts["requests"] += 1
        route = state.dialect.route(method, path, state.base_path)
        if route is None:
            ids = self._ids(platform_id, "other", path, state.counts["requests"])
            reply = state.dialect.refuse(state.platform, Refusal(Trouble.NOT_FOUND, f"{method} {path}"), ids)
            return self._note(state, method, path, "other", Decision(reply), headers)
        if route.kind == "submit":
            return self._submit(state, method, path, route, headers, raw)
        return self._follow_up(state, method, path, route, headers)

    # Submitting

    def _submit(
        self, state: PlatformState, method: str, path: str, route: Route, headers: Mapping[str, str], raw: bytes
    ) -> Decision:
        platform, dialect = state.platform, state.dialect
        try:
            asked = dialect.read(platform, route, headers, _json_object(raw))
        except RefusedError as refused:
            ids = self._ids(platform.id, "refused", path, state.counts["requests"])
            reply = dialect.refuse(platform, refused.refusal, ids)
            return self._note(state, method, path, "submit", Decision(reply), headers)
        day = headers.get(DATE_HEADER) or datetime.now(UTC).date().isoformat()
        revision = question_revision(asked.question)
        sample = headers.get(SAMPLE_HEADER)
        key = sample or f"{revision}:{day}"
        self._submits[platform.id, key] += 1
        ids = self._ids(platform.id, key, day, self._submits[platform.id, key], dated=DATE_HEADER in headers)
        facts = {
            "sample": sample,
            "attempt": _attempt(headers) or asked.attempt,
            "question": revision,
            "day": day,
        }
        wait = state.limit.wait() if state.limit else 0.0
        if wait:
            reply = dialect.refuse(platform, Refusal(Trouble.RATE_LIMITED, wait=Wait(wait)), ids)
            return self._note(state, method, path, "submit", Decision(reply), headers, limited=True, **facts)
        fault = self.injector.draw(platform.id, "submit", key)
        if fault and not self._accepting(state, fault):
            decision = self._failing(state, ids, fault)
            return self._note(state, method, path, "submit", decision, headers, fault=fault.kind, **facts)
        effect = fault.kind if fault and fault.kind in _EFFECTS else None
        if asked.search and effect is None and state.search_limit and (wait := state.search_limit.wait()):
            if not dialect.skips_search_over_limit:
                reply = dialect.refuse(platform, Refusal(Trouble.RATE_LIMITED, wait=Wait(wait)), ids)
                return self._note(state, method, path, "submit", Decision(reply), headers, limited=True, **facts)
            effect = FaultKind.SEARCH_SKIPPED
        return self._accept(state, method, path, asked, ids, headers, fault, effect, facts)

    @staticmethod
    def _accepting(state: PlatformState, fault: Fault) -> bool:
        """Whether the platform takes the question in spite of the fault."""
        if fault.kind is FaultKind.CONTENT_FILTER:
            return state.dialect.filters_in_answer(state.platform)
        return fault.kind in ACCEPTING

    def _accept(
        self,
        state: PlatformState,
        method: str,
        path: str,
        asked: Asked,
        ids: Ids,
        headers: Mapping[str, str],
        fault: Fault | None,
        effect: FaultKind | None,
        facts: dict[str, Any],
    ) -> Decision:
        """The platform takes the question: answer it or start the job."""
        platform_id, day = state.platform.id, facts["day"]
        place = platform_id, facts["question"], day
        self._accepted[place] += 1
        job = Job(
            platform_id, asked, ids,
            seed=facts["sample"] or f"#{self._accepted[place]}",
            day=day,
            accepted_at=time.time(),
            seconds=self._latency(state, ids),
            effect=effect,
        )  # fmt: skip
        upstream_id = state.dialect.upstream_id(ids)
        if asked.background:
            reply = state.dialect.job(state.platform, asked, SimulatedAnswer(()), ids, "queued")
            delay = 0.0
        else:
            reply = state.dialect.answer(state.platform, asked, self._answer(job), ids)
            delay = job.seconds
        if asked.background or asked.stored:
            self.jobs.add(upstream_id, job)
        decision = _with_fault(Decision(reply, delay), fault)
        kept = job.row() if asked.background else None
        facts |= {"fault": fault.kind if fault else None, "upstream_id": upstream_id, "job": kept}
        decision = self._note(state, method, path, "submit", decision, headers, accepted=True, **facts)
        if fault and fault.kind is FaultKind.DUPLICATE:
            self._note(state, method, path, "submit", decision, headers, accepted=True, duplicate=True, **facts)
        return decision

    def _answer(self, job: Job) -> SimulatedAnswer:
        if job.effect == FaultKind.CONTENT_FILTER:
            return SimulatedAnswer((), ending=Ending.FILTERED)
        search = job.asked.search and job.effect != FaultKind.SEARCH_SKIPPED
        return self.book.answer(job.platform, job.asked.question, job.seed, job.day, search)

    def _failing(self, state: PlatformState, ids: Ids, fault: Fault) -> Decision:
        """A fault with which the platform does not do what it was asked."""
        platform, dialect = state.platform, state.dialect
        match fault.kind:
            case FaultKind.RATE_LIMITED:
                wait = Wait(fault.seconds, fault.wait_as)
                return Decision(dialect.refuse(platform, Refusal(Trouble.RATE_LIMITED, wait=wait), ids))
            case FaultKind.SERVER_ERROR:
                reply = dialect.refuse(platform, Refusal(_SERVER_TROUBLE[fault.status]), ids)
                return Decision(replace(reply, status=fault.status))
            case FaultKind.RESET_BEFORE:
                return Decision(None, ending="reset")
            case FaultKind.HTML_ERROR:
                return Decision(Reply(502, ERROR_PAGE, {"content-type": "text/html"}))
            case FaultKind.LOGIN_PAGE:
                return Decision(Reply(200, LOGIN_PAGE, {"content-type": "text/html; charset=utf-8"}))
            case FaultKind.AUTH | FaultKind.QUOTA_EXHAUSTED | FaultKind.CONTENT_FILTER:
                return Decision(dialect.refuse(platform, Refusal(Trouble(fault.kind.value)), ids))
        message = f"{fault.kind} is not a failing fault"
        raise AssertionError(message)

    # Following up on a job

    def _follow_up(
        self, state: PlatformState, method: str, path: str, route: Route, headers: Mapping[str, str]
    ) -> Decision:
        platform, dialect = state.platform, state.dialect
        upstream_id = route.upstream_id or ""
        ids = self._ids(platform.id, route.kind, upstream_id, state.counts["requests"])
        job = self.jobs.find(platform.id, upstream_id)
        facts: dict[str, Any] = {"upstream_id": upstream_id, "sample": headers.get(SAMPLE_HEADER)}
        if not dialect.authorised(platform, headers):
            reply = dialect.refuse(platform, Refusal(Trouble.AUTH), ids)
            return self._note(state, method, path, route.kind, Decision(reply), headers, **facts)
        fault = self.injector.draw(platform.id, route.kind, upstream_id)
        if fault and fault.kind not in ACCEPTING:
            decision = self._failing(state, ids, fault)
            return self._note(state, method, path, route.kind, decision, headers, fault=fault.kind, **facts)
        if job is None:
            reply = dialect.refuse(platform, Refusal(Trouble.NOT_FOUND, upstream_id), ids)
        elif route.kind == "delete":
            self.jobs.delete(platform.id, upstream_id)
            reply = dialect.deleted(upstream_id)
        elif route.kind == "cancel" and not job.asked.background:
            reply = dialect.refuse(platform, Refusal(Trouble.INVALID, "cancel"), ids)
        else:
            now = time.time()
            if route.kind == "cancel":
                job.cancel(now)
            status = job.status(now)
            answer = self._answer(job) if status == "completed" else SimulatedAnswer(())
            reply = dialect.job(platform, job.asked, answer, job.ids, status)
        decision = _with_fault(Decision(reply), fault)
        kind = fault.kind if fault else None
        return self._note(state, method, path, route.kind, decision, headers, fault=kind, **facts)

    # Books

    def _note(
        self,
        state: PlatformState,
        method: str,
        path: str,
        kind: str,
        decision: Decision,
        headers: Mapping[str, str],
        **facts: Any,
    ) -> Decision:
        """Write the call log and the counts, then let the decision go."""
        facts.setdefault("sample", headers.get(SAMPLE_HEADER))
        facts.setdefault("attempt", _attempt(headers))
        facts.setdefault("accepted", False)
        silent = decision.ending in {"reset", "hang"} or decision.reply is None
        call = self.log.append(
            platform=state.platform.id,
            method=method,
            path=path,
            kind=kind,
            status=0 if silent or decision.reply is None else decision.reply.status,
            **facts,
        )
        counts = state.counts
        counts[f"kind:{kind}"] += 1
        counts[f"status:{call.status}"] += 1
        counts["accepted"] += call.accepted and not call.duplicate
        counts["violations"] += call.limited
        if call.fault:
            counts[f"fault:{call.fault}"] += 1
        return decision

    def _restore(self, call: Call) -> None:
        """Take over one call of an earlier life: numbering, faults met, background jobs."""
        if call.platform not in self.states or call.duplicate:
            return
        if call.kind != "submit":
            if call.upstream_id:
                self.injector.remember(call.platform, call.kind, call.upstream_id, call.fault)
                self._restore_ending(call)
            return
        if call.question is None:
            return
        key = call.sample or f"{call.question}:{call.day}"
        self._submits[call.platform, key] += 1
        if not call.limited:
            self.injector.remember(call.platform, "submit", key, call.fault)
        if call.accepted:
            self._accepted[call.platform, call.question, call.day or ""] += 1
        if call.job and call.upstream_id:
            self._restore_job(call, call.job, call.upstream_id)

    def _restore_job(self, call: Call, row: Mapping[str, Any], upstream_id: str) -> None:
        state = self.states[call.platform]
        headers = {"authorization": f"Bearer {next(iter(state.platform.keys), '')}"}
        try:
            asked = state.dialect.read(state.platform, Route("submit", row["protocol"]), headers, dict(row["body"]))
        except RefusedError:
            return  # the platform was configured otherwise then
        job = Job(
            call.platform, asked, Ids(row["token"], row["created"]), row["seed"], call.day or "", call.time,
            row["seconds"], row["effect"],
        )  # fmt: skip
        self.jobs.add(upstream_id, job)

    def _restore_ending(self, call: Call) -> None:
        job = self.jobs.find(call.platform, call.upstream_id or "")
        if job and call.kind == "cancel" and call.fault is None:
            job.cancel(call.time)
        elif job and call.kind == "delete":
            self.jobs.delete(call.platform, call.upstream_id or "")

    # Draws

    def _ids(self, platform: str, key: str, day: str, number: int, *, dated: bool = False) -> Ids:
        """Names and times of a call; with a date given they depend on the question and its number alone."""
        name = token(32, self.config.seed, platform, key, day, number)
        if not dated:
            return Ids(name, int(time.time()))
        midnight = datetime.fromisoformat(day).replace(tzinfo=UTC).timestamp()
        return Ids(name, int(midnight + 14_400 * unit(name)))

    def _latency(self, state: PlatformState, ids: Ids) -> float:
        latency = state.latency
        if not latency.median or not latency.sigma:
            return latency.median
        drawn = latency.median * math.exp(latency.sigma * generator(ids.token, "latency").gauss(0, 1))
        return min(latency.maximum, drawn)


def _attempt(headers: Mapping[str, str]) -> str | None:
    """The attempt's id, from our own header or from the one that most platforms take for tracing."""
    return headers.get(ATTEMPT_HEADER) or headers.get("x-client-request-id")


def _with_fault(decision: Decision, fault: Fault | None) -> Decision:
    """How an accepted call goes wrong on its way back."""
    match fault.kind if fault else None:
        case FaultKind.SLOW:
            return replace(decision, delay=decision.delay + (fault.seconds if fault else 0.0))
        case FaultKind.HANG:
            return replace(decision, delay=fault.seconds if fault else 0.0, ending="hang")
        case FaultKind.RESET_AFTER:
            return replace(decision, ending="reset")
        case FaultKind.TRUNCATED_BODY:
            return replace(decision, ending="cut")
        case FaultKind.UNREADABLE if decision.reply is not None:
            body = decision.reply.body
            return replace(decision, reply=replace(decision.reply, body=body[: len(body) // 2]))
    return decision


def _json_object(raw: bytes) -> dict[str, Any]:
    """The request's JSON object; an empty one where the body is something else, which every dialect refuses."""
    try:
        body = json.loads(raw)
    except ValueError:
        return {}
    return body if isinstance(body, dict) else {}
