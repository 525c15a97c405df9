"""Claiming: who may be asked now, and what a claim opens."""

import threading
from dataclasses import replace
from itertools import pairwise

import pytest
import sqlalchemy as sa

from geo_assets.ledger import Ledger, open_ledger
from geo_assets.ledger.budgets import Budgets
from geo_assets.ledger.claims import Lane, due_statement
from geo_assets.ledger.pace import MARGIN, LaneLimit
from geo_assets.model.transitions import Event
from geo_assets_tests.ledger import builders as b
from geo_assets_tests.ledger.databases import Clock


def test_a_claim_opens_an_attempt_with_a_reserve_and_a_new_token(ledger: Ledger) -> None:
    b.plan(ledger, 2)
    b.worker(ledger)
    first, second = b.claim(ledger)
    assert first.fencing_token == 1
    assert first.attempt_id != second.attempt_id
    history = ledger.sample(first.sample_id)
    assert (history.sample.state.submission, history.sample.state.collection) == ("submitting", "running")
    assert history.attempts[0].state == "submitting"
    assert [(e.kind, e.amount_micros) for e in history.entries] == [("reserve", 500)]
    assert b.claim(ledger) == []


def test_workers_at_a_barrier_claim_no_sample_twice(ledger_url: str) -> None:
    with open_ledger(ledger_url) as ledger:
        b.plan(ledger, 200)
        names = [b.worker(ledger, f"w{i}") for i in range(4)]
        barrier = threading.Barrier(4)
        taken: list[str] = []

        def work(name: str) -> None:
            with open_ledger(ledger_url) as own:
                barrier.wait()
                while claims := b.claim(own, 7, worker_id=name):
                    taken.extend(claim.sample_id for claim in claims)

        threads = [threading.Thread(target=work, args=(name,)) for name in names]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert len(taken) == len(set(taken)) == 200


def test_the_rate_is_exact_whoever_claims(ledger: Ledger, clock: Clock) -> None:
    b.plan(ledger, 300)
    b.worker(ledger, "w1")
    b.worker(ledger, "w2")
    limit = LaneLimit(20, 1, 1000)
    sent: list[int] = []
    for step in range(200):
        for name in ("w1", "w2"):
            sent += [c.send_at for c in b.claim(ledger, 8, worker_id=name, limit=limit)]
        clock.forward(0.05)
        assert step < 200
    gaps = [later - earlier for earlier, later in pairwise(sent)]
    assert min(gaps) >= 1_000_000 / 20 - 1
    seconds = (sent[-1] - sent[0]) / 1_000_000
    assert (len(sent) - 1) / seconds == pytest.approx(20 * MARGIN, rel=0.01)


def test_a_clock_that_steps_back_does_not_stall_the_pace(ledger: Ledger, clock: Clock) -> None:
    b.plan(ledger, 50)
    b.worker(ledger)
    limit = LaneLimit(10, 1, 1000)
    b.claim(ledger, 3, limit=limit)
    clock.forward(-3600)
    with ledger.database.engine.begin() as connection:
        connection.execute(sa.text("UPDATE geo_samples SET due_at = 0"))
    waited = 0.0
    while not b.claim(ledger, 1, limit=limit):
        clock.forward(0.1)
        waited += 0.1
        assert waited < 3


def test_concurrency_is_shared_between_workers(ledger: Ledger) -> None:
    b.plan(ledger, 20)
    b.worker(ledger, "w1")
    b.worker(ledger, "w2")
    limit = replace(b.FAST, concurrency=5)
    assert len(b.claim(ledger, 3, worker_id="w1", limit=limit)) == 3
    assert len(b.claim(ledger, 10, worker_id="w2", limit=limit)) == 2
    assert b.claimed(ledger, 10, limit=limit).reason == "as many calls are running as the platform may have at once"


def test_a_sample_that_waits_is_not_due_and_the_claim_says_when(ledger: Ledger, clock: Clock) -> None:
    b.plan(ledger, 1)
    b.worker(ledger)
    (taken,) = b.claim(ledger)
    due = clock.now + 38_000_000
    ledger.settle([b.settlement(taken, Event.RETRY, sample={"due_at": due})])
    found = b.claimed(ledger)
    assert (found.claims, found.next_at) == ((), due)
    clock.forward(38)
    assert len(b.claim(ledger)) == 1


def test_a_budget_lets_no_claim_exceed_it_and_the_rest_is_over_budget(ledger: Ledger) -> None:
    b.plan(ledger, 10)
    b.worker(ledger)
    budgets = Budgets(monitors={("acme", "washers"): {"CNY": 2000}})
    found = b.claimed(ledger, 10, budgets=budgets)
    assert (len(found.claims), found.dropped) == (4, 6)
    assert "daily budget of monitor washers reached (CNY 0.002)" in found.alerts[0].detail
    assert ledger.status(b.DATE, "qwen").outcomes == {"open": 4, "over_budget": 6}


def test_a_monitors_budget_counts_its_other_platforms(ledger: Ledger) -> None:
    b.plan(ledger, 3)
    b.plan(ledger, 3, platform="kimi")
    b.worker(ledger)
    budgets = Budgets(monitors={("acme", "washers"): {"CNY": 2000}})
    assert len(b.claim(ledger, 10, budgets=budgets)) == 3
    assert len(b.claim(ledger, 10, platform="kimi", budgets=budgets)) == 1


def test_a_platforms_budget_counts_all_monitors(ledger: Ledger) -> None:
    b.plan(ledger, 3)
    b.plan(ledger, 3, monitor="dryers")
    b.worker(ledger)
    assert len(b.claim(ledger, 10, budgets=Budgets(platform={"CNY": 2400}))) == 4


def test_another_currency_has_a_budget_of_its_own(ledger: Ledger) -> None:
    ledger.plan(b.batch([replace(s, currency="USD") for s in b.questions(3)]))
    b.worker(ledger)
    assert len(b.claim(ledger, 10, budgets=Budgets(platform={"CNY": 1}))) == 3


def test_throttled_calls_do_not_use_up_the_retry_budget(ledger: Ledger) -> None:
    b.plan(ledger, 2)
    b.worker(ledger)
    budgets = Budgets(retry_percent={("acme", "washers"): 50})
    for _ in range(5):
        for taken in b.claim(ledger, budgets=budgets):
            ledger.settle([b.settlement(taken, Event.RETRY, sample={"tries": taken.tries - 1})])
    for taken in b.claim(ledger, budgets=budgets):
        ledger.settle([b.settlement(taken, Event.RETRY)])
    assert len(b.claim(ledger, budgets=budgets)) == 1
    assert ledger.status(b.DATE, "qwen").outcomes == {"failed": 1, "open": 1}


def test_a_lost_attempt_is_asked_again_with_its_own_key_where_the_platform_honours_it(ledger: Ledger) -> None:
    b.plan(ledger, 1)
    b.worker(ledger)
    (first,) = b.claim(ledger)
    ledger.settle([b.settlement(first, Event.LOSE)])
    (second,) = b.claim(ledger, same_key=True)
    assert second.attempt["idempotency_key"] == first.attempt["idempotency_key"]
    assert second.attempt_id != first.attempt_id


def test_an_uncertain_sample_is_looked_up_before_it_is_asked_again(ledger: Ledger) -> None:
    b.plan(ledger, 1)
    b.worker(ledger)
    (first,) = b.claim(ledger, lookup=True)
    ledger.settle([b.settlement(first, Event.LOSE)])
    assert b.claim(ledger, lookup=True) == []
    (looking,) = b.claim(ledger, lane=Lane.LOOKUP, lookup=True)
    assert (looking.attempt_id, looking.fencing_token) == (first.attempt_id, 2)
    ledger.settle([b.settlement(looking, Event.RETRY)])
    (again,) = b.claim(ledger, lookup=True)
    assert again.attempt_id != first.attempt_id
    (line,) = ledger.reconcile(b.DATE)
    assert (line.unreconciled, line.reserved) == (0, 500)


def test_the_claim_reads_its_own_index_only(ledger: Ledger) -> None:
    b.plan(ledger, 500)
    statement = due_statement(b.order(), "planned", ledger.now(), 10)
    compiled = statement.compile(ledger.database.engine, compile_kwargs={"literal_binds": True})
    explain = "EXPLAIN " if ledger.database.is_postgres else "EXPLAIN QUERY PLAN "
    with ledger.database.engine.begin() as connection:
        if ledger.database.is_postgres:
            connection.exec_driver_sql("ANALYZE geo_samples")
            connection.exec_driver_sql("SET LOCAL enable_seqscan = off")
        plan = "\n".join(str(row) for row in connection.exec_driver_sql(explain + str(compiled)))
    assert "geo_samples_claim" in plan
    assert "Sort" not in plan
    assert "TEMP B-TREE" not in plan
