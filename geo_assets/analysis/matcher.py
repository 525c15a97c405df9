"""Finding names: one automaton over all names of a dictionary, boundaries, and the longest name wins.

Here: spelling. A hit is a place where a name stands as itself, not inside another word. Not here: whether the word is
meant as the brand (`ambiguity`), and which parts of a text are prose (`prose`).

The automaton reports *all* overlapping matches and the boundary test comes first; a leftmost-longest automaton would
let `mi 14` win on `mi 145`, fail it at the boundary, and lose `mi`.
"""

import re
from collections import defaultdict
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from ahocorasick_rs import AhoCorasick

from geo_assets.analysis.edges import Edge, gaps_fit, is_cjk, junctions, left_edge, right_edge, seam_holds
from geo_assets.analysis.folding import Folded, fold
from geo_assets.analysis.lexicon import chinese_words, english_words, sections
from geo_assets.model.dictionary import BrandEntry, Dictionary


class Kind(StrEnum):
    """What a listed string is."""

    NAME = "name"
    EXCLUDE = "exclude"
    KNOWN = "known"


@dataclass(frozen=True, slots=True)
class Name:
    """A listed string: as listed, its folded form, where its own spelling allows a gap, and whose it is.

    `is_alias`: not the brand's main name. `rest`: what the main name has beside an alias that is a part of it (葡萄酒
    where 长城葡萄酒 is called 长城 for short), folded; else empty.
    """

    text: str
    folded: str
    kind: Kind
    brand: str | None
    gaps: frozenset[int]
    loose: frozenset[int]
    is_word: bool
    is_alias: bool = False
    rest: str = ""


class Hit(NamedTuple):
    """A name at half-open offsets of the original text."""

    start: int
    end: int
    name: Name
    edge: Edge


_LEGAL_FORM = re.compile(
    r"[\s,，]+(?:inc|llc|ltd|limited|corp|corporation|co|gmbh|ag|plc|s\.?a\.?|b\.?v\.?)\.?$"
    r"|(?:股份|有限|责任)+公司$",
    re.IGNORECASE,
)

# What a company's name has beside the brand and says nothing of its market.
_COMPANY_FORMS = ("集团", "公司", "科技", "控股", "股份")
# What follows a name in the name of the company itself or of its goods: such a longer word is still the brand.
_COMPANY_TAIL = (*_COMPANY_FORMS, "汽车", "手机", "电脑", "电器", "保险", "银行", "牌")
# What a longer name may add without saying more of the brand. Before 文化 or 国际 a name may well be a word.
_COMPANY_WORDS = frozenset((*_COMPANY_FORMS, "实业", "国际", "动力", "网络", "文化", "传媒", "企业", "品牌", "中国"))


def spellings(entry: BrandEntry) -> list[str]:
    """The name, its aliases, and the forms that spelling rules derive from them: without the legal form, & as and."""
    listed = [entry.name, *entry.aliases]
    derived = []
    for text in listed:
        short = _LEGAL_FORM.sub("", text).strip()
        if short and short != text and (" " in short or (len(short) >= 4 and fold(short) not in english_words())):
            derived.append(short)
        if " & " in text:
            derived += [text.replace(" & ", " and "), text.replace("&", "&amp;")]
    return [text for text in dict.fromkeys([*listed, *derived]) if fold(text)]


class Matcher:
    """The compiled names of one dictionary. Build with `compile_matcher`; immutable and safe to share."""

    def __init__(self, dictionary: Dictionary) -> None:
        self.dictionary = dictionary
        self.brands = {brand.id: brand for brand in dictionary.brands}
        self.positions = {brand.id: position for position, brand in enumerate(dictionary.brands)}
        self._spellings = {brand.id: spellings(brand) for brand in dictionary.brands}
        self.context = frozenset(fold(word) for word in dictionary.context if word.strip())
        self.brand_context = {
            brand.id: self.context.union(
                (fold(word) for word in brand.context if word.strip()),
                _said_by_names(self._spellings[brand.id]),
                # The maker's names speak for its product: Samsung Galaxy.
                map(fold, self._spellings.get(brand.parent or "", ())),
            )
            for brand in dictionary.brands
        }
        names = list(self._listed())
        names += self._longer_words(names)
        by_form: dict[str, list[Name]] = defaultdict(list)
        for name in sorted(set(names), key=lambda n: (n.folded, n.kind, n.brand or "", n.text)):
            by_form[name.folded].append(name)
        self._forms = list(by_form)
        self._names = [tuple(by_form[form]) for form in self._forms]
        self._automaton = AhoCorasick(self._forms) if self._forms else None

    def _listed(self) -> list[Name]:
        names = []
        for brand in self.dictionary.brands:
            names += [_name(text, Kind.NAME, brand.id, brand.name) for text in self._spellings[brand.id]]
            names += [_name(text, Kind.EXCLUDE, brand.id) for text in brand.exclude if fold(text)]
        names += [_name(text, Kind.KNOWN, None) for text in self.dictionary.known if fold(text)]
        return names

    def _longer_words(self, names: list[Name]) -> list[Name]:
        """Chinese words of the bundled list that contain a name and are something else (苹果 in 苹果园)."""
        forms = {name.folded for name in names if name.kind is Kind.NAME}
        chinese = sorted(form for form in forms if 2 <= len(form) <= 3 and all("\u4e00" <= c <= "\u9fff" for c in form))
        if not chinese:
            return []
        words = chinese_words()
        joined = "\n".join(word for word in words if len(word) > 2)
        found = set()
        for _, start, end in AhoCorasick(chinese).find_matches_as_indexes(joined, overlapping=True):
            word = joined[
                joined.rfind("\n", 0, start) + 1 : (joined.find("\n", end) + len(joined) + 1) % (len(joined) + 1)
            ]
            tail = word[word.find(joined[start:end]) + end - start :]
            if len(word) > end - start and word not in forms and not tail.startswith(_COMPANY_TAIL):
                found.add(word)
        listed = {word for word in sections("homonyms_zh.txt")["longer names"] if word not in forms}
        found |= {word for word in listed if any(form in word for form in chinese)}
        return [_name(word, Kind.KNOWN, None) for word in sorted(found)]

    def raw(self, folded: str) -> list[tuple[int, int, int]]:
        """The bare automaton scan: (index of form, start, end) in folded offsets, overlapping, without any test."""
        if self._automaton is None:
            return []
        found: list[tuple[int, int, int]] = self._automaton.find_matches_as_indexes(folded, overlapping=True)
        return found

    def hits(self, folded: Folded) -> list[Hit]:
        """Names that stand as themselves, longest first and not overlapping, in order of the text.

        `exclude` phrases take away only their own brand; known longer names take away every brand.
        """
        raw = self.raw(folded.text)
        if not raw:
            return []
        text = folded.original
        valid: list[Hit] = []
        for index, first, last in raw:
            start = folded.start(first)
            left = left_edge(text, start)
            if left is Edge.INSIDE:
                continue
            end = folded.end(last)
            right = right_edge(text, end, self._forms[index])
            if right is Edge.INSIDE:
                continue
            unbroken = folded.is_unbroken(first, last)
            for name in self._names[index]:
                edge = _edge(text, start, end, name, left, right)
                if edge is not Edge.INSIDE and (unbroken or gaps_fit(folded, first, last, name.gaps, name.loose)):
                    valid.append(Hit(start, end, name, edge))
        return _longest(valid) if valid else []


def _edge(text: str, start: int, end: int, name: Name, left: Edge, right: Edge) -> Edge:
    """The weaker of the two edges; a seam between glued words must be borne out by the words around it."""
    edge = max(right, left)
    if edge is Edge.SEAM and not seam_holds(text, start, end, common=name.is_word):
        return Edge.INSIDE
    return edge


def _longest(hits: list[Hit]) -> list[Hit]:
    """Leftmost-longest over names and known words, after `exclude` phrases have taken their own brand's places."""
    excluded = [hit for hit in hits if hit.name.kind is Kind.EXCLUDE]
    rest = hits
    if excluded:
        rest = [hit for hit in hits if hit.name.kind is not Kind.EXCLUDE and not _is_excluded(hit, excluded)]
    kept: list[Hit] = []
    for hit in sorted(rest, key=lambda hit: (hit.start, -hit.end)):
        last = kept[-1] if kept else None
        if last is None or hit.start >= last.end or (hit.start == last.start and hit.end == last.end):
            kept.append(hit)
    known = {(hit.start, hit.end) for hit in kept if hit.name.kind is Kind.KNOWN}
    return [hit for hit in kept if hit.name.kind is Kind.NAME and (hit.start, hit.end) not in known]


def _is_excluded(hit: Hit, excluded: list[Hit]) -> bool:
    return any(
        x.name.brand == hit.name.brand
        and x.start < hit.end
        and hit.start < x.end
        and x.end - x.start >= hit.end - hit.start
        for x in excluded
    )


def _said_by_names(names: list[str]) -> set[str]:
    """Words of the market in a brand's own names: what a longer Chinese one adds to a shorter (汽车 in 现代汽车)."""
    forms = [fold(text) for text in names]
    rests = {long.replace(short, "", 1) for short in forms for long in forms if short != long and short in long}
    return {rest for rest in rests if len(rest) >= 2 and all(map(is_cjk, rest)) and rest not in _COMPANY_WORDS}


def _name(text: str, kind: Kind, brand: str | None, main: str = "") -> Name:
    folded = fold(text)
    gaps, loose = junctions(text)
    is_word = folded in english_words() or len(folded) < 3
    whole = fold(_LEGAL_FORM.sub("", main))
    is_alias = kind is Kind.NAME and folded not in {whole, fold(main)}
    rest = whole.replace(folded, "", 1) if is_alias and folded in whole else ""
    if rest in _COMPANY_WORDS:  # 石头 is not short for 石头科技: everybody says so
        rest = ""
    return Name(text, folded, kind, brand, gaps, loose, is_word, is_alias, rest)


@lru_cache(maxsize=64)
def _compiled(_hash: str, dictionary: "_ByHash") -> Matcher:
    return Matcher(dictionary.value)


class _ByHash:
    """A dictionary that equals every other with the same content hash, so that the cache is keyed by content."""

    def __init__(self, value: Dictionary) -> None:
        self.value = value
        self.key = value.hash

    def __hash__(self) -> int:
        return hash(self.key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _ByHash) and other.key == self.key


def compile_matcher(dictionary: Dictionary) -> Matcher:
    """The matcher of a dictionary, cached by the dictionary's content hash."""
    wrapped = _ByHash(dictionary)
    return _compiled(wrapped.key, wrapped)
