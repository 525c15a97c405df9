"""Texts that are no answer at all: error pages, login pages, progress, collectors' reports, raw tool calls, marks.

What belongs here: recognising that (nearly) the whole text is such a thing. What does not: texts that decline an
answer, break off, or answer something else. A notice above, below or inside a full answer does not make it a notice.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import Any

from geo_assets.analysis.lists import pattern
from geo_assets.analysis.validity_text import ADVICE, CUES, SELF, Passage, Piece, roles_of, shows, weight
from geo_assets.analysis.validity_topic import names_things, shares_word, takes_up
from geo_assets.model.readings import ValidityReading
from geo_assets.model.states import Validity

_HTML = re.compile(
    r"^\s*(?:<!--.*?-->\s*)*<(?:!doctype\s+html|\?xml|html|head|body|title|center|h1)\b", re.IGNORECASE | re.DOTALL
)
_TAG = re.compile(r"<(script|style)\b.*?</\1\s*>|<[^<>]{1,2000}>", re.IGNORECASE | re.DOTALL)
_TOOL_CALL = re.compile(
    r"^\W*(?:<\|?(?:tool_call|function_call|tool|plugin|action|search)\b|(?:web_?search|search|browse|browser|tool|click|open_url)\s*\(|"
    r"(?:Action|Tool|Function|Thought)\s*:\s*\w+)",
    re.IGNORECASE,
)
_TEMPLATE_TOKEN = re.compile(
    r"</?s>|<\|(?:im_start|im_end|endoftext|user|assistant|system|eot_id|begin_of_text|end)\|?>|\[/?INST\]|<<SYS>>|"
    r"<(?:start|end)_of_turn>|^#{2,3} ?(?:Instruction|Input|Response)\s*:|^(?:Human|USER|User|ASSISTANT)\s*:",
    re.MULTILINE,
)
_CODE_LINE = re.compile(
    r"^\s*(?:SELECT\b.+\bFROM\b|INSERT\s+INTO\b|UPDATE\b.+\bSET\b|DELETE\s+FROM\b|CREATE\s+TABLE\b|(?:from\s+\S+\s+)?import\s+\w|"
    r"def\s+\w+\(|class\s+\w+\s*[:({]|return\b.*;?$|(?:const|let|var)\s+\w+\s*=|function\s*\w*\(|#include\b|public\s+\w+|"
    r"print\(|console\.log\(|\w+\s*=\s*[^=].*[;)]$|[{}()\[\];]+$|.*(?<!&#x20)[;{]\s*$|"
    r"WHERE\b.+[=<>].+|ORDER BY\b.+|LIMIT \d+)",
    re.IGNORECASE,
)
_ASKS_FOR_CODE = re.compile(
    r"代码|编程|脚本|函数|程序|正则|语句|查询语句|命令|网页|html|css|json|xml|yaml|sql|python|java|c\+\+|\bcode\b|script|function|"
    r"regex|query|program|command|snippet|\bapi\b|shell|bash|excel|公式|formula|latex|table|format",
    re.IGNORECASE,
)
_STUTTER = re.compile(r"(?:^|\s)([^\W\d_]+)(?:\W+\1\b){7,}|^\W*(\w{2,12}?)\W*(?:\2\W*){6,}$", re.IGNORECASE)
_ERROR_KEYS = {
    "error",
    "errors",
    "detail",
    "message",
    "msg",
    "errmsg",
    "err_msg",
    "error_msg",
    "error_message",
    "errno",
}
_FAILURE_KEYS = {"error", "errors", "errmsg", "err_msg", "error_msg", "error_message", "errno"}
_ANSWER_KEYS = {"answer", "content", "text", "result", "response", "choices", "data", "output"}
_CODE_KEYS = {"code", "status", "errcode", "err_code", "error_code", "status_code", "ret"}
_FINE = {"0", "200", "ok", "OK", "success"}
_TOOL_KEYS = {"tool", "function", "arguments", "tool_calls", "tool_name", "function_call", "action_input", "queries"}
_MAX_NOTICE_WORDS = 90.0


def read_structure(passage: Passage, question: str) -> ValidityReading | None:
    """What the form of the text shows: markup pages, JSON errors, tool calls, chat-template tokens, bare code."""
    text = passage.folded.strip()
    if _HTML.match(text):
        words = " ".join(_TAG.sub(" ", text).split())
        login = "login" in roles_of(words[:400]) or re.search(r"type=[\"']?password", text, re.IGNORECASE)
        kind = Validity.LOGIN_PAGE if login else Validity.ERROR_PAGE
        return None if weight(words) > _MAX_NOTICE_WORDS * 2 else ValidityReading(kind, "markup of a web page", 0.93)
    if text[:1] in "{[" and (reading := _read_json(text)):
        return reading
    if _TOOL_CALL.match(text) and weight(text) < _MAX_NOTICE_WORDS:
        return ValidityReading(Validity.OFF_TOPIC, "a tool call stored as the answer", 0.9)
    if not passage.words:
        return ValidityReading(Validity.OFF_TOPIC, "marks without a word", 0.9)
    return _read_tokens(text) or _read_loop(text) or _read_code(text, question)


def _read_json(text: str) -> ValidityReading | None:
    try:
        value = json.loads(text)
    except ValueError:
        return None
    if isinstance(value, list) and value and isinstance(value[0], dict):
        value = value[0]
    if not isinstance(value, dict):
        return None
    pairs = list(_pairs(value))
    keys = {key for key, _ in pairs}
    if keys & _TOOL_KEYS and not keys & {"answer", "content"}:
        return ValidityReading(Validity.OFF_TOPIC, "a tool call stored as the answer", 0.9)
    said = " ".join(v for _, v in pairs if isinstance(v, str))
    answered = any(key in _ANSWER_KEYS and v for key, v in pairs)
    codes = [str(v) for key, v in pairs if key in _CODE_KEYS and not isinstance(v, (dict, list))]
    failed = any(key in _FAILURE_KEYS and v for key, v in pairs) or (codes and "error" in roles_of(said))
    told = any(key in _ERROR_KEYS and v for key, v in pairs)
    failed = failed or (told and not codes and not answered) or (not answered and any(_is_failure(c) for c in codes))
    if codes and all(code in _FINE for code in codes):
        failed = False
    if not failed or weight(said) > _MAX_NOTICE_WORDS:
        return None
    login = roles_of(said) & {"login"} or re.search(r"\bunauthori[sz]ed\b|\b401\b", said, re.IGNORECASE)
    return ValidityReading(Validity.LOGIN_PAGE if login else Validity.ERROR_PAGE, "an error object in JSON", 0.95)


def _pairs(value: Any) -> Iterator[tuple[str, Any]]:
    """Every key of nested objects, in lower case, with its value."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield str(key).lower(), inner
            yield from _pairs(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _pairs(inner)


def _is_failure(code: str) -> bool:
    """A status from 400 on, or a platform's own code of at least three digits."""
    return bool(re.fullmatch(r"[45]\d\d|-?\d{4,6}|-\d{1,3}", code))


def _read_tokens(text: str) -> ValidityReading | None:
    """A chat template's token with a longer text after it than before: the model ran on into something else."""
    if (token := _TEMPLATE_TOKEN.search(text)) is None:
        return None
    before, after = weight(text[: token.start()]), weight(text[token.end() :])
    if after <= before:
        return None
    return ValidityReading(Validity.OFF_TOPIC, "runs on behind a chat-template token", 0.85)


def _read_loop(text: str) -> ValidityReading | None:
    """One word, line or sentence over and over."""
    if _STUTTER.search(text):
        return ValidityReading(Validity.OFF_TOPIC, "one word repeated over and over", 0.85)
    said = Counter(p.strip() for p in re.split(r"[\n。!?]|\.\s", text))
    if max(said.values()) < 5:
        return None
    parts = [p for p in said.elements() if weight(p) >= 2]
    if len(parts) >= 6 and len(set(parts)) <= len(parts) / 5:
        return ValidityReading(Validity.OFF_TOPIC, "one sentence repeated over and over", 0.85)
    return None


def _read_code(text: str, question: str) -> ValidityReading | None:
    lines = [line for line in text.splitlines() if line.strip() and not line.strip().startswith("```")]
    if not lines or len(lines) > 60 or _ASKS_FOR_CODE.search(question):
        return None
    others = (line for line in lines if not _CODE_LINE.match(line))
    if len(list(islice(others, len(lines) // 5 + 1))) > len(lines) // 5:
        return None
    return ValidityReading(Validity.OFF_TOPIC, "program code, which was not asked for", 0.8)


_KINDS: tuple[tuple[Validity, tuple[str, ...], tuple[str, ...], str], ...] = (
    (Validity.ERROR_PAGE, ("human_check",), ("error",), "a check for humans"),
    (Validity.LOGIN_PAGE, ("login",), ("login_form", "greeting", "error"), "a request to log in"),
    (Validity.OFF_TOPIC, ("report",), ("error", "progress"), "a collector's own report"),
    (Validity.ERROR_PAGE, ("error",), ("apology", "offer"), "an error or busy notice"),
    (Validity.OFF_TOPIC, ("progress",), ("greeting",), "search progress without an answer"),
    (Validity.OFF_TOPIC, ("instruction",), ("placeholder",), "the instructions of a prompt"),
    (Validity.OFF_TOPIC, ("placeholder",), (), "a placeholder"),
    (Validity.OFF_TOPIC, ("interface",), ("login_form", "greeting"), "interface text only"),
    (Validity.OFF_TOPIC, ("greeting",), ("offer", "disclaimer", "interface"), "a greeting only"),
)
"""Kinds of notice in order of precedence: verdict, roles that prove it, roles that may come along, reason."""


def read_notice(passage: Passage, question: str) -> ValidityReading | None:
    """The kind of notice that (nearly) the whole text is, None if enough of it is anything else."""
    parts = passage.pieces if passage.words <= 2 * _MAX_NOTICE_WORDS else []
    total = sum(p.words for p in parts)
    if not parts or total > _MAX_NOTICE_WORDS:
        return None
    if pattern(CUES, "placeholder_empty").search(" ".join(p.text for p in parts)):
        return ValidityReading(Validity.EMPTY, "a placeholder for no answer", 0.85)
    asked = roles_of(question) & _ABOUT_NOTICES
    if pattern(CUES, "core_login").search(question):
        asked |= {"login"}
    answering = {p for p in parts if _answers(p, question, asked)}
    best: tuple[float, ValidityReading] | None = None
    for kind, proof, company, reason in _KINDS:
        proving = [p for p in parts if p.is_any(*proof) and p not in answering]
        if not _ECHOING.isdisjoint(proof):
            proving = [p for p in proving if p.words <= 5 or not shares_word(p.text, question)]
        if "error" in proof:
            proving = [p for p in proving if not ("decline" in p.roles and _OBJECTING.search(p.text))]
        if "interface" in proof:
            proving = [p for p in proving if not _is_fault(p)]
        if "progress" in proof:
            proving = [p for p in proving if "decline" not in p.roles]
        if not proving or ("greeting" in proof and any("decline" in p.roles for p in parts)):
            continue
        others = [p for p in parts if p in answering or not p.is_any(*proof, *company)]
        rest = sum(p.words for p in others)
        limit = max(4.5 if "login" in proof else 2.5, 0.34 * total)
        if rest > limit and _is_loose(parts, proving, others, question):
            limit = 0.6 * total
        if rest > limit or (asked and not _is_form(parts)):
            continue
        doubt = rest / total
        if best is None or doubt < best[0]:
            best = doubt, ValidityReading(kind, reason, round(0.95 - 0.5 * doubt, 2), review=doubt > 0.25)
    return best[1] if best else _read_fault(parts, total, question, asked)


def _is_loose(parts: list[Piece], proving: list[Piece], others: list[Piece], question: str) -> bool:
    """More may stand beside the proof where it is no answer: without substance, or as half of the lines of a form."""
    if len(proving) > 1 and not any(_has_substance(p, question) for p in others):
        return True
    is_half = len(others) <= len(parts) / 2 and len(parts) >= 3
    return is_half and _is_form(parts) and not any(takes_up(p.text, question) for p in parts)


_MAX_FAULT_WORDS = 70.0


def _read_fault(parts: list[Piece], total: float, question: str, asked: frozenset[str]) -> ValidityReading | None:
    """A machine that speaks of itself and of a trouble in one sentence, and of nothing that was asked about.

    Not where somebody speaks (`I cannot …`) or the content is objected to: then it declines.
    """
    if asked or total > _MAX_FAULT_WORDS or not (_is_fault(parts[0]) or _goes_with_fault(parts[0])):
        return None
    faults = [p for p in parts if _is_fault(p)]
    rest = sum(p.words for p in parts if p not in faults and not _goes_with_fault(p))
    if not faults or rest > 0.34 * total or any(_has_substance(p, question) for p in parts):
        return None
    return ValidityReading(Validity.ERROR_PAGE, "a machine reports a fault", round(0.85 - 0.5 * rest / total, 2))


def _is_fault(piece: Piece) -> bool:
    text = piece.text
    return shows(text, "trouble") and shows(text, "system") and not SELF.search(text) and not _OBJECTING.search(text)


def _goes_with_fault(piece: Piece) -> bool:
    return piece.is_any("error", "apology", "offer", "interface") or shows(piece.text, "remedy")


_OBJECTING = re.compile(
    r"敏感|违规|违法|违反|不当|不良|政治|不合规|\b(?:polic(?:y|ies)|guidelines?|prohibited|harmful|inappropriate|copyright|sensitive|"
    r"safety|violat\w+|unsafe|moderation)\b",
    re.IGNORECASE,
)
"""Words by which a platform objects to the content of a question or an answer."""
_OWN = re.compile(
    r"\b(?:i'm|i am|we|we're|our|your (?:request|session|account|connection|message)|this request)\b|我们|本站|您的",
    re.IGNORECASE,
)
"""A platform speaks of itself and the asker, not of such notices in general."""
_TECHNICAL = re.compile(
    r"\b(?:[A-Z]{2,}\d*s?|Keys?|Tokens?|Ray ID|Java[Ss]cript|Cookies|"
    r"[A-Z][a-z]+(?:[A-Z][a-z]+)*(?:Error|Exception|Id|Key))\b"
)
"""Capitals that name no product."""


_ECHOING = {"error", "login", "human_check"}
"""Notices that say nothing of the question, unlike search progress and reports."""
_ABOUT_NOTICES = {"error", "human_check", "login", "login_form", "progress", "report"}


def _answers(piece: Piece, question: str, asked: frozenset[str]) -> bool:
    """A sentence that holds words of a notice by chance: it explains, or gives a pick for what was asked about."""
    if "explains" in piece.roles and not _OWN.search(piece.text):
        return bool(asked) or piece.words > 6
    return piece.words > 8 and bool(ADVICE.search(piece.text)) and takes_up(piece.text, question)


def _has_substance(piece: Piece, question: str) -> bool:
    """Anything that an answer could consist of: picks, names, words or the subject of the question."""
    if ADVICE.search(piece.text) or takes_up(piece.text, question):
        return True
    return names_things(_TECHNICAL.sub(" ", piece.text))


def _is_form(parts: list[Piece]) -> bool:
    """Short lines without sentences, as forms and status pages have them."""
    return all(p.words <= 8 and not re.search(r"[。.;]$", p.text) for p in parts)
