"""The collector's way into the evidence store: exchanges that come in together are made durable together.

A disk takes as long to synchronise one answer as twenty. What belongs here: gathering and waiting. What does not: what
is stored how (evidence.store).
"""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from geo_assets.evidence.store import EvidenceStore, Sidecar

T = TypeVar("T")
MAX_BATCH = 64


class Keeper:
    """Stores exchanges and forgets their sidecars, in batches. Belongs to one event loop."""

    def __init__(self, store: EvidenceStore, threads: ThreadPoolExecutor) -> None:
        self._store = store
        self._threads = threads
        self._waiting: list[tuple[tuple[Sidecar, Sequence[bytes]], asyncio.Future[None]]] = []
        self._writer: asyncio.Task[None] | None = None
        self._settled: list[Sidecar] = []

    async def keep(self, sidecar: Sidecar, entities: Sequence[bytes]) -> None:
        """Return when the exchange is durable."""
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(((sidecar, entities), future))
        if self._writer is None or self._writer.done():
            self._writer = asyncio.create_task(self._write())
        await asyncio.shield(future)

    def forget(self, sidecars: Sequence[Sidecar]) -> None:
        """The ledger has these exchanges; their sidecars go at the next opportunity, at the latest in `close`."""
        self._settled.extend(sidecars)
        if self._writer is None or self._writer.done():
            self._writer = asyncio.create_task(self._write())

    async def _write(self) -> None:
        while self._waiting or self._settled:
            batch, self._waiting = self._waiting[:MAX_BATCH], self._waiting[MAX_BATCH:]
            settled, self._settled = self._settled, []
            try:
                await self._call(lambda b=batch, s=settled: self._work([item for item, _ in b], s))  # type: ignore[misc]
            except Exception as error:  # noqa: BLE001 - handed to those who wait
                for _, future in batch:
                    if not future.done():
                        future.set_exception(error)
            else:
                for _, future in batch:
                    if not future.done():
                        future.set_result(None)

    def _work(self, exchanges: Sequence[tuple[Sidecar, Sequence[bytes]]], settled: Sequence[Sidecar]) -> None:
        if exchanges:
            self._store.put_exchanges(exchanges)
        for sidecar in settled:
            self._store.finish_sidecar(sidecar)

    async def _call(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._threads, work)

    async def close(self) -> None:
        """Wait until everything is written and forgotten."""
        while self._writer is not None and not self._writer.done():
            await asyncio.wait({self._writer})


def io_pool() -> ThreadPoolExecutor:
    """Threads for the evidence store."""
    return ThreadPoolExecutor(max_workers=4, thread_name_prefix="geo-evidence")
