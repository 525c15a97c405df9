"""From configuration to what the collector is asked to do for one partition: keys, deadlines, budgets, base URL."""

import os
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Literal

from geo_assets.collection.alerts import Destination
from geo_assets.collection.planning import tenant_weights
from geo_assets.collection.request import CollectRequest
from geo_assets.configuration.clock import collection_bounds, window_of, zone_of
from geo_assets.configuration.prices import micros
from geo_assets.ledger.budgets import Budgets
from geo_assets.model.configuration import Platform

if TYPE_CHECKING:
    from geo_assets.configuration.loader import LoadedProject

MAX_IDLE_SECONDS = 20.0
"""How long a slice waits for something to be due before it gives its run slot back."""


@dataclass(frozen=True, slots=True)
class Slice:
    """How long one run works: `minutes` 0 = the project's slice, below 0 = until nothing is open.

    `whole_day` asks until local midnight instead of the end of the platform's window. `monitors`: only these.
    """

    minutes: float = 0.0
    whole_day: bool = True
    monitors: tuple[str, ...] = ()


def keys_of(platform: Platform, profile: Literal["simulated", "live"], simulated_key: str) -> dict[str, str | None]:
    """Account id → key, for accounts that can be used; None where an account needs no key."""
    if profile == "simulated":
        return {a.id: simulated_key for a in platform.accounts}
    found: dict[str, str | None] = {}
    for account in platform.accounts:
        key = os.environ.get(account.key_env, "").strip() if account.key_env else None
        if key or account.key_env is None:
            found[account.id] = key
    return found


def budgets_of(project: "LoadedProject", platform: Platform) -> Budgets:
    """Daily caps of a platform and of all monitors, in micros."""
    return Budgets(
        monitors={
            (m.tenant, m.id): {currency: micros(amount) for currency, amount in m.daily_budget.items()}
            for m in project.monitors.values()
            if m.daily_budget
        },
        platform={currency: micros(amount) for currency, amount in platform.daily_budget.items()},
        retry_percent={(m.tenant, m.id): m.retry_budget_percent for m in project.monitors.values()},
    )


def collect_request(
    project: "LoadedProject",
    platform: Platform,
    date: str,
    work: Slice,
    *,
    base_url: str,
    keys: dict[str, str | None],
    destinations: tuple[Destination, ...] = (),
) -> CollectRequest:
    """The request for one partition. Raises LookupError for an unknown monitor."""
    settings = project.project
    zone = zone_of(settings)
    window = None if work.whole_day else window_of(settings, platform)
    deadline: datetime = collection_bounds(date, window, zone).closes
    minutes = settings.slice_minutes if work.minutes == 0 else work.minutes
    return CollectRequest(
        platform=platform,
        date=date,
        timezone=settings.timezone,
        base_url=base_url,
        keys=keys,
        deadline=deadline,
        slice_seconds=None if minutes < 0 else minutes * 60,
        max_idle_seconds=None if minutes < 0 else MAX_IDLE_SECONDS,
        monitors=tuple((project.monitor(m).tenant, m) for m in work.monitors),
        budgets=budgets_of(project, platform),
        tenant_weights=tenant_weights(settings),
        destinations=destinations,
        uncertain_policy=settings.uncertain_policy,
        max_attempts=settings.max_attempts,
    )
