"""Rows of `spend`: the cost book of a partition, reconciled."""

from collections.abc import Iterator
from typing import Any

from geo_assets.ledger import Ledger


def spend_rows(ledger: Ledger, date: str, platform: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """(tenant, row) per monitor and currency."""
    simulated = {(b.tenant, b.monitor): b.simulated for b in ledger.batches(date)}
    lines = sorted(ledger.reconcile(date, platform), key=lambda r: (r.tenant, r.monitor, r.currency))
    for line in lines:
        yield (
            line.tenant,
            {
                "monitor": line.monitor,
                "currency": line.currency,
                "quoted_micros": line.estimated,
                "held_micros": line.reserved,
                "charged_micros": line.charged,
                "refunded_micros": line.refunded,
                "adjusted_micros": line.adjusted,
                "unreconciled_micros": line.unreconciled,
                "committed_micros": line.committed,
                "attempts": line.attempts,
                "unexplained": line.unexplained_attempts,
                "simulated": simulated.get((line.tenant, line.monitor), False),
            },
        )
