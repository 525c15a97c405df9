"""Composes one answer: which brands it names, in what form, with what sources.

Whether a brand is named depends on (seed, brand) alone, so rates hold per brand and brands do not disturb each other.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final, TypeVar

from geo_assets.simulator.draws import generator, unit
from geo_assets.simulator.market import NAMED_RATE, Market, MarketBrand
from geo_assets.simulator.phrases import Phrases
from geo_assets.simulator.pieces import Piece, Source

GHOST_RATE: Final = 0.05
"""How often a page of an unnamed brand is among the sources of a searched answer, per brand."""
OWNED_RATE: Final = 0.4
"""How often a page of a named brand is among the sources of a searched answer, per brand."""

_COMPARISON = re.compile(r"\bvs\.?\b|\bversus\b|\bor\b|\bcompare|对比|哪个|还是|区别", re.IGNORECASE)
_EPOCH_2026 = 1_767_225_600

T = TypeVar("T")
Block = list[Piece]


@dataclass(frozen=True, slots=True)
class _Verdict:
    """Phrases on a brand, as sentences of their own and as what follows its name, and its column of table verdicts."""

    sentences: Sequence[str]
    traits: Sequence[str]
    column: int


class Composer:
    """One answer to one question. Give it a seed of its own and call `compose` once."""

    def __init__(
        self, phrases: Phrases, market: Market | None, platform: str, question: str, year: str, seed: Sequence[object]
    ) -> None:
        self._phrases = phrases
        self._market = market
        self._platform = platform
        self._question = question
        self._year = year
        self._seed = tuple(seed)
        self._random: Random = generator(*self._seed, "text")
        self._topic = (market.topic if market else None) or phrases.topic
        self._aspects = list(phrases.aspects)
        self._random.shuffle(self._aspects)
        self._sources: list[Source] = []
        self._owned: dict[str, int] = {}
        self._citable: list[int] = []

    def compose(self, *, searched: bool) -> tuple[tuple[Piece, ...], tuple[Source, ...], tuple[str, ...]]:
        """Pieces, sources and search queries; without a search there are neither sources nor queries."""
        asked = self._market.named_in(self._question) if self._market else ()
        named = self._named(asked)
        queries: tuple[str, ...] = ()
        if searched:
            queries = tuple(self._fill(q) for q in self._sample(self._phrases.queries, self._random.choice((1, 1, 2))))
            self._find_sources(named)
        blocks = self._about(asked, named) if asked else self._recommend(named)
        pieces = _join(blocks)
        used = {number for piece in pieces for number in piece.refs}
        sources = tuple(
            Source(s.url, s.title, s.site, s.snippet, s.published, cited=number in used)
            for number, s in enumerate(self._sources, 1)
        )
        return pieces, sources, queries

    # Brands

    def _named(self, asked: Sequence[MarketBrand]) -> list[MarketBrand]:
        if self._market is None:
            return []
        chosen = []
        for brand in self._market.brands:
            rate = NAMED_RATE if brand in asked else self._market.true_rate(self._platform, brand)
            if unit(*self._seed, "named", brand.id) < rate:
                weight = self._market.true_rate(self._platform, brand) + 0.5 * unit(*self._seed, "order", brand.id)
                chosen.append((weight, brand))
        return [brand for _, brand in sorted(chosen, key=lambda pair: -pair[0])]

    def _display(self, brand: MarketBrand) -> str:
        """The brand as the text first names it: mostly by its name, sometimes with or by an alias."""
        roll = self._random.random()
        if brand.aliases and roll < 0.12:
            alias = self._random.choice(brand.aliases)
            return f"{brand.name}（{alias}）" if self._phrases.gap == "" else f"{brand.name} ({alias})"
        if brand.aliases and roll < 0.18:
            return self._random.choice(brand.aliases)
        return brand.name

    def _fillers(self, count: int) -> list[str]:
        taken = [name.casefold() for brand in (self._market.brands if self._market else ()) for name in brand.names]
        free = [f for f in self._phrases.fillers if not any(t in f.casefold() or f.casefold() in t for t in taken)]
        return self._sample(free, min(count, len(free)))

    # Sources

    def _find_sources(self, named: Sequence[MarketBrand]) -> None:
        pages: list[tuple[str | None, Source]] = []
        for outlet in self._sample(self._phrases.outlets, self._random.randint(3, 6)):
            page = self._random.randrange(len(outlet.paths))
            title = self._fill(outlet.titles[page % len(outlet.titles)])
            path = outlet.paths[page].replace("{year}", self._year)
            pages.append((None, self._page(f"https://{outlet.host}{path}", title, outlet.site)))
        for brand in self._market.brands if self._market else ():
            rate = OWNED_RATE if brand in named else GHOST_RATE
            if brand.sites and unit(*self._seed, "owned", brand.id) < rate:
                site = self._random.choice(brand.sites)
                title = self._fill(self._random.choice(self._phrases.owned_titles), brand=brand.name)
                page_id = self._random.randint(100, 999)
                pages.append((brand.id, self._page(f"https://{site}/simulated/{page_id}", title, brand.name)))
        self._random.shuffle(pages)
        self._sources = [source for _, source in pages]
        self._owned = {owner: number for number, (owner, _) in enumerate(pages, 1) if owner}
        # One page is always retrieved and never used, as on the real platforms.
        strangers = [number for number, (owner, _) in enumerate(pages, 1) if owner is None]
        self._citable = [number for number in range(1, len(pages) + 1) if number != strangers[-1]]

    def _page(self, url: str, title: str, site: str) -> Source:
        published = _EPOCH_2026 + 3600 * self._random.randint(0, 7800)
        return Source(url, title, site, self._random.choice(self._phrases.snippets), published)

    def _refs(self, brand: MarketBrand | None = None) -> tuple[int, ...]:
        if not self._citable:
            return ()
        owned = self._owned.get(brand.id) if brand else None
        refs = {owned} if owned and self._random.random() < 0.7 else set()
        for _ in range(self._random.choice((0, 1, 1, 2))):
            refs.add(self._random.choice(self._citable))
        return tuple(sorted(number for number in refs if number))

    # Sentences

    def _sample(self, items: Sequence[T], count: int) -> list[T]:
        return self._random.sample(list(items), min(count, len(items)))

    def _fill(self, template: str, **names: str) -> str:
        aspect, aspect2 = self._aspects[:2]
        self._aspects = [*self._aspects[2:], aspect, aspect2]  # all others come before one comes again
        values = {"aspect": aspect, "aspect2": aspect2, "topic": self._topic, "year": self._year, **names}
        return template.format_map(values)

    def _say(self, bank: Sequence[str], refs: tuple[int, ...] = (), **names: str) -> Piece:
        text = self._fill(self._random.choice(bank), **names)
        return Piece(text[:1].upper() + text[1:] if self._phrases.gap else text, refs, self._phrases.stop)

    def _verdict(self, place: int) -> _Verdict:
        """What becomes of the brand at this place: the first is praised, few are advised against."""
        phrases, roll = self._phrases, self._random.random()
        if place == 0:
            return _Verdict(phrases.top, phrases.top_traits, 0)
        if roll < 0.10:
            return _Verdict(phrases.against, phrases.against_traits, 2)
        if roll < 0.33:
            return _Verdict(phrases.praise, phrases.praise_traits, 0)
        if roll > 0.9:
            return _Verdict(phrases.neutral, phrases.neutral_traits, 1)
        return _Verdict(phrases.listing, phrases.listing_traits, 1)

    def _on(self, brand: MarketBrand, place: int) -> Block:
        """A sentence or two on a brand."""
        sentences = self._verdict(place).sentences
        block = [self._say(sentences, self._refs(brand), brand=self._display(brand))]
        if brand.products and self._random.random() < 0.3:
            block += [self._gap(), self._say(self._phrases.product, product=self._random.choice(brand.products))]
        return block

    def _gap(self) -> Piece:
        return Piece(self._phrases.gap)

    # Forms

    def _recommend(self, named: list[MarketBrand]) -> list[Block]:
        if not named:
            return self._without_brands()
        forms: list[Callable[[list[MarketBrand]], list[Block]]] = [
            self._ranked, self._ranked, self._bullets, self._bullets, self._prose, self._table, self._sections,
        ]  # fmt: skip
        form = self._random.choice(forms)
        blocks = [[self._say(self._phrases.openings, self._refs())], *form(named)]
        if self._random.random() < 0.5:
            blocks.append([self._say(self._phrases.advice, self._refs())])
        if self._random.random() < 0.7:
            blocks.append([self._say(self._phrases.closings)])
        return blocks

    def _without_brands(self) -> list[Block]:
        blocks = [[self._say(self._phrases.openings, self._refs())], [self._say(self._phrases.nobody, self._refs())]]
        lines = [[Piece("- "), self._say(self._phrases.filler_lines, brand=f)] for f in self._fillers(2)]
        return [*blocks, _lines(lines), [self._say(self._phrases.advice, self._refs())]]

    def _ranked(self, named: list[MarketBrand]) -> list[Block]:
        heads = [(self._display(brand), brand) for brand in named]
        lines = [self._item(n, name, self._verdict(n - 1).traits, brand) for n, (name, brand) in enumerate(heads, 1)]
        fillers = enumerate(self._fillers(self._random.choice((0, 1, 2))), len(named) + 1)
        return [_lines(lines + [self._item(n, name, self._phrases.filler_traits) for n, name in fillers])]

    def _item(self, number: int, name: str, traits: Sequence[str], brand: MarketBrand | None = None) -> Block:
        """One line of a ranked list."""
        refs = self._refs(brand) if brand else ()
        return [Piece(f"{number}. **{name}**{self._phrases.colon}"), self._say(traits, refs)]

    def _bullets(self, named: list[MarketBrand]) -> list[Block]:
        lines = [[Piece("- "), *self._on(brand, place)] for place, brand in enumerate(named)]
        lines += [[Piece("- "), self._say(self._phrases.filler_lines, brand=f)] for f in self._fillers(1)]
        return [_lines(lines)]

    def _prose(self, named: list[MarketBrand]) -> list[Block]:
        first = self._on(named[0], 0)
        rest: Block = []
        for place, brand in enumerate(named[1:3], 1):
            rest += [*self._on(brand, place), self._gap()]
        blocks = [first, rest] if rest else [first]
        if len(named) > 3:
            names = [self._display(brand) for brand in named[3:]]
            listed = (
                self._phrases.comma.join(names[:-1]) + self._phrases.last_comma + names[-1] if names[1:] else names[0]
            )
            intro = self._random.choice(self._phrases.also) + self._phrases.colon
            blocks.append([Piece(intro + listed, self._refs(), self._phrases.stop)])
        return blocks

    def _table(self, named: list[MarketBrand]) -> list[Block]:
        rows = [[Piece("| " + " | ".join(self._phrases.table_head) + " |")], [Piece("| --- | --- | --- |")]]
        for place, brand in enumerate(named):
            column = self._verdict(place).column
            traits = self._phrases.comma.join(self._sample(self._phrases.aspects, 2))
            verdict = self._phrases.table_verdicts[column]
            rows.append([Piece(f"| {self._display(brand)} | {traits}", self._refs(brand)), Piece(f" | {verdict} |")])
        return [_lines(rows), self._on(named[0], 0)]

    def _sections(self, named: list[MarketBrand]) -> list[Block]:
        headings = self._sample(self._phrases.headings, 2)
        top = self._random.choice(self._phrases.top_pick)
        blocks: list[Block] = [
            [Piece(f"### {top}{self._phrases.colon}{self._display(named[0])}")],
            self._on(named[0], 0),
        ]
        if named[1:]:
            blocks.append([Piece(f"### {headings[1]}")])
            blocks.append(_lines([[Piece("- "), *self._on(brand, place)] for place, brand in enumerate(named[1:], 1)]))
        return blocks

    def _about(self, asked: Sequence[MarketBrand], named: list[MarketBrand]) -> list[Block]:
        """An answer to a question that names brands itself."""
        known = [brand for brand in asked if brand in named]
        unknown = [brand for brand in asked if brand not in named]
        blocks: list[Block] = [[self._say(self._phrases.no_information, brand=brand.name)] for brand in unknown]
        if len(known) > 1 and (_COMPARISON.search(self._question) or self._random.random() < 0.5):
            first, second = self._sample(known, 2)
            blocks.append(
                [self._say(self._phrases.comparisons, self._refs(first), brand=first.name, other=second.name)]
            )
        for brand in known:
            block = [self._say(self._phrases.about, self._refs(brand), brand=self._display(brand))]
            if self._random.random() < 0.6:
                bank = self._phrases.against if self._random.random() < 0.12 else self._phrases.praise
                block += [self._gap(), self._say(bank, self._refs(brand), brand=brand.name)]
            blocks.append(block)
        others = [brand for brand in named if brand not in asked]
        if others:
            blocks += self._bullets(others) if len(others) < 5 else self._ranked(others)
        blocks.append([self._say(self._phrases.advice, self._refs())])
        return blocks


def _lines(lines: Sequence[Block]) -> Block:
    """Blocks on lines of their own, as one block."""
    block: Block = []
    for position, line in enumerate(lines):
        block += [Piece("\n"), *line] if position else line
    return block


def _join(blocks: Sequence[Block]) -> tuple[Piece, ...]:
    """Blocks with an empty line between them; trailing gaps and empty pieces go."""
    pieces: list[Piece] = []
    for block in blocks:
        kept = list(block)
        while kept and not kept[-1].text.strip() and not kept[-1].stop:
            kept.pop()
        if kept:
            pieces += [Piece("\n\n"), *kept] if pieces else kept
    return tuple(piece for piece in pieces if piece.text or piece.stop)
