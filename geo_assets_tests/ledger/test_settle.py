"""Settling: conditional on token and state, once, and what old tokens may still do."""

import pytest

from geo_assets.ledger import Ledger
from geo_assets.ledger.books import settle_entries
from geo_assets.ledger.claims import Lane
from geo_assets.ledger.settle import Applied
from geo_assets.model.money import EntryKind
from geo_assets.model.transitions import Event
from geo_assets_tests.ledger import builders as b
from geo_assets_tests.ledger.databases import Clock


@pytest.fixture
def one(ledger: Ledger) -> Ledger:
    b.plan(ledger, 1)
    b.worker(ledger, "w1")
    b.worker(ledger, "w2")
    return ledger


def test_an_answer_is_settled_once(one: Ledger) -> None:
    (taken,) = b.claim(one)
    made = b.settlement(taken, Event.ANSWER, exchanges=(b.record(taken),), attempt={"model_served": "m1-2026"})
    assert one.settle([made]).applied == (Applied.SETTLED,)
    assert one.settle([made]).applied == (Applied.ALREADY,)
    history = one.sample(taken.sample_id)
    assert (history.sample.outcome, history.sample.model_served, history.sample.charged_micros) == (
        "counted",
        "m1-2026",
        300,
    )
    assert len(history.exchanges) == 1
    assert sorted((e.kind, e.amount_micros) for e in history.entries) == [
        ("charge", 300),
        ("release", -500),
        ("reserve", 500),
    ]


def test_a_charge_may_exceed_its_reserve_and_is_booked_in_full(one: Ledger) -> None:
    (taken,) = b.claim(one)
    one.settle([b.settlement(taken, Event.ANSWER, charge_micros=9_000)])
    (line,) = one.reconcile(b.DATE)
    assert (line.reserved, line.charged) == (0, 9_000)


def test_an_old_token_changes_no_state_but_its_answer_and_cost_are_kept(one: Ledger) -> None:
    (old,) = b.claim(one, worker_id="w1")
    one.reap("w1", b.DATE, "qwen", hold=False)
    (new,) = b.claim(one, worker_id="w2")
    assert new.fencing_token == old.fencing_token + 1
    assert one.settle([b.settlement(old, Event.ANSWER, exchanges=(b.record(old),))]).applied == (Applied.SUPERSEDED,)
    assert one.settle([b.settlement(new, Event.ANSWER, charge_micros=400)]).applied == (Applied.SETTLED,)
    history = one.sample(new.sample_id)
    assert history.sample.accepted_attempt == new.attempt_id
    assert history.sample.superseded
    assert [a.state for a in history.attempts] == ["superseded", "answered"]
    (line,) = one.reconcile(b.DATE)
    assert (line.charged, line.reserved, line.unreconciled) == (700, 0, 0)


def test_a_late_answer_completes_an_uncertain_sample(one: Ledger) -> None:
    (taken,) = b.claim(one)
    one.reap("w1", b.DATE, "qwen", hold=True)
    assert one.status(b.DATE, "qwen").outcomes == {"uncertain": 1}
    (line,) = one.reconcile(b.DATE)
    assert (line.reserved, line.unreconciled) == (500, 500)
    assert one.settle([b.settlement(taken, Event.ANSWER)]).applied == (Applied.SETTLED,)
    assert one.status(b.DATE, "qwen").outcomes == {"counted": 1}
    (line,) = one.reconcile(b.DATE)
    assert (line.reserved, line.unreconciled, line.charged) == (0, 0, 300)


def test_two_lost_attempts_that_both_answer_accept_the_first_only(one: Ledger) -> None:
    (first,) = b.claim(one)
    one.settle([b.settlement(first, Event.LOSE)])
    (second,) = b.claim(one)
    one.settle([b.settlement(second, Event.LOSE)])
    assert one.settle([b.settlement(first, Event.ANSWER)]).applied == (Applied.SETTLED,)
    assert one.settle([b.settlement(second, Event.ANSWER)]).applied == (Applied.SUPERSEDED,)
    assert one.sample(first.sample_id).sample.accepted_attempt == first.attempt_id


def test_a_rejection_that_comes_late_rules_the_lost_attempt_out(one: Ledger) -> None:
    (taken,) = b.claim(one)
    one.reap("w1", b.DATE, "qwen", hold=False)
    one.settle([b.settlement(taken, Event.RETRY, attempt={"error_class": "rate_limited"})])
    assert one.status(b.DATE, "qwen").submission == {"planned": 1}
    (line,) = one.reconcile(b.DATE)
    assert (line.reserved, line.unreconciled) == (0, 0)


def test_a_claim_given_back_leaves_no_trace_but_the_token(one: Ledger) -> None:
    (taken,) = b.claim(one)
    one.settle([b.settlement(taken, Event.GIVE_BACK, sample={"tries": 0})])
    status = one.status(b.DATE, "qwen")
    assert (status.submission, status.collection) == ({"planned": 1}, {"queued": 1})
    (line,) = one.reconcile(b.DATE)
    assert (line.reserved, line.balanced) == (0, True)
    (again,) = b.claim(one)
    assert again.fencing_token == 2


def test_a_claim_given_back_leaves_an_uncertain_sample_uncertain(one: Ledger) -> None:
    (first,) = b.claim(one)
    one.settle([b.settlement(first, Event.LOSE)])
    (second,) = b.claim(one)
    one.settle([b.settlement(second, Event.GIVE_BACK)])
    assert one.status(b.DATE, "qwen").submission == {"uncertain": 1}


def test_a_job_is_recorded_before_its_first_poll_and_goes_on_with_another_worker(one: Ledger, clock: Clock) -> None:
    (taken,) = b.claim(one, worker_id="w1")
    job = {"upstream_id": "job-1", "job_deadline": clock.now + 60_000_000, "due_at": clock.now}
    one.settle([b.settlement(taken, Event.ACCEPT, attempt={"upstream_id": "job-1"}, sample=job)])
    (poll,) = b.claim(one, lane=Lane.POLL, worker_id="w1")
    assert (poll.upstream_id, poll.attempt_id) == ("job-1", taken.attempt_id)
    one.reap("w1", b.DATE, "qwen", hold=True)
    (other,) = b.claim(one, lane=Lane.POLL, worker_id="w2")
    assert other.fencing_token == poll.fencing_token + 1
    assert one.settle([b.settlement(poll, Event.POLL_AGAIN)]).applied == (Applied.ALREADY,)
    assert one.settle([b.settlement(other, Event.ANSWER)]).applied == (Applied.SETTLED,)
    assert len(list(one.attempts(b.DATE, "qwen"))) == 1


def test_a_cancelled_sample_stays_cancelled_and_its_late_answer_is_booked(one: Ledger) -> None:
    (taken,) = b.claim(one)
    one.cancel(sample_id=taken.sample_id, who="ops", reason="wrong question")
    assert one.settle([b.settlement(taken, Event.ANSWER)]).applied == (Applied.SUPERSEDED,)
    assert one.status(b.DATE, "qwen").outcomes == {"cancelled": 1}
    (line,) = one.reconcile(b.DATE)
    assert (line.charged, line.reserved) == (300, 0)


def test_a_transaction_settles_many_and_stops_an_account_on_three_forbidden_questions(ledger: Ledger) -> None:
    b.plan(ledger, 5)
    b.worker(ledger)
    claims = b.claim(ledger)
    forbidden = {"error_class": "permission", "error_message": "no access"}
    for number, taken in enumerate(claims[:3]):
        report = ledger.settle([b.settlement(taken, Event.FAIL, attempt=forbidden, signal=b.signal())])
        assert bool(report.alerts) == (number == 2)
    found = b.claimed(ledger)
    assert (found.claims, found.stopped) == ((), True)
    assert "permission" in (found.reason or "")
    ledger.settle([b.settlement(taken, Event.ANSWER) for taken in claims[3:]])
    assert ledger.status(b.DATE, "qwen").outcomes == {"counted": 2, "failed": 3}


@pytest.mark.parametrize(
    ("state", "charge", "executed", "expected"),
    [
        ("submitting", 300, True, [("release", -500), ("charge", 300)]),
        ("submitting", 0, False, [("release", -500)]),
        ("submitting", None, None, [("unreconciled", 500)]),
        ("submitting", None, True, [("unreconciled", 500)]),
        ("uncertain", None, None, []),
        ("uncertain", 300, True, [("release", -500), ("charge", 300), ("unreconciled", -500)]),
        ("uncertain", 0, False, [("release", -500), ("unreconciled", -500)]),
    ],
)
def test_nothing_is_released_while_nobody_knows(
    state: str, charge: int | None, executed: bool | None, expected: list[tuple[str, int]]
) -> None:
    names = ("date", "tenant", "monitor", "platform", "account", "sample_id", "currency", "price_version", "simulated")
    attempt = dict.fromkeys(names, "x") | {"attempt_id": "a", "reserved_micros": 500, "state": state}
    entries = settle_entries(attempt, 1, charge=charge, executed=executed)
    assert [(e["kind"], e["amount_micros"]) for e in entries] == expected
    assert all(EntryKind(e["kind"]) for e in entries)
