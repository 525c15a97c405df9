"""Charts as Vega-Lite specifications, drawn to SVG for the report without a browser.

Layout never depends on the fonts of the machine: fixed padding, no legends, so that equal rows give equal bytes. The
colours named here are handles: the page's style sheet maps them to its light and dark values.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

Spec = dict[str, Any]

OWN = "#0f766e"
RIVALS = ("#b4690e", "#6d5bd0", "#2f6fb5", "#b8457b", "#5f8a1f", "#8a6d4f", "#4b8f9c", "#7b8794")
FAINT, GRID = "#6b7780", "#dfe4e8"
FONT = "system-ui, -apple-system, 'Segoe UI', 'PingFang SC', 'Microsoft YaHei', 'Noto Sans CJK SC', sans-serif"


def colours(brands: Sequence[str], own: str) -> dict[str, str]:
    """Brand id → colour; the own brand's is fixed, others follow the order given."""
    rivals = [b for b in brands if b != own]
    return {own: OWN} | {b: RIVALS[i % len(RIVALS)] for i, b in enumerate(rivals)}


def _config(font: str) -> Spec:
    return {
        "font": font,
        "background": None,
        "view": {"stroke": None},
        "axis": {
            "labelColor": FAINT,
            "labelFontSize": 11,
            "gridColor": GRID,
            "domain": False,
            "ticks": False,
            "labelPadding": 6,
            "title": None,
            "labelOverlap": False,
        },
    }


def _svg_frame(width: int, height: int, left: int) -> Spec:
    return {
        "$schema": "https://vega.github.io/schema/vega-lite/v6.json",
        "width": width,
        "height": height,
        "autosize": {"type": "none", "contains": "content"},
        "padding": {"left": left, "right": 14, "top": 10, "bottom": 26},
    }


def trend(
    dates: Sequence[str],
    lines: Mapping[str, Mapping[str, Mapping[str, Any]]],
    own: str,
    palette: Mapping[str, str],
    *,
    top: float,
    width: int = 330,
    height: int = 130,
) -> Spec:
    """Lines of shares over `dates`; days without a value are gaps.

    Args:
        dates: every day of the axis, YYYY-MM-DD, without holes.
        lines: brand → date → row with value, low, high.
        own: the brand whose interval is drawn and whose line lies on top.
        palette: brand → colour.
        top: upper end of the axis, a share.
        width: of the plot, in pixels.
        height: of the plot, in pixels.
    """

    def points(brand: str) -> list[Spec]:
        found = lines.get(brand, {})
        return [
            {"date": d, "value": row.get("value"), "low": row.get("low"), "high": row.get("high")}
            for d in dates
            for row in [found.get(d, {})]
        ]

    step = max(1, -(-len(dates) // 5))
    ticks = list(dates[::-1][::step])[::-1]
    x = {
        "field": "date",
        "type": "ordinal",
        "scale": {"domain": list(dates), "type": "point", "padding": 0.3},
        "axis": {"values": ticks, "labelExpr": "slice(datum.value, 5)", "labelAngle": 0, "grid": False},
    }
    y = {
        "field": "value",
        "type": "quantitative",
        "scale": {"domain": [0, top], "nice": False},
        "axis": {"format": ".0%", "values": [0, top / 2, top]},
    }
    layers: list[Spec] = [
        {
            "data": {"values": points(own)},
            "mark": {"type": "area", "color": palette[own], "opacity": 0.14},
            "encoding": {"x": x, "y": y | {"field": "low"}, "y2": {"field": "high"}},
        }
    ]
    for brand in [b for b in lines if b != own] + [own]:
        mine = brand == own
        layers.append(
            {
                "data": {"values": points(brand)},
                "mark": {
                    "type": "line",
                    "color": palette[brand],
                    "strokeWidth": 2.4 if mine else 1.3,
                    "point": {"filled": True, "size": 26 if mine else 10, "color": palette[brand]},
                },
                "encoding": {"x": x, "y": y},
            }
        )
    return _svg_frame(width, height, 40) | {"layer": layers, "config": _config(FONT)}


def to_svg(spec: Spec) -> str:
    """The chart as an SVG element, to stand inside a page."""
    import vl_convert

    svg: str = vl_convert.vegalite_to_svg(json.dumps(spec, ensure_ascii=False, sort_keys=True))
    return svg
