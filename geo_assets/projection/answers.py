"""Rows of `answers`: stored exchanges read into the normal form, and the text judged. Asks nobody, knows no brand."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from geo_assets.analysis.review import apply_decisions
from geo_assets.analysis.validity import read_validity
from geo_assets.analysis.validity_topic import is_by_subject
from geo_assets.analysis.version import READER
from geo_assets.ledger import Ledger
from geo_assets.ledger.projections import PlacedExchange
from geo_assets.model.answers import (
    Ask,
    Citation,
    Completed,
    Exchange,
    HttpRequest,
    HttpResponse,
    NormalAnswer,
    Rejected,
    Reply,
)
from geo_assets.model.readings import Reading, ValidityReading
from geo_assets.model.review import ReviewDecision
from geo_assets.model.states import RECEIVED, Outcome, Validity, reading_outcome
from geo_assets.platforms.connector import Connector
from geo_assets.projection.asking import AskBuilder
from geo_assets.projection.merging import Lookahead, row_key
from geo_assets.projection.reviews import ReviewBook

Pair = tuple[str, dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Reparsed:
    """What the stored exchanges of an attempt say when they are read again, and which code read them."""

    reply: Reply | None
    parser: str
    digest: str | None


def stored_exchange(placed: PlacedExchange, read: Callable[[str], bytes]) -> Exchange | None:
    """An exchange as the connector saw it, None where no response came. Request bodies are not needed for reading."""
    x = placed.exchange
    if x.response_digest is None:
        return None
    body = read(x.response_digest)
    response = HttpResponse(x.http_status or 0, dict(x.response_headers), body)
    return Exchange(x.leg, x.kind, HttpRequest("POST", ""), response)


def reparse(
    ask: Ask, connector: Connector, placed: list[PlacedExchange], read: Callable[[str], bytes], digest: str | None
) -> Reparsed:
    """Read stored exchanges with today's connector, up to the one whose entity the ledger took as the answer."""
    parser = f"{connector.dialect}/{connector.version}"
    exchanges: list[Exchange] = []
    for item in placed:
        exchange = stored_exchange(item, read)
        if exchange is not None and exchange.kind in ("submit", "poll", "lookup"):
            exchanges.append(exchange)
        if digest is not None and item.exchange.response_digest == digest and item.exchange.kind != "cancel":
            break
    return Reparsed(connector.read(ask, exchanges) if exchanges else None, parser, digest)


def answer_rows(
    plan: Iterator[Pair],
    responses: Iterator[Pair],
    ledger: Ledger,
    read: Callable[[str], bytes],
    asks: AskBuilder,
    date: str,
    platform: str,
    reviews: ReviewBook | None = None,
) -> Iterator[Pair]:
    """(tenant, row) for every sample of `raw_responses`, in its order. Raises what `read` raises on lost evidence."""
    planned = Lookahead(plan, row_key)
    exchanges = Lookahead(
        ledger.placed_exchanges(date, platform, accepted_only=True),
        lambda p: (p.tenant, p.monitor, p.exchange.sample_id),
    )
    for tenant, response in responses:
        key = row_key((tenant, response))
        asked = planned.one(key)
        if asked is None:
            msg = f"raw_responses {date}|{platform} has sample {key[2]}, which sampling_plan lacks: materialize both"
            raise LookupError(msg)
        placed = [p for p in exchanges.take(key) if p.exchange.attempt_id == response["attempt_id"]]
        reparsed = None
        if placed:
            ask, connector = asks.ask(asked[1], platform, response["attempt_id"])
            reparsed = reparse(ask, connector, placed, read, response["response_digest"])
        decided = reviews.of(response["response_digest"]) if reviews else ()
        yield tenant, answer_row(asked[1], response, reparsed, decided)


def answer_row(
    plan: dict[str, Any],
    response: dict[str, Any],
    reparsed: Reparsed | None,
    decisions: Iterable[ReviewDecision] = (),
) -> dict[str, Any]:
    """One row of `answers` from the plan's row, the response's row, what the evidence says and what people decided."""
    outcome = Outcome(response["outcome"])
    reply = reparsed.reply if reparsed else None
    answer = reply.answer if isinstance(reply, Completed) else None
    reason = response["outcome_reason"]
    judged: ValidityReading | None = None
    if answer is not None and outcome in RECEIVED:
        judged = read_validity(
            answer.text,
            plan["question_text"],
            finish_reason=answer.finish_reason,
            refusal=answer.refusal,
            outcome=outcome,
        )
        judged = _decided(_doubt_counts(judged), decisions)
        read_as = reading_outcome(outcome, judged.validity)
        if read_as is not outcome:
            outcome, reason = read_as, judged.reason
    elif outcome is Outcome.COUNTED:
        # The ledger took it for an answer and today's parser does not: a parser fault, for a person to see.
        outcome = Outcome.UNREADABLE
        reason = f"stored response no longer parses: {reply.message}" if isinstance(reply, Rejected) else "no entity"
    usage = answer.usage if answer else None
    return {
        **{k: response[k] for k in ("sample_id", "monitor", "question_id", "question_revision", "repeat_index")},
        "question_text": plan["question_text"],
        "language": plan["language"],
        "outcome": outcome.value,
        "outcome_reason": None if outcome is Outcome.COUNTED else reason,
        "validity": judged.validity.value if judged else None,
        "validity_reason": judged.reason if judged else None,
        "validity_confidence": judged.confidence if judged else None,
        "validity_review": bool(judged and judged.review),
        "text": answer.text if answer else None,
        "text_chars": len(answer.text) if answer else 0,
        "finish_reason": answer.finish_reason.value if answer else None,
        "search_asked": plan["search_asked"],
        "search_state": answer.search_state.value if answer else None,
        "searches": list(answer.searches) if answer else None,
        "citations_observable": bool(answer and answer.citations is not None),
        "citation_mode": answer.citation_mode.value if answer else None,
        "citations": _citations(answer),
        "model_asked": plan["model_asked"],
        "model_served": answer.model_served if answer else None,
        "input_tokens": usage.input_tokens if usage else None,
        "output_tokens": usage.output_tokens if usage else None,
        "thinking_tokens": usage.thinking_tokens if usage else None,
        "warnings": list(answer.warnings) if answer else [],
        "late": response["late"],
        "reader": READER,
        "evidence_digest": reparsed.digest if reparsed else None,
        "parser": reparsed.parser if reparsed else None,
        "simulated": response["simulated"],
    }


def _doubt_counts(judged: ValidityReading) -> ValidityReading:
    """A verdict that rests on the subject alone, and weakly, is a doubt: the answer counts until a person decides.

    To leave such answers out would bias rates: a bare list of makers shares few words with any question. Knowing that
    a brand is named must not decide it either, for then only answers without the brand would be left out.
    """
    if not (judged.review and is_by_subject(judged)):
        return judged
    return replace(judged, validity=Validity.OK, reason=f"counted, in doubt: {judged.reason}")


def _decided(judged: ValidityReading, decisions: Iterable[ReviewDecision]) -> ValidityReading:
    """The reading with what people decided about its validity."""
    return apply_decisions(Reading(READER, "", judged, (), None), decisions).validity


def _citations(answer: NormalAnswer | None) -> list[dict[str, Any]] | None:
    if answer is None or answer.citations is None:
        return None
    return [_citation(c) for c in answer.citations]


def _citation(citation: Citation) -> dict[str, Any]:
    return {
        "order": citation.order,
        "url": citation.url,
        "title": citation.title,
        "site": citation.site,
        "marker": citation.marker,
        "citation_basis": citation.basis.value,
        "spans": [{"start": start, "end": end} for start, end in citation.spans],
    }
