"""Pace against a platform's true limit: half the configured one, and the same one from 1 and from 4 processes."""

import multiprocessing
import time

from engine_common import bench, plan, platform

from geo_assets.collection import CollectRequest, collect_partition
from geo_assets.evidence.store import EvidenceStore
from geo_assets.ledger import open_ledger
from geo_assets.platforms.registry import connector
from geo_assets.simulator.calllog import read_call_log
from geo_assets.simulator.settings import Latency


def work(request: CollectRequest, ledger_url: str, evidence: str) -> None:
    with open_ledger(ledger_url) as ledger:
        collect_partition(request, ledger, EvidenceStore(evidence), connector(request.platform.dialect))


def half(seconds: float = 150.0, true: float = 10.0) -> None:
    of = platform(rate=2 * true, burst=1, concurrency=40)
    with bench([of], latency=Latency(median=0.5, sigma=0.5), true_rate=true) as b, b.ledger() as ledger:
        plan(ledger, of, int(true * seconds * 1.5))
        collect_partition(b.request(of, slice_seconds=seconds), ledger, b.evidence(), connector(of.dialect))
        calls = [call for call in read_call_log(b.call_log) if call.kind == "submit"]
        start = calls[0].time
        late = [call for call in calls if 60 <= call.time - start <= seconds]
    passed = sum(call.accepted for call in late)
    print(f"true limit half the configured one, {seconds:.0f} s, after the first minute:")
    print(f"  {passed / (seconds - 60) / true:.1%} of the true limit reached (aim >= 85 %)")
    print(f"  {sum(call.limited for call in late) / len(late):.1%} of calls answered 429 (aim < 10 %)")


def strict(processes: int, rate: float = 20.0, count: int = 500) -> None:
    of = platform(rate=rate, burst=1, concurrency=40)
    with bench([of], latency=Latency(median=0.5, sigma=0.5), true_rate=rate) as b:
        with b.ledger() as ledger:
            plan(ledger, of, count)
        context = multiprocessing.get_context("spawn")
        arguments = (b.request(of), f"sqlite:///{b.folder / 'ledger.db'}", str(b.folder / "evidence"))
        workers = [context.Process(target=work, args=arguments) for _ in range(processes)]
        began = time.monotonic()
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        calls = [call for call in read_call_log(b.call_log) if call.kind == "submit"]
        times = sorted(call.time for call in calls)
        violations = [f"{call.time - times[0]:.1f} s" for call in calls if call.limited]
        busiest = max(sum(t <= u < t + 1 for u in times) for t in times)
    rate_seen = (len(calls) - 1) / (times[-1] - times[0])
    print(
        f"true limit {rate}/s, {processes} process(es): {len(violations)} violations {violations} (aim 0); "
        f"{rate_seen:.2f}/s, most in any second {busiest}; {time.monotonic() - began:.0f} s"
    )


if __name__ == "__main__":
    half()
    strict(1)
    strict(4)
