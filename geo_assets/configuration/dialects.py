"""Platforms and monitor entries against what their wire formats can do.

Belongs here: asking a dialect about options, modes and regions. Does not: the dialects, which stand above this room and
come in as a function (the registry's `connector`).
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Protocol

from geo_assets.configuration.problems import Finding, Path, Severity, did_you_mean
from geo_assets.model.configuration import Monitor, Platform, PlatformEntry


class Abilities(Protocol):
    """The part of a connector's capabilities that a configuration can go against."""

    @property
    def region(self) -> bool:
        """Whether a region can be asked from."""
        ...

    @property
    def modes(self) -> frozenset[str]:
        """Modes of asking."""
        ...


class Dialect(Protocol):
    """The part of a connector that checks configuration."""

    def capabilities(self, options: Mapping[str, Any]) -> Abilities:
        """What the dialect can do under these options."""
        ...

    def check_options(self, model: str, search: bool, options: Mapping[str, Any]) -> Sequence[tuple[str, str]]:
        """Problems as (field, remedy)."""
        ...


DialectOf = Callable[[str], Dialect]
"""From a dialect's name to the dialect; raises LookupError or ValueError for an unknown name."""


def check_dialect(platform: Platform, dialects: DialectOf | None, base: Path) -> Iterator[Finding]:
    """The platform's dialect, model, search and options."""
    if dialects is None:
        return
    try:
        dialect = dialects(platform.dialect)
    except (LookupError, ValueError) as error:
        message = f"no dialect is called `{platform.dialect}`"
        yield Finding((*base, "dialect"), message, str(error.args[0] if error.args else "See docs/platforms.md"))
        return
    for field, remedy in dialect.check_options(platform.model, platform.search, platform.options):
        yield Finding((*base, *_option_path(field)), f"the dialect `{platform.dialect}` refuses this", remedy)


def check_entries(
    monitor: Monitor, platforms: Mapping[str, Platform], dialects: DialectOf | None, today: str
) -> Iterator[Finding]:
    """The monitor's platform entries against the platforms they name; unknown platforms are `checks`' matter."""
    for index, entry in enumerate(monitor.platforms):
        platform = platforms.get(entry.id)
        if platform is None:
            continue
        path: Path = ("platforms", index)
        if platform.retired and platform.retired <= today:
            message = f"`{platform.id}` is retired since {platform.retired} and is not asked any more"
            yield Finding((*path, "id"), message, "Remove the entry, or use its successor", Severity.WARNING)
        elif dialects is not None:
            yield from _check_entry(monitor, entry, platform, dialects, path)


def _check_entry(
    monitor: Monitor, entry: PlatformEntry, platform: Platform, dialects: DialectOf, path: Path
) -> Iterator[Finding]:
    try:
        dialect = dialects(platform.dialect)
    except (LookupError, ValueError):
        return  # Reported at the platform.
    abilities = dialect.capabilities(platform.options)
    if entry.search is not None and entry.search != platform.search:
        for _, remedy in dialect.check_options(platform.model, entry.search, platform.options):
            wanted = "with" if entry.search else "without"
            yield Finding((*path, "search"), f"`{platform.id}` cannot be asked {wanted} search", remedy)
    if entry.mode is not None and entry.mode not in abilities.modes:
        remedy = did_you_mean(entry.mode, abilities.modes) if abilities.modes else "Remove `mode:`"
        yield Finding((*path, "mode"), f"`{platform.id}` has no mode `{entry.mode}`", remedy)
    regions = monitor.regions if entry.regions is None else entry.regions
    if regions and not abilities.region:
        message = f"`{platform.id}` cannot be asked from a region (here: {', '.join(regions)})"
        yield Finding((*path, "regions"), message, "Write `regions: []` at this platform's entry")


def _option_path(field: str) -> Path:
    """`search` → (search,); `max_tokens` and `options.max_tokens` → (options, max_tokens)."""
    parts = [int(part) if part.isdecimal() else part for part in field.split(".")]
    return tuple(parts) if parts[0] in Platform.model_fields else ("options", *parts)
