"""Rows of `untracked_names`, gathered while mentions are read: names that nobody tracks but that head list items.

Here: counting one pass over answers, within bounds. Not here: what makes a name (`analysis.candidates`).
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from geo_assets.analysis.folding import fold
from geo_assets.analysis.mentions import MentionReading
from geo_assets.analysis.review import context_at
from geo_assets.analysis.version import READER
from geo_assets.model.dictionary import Dictionary
from geo_assets.model.readings import Candidate

COUNTED = 20_000
"""Distinct names that are counted for a monitor on one date and platform."""
KEPT = 500
"""Names of a monitor that become rows, those of the most answers first."""
CONTEXT = 60
_UNPLACED = 1_000_000


@dataclass(slots=True)
class _Name:
    """What is known of one name so far. `place`: the list rank of the example, `_UNPLACED` where it has none.

    `last`: the newest answer that was counted, for two spellings in one answer are one.
    """

    name: str
    answers: int = 0
    last: str = ""
    questions: set[str] = field(default_factory=set)
    place: int = _UNPLACED + 1
    sample: str = ""
    context: str = ""


@dataclass(slots=True)
class _Monitor:
    """The names of one monitor."""

    tenant: str
    dictionary: Dictionary
    simulated: bool
    listed: frozenset[str]
    read: int = 0
    names: dict[str, _Name] = field(default_factory=dict)


class UntrackedNames:
    """Gathers names answer by answer, then gives the table's rows. Memory is bounded per monitor.

    Answers come in the order of their sample ids, which are hashes: the first `COUNTED` names are those of a random
    part of the answers, so that a name of many answers is among them. `dropped` says how many names of a monitor were
    counted and are no row; `uncounted` how often a name came when no further one was taken in.
    """

    def __init__(self, *, counted: int = COUNTED, kept: int = KEPT) -> None:
        self.dropped: dict[str, int] = {}
        self.uncounted: dict[str, int] = {}
        self._counted, self._kept = counted, kept
        self._monitor: _Monitor | None = None
        self._rows: list[tuple[str, dict[str, Any]]] = []

    def add(self, tenant: str, answer: dict[str, Any], dictionary: Dictionary, reading: MentionReading) -> None:
        """Take in one usable answer; answers of a monitor come together."""
        monitor = self._of(tenant, answer, dictionary)
        monitor.read += 1
        for candidate in reading.candidates:
            self._count(monitor, answer, candidate)

    def rows(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """(tenant, row) pairs in the order of the table, when every answer has been taken in."""
        self._close()
        yield from self._rows

    def _of(self, tenant: str, answer: dict[str, Any], dictionary: Dictionary) -> _Monitor:
        present = self._monitor
        if present is None or (present.tenant, present.dictionary.monitor) != (tenant, dictionary.monitor):
            self._close()
            present = self._monitor = _Monitor(tenant, dictionary, answer["simulated"], _listed(dictionary))
        return present

    def _count(self, monitor: _Monitor, answer: dict[str, Any], candidate: Candidate) -> None:
        key = fold(candidate.name)
        if not key or key in monitor.listed:
            return
        entry = monitor.names.get(key)
        if entry is None:
            if len(monitor.names) >= self._counted:
                name = monitor.dictionary.monitor
                self.uncounted[name] = self.uncounted.get(name, 0) + 1
                return
            entry = monitor.names[key] = _Name(candidate.name)
        sample = answer["sample_id"]
        place = candidate.list_rank or _UNPLACED
        if entry.last != sample:
            entry.answers, entry.last = entry.answers + 1, sample
        entry.questions.add(answer["question_revision"])
        if place < entry.place:
            entry.place, entry.sample = place, sample
            entry.context = context_at(answer["text"], candidate.start, candidate.end, CONTEXT)

    def _close(self) -> None:
        """Turn the present monitor's names into rows."""
        monitor, self._monitor = self._monitor, None
        if monitor is None:
            return
        found = sorted(monitor.names.values(), key=lambda n: (-n.answers, n.place, n.name))
        if len(found) > self._kept:
            self.dropped[monitor.dictionary.monitor] = len(found) - self._kept
        rows = [
            {
                "monitor": monitor.dictionary.monitor,
                "name": entry.name,
                "answers": entry.answers,
                "answers_read": monitor.read,
                "questions": len(entry.questions),
                "best_list_rank": entry.place if entry.place < _UNPLACED else None,
                "example_sample_id": entry.sample,
                "example_context": entry.context,
                "reader": READER,
                "dictionary_hash": monitor.dictionary.hash,
                "simulated": monitor.simulated,
            }
            for entry in found[: self._kept]
        ]
        self._rows += [(monitor.tenant, row) for row in sorted(rows, key=lambda row: str(row["name"]))]


def _listed(dictionary: Dictionary) -> frozenset[str]:
    """Folded forms of everything that the monitor knows: a name of it that does not count is no news either."""
    texts = list(dictionary.known)
    for brand in dictionary.brands:
        texts += [brand.name, *brand.aliases, *brand.exclude]
    return frozenset(fold(text) for text in texts)
