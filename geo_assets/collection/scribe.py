"""The collector's one thread to the ledger: claims in turn, settlements gathered into shared transactions.

One writer per process keeps SQLite's lock fair, and one commit for all answers that came in meanwhile makes the disk's
synchronisation cheap. What belongs here: threads, batching, waiting while the database is away. What does not: SQL.
"""

import asyncio
import logging
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from geo_assets.collection.faults import FaultPoints
from geo_assets.ledger import Ledger, LedgerUnavailable
from geo_assets.ledger.settle import Applied, Settlement, SettleReport

T = TypeVar("T")
_log = logging.getLogger(__name__)

MAX_BATCH = 64
RETRY_SECONDS = 1.0
PATIENCE_SECONDS = 300.0
"""How long the database may be away before the collector gives up; stored answers are settled by the next one."""


class Scribe:
    """Runs ledger calls in one thread. Belongs to one event loop."""

    def __init__(self, ledger: Ledger, faults: FaultPoints, on_report: Callable[[SettleReport], None]) -> None:
        self._ledger = ledger
        self._faults = faults
        self._on_report = on_report
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="geo-ledger")
        self._waiting: list[tuple[Settlement, asyncio.Future[Applied]]] = []
        self._writer: asyncio.Task[None] | None = None

    async def call(self, work: Callable[[], T]) -> T:
        """Run one ledger call.

        Raises:
            LedgerUnavailable: the database is away.
        """
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)

    async def settle(self, settlement: Settlement) -> Applied:
        """Settle, together with whatever else is waiting. While the database is away this waits, and tries again.

        Raises:
            LedgerUnavailable: it stayed away longer than `PATIENCE_SECONDS`.
        """
        future: asyncio.Future[Applied] = asyncio.get_running_loop().create_future()
        self._waiting.append((settlement, future))
        if self._writer is None or self._writer.done():
            self._writer = asyncio.create_task(self._write())
        return await future

    async def _write(self) -> None:
        away_since: float | None = None
        while self._waiting:
            batch = self._waiting[:MAX_BATCH]
            settlements = [settlement for settlement, _ in batch]
            try:
                report = await self.call(
                    lambda s=settlements: self._ledger.settle(s, lambda: self._faults.reach("in_settle"))  # type: ignore[misc]
                )
            except LedgerUnavailable as error:
                _log.warning("ledger unavailable, %d settlements wait: %s", len(self._waiting), _first_line(error))
                away_since = away_since or time.monotonic()
                if time.monotonic() - away_since < PATIENCE_SECONDS:
                    await asyncio.sleep(RETRY_SECONDS)
                else:
                    self._give_up(len(self._waiting), error)
                continue
            except Exception as error:  # noqa: BLE001 - handed to those who wait
                self._give_up(len(batch), error)
                continue
            away_since = None
            del self._waiting[: len(batch)]
            self._on_report(report)
            for (_, future), applied in zip(batch, report.applied, strict=True):
                if not future.done():
                    future.set_result(applied)

    def _give_up(self, count: int, error: Exception) -> None:
        waiting, self._waiting = self._waiting[:count], self._waiting[count:]
        for _, future in waiting:
            if not future.done():
                future.set_exception(error)

    def close(self) -> None:
        """End the thread after its present call."""
        self._thread.shutdown(wait=True)


def _first_line(error: Exception) -> str:
    return str(error).splitlines()[0] if str(error) else type(error).__name__
