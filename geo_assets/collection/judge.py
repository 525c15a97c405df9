"""What a reply or a failure means for its sample: the error table applied. Pure, given the time and a random source.

What belongs here: from (claim, reply) to a settlement. What does not: writing it, and reading bytes.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from random import Random
from typing import Any

from geo_assets.collection import waits
from geo_assets.ledger.claims import Claim, Lane
from geo_assets.ledger.pace import LaneLimit
from geo_assets.ledger.settle import ExchangeRecord, Settlement, Signal
from geo_assets.model.answers import (
    Completed,
    FinishReason,
    NextLeg,
    NormalAnswer,
    Pending,
    Rejected,
    Reply,
    SearchState,
    Usage,
)
from geo_assets.model.errors import POLICIES, ErrorClass, ErrorPolicy, Retry
from geo_assets.model.money import Price, cost_micros
from geo_assets.model.states import Outcome
from geo_assets.model.text import canonical_json
from geo_assets.model.transitions import Event

SECOND = 1_000_000
_MESSAGE_LIMIT = 500
_BESIDES = frozenset({"evidence", "cancel"})
"""Kinds of exchanges that do not decide what became of an attempt."""


@dataclass(frozen=True, slots=True)
class Failure:
    """No response. `sent` False: surely nothing reached the platform."""

    error: ErrorClass
    message: str
    sent: bool


@dataclass(frozen=True, slots=True)
class Rules:
    """What the judgement depends on beside claim and reply. Times in ledger time."""

    now: int
    deadline: int
    hold: bool
    max_attempts: int
    job_seconds: float
    price: Price
    limit: LaneLimit
    random: Random
    connector: str
    safe_to_resend: bool = False
    can_look_up: bool = False
    key_fingerprint: str | None = None


@dataclass(slots=True)
class _Draft:
    """A settlement in the making."""

    event: Event
    outcome: Outcome | None = None
    reason: str | None = None
    charge: int | None = None
    executed: bool | None = None
    late: bool = False
    attempt: dict[str, Any] = field(default_factory=dict)
    sample: dict[str, Any] = field(default_factory=dict)
    throttled: bool = False
    failed: bool = False
    stop: str | None = None


def judge(
    claim: Claim, result: Reply | Failure, rules: Rules, records: tuple[ExchangeRecord, ...], *, partly: bool = False
) -> Settlement:
    """The settlement of a claim after its last exchange. `partly`: further evidence could not be fetched."""
    kind = next((r.kind for r in reversed(records) if r.kind not in _BESIDES), str(claim.lane))
    if isinstance(result, Completed):
        draft = _completed(claim, result.answer, rules, partly=partly)
    elif isinstance(result, Pending):
        draft = _pending(claim, result, rules, kind)
    elif isinstance(result, NextLeg):
        # Only seen in recovery: the worker died between two legs of an attempt.
        draft = _lost(claim, rules, ErrorClass.DISCONNECT, "the worker died between two exchanges of this attempt")
    elif isinstance(result, Failure):
        draft = _failure(claim, result, rules, kind)
    else:
        draft = _rejected(claim, result, rules, kind)
    draft.attempt |= _times(claim, records)
    return _settlement(claim, draft, rules, records)


def give_back(claim: Claim, now: int) -> Settlement:
    """The claim was never sent."""
    draft = _Draft(Event.GIVE_BACK, executed=False)
    draft.sample = {"due_at": now}
    if claim.lane is Lane.SUBMIT:
        draft.sample["tries"] = claim.tries - 1
    return _settlement(claim, draft, None, ())


def interrupted(claim: Claim, rules: Rules) -> Settlement:
    """The call was under way when the worker had to stop."""
    if claim.lane is not Lane.SUBMIT:
        return give_back(claim, rules.now)
    draft = _lost(claim, rules, ErrorClass.DISCONNECT, "the worker was stopped while the call was under way")
    draft.attempt |= {"asked_at": claim.send_at}
    return _settlement(claim, draft, None, ())


def outcome_of(answer: NormalAnswer, *, search_asked: bool) -> Outcome:
    """The kind of observation, by the connector's signals alone; reading the text comes later."""
    if answer.finish_reason is FinishReason.CONTENT_FILTER:
        return Outcome.FILTERED
    if answer.finish_reason is FinishReason.REFUSAL or answer.refusal:
        return Outcome.REFUSED
    if not answer.text.strip():
        return Outcome.EMPTY
    if answer.finish_reason is FinishReason.LENGTH:
        return Outcome.TRUNCATED
    if search_asked and answer.search_state is SearchState.NOT_USED:
        return Outcome.UNSEARCHED
    return Outcome.COUNTED


def charge_of(price: Price, usage: Usage, *, search_used: bool = False) -> int | None:
    """What the call cost; None where the price is by tokens and the platform states none."""
    by_token = price.input_per_million or price.output_per_million
    unstated = usage.input_tokens is None and usage.output_tokens is None
    if usage.reported_micros is None and by_token and unstated:
        return None
    return cost_micros(price, usage, search_used=search_used)


def _completed(claim: Claim, answer: NormalAnswer, rules: Rules, *, partly: bool) -> _Draft:
    charge = charge_of(rules.price, answer.usage, search_used=answer.search_state is SearchState.USED)
    return _Draft(
        event=Event.ANSWER_PARTLY if partly else Event.ANSWER,
        outcome=outcome_of(answer, search_asked=claim.planned.search),
        charge=charge,
        executed=True,
        late=rules.now > rules.deadline,
        attempt={
            "model_served": answer.model_served,
            "finish_reason": answer.finish_reason.value,
            "search_state": answer.search_state.value,
            "usage": _usage(answer.usage),
            "connector": rules.connector,
        },
    )


def _usage(usage: Usage) -> str:
    return canonical_json({name: value for name, value in asdict(usage).items() if value is not None})


def _pending(claim: Claim, reply: Pending, rules: Rules, kind: str) -> _Draft:
    if kind in {"submit", "lookup"} or claim.job_deadline is None:
        wait = waits.poll_interval(0.0, reply.poll_after)
        return _Draft(
            Event.ACCEPT,
            attempt={"upstream_id": reply.upstream_id, "accepted_at": rules.now},
            sample={
                "upstream_id": reply.upstream_id,
                "job_deadline": rules.now + int(rules.job_seconds * SECOND),
                "polls": 0,
                "due_at": rules.now + int(wait * SECOND),
            },
        )
    return _poll_again(claim, rules, reply.poll_after, None)


def _poll_again(claim: Claim, rules: Rules, poll_after: float | None, error: str | None) -> _Draft:
    started = claim.attempt.get("accepted_at") or claim.send_at
    age = max(0.0, (rules.now - started) / SECOND)
    if claim.job_deadline is not None and rules.now >= claim.job_deadline:
        reason = f"job {claim.upstream_id} had no result after {age:.0f} s"
        return _Draft(
            Event.FAIL,
            reason=reason,
            attempt={"error_class": ErrorClass.UPSTREAM_FAILED.value, "error_message": reason},
        )
    wait = waits.poll_interval(age, poll_after)
    draft = _Draft(Event.POLL_AGAIN, sample={"polls": claim.polls + 1, "due_at": rules.now + int(wait * SECOND)})
    if error is not None:
        draft.attempt = {"error_class": ErrorClass.POLL_FAILED.value, "error_message": error[:_MESSAGE_LIMIT]}
    return draft


def _failure(claim: Claim, failure: Failure, rules: Rules, kind: str) -> _Draft:
    if kind == "poll":
        return _poll_again(claim, rules, None, failure.message)
    if kind == "lookup":
        return _Draft(Event.LOSE, sample={"due_at": rules.now + 30 * SECOND})
    policy = POLICIES[failure.error]
    if failure.sent:
        draft = _lost(claim, rules, failure.error, failure.message)
    elif policy.retry is Retry.NEVER:
        draft = _ended(failure.error, failure.message, charge=0, executed=False)
    else:
        draft = _again(claim, rules, failure.error, failure.message, None, charge=0, executed=False)
    draft.failed = policy.counts_for_breaker
    return draft


def _rejected(claim: Claim, reply: Rejected, rules: Rules, kind: str) -> _Draft:
    policy = POLICIES[reply.error]
    if kind == "lookup":
        return _looked_up(reply, rules, policy)
    if kind == "poll" and (policy.retry is Retry.POLL_ON or (not reply.accepted and policy.retry is not Retry.NEVER)):
        draft = _poll_again(claim, rules, reply.retry_after, reply.message)
        draft.throttled = policy.counts_as_throttled
        return draft
    draft = _by_policy(claim, reply, rules, policy)
    draft.attempt["error_code"] = reply.code
    draft.throttled = policy.counts_as_throttled
    draft.failed = policy.counts_for_breaker
    if policy.stops_account:
        draft.stop = f"{reply.error}: {reply.message}"[:_MESSAGE_LIMIT]
    return draft


def _by_policy(claim: Claim, reply: Rejected, rules: Rules, policy: ErrorPolicy) -> _Draft:
    charge, executed = _money(reply, rules)
    if policy.observation:
        outcomes = {ErrorClass.CONTENT_FILTERED: Outcome.FILTERED, ErrorClass.REFUSED: Outcome.REFUSED}
        draft = _Draft(
            Event.ANSWER,
            outcome=outcomes.get(reply.error, Outcome.UNREADABLE),
            reason=reply.message[:_MESSAGE_LIMIT],
            charge=None if reply.error is ErrorClass.UNREADABLE and reply.usage is None else charge,
            executed=True,
            late=rules.now > rules.deadline,
        )
        draft.attempt = {**_error(reply.error, reply.message), "connector": rules.connector}
        if reply.usage is not None:
            draft.attempt["usage"] = _usage(reply.usage)
        return draft
    if policy.retry is Retry.RETRY_AFTER:
        wait = waits.throttle(claim.throttles + 1, reply.retry_after, rules.random)
        return _Draft(
            Event.RETRY,
            reason=_reason(reply.error, reply.message),
            charge=charge,
            executed=executed,
            attempt=_error(reply.error, reply.message),
            sample={
                "tries": claim.tries - 1,
                "throttles": claim.throttles + 1,
                "due_at": rules.now + int(wait * SECOND),
            },
        )
    if policy.retry is Retry.UNKNOWN_ACCEPTANCE:
        return _lost(claim, rules, reply.error, reply.message)
    if policy.retry is Retry.BACKOFF:
        return _again(claim, rules, reply.error, reply.message, reply.retry_after, charge=charge, executed=executed)
    return _ended(reply.error, reply.message, charge=charge, executed=executed)


def _money(reply: Rejected, rules: Rules) -> tuple[int | None, bool | None]:
    """Charge and whether the platform ran it, as far as the reply says."""
    if reply.usage is not None:
        return charge_of(rules.price, reply.usage), True
    return (None, None) if reply.accepted else (0, False)


def _looked_up(reply: Rejected, rules: Rules, policy: ErrorPolicy) -> _Draft:
    """A look-up that fails says nothing and is tried again; one that is refused says that there is no such job."""
    if policy.retry is not Retry.NEVER:
        wait = waits.throttle(1, reply.retry_after, rules.random)
        return _Draft(
            Event.LOSE, sample={"due_at": rules.now + int(wait * SECOND)}, throttled=policy.counts_as_throttled
        )
    if policy.stops_account:
        return _Draft(Event.LOSE, sample={"due_at": rules.now + 60 * SECOND}, stop=f"{reply.error}: {reply.message}")
    return _Draft(
        Event.RETRY,
        reason="the platform does not know the lost call",
        charge=0,
        executed=False,
        attempt={"error_code": reply.code},
        sample={"due_at": rules.now},
    )


def _error(error: ErrorClass, message: str) -> dict[str, Any]:
    return {"error_class": error.value, "error_message": message[:_MESSAGE_LIMIT]}


def _reason(error: ErrorClass, message: str) -> str:
    return f"{error}: {message}"[:_MESSAGE_LIMIT]


def _ended(error: ErrorClass, message: str, *, charge: int | None, executed: bool | None) -> _Draft:
    return _Draft(
        Event.FAIL, reason=_reason(error, message), charge=charge, executed=executed, attempt=_error(error, message)
    )


def _again(
    claim: Claim,
    rules: Rules,
    error: ErrorClass,
    message: str,
    retry_after: float | None,
    *,
    charge: int | None,
    executed: bool | None,
) -> _Draft:
    """Due again, in this pass or the next, unless the total cap is reached."""
    if claim.tries >= rules.max_attempts:
        text = f"given up after {claim.tries} tries: {message}"
        return _ended(error, text, charge=charge, executed=executed)
    return _Draft(
        Event.RETRY,
        reason=_reason(error, message),
        charge=charge,
        executed=executed,
        attempt=_error(error, message),
        sample=_next_try(claim, rules, error, retry_after),
    )


def _lost(claim: Claim, rules: Rules, error: ErrorClass, message: str) -> _Draft:
    """Perhaps executed. Never assume that no response means no execution: the reserve stands."""
    hold = rules.hold and not rules.safe_to_resend
    out_of_tries = claim.tries >= rules.max_attempts
    if (hold or out_of_tries) and not rules.can_look_up:
        return _Draft(Event.HOLD, reason=_reason(error, message), attempt=_error(error, message))
    values = _next_try(claim, rules, error, None)
    if rules.can_look_up:
        values["due_at"] = rules.now + SECOND
    return _Draft(Event.LOSE, reason=_reason(error, message), attempt=_error(error, message), sample=values)


def _next_try(claim: Claim, rules: Rules, error: ErrorClass, retry_after: float | None) -> dict[str, Any]:
    count = claim.pass_errors.get(error.value, 0) + 1
    if count >= max(1, POLICIES[error].per_pass):
        wait = waits.rest(claim.passes + 1, rules.random)
        values: dict[str, Any] = {"passes": claim.passes + 1, "pass_errors": "{}"}
    else:
        wait = waits.backoff(count, rules.random)
        values = {"pass_errors": canonical_json({**claim.pass_errors, error.value: count})}
    if retry_after is not None:
        wait = max(wait, min(retry_after, waits.RETRY_AFTER_CAP))
    return values | {"due_at": rules.now + int(wait * SECOND)}


def _times(claim: Claim, records: tuple[ExchangeRecord, ...]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    if not records:
        return values
    last = records[-1]
    if claim.attempt.get("asked_at") is None:
        values["asked_at"] = records[0].sent_at
    answer = next((r for r in reversed(records) if r.kind not in _BESIDES), last)
    if answer.response_digest is not None:
        values |= {
            "response_digest": answer.response_digest,
            "response_bytes": answer.response_bytes,
            "http_status": answer.http_status,
        }
    return values


def _settlement(claim: Claim, draft: _Draft, rules: Rules | None, records: tuple[ExchangeRecord, ...]) -> Settlement:
    attempt: Mapping[str, Any] = draft.attempt
    if draft.event in {Event.ANSWER, Event.ANSWER_PARTLY} and records:
        answered = next((r for r in reversed(records) if r.kind not in _BESIDES), records[-1]).received_at
        attempt = {**attempt, "answered_at": answered}
    signal = None
    if rules is not None and records:
        signal = Signal(
            lane=claim.lane.pace_lane,
            limit=rules.limit,
            throttled=draft.throttled,
            failed=draft.failed,
            stop=draft.stop,
            key_fingerprint=rules.key_fingerprint,
        )
    return Settlement(
        attempt_id=claim.attempt_id,
        sample_id=claim.sample_id,
        platform=claim.planned.platform,
        account=claim.planned.account,
        date=claim.planned.date,
        fencing_token=claim.fencing_token,
        event=draft.event,
        outcome=draft.outcome,
        reason=draft.reason,
        charge_micros=draft.charge,
        executed=draft.executed,
        late=draft.late,
        exchanges=records,
        attempt=attempt,
        sample=draft.sample,
        signal=signal,
    )
