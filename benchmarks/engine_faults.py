"""1,000 questions at 20 calls/s with a quarter of the calls failing: time to 99 % answered, and the last answer."""

import sys

from engine_common import bench, faults, plan, platform, today

from geo_assets.collection import collect_partition
from geo_assets.platforms.registry import connector
from geo_assets.simulator.calllog import read_call_log
from geo_assets.simulator.settings import Latency


def main(count: int = 1000, rate: float = 20.0) -> None:
    of = platform(rate=rate, burst=1, concurrency=50, read=10.0)
    with bench([of], latency=Latency(median=0.5, sigma=0.5), fault_plan=faults(0.25)) as b, b.ledger() as ledger:
        plan(ledger, of, count)
        report = collect_partition(b.request(of), ledger, b.evidence(), connector(of.dialect))
        calls = sum(call.kind == "submit" for call in read_call_log(b.call_log))
        start = min(a.asked_at for a in ledger.attempts(today()) if a.asked_at)
        answered = sorted((s.answered_at - start).total_seconds() for s in ledger.samples(today()) if s.answered_at)
    most, last = answered[int(count * 0.99) - 1], answered[-1]
    print(f"answered {len(answered)} of {count} with {calls} calls in {report.elapsed_seconds:.1f} s")
    print(f"calls / rate {calls / rate:.1f} s; 99 % after {most:.1f} s; ratio {most / (calls / rate):.3f} (aim <= 1.1)")
    print(f"last answer after {last:.1f} s (aim <= {most + 30:.1f})")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
