"""The price book: which version of a platform's prices holds on a day, as integers.

Belongs here: from decimal strings to micros. Does not: what a call costs, which is `model.money`.
"""

from decimal import Decimal

from geo_assets.model.configuration import Platform, PriceVersion
from geo_assets.model.money import MICROS, Price


class PriceMissingError(LookupError):
    """No version of a platform's prices holds on the day."""


def micros(amount: str) -> int:
    """A decimal amount of at most 6 decimals in micros, exactly: `0.25` → 250000."""
    return int(Decimal(amount) * MICROS)


def version_for(platform: Platform, day: str) -> PriceVersion:
    """The latest version valid on the capture date; raises PriceMissingError before the first."""
    valid = [version for version in platform.prices if version.valid_from <= day]
    if not valid:
        first = min(version.valid_from for version in platform.prices)
        msg = f"platform {platform.id} has no price for {day}: its first version starts on {first}"
        raise PriceMissingError(msg)
    return max(valid, key=lambda version: version.valid_from)


def price_for(platform: Platform, day: str) -> Price:
    """The platform's price on a capture date; raises PriceMissingError where there is none."""
    version = version_for(platform, day)

    def optional(amount: str | None) -> int | None:
        return None if amount is None else micros(amount)

    return Price(
        version=version.version,
        currency=version.currency,
        input_per_million=micros(version.input_per_million),
        cached_per_million=optional(version.cached_per_million),
        output_per_million=micros(version.output_per_million),
        thinking_per_million=optional(version.thinking_per_million),
        search_micros=micros(version.per_search),
        call_micros=micros(version.per_call),
        screenshot_micros=micros(version.per_screenshot),
        worst_input_tokens=version.worst_input_tokens,
        worst_output_tokens=version.worst_output_tokens,
        worst_searches=version.worst_searches,
    )
