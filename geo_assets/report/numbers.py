"""Numbers as readers see them: percentages that never round to a lie, intervals, ranks, money."""

from collections.abc import Mapping
from typing import Any

from geo_assets.model.money import format_micros

DASH = "—"


def percent(value: float | None) -> str:
    """A share as a percentage: whole numbers from 10 %, one decimal near the ends, 0 and 100 only where exact."""
    if value is None:
        return DASH
    if value in {0.0, 1.0}:
        return f"{value:.0%}"
    if 0.0995 <= value < 0.9905:
        return f"{value:.0%}"
    shown = f"{value:.1%}"
    return {"0.0%": "<0.1%", "100.0%": ">99.9%"}.get(shown, shown)


def interval(row: Mapping[str, Any], *, unit: str = "share") -> str:
    """`33–52%` for shares, `1.4–2.6` for other units; empty where there is no interval."""
    if row.get("low") is None or row.get("high") is None:
        return ""
    if unit != "share":
        return f"{row['low']:.2f}–{row['high']:.2f}"
    low, high = percent(row["low"]), percent(row["high"])
    return f"{low.removesuffix('%')}–{high}"


def plain(value: float | None, digits: int = 2) -> str:
    """A number with fixed digits, a dash where there is none."""
    return DASH if value is None else f"{value:.{digits}f}"


def money(micros: int, currency: str) -> str:
    """An amount with its currency."""
    return format_micros(int(micros), currency)


def count(value: float | None) -> str:
    """A count with thousands separators."""
    return DASH if value is None else f"{value:,.0f}"
