"""The collector against the simulator: what each thing that can happen does to samples, books and the call log."""

import json
import signal
import threading
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from geo_assets.collection import CollectReport, Ended
from geo_assets.evidence.store import EvidenceStore
from geo_assets.ledger import Decision, Ledger, LedgerUnavailable, open_ledger
from geo_assets.ledger.budgets import Budgets
from geo_assets.model.alerts import Alert, AlertKind
from geo_assets.model.configuration import Account, Lane, Limits, Platform, Timeouts
from geo_assets.model.states import Outcome
from geo_assets.simulator.calllog import accepted_submits, read_call_log
from geo_assets.simulator.process import SimulatorProcess
from geo_assets_tests.collection import settings
from geo_assets_tests.collection.harness import check_books
from geo_assets_tests.collection.settings import base_url, platform, today

CHAT = platform()
JOBS = platform("openai-responses", id="gpt")


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SimulatorProcess]:
    with settings.simulator(tmp_path_factory.mktemp("simulator"), CHAT, JOBS) as process:
        yield process


class Stage:
    """One ledger, one evidence store, and the shared simulator."""

    def __init__(self, process: SimulatorProcess, folder: Path) -> None:
        self.process = process
        self.ledger: Ledger = open_ledger(f"sqlite:///{folder / 'ledger.db'}")
        self.evidence = EvidenceStore(folder / "evidence")
        assert process.call_log is not None
        self.call_log: Path = process.call_log
        self.before = len(list(read_call_log(self.call_log)))
        self.admin("POST", "reset", {})

    def admin(self, method: str, path: str, body: Any) -> None:
        call = urllib.request.Request(f"{self.process.url}/_admin/{path}", json.dumps(body).encode(), method=method)
        urllib.request.urlopen(call, timeout=5).close()

    def fault(self, kind: str, count: int = 1, **details: Any) -> None:
        on = details.pop("on", "submit")
        self.admin("POST", "faults/next", {"fault": {"kind": kind, **details}, "count": count, "on": on})

    def collect(self, of: Platform = CHAT, **changes: Any) -> CollectReport:
        more = {
            name: changes.pop(name) for name in ("on_alert", "on_progress", "should_stop", "via") if name in changes
        }
        asked = settings.request(of, base_url(self.process, of), **changes)
        return settings.collect(self.ledger, self.evidence, asked, **more)

    def plan(self, count: int, of: Platform = CHAT, **common: Any) -> None:
        settings.plan(self.ledger, of, count, **common)

    def outcomes(self, of: Platform = CHAT) -> dict[str, int]:
        return dict(self.ledger.status(today(), of.id).outcomes)

    def calls(self) -> list[Any]:
        return list(read_call_log(self.call_log))[self.before :]

    def attempts(self, of: Platform = CHAT) -> list[Any]:
        return sorted(self.ledger.attempts(today(), of.id), key=lambda a: (a.claimed_at, a.attempt_id))


@pytest.fixture
def stage(served: SimulatorProcess, tmp_path: Path) -> Iterator[Stage]:
    made = Stage(served, tmp_path)
    yield made
    check_books(made.ledger, "qwen")
    check_books(made.ledger, "gpt")
    made.ledger.close()


def test_every_question_is_answered_once_and_a_second_run_asks_nothing(stage: Stage) -> None:
    stage.plan(30)
    report = stage.collect()
    assert (report.ended, report.answered, report.calls, report.open) == (Ended.DONE, 30, 30, 0)
    again = stage.collect()
    assert (again.ended, again.calls) == (Ended.DONE, 0)
    assert len(stage.calls()) == 30
    sample = next(stage.ledger.samples(today(), "qwen"))
    history = stage.ledger.sample(sample.sample_id[:12])
    (attempt,), (exchange,) = history.attempts, history.exchanges
    assert (attempt.state, attempt.model_served, exchange.kind, exchange.http_status) == (
        "answered",
        "m1",
        "submit",
        200,
    )
    assert exchange.response_digest == sample.response_digest
    assert json.loads(stage.evidence.read(sample.response_digest or ""))["choices"]
    request = json.loads(stage.evidence.read(exchange.request_digest))
    assert request["headers"]["authorization"] == "Bearer {key}"
    (line,) = stage.ledger.reconcile(today(), "qwen")
    assert (line.estimated, line.reserved, line.attempts) == (30 * 100_000, 0, 30)
    assert line.charged == sum(a.charged_micros for a in stage.attempts()) > 0


def test_a_rate_limited_sample_waits_as_long_as_it_was_told_and_burns_no_try(stage: Stage) -> None:
    stage.plan(1)
    stage.fault("rate_limited", seconds=2, wait_as="seconds")
    report = stage.collect()
    first, second = stage.attempts()
    assert (first.error_class, first.state, second.state) == ("rate_limited", "rejected", "answered")
    assert (second.claimed_at - first.settled_at).total_seconds() >= 2.0
    assert report.throttled == 1
    (sample,) = stage.ledger.samples(today(), "qwen")
    assert sample.passes == 0


@pytest.mark.parametrize("wait_as", ["date", "body"])
def test_a_wait_is_understood_as_a_date_and_in_the_body(stage: Stage, wait_as: str) -> None:
    stage.plan(1)
    stage.fault("rate_limited", seconds=2, wait_as=wait_as)
    stage.collect()
    first, second = stage.attempts()
    assert (second.claimed_at - first.settled_at).total_seconds() >= 0.9


def test_server_errors_are_retried_and_cost_nothing(stage: Stage) -> None:
    stage.plan(3)
    stage.fault("server_error", count=2)
    stage.fault("server_error", status=503)
    report = stage.collect()
    assert (report.answered, report.retried, report.open) == (3, 3, 0)
    assert sum(a.charged_micros == 0 for a in stage.attempts()) == 3


def test_a_reset_after_sending_is_asked_again_and_its_cost_stays_unreconciled(stage: Stage) -> None:
    stage.plan(1)
    stage.fault("reset_after")
    report = stage.collect()
    first, second = stage.attempts()
    assert (first.state, first.error_class, second.state) == ("uncertain", "disconnect", "answered")
    (line,) = stage.ledger.reconcile(today(), "qwen")
    assert line.unreconciled == line.reserved == first.reserved_micros > 0
    assert (report.uncertain, report.answered) == (1, 1)


def test_a_reset_is_held_for_a_person_where_the_policy_says_so(stage: Stage) -> None:
    stage.plan(1)
    stage.fault("reset_after")
    report = stage.collect(uncertain_policy="hold")
    assert report.ended is Ended.DONE
    assert stage.outcomes() == {"uncertain": 1}
    (held,) = stage.ledger.uncertain(today(), "qwen")
    stage.ledger.resolve(held, Decision.ASK_AGAIN, reason="not in the platform's log", who="ops", today=today())
    assert stage.collect().answered == 1
    assert stage.outcomes() == {"counted": 1}


def test_a_hang_ends_with_the_read_time_out(stage: Stage) -> None:
    stage.plan(1)
    stage.fault("hang", seconds=30)
    began = time.monotonic()
    stage.collect()
    first, second = stage.attempts()
    assert (first.error_class, second.state) == ("timeout", "answered")
    assert time.monotonic() - began < 15


def test_a_wrong_key_stops_the_account_after_the_calls_in_flight(stage: Stage) -> None:
    stage.plan(200)
    alerts: list[Alert] = []
    report = stage.collect(keys={"main": "wrong"}, on_alert=alerts.append)
    assert report.ended is Ended.BLOCKED
    assert len(stage.calls()) <= 2 * CHAT.limits.submit.concurrency
    assert [(a.kind, a.subject) for a in alerts] == [(AlertKind.ACCOUNT_STOPPED, "account qwen/main")]
    assert "auth" in alerts[0].detail
    assert "auth" in report.blocked[0]
    assert report.next_due_at is None
    failed = stage.outcomes()["failed"]
    again = stage.collect(keys={"main": "wrong"})
    assert (again.ended, again.calls) == (Ended.BLOCKED, 0)
    fixed = stage.collect()
    assert fixed.answered == 200 - failed


def test_an_exhausted_quota_is_told_from_a_rate_limit(stage: Stage) -> None:
    stage.plan(100)
    stage.fault("quota_exhausted", count=100)
    report = stage.collect()
    assert report.ended is Ended.BLOCKED
    assert {a.error_class for a in stage.attempts()} == {"quota_exhausted"}
    stage.admin("DELETE", "faults", {})
    stage.ledger.resume_account("qwen", "main", who="ops", reason="bill paid")
    assert stage.collect().open == 0


def test_a_platform_that_always_fails_is_not_asked_a_thousand_times(stage: Stage) -> None:
    stage.plan(1000)
    stage.fault("server_error", count=5000)
    report = stage.collect(max_idle_seconds=3)
    assert report.ended is Ended.WAITING
    assert len(stage.calls()) <= 60
    assert report.next_due_at is not None
    assert report.next_due_at > datetime.now(UTC) + timedelta(seconds=5)


def test_a_login_page_is_kept_and_not_asked_again(stage: Stage) -> None:
    stage.plan(2)
    stage.fault("unreadable")
    stage.fault("content_filter")
    stage.collect()
    assert stage.outcomes() == {"unreadable": 1, "filtered": 1}
    assert len(stage.calls()) == 2
    for sample in stage.ledger.samples(today(), "qwen"):
        assert stage.evidence.read(sample.response_digest or "")


def test_jobs_are_polled_until_they_are_done(stage: Stage) -> None:
    stage.admin("PUT", "latency", {"platform": "gpt", "latency": {"median": 2.0}})
    stage.plan(5, JOBS)
    report = stage.collect(JOBS)
    assert (report.answered, report.open) == (5, 0)
    kinds = [call.kind for call in stage.calls()]
    assert kinds.count("submit") == 5
    assert 5 <= kinds.count("poll") <= 25
    sample = next(stage.ledger.samples(today(), "gpt"))
    assert stage.ledger.sample(sample.sample_id).exchanges[0].kind == "submit"
    assert sample.upstream_id


def test_a_failing_poll_never_submits_again(stage: Stage) -> None:
    stage.admin("PUT", "latency", {"platform": "gpt", "latency": {"median": 1.0}})
    stage.plan(1, JOBS)
    stage.fault("server_error", count=2, on="poll")
    stage.collect(JOBS)
    kinds = [call.kind for call in stage.calls()]
    assert kinds.count("submit") == 1
    assert stage.outcomes(JOBS) == {"counted": 1}


def test_an_accepted_job_survives_a_stopped_worker_and_is_polled_after_the_deadline_as_late(stage: Stage) -> None:
    stage.admin("PUT", "latency", {"platform": "gpt", "latency": {"median": 3.0}})
    stage.plan(2, JOBS)
    first = stage.collect(JOBS, slice_seconds=1.0)
    assert (first.ended, first.answered, first.open) == (Ended.SLICE, 0, 2)
    assert stage.ledger.status(today(), "gpt").submission == {"accepted": 2}
    second = stage.collect(JOBS, deadline=datetime.now(UTC) - timedelta(seconds=1))
    assert (second.answered, second.open) == (2, 0)
    assert stage.ledger.status(today(), "gpt").late == 2
    assert [call.kind for call in stage.calls()].count("submit") == 2


def test_a_job_without_end_is_given_up_and_cancelled_upstream(stage: Stage) -> None:
    stage.admin("PUT", "latency", {"platform": "gpt", "latency": {"median": 60.0}})
    impatient = JOBS.model_copy(update={"timeouts": Timeouts(read=2, total=3, job=2)})
    stage.plan(1, impatient)
    stage.collect(impatient)
    assert stage.outcomes(JOBS) == {"failed": 1}
    assert [call.kind for call in stage.calls()].count("cancel") == 1
    (line,) = stage.ledger.reconcile(today(), "gpt")
    assert line.unreconciled == line.reserved > 0


def test_what_the_window_cuts_off_is_not_captured(stage: Stage) -> None:
    slow = CHAT.model_copy(update={"limits": Limits(submit=Lane(per_second=5, burst=1, concurrency=5))})
    stage.plan(50, slow)
    report = stage.collect(slow, deadline=datetime.now(UTC) + timedelta(seconds=2))
    assert report.ended is Ended.CLOSED
    outcomes = stage.outcomes()
    assert outcomes["counted"] == report.answered >= 1
    assert outcomes["not_captured"] == report.closed == 50 - report.answered
    assert stage.ledger.status(today(), "qwen").open == 0
    assert stage.ledger.reopen(today(), "qwen", who="ops", reason="whole day") == report.closed
    assert stage.collect().answered == report.closed


def test_a_past_day_is_never_asked(stage: Stage) -> None:
    yesterday = (date.fromisoformat(today()) - timedelta(days=1)).isoformat()
    stage.plan(4, date=yesterday)
    report = stage.collect(date=yesterday)
    assert (report.ended, report.calls, report.closed) == (Ended.CLOSED, 0, 4)
    assert stage.calls() == []
    samples = list(stage.ledger.samples(yesterday, "qwen"))
    assert {(s.outcome, s.outcome_reason) for s in samples} == {(Outcome.NOT_CAPTURED, "its capture date is past")}


def test_a_future_day_is_refused(stage: Stage) -> None:
    with pytest.raises(ValueError, match="is in the future"):
        stage.collect(date=(date.fromisoformat(today()) + timedelta(days=1)).isoformat())


def test_a_slice_ends_in_time_and_the_next_goes_on(stage: Stage) -> None:
    slow = CHAT.model_copy(update={"limits": Limits(submit=Lane(per_second=10, burst=1, concurrency=5))})
    stage.plan(30, slow)
    first = stage.collect(slow, slice_seconds=1.0, max_idle_seconds=5)
    assert first.ended is Ended.SLICE
    assert 1 <= first.answered < 30
    assert first.open == 30 - first.answered
    assert first.next_due_at is not None
    second = stage.collect(slow.model_copy(update={"limits": CHAT.limits}))
    assert second.answered == first.open
    assert len(accepted_submits(stage.call_log)) >= 30


def test_a_long_wait_holds_no_run(stage: Stage) -> None:
    stage.plan(1)
    stage.fault("rate_limited", seconds=120, wait_as="seconds")
    began = time.monotonic()
    report = stage.collect(max_idle_seconds=5)
    assert report.ended is Ended.WAITING
    assert time.monotonic() - began < 10
    assert report.next_due_at is not None
    assert 100 < (report.next_due_at - datetime.now(UTC)).total_seconds() <= 121


def test_a_budget_stops_asking_and_says_so(stage: Stage) -> None:
    stage.plan(20)
    alerts: list[Alert] = []
    budgets = Budgets(monitors={("acme", "washers"): {"CNY": 500_000}})
    report = stage.collect(budgets=budgets, on_alert=alerts.append)
    outcomes = stage.outcomes()
    assert report.over_budget == outcomes["over_budget"] > 0
    assert outcomes["counted"] >= 5
    (line,) = stage.ledger.reconcile(today(), "qwen")
    assert line.committed <= 500_000
    assert [(a.kind, a.subject) for a in alerts] == [(AlertKind.BUDGET_REACHED, "monitor acme/washers, CNY")]


def test_a_retry_budget_ends_what_keeps_failing(stage: Stage) -> None:
    stage.plan(4)
    stage.fault("server_error", count=100)
    budgets = Budgets(retry_percent={("acme", "washers"): 50})
    stage.collect(budgets=budgets)
    assert stage.outcomes() == {"failed": 4}
    assert len(stage.calls()) == 4 + 2


def test_told_to_stop_it_gives_back_what_is_unsent_and_settles_what_is_in_flight(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("geo_assets.collection.engine.HEARTBEAT_S", 0.5)
    stage.admin("PUT", "latency", {"platform": "qwen", "latency": {"median": 0.8}})
    stage.plan(300)
    report = stage.collect(should_stop=lambda: True)
    assert report.ended is Ended.STOPPED
    assert report.answered == len(accepted_submits(stage.call_log)) - sum(
        c.kind == "submit" and c.accepted for c in list(read_call_log(stage.call_log))[: stage.before]
    )
    assert stage.ledger.status(today(), "qwen").collection.get("running", 0) == 0
    stage.admin("PUT", "latency", {"platform": "qwen", "latency": {"median": 0.0}})
    assert stage.collect().open == 0


def test_an_interrupt_in_the_calling_thread_stops_within_the_grace_time(stage: Stage) -> None:
    import _thread

    stage.admin("PUT", "latency", {"platform": "qwen", "latency": {"median": 30.0}})
    patient = CHAT.model_copy(update={"timeouts": Timeouts(read=60, total=60)})
    stage.plan(40, patient)
    interrupted = []

    def interrupt_at_work() -> None:
        while not stage.attempts():  # a busy machine may be long in getting there
            time.sleep(0.1)
        time.sleep(1)
        interrupted.append(time.monotonic())
        _thread.interrupt_main()

    # Another test of this process may have left a handler of its own (Dagster and asyncio set theirs).
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        threading.Thread(target=interrupt_at_work, daemon=True).start()
        with pytest.raises(KeyboardInterrupt):
            stage.collect(patient, grace_seconds=2.0)
    finally:
        signal.signal(signal.SIGINT, before)
    assert time.monotonic() - interrupted[0] < 12
    status = stage.ledger.status(today(), "qwen")
    assert status.collection == {"queued": 40}
    assert status.submission["uncertain"] == sum(a.state == "uncertain" for a in stage.attempts())


def test_only_the_monitors_asked_for_are_collected(stage: Stage) -> None:
    stage.plan(10)
    stage.plan(5, monitor="dryers")
    report = stage.collect(monitors=(("acme", "dryers"),))
    assert (report.ended, report.answered, report.open) == (Ended.DONE, 5, 10)


def test_progress_is_reported(stage: Stage) -> None:
    stage.plan(10)
    seen = []
    stage.collect(on_progress=seen.append)
    assert (seen[-1].planned, seen[-1].done, seen[-1].answered, seen[-1].open) == (10, 10, 10, 0)


def test_transient_faults_on_a_fifth_of_calls_lose_nothing(stage: Stage) -> None:
    kinds = ["rate_limited", "server_error", "reset_before", "reset_after", "truncated_body"]
    rules = [{"fault": {"kind": kind, "seconds": 0.2}, "rate": 0.04} for kind in kinds]
    stage.admin("PUT", "faults", {"rules": rules, "max_per_sample": 2})
    stage.plan(150)
    assert stage.collect().open == 0
    stage.admin("DELETE", "faults", {})
    assert stage.outcomes() == {"counted": 150}
    sent = {a.attempt_id for a in stage.attempts() if a.state != "given_back"}  # claimed, and never sent
    assert {c.attempt for c in stage.calls()} == sent


def test_answers_wait_in_the_evidence_store_while_the_database_is_away(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage.admin("PUT", "latency", {"platform": "qwen", "latency": {"median": 1.5}})
    stage.plan(15)
    real, began = stage.ledger.database.write, time.monotonic()
    waiting: list[int] = []

    def write(work: Any) -> Any:
        if 1.0 < time.monotonic() - began < 6.0:
            waiting.append(sum(1 for _ in stage.evidence.pending_sidecars(today(), "qwen")))
            raise LedgerUnavailable("the database is away")
        return real(work)

    monkeypatch.setattr(stage.ledger.database, "write", write)
    report = stage.collect()
    assert (report.answered, report.open, report.uncertain) == (15, 0, 0)
    assert max(waiting) > 0
    assert len(stage.calls()) == 15
    assert list(stage.evidence.pending_sidecars(today(), "qwen")) == []


def test_a_collector_that_ends_while_the_database_is_away_leaves_its_answers_to_the_next(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("geo_assets.collection.scribe.PATIENCE_SECONDS", 2.0)
    stage.admin("PUT", "latency", {"platform": "qwen", "latency": {"median": 1.0}})
    stage.plan(30)
    real = stage.ledger.database.write

    def write(work: Any) -> Any:
        if len(stage.calls()) > 5:
            raise LedgerUnavailable("the database is away")
        return real(work)

    monkeypatch.setattr(stage.ledger.database, "write", write)
    with pytest.raises(LedgerUnavailable):
        stage.collect(grace_seconds=15.0)  # wide, so that a busy machine still stores what it was answered
    answered = len(stage.calls())
    assert answered > 0
    monkeypatch.setattr(stage.ledger.database, "write", real)
    monkeypatch.setattr("geo_assets.collection.recovery.is_gone", lambda _worker: True)
    stage.admin("PUT", "latency", {"platform": "qwen", "latency": {"median": 0.0}})
    report = stage.collect()
    assert (report.replayed, report.open) == (answered, 0)
    assert len(stage.calls()) == 30


def test_an_account_without_a_key_is_left_alone(stage: Stage) -> None:
    stage.plan(3)
    report = stage.collect(keys={})
    assert (report.ended, report.calls, report.open) == (Ended.BLOCKED, 0, 3)


def test_samples_of_an_account_without_a_key_hold_nobody_up(stage: Stage) -> None:
    two = CHAT.model_copy(update={"accounts": (Account(id="main"), Account(id="second"))})
    from geo_assets_tests.ledger import builders

    samples = [
        replace(s, account="second") if s.position % 2 else s for s in builders.questions(6, date=today(), search=False)
    ]
    stage.ledger.plan(builders.batch(samples))
    report = stage.collect(two)
    assert (report.ended, report.answered, report.open) == (Ended.BLOCKED, 3, 3)


def test_replies_are_settled_at_the_frozen_price(stage: Stage) -> None:
    dear = {
        "platforms": {"qwen": {"options": {}, "price": {"version": "v0", "currency": "CNY", "call_micros": 77_000}}}
    }
    from geo_assets_tests.ledger import builders

    samples = builders.questions(2, date=today(), search=False, price_version="v0")
    stage.ledger.plan(replace(builders.batch(samples), snapshot=dear))
    stage.collect()
    assert [a.charged_micros for a in stage.attempts()] == [77_000, 77_000]


def test_cancelled_jobs_are_cancelled_at_the_platform_and_stay_in_the_books(stage: Stage) -> None:
    from geo_assets.collection.cancelling import cancel_upstream
    from geo_assets.platforms.registry import connector

    stage.admin("PUT", "latency", {"platform": "gpt", "latency": {"median": 60.0}})
    stage.plan(3, JOBS)
    stage.collect(JOBS, slice_seconds=1.0)
    done = stage.ledger.cancel(date=today(), platform="gpt", who="ops", reason="wrong market")
    assert (done.withdrawn, len(done.jobs)) == (0, 3)
    asked = settings.request(JOBS, base_url(stage.process, JOBS))
    assert cancel_upstream(asked, stage.ledger, stage.evidence, connector(JOBS.dialect), done.jobs) == 3
    assert [call.kind for call in stage.calls()].count("cancel") == 3
    assert sum(e.kind == "cancel" for e in stage.ledger.exchanges(today(), "gpt")) == 3
    (line,) = stage.ledger.reconcile(today(), "gpt")
    assert line.unreconciled == line.reserved > 0
    assert stage.outcomes(JOBS) == {"cancelled": 3}
