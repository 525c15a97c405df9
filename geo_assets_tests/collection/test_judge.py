"""What each kind of reply gets: the error table, outcomes, charges, waits. Pure."""

import json
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from geo_assets.collection import waits
from geo_assets.collection.faults import FaultPoints
from geo_assets.collection.judge import Failure, Rules, charge_of, give_back, interrupted, judge, outcome_of
from geo_assets.collection.machine import is_gone, process_start, this_worker
from geo_assets.ledger.claims import Claim, Lane
from geo_assets.ledger.pace import LaneLimit
from geo_assets.ledger.settle import ExchangeRecord, Settlement
from geo_assets.model.answers import (
    CitationMode,
    Completed,
    FinishReason,
    HttpRequest,
    NextLeg,
    NormalAnswer,
    Pending,
    Rejected,
    SearchState,
    Usage,
)
from geo_assets.model.errors import POLICIES, ErrorClass, Retry
from geo_assets.model.money import Price
from geo_assets.model.states import Outcome
from geo_assets.model.transitions import INITIAL, Event, advance
from geo_assets_tests.ledger import builders

NOW = 1_795_968_000_000_000
SECOND = 1_000_000
PRICE = Price("v1", "CNY", input_per_million=2_000_000, output_per_million=6_000_000, search_micros=4_000)


def claim(lane: Lane = Lane.SUBMIT, **changes: Any) -> Claim:
    values: dict[str, Any] = {
        "planned": builders.sample(0),
        "revision": 0,
        "lane": lane,
        "state": advance(INITIAL, Event.CLAIM),
        "attempt": {"attempt_id": "a1", "upstream_id": "job", "accepted_at": NOW - 10 * SECOND, "state": "submitting"},
        "fencing_token": 3,
        "send_at": NOW,
        "passes": 0,
        "tries": 1,
        "throttles": 0,
        "polls": 0,
        "pass_errors": {},
        "job_deadline": None,
    }
    return Claim(**(values | changes))


def rules(**changes: Any) -> Rules:
    values: dict[str, Any] = {
        "now": NOW,
        "deadline": NOW + 3600 * SECOND,
        "hold": False,
        "max_attempts": 12,
        "job_seconds": 60.0,
        "price": PRICE,
        "limit": LaneLimit(1, 1, 1),
        "random": Random(1),
        "connector": "fake/1",
    }
    return Rules(**(values | changes))


def record(kind: str = "submit", leg: int = 0) -> ExchangeRecord:
    return ExchangeRecord(leg, kind, "0" * 64, NOW - SECOND, NOW, response_digest="1" * 64, http_status=200)


def answer(text: str = "海尔不错", **changes: Any) -> NormalAnswer:
    made = NormalAnswer(
        text=text,
        citations=(),
        citation_mode=CitationMode.NONE,
        searches=(),
        search_state=SearchState.USED,
        model_asked="m1",
        model_served="m1-1129",
        finish_reason=FinishReason.STOP,
        usage=Usage(input_tokens=1000, output_tokens=500),
    )
    return replace(made, **changes)


def judged(result: Any, of: Claim | None = None, kind: str = "submit", **changes: Any) -> Settlement:
    return judge(of or claim(), result, rules(**changes), (record(kind),))


def waited(made: Settlement) -> float:
    return float(made.sample["due_at"] - NOW) / SECOND


@pytest.mark.parametrize(
    ("made", "outcome"),
    [
        (answer(), Outcome.COUNTED),
        (answer("  \n"), Outcome.EMPTY),
        (answer("", finish_reason=FinishReason.CONTENT_FILTER), Outcome.FILTERED),
        (answer("我不能回答", finish_reason=FinishReason.REFUSAL), Outcome.REFUSED),
        (answer("no", refusal="no"), Outcome.REFUSED),
        (answer("海尔", finish_reason=FinishReason.LENGTH), Outcome.TRUNCATED),
        (answer("", finish_reason=FinishReason.LENGTH), Outcome.EMPTY),
        (answer(search_state=SearchState.NOT_USED), Outcome.UNSEARCHED),
        (answer(search_state=SearchState.UNKNOWN), Outcome.COUNTED),
    ],
)
def test_the_outcome_follows_the_connectors_signals(made: NormalAnswer, outcome: Outcome) -> None:
    assert outcome_of(made, search_asked=True) is outcome


def test_an_answer_without_a_search_is_counted_where_none_was_asked_for() -> None:
    assert outcome_of(answer(search_state=SearchState.NOT_USED), search_asked=False) is Outcome.COUNTED


def test_an_answer_is_charged_by_its_usage_with_one_search_where_none_is_counted() -> None:
    made = judged(Completed(answer()))
    assert (made.event, made.outcome, made.charge_micros) == (Event.ANSWER, Outcome.COUNTED, 2_000 + 3_000 + 4_000)
    assert made.attempt["model_served"] == "m1-1129"
    assert json.loads(made.attempt["usage"]) == {"calls": 1, "input_tokens": 1000, "output_tokens": 500}


def test_a_charge_is_unknown_where_the_platform_states_no_tokens() -> None:
    assert charge_of(PRICE, Usage()) is None
    assert charge_of(PRICE, Usage(reported_micros=77)) == 77
    assert charge_of(Price("v1", "CNY", call_micros=500), Usage()) == 500


def test_an_answer_after_the_deadline_is_late() -> None:
    assert judged(Completed(answer()), deadline=NOW - 1).late
    assert not judged(Completed(answer())).late


@pytest.mark.parametrize("error", list(ErrorClass))
def test_every_error_class_gets_what_its_row_says(error: ErrorClass) -> None:
    made = judged(Rejected(error, "code", "message"))
    expected = {
        Retry.NEVER: Event.FAIL,
        Retry.RETRY_AFTER: Event.RETRY,
        Retry.BACKOFF: Event.RETRY,
        Retry.UNKNOWN_ACCEPTANCE: Event.LOSE,
        Retry.POLL_ON: Event.FAIL,
    }[POLICIES[error].retry]
    assert made.event is (Event.ANSWER if POLICIES[error].observation else expected)
    assert made.signal is not None
    assert made.signal.failed is POLICIES[error].counts_for_breaker
    assert made.signal.throttled is POLICIES[error].counts_as_throttled
    assert (made.signal.stop is not None) is POLICIES[error].stops_account


def test_a_rate_limit_waits_as_told_and_counts_as_no_try() -> None:
    made = judged(Rejected(ErrorClass.RATE_LIMITED, "429", "slow down", retry_after=38.0))
    assert 38.0 <= waited(made) <= 38.5
    assert (made.sample["tries"], made.sample["throttles"], "pass_errors" in made.sample) == (0, 1, False)


def test_server_errors_back_off_three_times_a_pass_and_then_rest() -> None:
    errors: dict[str, int] = {}
    passes = 0
    for tries in range(1, 4):
        of = claim(tries=tries, pass_errors=errors, passes=passes)
        made = judged(Rejected(ErrorClass.SERVER_ERROR, "500", "oops"), of)
        errors = json.loads(made.sample["pass_errors"])
        passes = made.sample.get("passes", passes)
        assert waited(made) <= (2.0**tries if tries < 3 else waits.REST_FIRST)
    assert (errors, passes) == ({}, 1)
    assert waited(made) >= waits.REST_FIRST / 2


def test_the_total_cap_ends_a_sample() -> None:
    made = judged(Rejected(ErrorClass.SERVER_ERROR, "500", "oops"), claim(tries=12))
    assert (made.event, made.executed) == (Event.FAIL, False)
    assert "given up after 12 tries" in (made.reason or "")
    assert judged(Failure(ErrorClass.TIMEOUT, "silence", sent=True), claim(tries=12)).event is Event.HOLD


def test_what_was_never_sent_is_retried_whatever_the_policy() -> None:
    made = judged(Failure(ErrorClass.CONNECT_ERROR, "refused", sent=False), hold=True)
    assert (made.event, made.charge_micros, made.executed) == (Event.RETRY, 0, False)


@pytest.mark.parametrize(
    ("changes", "event"),
    [
        ({}, Event.LOSE),
        ({"hold": True}, Event.HOLD),
        ({"hold": True, "can_look_up": True}, Event.LOSE),
        ({"hold": True, "safe_to_resend": True}, Event.LOSE),
    ],
)
def test_a_time_out_after_sending_is_uncertain(changes: dict[str, bool], event: Event) -> None:
    made = judged(Failure(ErrorClass.TIMEOUT, "silence", sent=True), **changes)
    assert (made.event, made.charge_micros, made.executed) == (event, None, None)


def test_a_job_is_polled_less_often_the_older_it_is() -> None:
    assert waits.poll_interval(0, None) == 1.0
    assert waits.poll_interval(60, None) == 9.0
    assert waits.poll_interval(10_000, None) == 30.0
    assert waits.poll_interval(60, 2.0) == 2.0
    made = judged(Pending("job-7"))
    assert (made.event, made.attempt["upstream_id"]) == (Event.ACCEPT, "job-7")
    assert made.sample["job_deadline"] == NOW + 60 * SECOND


def test_a_poll_that_fails_polls_on_until_the_job_is_given_up() -> None:
    running = claim(Lane.POLL, job_deadline=NOW + SECOND, polls=3)
    for result in (
        Failure(ErrorClass.TIMEOUT, "silence", sent=True),
        Rejected(ErrorClass.POLL_FAILED, "500", "oops"),
        Rejected(ErrorClass.SERVER_ERROR, "500", "oops"),
        Rejected(ErrorClass.RATE_LIMITED, "429", "slow"),
        Pending("job"),
    ):
        made = judged(result, running, "poll")
        assert (made.event, made.sample["polls"]) == (Event.POLL_AGAIN, 4)
    over = claim(Lane.POLL, job_deadline=NOW, polls=9)
    made = judged(Pending("job"), over, "poll")
    assert (made.event, made.executed) == (Event.FAIL, None)


def test_a_job_that_failed_upstream_may_be_asked_again() -> None:
    made = judged(
        Rejected(ErrorClass.UPSTREAM_FAILED, "failed", "model crashed", accepted=True), claim(Lane.POLL), "poll"
    )
    assert (made.event, made.charge_micros, made.executed) == (Event.RETRY, None, None)


def test_a_worker_that_died_between_two_exchanges_leaves_the_sample_uncertain() -> None:
    assert judged(NextLeg(HttpRequest("POST", "https://x"))).event is Event.LOSE


def test_stopping_gives_back_the_unsent_and_loses_what_is_under_way() -> None:
    back = give_back(claim(tries=4), NOW)
    assert (back.event, back.sample["tries"], back.executed) == (Event.GIVE_BACK, 3, False)
    assert interrupted(claim(), rules()).event is Event.LOSE
    assert interrupted(claim(Lane.POLL), rules()).event is Event.GIVE_BACK


def test_further_evidence_does_not_decide_the_answer() -> None:
    records = (record(), replace(record("evidence", 1), response_digest="2" * 64, http_status=500))
    made = judge(claim(), Completed(answer()), rules(), records, partly=True)
    assert (made.event, made.attempt["response_digest"], made.attempt["http_status"]) == (
        Event.ANSWER_PARTLY,
        "1" * 64,
        200,
    )


def test_time_outs_grow_a_little_within_a_pass() -> None:
    assert [waits.stretched(10.0, n) for n in range(5)] == [10.0, 15.0, 22.5, 33.75, 40.0]


def test_back_off_is_bounded_and_fully_jittered() -> None:
    random = Random(2)
    values = [waits.backoff(3, random) for _ in range(500)]
    assert min(values) < 1.0
    assert 7.0 < max(values) <= 8.0
    assert waits.backoff(50, random) <= waits.BACKOFF_CAP


def test_this_process_lives_and_another_start_time_does_not() -> None:
    worker = this_worker()
    assert not is_gone(worker)
    assert is_gone(replace(worker, boot_id="another boot"))
    assert is_gone(replace(worker, pid=2**22 + 12345))
    assert not is_gone(replace(worker, host="elsewhere", pid=2**22 + 12345))
    if process_start(worker.pid):
        assert is_gone(replace(worker, process_start="1"))


def test_an_unknown_fault_point_is_refused() -> None:
    with pytest.raises(ValueError, match="use one of after_claim, after_send"):
        FaultPoints("after_lunch:2")
    FaultPoints(None).reach("after_claim")
