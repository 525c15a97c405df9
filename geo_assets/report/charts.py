"""Charts as Vega-Lite specifications, drawn to SVG (the report) and PNG (other pages) without a browser.

Layout never depends on the fonts of the machine: fixed padding, no legends, so that equal rows give equal bytes. The
colours named here are handles: the page's style sheet maps them to its light and dark values.
"""

import json
import warnings
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

Spec = dict[str, Any]

OWN = "#0f766e"
RIVALS = ("#b4690e", "#6d5bd0", "#2f6fb5", "#b8457b", "#5f8a1f", "#8a6d4f", "#4b8f9c", "#7b8794")
INK, FAINT, GRID = "#1f2a33", "#6b7780", "#dfe4e8"
FONT = "system-ui, -apple-system, 'Segoe UI', 'PingFang SC', 'Microsoft YaHei', 'Noto Sans CJK SC', sans-serif"
PNG_FONT = "Noto Sans CJK SC, Source Han Sans SC, WenQuanYi Zen Hei, PingFang SC, Microsoft YaHei, sans-serif"


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


def rates(rows: Sequence[Mapping[str, Any]], names: Mapping[str, str], own: str, *, width: int = 360) -> Spec:
    """Dots with intervals, one line per brand: for pages that show a chart as a picture."""
    values = [
        {
            "brand": names.get(r["brand"], r["brand"]),
            "value": r["value"],
            "low": r["low"],
            "high": r["high"],
            "own": r["brand"] == own,
        }
        for r in sorted(rows, key=lambda r: (r["brand"] != own, -(r["value"] or 0.0), r["brand"]))
    ]
    y = {
        "field": "brand",
        "type": "nominal",
        "sort": None,
        "axis": {"labelColor": INK, "labelFontSize": 13, "labelLimit": 180},
    }
    colour = {"condition": {"test": "datum.own", "value": OWN}, "value": RIVALS[-1]}
    x = {"type": "quantitative", "scale": {"domain": [0, 1]}, "axis": {"format": ".0%", "tickCount": 5}}
    return {
        "$schema": "https://vega.github.io/schema/vega-lite/v6.json",
        "width": width,
        "height": {"step": 28},
        "data": {"values": values},
        "layer": [
            {
                "mark": {"type": "rule", "strokeWidth": 6, "opacity": 0.3, "strokeCap": "round"},
                "encoding": {"y": y, "x": x | {"field": "low"}, "x2": {"field": "high"}, "color": colour},
            },
            {
                "mark": {"type": "point", "filled": True, "size": 90, "opacity": 1},
                "encoding": {"y": y, "x": x | {"field": "value"}, "color": colour},
            },
        ],
        "config": _config(PNG_FONT) | {"background": "white"},
    }


def to_svg(spec: Spec) -> str:
    """The chart as an SVG element, to stand inside a page."""
    import vl_convert

    svg: str = vl_convert.vegalite_to_svg(json.dumps(spec, ensure_ascii=False, sort_keys=True))
    return svg


def chart_png(spec: Spec, *, scale: float = 1.5) -> bytes:
    """The chart as PNG bytes. Warns where no font of this machine has Chinese glyphs: labels would be boxes."""
    import vl_convert

    text = json.dumps(spec, ensure_ascii=False, sort_keys=True)
    if not text.isascii() and not has_cjk_font():
        warnings.warn(
            "no font with Chinese glyphs found: install one (Debian: fonts-noto-cjk or fonts-wqy-zenhei) to get labels "
            "instead of boxes in PNG charts; the HTML report is not affected",
            RuntimeWarning,
            stacklevel=2,
        )
    png: bytes = vl_convert.vegalite_to_png(text, scale=scale)
    return png


@cache
def has_cjk_font() -> bool:
    """Whether the drawing engine finds a font that holds Chinese: two different characters must differ in pixels."""
    import vl_convert

    def draw(text: str) -> bytes:
        svg = (
            '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="24">'
            f'<text x="2" y="18" font-size="16" font-family="{PNG_FONT}">{text}</text></svg>'
        )
        png: bytes = vl_convert.svg_to_png(svg)
        return png

    return draw("一") != draw("龘")
