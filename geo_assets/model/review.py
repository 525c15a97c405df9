"""Decisions of people on readings in doubt: what was decided about which text, by whom, when and why.

A decision never edits evidence or a reading's history; it is applied when the text is read again. It holds for the
evidence it names (a digest), under whatever dictionary is used then, and keeps the dictionary that the person saw.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from types import MappingProxyType

from geo_assets.model.readings import Stance
from geo_assets.model.states import Validity


class ReviewField(StrEnum):
    """What a decision is about. `validity` is about the whole answer, the others about one brand in it."""

    VALIDITY = "validity"
    MENTIONED = "mentioned"
    STANCE = "stance"
    LIST_RANK = "list_rank"


CHOICES: Mapping[ReviewField, tuple[str, ...]] = MappingProxyType(
    {
        ReviewField.VALIDITY: tuple(v.value for v in Validity),
        ReviewField.MENTIONED: ("yes", "no"),
        ReviewField.STANCE: tuple(s.value for s in Stance),
        ReviewField.LIST_RANK: (),
    }
)
"""Allowed decisions per field; a list rank is a whole number from 1, or `none`."""


@dataclass(frozen=True, slots=True)
class ReviewDecision:
    """One decision. `evidence` is the digest (sha256, hex) of the answer's evidence; `brand` is empty for `validity`.

    `when` is UTC, ISO 8601. `dictionary_hash` and `reader` are those of the reading that the person saw.

    Raises:
        ValueError: a field is missing or the decision is none of the choices; the message names the field.
    """

    sample_id: str
    evidence: str
    brand: str
    field: ReviewField
    decision: str
    who: str
    when: str
    why: str
    dictionary_hash: str
    reader: str = ""

    def __post_init__(self) -> None:
        for name in ("sample_id", "evidence", "who", "why", "dictionary_hash"):
            if not getattr(self, name).strip():
                raise ValueError(f"{name}: is empty; a decision needs it")
        if (self.field is ReviewField.VALIDITY) == bool(self.brand):
            raise ValueError("brand: must be empty for validity and given for every other field")
        if self.field is ReviewField.LIST_RANK:
            if self.decision != "none" and not (
                self.decision.isascii() and self.decision.isdigit() and int(self.decision)
            ):
                raise ValueError(f"decision: {self.decision!r} is no place; write a whole number from 1, or none")
        elif self.decision not in CHOICES[self.field]:
            raise ValueError(f"decision: {self.decision!r} is none of {', '.join(CHOICES[self.field])}")
        try:
            moment = datetime.fromisoformat(self.when)
        except ValueError:
            raise ValueError(f"when: {self.when!r} is no time; write it like 2026-01-31T09:30:00+00:00") from None
        if moment.tzinfo is None:
            raise ValueError(f"when: {self.when!r} has no zone; write it like 2026-01-31T09:30:00+00:00")

    @property
    def moment(self) -> datetime:
        """`when` as a moment in UTC."""
        return datetime.fromisoformat(self.when).astimezone(UTC)
