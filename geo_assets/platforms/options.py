"""A platform's options: typed per dialect, checked with remedies, and the places that questions are asked from.

What belongs here: what all dialects share. What does not: the options of one dialect, which stand in its module.
"""

from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from geo_assets.model.answers import Ask


class Options(BaseModel):
    """Base of a dialect's options: unknown keys are refused, nothing is coerced. Absent means "not sent"."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    @classmethod
    def of(cls, options: Mapping[str, Any]) -> Self:
        """The typed options; raises pydantic's ValidationError where `problems` would list something."""
        return cls.model_validate(dict(options))

    @classmethod
    def names(cls) -> frozenset[str]:
        """The keys allowed under a platform's `options:`."""
        return frozenset(cls.model_fields)

    @classmethod
    def problems(cls, options: Mapping[str, Any]) -> list[tuple[str, str]]:
        """What is wrong, as (field, remedy) pairs."""
        try:
            cls.of(options)
        except ValidationError as error:
            return [(_field(one["loc"]), cls._remedy(one)) for one in error.errors(include_url=False)]
        return []

    @classmethod
    def _remedy(cls, error: Mapping[str, Any]) -> str:
        if error["type"] != "extra_forbidden":
            return f"{error['msg']}, not {error['input']!r}"
        if len(error["loc"]) > 1:
            return "unknown key; remove it"
        known = sorted(cls.names())
        close = get_close_matches(str(error["loc"][-1]), known, 1)
        hint = f"did you mean {close[0]}? " if close else "remove it. "
        return f"unknown option: {hint}Known: {', '.join(known)}"


def _field(location: tuple[int | str, ...]) -> str:
    return ".".join(["options", *map(str, location)])


class Place(BaseModel):
    """Where a question is asked from, in the words of the platform (`CN` here is `中国` there)."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    country: str | None = None
    region: str | None = None
    city: str | None = None
    timezone: str | None = None

    def wire(self) -> dict[str, str]:
        """The `user_location` object that Tencent, Ark and OpenAI share."""
        return {"type": "approximate", **self.model_dump(exclude_none=True)}


class LocatedOptions(Options):
    """Options of a dialect that takes a location.

    `user_location` holds where a monitor names no region; `locations` says what a monitor's region names mean here.
    A region that is not listed is read as `country/region/city`.
    """

    user_location: Place | None = None
    locations: dict[str, Place] = Field(default_factory=dict)

    def place(self, ask: Ask) -> Place | None:
        """Where this ask is to come from, None where nothing is said."""
        if ask.region is None:
            return self.user_location
        if ask.region in self.locations:
            return self.locations[ask.region]
        parts = [part.strip() or None for part in ask.region.split("/")]
        country, region, city = (*parts, None, None)[:3]
        return Place(country=country, region=region, city=city)
