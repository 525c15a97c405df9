"""Decisions of people on readings in doubt: an append-only file among the project's inputs, applied when reading.

`reviews/<profile>.jsonl` below the data folder, one decision per line. It is an input like a monitor's file, so it is
not among the outputs that can be deleted and made again.
"""

import json
import os
from collections.abc import Iterable, Iterator
from dataclasses import asdict, replace
from pathlib import Path

from geo_assets.model.review import ReviewDecision, ReviewField
from geo_assets.model.text import content_hash
from geo_assets.settings import Settings


class DecisionError(ValueError):
    """A stored or imported decision is not valid; the message names file, line and field."""


class ReviewBook:
    """All decisions of a profile, by the evidence they are about."""

    def __init__(self, settings: Settings) -> None:
        self.path = settings.data_dir / "reviews" / f"{settings.profile}.jsonl"
        self._by_evidence: dict[str, list[ReviewDecision]] = {}
        for decision in self._read():
            self._by_evidence.setdefault(decision.evidence, []).append(decision)

    def of(self, evidence: str | None) -> list[ReviewDecision]:
        """Decisions about one entity, oldest first."""
        return self._by_evidence.get(evidence or "", [])

    def __len__(self) -> int:
        return sum(len(found) for found in self._by_evidence.values())

    def decided(self, evidence: str, brand: str, field: ReviewField) -> bool:
        """Whether a person has decided this already."""
        return any(d.brand == brand and d.field is field for d in self.of(evidence))

    @property
    def hash(self) -> str:
        """One hash over all decisions: the data version of everything read with them."""
        return content_hash([asdict(d) for found in self._by_evidence.values() for d in found])

    def repeats(self, decision: ReviewDecision) -> bool:
        """Whether the newest decision on the same thing says the same, of the same person for the same reason."""
        same = [d for d in self.of(decision.evidence) if (d.brand, d.field) == (decision.brand, decision.field)]
        newest = max(same, key=lambda d: d.moment, default=None)
        return newest is not None and replace(newest, when=decision.when) == decision

    def append(self, decisions: Iterable[ReviewDecision]) -> int:
        """Add decisions durably; returns how many. Existing lines are never changed."""
        lines = [json.dumps(asdict(d), ensure_ascii=False, sort_keys=True) + "\n" for d in decisions]
        if lines:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with Path(self.path).open("a", encoding="utf-8", newline="\n") as file:
                file.writelines(lines)
                file.flush()
                os.fsync(file.fileno())
        return len(lines)

    def _read(self) -> Iterator[ReviewDecision]:
        if not self.path.is_file():
            return
        with self.path.open(encoding="utf-8") as lines:
            for number, line in enumerate(lines, start=1):
                if not line.strip():
                    continue
                try:
                    row = json.loads(line)
                    yield ReviewDecision(**{**row, "field": ReviewField(row["field"])})
                except (ValueError, TypeError, KeyError) as error:
                    msg = f"{self.path}, line {number}: {error}; mend or remove the line"
                    raise DecisionError(msg) from error
