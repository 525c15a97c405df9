"""Observations: one per planned sample, joined from the rows of the tables that speak about it.

What belongs here: the join, and refusing rows that do not fit together. What does not: counting. Readings that say
"not named" are dropped after the check that every brand was read, so memory grows with mentions, not with brands.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from geo_assets.metrics.scopes import search_scope
from geo_assets.model.readings import Stance
from geo_assets.model.states import Outcome

Row = Mapping[str, Any]
USABLE = frozenset({Outcome.COUNTED, Outcome.UNSEARCHED})
"""Outcomes whose text was read for brands; unsearched answers are counted in a scope of their own only."""


@dataclass(frozen=True, slots=True)
class BrandView:
    """How an answer treats one brand, where there is anything to say: named, in review, or an absent statement."""

    mentioned: bool
    count: int
    tracked_rank: int | None
    list_rank: int | None
    stance: str | None
    review: bool
    sentence_chars: float

    @property
    def named(self) -> bool:
        """Named, and not merely in a statement that nothing was found about it (best guess where in review)."""
        return self.mentioned and self.stance != Stance.ABSENT


@dataclass(frozen=True, slots=True)
class SourceView:
    """One source of an answer; `page` is the key under which variants of a page count once."""

    page: str
    basis: str
    owner: str | None
    in_text_only: bool
    cited_chars: float | None


@dataclass(frozen=True, slots=True)
class Observation:
    """One planned sample with all that metrics need of it.

    `brands` holds only brands with something to say; `brands_read` names all that were read (empty where the answer
    was not usable). `sources` is None where the platform gives no source list. `question` is the question's revision.
    """

    sample_id: str
    question: str
    question_id: str
    intent: str
    tags: tuple[str, ...]
    weight: int
    repeat_index: int
    outcome: Outcome
    late: bool
    search_asked: bool
    question_scope: str
    search_scope: str
    citation_mode: str
    readable_chars: int
    is_ranked_list: bool
    brands: Mapping[str, BrandView]
    brands_read: frozenset[str]
    sources: tuple[SourceView, ...] | None
    reading: str
    simulated: bool

    @property
    def usable(self) -> bool:
        """Its text counts: in the headline where it searched as asked, else in a scope of its own."""
        return self.outcome in USABLE


def observations(
    plan_rows: Iterable[Row],
    answer_rows: Iterable[Row],
    mention_rows: Iterable[Row],
    citation_rows: Iterable[Row],
    *,
    response_rows: Iterable[Row] = (),
    scope_of: Callable[[str], str] | None = None,
) -> list[Observation]:
    """Join one monitor's rows of one date and platform into one observation per planned sample, by sample id.

    Args:
        plan_rows: rows of `sampling_plan`; they alone say what was planned.
        answer_rows: rows of `answers`.
        mention_rows: rows of `brand_mentions`: one per usable answer and brand, named or not. Rows that say nothing may
            be left out where an answer's first row names all brands that it was read for (`brands_read`, a frozenset).
        citation_rows: rows of `citations`. Where they carry `cited_chars` (characters of sentences that point to the
            source; a sentence with t sources gives each 1/t), source_word_share is computed from it.
        response_rows: rows of `raw_responses`; they give the outcome of samples that have no row in `answers`.
        scope_of: question text → question scope, for samples without a usable answer. Without it they take the scope
            of another answer to the same question, else `unknown`.

    Raises:
        ValueError: rows for samples that nobody planned, two rows for one sample, a sample without an outcome, or an
            outcome that is no `Outcome`. Nothing is dropped in silence.
    """
    plan = _by_sample("sampling_plan", plan_rows, None)
    answers = _by_sample("answers", answer_rows, plan)
    responses = _by_sample("raw_responses", response_rows, plan)
    mentions = _grouped("brand_mentions", mention_rows, plan)
    citations = _grouped("citations", citation_rows, plan)
    scopes = {str(plan[s]["question_revision"]): str(rows[0]["question_scope"]) for s, rows in mentions.items()}
    read_sets: dict[frozenset[str], frozenset[str]] = {}
    result = []
    for sample_id in sorted(plan):
        row = plan[sample_id]
        answer = answers.get(sample_id, {})
        outcome = _outcome(sample_id, answer or responses.get(sample_id))
        rows = mentions.get(sample_id, [])
        revision = str(row["question_revision"])
        if rows:
            scope = str(rows[0]["question_scope"])
        else:
            scope = scope_of(str(row["question_text"])) if scope_of else scopes.get(revision, "unknown")
        read = _brands_read(rows)
        search_asked = bool(row["search_asked"])
        found = citations.get(sample_id, [])
        result.append(
            Observation(
                sample_id=sample_id,
                question=revision,
                question_id=str(row["question_id"]),
                intent=str(row["intent"]),
                tags=tuple(row["tags"] or ()),
                weight=int(row["weight"]),
                repeat_index=int(row["repeat_index"]),
                outcome=outcome,
                late=bool(answer.get("late", False)),
                search_asked=search_asked,
                question_scope=scope,
                search_scope=str(rows[0]["search_scope"])
                if rows and outcome in USABLE
                else search_scope(search_asked, answer.get("search_state"), outcome),
                citation_mode=str(answer.get("citation_mode") or "none"),
                readable_chars=int(rows[0]["readable_chars"]) if rows else 0,
                is_ranked_list=bool(rows and rows[0]["is_ranked_list"]),
                brands={str(r["brand"]): _brand(r) for r in rows if _speaks(r)},
                brands_read=read_sets.setdefault(read, read),
                sources=_sources(found) if answer.get("citations_observable") else None,
                reading=reading_version(answer, rows),
                simulated=bool(row["simulated"]),
            )
        )
    return result


def reading_version(answer: Row, mention_rows: Sequence[Row]) -> str:
    """Connector's parser, the reader's rules and the dictionary (12 hex digits) that an answer was read with."""
    if not mention_rows:
        return ""
    row = mention_rows[0]
    parser = row.get("parser") or answer.get("parser") or "-"
    return f"{parser}+{row['reader']}+{str(row['dictionary_hash'])[:12]}"


def _by_sample(table: str, rows: Iterable[Row], plan: Mapping[str, Row] | None) -> dict[str, Row]:
    result: dict[str, Row] = {}
    for row in rows:
        sample_id = str(row["sample_id"])
        if sample_id in result:
            raise ValueError(f"{table}: two rows for sample {sample_id}; write the partition again")
        if plan is not None and sample_id not in plan:
            raise ValueError(
                f"{table}: sample {sample_id} is not in sampling_plan; pass rows of one monitor and partition"
            )
        result[sample_id] = row
    return result


def _grouped(table: str, rows: Iterable[Row], plan: Mapping[str, Row]) -> dict[str, list[Row]]:
    result: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        sample_id = str(row["sample_id"])
        if sample_id not in plan:
            raise ValueError(
                f"{table}: sample {sample_id} is not in sampling_plan; pass rows of one monitor and partition"
            )
        result[sample_id].append(row)
    return dict(result)


def _outcome(sample_id: str, row: Row | None) -> Outcome:
    if not row:
        raise ValueError(f"sample {sample_id} has no row in answers or raw_responses: its exclusion state is unknown")
    try:
        return Outcome(row["outcome"])
    except ValueError:
        known = ", ".join(Outcome)
        raise ValueError(f"sample {sample_id}: unknown exclusion state {row['outcome']!r}; known are {known}") from None


def _brands_read(rows: Sequence[Row]) -> frozenset[str]:
    """The brands that an answer was read for."""
    stated: frozenset[str] | None = rows[0].get("brands_read") if rows else None
    return frozenset(str(r["brand"]) for r in rows) if stated is None else stated


def _speaks(row: Row) -> bool:
    return bool(row["mentioned"] or row["review"] or row["stance"] == Stance.ABSENT)


def _brand(row: Row) -> BrandView:
    return BrandView(
        mentioned=bool(row["mentioned"]),
        count=int(row["count"]),
        tracked_rank=None if row["tracked_rank"] is None else int(row["tracked_rank"]),
        list_rank=None if row["list_rank"] is None else int(row["list_rank"]),
        stance=row["stance"],
        review=bool(row["review"]),
        sentence_chars=float(row["sentence_chars"]),
    )


def _sources(rows: Sequence[Row]) -> tuple[SourceView, ...]:
    return tuple(
        SourceView(
            page=str(r["page_key"] or r["url"]),
            basis=str(r["citation_basis"]),
            owner=r["owner"],
            in_text_only=bool(r["in_text_only"]),
            cited_chars=r.get("cited_chars"),
        )
        for r in sorted(rows, key=lambda r: int(r["order"]))
    )
