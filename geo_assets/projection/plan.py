"""Rows of `sampling_plan`: the plan as the ledger froze it."""

from collections.abc import Iterator
from typing import Any

from geo_assets.ledger import Ledger


def plan_rows(ledger: Ledger, date: str, platform: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """(tenant, row) of every planned sample, withdrawn ones included: their number is part of the plan's history."""
    for sample in ledger.samples(date, platform):
        p = sample.planned
        yield (
            p.tenant,
            {
                "sample_id": p.sample_id,
                "monitor": p.monitor,
                "question_id": p.question_id,
                "question_revision": p.question_revision,
                "repeat_index": p.repeat_index,
                "batch_id": p.batch_id,
                "snapshot_hash": sample.snapshot_hash,
                "question_text": p.question_text,
                "language": p.language,
                "intent": p.intent,
                "tags": list(p.tags),
                "weight": p.weight,
                "region": p.region,
                "device": p.device,
                "mode": p.mode,
                "slot": p.slot,
                "position": p.position,
                "priority": p.priority,
                "model_asked": p.model,
                "search_asked": p.search,
                "price_version": p.price_version,
                "currency": p.currency,
                "estimate_micros": p.estimate_micros,
                "simulated": p.simulated,
            },
        )
