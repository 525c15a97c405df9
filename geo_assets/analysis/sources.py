"""The sources of an answer: whose they are, of what kind, which brands' sentences they stand in.

What belongs here: joining the platform's list with the links in the text. What does not: fetching or resolving
anything. Nothing is dropped: an address that cannot be read stays as a row with what is known of it.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from geo_assets.analysis.source_types import is_redirect, owner_of, source_type
from geo_assets.analysis.urls import host_of, normalise_url, page_key, registrable_domain
from geo_assets.model.answers import Citation, CitationBasis
from geo_assets.model.dictionary import Dictionary
from geo_assets.model.readings import OwnerClass, SourceReading

Range = tuple[int, int]

_MARKDOWN_LINK = re.compile(
    r"(!?)\[((?:[^\[\]\n]|\[[^\[\]\n]*\])*)\]\(\s*<?((?:[^\s()<>]|\([^\s()]*\))+)>?(?:\s+[\"'][^\"'\n]*[\"'])?\s*\)"
)
_REFERENCE = re.compile(r"^\s{0,3}\[([^\]\n]{1,80})\]:\s*<?(\S+?)>?\s*$", re.MULTILINE)
# Ends at blanks, quotes, full-width punctuation and at the first Chinese character, but for titles of encyclopedias.
_BARE_URL = re.compile(
    r"(?<![A-Za-z0-9_/@.])(?:https?://|www\.)"
    r"(?:[^\s<>\"'`|\\^{}\u3000-\u303f\u3400-\u9fff\uff00-\uffef“”‘’…]"
    r"|(?<=/wiki/)[\u3400-\u9fff]+|(?<=/item/)[\u3400-\u9fff]+)+",
    re.IGNORECASE,
)
_CJK_HOST_URL = re.compile(r"(?:https?://)[\w.-]*[\u3400-\u9fff][\w.-]*(?:/[!-~]*)?", re.IGNORECASE)
_TRAILING = ".,;:!?*_~'\""
_SENTENCE_END = re.compile(r"[。！？!?\n]+|\.(?=\s|$)|\.(?=[\[【(])")
_AFTER_END = re.compile(r"(?:\s?(?:[\[【(（]\s*\^?[^\[\]【】()（）\n]{1,40}[\]】)）](?:\([^()\s]*\))?|[”」』\"'’*_]))+")


def read_sources(
    citations: tuple[Citation, ...] | None,
    text: str,
    dictionary: Dictionary,
    *,
    brand_sentences: Mapping[str, Sequence[Range]],
) -> tuple[SourceReading, ...] | None:
    """All sources of an answer, the platform's list first in its order, then links that stand only in the text.

    `brand_sentences` maps a brand's id to half-open ranges of `text` where it is named (the names themselves or their
    sentences). None where the platform gives no list and the text holds no link: then sources were not observable.
    """
    links = text_links(text)
    if citations is None and not links:
        return None
    listed = citations or ()
    sentences = sentence_ranges(text)
    named = {brand: _sentences_of(ranges, sentences) for brand, ranges in brand_sentences.items()}
    by_key: dict[str, list[Range]] = {}
    for url, span, _ in links:
        by_key.setdefault(page_key(url) or url, []).append(span)
    rows = []
    for citation in listed:
        key = page_key(citation.url)
        places = [*citation.spans, *_marker_places(citation.marker, text), *by_key.get(key or citation.url, ())]
        rows.append(_row(citation, dictionary, _supported(places, sentences, named)))
    known = {row.page_key or row.url_raw for row in rows}
    order = max((row.order for row in rows), default=0)
    for url, _, label in links:
        key = page_key(url) or url
        if key in known:
            continue
        known.add(key)
        order += 1
        citation = Citation(url=url, basis=CitationBasis.CITED, order=order, title=label)
        row = _row(citation, dictionary, _supported(by_key[key], sentences, named))
        rows.append(replace(row, in_text_only=True))
    return tuple(_mark_duplicates(rows))


def text_links(text: str) -> list[tuple[str, Range, str | None]]:
    """Links in an answer's text in order: (address as written, half-open range of the whole link, label or None).

    Markdown links, reference definitions and bare addresses; images are no sources.
    """
    found: list[tuple[str, Range, str | None]] = []
    taken: list[Range] = []
    for match in _MARKDOWN_LINK.finditer(text):
        taken.append(match.span())
        if not match[1] and normalise_url(match[3]):
            found.append((match[3], match.span(), match[2].strip(" *_`") or None))
    for match in _REFERENCE.finditer(text):
        if normalise_url(match[2]):
            taken.append(match.span())
            found.append((match[2], match.span(), None))
    for pattern in (_BARE_URL, _CJK_HOST_URL):
        for match in pattern.finditer(text):
            url = _trim(match[0])
            span = (match.start(), match.start() + len(url))
            if not any(a < span[1] and span[0] < b for a, b in taken) and normalise_url(url):
                taken.append(span)
                found.append((url, span, None))
    return sorted(found, key=lambda link: link[1])


def sentence_ranges(text: str) -> list[Range]:
    """Half-open ranges of the sentences of `text`; citation marks behind a full stop belong to its sentence."""
    ranges = []
    start = 0
    for match in _SENTENCE_END.finditer(text):
        if match.end() <= start:
            continue
        end = match.end()
        if not match[0].endswith("\n") and (after := _AFTER_END.match(text, end)):
            end = after.end()
        ranges.append((start, end))
        start = end
    if start < len(text):
        ranges.append((start, len(text)))
    return ranges


def _row(citation: Citation, dictionary: Dictionary, supports: tuple[str, ...]) -> SourceReading:
    normal = normalise_url(citation.url)
    host = host_of(citation.url)
    owner_class, owner, on_platform = OwnerClass.OTHER, None, False
    kind, domain = "other", None
    if normal is not None and host is not None:
        kind = source_type(normal)
        if not is_redirect(normal):
            domain = registrable_domain(host)
            owner_class, owner, on_platform = owner_of(normal, dictionary)
            if owner is not None:
                kind = "account" if on_platform else "official"
    return SourceReading(
        order=citation.order,
        url_raw=citation.url,
        url_normalised=normal,
        page_key=page_key(citation.url),
        host=host,
        domain=domain,
        title=citation.title,
        basis=citation.basis,
        owner_class=owner_class,
        owner=owner,
        source_type=kind,
        supports=supports,
    )


def _mark_duplicates(rows: Iterable[SourceReading]) -> Iterator[SourceReading]:
    first: dict[str, int] = {}
    for row in rows:
        key = row.page_key or row.url_raw
        if key in first:
            yield replace(row, duplicate_of=first[key])
        else:
            first[key] = row.order
            yield row


def _marker_places(marker: str | None, text: str) -> list[Range]:
    """Where the text's own marks name this source: [3], [^3], 【3】, [1, 3], [2-4], [citation:3], 【3†…】."""
    if not marker:
        return []
    bare = marker.strip("[]【】()^ ")
    places = [m.span() for m in re.finditer(re.escape(marker), text)] if not bare.isdigit() else []
    if bare.isdigit():
        places.extend(match.span() for match in _MARKS.finditer(text) if int(bare) in _numbers(match[1]))
    return places


_MARKS = re.compile(
    r"[\[【]\s*(?:\^|citation:|ref_?|source:?|来源|资料|webpage\s?)?\s*(\d{1,3}(?:\s*[,，、–-]\s*\^?\d{1,3})*)(?:†[^\]】]{0,40})?\s*[\]】]",
    re.IGNORECASE,
)


def _numbers(text: str) -> set[int]:
    found: set[int] = set()
    for part in re.split(r"[,，、]", text):
        ends = [int(n) for n in re.findall(r"\d+", part)]
        found |= set(range(ends[0], ends[-1] + 1)) if len(ends) == 2 and ends[1] - ends[0] < 50 else set(ends)
    return found


def _sentences_of(ranges: Iterable[Range], sentences: Sequence[Range]) -> set[int]:
    """Sentences that the ranges stand in; one that merely touches a range cut elsewhere is none of them."""
    return {
        n
        for n, (a, b) in enumerate(sentences)
        for start, end in ranges
        if 2 * (min(b, end) - max(a, start)) > min(b - a, end - start)
    }


def _supported(places: Iterable[Range], sentences: Sequence[Range], named: Mapping[str, set[int]]) -> tuple[str, ...]:
    """Brands of the sentences that the places stand in; a place between two sentences belongs to the one before it."""
    hit: set[int] = set()
    for start, end in places:
        hit |= {n for n, (a, b) in enumerate(sentences) if start < b and a < max(end, start + 1)}
    return tuple(sorted(brand for brand, where in named.items() if where & hit))


def _trim(url: str) -> str:
    """Without punctuation that ends the sentence, and without a bracket that the address did not open."""
    while url:
        if url[-1] in _TRAILING or (url[-1] in ")]" and url.count(url[-1]) > url.count({")": "(", "]": "["}[url[-1]])):
            url = url[:-1]
        else:
            break
    return url
