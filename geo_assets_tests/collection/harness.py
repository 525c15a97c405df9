"""Starting and killing workers, and what must hold afterwards, checked against the simulator's own call log."""

import multiprocessing
from collections import Counter
from pathlib import Path
from typing import Any

from geo_assets.evidence.store import EvidenceStore
from geo_assets.ledger import Ledger
from geo_assets.ledger.books import drift
from geo_assets.model.transitions import possible
from geo_assets.simulator.calllog import accepted_submits
from geo_assets_tests.collection.settings import today

_context = multiprocessing.get_context("forkserver")
_context.set_forkserver_preload(["geo_assets_tests.collection.worker"])


class Worker:
    """One collector process."""

    def __init__(self, fault: str | None = None, **setting: Any) -> None:
        from geo_assets_tests.collection.worker import work

        self.process = _context.Process(target=work, args=({**setting, "fault": fault},))
        self.process.start()

    @property
    def runs(self) -> bool:
        return self.process.is_alive()

    def kill(self) -> None:
        self.process.kill()

    def wait(self, timeout: float = 120) -> int:
        """The exit code: 0, or -9 if it was killed."""
        self.process.join(timeout)
        code = self.process.exitcode
        assert code in {0, -9}, code
        return code


def check_books(ledger: Ledger, platform: str = "qwen") -> None:
    """What holds at any time, whatever happened."""
    date = today()
    answered: Counter[str] = Counter()
    for attempt in ledger.attempts(date, platform):
        answered[attempt.sample_id] += attempt.state == "answered"
    for sample in ledger.samples(date, platform):
        assert possible(sample.state), sample.state
        assert answered[sample.sample_id] <= 1
    assert drift(ledger.database, date) == {}
    for line in ledger.reconcile(date, platform):
        assert line.balanced, line


def check_complete(ledger: Ledger, evidence: EvidenceStore, call_log: Path, platform: str = "qwen") -> int:
    """Every sample answered once, evidence in place, no accepted call that the ledger does not know.

    Returns the number of accepted calls beyond one per sample.
    """
    date = today()
    check_books(ledger, platform)
    samples = list(ledger.samples(date, platform))
    assert [s.outcome for s in samples if s.outcome != "counted"] == []
    for sample in samples:
        assert sample.response_digest is not None
        assert evidence.read(sample.response_digest)
    attempts = {a.attempt_id: a for a in ledger.attempts(date, platform)}
    calls = accepted_submits(call_log, platform)
    assert [c.attempt for c in calls if c.attempt not in attempts] == []
    assert len({c.attempt for c in calls}) == len(calls), "one attempt was sent twice"
    assert list(evidence.pending_sidecars(date, platform)) == []
    unreconciled = sum(a.state == "uncertain" for a in attempts.values())
    extra = len(calls) - len(samples)
    superseded = sum(a.state == "superseded" for a in attempts.values())
    assert extra <= unreconciled + superseded, "an extra call is not in the books"
    return extra
