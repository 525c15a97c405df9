"""Decisions before they are recorded: that their cases exist, and a decision on one case made from what the lake says.

Here: looking up ledger, lake and dictionaries. Not here: the file of decisions (`reviews`), the form of a decision
(`model.review`), applying one (`analysis.review`).
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from geo_assets.analysis.review import NO_DICTIONARY, Placed
from geo_assets.lake.store import Lake, Partition
from geo_assets.ledger import Ledger
from geo_assets.ledger.queries import NoSuchSample, SampleHistory
from geo_assets.model.review import ReviewDecision, ReviewField
from geo_assets.projection.reviews import DecisionError

if TYPE_CHECKING:
    from geo_assets.projection.dictionaries import DictionaryBook


def checked(placed: Iterable[Placed], ledger: Ledger, dictionaries: "DictionaryBook") -> list[ReviewDecision]:
    """The decisions, if every one is about a case that exists and none stands twice.

    Raises:
        DecisionError: the sample is unknown, the evidence is not its own, the brand is none of its monitor's, or one
            case is decided twice; the message names the line and the field.
    """
    first: dict[tuple[str, str, ReviewField], str] = {}
    found = []
    for where, decision in placed:
        case = (decision.evidence, decision.brand, decision.field)
        if case in first:
            msg = f"{where}: this case is decided in {first[case]} already; keep one of the two lines"
            raise DecisionError(msg)
        first[case] = where
        _check(where, decision, ledger, dictionaries)
        found.append(decision)
    return found


def _check(where: str, decision: ReviewDecision, ledger: Ledger, dictionaries: "DictionaryBook") -> None:
    try:
        history = ledger.sample(decision.sample_id)
    except NoSuchSample as error:
        msg = f"{where}, sample_id: {error}; leave the column as exported, and import into the profile that exported it"
        raise DecisionError(msg) from None
    if decision.evidence not in {x.response_digest for x in history.exchanges if x.response_digest}:
        msg = (
            f"{where}, evidence: {decision.evidence[:16]!r} is no response of this sample; leave the column as exported"
        )
        raise DecisionError(msg)
    if decision.brand:
        monitor = history.sample.planned.monitor
        _check_brand(f"{where}, brand", decision.brand, monitor, dictionaries)


def _check_brand(where: str, brand: str, monitor: str, dictionaries: "DictionaryBook") -> None:
    known = [b.id for b in dictionaries[monitor].brands]
    if brand not in known:
        raise DecisionError(f"{where}: {brand!r} is none of the brands of {monitor}: {', '.join(known)}")


def decision_on(
    history: SampleHistory,
    lake: Lake,
    dictionaries: "DictionaryBook",
    *,
    brand: str,
    field: ReviewField,
    decision: str,
    who: str,
    when: str,
    why: str,
) -> ReviewDecision:
    """A decision on a sample's reading as it stands in the lake: evidence, dictionary and rules are looked up there.

    Raises:
        DecisionError: the sample has no answer to decide about, or the brand or the decision is not valid.
        MissingPartitionError: its partition was not read yet.
    """
    planned = history.sample.planned
    partition = Partition(planned.date, planned.platform)
    if brand:
        _check_brand("--brand", brand, planned.monitor, dictionaries)
    table = "brand_mentions" if brand else "answers"
    wanted = (planned.sample_id, *([brand] if brand else []))
    columns = ["sample_id", "evidence_digest", "reader", *(["brand", "dictionary_hash"] if brand else [])]
    rows = (row for _, row in lake.read(table, partition).only([planned.monitor]).rows(columns))
    row = next((r for r in rows if (r["sample_id"], *([r["brand"]] if brand else [])) == wanted), None)
    if row is None or row["evidence_digest"] is None:
        msg = f"{table} {partition} has no answer of sample {planned.sample_id} to decide about"
        raise DecisionError(msg)
    try:
        return ReviewDecision(
            sample_id=planned.sample_id,
            evidence=row["evidence_digest"],
            brand=brand,
            field=field,
            decision=decision,
            who=who,
            when=when,
            why=why,
            dictionary_hash=row.get("dictionary_hash", NO_DICTIONARY),
            reader=row["reader"],
        )
    except ValueError as error:
        raise DecisionError(str(error)) from None
