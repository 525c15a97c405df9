"""Workers killed between any two steps, at named points and at random, on both databases."""

import random
import time
from pathlib import Path

import pytest

from geo_assets.collection.faults import POINTS
from geo_assets.evidence.store import EvidenceStore
from geo_assets.ledger import open_ledger
from geo_assets.simulator.calllog import accepted_submits
from geo_assets_tests.collection.harness import Worker, check_books, check_complete
from geo_assets_tests.collection.settings import base_url, plan, platform, simulator

CONCURRENCY = 20


@pytest.mark.parametrize("point", POINTS)
def test_a_worker_killed_at_a_named_point_loses_nothing(point: str, ledger_url: str, tmp_path: Path) -> None:
    of = platform()
    evidence = EvidenceStore(tmp_path / "evidence")
    with simulator(tmp_path, of, latency=0.15) as process, open_ledger(ledger_url) as ledger:
        plan(ledger, of, 40)
        setting = {"ledger": ledger_url, "evidence": str(tmp_path / "evidence"), "base_url": base_url(process, of)}
        assert Worker(f"{point}:{1 if point == 'after_claim' else 3}", **setting).wait() == -9
        check_books(ledger)
        asked = len(accepted_submits(tmp_path / "calls.jsonl"))
        assert Worker(**setting).wait() == 0
        extra = check_complete(ledger, evidence, tmp_path / "calls.jsonl")
    assert extra <= CONCURRENCY
    assert extra <= asked


def test_workers_killed_at_random_times_lose_nothing_and_ask_only_what_was_in_flight_again(
    ledger_url: str, tmp_path: Path
) -> None:
    kills = 20 if ledger_url.startswith("sqlite") else 8
    rng = random.Random(7)
    of = platform()
    evidence = EvidenceStore(tmp_path / "evidence")
    with simulator(tmp_path, of, latency=0.3) as process, open_ledger(ledger_url) as ledger:
        plan(ledger, of, 400)
        setting = {"ledger": ledger_url, "evidence": str(tmp_path / "evidence"), "base_url": base_url(process, of)}
        in_flight = 0
        for _ in range(kills):
            worker = Worker(**setting)
            began = len(accepted_submits(tmp_path / "calls.jsonl"))
            limit = time.monotonic() + 30
            while worker.runs and time.monotonic() < limit:
                if len(accepted_submits(tmp_path / "calls.jsonl")) >= min(began + 15, 400):
                    break
                time.sleep(0.02)
            time.sleep(rng.uniform(0, 0.3))
            worker.kill()
            code = worker.wait()
            in_flight += CONCURRENCY if code == -9 else 0
            check_books(ledger)
        assert Worker(**setting).wait() == 0
        extra = check_complete(ledger, evidence, tmp_path / "calls.jsonl")
    assert extra <= in_flight


def test_two_workers_on_one_partition_accept_no_sample_twice(ledger_url: str, tmp_path: Path) -> None:
    of = platform()
    evidence = EvidenceStore(tmp_path / "evidence")
    with simulator(tmp_path, of, latency=0.3) as process, open_ledger(ledger_url) as ledger:
        plan(ledger, of, 200)
        setting = {
            "ledger": ledger_url,
            "evidence": str(tmp_path / "evidence"),
            "base_url": base_url(process, of),
            "barrier": str(tmp_path / "go"),
        }
        workers = [Worker(**setting, name=str(number)) for number in range(2)]
        while len(list(tmp_path.glob("go.*"))) < 2:
            time.sleep(0.01)
        (tmp_path / "go").touch()
        assert [worker.wait() for worker in workers] == [0, 0]
        assert check_complete(ledger, evidence, tmp_path / "calls.jsonl") == 0
