"""Showing untrusted text: answers, titles and addresses made inert for HTML, terminals, spreadsheets and Markdown.

What belongs here: the only ways in which text from a platform reaches a reader's screen. What does not: wording and
layout. Evidence itself is never changed; these functions work on a copy that is shown.

HTML goes through two independent walls: the Markdown renderer shows any markup in the text as text, and the sanitiser
then keeps a short list of tags and attributes.
"""

import json
import re
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

_TAGS = {
    *("p", "br", "hr", "h1", "h2", "h3", "h4", "h5", "h6", "strong", "em", "s", "code", "pre", "blockquote"),
    *("ul", "ol", "li", "table", "thead", "tbody", "tr", "th", "td"),
}
_ATTRIBUTES: dict[str, set[str]] = {"*": set(), "ol": {"start"}}

_BIDI = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
_ANNOTATIONS = "\ufff9\ufffa\ufffb"
_TAG_CHARACTERS = "\U000e0000-\U000e007f"
_CONTROL = "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff"
_DECEPTIVE = re.compile(f"[{_CONTROL}{_BIDI}{_ANNOTATIONS}{_TAG_CHARACTERS}]")
_FORMULA = re.compile(r"^[\s\u200b\ufeff\u2060]*[=+\-@\t\r\n|%＝＋－＠]")
_NUMBER = re.compile(r"[+-]?\d+(?:[.,]\d+)*%?")
_MARKDOWN = re.compile(r"[!-/:-@\[-`{-~]")
_ENTITIES = {"|": "&#124;", "<": "&lt;", ">": "&gt;", "&": "&amp;"}


def safe_html(text: str) -> str:
    """`text`, read as Markdown, as an HTML fragment that can do nothing.

    No scripts, handlers, styles, classes, ids, forms or frames; HTML in the text is shown as written; images become
    their alternative text and links their label, so that nothing leads or loads from elsewhere.
    """
    import nh3

    rendered = _renderer().render(_visible(text.replace("\r\n", "\n").replace("\r", "\n")))
    return nh3.clean(rendered, tags=_TAGS, attributes=_ATTRIBUTES, url_schemes=set(), link_rel=None)


def safe_terminal(text: str) -> str:
    """`text` for a terminal: line breaks and tabs stay, every other control character is shown as a sign.

    Escape sequences lose their escape (`␛[31m`), a lone carriage return cannot overwrite a line, bidirectional
    overrides and invisible tag characters become `‹U+202E›`.
    """
    plain = text.replace("\r\n", "\n").replace("\u2028", "\n").replace("\u2029", "\n")
    return _visible(plain.replace("\r", "␍"))


def safe_json(value: Any, **options: Any) -> str:
    """`value` as JSON that is safe to print: characters that a terminal obeys are escapes in it.

    Letters of all scripts stay as they are. `options` are those of `json.dumps`.
    """
    return _DECEPTIVE.sub(_escaped, json.dumps(value, ensure_ascii=False, **options))


def safe_cell(text: str) -> str:
    """`text` for a cell of a CSV file: what a spreadsheet could take for a formula gets an apostrophe before it.

    Plain numbers stay. `plain_cell` takes the apostrophe off again.
    """
    shown = _visible(text)
    if (_FORMULA.match(shown) or _is_marked(shown)) and not _NUMBER.fullmatch(shown):
        return "'" + shown
    return shown


def plain_cell(cell: str) -> str:
    """The text of a cell that `safe_cell` wrote."""
    return cell[1:] if _is_marked(cell) else cell


def safe_markdown(text: str) -> str:
    """`text` for a place that renders Markdown (the orchestrator's metadata): shown literally, on the same lines.

    Every character that Markdown or HTML could act on is escaped, so that there is no link, image, table or heading.
    """
    lines = _visible(text.replace("\r\n", "\n").replace("\r", "\n")).expandtabs(1).split("\n")
    return "  \n".join(_MARKDOWN.sub(_escape, line.strip()) for line in lines)


def _escape(match: re.Match[str]) -> str:
    return _ENTITIES.get(match[0], "\\" + match[0])


def _escaped(match: re.Match[str]) -> str:
    return json.dumps(match[0])[1:-1] if match[0] != "\x7f" else "\\u007f"


def _is_marked(cell: str) -> bool:
    """True for an apostrophe (or several) before something that needs one."""
    return cell.startswith("'") and bool(_FORMULA.match(cell.lstrip("'")))


def _visible(text: str) -> str:
    return _DECEPTIVE.sub(_sign, text)


def _sign(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code < 0x20:
        return chr(0x2400 + code)
    return "␡" if code == 0x7F else f"‹U+{code:04X}›"


@cache
def _renderer() -> "MarkdownIt":
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"html": False, "linkify": False}).enable(["table", "strikethrough"])
    parser.add_render_rule("image", _alternative_text)
    return parser


def _alternative_text(_self: Any, tokens: Sequence["Token"], index: int, _options: Any, _env: Any) -> str:
    from html import escape

    return escape(tokens[index].content)
