"""Which tenants have a file in a partition: those with a plan on the date, and those of the present configuration."""

from typing import TYPE_CHECKING

from geo_assets.ledger import Ledger

if TYPE_CHECKING:
    from geo_assets.configuration.loader import LoadedProject


def tenants_of(ledger: Ledger, project: "LoadedProject", date: str) -> list[str]:
    """Tenants, sorted. A tenant whose monitors all left the configuration keeps its history."""
    planned = {batch.tenant for batch in ledger.batches(date)}
    reasons = {tenant for tenant, _, _ in ledger.day_reasons(date)}
    return sorted(planned | reasons | {m.tenant for m in project.monitors.values()})
