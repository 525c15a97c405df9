"""Inline links in the way of OpenAI's search answers, with their offsets in code points."""

import re
from urllib.parse import urlsplit

from geo_assets.simulator.answers import SimulatedAnswer
from geo_assets.simulator.dialects.base import Body
from geo_assets.simulator.pieces import linked_text


def tagged(url: str) -> str:
    """The address as OpenAI cites it, with its own tracking parameter."""
    return url + ("&" if urlsplit(url).query else "?") + "utm_source=openai"


def openai_links(answer: SimulatedAnswer) -> tuple[str, list[Body]]:
    """The text with `([host](url))` after sentences, and one annotation per link.

    A verbatim answer keeps its text; what it links to itself is annotated where the link stands.
    """
    if answer.verbatim:
        return answer.text, _existing_links(answer)
    text, spans = linked_text(
        answer.pieces, lambda n: f"([{answer.sources[n - 1].host}]({tagged(answer.sources[n - 1].url)}))"
    )
    annotations = [
        {
            "start_index": span.start,
            "end_index": span.end,
            "title": answer.sources[span.source - 1].title,
            "url": tagged(answer.sources[span.source - 1].url),
        }
        for span in spans
    ]
    return text, annotations


def _existing_links(answer: SimulatedAnswer) -> list[Body]:
    """Links that the text holds already."""
    annotations = [
        {"start_index": match.start(), "end_index": match.end(), "title": source.title, "url": source.url}
        for source in answer.sources
        for match in re.finditer(rf"\[[^\]\n]*\]\({re.escape(source.url)}\)", answer.text)
    ]
    return sorted(annotations, key=lambda a: a["start_index"])
