"""From planning to settled answers at growing sizes: time per sample and peak memory, each size in a fresh process."""

import multiprocessing
import resource
import sys
import time

from engine_common import bench, plan, platform, today

from geo_assets.collection import collect_partition
from geo_assets.ledger.books import drift
from geo_assets.platforms.registry import connector


def one(count: int, result: "multiprocessing.Queue[tuple[float, ...]]") -> None:
    of = platform(rate=2000, burst=200, concurrency=50)
    with bench([of]) as b, b.ledger() as ledger:
        began = time.perf_counter()
        plan(ledger, of, count)
        planned = time.perf_counter()
        report = collect_partition(b.request(of), ledger, b.evidence(), connector(of.dialect))
        collected = time.perf_counter()
        assert (report.answered, report.open) == (count, 0), report
        read = sum(1 for _ in ledger.samples(today(), of.id))
        health = ledger.health(today(), of.id)
        done = time.perf_counter()
        assert read == health[0].planned == count
        assert drift(ledger.database, today()) == {}
        assert all(line.balanced for line in ledger.reconcile(today()))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    result.put((planned - began, collected - planned, done - collected, peak))


def main(*counts: int) -> None:
    context = multiprocessing.get_context("spawn")
    print(f"{'samples':>9}{'plan ms':>10}{'collect ms':>12}{'read ms':>10}   per sample{'peak MB':>10}")
    for count in counts:
        result: multiprocessing.Queue[tuple[float, ...]] = context.Queue()
        process = context.Process(target=one, args=(count, result))
        process.start()
        planning, collecting, reading, peak = result.get()
        process.join()
        times = [1000 * seconds / count for seconds in (planning, collecting, reading)]
        print(f"{count:>9}{times[0]:>10.2f}{times[1]:>12.2f}{times[2]:>10.2f}{'':13}{peak:>10.0f}", flush=True)


if __name__ == "__main__":
    main(*(map(int, sys.argv[1:]) if sys.argv[1:] else (1_000, 10_000, 100_000)))
