"""The shape of a phrase book: what the simulated models can say in one language.

Placeholders: `{brand}`, `{other}`, `{topic}`, `{aspect}`, `{aspect2}`, `{year}`. A sentence stands without its closing
mark, because platforms differ in whether a citation marker goes before or after it.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Outlet:
    """A kind of web page: its host (reserved for examples), its name, and titles and paths of its pages."""

    kind: str
    host: str
    site: str
    titles: tuple[str, ...]
    paths: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Phrases:
    """All phrases of one language. `stop` closes a sentence, `gap` stands between two sentences."""

    stop: str
    gap: str
    colon: str
    comma: str
    last_comma: str
    topic: str
    aspects: tuple[str, ...]
    fillers: tuple[str, ...]
    openings: tuple[str, ...]
    top: tuple[str, ...]
    praise: tuple[str, ...]
    listing: tuple[str, ...]
    neutral: tuple[str, ...]
    against: tuple[str, ...]
    top_traits: tuple[str, ...]
    praise_traits: tuple[str, ...]
    listing_traits: tuple[str, ...]
    neutral_traits: tuple[str, ...]
    against_traits: tuple[str, ...]
    filler_traits: tuple[str, ...]
    product: tuple[str, ...]
    filler_lines: tuple[str, ...]
    advice: tuple[str, ...]
    closings: tuple[str, ...]
    comparisons: tuple[str, ...]
    about: tuple[str, ...]
    no_information: tuple[str, ...]
    headings: tuple[str, ...]
    table_head: tuple[str, str, str]
    table_verdicts: tuple[str, str, str]
    top_pick: tuple[str, ...]
    also: tuple[str, ...]
    refusals: tuple[str, ...]
    thoughts: tuple[str, ...]
    queries: tuple[str, ...]
    snippets: tuple[str, ...]
    owned_titles: tuple[str, ...]
    outlets: tuple[Outlet, ...]
    nobody: tuple[str, ...]
