"""Markets: which brands exist, what they are called, and how often each platform truly names them.

What belongs here: the true rates against which measured rates can be checked. What does not: texts (`answers`).
"""

import re
from collections.abc import Iterable
from functools import cache
from typing import Annotated, Literal
from urllib.parse import quote

from pydantic import Field

from geo_assets.model.configuration import Brand, Monitor, Slug, Strict, Text
from geo_assets.model.text import normalise_question
from geo_assets.simulator.draws import unit

ROOM = 20
"""Brands of a market of which an answer can name the popular half; more of them share this room."""
NAMED_RATE = 0.94
"""How often a brand that the question itself names is spoken of. The rest says that nothing is known about it."""

Rate = Annotated[float, Field(ge=0, le=1)]


class MarketBrand(Strict):
    """A brand of a market. `sites` are addresses without scheme (host, or host and path) that belong to it.

    `rates` maps platform ids to true mention rates; where a platform is missing, the rate is derived from hashes.
    """

    id: Slug
    name: Text
    aliases: tuple[Text, ...] = ()
    exclude: tuple[Text, ...] = ()
    products: tuple[Text, ...] = ()
    sites: tuple[Text, ...] = ()
    rates: dict[str, Rate] = Field(default_factory=dict)

    @property
    def names(self) -> tuple[str, ...]:
        """All that counts as naming the brand."""
        return (self.name, *self.aliases, *self.products)

    def is_named_in(self, text: str) -> bool:
        """Whether a name stands in the text: Latin names as whole words, phrases to exclude left out."""
        for phrase in self.exclude:
            text = re.sub(re.escape(phrase), " ", text, flags=re.IGNORECASE)
        return any(_whole(name).search(text) for name in self.names)


class Market(Strict):
    """The brands that compete for the answers to some questions. `topic`: what the market sells, in its language."""

    id: Slug
    language: Literal["zh", "en"]
    brands: tuple[MarketBrand, ...]
    questions: tuple[Text, ...] = ()
    topic: str | None = None

    def true_rate(self, platform: str, brand: MarketBrand) -> float:
        """Share of ordinary answers of `platform` to questions naming no brand of the market that name `brand`.

        Derived rates lie in 0.05..0.90: a popularity of the brand, shifted a little from platform to platform. Where a
        market has more brands than an answer has room for, they shrink, so that it names about nine.
        """
        given = brand.rates.get(platform)
        if given is not None:
            return given
        popularity = 0.12 + 0.66 * unit("popularity", self.id, brand.id)
        shift = 0.24 * (unit("shift", self.id, brand.id, platform) - 0.5)
        return min(0.90, max(0.05, popularity + shift)) * min(1.0, ROOM / max(len(self.brands), 1))

    def named_in(self, question: str) -> tuple[MarketBrand, ...]:
        """Brands whose name, alias or product stands in the question."""
        return tuple(brand for brand in self.brands if brand.is_named_in(question))


@cache
def _whole(name: str) -> re.Pattern[str]:
    """The name, with no Latin letter or digit beside its Latin ends."""
    start = r"(?<![A-Za-z0-9])" if name[0].isascii() else ""
    end = r"(?![A-Za-z0-9])" if name[-1].isascii() else ""
    return re.compile(start + re.escape(name) + end, re.IGNORECASE)


def _market_brand(brand: Brand) -> MarketBrand:
    return MarketBrand(
        id=brand.id,
        name=brand.name,
        aliases=brand.aliases,
        exclude=brand.exclude,
        products=tuple(product.name for product in brand.products),
        sites=tuple(
            source.host + quote(source.path.rstrip("/") + (f"/{source.account}" if source.account else ""))
            for source in brand.owned_sources
        ),
    )


def market_from_monitors(monitors: Iterable[Monitor]) -> tuple[Market, ...]:
    """One market per monitor: its brand, its competitors, its questions."""
    return tuple(
        Market(
            id=monitor.id,
            language=monitor.language,
            brands=tuple(_market_brand(brand) for brand in (monitor.brand, *monitor.competitors)),
            questions=tuple(normalise_question(question.text) for question in monitor.questions),
            topic=next(iter(monitor.brand.context), None),
        )
        for monitor in monitors
    )


def true_rates(markets: Iterable[Market], platforms: Iterable[str]) -> dict[str, dict[str, dict[str, float]]]:
    """Market id → platform id → brand id → true mention rate (questions that name no brand of the market)."""
    names = tuple(platforms)
    return {
        market.id: {
            platform: {brand.id: market.true_rate(platform, brand) for brand in market.brands} for platform in names
        }
        for market in markets
    }


class MarketIndex:
    """Finds the market that a question belongs to."""

    def __init__(self, markets: Iterable[Market]) -> None:
        self.markets = tuple(markets)
        self._by_question = {question: market for market in reversed(self.markets) for question in market.questions}

    def find(self, question: str, language: str) -> Market | None:
        """The market that lists the question, else one in its language that names a brand of it, else any in it."""
        text = normalise_question(question)
        listed = self._by_question.get(text)
        if listed is not None:
            return listed
        candidates = [market for market in self.markets if market.language == language]
        return next((market for market in candidates if market.named_in(text)), candidates[0] if candidates else None)
