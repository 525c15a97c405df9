"""The numbers of the page: what `daily_visibility` says, arranged for readers. Nothing is computed anew here."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date as calendar_date
from datetime import timedelta
from typing import Any

from geo_assets.metrics.names import metric_name
from geo_assets.model.dictionary import BrandEntry
from geo_assets.report.charts import RIVALS, colours, to_svg, trend
from geo_assets.report.inputs import MonitorInput, PlatformInfo, Row
from geo_assets.report.numbers import DASH, count, interval, percent, plain
from geo_assets.report.texts import VERDICTS, WORDS, Text, reason

ALL = "all"
TREND_DAYS = 28
MAX_BRANDS = 25
MAX_LINES = 1 + len(RIVALS)
Key = tuple[str, str, str, str]
Item = dict[str, Any]
STANDING = (
    "mention_rate",
    "sov_answers",
    "first_mention_rate",
    "reciprocal_rank",
    "recommended_rate",
    "negative_rate",
    "citation_rate:cited",
    "ghost_rate:cited",
)


class Numbers:
    """Headline rows of all questions, by platform, brand, window and metric."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self._rows: dict[Key, Row] = {}
        for row in rows:
            if row["headline"] and row["segment"] == "all":
                key = (row["platform"], row["brand"], row["window"], row["metric"])
                kept = self._rows.get(key)
                if kept is None or (kept["value"] is None and row["value"] is not None):
                    self._rows[key] = row

    def get(self, platform: str, brand: str, metric: str, window: str = "date") -> Row | None:
        """The row, or None where the table has none."""
        return self._rows.get((platform, brand, window, metric))

    def value(self, platform: str, brand: str, metric: str, window: str = "date") -> float | None:
        """Its value; None where there is no row or no number."""
        row = self.get(platform, brand, metric, window)
        return None if row is None else row["value"]


def cell(row: Row | None, *, unit: str = "share", names: Mapping[str, Text] | None = None) -> Item:
    """What a table cell shows: number, interval, n, ends of the bar in percent, or a dash with its reason."""
    if row is None:
        return {"text": DASH, "interval": "", "n": "", "why": Text("", ""), "bar": None}
    value = row["value"]
    shown = percent(value) if unit == "share" else plain(value)
    bar = None
    if unit == "share" and value is not None and row["low"] is not None:
        bar = {
            "low": round(row["low"] * 100, 2),
            "width": round((row["high"] - row["low"]) * 100, 2),
            "at": round(value * 100, 2),
        }
    n = count(row["denominator"]) if row["denominator"] is not None and value is not None else ""
    return {
        "text": shown,
        "interval": interval(row, unit=unit),
        "n": n,
        "why": reason(row["null_reason"], names),
        "bar": bar,
    }


def columns(monitor: MonitorInput) -> list[PlatformInfo]:
    """Platforms of the tables: `all` first where there are several."""
    overall = PlatformInfo(ALL, "All platforms", "全部平台", channel="")
    return ([overall] if len(monitor.platforms) > 1 else []) + list(monitor.platforms)


def platform_name(platform: PlatformInfo) -> Text:
    """A platform's name in both languages."""
    return Text(platform.name_zh or platform.name, platform.name)


def platform_names(monitor: MonitorInput) -> dict[str, Text]:
    """Platform → its name in both languages."""
    return {p.id: platform_name(p) for p in columns(monitor)}


def ranking(monitor: MonitorInput, numbers: Numbers) -> list[BrandEntry]:
    """Tracked brands by mention rate (over all platforms, else the mean of what there is), own first among equals."""

    def level(brand: BrandEntry) -> float:
        overall = numbers.value(columns(monitor)[0].id, brand.id, "mention_rate")
        if overall is not None:
            return overall
        known = [v for p in monitor.platforms if (v := numbers.value(p.id, brand.id, "mention_rate")) is not None]
        return sum(known) / len(known) if known else -1.0

    own = monitor.dictionary.own.id
    return sorted(monitor.dictionary.tracked, key=lambda b: (-level(b), b.id != own, b.id))


def shown_brands(monitor: MonitorInput, numbers: Numbers, most: int) -> list[BrandEntry]:
    """The `most` tracked brands that are named most, the own brand always among them, in the order of `ranking`."""
    order = ranking(monitor, numbers)
    own = next(b for b in order if b.id == monitor.dictionary.own.id)
    top = order[:most]
    return top if own in top else [*top[:-1], own]


def _palette(monitor: MonitorInput, numbers: Numbers) -> dict[str, str]:
    """Colours of the brands that have a line of their own in charts; more lines could not be told apart."""
    tracked = monitor.dictionary.tracked
    if len(tracked) > MAX_LINES:
        chosen = {b.id for b in shown_brands(monitor, numbers, MAX_LINES)}
        tracked = tuple(b for b in tracked if b.id in chosen)
    return colours([b.id for b in tracked], monitor.dictionary.own.id)


def who(monitor: MonitorInput, numbers: Numbers) -> list[Item]:
    """Brands × platforms: mention rates with intervals; products follow their brand."""
    own = monitor.dictionary.own.id
    shown = shown_brands(monitor, numbers, MAX_BRANDS)
    palette = _palette(monitor, numbers)
    known = platform_names(monitor)
    rows = []
    for brand in shown:
        products = [b for b in monitor.dictionary.brands if b.parent == brand.id]
        for entry in (brand, *products):
            cells = []
            for platform in columns(monitor):
                item = cell(numbers.get(platform.id, entry.id, "mention_rate"), names=known)
                low, high = (numbers.value(platform.id, entry.id, f"mention_rate_{e}") for e in ("low", "high"))
                if percent(low) != percent(high):
                    item["bounds"] = WORDS["bounds"].fill(low=percent(low).removesuffix("%"), high=percent(high))
                cells.append(item)
            rows.append(
                {
                    "name": entry.name,
                    "own": entry.id == own,
                    "product": entry.parent is not None,
                    "colour": palette.get(brand.id, "transparent"),
                    "cells": cells,
                }
            )
    return rows


def standing(monitor: MonitorInput, numbers: Numbers) -> Item:
    """Platforms × metrics of the own brand."""
    own, known = monitor.dictionary.own.id, platform_names(monitor)
    rows = []
    for platform in columns(monitor):
        cells = []
        for metric in STANDING:
            row = numbers.get(platform.id, own, metric)
            if row is not None and row["null_reason"] == "retrieved_only":
                retrieved = numbers.get(platform.id, own, metric.replace(":cited", ":retrieved"))
                item = cell(retrieved) | {"note": WORDS["retrieved"]}
            else:
                item = cell(row, unit="score" if metric == "reciprocal_rank" else "share", names=known)
            mean = numbers.value(platform.id, own, "mean_rank") if metric == "reciprocal_rank" else None
            if mean is not None:
                item["note"] = WORDS["mean_rank_short"].fill(value=plain(mean, 1))
            cells.append(item)
        rows.append({"platform": platform, "name": platform_name(platform), "cells": cells})
    heads = [Text(metric_name(m).zh, metric_name(m).en) for m in STANDING]
    return {"heads": heads, "rows": rows}


def cards(monitor: MonitorInput, numbers: Numbers) -> list[Item]:
    """Five large numbers of the own brand over all platforms (its only platform where there is one)."""
    own, first = monitor.dictionary.own.id, columns(monitor)[0].id
    items = []
    for metric, unit in (
        ("mention_rate", "share"),
        ("sov_answers", "share"),
        ("reciprocal_rank", "score"),
        ("recommended_rate", "share"),
        ("citation_rate:cited", "share"),
    ):
        name = metric_name(metric)
        week = numbers.get(first, own, metric, "7d")
        shown = cell(week, unit=unit)["text"] if week is not None and week["value"] is not None else None
        items.append(
            {
                "name": Text(name.zh, name.en),
                "means": Text(name.means_zh, name.means_en),
                "week": WORDS["seven_days"].fill(value=shown) if shown else None,
                **cell(numbers.get(first, own, metric), unit=unit, names=platform_names(monitor)),
            }
        )
    return items


def leads(monitor: MonitorInput, numbers: Numbers) -> list[Text]:
    """One sentence on all platforms where they are complete, else one on each platform."""
    brand, tracked = monitor.dictionary.own, monitor.dictionary.tracked
    shown = columns(monitor)
    whole = shown[0].id == ALL and numbers.value(ALL, brand.id, "mention_rate") is not None
    sentences = []
    for platform in shown[:1] if whole else monitor.platforms:
        row = numbers.get(platform.id, brand.id, "mention_rate")
        if row is None or row["value"] is None:
            why = reason(row["null_reason"] if row else "not_planned")
            text = Text("{name}：{rest}", "{name}: {rest}")
            sentences.append(text.fill(name=platform_name(platform), rest=WORDS["no_answer"].fill(reason=why)))
            continue
        rates = [numbers.value(platform.id, b.id, "mention_rate") or 0.0 for b in tracked]
        ends = interval(row)
        sentences.append(
            WORDS["lead_all" if whole else "lead"].fill(
                scope=platform_name(platform),
                n=count(row["denominator"]),
                brand=brand.name,
                value=percent(row["value"]),
                interval=Text(f"（{ends}）", f" ({ends})") if ends else "",
                place=1 + sum(r > row["value"] for r in rates),
                tracked=len(tracked),
            )
        )
    return sentences


def trends(monitor: MonitorInput, date: str) -> Item | None:
    """One chart per platform of mention rates over the days since the first one known, 28 at most."""
    tables: dict[str, Sequence[Row]] = {**monitor.history, date: monitor.daily}
    first = max(min(tables), (calendar_date.fromisoformat(date) - timedelta(days=TREND_DAYS - 1)).isoformat())
    span = (calendar_date.fromisoformat(date) - calendar_date.fromisoformat(first)).days
    if span < 1:
        return None
    dates = [(calendar_date.fromisoformat(first) + timedelta(days=n)).isoformat() for n in range(span + 1)]
    days = {d: Numbers(tables[d]) for d in dates if d in tables}
    palette = _palette(monitor, Numbers(monitor.daily))
    drawn_brands = [b for b in monitor.dictionary.tracked if b.id in palette]
    brands = [b.id for b in drawn_brands]
    own = monitor.dictionary.own.id
    panels: list[tuple[PlatformInfo, dict[str, dict[str, Row]]]] = []
    for platform in columns(monitor):
        lines: dict[str, dict[str, Row]] = {}
        for brand in brands:
            rows = {d: row for d, n in days.items() if (row := n.get(platform.id, brand, "mention_rate")) is not None}
            lines[brand] = {d: row for d, row in rows.items() if row["value"] is not None}
        panels.append((platform, lines))
    drawn = [(b, row) for _, lines in panels for b, rows in lines.items() for row in rows.values()]
    highest = max((float((row["high"] if b == own else None) or row["value"]) for b, row in drawn), default=1.0)
    top = min(1.0, max(0.2, -(-highest // 0.2) * 0.2))
    return {
        "panels": [
            {"name": platform_name(p), "svg": to_svg(trend(dates, lines, own, palette, top=top))} for p, lines in panels
        ],
        "legend": [{"name": b.name, "colour": palette[b.id], "own": b.id == own} for b in drawn_brands],
    }


def verdicts(monitor: MonitorInput) -> list[Item]:
    """Judged changes, those that moved first."""
    names = {b.id: b.name for b in monitor.dictionary.brands}
    known = platform_names(monitor)
    rows = []
    own = monitor.dictionary.own.id

    def order(change: Row) -> tuple[Any, ...]:
        return (
            change["kind"] != "moved",
            change["platform"],
            change["brand"] != own,
            change["brand"],
            change["metric"],
        )

    for change in sorted(monitor.changes, key=order):
        name = metric_name(str(change["metric"]))
        unit = plain if change["metric"] == "reciprocal_rank" else percent
        rows.append(
            {
                "platform": known.get(change["platform"], Text(str(change["platform"]), str(change["platform"]))),
                "brand": names.get(change["brand"], change["brand"]),
                "metric": Text(name.zh, name.en),
                "kind": str(change["kind"]),
                "verdict": VERDICTS[str(change["kind"])],
                "base": unit(change["base"]),
                "recent": unit(change["recent"]),
                "visible": unit(change["smallest_visible"]),
                "reason": change.get("reason") or "",
            }
        )
    return rows
