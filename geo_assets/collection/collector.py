"""`collect_partition`: one partition, collected in the calling thread's time, its event loop in a thread of its own.

The caller's thread only waits, in short steps. An interrupt (Dagster's, Ctrl-C) is raised there, becomes a stop event,
and goes on when the calls in flight have been settled. What belongs here: this hand-over, the deadline, the report.
"""

import asyncio
import threading
import time
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from random import Random
from zoneinfo import ZoneInfo

from geo_assets.collection.alerts import Courier
from geo_assets.collection.attempt import Context
from geo_assets.collection.engine import Engine
from geo_assets.collection.faults import FaultPoints
from geo_assets.collection.keeper import io_pool
from geo_assets.collection.machine import this_worker
from geo_assets.collection.request import CollectReport, CollectRequest, Ended, OnAlert, OnProgress, ShouldStop
from geo_assets.collection.tally import Tally
from geo_assets.evidence.store import EvidenceStore
from geo_assets.ledger import Ledger
from geo_assets.ledger.rows import to_datetime, to_micros
from geo_assets.platforms.connector import Connector

WAIT_STEP = 0.2


def collect_partition(
    request: CollectRequest,
    ledger: Ledger,
    evidence: EvidenceStore,
    connector: Connector,
    *,
    on_progress: OnProgress | None = None,
    on_alert: OnAlert | None = None,
    should_stop: ShouldStop | None = None,
) -> CollectReport:
    """Ask what is due of a partition, store and settle the answers, and say what is left.

    A past date is never asked: accepted jobs are polled, stored answers are settled, what was never asked is closed.
    `should_stop` is called at each heartbeat. `on_progress` and `on_alert` are called from the worker thread.

    Raises:
        ValueError: the date is in the future, or not a date.
        LedgerUnavailable: the database stayed away for five minutes; what was answered meanwhile waits in the evidence
            store and is settled by the next call.
    """
    now = ledger.now()
    deadline = submission_deadline(request, now)
    io = io_pool()
    context = Context(
        request=request,
        ledger=ledger,
        evidence=evidence,
        connector=connector,
        capabilities=connector.capabilities(request.platform.options),
        deadline=deadline,
        random=Random(),  # noqa: S311 - jitter
        faults=FaultPoints.from_environment(),
        io=io,
    )
    worker = this_worker()
    ledger.register_worker(worker, request.purpose)
    started = time.monotonic()
    thread = _EngineThread(
        lambda: Engine(context, worker.worker_id, on_progress=on_progress, on_alert=on_alert, should_stop=should_stop)
    )
    try:
        with Courier(ledger, request.destinations):
            ended = thread.run(request.grace_seconds + 10.0)
    finally:
        io.shutdown(wait=True)
        _end_worker(ledger, worker.worker_id)
    closed = 0
    if request.close_at_deadline and not request.monitors and ledger.now() >= deadline:
        closed = ledger.close_window(request.date, request.platform.id, _closing_reason(request, ledger.now()))
    return _report(request, ledger, thread.tally, ended, closed, time.monotonic() - started)


def submission_deadline(request: CollectRequest, now: int) -> int:
    """The latest moment for a submission, in ledger time: the caller's deadline or the end of the capture date.

    Whichever is first, in the project's zone; a past date's end is past, so nothing of it is submitted.

    Raises:
        ValueError: the date is in the future, or not a date.
    """
    zone = ZoneInfo(request.timezone)
    day = date.fromisoformat(request.date)
    moment = to_datetime(now)
    assert moment is not None
    today = moment.astimezone(zone).date()
    if day > today:
        raise ValueError(
            f"{request.date} is in the future (it is {today} in {request.timezone}); nothing can be asked yet"
        )
    end = datetime.combine(day + timedelta(days=1), datetime.min.time(), zone).astimezone(UTC)
    if request.deadline is not None:
        end = min(end, request.deadline)
    return to_micros(end)


def _closing_reason(request: CollectRequest, now: int) -> str:
    moment = to_datetime(now)
    assert moment is not None
    today = moment.astimezone(ZoneInfo(request.timezone)).date().isoformat()
    return "its capture date is past" if today > request.date else "the collection window closed"


def _end_worker(ledger: Ledger, worker_id: str) -> None:
    """Give the lease back, unless something is still held; then the reaper finds it."""
    from geo_assets.ledger import LedgerUnavailable

    try:
        ledger.end_worker(worker_id)
    except LedgerUnavailable:
        return


def _report(
    request: CollectRequest, ledger: Ledger, tally: Tally, ended: Ended, closed: int, elapsed: float
) -> CollectReport:
    found, blocked = ledger.open_partition(request.date, request.platform.id)
    if found is None and ended in {Ended.SLICE, Ended.WAITING}:
        ended = Ended.CLOSED if closed else Ended.DONE
    return CollectReport(
        date=request.date,
        platform=request.platform.id,
        ended=Ended.CLOSED if closed and ended is Ended.DONE else ended,
        calls=tally.calls,
        answered=tally.answered,
        failed=tally.failed,
        retried=tally.retried,
        throttled=tally.throttled,
        uncertain=tally.uncertain,
        given_back=tally.given_back,
        replayed=tally.recovered.replayed,
        reaped=tally.recovered.reaped,
        over_budget=tally.over_budget,
        closed=closed,
        open=0 if found is None else found.open,
        next_due_at=None if found is None else found.next_due_at,
        blocked=blocked,
        elapsed_seconds=elapsed,
        peak_in_flight=tally.peak,
        alerts=tuple(tally.alerts),
    )


class _EngineThread:
    """Runs an engine in a thread and waits for it so that the waiting can be interrupted."""

    def __init__(self, make: Callable[[], Engine]) -> None:
        self._make = make
        self._engine: Engine | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._ended: Ended | None = None
        self._error: BaseException | None = None
        self._stop_asked = False
        self._finished = threading.Event()
        self.tally = Tally()

    def run(self, patience: float) -> Ended:
        """Wait for the engine; an interrupt stops it, and is raised again when it has stopped."""
        thread = threading.Thread(target=self._work, name="geo-collector", daemon=True)
        try:
            thread.start()
            # Not `join`: an exception raised inside it marks the thread as ended while it still runs (CPython 3.11).
            while not self._finished.wait(WAIT_STEP):
                pass
        except BaseException:
            self._stop()
            self._finished.wait(patience)
            raise
        if self._error is not None:
            raise self._error
        assert self._ended is not None
        return self._ended

    def _stop(self) -> None:
        self._stop_asked = True
        if self._loop is not None and self._engine is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._engine.stop)

    def _work(self) -> None:
        async def main() -> Ended:
            self._loop = asyncio.get_running_loop()
            self._engine = self._make()
            self.tally = self._engine.tally
            if self._stop_asked:
                self._engine.stop()
            return await self._engine.run()

        try:
            self._ended = asyncio.run(main())
        except BaseException as error:  # noqa: BLE001 - raised again in the caller's thread
            self._error = error
        finally:
            self._finished.set()
