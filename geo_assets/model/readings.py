"""What reading an answer yields: validity, mentions, stance, sources. A reading names its reader and its dictionary."""

from dataclasses import dataclass
from enum import StrEnum

from geo_assets.model.answers import CitationBasis
from geo_assets.model.states import Validity


class Stance(StrEnum):
    """What the answer does with a brand it names. `absent`: it says that it knows nothing about the brand."""

    RECOMMENDED = "recommended"
    LISTED = "listed"
    NEUTRAL = "neutral"
    ADVISED_AGAINST = "advised_against"
    ABSENT = "absent"


class OwnerClass(StrEnum):
    """Whose page a source is."""

    OWN = "own"
    COMPETITOR = "competitor"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class ValidityReading:
    """The kind of text, why, and how sure. `confidence` in 0..1."""

    validity: Validity
    reason: str
    confidence: float
    review: bool = False


@dataclass(frozen=True, slots=True)
class Occurrence:
    """One place where a name stands: half-open code-point offsets into the original text, and the name as listed."""

    start: int
    end: int
    alias: str
    confidence: float = 1.0


@dataclass(frozen=True, slots=True)
class BrandReading:
    """How one answer treats one tracked brand.

    There is one for every brand of the dictionary, also where it is not named (then `mentioned` is False, `count` 0 and
    `stance`, `tracked_rank`, `list_rank` None). `mentioned` is the best guess, also where `review` is True. An answer
    that only says it found nothing about the brand has `mentioned` False and stance `absent`. `own_count` leaves out
    occurrences that come from the brand's products. `tracked_rank` counts from 1, ties share the smaller number.
    """

    brand: str
    mentioned: bool
    count: int
    occurrences: tuple[Occurrence, ...]
    stance: Stance | None
    stance_confidence: float | None
    tracked_rank: int | None
    list_rank: int | None
    confidence: float
    review: bool
    review_reason: str | None = None
    own_count: int = 0


@dataclass(frozen=True, slots=True)
class Candidate:
    """A name that nobody tracks but that stands as a list item of its own, with its place there if it has one."""

    name: str
    start: int
    end: int
    list_rank: int | None = None


@dataclass(frozen=True, slots=True)
class SourceReading:
    """One source of an answer.

    `domain` is the registrable domain, None where there is none (IP address, unresolved redirect). `supports` are ids
    of brands named in a sentence that the citation stands in. `in_text_only`: the link stands in the text but not in
    the platform's list. `duplicate_of` is the order of an earlier source with the same `page_key`. `cited_chars`:
    characters of the sentences that point to it, a sentence with t sources giving each 1/t; None where nothing points.
    """

    order: int
    url_raw: str
    url_normalised: str | None
    page_key: str | None
    host: str | None
    domain: str | None
    title: str | None
    basis: CitationBasis
    owner_class: OwnerClass
    owner: str | None
    source_type: str
    supports: tuple[str, ...] = ()
    in_text_only: bool = False
    duplicate_of: int | None = None
    cited_chars: float | None = None


@dataclass(frozen=True, slots=True)
class Reading:
    """Everything read from one answer with one dictionary. `is_ranked_list`: the answer prints item numbers."""

    reader: str
    dictionary_hash: str
    validity: ValidityReading
    brands: tuple[BrandReading, ...]
    sources: tuple[SourceReading, ...] | None
    candidates: tuple[Candidate, ...] = ()
    is_ranked_list: bool = False
    readable_chars: int = 0
