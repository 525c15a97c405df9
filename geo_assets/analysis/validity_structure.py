"""Texts whose form shows that they are no answer: markup pages, JSON errors, tool calls, tokens, loops, bare code.

What belongs here: forms, which need no reading of sentences. What does not: notices in words (`validity_notices`).
"""

import json
import re
from collections import Counter
from collections.abc import Iterator
from itertools import groupby, islice
from typing import Any

from geo_assets.analysis.validity_text import Passage, roles_of, weight
from geo_assets.model.readings import ValidityReading
from geo_assets.model.states import Validity

_HTML = re.compile(
    r"^\s*(?:<!--.*?-->\s*)*<(?:!doctype\s+html|\?xml|html|head|body|title|center|h1)\b", re.IGNORECASE | re.DOTALL
)
_TAG = re.compile(r"<(script|style)\b.*?</\1\s*>|<[^<>]{1,2000}>", re.IGNORECASE | re.DOTALL)
_TOOL_CALL = re.compile(
    r"^\W*(?:<\|?/?(?:\w+:)?(?:tool\w*|function\w*|invoke|plugin|action|search\w*|quer(?:y|ies)|call)\b|(?:web_?search|search|browse|browser|tool|click|open_url)\s*\(|"
    r"(?:Action|Tool|Function|Thought)\s*:\s*\w+)",
    re.IGNORECASE,
)
_TEMPLATE_TOKEN = re.compile(
    r"</?s>|<\|(?:im_start|im_end|endoftext|user|assistant|system|eot_id|begin_of_text|end)\|?>|\[/?INST\]|<<SYS>>|"
    r"^</?(?:human|user|assistant|bot|gpt|ai|system)>|"
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
_STUTTER = re.compile(r"^\W*(\w{2,12}?)\W*(?:\1\W*){6,}$", re.IGNORECASE)
_STUTTERS = 8
"""So often in a row no word stands in any language."""
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
_MAX_ERROR_WORDS = 90.0


def read_structure(passage: Passage, question: str) -> ValidityReading | None:
    """What the form of the text shows: markup pages, JSON errors, tool calls, chat-template tokens, bare code."""
    text = passage.folded.strip()
    if _HTML.match(text):
        words = " ".join(_TAG.sub(" ", text).split())
        login = "login" in roles_of(words[:400]) or re.search(r"type=[\"']?password", text, re.IGNORECASE)
        kind = Validity.LOGIN_PAGE if login else Validity.ERROR_PAGE
        return None if weight(words) > _MAX_ERROR_WORDS * 2 else ValidityReading(kind, "markup of a web page", 0.93)
    if text[:1] in "{[" and (reading := _read_json(text)):
        return reading
    if _TOOL_CALL.match(text) and weight(text) < _MAX_ERROR_WORDS:
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
    if not failed or weight(said) > _MAX_ERROR_WORDS:
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
    if not weight(_TEMPLATE_TOKEN.sub("", text)):
        return ValidityReading(Validity.OFF_TOPIC, "only a chat-template token", 0.85)
    before, after = weight(text[: token.start()]), weight(text[token.end() :])
    if after <= before:
        return None
    return ValidityReading(Validity.OFF_TOPIC, "runs on behind a chat-template token", 0.85)


def _read_loop(text: str) -> ValidityReading | None:
    """One word, line or sentence over and over."""
    if any(len(list(same)) >= _STUTTERS for word, same in groupby(text.lower().split()) if word.isalpha()):
        return ValidityReading(Validity.OFF_TOPIC, "one word repeated over and over", 0.85)
    if len(set(text)) < 20 and _STUTTER.search(text):
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
