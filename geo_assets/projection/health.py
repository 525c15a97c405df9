"""Rows of `collection_health`: from the ledger alone, and where nothing was planned the reason.

A reason is either recorded by planning (no_key, paused, not_due, …) or follows from the calendar: `missed` where a
configured platform of a monitor has no plan on a past date that was due, `not_due` where it was not.
"""

from collections.abc import Iterator
from datetime import datetime
from typing import TYPE_CHECKING, Any

from geo_assets.configuration.clock import is_due, is_past, zone_of
from geo_assets.ledger import Ledger
from geo_assets.ledger.health import Health
from geo_assets.ledger.projections import planned_monitors
from geo_assets.model.states import RECEIVED, Outcome

if TYPE_CHECKING:
    from geo_assets.configuration.loader import LoadedProject
    from geo_assets.model.configuration import Monitor

Pair = tuple[str, dict[str, Any]]


def health_rows(
    ledger: Ledger, project: "LoadedProject", profile: str, date: str, platform: str, now: datetime
) -> Iterator[Pair]:
    """(tenant, row) per monitor that was planned on the partition or might have been."""
    charged = {(r.tenant, r.monitor): (r.charged, r.currency) for r in ledger.reconcile(date, platform)}
    planned = {(h.tenant, h.monitor): h for h in ledger.health(date, platform)}
    reasons = unplanned_reasons(ledger, project, date, platform, now)
    simulated = profile == "simulated"
    for tenant, monitor in sorted(planned.keys() | reasons.keys()):
        found = planned.get((tenant, monitor))
        micros, currency = charged.get((tenant, monitor), (0, None))
        reason = None if found else reasons[tenant, monitor]
        yield tenant, _row(monitor, found, reason, micros, currency, simulated=simulated)


def unplanned_reasons(
    ledger: Ledger, project: "LoadedProject", date: str, platform: str, now: datetime
) -> dict[tuple[str, str], str]:
    """(tenant, monitor) → why nothing was planned on this partition, for all that have no samples there."""
    planned = planned_monitors(ledger, date, platform)
    recorded = {(t, m): reason for (t, m, p), reason in ledger.day_reasons(date).items() if p == platform}
    found: dict[tuple[str, str], str] = dict(recorded)
    for monitor in project.monitors.values():
        key = (monitor.tenant, monitor.id)
        if key not in found and any(entry.id == platform for entry in monitor.platforms):
            found[key] = _calendar_reason(monitor, project, date, now)
    return {key: reason for key, reason in found.items() if key not in planned}


def _calendar_reason(monitor: "Monitor", project: "LoadedProject", date: str, now: datetime) -> str:
    if date < project.project.start_date:
        return "not_started"
    if not is_due(monitor, date):
        return "not_due"
    return "missed" if is_past(date, now, zone_of(project.project)) else "not_planned"


def _row(
    monitor: str, found: Health | None, reason: str | None, micros: int, currency: str | None, *, simulated: bool
) -> dict[str, Any]:
    outcomes = dict(found.outcomes) if found else {}
    return {
        "monitor": monitor,
        "reason": reason,
        "planned": sum(outcomes.values()),
        "asked": found.asked if found else 0,
        "answered": sum(n for name, n in outcomes.items() if Outcome(name) in RECEIVED),
        "open": outcomes.get(Outcome.OPEN.value, 0),
        "outcomes": [{"name": name, "count": n} for name, n in sorted(outcomes.items())],
        "late": found.late if found else 0,
        "uncertain": outcomes.get(Outcome.UNCERTAIN.value, 0),
        "attempts": found.sent if found else 0,
        "attempts_per_sample": found.attempts_per_sample if found else None,
        "errors": [{"name": name, "count": n} for name, n in sorted(found.error_classes.items())] if found else [],
        "queue_wait_p50": found.queue_wait.p50 if found else None,
        "queue_wait_p95": found.queue_wait.p95 if found else None,
        "acceptance_p50": found.acceptance.p50 if found else None,
        "acceptance_p95": found.acceptance.p95 if found else None,
        "answer_p50": found.time_to_answer.p50 if found else None,
        "answer_p95": found.time_to_answer.p95 if found else None,
        "charged_micros": micros,
        "currency": currency,
        "simulated": simulated,
    }
