"""Planning a partition: from today's configuration to samples in the ledger. The first plan of a monitor's day wins.

One call plans all platforms of every monitor, so that one snapshot freezes the whole day whichever platform's run comes
first. A past day is never planned.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Literal

from geo_assets.configuration.clock import capture_date, zone_of
from geo_assets.configuration.planning import plan_batches, quote_lines
from geo_assets.ledger import Ledger
from geo_assets.ledger.projections import other_profile_date
from geo_assets.model.configuration import Platform, Project
from geo_assets.model.plans import Batch
from geo_assets.settings import SettingsError

if TYPE_CHECKING:
    from geo_assets.configuration.loader import LoadedProject


@dataclass(slots=True)
class PlanOutcome:
    """What planning a partition did: samples added to it, its quote in micros by currency, and lines for people."""

    added: int = 0
    quote: dict[str, int] = field(default_factory=dict)
    notices: list[str] = field(default_factory=list)


def has_key(name: str) -> bool:
    """Whether an environment variable with a key is set and not blank."""
    return bool(os.environ.get(name, "").strip())


def keyless(platform: Platform) -> str | None:
    """The variables that would give a platform its key, None where an account can be used."""
    if any(a.key_env is None or has_key(a.key_env) for a in platform.accounts):
        return None
    return ", ".join(a.key_env for a in platform.accounts if a.key_env)


def tenant_weights(project: Project) -> dict[str, float]:
    """Tenant → weight, where it is not 1. It orders the asking; it changes nothing that is asked."""
    return {name: tenant.weight for name, tenant in project.tenants.items() if tenant.weight != 1.0}


def _batches(project: "LoadedProject", date: str, profile: Literal["simulated", "live"]) -> Iterator[Batch]:
    """The day's batches, one monitor at a time: a day of many monitors is never in memory whole."""
    for name in sorted(project.monitors):
        yield from plan_batches(project, date, profile=profile, keys=has_key, monitors=[name])


def plan_partition(
    ledger: Ledger,
    project: "LoadedProject",
    profile: Literal["simulated", "live"],
    date: str,
    platform: str,
    *,
    replan: bool = False,
    now: datetime | None = None,
) -> PlanOutcome:
    """Plan all monitors for `date` if it is today in the project zone; report on one platform's part of it."""
    outcome = PlanOutcome()
    simulated = profile == "simulated"
    if (mixed := other_profile_date(ledger, simulated=simulated)) is not None:
        theirs = "live" if simulated else "simulated"
        raise SettingsError(
            f"this ledger holds {theirs} samples (since {mixed}) and the profile is {profile}: the two never share a "
            "ledger. Unset GEO_LEDGER_URL or give each profile its own"
        )
    today = capture_date(now or datetime.now(UTC), zone_of(project.project))
    if date != today:
        outcome.notices.append(f"{date} is not today ({today}): nothing is planned, the stored plan is exported")
        return outcome
    reasons: dict[tuple[str, str, str], str] = {}
    for batch in _batches(project, date, profile):
        if batch.samples:
            done = ledger.plan(batch, replan=replan)
            if done.added:
                outcome.added += sum(s.platform == platform for s in batch.samples)
        for line in quote_lines(batch):
            if line.platform == platform:
                outcome.quote[line.currency] = outcome.quote.get(line.currency, 0) + line.micros
        reasons |= {(batch.tenant, batch.monitor, name): reason for name, reason in batch.skipped.items()}
        if platform in batch.notices:
            outcome.notices.append(f"{batch.monitor}: {batch.notices[platform]}")
        outcome.notices += [
            f"{batch.monitor}: question `{dropped}` has the text of `{kept}` and is asked once"
            for kept, dropped in batch.merged_duplicates
        ]
    ledger.record_reasons(date, reasons)
    ledger.arrange(date, platform, tenant_weights(project.project))
    return outcome
