"""Rows of `raw_responses`: what came of every planned sample, as the ledger has it."""

from collections.abc import Iterator
from typing import Any

from geo_assets.ledger import Ledger
from geo_assets.model.states import Outcome


def response_rows(ledger: Ledger, date: str, platform: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """(tenant, row) of every sample of the partition."""
    facts = ledger.sample_facts(date, platform)
    for sample, fact in zip(ledger.samples(date, platform), facts, strict=True):
        p, state = sample.planned, sample.state
        failed = sample.outcome in (Outcome.FAILED, Outcome.UNCERTAIN, Outcome.FILTERED, Outcome.UNREADABLE)
        yield (
            p.tenant,
            {
                "sample_id": p.sample_id,
                "monitor": p.monitor,
                "question_id": p.question_id,
                "question_revision": p.question_revision,
                "repeat_index": p.repeat_index,
                "submission_state": state.submission.value,
                "collection_state": state.collection.value,
                "evidence_state": state.evidence.value,
                "outcome": sample.outcome.value,
                "outcome_reason": sample.outcome_reason,
                "late": sample.late,
                "attempts": sample.attempts,
                "exchanges": fact.exchanges,
                "attempt_id": sample.accepted_attempt,
                "response_digest": sample.response_digest,
                "response_bytes": sample.response_bytes,
                "http_status": sample.http_status,
                "error_class": fact.error_class if failed else None,
                "error_code": fact.error_code if failed else None,
                "asked_at": sample.asked_at,
                "answered_at": sample.answered_at,
                "charged_micros": sample.charged_micros,
                "currency": p.currency,
                "simulated": p.simulated,
            },
        )
