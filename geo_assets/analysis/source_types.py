"""What kind of place an address points to, and whose place it is by the dictionary.

What belongs here: the host list, rules by suffix and file type, owned sources. What does not: the answer's text.
"""

import re
from functools import cache
from urllib.parse import unquote, urlsplit

from geo_assets.analysis.lists import sections
from geo_assets.analysis.urls import registrable_domain, same_site
from geo_assets.model.dictionary import BrandEntry, Dictionary, OwnedSource, Role
from geo_assets.model.readings import OwnerClass

SOURCE_TYPES = (
    "news",
    "video",
    "forum",
    "encyclopedia",
    "shop",
    "official",
    "social",
    "account",
    "government",
    "academic",
    "document",
    "redirect",
    "other",
)
"""`official`: a brand's own site. `account`: one author's or brand's publication on a platform. `social`: the rest of
such a platform. `redirect`: a wrapper whose target is not known."""

_GOVERNMENT = re.compile(r"(?:^|\.)(?:gov|mil|gouv|gob|go|govt|gc)(?:\.[a-z]{2})?$|(?:^|\.)gov\.uk$")
_ACADEMIC = re.compile(r"(?:^|\.)(?:edu|ac)(?:\.[a-z]{2})?$")
_DOCUMENT = re.compile(r"\.(?:pdf|docx?|pptx?|xlsx?|csv|epub|rtf|txt|odt)$", re.IGNORECASE)
_SUBDOMAINS = (
    (re.compile(r"^(?:bbs|forums?|community|club|discuss(?:ions?)?|talk|ask|answers)\d?\."), "forum"),
    (re.compile(r"^(?:shop|store|mall|buy|item|product)\."), "shop"),
    (re.compile(r"^(?:news|xinwen|press)\."), "news"),
    (re.compile(r"^(?:baike|wiki)\."), "encyclopedia"),
    (re.compile(r"^(?:video|tv|v)\."), "video"),
)


def source_type(url: str) -> str:
    """One of `SOURCE_TYPES` for a normalised address, whoever owns it (`official` comes from `owner_of`)."""
    parts = urlsplit(url)
    host, path = parts.hostname or "", parts.path
    if found := _listed(host, path):
        return found
    if _GOVERNMENT.search(host):
        return "government"
    if _ACADEMIC.search(host):
        return "academic"
    if _DOCUMENT.search(path):
        return "document"
    return next((kind for pattern, kind in _SUBDOMAINS if pattern.search(host)), "other")


def is_redirect(url: str) -> bool:
    """True for a wrapper that leads elsewhere: click counters of search engines, short links, grounding redirects."""
    parts = urlsplit(url)
    return _listed(parts.hostname or "", parts.path) == "redirect"


def owner_of(url: str, dictionary: Dictionary) -> tuple[OwnerClass, str | None, bool]:
    """Whose place a normalised address is: (class, brand id or None, whether it is an account on somebody's platform).

    A product's place belongs to its brand. Where several owned sources fit, the most specific wins (account, then
    longer path, then longer host).
    """
    parts = urlsplit(url)
    host, path = parts.hostname or "", unquote(parts.path)
    best: tuple[tuple[bool, int, int, bool], BrandEntry, OwnedSource] | None = None
    for brand in dictionary.brands:
        for owned in brand.owned:
            if not _fits(owned, host, path, parts.query):
                continue
            rank = (bool(owned.account), len(owned.path.strip("/")), len(owned.host), brand.role is Role.OWN)
            if best is None or rank > best[0]:
                best = rank, brand, owned
    if best is None:
        return OwnerClass.OTHER, None, False
    _, brand, owned = best
    on_platform = bool(owned.account) or _listed(host, parts.path) in {"social", "account", "video", "forum"}
    return OwnerClass(brand.role.value), brand.parent or brand.id, on_platform


def _fits(owned: OwnedSource, host: str, path: str, query: str) -> bool:
    if not same_site(host, owned.host):
        return False
    prefix = unquote(owned.path).strip("/").casefold()
    if prefix and not f"{path.strip('/').casefold()}/".startswith(prefix + "/"):
        return False
    if not owned.account:
        return True
    account = owned.account.removeprefix("@")
    values = [unquote(pair.partition("=")[2]) for pair in query.split("&")]
    segments = [segment.removeprefix("@").casefold() for segment in path.split("/")]
    return account in values or account.casefold() in segments or host.split(".", 1)[0] == account.casefold()


def _listed(host: str, path: str) -> str | None:
    """The kind of the longest entry that fits, searched from the full host down to the house name."""
    bare = host.removeprefix("www.")
    labels = bare.split(".")
    domain = registrable_domain(bare)
    names = [".".join(labels[i:]) for i in range(len(labels))] + ([domain.split(".", 1)[0]] if domain else [])
    for name in names:
        entries = _hosts().get(name, ())
        for prefix, kind in entries:
            if not prefix or path == prefix or path.startswith(prefix + "/"):
                return kind
    return None


@cache
def _hosts() -> dict[str, tuple[tuple[str, str], ...]]:
    """Host → (path prefix, kind), longest prefixes first."""
    found: dict[str, list[tuple[str, str]]] = {}
    for kind, entries in sections("hosts").items():
        for entry in entries:
            host, slash, path = entry.partition("/")
            found.setdefault(host, []).append((slash + path, kind))
    return {host: tuple(sorted(rows, key=lambda row: -len(row[0]))) for host, rows in found.items()}
