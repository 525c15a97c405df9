"""Texts about something else than the question.

A text is off topic where it shares neither a content word nor a subject with the question. Both are weak signs alone:
good answers may use none of the question's words, so a shared subject (from the list `topics`) acquits, and short
answers, bare lists and questions back are never judged by their words.
"""

import re
from collections import defaultdict
from functools import cache, lru_cache

from ahocorasick_rs import AhoCorasick

from geo_assets.analysis.lists import sections
from geo_assets.analysis.validity_text import ADVICE, Passage, Piece, is_cjk, names_notices, shows, weight
from geo_assets.model.readings import ValidityReading
from geo_assets.model.states import Validity

_LIST = "topics"
_ANOTHER = "another subject than the question"
_MOSTLY_ANOTHER = "mostly another subject than the question"
_NOTHING_SHARED = "shares neither a word nor a subject with the question"
_LATIN = re.compile(r"[a-z][a-z0-9+#.'&-]*[a-z0-9+#]|[a-z0-9]+", re.IGNORECASE)
_CJK_RUN = re.compile(r"[\u3400-\u9fff]+")
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_MODEL_NUMBER = re.compile(r"(\d)(?<=[a-z]{3}\d)", re.IGNORECASE)
_WORDS_JUDGED = 9.0
_WORDS_UNSHARED = 14.0
_WORDS_SHORT = 24.0
_WORDS_LONG = 150.0
_WORDS_UNKNOWN = 60.0
_JUDGED_CHARACTERS = 2000
_TERMS_UNKNOWN = 3
"""Content terms that a question without a known subject must have: an answer of some length takes up one of them."""
_ASKS_TO_WRITE = re.compile(
    r"\b(?:write|draft|compose|translate|rewrite|rephrase|summari[sz]e|joke|riddle|poem|story|haiku|"
    r"in (?:spanish|french|german|chinese|japanese))\b|"
    r"写|翻译|译成|改写|润色|总结|笑话|谜语|诗|故事|续|接龙|起名|造句|用(?:英|中|日|法)[文语]",
    re.IGNORECASE,
)
_NAME = re.compile(r"(?<![.!?:] )\b(?!I\b|I'|AI\b)(?:[A-Z][A-Za-z]+[A-Z0-9]?\w*|[A-Za-z]+\d+\w*)")


@cache
def _entries(section: str) -> tuple[str, ...]:
    return tuple(word.strip() for line in sections(_LIST)[section] for word in line.split(",") if word.strip())


_NO_TOPICS = {"generic", "related"}
_ENDINGS = ("", "s", "es", "ing", "ed")


@cache
def _topic_words() -> tuple[AhoCorasick, list[tuple[bool, tuple[str, ...]]]]:
    """One automaton over the words of all topics; by its numbers: whether the word needs borders, and its topics.

    Latin words stand in it with their endings, Chinese words have no borders.
    """
    topics: dict[str, list[str]] = defaultdict(list)
    for topic in sections(_LIST):
        for word in _entries(topic) if topic not in _NO_TOPICS else ():
            for ending in ("",) if _CJK_RUN.search(word) else _ENDINGS:
                topics[word.lower() + ending].append(topic)
    return AhoCorasick(list(topics)), [(not _CJK_RUN.search(word), tuple(of)) for word, of in topics.items()]


@cache
def _generic() -> tuple[frozenset[str], re.Pattern[str]]:
    words = _entries("generic")
    chinese = sorted((w for w in words if _CJK_RUN.search(w)), key=len, reverse=True)
    return frozenset(w for w in words if not _CJK_RUN.search(w)), re.compile("|".join(map(re.escape, chinese)))


def topics_of(folded: str) -> dict[str, int]:
    """Subjects of a folded text: number of different words of each that occur in it, a word inside another left out."""
    text = _split_models(folded).lower()
    automaton, topics = _topic_words()
    ends: dict[str, int] = {}
    found: dict[str, set[str]] = defaultdict(set)
    hits = automaton.find_matches_as_indexes(text, overlapping=True)
    for number, start, end in sorted(hits, key=lambda hit: (hit[1], -hit[2])):
        has_borders, of = topics[number]
        if has_borders and (_is_letter(text[start - 1 : start]) or _is_letter(text[end : end + 1])):
            continue
        for topic in of:
            if start >= ends.get(topic, 0):
                ends[topic] = end
                found[topic].add(text[start:end])
    return {topic: len(words) for topic, words in found.items()}


def _is_letter(char: str) -> bool:
    return char.isalnum() or char == "_"


@lru_cache(maxsize=256)  # of questions
def content_terms(folded: str) -> tuple[frozenset[str], frozenset[str]]:
    """What a question is about: (Latin word stems, Chinese character pairs), generic words taken out."""
    latin_generic, chinese_generic = _generic()
    folded = _split_models(folded)
    latin = {
        _stem(w) for w in map(str.lower, _LATIN.findall(folded)) if w not in latin_generic and not _NUMBER.fullmatch(w)
    }
    pairs = set()
    for run in _CJK_RUN.findall(chinese_generic.sub(" ", folded)):
        pairs |= {run[i : i + 2] for i in range(len(run) - 1)} or {run}
    return frozenset(w for w in latin if len(w) > 1), frozenset(pairs)


def _split_models(folded: str) -> str:
    """`iphone6` as `iphone 6`: a model's number does not hide its name."""
    return _MODEL_NUMBER.sub(r" \1", folded)


def _stem(word: str) -> str:
    for ending in ("ings", "ing", "ies", "es", "ed", "s", "y", "e"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)]
    return word


def read_topic(passage: Passage, question: str) -> ValidityReading | None:
    """`off_topic` if the text shares no word and no subject with the question, None where that cannot be said."""
    folded = passage.folded
    if _echoes(passage, question):
        return ValidityReading(Validity.OFF_TOPIC, "the question, and nothing else", 0.85)
    latin, pairs = content_terms(question)
    terms = len(latin) + len(pairs)
    if not terms or names_notices(question) or (is_cjk(question) != passage.is_cjk and not latin):
        return None
    shared = _shared(latin, pairs, folded)
    if shared > 1 or (shared and terms < 3) or _soft_overlap(pairs, folded) >= 0.5:
        return None
    if not shared and _in_another_language(folded) and not _ASKS_TO_WRITE.search(question):
        return ValidityReading(Validity.OFF_TOPIC, "another language, and no word of the question", 0.72)
    asked = topics_of(question)
    if not asked and (shared or terms < _TERMS_UNKNOWN or _ASKS_TO_WRITE.search(question)):
        return None
    parts = passage.pieces
    if shows(folded, "disclaimer"):
        parts = [p for p in parts if not shows(p.text, "disclaimer")]
    words = sum(p.words for p in parts)
    if words < _WORDS_JUDGED or _is_bare_list(parts) or _asks_back(parts):
        return None
    if not asked and words < _WORDS_UNKNOWN:
        return None
    if shared and words < _WORDS_UNKNOWN:
        return None
    said = "\n".join(p.text for p in parts) if len(folded) < _JUDGED_CHARACTERS else folded[:_JUDGED_CHARACTERS]
    answered = topics_of(said)
    common = max((answered.get(topic, 0) for topic in asked), default=0)
    kin = max((answered.get(topic, 0) for topic in _related(frozenset(asked))), default=0)
    dominant = max(answered.values(), default=0)
    if common * (6 if shared else 4) > dominant:
        return None
    against = _evidence(dominant - common, shared, words, folded, parts) - (1 if kin == dominant > 0 else 0)
    if against < 1:
        return None
    reason = _MOSTLY_ANOTHER if common else _ANOTHER if dominant else _NOTHING_SHARED
    # One word of another subject may be a chance meaning ("suits"): without more of them it stays a doubt.
    most = 0.9 if dominant - common >= 2 else 0.69
    confidence = round(min(most, 0.58 + 0.08 * against), 2)
    return ValidityReading(Validity.OFF_TOPIC, reason, confidence, review=confidence < 0.7)


@lru_cache(maxsize=256)
def _related(asked: frozenset[str]) -> frozenset[str]:
    groups = [frozenset(line.split(",")) for line in sections(_LIST)["related"]]
    return frozenset().union(*(group for group in groups if next(iter(group & asked), None))) - asked


_ENUMERATION = re.compile(r"[\u4e00-\u9fff]{2,6}、[\u4e00-\u9fff]{2,6}(?:、|和|都|等)")
"""Chinese names one after another, which no capitals show."""


def _evidence(dominant: int, shared: int, words: float, folded: str, parts: list[Piece]) -> float:
    """Weight of the signs that the text is about something else; from 1 on it is taken to be.

    Words of another subject speak for it; picks, comparisons, names of things and a shared word speak against it, the
    names less so in a long text, where some always stand. A long answer to the question would share far more with it.
    """
    weight_of = 1.0 + min(dominant, 5)
    if ADVICE.search(folded):
        weight_of -= 1
    if any(names_things(part.text) for part in parts) or (
        not dominant and _ENUMERATION.search(folded)
    ):  # they may well be what was asked for
        weight_of -= 1.5 if words < _WORDS_SHORT else 0.75
    if words < _WORDS_UNSHARED and not is_cjk(folded):
        weight_of -= 1
    if shared:
        weight_of -= 3
    if words > _WORDS_LONG:
        weight_of += 2
    return weight_of


def shares_word(folded: str, question: str) -> bool:
    """True if a folded text shares a content word with the question."""
    return _shared(*content_terms(question), folded) > 0


def takes_up(folded: str, question: str) -> bool:
    """True if a folded text shares a content word or a subject with the question."""
    return shares_word(folded, question) or not topics_of(question).keys().isdisjoint(topics_of(folded))


def names_things(text: str, known: str = "") -> bool:
    """Names of products or makers stand in it: Latin capitals inside a sentence, model numbers. Not those `known`."""
    return any(match[0] not in known for match in _NAME.finditer(text[1:]))


def is_by_subject(reading: ValidityReading) -> bool:
    """True for a verdict that rests on the subject alone, which knowledge of the market's brands can overrule."""
    return reading.validity is Validity.OFF_TOPIC and reading.reason in {_ANOTHER, _MOSTLY_ANOTHER, _NOTHING_SHARED}


def _shared(latin: frozenset[str], pairs: frozenset[str], folded: str) -> int:
    """Number of the question's terms in the text: long stems anywhere, short ones only as the stem of a word."""
    lowered = folded.lower()
    short = [stem for stem in latin if len(stem) <= 3]
    words = {_stem(w) for w in _LATIN.findall(lowered) if w.startswith(tuple(short))} if short else ()
    return sum(stem in words if len(stem) <= 3 else stem in lowered for stem in latin) + sum(p in folded for p in pairs)


def _soft_overlap(pairs: frozenset[str], folded: str) -> float:
    """Share of the question's Chinese characters that occur in the text at all (扫地机器人 – 扫拖机)."""
    characters = {c for pair in pairs for c in pair}
    return sum(c in folded for c in characters) / len(characters) if characters else 0.0


def _in_another_language(folded: str) -> bool:
    """Latin script, but the function words of some other European language than English."""
    words = [word.lower() for word in re.findall(r"[^\W\d_]+", folded[:_JUDGED_CHARACTERS])]
    others, english = _function_words()
    other = sum(word in others for word in words)
    return len(words) >= 12 and other >= 0.15 * len(words) and other > sum(word in english for word in words)


@cache
def _function_words() -> tuple[frozenset[str], frozenset[str]]:
    """Of other European languages, and of English."""
    lists = sections("notice_words")
    others = frozenset(lists["other_languages"][0].split(","))
    return others, frozenset(word for line in lists["function"] for word in line.split(",")) - others


def _echoes(passage: Passage, question: str) -> bool:
    def letters(text: str) -> str:
        return re.sub(r"[\W_]+", "", text).lower()

    asked = weight(question)
    return asked >= 3 and passage.words <= 2 * asked and letters(passage.folded) == letters(question)


def _is_bare_list(parts: list[Piece]) -> bool:
    """Names line by line, as they are given where only names were asked for."""
    return all(p.words <= 6 for p in parts) and len({p.line for p in parts}) >= 2


def _asks_back(parts: list[Piece]) -> bool:
    """At least half of the words stand in questions to the asker."""
    asking = sum(p.words for p in parts if p.text.rstrip("*_ ").endswith("?"))
    return asking >= 0.5 * sum(p.words for p in parts)
