"""When a partition needs a run: pure decisions over facts, with the reason for every no.

Collection goes on in slices while the window is open; analysis follows when nothing is open any more; what failed is
tried again, further apart each time. Repeating a decision is harmless: the run key holds what it was based on, and
Dagster starts one run per key.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

MAX_REPAIRS = 6
FIRST_BACKOFF = timedelta(minutes=1)
LONGEST_BACKOFF = timedelta(hours=1)


class Work(StrEnum):
    """What a partition can need."""

    COLLECT = "collect"
    ANALYSE = "analyse"


@dataclass(frozen=True, slots=True)
class LastRun:
    """The newest run of a job over a partition, and how many before it failed in a row (itself included)."""

    run_id: str
    active: bool
    failed: bool
    ended: datetime | None
    failures: int = 0


@dataclass(frozen=True, slots=True)
class PartitionFacts:
    """What the decision needs to know of one date × platform.

    `planned` and `open` count samples; `next_due` is when the first open sample is due; `opens` and `closes` bound the
    collection window; `revision` names the ledger's state of the partition; `exported` and `analysed` are the
    revisions that `raw_responses` was written and analysed with last, None if never. `askable`: not retired.
    `whole_day`: the last run asked beyond the window, because a person wanted it.
    """

    date: str
    platform: str
    planned: int
    open: int
    next_due: datetime | None
    opens: datetime
    closes: datetime
    revision: str
    exported: str | None = None
    analysed: str | None = None
    askable: bool = True
    whole_day: bool = False
    collect_run: LastRun | None = None
    analyse_run: LastRun | None = None

    @property
    def key(self) -> str:
        """The partition key."""
        return f"{self.date}|{self.platform}"


@dataclass(frozen=True, slots=True)
class Decision:
    """A run to ask for, or the reason why not (`run_key` None). `gave_up`: a person should be told."""

    key: str
    work: Work
    why: str
    run_key: str | None = None
    gave_up: bool = False


def backoff(failures: int) -> timedelta:
    """How long to rest after so many failures in a row: 1, 2, 4, … minutes, at most an hour."""
    doublings = min(max(failures - 1, 0), 10)
    return min(FIRST_BACKOFF * (1 << doublings), LONGEST_BACKOFF)


def _gave_up(run: LastRun | None) -> bool:
    return run is not None and not run.active and run.failures >= MAX_REPAIRS


def _resting(run: LastRun | None, now: datetime) -> str | None:
    """Why a failing partition must wait, None if it need not."""
    if run is None or not run.failed:
        return None
    if _gave_up(run):
        return f"failed {run.failures} times in a row: a person should look at run {run.run_id[:8]}"
    until = (run.ended or now) + backoff(run.failures)
    return f"failed {run.failures} times, rests until {until.isoformat(timespec='seconds')}" if now < until else None


def collect_decision(facts: PartitionFacts, now: datetime) -> Decision:
    """Does this partition need a slice of collection now?"""

    def no(why: str) -> Decision:
        return Decision(facts.key, Work.COLLECT, why)

    if facts.collect_run and facts.collect_run.active:
        return no("a run is at work")
    if not facts.askable and not facts.open:
        return no("the platform is retired")
    if now < facts.opens and not facts.open:
        return no("its window has not opened")
    if not facts.open and facts.exported == facts.revision:
        return no("nothing is open" if facts.planned else "nothing was planned")
    if facts.open and facts.next_due and now < min(facts.next_due, facts.closes):
        return no(f"nothing is due before {facts.next_due.isoformat(timespec='seconds')}")
    if (rest := _resting(facts.collect_run, now)) is not None:
        return Decision(facts.key, Work.COLLECT, rest, gave_up=_gave_up(facts.collect_run))
    last = facts.collect_run.run_id if facts.collect_run else "first"
    if facts.planned:
        why = f"{facts.open} open" if facts.open else "the ledger has changed since it was written"
    else:
        why = "not planned yet" if now < facts.closes else "nothing was planned; its tables get the reason"
    return Decision(facts.key, Work.COLLECT, why, run_key=f"collect:{facts.key}:{last}")


def analyse_decision(facts: PartitionFacts, now: datetime) -> Decision:
    """Is this partition's analysis due: nothing open any more, and the ledger's state not analysed yet?"""

    def no(why: str) -> Decision:
        return Decision(facts.key, Work.ANALYSE, why)

    if facts.collect_run and facts.collect_run.active:
        return no("it is being collected")
    if facts.analyse_run and facts.analyse_run.active:
        return no("a run is at work")
    if facts.open:
        return no(f"{facts.open} samples are open")
    if not facts.planned and now < facts.closes:
        return no("nothing is planned yet")
    if facts.exported != facts.revision:
        return no("raw_responses is older than the ledger")
    if facts.analysed == facts.revision:
        return no("analysed")
    if (rest := _resting(facts.analyse_run, now)) is not None:
        return Decision(facts.key, Work.ANALYSE, rest, gave_up=_gave_up(facts.analyse_run))
    tries = facts.analyse_run.run_id if facts.analyse_run and facts.analyse_run.failed else "first"
    return Decision(
        facts.key, Work.ANALYSE, "complete, not analysed", run_key=f"analyse:{facts.key}:{facts.revision}:{tries}"
    )


def explain_skips(decisions: Iterable[Decision], *, limit: int = 12) -> str:
    """Reasons of the decisions against a run, grouped, for a sensor's tick."""
    groups: dict[str, list[str]] = {}
    for decision in decisions:
        if decision.run_key is None:
            groups.setdefault(decision.why, []).append(decision.key)
    lines = list(_lines(groups))
    if len(lines) > limit:
        lines = [*lines[:limit], f"… and {len(lines) - limit} more reasons"]
    return "\n".join(lines) or "no partition in view"


def _lines(groups: dict[str, list[str]]) -> Iterator[str]:
    for why, keys in sorted(groups.items(), key=lambda item: -len(item[1])):
        shown = ", ".join(keys[:3]) + (f" and {len(keys) - 3} more" if len(keys) > 3 else "")
        yield f"{why}: {shown}"
