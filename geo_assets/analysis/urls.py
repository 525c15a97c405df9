"""Addresses of sources: their normal form, the domain that owns them, and the key that counts variants as one page.

What belongs here: pure rules on the address itself. What does not: fetching, resolving redirects, whose page it is.

The normal form follows RFC 3986 section 6.2.2 and, where browsers differ from it, the WHATWG URL standard. Only what
surely leaves the page alone is changed or dropped; `page_key` goes further, for counting.
"""

import html
import ipaddress
import re
import unicodedata
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote

from yarl import URL

from geo_assets.analysis.lists import sections

if TYPE_CHECKING:
    from publicsuffixlist import PublicSuffixList

_MAX_LENGTH = 8192
_ESCAPED_BREAK = re.compile(r"\\[trn](?![a-zA-Z0-9]{0,2}:)")
_BREAK = re.compile(r"[\t\r\n]")
_ENTITY = re.compile(r"&(?:amp|lt|gt|quot|apos|#0*[1-9]\d{0,5}|#[xX]0*[1-9a-fA-F][0-9a-fA-F]{0,4});")
_SPLIT = re.compile(r"(?i)(https?):/{2,}([^/?#]*)([^?#]*)(?:\?([^#]*))?(?:#(.*))?", re.DOTALL)
_AUTHORITY = re.compile(r"(?:(.*)@)?(\[[0-9a-fA-F:.]+\]|[^:\[\]@]*)(?::(\d*))?", re.DOTALL)
_PERCENT = re.compile(r"%([0-9a-fA-F]{2})")
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_PATH_SAFE = "!$&'()*+,;=:@/%-._~"
_QUERY_SAFE = _PATH_SAFE + "?[]|{}^`\\"
_DEFAULT_PORT = {"http": "80", "https": "443"}
_AMAZON_REF = re.compile(r"/ref=[^/]*/?$")


@dataclass(frozen=True, slots=True)
class _Parts:
    scheme: str
    userinfo: str
    host: str
    port: str
    path: str
    query: str | None
    fragment: str


def normalise_url(url: str) -> str | None:
    """The normal form of an http(s) address, None where `url` is none (other schemes, no host, too long).

    `//host/…` and `www.…` are read as https. Idempotent; never raises.
    """
    parts = _split(url)
    if parts is None:
        return None
    path = _path(parts.path, parts.host)
    query = _query(parts.query, parts.host)
    fragment = _fragment(parts.fragment, parts.host)
    port = f":{parts.port}" if parts.port else ""
    userinfo = f"{parts.userinfo}@" if parts.userinfo else ""
    return f"{parts.scheme}://{userinfo}{parts.host}{port}{path}{query}{fragment}"


def host_of(url: str) -> str | None:
    """The host of an address in lower case and punycode, without port; None where there is none."""
    parts = _split(url)
    return parts.host if parts else None


def page_key(url: str) -> str | None:
    """One key for the variants of a page: without scheme, `www.`, trailing slash, anchor; case folded, query sorted.

    A trade: two pages that differ in case only count as one. Queries stay, because many sites have the page's identity
    there. None where `normalise_url` gives None.
    """
    parts = _split(url)
    if parts is None:
        return None
    path = _path(parts.path, parts.host).rstrip("/")
    query = "&".join(sorted(_query(parts.query, parts.host)[1:].split("&")))
    fragment = _fragment(parts.fragment, parts.host)
    port = f":{parts.port}" if parts.port else ""
    host = parts.host.removeprefix("www.")
    return f"{host}{port}{path}{'?' + query if query else ''}{fragment}".casefold()


def registrable_domain(host: str) -> str | None:
    """The domain that somebody registered (`a.shop.co.uk` → `shop.co.uk`), private suffixes included (`x.github.io`).

    None for suffixes alone, IP addresses, single labels and malformed hosts. Unicode stays Unicode, punycode punycode.
    """
    name = unicodedata.normalize("NFKC", host.strip()).replace("。", ".").lower()
    name = re.sub(r":\d*$", "", name) if name.count(":") == 1 else name
    name = name.removesuffix(".")
    if "" in name.split(".") or is_ip(name) or re.search(r"[\s/?#@\\]", name):
        return None
    found = _suffixes().privatesuffix(name)
    return str(found) if found else None


def same_site(host: str, owned: str) -> bool:
    """True if `host` is `owned` or lies below it (`blog.acme.com` for `acme.com`; not `notacme.com`)."""
    ours = _host(owned.removeprefix("*.").removeprefix("."))
    theirs = _host(host)
    if not ours or not theirs:
        return False
    ours = ours.removeprefix("www.")
    return theirs == ours or theirs.endswith("." + ours)


def is_ip(host: str) -> bool:
    """True for an IPv4 or (bracketed) IPv6 address."""
    try:
        ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        return False
    return True


def _split(url: str) -> _Parts | None:
    if len(url) > _MAX_LENGTH:
        return None
    text = _BREAK.sub("", _ESCAPED_BREAK.sub("", url)).strip(" \u00a0\u3000<>\"'\u200b\ufeff")
    previous = None
    while previous != text:  # entities are escaped twice now and then
        previous, text = text, _ENTITY.sub(lambda m: html.unescape(m[0]), text)
        text = _BREAK.sub("", text).strip()
    if text.startswith("//"):
        text = "https:" + text
    elif re.match(r"(?i)www\.[^\s/?#@:]+\.", text):
        text = "https://" + text
    head, mark, tail = re.fullmatch(r"([^?#]*)([?#]?)(.*)", text, re.DOTALL).groups()  # type: ignore[union-attr]
    match = _SPLIT.fullmatch(head.replace("\\", "/") + mark + tail)
    authority = _AUTHORITY.fullmatch(match[2]) if match else None
    if match is None or authority is None:
        return None
    scheme = match[1].lower()
    host = _host(authority[2])
    port = (authority[3] or "").lstrip("0") or ("0" if authority[3] and not authority[3].strip("0") else "")
    if not host or (port and int(port) > 65535):
        return None
    if port == _DEFAULT_PORT[scheme]:
        port = ""
    userinfo = _requote(authority[1] or "", "!$&'()*+,;=:%-._~")
    return _Parts(scheme, userinfo, host, port, match[3], match[4], match[5] or "")


@lru_cache(maxsize=4096)
def _host(host: str) -> str | None:
    """A host in lower case and punycode without the root dot; None if it is not one. IDNA 2008 as yarl applies it."""
    name = unquote(host.strip())
    if not name.startswith("["):
        name = unicodedata.normalize("NFKC", name).replace("。", ".").removesuffix(".")
    if "" in name.split(".") or re.search(r"[\x00-\x20\x7f/?#@\\%<>^|\"`{}]", name):
        return None
    try:
        found = URL.build(scheme="https", host=name.strip("[]")).raw_host
    except (ValueError, UnicodeError):
        return None
    if not found:
        return None
    return f"[{found}]" if ":" in found else found.lower()


def _requote(text: str, safe: str) -> str:
    """`%xx` in upper case, unreserved characters decoded, what may not stand in an address encoded as UTF-8.

    A `%` that starts no escape becomes `%25`; escaped bytes that are no UTF-8 stay.
    """

    def decode(match: re.Match[str]) -> str:
        character = chr(int(match[1], 16))
        return character if character in _UNRESERVED else "%" + match[1].upper()

    text = re.sub(r"%(?![0-9a-fA-F]{2})", "%25", text)
    text = _PERCENT.sub(decode, text).encode("utf-8", "replace").decode()
    return quote(text, safe=safe)


def _path(path: str, host: str) -> str:
    segments: list[str] = []
    parts = _requote(path, _PATH_SAFE + "|[]").split("/")[1:]
    for place, segment in enumerate(parts):
        if segment in {".", ".."}:
            if segment == ".." and segments:
                segments.pop()
            if place == len(parts) - 1:
                segments.append("")
        else:
            segments.append(segment)
    found = "/" + "/".join(segments)
    if is_house(host, "amazon"):
        found = _AMAZON_REF.sub("", found) or "/"
    return found


def _query(query: str | None, host: str) -> str:
    pairs = [pair for pair in (query or "").split("&") if pair not in {"", "="}]
    kept = [pair for pair in pairs if not is_tracking(unquote(pair.split("=", 1)[0]), host)]
    return "?" + _requote("&".join(kept), _QUERY_SAFE) if kept else ""


def _fragment(fragment: str, host: str) -> str:
    """Routes (`#/…`, `#!…`) and states (`#gid=…`) stay; anchors and text fragments go."""
    text = fragment.split(":~:", 1)[0]
    if text.startswith(("/", "!")):
        return "#" + _requote(text, _QUERY_SAFE + "#")
    if "=" in text:
        pairs = [p for p in text.split("&") if p and not is_tracking(unquote(p.split("=", 1)[0]), host)]
        return "#" + _requote("&".join(pairs), _QUERY_SAFE + "#") if any("=" in p for p in pairs) else ""
    return ""


def is_tracking(name: str, host: str) -> bool:
    """True if the query parameter `name` surely changes nothing on `host`: see the list `tracking`."""
    lowered = name.lower()
    if any(lowered in names for site, names in _kept() if _below(host, site)):
        return False
    everywhere, sites = _tracking()
    return _listed(lowered, everywhere) or any(
        _listed(lowered, names) for site, names in sites.items() if _below(host, site)
    )


def is_house(host: str, house: str) -> bool:
    """True if the registrable domain of `host` is `house` under any public suffix (amazon.com, amazon.co.jp)."""
    domain = registrable_domain(host)
    return domain is not None and domain.split(".", 1)[0] == house


def _below(host: str, site: str) -> bool:
    if "." not in site:
        return is_house(host, site)
    return host == site or host.endswith("." + site)


def _listed(name: str, names: tuple[frozenset[str], tuple[str, ...]]) -> bool:
    exact, prefixes = names
    return name in exact or name.startswith(prefixes)


@cache
def _tracking() -> tuple[tuple[frozenset[str], tuple[str, ...]], dict[str, tuple[frozenset[str], tuple[str, ...]]]]:
    def split(entries: tuple[str, ...]) -> tuple[frozenset[str], tuple[str, ...]]:
        lowered = [e.lower() for e in entries]
        return frozenset(e for e in lowered if not e.endswith("*")), tuple(e[:-1] for e in lowered if e.endswith("*"))

    listed = {site: split(entries) for site, entries in sections("tracking").items() if site != "keep"}
    return listed.pop("everywhere"), listed


@cache
def _kept() -> tuple[tuple[str, frozenset[str]], ...]:
    rows = (entry.split() for entry in sections("tracking")["keep"])
    return tuple((site, frozenset(n.lower() for n in names)) for site, *names in rows)


@cache
def _suffixes() -> "PublicSuffixList":
    """The public suffix list that comes with the package, loaded at first use; unlisted endings count as suffixes."""
    from publicsuffixlist import PublicSuffixList

    return PublicSuffixList()
