"""Rules over several fields: what each field allows by itself, but together cannot work.

Belongs here: pure rules from typed configuration to findings. Does not: files, lines, the clock.
"""

import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from ipaddress import ip_address
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo, available_timezones

from geo_assets.configuration.problems import Finding, Path, Severity, did_you_mean
from geo_assets.model.configuration import Brand, Monitor, Platform, PriceVersion, Product, Project, Source, Window
from geo_assets.model.text import normalise_question, question_revision

MAX_QUESTION_LENGTH = 1000
"""Code points. People ask in far fewer; more is a pasted document."""


def fold(name: str) -> str:
    """A name without differences of case, width and white space."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


def check_project(project: Project) -> Iterator[Finding]:
    """The project by itself."""
    try:
        ZoneInfo(project.timezone)
    except (ValueError, OSError, LookupError):
        remedy = did_you_mean(project.timezone, available_timezones())
        yield Finding(
            ("timezone",), f"`{project.timezone}` is no IANA time zone", f"{remedy} Write it like `Asia/Shanghai`"
        )
    yield from _check_window(project.window, ("window",))
    yield from _twice((destination.id for destination in project.alerts), ("alerts",), "id")


def check_tenants(project: Project, tenants: Iterable[str]) -> Iterator[Finding]:
    """The project's tenants have monitors."""
    known = set(tenants)
    for tenant in project.tenants:
        if tenant not in known:
            message = f"no monitor has the tenant `{tenant}`"
            yield Finding(("tenants", tenant), message, did_you_mean(tenant, known), Severity.WARNING)


def check_weights(project: Project, platforms: Iterable[str]) -> Iterator[Finding]:
    """The project's platform weights name platforms."""
    known = set(platforms)
    for platform in project.platform_weights:
        if platform not in known:
            path = ("platform_weights", platform)
            yield Finding(path, f"no platform has the id `{platform}`", did_you_mean(platform, known))


def _check_window(window: Window, path: Path) -> Iterator[Finding]:
    if window.end <= window.start:
        message = f"the window ends ({window.end}) before it starts ({window.start})"
        yield Finding((*path, "end"), message, "A window lies within one local day: let `end` be later than `start`")


def check_platforms(platforms: Mapping[int, Platform]) -> Iterator[Finding]:
    """Platforms, by their index in the file, each by itself and against the others."""
    first: dict[str, int] = {}
    for index, platform in platforms.items():
        base: Path = ("platforms", index)
        if platform.id in first:
            message = f"the id `{platform.id}` stands twice, first at platforms[{first[platform.id]}]"
            yield Finding((*base, "id"), message, "Give each platform an id of its own")
        first.setdefault(platform.id, index)
        yield from _check_platform(platform, base)


def _check_platform(platform: Platform, base: Path) -> Iterator[Finding]:
    address = urlsplit(platform.base_url)
    if address.scheme not in {"http", "https"} or not address.hostname or address.query or address.username:
        message = f"`{address.scheme}://{address.hostname or ''}` is no usable base address"
        yield Finding((*base, "base_url"), message, "Write `https://host/path`, without user, key or query")
    if platform.window:
        yield from _check_window(platform.window, (*base, "window"))
    yield from _twice((account.id for account in platform.accounts), (*base, "accounts"), "id")
    if platform.timeouts.total < platform.timeouts.read:
        message = f"total ({platform.timeouts.total:g} s) is shorter than read ({platform.timeouts.read:g} s)"
        yield Finding((*base, "timeouts", "total"), message, "Let `total` be at least `read`")
    yield from _check_prices(platform.prices, (*base, "prices"))
    billed = {version.currency for version in platform.prices}
    yield from _check_budget(platform.daily_budget, billed, base)


def _check_prices(versions: tuple[PriceVersion, ...], path: Path) -> Iterator[Finding]:
    yield from _twice((version.version for version in versions), path, "version")
    for index, version in enumerate(versions):
        other = next((i for i in range(index) if versions[i].valid_from == version.valid_from), None)
        if other is not None:
            message = f"`{version.version}` and `{versions[other].version}` both start on {version.valid_from}"
            yield Finding(
                (*path, index, "valid_from"), message, "A version holds until the next: give each a day of its own"
            )


def _check_budget(budget: Mapping[str, str], billed: set[str], base: Path) -> Iterator[Finding]:
    for currency in budget:
        if currency not in billed:
            message = f"nothing here is billed in {currency}, so the budget would never hold"
            yield Finding(
                (*base, "daily_budget", currency), message, f"Billed in: {', '.join(sorted(billed)) or 'nothing'}"
            )


def _twice(ids: Iterable[str], path: Path, key: str) -> Iterator[Finding]:
    first: dict[str, int] = {}
    for index, name in enumerate(ids):
        if name in first:
            message = f"`{name}` stands twice, first at [{first[name]}]"
            yield Finding((*path, index, key), message, "Give each one of its own")
        first.setdefault(name, index)


def check_monitor(monitor: Monitor, project: Project, platforms: Mapping[str, Platform]) -> Iterator[Finding]:
    """A monitor by itself and against the project and its platforms."""
    if monitor.language not in project.languages:
        remedy = f"Add it to `languages` in project.yaml, or use one of: {', '.join(project.languages)}"
        yield Finding(("language",), f"the project does not ask in `{monitor.language}`", remedy)
    if monitor.frequency == "weekly" and "weekday" not in monitor.model_fields_set:
        message = f"a weekly monitor without a weekday is asked on {monitor.weekday}"
        yield Finding(("frequency",), message, "Add `weekday:`", Severity.WARNING)
    if monitor.frequency == "daily" and "weekday" in monitor.model_fields_set:
        message = "a daily monitor has no weekday"
        yield Finding(("weekday",), message, "Remove it, or set `frequency: weekly`", Severity.WARNING)
    yield from _check_questions(monitor)
    yield from _check_entries(monitor, platforms)
    used = [platforms[entry.id] for entry in monitor.platforms if entry.id in platforms]
    yield from _check_budget(monitor.daily_budget, {v.currency for p in used for v in p.prices}, ())
    yield from _check_names(monitor)
    for brand, path in _brands(monitor):
        for index, source in enumerate(brand.owned_sources):
            yield from _check_source(source, (*path, "owned_sources", index))


def check_everyday_names(monitor: Monitor, is_everyday: Callable[[str], bool]) -> Iterator[Finding]:
    """Names that are everyday words and have no words of their market beside them.

    `is_everyday` comes from the reader of answers, which stands above this room (`ambiguity.is_everyday_word`).
    """
    if monitor.context:
        return
    for brand, path in _brands(monitor):
        everyday = [name for name in (brand.name, *brand.aliases) if is_everyday(name)]
        if everyday and not brand.context:
            names = ", ".join(f"`{name}`" for name in everyday)
            message = f"{names} is an everyday word, and no `context` says of which market the brand is"
            remedy = (
                "Without it the name counts only where something else speaks for the brand. "
                "Add words of the market under `context` of the brand or of the monitor"
            )
            yield Finding((*path, "name"), message, remedy, Severity.WARNING)


def _check_questions(monitor: Monitor) -> Iterator[Finding]:
    yield from _twice((question.id for question in monitor.questions), ("questions",), "id")
    if len(monitor.questions) > monitor.max_questions:
        message = f"{len(monitor.questions)} questions are more than max_questions ({monitor.max_questions})"
        yield Finding(("questions",), message, "Remove some, or raise `max_questions` (and mind the price)")
    first: dict[str, str] = {}
    for index, question in enumerate(monitor.questions):
        text = normalise_question(question.text)
        if not any(character.isalnum() for character in text):
            yield Finding(("questions", index, "text"), "there is no question in this text", "Write a question")
        if len(text) > MAX_QUESTION_LENGTH:
            message = f"the question has {len(text)} characters, at most {MAX_QUESTION_LENGTH} are asked"
            yield Finding(("questions", index, "text"), message, "Shorten it to what a person would type")
        revision = question_revision(text)
        if revision in first:
            message = f"the same text as question `{first[revision]}`; it is asked once"
            yield Finding(("questions", index, "text"), message, "Remove one of the two", Severity.WARNING)
        first.setdefault(revision, question.id)


def _check_entries(monitor: Monitor, platforms: Mapping[str, Platform]) -> Iterator[Finding]:
    seen: dict[tuple[str, str | None, str | None], int] = {}
    for index, entry in enumerate(monitor.platforms):
        path: Path = ("platforms", index)
        if entry.id not in platforms:
            remedy = did_you_mean(entry.id, platforms)
            yield Finding((*path, "id"), f"no platform has the id `{entry.id}`", f"{remedy} (from platforms.yaml)")
        key = (entry.id, entry.mode, entry.device)
        if key in seen:
            message = f"the same platform, mode and device as platforms[{seen[key]}]"
            yield Finding(path, message, "Keep one of the two, and set its `repeats` and `regions`")
        seen.setdefault(key, index)


def _brands(monitor: Monitor) -> Iterator[tuple[Brand, Path]]:
    yield monitor.brand, ("brand",)
    for index, brand in enumerate(monitor.competitors):
        yield brand, ("competitors", index)


def _named(monitor: Monitor) -> Iterator[tuple[Brand | Product, Path]]:
    """Brands and products with their places."""
    for brand, path in _brands(monitor):
        yield brand, path
        for index, product in enumerate(brand.products):
            yield product, (*path, "products", index)


def _names(entry: Brand | Product, path: Path) -> Iterator[tuple[str, Path]]:
    yield entry.name, (*path, "name")
    for index, alias in enumerate(entry.aliases):
        yield alias, (*path, "aliases", index)


def _check_names(monitor: Monitor) -> Iterator[Finding]:
    ids: dict[str, Path] = {}
    owners: dict[str, tuple[str, str]] = {}
    for entry, path in _named(monitor):
        if entry.id in ids:
            message = f"the id `{entry.id}` stands twice among brands and products"
            yield Finding((*path, "id"), message, "Give each brand and product an id of its own")
        ids.setdefault(entry.id, path)
        for name, place in _names(entry, path):
            yield from _check_owner(name, place, entry, owners)
    for entry, path in _named(monitor):
        yield from _check_exclude(entry, path)
    for index, known in enumerate(monitor.known_names):
        if fold(known) in owners:
            message = f"`{known}` is a name of `{owners[fold(known)][0]}`, which would then never be mentioned"
            yield Finding(("known_names", index), message, "Remove it here, or write the longer name that is meant")


def _check_owner(
    name: str, place: Path, entry: Brand | Product, owners: dict[str, tuple[str, str]]
) -> Iterator[Finding]:
    folded = fold(name)
    owner, written = owners.setdefault(folded, (entry.id, name))
    if owner != entry.id:
        message = f"`{name}` already belongs to `{owner}`" + (f" (as `{written}`)" if written != name else "")
        yield Finding(place, message, "A name has one owner: remove it from one of the two")
    if not any(character.isalnum() for character in folded):
        yield Finding(place, f"`{name}` has neither letters nor digits", "Write a name that can be found in a text")


def _check_exclude(entry: Brand | Product, path: Path) -> Iterator[Finding]:
    names = {fold(name) for name, _ in _names(entry, path)}
    for index, phrase in enumerate(entry.exclude):
        place = (*path, "exclude", index)
        if fold(phrase) in names:
            message = f"`{phrase}` is a name of `{entry.id}` itself, which would then never be mentioned"
            yield Finding(place, message, "Write the longer phrase that is not meant, like 大众点评 for 大众")
        elif not any(name in fold(phrase) for name in names):
            message = f"`{phrase}` holds no name of `{entry.id}`, so it excludes nothing"
            yield Finding(place, message, "Write a phrase with the name in it, or remove it", Severity.WARNING)


def _check_source(source: Source, path: Path) -> Iterator[Finding]:
    if not is_host(source.host):
        host = urlsplit(source.host if "//" in source.host else f"//{source.host}")
        remedy = "Write the bare host, like `www.example.com`; a path goes into `path:`"
        if host.hostname and is_host(host.hostname):
            rest = host.path.rstrip("/")
            remedy = f"Write `host: {host.hostname}`" + (f" and `path: {rest}`" if rest else "")
        yield Finding((*path, "host"), f"`{source.host}` is no host name", remedy)
    if source.path and not source.path.startswith("/"):
        yield Finding((*path, "path"), f"`{source.path}` does not start with `/`", f"Write `path: /{source.path}`")


def is_host(text: str) -> bool:
    """Whether a text is a domain name (of any script) with at least two labels, and not an address or URL."""
    try:
        ip_address(text.strip("[]"))
    except ValueError:
        pass
    else:
        return False
    try:
        ascii_name = text.encode("idna").decode("ascii")
    except UnicodeError:
        return False
    labels = ascii_name.split(".")
    return len(labels) > 1 and len(ascii_name) <= 253 and all(_is_label(label) for label in labels)


def _is_label(label: str) -> bool:
    plain = label.replace("-", "").replace("_", "")
    return plain.isalnum() and not label.startswith("-") and not label.endswith("-")
