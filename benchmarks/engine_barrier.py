"""Two processes start on one partition at a barrier: 200 samples, 300 ms latency, 20 rounds; nothing is asked twice."""

import sys
import tempfile
import time
from pathlib import Path

from geo_assets.evidence.store import EvidenceStore
from geo_assets.ledger import open_ledger
from geo_assets_tests.collection.harness import Worker, check_complete
from geo_assets_tests.collection.settings import base_url, plan, platform, simulator

ROUNDS = int(sys.argv[1]) if len(sys.argv) > 1 else 20


def one_round(folder: Path) -> int:
    """One round; returns how many accepted calls there were beyond one per sample."""
    of = platform()
    url, evidence = f"sqlite:///{folder / 'ledger.db'}", folder / "evidence"
    with simulator(folder, of, latency=0.3) as process, open_ledger(url) as ledger:
        plan(ledger, of, 200)
        setting = {
            "ledger": url,
            "evidence": str(evidence),
            "base_url": base_url(process, of),
            "barrier": str(folder / "go"),
        }
        workers = [Worker(**setting, name=str(number)) for number in range(2)]
        while len(list(folder.glob("go.*"))) < 2:
            time.sleep(0.01)
        (folder / "go").touch()
        assert [worker.wait() for worker in workers] == [0, 0]
        return check_complete(ledger, EvidenceStore(evidence), folder / "calls.jsonl")


if __name__ == "__main__":
    began, extra = time.monotonic(), []
    for _ in range(ROUNDS):
        with tempfile.TemporaryDirectory(prefix="geo-bench-") as name:
            extra.append(one_round(Path(name)))
    print(f"{ROUNDS} rounds of two processes, {time.monotonic() - began:.0f} s: {sum(extra)} samples accepted twice")
