"""The collector's event loop: drivers that claim, tasks that ask, a heartbeat. One partition, one worker.

What belongs here: concurrency, waiting, ending. What does not: threads of the caller (collector) and single samples
(attempt).
"""

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from geo_assets.collection import scribe
from geo_assets.collection.asking import Asker
from geo_assets.collection.attempt import Attempt, Context, key_fingerprint
from geo_assets.collection.judge import give_back
from geo_assets.collection.keeper import Keeper
from geo_assets.collection.recovery import Recovered, recover
from geo_assets.collection.request import Ended, OnAlert, OnProgress, ShouldStop
from geo_assets.collection.scribe import Scribe
from geo_assets.collection.spacing import Departure, Spacing
from geo_assets.collection.tally import Tally
from geo_assets.ledger import LedgerUnavailable
from geo_assets.ledger.claims import Claim, Claimed, ClaimOrder, Lane
from geo_assets.ledger.leases import HEARTBEAT_S
from geo_assets.ledger.pace import LEAD_US
from geo_assets.ledger.rows import to_micros
from geo_assets.ledger.settle import Applied, Settlement, SettleReport
from geo_assets.model.alerts import Alert
from geo_assets.model.plans import PlannedSample

_log = logging.getLogger(__name__)
SECOND = 1_000_000
CLAIM_BATCH = 32
IDLE_SECONDS = 0.5
PROGRESS_SECONDS = 1.0
OUT_OF_REACH_CHECKS = 4


@dataclass(slots=True)
class _Driver:
    """One lane of one account: when it last found nothing, and why."""

    account: str
    lane: Lane
    concurrency: int
    spacing: Spacing
    in_flight: int = 0
    idle: bool = False
    next_at: int | None = None
    blocked: str | None = None


class Engine:
    """Runs one partition until it is done, the slice is over, or it is stopped."""

    def __init__(
        self,
        context: Context,
        worker_id: str,
        *,
        on_progress: OnProgress | None = None,
        on_alert: OnAlert | None = None,
        should_stop: ShouldStop | None = None,
    ) -> None:
        self.context = context
        self.worker_id = worker_id
        self.tally = Tally()
        self._on_progress = on_progress
        self._on_alert = on_alert
        self._should_stop = should_stop
        self._scribe = Scribe(context.ledger, context.faults, self._reported)
        self._keeper = Keeper(context.evidence, context.io)
        self._stop = asyncio.Event()
        self._wake = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()
        self._drivers: list[_Driver] = []
        self._reserve: int | None = None
        self._failure: BaseException | None = None
        self._ending = False
        self._out_of_reach = 0
        self._started = time.monotonic()
        self._counts = (0, 0)

    def stop(self) -> None:
        """Stop claiming, give back what is not sent, let calls in flight finish within the grace time."""
        self._stop.set()
        self._wake.set()

    async def run(self) -> Ended:
        """Collect. The worker's lease must be registered."""
        request = self.context.request
        side: list[asyncio.Task[None]] = []
        try:
            await self._prepare()
            limit = self.context.lane_limit("submit").concurrency + self.context.lane_limit("poll").concurrency
            async with Asker(limit, request.platform.timeouts.connect, trust_env=request.trust_env) as asker:
                side = [asyncio.create_task(self._heartbeat()), asyncio.create_task(self._report_progress())]
                drivers = [asyncio.create_task(self._drive(driver, asker)) for driver in self._drivers]
                side += drivers
                ended = await self._until_ended()
                # Not cancelled: what a driver is just claiming must be started, or given back.
                self._ending = True
                self._wake.set()
                await asyncio.gather(*drivers)
                await self._drain(stopped=ended is Ended.STOPPED)
                await self._keeper.close()
            if self._failure is not None:
                raise self._failure
            return ended
        finally:
            for task in side:
                task.cancel()
            await asyncio.gather(*side, return_exceptions=True)
            self._emit_progress()
            self._scribe.close()

    async def _prepare(self) -> None:
        context, request = self.context, self.context.request
        date, platform = request.date, request.platform.id
        await self._scribe.call(lambda: context.ledger.arrange(date, platform, request.tenant_weights))
        if request.monitors:
            await self._scribe.call(lambda: context.ledger.expedite(date, platform, request.monitors))
        self.tally.recovered = await self._scribe.call(lambda: recover(context, self.worker_id))
        await self._learn_reserve()
        status = await self._scribe.call(lambda: context.ledger.status(date, platform))
        self._counts = (status.planned, status.planned - status.open)
        lanes = [Lane.SUBMIT]
        if context.capabilities.background or status.submission.get("accepted"):
            lanes.append(Lane.POLL)
        if context.capabilities.lookup:
            lanes.append(Lane.LOOKUP)
        for account in request.platform.accounts:
            if account.id in request.keys:
                for lane in lanes:
                    limit = context.lane_limit(lane.pace_lane)
                    spacing = Spacing(limit.per_second, limit.burst)
                    self._drivers.append(_Driver(account.id, lane, limit.concurrency, spacing))

    async def _learn_reserve(self) -> None:
        platform = self.context.request.platform
        self._reserve = await self._scribe.call(
            lambda: self.context.ledger.reserve_from_charges(platform.id, platform.model)
        )

    def _reserve_for(self, sample: PlannedSample) -> int:
        """Called in the claim: a high quantile of recent charges, else what the plan froze as the worst case."""
        return sample.estimate_micros if self._reserve is None else self._reserve

    # Claiming

    async def _drive(self, driver: _Driver, asker: Asker) -> None:
        away_since: float | None = None
        while not self._stop.is_set() and not self._ending:
            room = min(CLAIM_BATCH, driver.concurrency - driver.in_flight)
            if room <= 0 or not self._may_claim(driver):
                driver.idle = room > 0
                await self._pause(IDLE_SECONDS)
                continue
            try:
                claimed = await self._claim(driver, room)
                away_since = None
            except LedgerUnavailable as error:
                away_since = away_since or time.monotonic()
                if time.monotonic() - away_since > scribe.PATIENCE_SECONDS:
                    self._fail(error)
                    return
                await asyncio.sleep(1.0)
                continue
            except Exception as error:  # noqa: BLE001 - ends the run, see run()
                self._fail(error)
                return
            for claim in claimed.claims:
                self._start(driver, claim, asker)
            await self._after_claim(driver, claimed)

    def _may_claim(self, driver: _Driver) -> bool:
        if self._slice_over():
            return False
        if driver.lane is Lane.SUBMIT and self.context.ledger.now() >= self.context.deadline:
            driver.next_at, driver.blocked = None, None
            return False
        return True

    async def _claim(self, driver: _Driver, room: int) -> Claimed:
        context, request = self.context, self.context.request
        order = ClaimOrder(
            date=request.date,
            platform=request.platform.id,
            account=driver.account,
            lane=driver.lane,
            worker_id=self.worker_id,
            limit=context.lane_limit(driver.lane.pace_lane),
            count=room,
            reserve=self._reserve_for,
            budgets=request.budgets,
            monitors=request.monitors,
            key_fingerprint=key_fingerprint(request.keys.get(driver.account)),
            same_key=context.capabilities.idempotency_key,
            lookup=context.capabilities.lookup,
        )

        def work() -> Claimed:
            claimed = context.ledger.claim(order)
            context.prepare(claimed.claims)
            return claimed

        claimed = await self._scribe.call(work)
        if claimed.claims:
            context.faults.reach("after_claim")
        self.tally.over_budget += claimed.dropped
        self._alert(claimed.alerts)
        return claimed

    async def _after_claim(self, driver: _Driver, claimed: Claimed) -> None:
        driver.idle = not claimed.claims and not claimed.dropped
        driver.next_at = claimed.next_at
        driver.blocked = claimed.reason if claimed.stopped else None
        wait = IDLE_SECONDS
        if claimed.next_at is not None:
            wait = min(wait, max(0.002, (claimed.next_at - self.context.ledger.now()) / SECOND))
        if claimed.reason == "pace":
            driver.idle = False  # something may be due; it only has to wait for its slot
            await asyncio.sleep(wait)
        elif driver.idle:
            await self._pause(wait)

    async def _pause(self, seconds: float) -> None:
        """Wait, but no longer than until a call comes back."""
        self._wake.clear()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._wake.wait(), seconds)

    # Asking

    def _start(self, driver: _Driver, claim: Claim, asker: Asker) -> None:
        driver.in_flight += 1
        driver.idle = False
        self.tally.peak = max(self.tally.peak, len(self._tasks) + 1)
        task = asyncio.create_task(self._handle(driver, claim, asker))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _handle(self, driver: _Driver, claim: Claim, asker: Asker) -> None:
        attempt = Attempt(self.context, claim, self._keeper)
        try:
            try:
                if await self._leaves(driver, claim.send_at):
                    settlement = await attempt.run(asker, lambda lane: self._slot(driver, lane))
                else:
                    settlement = give_back(claim, self.context.ledger.now())
            except asyncio.CancelledError:  # the grace time is over; the settlement is written all the same
                settlement = attempt.interrupted() if attempt.sent else give_back(claim, self.context.ledger.now())
            await self._settle(settlement, attempt)
        except Exception as error:  # noqa: BLE001 - ends the run, see run()
            _log.exception("sample %s, attempt %s", claim.sample_id, claim.attempt_id)
            self._fail(error)
        finally:
            driver.in_flight -= 1
            self._wake.set()

    async def _leaves(self, driver: _Driver, slot: int) -> bool:
        """Wait for the slot; False if the worker was stopped before, or the machine is too busy to keep any slot."""
        if driver.lane is not Lane.SUBMIT:
            return not await self._stopped_by(slot)
        departure = Departure(
            driver.spacing,
            self.context.ledger.now,
            self._stopped_by,
            lambda lead: self._reserve_slot(driver, "submit", lead),
        )
        try:
            return await departure.leave(slot)
        except LedgerUnavailable:  # no other slot to be had: nothing was sent, and it is given back when it can be
            return False

    async def _stopped_by(self, moment: int) -> bool:
        """Wait until a moment of ledger time; True if the worker is stopped."""
        seconds = (moment - self.context.ledger.now()) / SECOND
        if seconds > 0 and not self._stop.is_set():
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._stop.wait(), seconds)
        return self._stop.is_set()

    async def _slot(self, driver: _Driver, lane: str) -> None:
        """Wait for the pace before a further exchange of an attempt, also for the database to come back."""
        at: int | None = None
        while at is None:
            try:
                at = await self._reserve_slot(driver, lane)
            except LedgerUnavailable:
                await asyncio.sleep(1.0)
        await asyncio.sleep(max(0.0, (at - self.context.ledger.now()) / SECOND))

    async def _reserve_slot(self, driver: _Driver, lane: str, lead_us: int = LEAD_US) -> int:
        ledger, platform, limit = self.context.ledger, self.context.request.platform.id, self.context.lane_limit(lane)
        return await self._scribe.call(lambda: ledger.reserve_slot(platform, driver.account, lane, limit, lead_us))

    async def _settle(self, settlement: Settlement, attempt: Attempt) -> None:
        applied = await self._scribe.settle(settlement)
        self.context.faults.reach("after_settle")
        if applied is Applied.SETTLED:
            self.tally.count(settlement)
        self._keeper.forget(attempt.sidecars)

    def _reported(self, report: SettleReport) -> None:
        for note in report.notes:
            _log.info("%s", note)
        self.tally.notes = [*self.tally.notes, *report.notes][-20:]
        self._alert(report.alerts)

    def _alert(self, raised: tuple[Alert, ...]) -> None:
        for alert in raised:
            _log.warning("%s", alert)
            self.tally.alerts.append(alert)
            if self._on_alert is not None:
                self._on_alert(alert)

    def _fail(self, error: BaseException) -> None:
        """Something that is nobody's answer: end the run and raise it there."""
        self._failure = self._failure or error
        self.stop()

    # Ending

    def _slice_over(self) -> bool:
        limit = self.context.request.slice_seconds
        return limit is not None and time.monotonic() - self._started >= limit

    async def _until_ended(self) -> Ended:
        while True:
            await asyncio.sleep(0.05)
            if self._stop.is_set():
                return Ended.STOPPED
            if self._slice_over():
                return Ended.SLICE
            if self._tasks or not all(driver.idle for driver in self._drivers):
                continue
            ended = await self._idle()
            if ended is not None:
                return ended
            await self._pause(IDLE_SECONDS)

    async def _idle(self) -> Ended | None:
        """Nothing is in flight and nothing is due: go on waiting (None), or end."""
        context, request = self.context, self.context.request
        try:
            found, _ = await self._scribe.call(lambda: context.ledger.open_partition(request.date, request.platform.id))
        except LedgerUnavailable:
            return None
        now = context.ledger.now()
        past = now >= context.deadline
        if found is None:
            return Ended.DONE
        due = [driver.next_at for driver in self._drivers if driver.next_at is not None]
        if request.monitors and not due:
            return Ended.DONE
        if not due and any(driver.blocked for driver in self._drivers):
            return Ended.BLOCKED
        if not due and past:
            return Ended.CLOSED
        if not self._drivers:
            return Ended.BLOCKED
        ledger_due = None if found.next_due_at is None else to_micros(found.next_due_at)
        # Due, and yet none of our drivers gets it: it belongs to an account that we have no key for.
        self._out_of_reach = self._out_of_reach + 1 if not due and ledger_due is not None and ledger_due <= now else 0
        if self._out_of_reach >= OUT_OF_REACH_CHECKS:
            return Ended.BLOCKED
        if request.max_idle_seconds is not None:
            wait_until = min(due) if due else ledger_due
            if wait_until is None or wait_until - now > request.max_idle_seconds * SECOND:
                return Ended.WAITING
        return None

    async def _drain(self, *, stopped: bool) -> None:
        """Wait for calls in flight: within the grace time when stopped, else as long as their own time-outs allow."""
        deadline = time.monotonic() + self.context.request.grace_seconds
        while self._tasks:
            stopped = stopped or self._stop.is_set()
            if stopped and time.monotonic() >= deadline:
                break
            if not stopped:
                deadline = time.monotonic() + self.context.request.grace_seconds
            await asyncio.wait(set(self._tasks), timeout=0.1)
        for task in set(self._tasks):
            task.cancel()
        while self._tasks and time.monotonic() < deadline + 3.0:
            await asyncio.wait(set(self._tasks), timeout=0.1)

    # Beside the work

    async def _heartbeat(self) -> None:
        context, request = self.context, self.context.request
        while True:
            await asyncio.sleep(HEARTBEAT_S)
            try:
                await self._scribe.call(lambda: context.ledger.heartbeat(self.worker_id))
                if self._should_stop is not None and await self._in_io(self._should_stop):
                    _log.info("told to stop")
                    self.stop()
                    continue
                found = await self._in_io(lambda: recover(context, self.worker_id))
                before = self.tally.recovered
                self.tally.recovered = Recovered(before.replayed + found.replayed, before.reaped + found.reaped)
                arrange = lambda: context.ledger.arrange(request.date, request.platform.id, request.tenant_weights)  # noqa: E731
                await self._scribe.call(arrange)
                await self._learn_reserve()
            except LedgerUnavailable as error:
                _log.warning("ledger unavailable at a heartbeat: %s", error)
            except Exception as error:  # noqa: BLE001 - ends the run, see run()
                self._fail(error)

    async def _in_io(self, work: Callable[[], Any]) -> Any:
        return await asyncio.get_running_loop().run_in_executor(self.context.io, work)

    async def _report_progress(self) -> None:
        while self._on_progress is not None:
            await asyncio.sleep(PROGRESS_SECONDS)
            self._emit_progress()

    def _emit_progress(self) -> None:
        if self._on_progress is None:
            return
        asked = self.context.request
        elapsed = time.monotonic() - self._started
        self._on_progress(
            self.tally.progress(
                asked.date, asked.platform.id, self._counts, in_flight=len(self._tasks), elapsed=elapsed
            )
        )
