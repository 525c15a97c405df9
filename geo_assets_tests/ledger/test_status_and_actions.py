"""Status, due times, closing, deciding, cancelling, workers, migrations."""

import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa

from geo_assets.ledger import Decision, Ledger, LedgerTooNew, NoSuchSample, open_ledger
from geo_assets.ledger import tables as t
from geo_assets.ledger.claims import Lane
from geo_assets.ledger.leases import WorkerRow
from geo_assets.ledger.migrate import HEAD, VERSION_TABLE, alembic_config
from geo_assets.ledger.rows import to_datetime, to_micros
from geo_assets.ledger.status import PartitionState, derive
from geo_assets.model.states import Outcome
from geo_assets.model.transitions import Event, TransitionRefused
from geo_assets_tests.ledger import builders as b
from geo_assets_tests.ledger.databases import Clock


@pytest.mark.parametrize(
    ("outcomes", "state"),
    [
        ({}, PartitionState.EMPTY),
        ({"withdrawn": 3}, PartitionState.EMPTY),
        ({"counted": 2, "open": 1}, PartitionState.OPEN),
        ({"counted": 2, "refused": 1, "withdrawn": 4}, PartitionState.COMPLETE),
        ({"counted": 2, "not_captured": 1}, PartitionState.PARTIAL),
        ({"failed": 2, "uncertain": 1}, PartitionState.FAILED),
    ],
)
def test_the_state_of_a_partition_follows_from_its_outcomes(outcomes: dict[str, int], state: PartitionState) -> None:
    assert derive(outcomes) is state


def test_open_partitions_say_when_something_is_due(ledger: Ledger, clock: Clock) -> None:
    b.plan(ledger, 2)
    b.plan(ledger, 2, platform="kimi")
    b.plan(ledger, 1, date="2026-11-28")
    b.worker(ledger)
    for taken in b.claim(ledger):
        ledger.settle([b.settlement(taken, Event.RETRY, sample={"due_at": clock.now + 90_000_000})])
    now = to_datetime(clock.now)
    assert now is not None
    found = {(p.date, p.platform): p for p in ledger.open_partitions(now)}
    assert list(found) == [("2026-11-28", "qwen"), (b.DATE, "kimi"), (b.DATE, "qwen")]
    assert found[b.DATE, "qwen"].next_due_at == now + timedelta(seconds=90)
    assert (found[b.DATE, "kimi"].next_due_at, found[b.DATE, "kimi"].open) == (now, 2)


def test_running_samples_are_due_when_their_workers_lease_runs_out(ledger: Ledger, clock: Clock) -> None:
    b.plan(ledger, 1)
    b.worker(ledger)
    b.claim(ledger)
    now = to_datetime(clock.now)
    assert now is not None
    (found,) = ledger.open_partitions(now)
    assert found.next_due_at == now + timedelta(seconds=30)
    clock.forward(10)
    ledger.heartbeat("w1")
    assert ledger.open_partitions(now)[0].next_due_at == now + timedelta(seconds=40)


def test_a_stopped_account_is_due_never_and_an_open_breaker_when_it_half_opens(ledger: Ledger, clock: Clock) -> None:
    b.plan(ledger, 20)
    b.worker(ledger)
    claims = b.claim(ledger, 13)
    for taken in claims[:12]:
        ledger.settle([b.settlement(taken, Event.RETRY, signal=b.signal(failed=True))])
    status = ledger.status(b.DATE, "qwen")
    assert status.next_due_at == to_datetime(clock.now + 30_000_000)
    assert b.claimed(ledger).next_at == clock.now + 30_000_000
    clock.forward(31)
    assert len(b.claim(ledger)) == 0  # the thirteenth call is still out: it is the probe
    ledger.settle([b.settlement(claims[12], Event.FAIL, signal=b.signal(stop="auth: no such key"))])
    status = ledger.status(b.DATE, "qwen")
    assert status.next_due_at is None
    assert status.blocked == ("qwen: account main stopped: auth: no such key",)
    ledger.resume_account("qwen", "main", who="ops", reason="new key")
    assert len(b.claim(ledger)) > 0


def test_a_thousand_days_on_twenty_platforms_are_looked_through_in_a_moment(tmp_path: Path) -> None:
    with open_ledger(f"sqlite:///{tmp_path / 'ledger.db'}") as ledger:
        template = b.sample(0)
        b.plan(ledger, 1)
        with ledger.database.engine.begin() as connection:
            row = dict(connection.execute(sa.select(t.samples)).mappings().one())
            rows = [
                row
                | {
                    "sample_id": f"{template.sample_id}-{day}-{platform}",
                    "date": f"{2024 + day // 365}-{day % 365:03d}",
                    "platform": f"p{platform}",
                    "outcome": "open" if day % 10 == 0 else "counted",
                    "collection": "queued" if day % 10 == 0 else "completed",
                    "submission": "planned" if day % 10 == 0 else "accepted",
                }
                for day in range(1000)
                for platform in range(20)
            ]
            connection.execute(sa.insert(t.samples), rows)
        now = datetime.now(UTC)
        began = datetime.now(UTC)
        found = ledger.open_partitions(now)
        took = (datetime.now(UTC) - began).total_seconds()
    assert len(found) == 2001
    assert took < 1.0


def test_closing_ends_every_kind_of_open_sample_with_its_reason(ledger: Ledger, clock: Clock) -> None:
    b.plan(ledger, 5)
    b.worker(ledger)
    retried, lost, job, held = b.claim(ledger, 4)
    retry = b.settlement(retried, Event.RETRY, reason="server_error: 500")
    ledger.settle([retry, b.settlement(lost, Event.LOSE)])
    ledger.settle([b.settlement(job, Event.ACCEPT, sample={"due_at": clock.now})])
    assert ledger.close_window(b.DATE, "qwen") == 3
    by_id = {row.sample_id: row for row in ledger.samples(b.DATE)}
    assert by_id[retried.sample_id].outcome is Outcome.FAILED
    assert "last error: server_error: 500" in (by_id[retried.sample_id].outcome_reason or "")
    assert by_id[lost.sample_id].outcome is Outcome.UNCERTAIN
    assert by_id[job.sample_id].outcome is Outcome.OPEN
    assert by_id[held.sample_id].outcome is Outcome.OPEN
    assert ledger.status(b.DATE, "qwen").outcomes["not_captured"] == 1
    ledger.reap("w1", b.DATE, "qwen", hold=False)
    assert ledger.close_window(b.DATE, "qwen") == 1
    (poll,) = b.claim(ledger, lane=Lane.POLL)
    ledger.settle([b.settlement(poll, Event.ANSWER, late=True)])
    assert ledger.status(b.DATE, "qwen").open == 0
    assert ledger.status(b.DATE, "qwen").late == 1


@pytest.mark.parametrize(
    ("decision", "outcome", "reserved", "charged"),
    [
        (Decision.ASK_AGAIN, Outcome.OPEN, 500, 0),
        (Decision.NOT_EXECUTED, Outcome.FAILED, 0, 0),
        (Decision.CHARGED, Outcome.FAILED, 0, 500),
        (Decision.GIVE_UP, Outcome.FAILED, 500, 0),
    ],
)
def test_a_person_decides_an_uncertain_sample(
    ledger: Ledger, decision: Decision, outcome: Outcome, reserved: int, charged: int
) -> None:
    b.plan(ledger, 1)
    b.worker(ledger)
    (taken,) = b.claim(ledger)
    ledger.settle([b.settlement(taken, Event.HOLD)])
    assert ledger.uncertain() == [taken.sample_id]
    with pytest.raises(ValueError, match="give a reason"):
        ledger.resolve(taken.sample_id, decision, reason=" ", who="ops", today=b.DATE)
    ledger.resolve(taken.sample_id[:10], decision, reason="asked support", who="ops", today=b.DATE)
    found = ledger.sample(taken.sample_id).sample
    assert (found.outcome, found.outcome_reason) == (outcome, f"{decision}: asked support")
    (line,) = ledger.reconcile(b.DATE)
    assert (line.reserved, line.charged, line.balanced) == (reserved, charged, True)
    assert ledger.uncertain() == []
    with ledger.database.reading() as connection:
        (row,) = connection.execute(sa.select(t.decisions)).mappings()
    assert (row["decision"], row["who"], row["reason"]) == (decision.value, "ops", "asked support")


def test_a_past_day_is_not_asked_again_by_a_decision(ledger: Ledger) -> None:
    b.plan(ledger, 1)
    b.worker(ledger)
    (taken,) = b.claim(ledger)
    ledger.settle([b.settlement(taken, Event.HOLD)])
    with pytest.raises(TransitionRefused, match="a past day is never asked"):
        ledger.resolve(taken.sample_id, Decision.ASK_AGAIN, reason="again", who="ops", today="2026-11-30")


def test_cancelling_a_monitor_leaves_others_and_returns_jobs(ledger: Ledger, clock: Clock) -> None:
    b.plan(ledger, 2)
    b.plan(ledger, 2, monitor="dryers")
    b.worker(ledger)
    (job,) = b.claim(ledger, 1, monitors=[("acme", "washers")])
    ids = {"upstream_id": "job-1", "due_at": clock.now}
    ledger.settle([b.settlement(job, Event.ACCEPT, attempt={"upstream_id": "job-1"}, sample=ids)])
    done = ledger.cancel(date=b.DATE, monitor=("acme", "washers"), who="ops", reason="not needed")
    assert (done.withdrawn, done.jobs) == (1, ((job.sample_id, job.attempt_id, "job-1"),))
    assert ledger.status(b.DATE, "qwen").outcomes == {"cancelled": 2, "open": 2}
    line = next(x for x in ledger.reconcile(b.DATE) if x.monitor == "washers")
    assert (line.reserved, line.unreconciled) == (500, 500)


def test_an_id_is_found_by_its_beginning_if_that_is_unique(ledger: Ledger) -> None:
    planned = b.plan(ledger, 30)
    assert ledger.sample(planned[0].sample_id[:14]).sample.planned == planned[0]
    with pytest.raises(NoSuchSample, match="is not unique"):
        ledger.sample("s")
    with pytest.raises(NoSuchSample, match="is not in the ledger"):
        ledger.sample("zzz")
    with pytest.raises(NoSuchSample):
        ledger.sample("")


def test_a_worker_is_dead_when_its_lease_ran_out_or_its_process_is_gone(ledger: Ledger, clock: Clock) -> None:
    b.plan(ledger, 2)
    b.worker(ledger, "w1", pid=111)
    b.worker(ledger, "idle", pid=112)
    b.claim(ledger, worker_id="w1")

    def gone(worker: WorkerRow) -> bool:
        return worker.pid == 111

    assert ledger.dead_workers(b.DATE, "qwen", lambda _w: False) == []
    assert [w.worker_id for w in ledger.dead_workers(b.DATE, "qwen", gone)] == ["w1"]
    assert ledger.dead_workers(b.DATE, "kimi", gone) == []
    clock.forward(31)
    assert [w.worker_id for w in ledger.dead_workers(b.DATE, "qwen", lambda _w: False)] == ["w1"]
    ledger.heartbeat("w1")
    assert ledger.dead_workers(b.DATE, "qwen", lambda _w: False) == []


def test_health_is_computed_from_the_ledger_alone(ledger: Ledger, clock: Clock) -> None:
    b.plan(ledger, 3)
    b.worker(ledger)
    start = clock.now
    clock.forward(5)
    first, second, _ = b.claim(ledger)
    throttled = {"error_class": "rate_limited", "asked_at": clock.now}
    ledger.settle([b.settlement(first, Event.RETRY, attempt=throttled, sample={"due_at": clock.now})])
    times = {"asked_at": clock.now, "answered_at": clock.now + 2_000_000}
    ledger.settle([b.settlement(second, Event.ANSWER, attempt=times)])
    clock.forward(10)
    (again,) = b.claim(ledger)
    times = {"asked_at": clock.now, "answered_at": clock.now + 4_000_000}
    ledger.settle([b.settlement(again, Event.ANSWER, attempt=times)])
    (line,) = ledger.health(b.DATE, "qwen")
    assert (line.planned, line.throttled, line.retries) == (3, 1, 1)
    assert line.error_classes == {"rate_limited": 1}
    assert line.queue_wait.p50 == 5.0
    assert line.time_to_answer.maximum == 14.0
    assert line.acceptance.p50 == 2.0
    assert line.first_asked_at == to_datetime(start + 5_000_000)


def test_times_are_exact_and_need_a_zone() -> None:
    moment = datetime(2026, 11, 29, 2, 3, 4, 567_891, UTC)
    assert to_datetime(to_micros(moment)) == moment
    assert to_micros(datetime.fromisoformat("2026-11-29T10:03:04+08:00")) == to_micros(
        datetime.fromisoformat("2026-11-29T02:03:04Z")
    )
    with pytest.raises(ValueError, match="no time zone"):
        to_micros(datetime(2026, 11, 29))  # noqa: DTZ001


def test_the_migrated_schema_is_the_one_in_the_tables(ledger: Ledger) -> None:
    from alembic.autogenerate import compare_metadata
    from alembic.migration import MigrationContext
    from alembic.script import ScriptDirectory

    with ledger.database.engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"version_table": VERSION_TABLE})
        assert compare_metadata(context, t.metadata) == []
        assert ScriptDirectory.from_config(alembic_config(connection)).get_current_head() == HEAD


def test_many_may_open_a_new_ledger_at_once(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'new' / 'ledger.db'}"
    errors: list[Exception] = []

    def work() -> None:
        try:
            with open_ledger(url) as opened:
                opened.batches(b.DATE)
        except Exception as error:
            errors.append(error)

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []


def test_a_ledger_of_a_newer_program_is_left_alone(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'ledger.db'}"
    with open_ledger(url) as opened, opened.database.engine.begin() as connection:
        connection.execute(sa.text(f"UPDATE {VERSION_TABLE} SET version_num = '9999'"))
    with pytest.raises(LedgerTooNew, match="update the program"):
        open_ledger(url)


def test_a_wrong_url_names_the_remedy() -> None:
    with pytest.raises(ValueError, match="use sqlite:////path/to/file or postgresql://"):
        open_ledger("mysql://localhost/geo")
