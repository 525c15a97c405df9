"""Citation markers in running text (`[1]`, `[ref_1]`) and the numbered source list they point to.

What belongs here: matching markers to sources. What does not: URLs standing in the text, which are no citations of the
platform, and offsets that a platform gives itself.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from geo_assets.model.answers import Citation, CitationBasis

# `[1](https://…)` is a link whose label is a number, not a marker; `[ref_无]` ("none") is a marker without a source.
_MARKER = re.compile(r"\[(?:ref_)?(\d{1,3})\](?!\()|\[ref_([^\[\]\s]{1,8})\]")


@dataclass(frozen=True, slots=True)
class Source:
    """One entry of a platform's source list; `number` is what the text's markers call it."""

    number: str | None
    url: str
    title: str | None = None
    site: str | None = None


def cite(answer: str, sources: Sequence[Source]) -> tuple[tuple[Citation, ...], list[str]]:
    """Sources as citations, in the platform's order, and warnings.

    A source that a marker points to is `cited`, with the markers' spans (half-open, code points); the others are only
    `retrieved`. A marker that no source answers to, and a source without an address, make a warning.
    """
    spans: dict[str, list[tuple[int, int]]] = {}
    for found in _MARKER.finditer(answer):
        spans.setdefault(found[1] or found[2], []).append(found.span())
    citations: list[Citation] = []
    warnings: list[str] = []
    numbers: set[str] = set()
    for position, source in enumerate(sources, start=1):
        number = source.number or str(position)
        if not source.url:
            warnings.append(f"source {number} has no address")
            continue
        # Of two sources with one number the first gets the markers: the text cannot tell them apart.
        own = () if number in numbers else tuple(spans.get(number, ()))
        numbers.add(number)
        basis = CitationBasis.CITED if own else CitationBasis.RETRIEVED
        citations.append(Citation(source.url, basis, len(citations) + 1, source.title, source.site, number, own))
    warnings.extend(f"marker {number} has no source" for number in spans if number not in numbers)
    return tuple(citations), warnings
