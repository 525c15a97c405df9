"""The summary table that `geo run` ends with: what was asked and answered, the headline rates, the cost, the places."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from geo_assets.cli.common import table
from geo_assets.settings import Settings

if TYPE_CHECKING:
    from geo_assets.configuration.loader import LoadedProject


def summary(settings: Settings, day: str, platforms: Sequence[str]) -> dict[str, Any]:
    """Counts and cost per platform from the ledger's tables, headline mention rates from `daily_visibility`."""
    from geo_assets.lake.store import Lake, Partition
    from geo_assets.ledger import open_ledger
    from geo_assets.model.money import format_micros

    lake = Lake(settings.lake_root)
    rows = []
    with open_ledger(settings.ledger_url) as ledger:
        for name in platforms:
            status = ledger.status(day, name)
            charged: dict[str, int] = {}
            for line in ledger.reconcile(day, name):
                charged[line.currency] = charged.get(line.currency, 0) + line.charged
            outcomes = _outcomes(lake, Partition(day, name)) or dict(status.outcomes)
            failed = ("failed", "uncertain", "unreadable", "error_page", "login_page")
            rows.append(
                {
                    "platform": name,
                    "state": status.state.value,
                    "planned": status.planned,
                    "asked": status.planned
                    - outcomes.get("not_captured", 0)
                    - outcomes.get("over_budget", 0)
                    - status.open,
                    "answered": outcomes.get("counted", 0),
                    "empty": outcomes.get("empty", 0),
                    "refused": outcomes.get("refused", 0) + outcomes.get("filtered", 0),
                    "failed": sum(outcomes.get(o, 0) for o in failed),
                    "open": status.open,
                    "outcomes": {k: v for k, v in outcomes.items() if v},
                    "calls": status.attempts,
                    "cost": ", ".join(format_micros(m, c) for c, m in sorted(charged.items()) if m) or "–",
                }
            )
    return {
        "date": day,
        "profile": settings.profile,
        "platforms": rows,
        "mention_rates": _rates(lake, day),
        "lake": settings.lake_root,
        "report": f"{settings.report_root}/date={day}/report.html",
        "evidence_archive": settings.archive_root,
    }


def _outcomes(lake: Any, partition: Any) -> dict[str, int]:
    """Samples per exclusion state after reading."""
    counts: dict[str, int] = {}
    for _, row in lake.read_or_empty("answers", partition).rows(["outcome"]):
        counts[row["outcome"]] = counts.get(row["outcome"], 0) + 1
    return counts


def _rates(lake: Any, day: str) -> list[dict[str, Any]]:
    """Headline mention rates of brands (products left out), per monitor and platform."""
    from geo_assets.lake.store import Partition

    columns = ("monitor", "platform", "brand", "brand_role", "numerator", "denominator", "value", "low", "high")
    found = []
    wanted = [*columns, "window", "metric", "segment", "headline", "null_reason"]
    for tenant, row in lake.read_or_empty("daily_visibility", Partition(day)).rows(wanted):
        if row["metric"] == "mention_rate" and row["headline"] and row["window"] == "date" and row["segment"] == "all":
            found.append({"tenant": tenant, **{c: row[c] for c in columns}, "null_reason": row["null_reason"]})
    return found


def print_summary(found: dict[str, Any], project: "LoadedProject") -> None:
    """The same for people."""
    mark = "SIMULATED – not real answers" if found["profile"] == "simulated" else "live"
    headings = (
        "platform",
        "state",
        "planned",
        "asked",
        "answered",
        "empty",
        "refused",
        "failed",
        "open",
        "calls",
        "cost",
    )
    table(found["platforms"], {h: h for h in headings}, title=f"{found['date']} ({mark})")
    names = {
        brand.id: brand.name for monitor in project.monitors.values() for brand in (monitor.brand, *monitor.competitors)
    }
    for monitor in sorted({r["monitor"] for r in found["mention_rates"]}):
        mine = [r for r in found["mention_rates"] if r["monitor"] == monitor and r["brand"] in names]
        platforms = list(dict.fromkeys(r["platform"] for r in mine))
        platforms = [p for p in platforms if p != "all"] + [p for p in platforms if p == "all"]
        brands = sorted({(r["brand_role"] != "own", r["brand"]) for r in mine})
        lines = [
            {"brand": names[brand] + ("" if other else " *")}
            | {r["platform"]: _rate(r) for r in mine if r["brand"] == brand}
            for other, brand in brands
        ]
        table(
            lines,
            {"brand": "mention rate"} | {p: p for p in platforms},
            title=f"{monitor}: questions that name no tracked brand, 95 % interval, * = own brand",
        )
    click.echo(f"Parquet   {found['lake']}")
    click.echo(f"evidence  {found['evidence_archive']}")
    click.echo(f"report    {found['report']}")


def _rate(row: dict[str, Any]) -> str:
    if row["value"] is None:
        return row["null_reason"] or "–"
    counts = f" ({row['numerator']:.0f}/{row['denominator']:.0f})" if row["platform"] != "all" else ""
    interval = f" [{row['low']:.0%}–{row['high']:.0%}]" if row["low"] is not None else ""
    return f"{row['value']:.0%}{counts}{interval}"
