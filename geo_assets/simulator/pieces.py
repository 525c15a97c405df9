"""Text in pieces with source numbers, and how pieces become text with markers or links.

What belongs here: the neutral form of cited text. What does not: how one platform writes a marker (dialects say it).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Source:
    """A page that the simulated search found. `cited`: the text points to it."""

    url: str
    title: str
    site: str
    snippet: str = ""
    published: int = 0
    cited: bool = False

    @property
    def host(self) -> str:
        """The host of the address, without `www.`."""
        return self.url.split("://", 1)[-1].split("/", 1)[0].split("?", 1)[0].removeprefix("www.")


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of text. `refs` number the sources (from 1) that stand behind it, `stop` closes it."""

    text: str
    refs: tuple[int, ...] = ()
    stop: str = ""


@dataclass(frozen=True, slots=True)
class LinkSpan:
    """Where a link stands in the rendered text: half-open, in code points, and the number of its source."""

    start: int
    end: int
    source: int


def plain_text(pieces: Sequence[Piece]) -> str:
    """The text without any trace of sources."""
    return "".join(piece.text + piece.stop for piece in pieces)


def marked_text(pieces: Sequence[Piece], marker: Callable[[int], str]) -> str:
    """The text with a marker per source, before the closing mark of the sentence."""
    return "".join(piece.text + "".join(map(marker, piece.refs)) + piece.stop for piece in pieces)


def linked_text(pieces: Sequence[Piece], link: Callable[[int], str]) -> tuple[str, tuple[LinkSpan, ...]]:
    """The text with an inline link per source after the sentence, and where the links stand."""
    parts: list[str] = []
    spans: list[LinkSpan] = []
    length = 0
    for piece in pieces:
        sentence = piece.text + piece.stop
        parts.append(sentence)
        length += len(sentence)
        for number in piece.refs:
            written = link(number)
            parts.append(" " + written)
            spans.append(LinkSpan(length + 1, length + 1 + len(written), number))
            length += 1 + len(written)
    return "".join(parts), tuple(spans)
