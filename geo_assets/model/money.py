"""Money in integer micros (1e-6 of the currency unit), prices by kind, and what a call costs. No floats anywhere."""

from dataclasses import dataclass
from enum import StrEnum

from geo_assets.model.answers import Usage

MICROS = 1_000_000


class EntryKind(StrEnum):
    """Kinds of entries in the append-only cost book. A balance is a sum over entries."""

    ESTIMATE = "estimate"
    RESERVE = "reserve"
    RELEASE = "release"
    CHARGE = "charge"
    REFUND = "refund"
    ADJUSTMENT = "adjustment"
    UNRECONCILED = "unreconciled"


@dataclass(frozen=True, slots=True)
class Price:
    """Prices of one (platform, model) in one version of the price book.

    Token prices are micros per million tokens; `search_micros` and `call_micros` are micros for one search or one call.
    `cached` None = billed like input; `thinking` None = billed like output (most platforms count it inside output).
    """

    version: str
    currency: str
    input_per_million: int = 0
    cached_per_million: int | None = None
    output_per_million: int = 0
    thinking_per_million: int | None = None
    search_micros: int = 0
    call_micros: int = 0
    screenshot_micros: int = 0
    worst_input_tokens: int = 20_000
    worst_output_tokens: int = 8_000
    worst_searches: int = 3


def _share(tokens: int, per_million: int) -> int:
    """Micros for `tokens` at `per_million`, rounded up: a reservation may not be short by rounding."""
    return -(-tokens * per_million // 1_000_000)


def cost_micros(price: Price, usage: Usage, *, search_used: bool = False) -> int:
    """What a call costs in micros. A price that the platform itself reports wins over the book.

    Thinking tokens count inside `output_tokens` (as all connected platforms report them) and are priced apart only
    where the book says so. Where a search ran and the platform states no count, one is billed.
    """
    if usage.reported_micros is not None:
        return usage.reported_micros
    cached = min(usage.cached_tokens or 0, usage.input_tokens or 0)
    fresh = (usage.input_tokens or 0) - cached
    output = usage.output_tokens or 0
    thinking = min(usage.thinking_tokens or 0, output) if price.thinking_per_million is not None else 0
    searches = usage.searches if usage.searches is not None else int(search_used)
    return (
        _share(fresh, price.input_per_million)
        + _share(cached, price.input_per_million if price.cached_per_million is None else price.cached_per_million)
        + _share(output - thinking, price.output_per_million)
        + _share(thinking, price.thinking_per_million or 0)
        + searches * price.search_micros
        + usage.calls * price.call_micros
    )


def worst_case_micros(price: Price, *, search: bool) -> int:
    """The reservation for a call when nothing is known of recent charges."""
    usage = Usage(
        input_tokens=price.worst_input_tokens,
        output_tokens=price.worst_output_tokens,
        searches=price.worst_searches if search else 0,
    )
    return cost_micros(price, usage)


def format_micros(micros: int, currency: str) -> str:
    """Micros as a decimal string with its currency: `1234500 CNY` → `CNY 1.2345`."""
    sign = "-" if micros < 0 else ""
    whole, part = divmod(abs(micros), MICROS)
    digits = f"{part:06d}".rstrip("0").ljust(2, "0")
    return f"{currency} {sign}{whole}.{digits}"
