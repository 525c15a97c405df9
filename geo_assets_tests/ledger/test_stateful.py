"""Random interleavings of everything that can happen to a ledger, against its invariants, on both databases."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from geo_assets.ledger import Ledger, open_ledger
from geo_assets.ledger import tables as t
from geo_assets.ledger.actions import Decision
from geo_assets.ledger.books import drift
from geo_assets.ledger.claims import Claim, Lane
from geo_assets.ledger.rows import state_from
from geo_assets.ledger.settle import Applied
from geo_assets.model.states import RECEIVED, Outcome
from geo_assets.model.transitions import Event, TransitionRefused, possible
from geo_assets_tests.ledger import builders as b
from geo_assets_tests.ledger.databases import Clock

FINAL = frozenset(Outcome) - {Outcome.OPEN, Outcome.UNCERTAIN, Outcome.NOT_CAPTURED}
SUBMIT_EVENTS = [
    Event.ANSWER,
    Event.ANSWER_PARTLY,
    Event.ACCEPT,
    Event.RETRY,
    Event.FAIL,
    Event.LOSE,
    Event.HOLD,
    Event.GIVE_BACK,
]
POLL_EVENTS = [Event.ANSWER, Event.POLL_AGAIN, Event.RETRY, Event.FAIL, Event.GIVE_BACK]
LOOKUP_EVENTS = [Event.ANSWER, Event.ACCEPT, Event.RETRY, Event.LOSE, Event.GIVE_BACK]
EVENTS = {Lane.SUBMIT: SUBMIT_EVENTS, Lane.POLL: POLL_EVENTS, Lane.LOOKUP: LOOKUP_EVENTS}


class LedgerMachine(RuleBasedStateMachine):
    """Workers come and go, answer, answer late, twice and out of turn; plans change; people decide."""

    ledger: Ledger
    clock: Clock

    @initialize(count=st.integers(1, 6))
    def first_plan(self, count: int) -> None:
        with self.ledger.database.engine.begin() as connection:
            for table in reversed(t.metadata.sorted_tables):
                connection.execute(sa.delete(table))
        self.count = count
        self.claims: list[Claim] = []
        self.workers: list[str] = []
        self.tokens: dict[str, int] = {}
        self.finals: dict[str, Outcome] = {}
        self.rows = (0, 0, 0)
        self.revision = 0
        b.plan(self.ledger, count)
        self.hire()

    @rule()
    def hire(self) -> None:
        name = f"w{len(self.workers)}"
        self.workers.append(b.worker(self.ledger, name))

    @rule(lane=st.sampled_from(list(Lane)), count=st.integers(1, 4), which=st.integers(0, 100))
    def take(self, lane: Lane, count: int, which: int) -> None:
        worker = self.workers[which % len(self.workers)]
        self.claims += b.claim(self.ledger, count, lane, worker_id=worker, lookup=lane is Lane.LOOKUP)

    @precondition(lambda self: self.claims)
    @rule(which=st.integers(0, 1000), event=st.integers(0, 100), legs=st.integers(0, 2))
    def settle_any(self, which: int, event: int, legs: int) -> None:
        """Any claim ever made, also one that was settled, lost or overtaken long ago: a replayed sidecar."""
        claim = self.claims[which % len(self.claims)]
        events = EVENTS[claim.lane]
        records = tuple(b.record(claim, claim.legs + leg) for leg in range(legs))
        sample = {"due_at": self.clock.now}
        chosen = events[event % len(events)]
        if chosen is Event.ACCEPT:
            sample |= {"upstream_id": "job", "job_deadline": self.clock.now + 60_000_000}
        made = b.settlement(claim, chosen, exchanges=records, sample=sample)
        (applied,) = self.ledger.settle([made]).applied
        (again,) = self.ledger.settle([made]).applied
        if applied is Applied.SETTLED and chosen not in {Event.POLL_AGAIN, Event.LOSE, Event.HOLD, Event.GIVE_BACK}:
            assert again is not Applied.SETTLED

    @rule(which=st.integers(0, 100), hold=st.booleans())
    def worker_dies(self, which: int, hold: bool) -> None:
        self.ledger.reap(self.workers[which % len(self.workers)], b.DATE, "qwen", hold=hold)

    @rule(seconds=st.floats(0, 120))
    def time_passes(self, seconds: float) -> None:
        self.clock.forward(seconds)

    @rule(keep=st.integers(0, 6), extra=st.integers(0, 2))
    def replan(self, keep: int, extra: int) -> None:
        self.revision += 1
        samples = b.questions(keep) + [b.sample(100 + self.revision * 10 + i) for i in range(extra)]
        if samples:
            self.ledger.plan(b.batch(samples, snapshot={"revision": self.revision}), replan=True)

    @rule(which=st.integers(0, 100))
    def cancel_one(self, which: int) -> None:
        ids = sorted(self.tokens) or [row.sample_id for row in self.ledger.samples(b.DATE)]
        self.ledger.cancel(sample_id=ids[which % len(ids)], who="me", reason="not needed")

    @rule(decision=st.sampled_from(list(Decision)), which=st.integers(0, 100))
    def decide(self, decision: Decision, which: int) -> None:
        found = self.ledger.uncertain(b.DATE)
        if found:
            chosen = found[which % len(found)]
            try:
                self.ledger.resolve(chosen, decision, reason="looked it up", who="me", today=b.DATE)
            except TransitionRefused:
                assert self.ledger.sample(chosen).sample.state.collection == "running"

    @rule()
    def window_closes(self) -> None:
        self.ledger.close_window(b.DATE, "qwen")

    @rule()
    def reopened(self) -> None:
        self.ledger.reopen(b.DATE, "qwen", who="me", reason="the day is not over")
        self.finals = {i: outcome for i, outcome in self.finals.items() if outcome is not Outcome.NOT_CAPTURED}

    @invariant()
    def holds(self) -> None:
        if not hasattr(self, "tokens"):
            return
        with self.ledger.database.reading() as connection:
            samples = connection.execute(sa.select(t.samples)).mappings().all()
            attempts = connection.execute(sa.select(t.attempts)).mappings().all()
            exchanges = connection.execute(sa.select(sa.func.count()).select_from(t.exchanges)).scalar_one()
            entries = connection.execute(sa.select(sa.func.count()).select_from(t.entries)).scalar_one()
        answered: dict[str, int] = {}
        for attempt in attempts:
            if attempt["state"] == "answered":
                answered[attempt["sample_id"]] = answered.get(attempt["sample_id"], 0) + 1
        for row in samples:
            state = state_from(row)
            assert possible(state), state
            assert row["fencing_token"] >= self.tokens.get(row["sample_id"], 0)
            self.tokens[row["sample_id"]] = row["fencing_token"]
            assert self.finals.get(row["sample_id"], state.outcome) is state.outcome
            if state.outcome in FINAL:
                self.finals[row["sample_id"]] = state.outcome
            assert answered.get(row["sample_id"], 0) == int(state.outcome in RECEIVED)
            assert (row["accepted_attempt"] is not None) == (state.outcome in RECEIVED)
            assert state.collection != "running" or row["worker_id"] is not None
        assert (len(attempts), exchanges, entries) >= self.rows
        assert len(attempts) >= self.rows[0]
        assert exchanges >= self.rows[1]
        self.rows = (len(attempts), exchanges, entries)
        assert drift(self.ledger.database, b.DATE) == {}
        for line in self.ledger.reconcile(b.DATE):
            assert line.balanced, line
            assert 0 <= line.unreconciled <= line.reserved, line


@pytest.fixture
def machine(ledger_url: str, clock: Clock, tmp_path: Path) -> Iterator[type[LedgerMachine]]:
    if ledger_url.startswith("sqlite"):
        ledger_url = "sqlite:////dev/shm/" + tmp_path.name + ".db" if Path("/dev/shm").is_dir() else ledger_url
    with open_ledger(ledger_url, clock=clock) as opened:
        yield type("Bound", (LedgerMachine,), {"ledger": opened, "clock": clock})
    for suffix in ("", "-wal", "-shm"):
        Path(ledger_url.removeprefix("sqlite:///") + suffix).unlink(missing_ok=True)


def test_no_interleaving_breaks_an_invariant(machine: type[LedgerMachine], ledger_url: str) -> None:
    examples = 40 if ledger_url.startswith("sqlite") else 12
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=examples,
            stateful_step_count=30,
            deadline=None,
            suppress_health_check=list(HealthCheck),
            print_blob=True,
        ),
    )
