"""Rows of `brand_mentions` and `citations`: usable answers read with the monitor's dictionary. Asks nobody."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from geo_assets.analysis.matcher import compile_matcher
from geo_assets.analysis.mentions import MentionReading, read_mentions
from geo_assets.analysis.review import apply_decisions, context_at
from geo_assets.analysis.sources import read_sources
from geo_assets.analysis.version import READER
from geo_assets.lake.block import Block
from geo_assets.metrics.scopes import question_scope, search_scope
from geo_assets.model.answers import Citation, CitationBasis
from geo_assets.model.dictionary import Dictionary
from geo_assets.model.readings import BrandReading, Reading, SourceReading, ValidityReading
from geo_assets.model.states import Outcome, Validity
from geo_assets.projection.dictionaries import DictionaryBook
from geo_assets.projection.merging import Lookahead, row_key
from geo_assets.projection.reviews import ReviewBook
from geo_assets.projection.untracked import CONTEXT, UntrackedNames

Pair = tuple[str, dict[str, Any]]
USABLE = frozenset({Outcome.COUNTED.value, Outcome.UNSEARCHED.value})


@dataclass(slots=True)
class AnswerReader:
    """Reads answers of many monitors, each with its dictionary; question scopes are computed once per question."""

    dictionaries: DictionaryBook
    reviews: ReviewBook | None = None
    _scopes: dict[tuple[str, str], str] = field(default_factory=dict)

    def mentions(self, answer: dict[str, Any]) -> tuple[Dictionary, MentionReading]:
        """The dictionary of an answer's monitor, and what the answer says about its brands."""
        dictionary = self.dictionaries[answer["monitor"]]
        found = read_mentions(compile_matcher(dictionary), answer["text"], answer["question_text"])
        decisions = self.reviews.of(answer["evidence_digest"]) if self.reviews else []
        if decisions:
            validity = ValidityReading(Validity.OK, "", 1.0)
            reading = Reading(READER, dictionary.hash, validity, found.brands, None)
            found = found.decided(apply_decisions(reading, decisions).brands)
        return dictionary, found

    def scope(self, monitor: str, question: str) -> str:
        """The question scope of a question's text."""
        key = (monitor, question)
        if key not in self._scopes:
            dictionary = self.dictionaries[monitor]
            named = list(read_mentions(compile_matcher(dictionary), question).places)
            self._scopes[key] = question_scope(question, named, dictionary)
        return self._scopes[key]


def usable(answers: Iterable[Pair]) -> Iterator[Pair]:
    """Answers whose text is read: counted ones, and unsearched ones for their own scope."""
    return ((tenant, row) for tenant, row in answers if row["outcome"] in USABLE and row["text"] is not None)


def mention_rows(answers: Iterable[Pair], reader: AnswerReader) -> Iterator[Pair]:
    """(tenant, row) per usable answer and brand, named or not."""
    return ((tenant, row) for tenant, block in mention_blocks(answers, reader) for row in block.rows())


def mention_blocks(
    answers: Iterable[Pair], reader: AnswerReader, untracked: UntrackedNames | None = None
) -> Iterator[tuple[str, Block]]:
    """(tenant, rows of one usable answer, one for each brand); `untracked` gathers other names in the same pass."""
    templates: dict[str, _Template] = {}
    for tenant, answer in usable(answers):
        dictionary, reading = reader.mentions(answer)
        scope = reader.scope(answer["monitor"], answer["question_text"])
        if untracked is not None:
            untracked.add(tenant, answer, dictionary, reading)
        if (template := templates.get(dictionary.hash)) is None:
            template = templates[dictionary.hash] = _Template(dictionary)
        shared = {
            **_identity(answer),
            "readable_chars": reading.readable_chars,
            "is_ranked_list": reading.is_ranked_list,
            "question_scope": scope,
            "search_scope": search_scope(answer["search_asked"], answer["search_state"], answer["outcome"]),
            **_reading(answer, dictionary),
        }
        yield tenant, Block(shared, template.columns(answer["text"], reading), len(dictionary.brands))


class _Template:
    """The columns of an answer that says nothing about any brand of a dictionary, for most brands are not named."""

    def __init__(self, dictionary: Dictionary) -> None:
        self._dictionary = dictionary
        brands = sorted(dictionary.brands, key=lambda b: b.id)
        self._place = {b.id: i for i, b in enumerate(brands)}
        self._known: dict[str, list[Any]] = {
            "brand": [b.id for b in brands],
            "brand_name": [b.name for b in brands],
            "brand_role": [b.role.value for b in brands],
            "parent": [b.parent for b in brands],
        }
        self._silent = {name: [value] * len(brands) for name, value in _SILENT.items()}

    def columns(self, text: str, reading: MentionReading) -> dict[str, list[Any]]:
        """Column → one value for each brand, in the order of brand ids."""
        found = {name: list(values) for name, values in self._silent.items()}
        chars = sentence_chars(reading, self._dictionary)
        for brand in reading.brands:
            if brand.mentioned or brand.review or brand.stance or brand.confidence != _SILENT["confidence"]:
                at = self._place[brand.brand]
                for name, value in _values(text, brand, chars.get(brand.brand, 0.0)).items():
                    found[name][at] = value
        return self._known | found


_SILENT: dict[str, Any] = {
    "mentioned": False,
    "count": 0,
    "own_count": 0,
    "tracked_rank": None,
    "list_rank": None,
    "stance": None,
    "stance_confidence": None,
    "confidence": 1.0,
    "review": False,
    "review_reason": None,
    "occurrences": [],
    "context": None,
    "sentence_chars": 0.0,
}


def _values(text: str, brand: BrandReading, chars: float) -> dict[str, Any]:
    return {
        "mentioned": brand.mentioned,
        "count": brand.count,
        "own_count": brand.own_count,
        "tracked_rank": brand.tracked_rank,
        "list_rank": brand.list_rank,
        "stance": brand.stance.value if brand.stance else None,
        "stance_confidence": brand.stance_confidence,
        "confidence": brand.confidence,
        "review": brand.review,
        "review_reason": brand.review_reason,
        "occurrences": [{"start": o.start, "end": o.end, "alias": o.alias} for o in brand.occurrences],
        "context": _context(text, brand),
        "sentence_chars": chars,
    }


def citation_rows(answers: Iterable[Pair], mentions: Iterator[Pair], dictionaries: DictionaryBook) -> Iterator[Pair]:
    """(tenant, row) per source of every usable answer.

    `mentions` are rows of `brand_mentions` in table order, those that only say "not named" may be missing: where they
    found a brand decides whose sentence a source stands in, so that no text is read twice. Raises LookupError where an
    answer has not been read for brands.
    """
    named = Lookahead(mentions, row_key)
    for tenant, answer in usable(answers):
        dictionary = dictionaries[answer["monitor"]]
        found = named.take(row_key((tenant, answer)))
        if not found and dictionary.brands:
            msg = f"brand_mentions has no rows of sample {answer['sample_id']}: materialize it before citations"
            raise LookupError(msg)
        places = {
            row["brand"]: [(place["start"], place["end"]) for place in row["occurrences"]]
            for _, row in found
            if row["mentioned"]
        }
        given = answer["citations"]
        sources = read_sources(
            None if given is None else tuple(_citation(c) for c in given),
            answer["text"],
            dictionary,
            brand_sentences=places,
        )
        for source in sources or ():
            yield tenant, {**_identity(answer), **_source(source), **_reading(answer, dictionary)}


CITATION_NEEDS = ["monitor", "sample_id", "brand", "mentioned", "review", "stance", "occurrences"]
"""Columns of `brand_mentions` that `citation_rows` and the choice of its rows look at."""


def sentence_chars(reading: MentionReading, dictionary: Dictionary) -> dict[str, float]:
    """Characters of the sentences that name each brand; a sentence that names t tracked brands gives each 1/t."""
    tracked = {b.id for b in dictionary.tracked}
    sharing: dict[tuple[int, int], int] = {}
    for brand, spans in reading.sentences.items():
        if brand in tracked:
            for span in set(spans):
                sharing[span] = sharing.get(span, 0) + 1
    return {
        brand: sum((end - start) / max(sharing.get((start, end), 1), 1) for start, end in sorted(set(spans)))
        for brand, spans in reading.sentences.items()
    }


def _identity(answer: dict[str, Any]) -> dict[str, Any]:
    return {k: answer[k] for k in ("sample_id", "monitor", "question_id", "question_revision", "repeat_index")}


def _evidence(answer: dict[str, Any]) -> dict[str, Any]:
    return {k: answer[k] for k in ("evidence_digest", "parser", "simulated")}


def _reading(answer: dict[str, Any], dictionary: Dictionary) -> dict[str, Any]:
    return {
        "outcome": answer["outcome"],
        "reader": READER,
        "dictionary_hash": dictionary.hash,
        **_evidence(answer),
    }


def _context(text: str, brand: BrandReading) -> str | None:
    """The text around the first place, in one line, for people."""
    if not brand.occurrences:
        return None
    first = brand.occurrences[0]
    return context_at(text, first.start, first.end, CONTEXT)


def _citation(given: dict[str, Any]) -> Citation:
    return Citation(
        url=given["url"],
        basis=CitationBasis(given["citation_basis"]),
        order=given["order"],
        title=given["title"],
        site=given["site"],
        marker=given["marker"],
        spans=tuple((s["start"], s["end"]) for s in given["spans"]),
    )


def _source(source: SourceReading) -> dict[str, Any]:
    return {
        "order": source.order,
        "citation_basis": source.basis.value,
        "url": source.url_raw,
        "url_normalised": source.url_normalised,
        "page_key": source.page_key,
        "host": source.host,
        "domain": source.domain,
        "title": source.title,
        "owner_class": source.owner_class.value,
        "owner": source.owner,
        "source_type": source.source_type,
        "supports": list(source.supports),
        "in_text_only": source.in_text_only,
        "duplicate_of": source.duplicate_of,
        "cited_chars": source.cited_chars,
    }
