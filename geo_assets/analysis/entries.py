"""Entries of an answer: a thing, and what is said of it, where no list gives the thing a place.

Here: single items, items of a list that a capture has flattened, picks below a heading that announces one, uses and
what serves them, and whose entry a sentence is. Not here: places in lists (`rank`), verdicts in words (`verdicts`).
"""

import re

from geo_assets.analysis.clauses import BRAND
from geo_assets.analysis.rank import heads_item, lists_features
from geo_assets.analysis.structure import Line, LineKind, Structure
from geo_assets.analysis.verdicts import rules_of

# What follows a name in the head of an entry: words of a product's name, a link's target, the mark before the text.
_ENTRY = re.compile(
    r"(?P<model>(?:['\u2019]s)?(?:[ \u00a0](?:[A-Z0-9(&/][^\s:：]*|and|with|for|in|of|de|by))*)"
    r"[\]*_`]*(?:\([^)\s]*\))?[*_\s]*"
    r"(?:[:：]|\s[–—-]\s|\s(?=\()|(?=（))[*_\s]*(?P<said>[^\n]{15})"
)
# `… card:Best for: …Why: …`: the labels of a profile, as a capture runs them together.
_PROFILE = re.compile(r"[^.:;!?\n]{0,40}:\s?(?:Best for|Pros|Why|Key (?:features?|perks)|Highlights?|Ideal for)\b")
_SAYS_WHAT_IT_IS = re.compile(  # how the description of a thing begins
    r"(?:An?|The|Another|One|This|These|Known|Offers?|Features?|Ideal|Great|Perfect|Best|Good|Popular|Lightweight)\b"
)
_ENTRY_STARTS = re.compile(r"(?:^|[.!?)\]\"”…*]|[\w-]:\s?)[\s*_\[]*(?P<maker>(?:[A-Z][\w&'’-]*\s){0,2})\(?$")
_HONOURED = re.compile(r"[🥇🥈🥉🏆🏅]|\b(?:best|top pick|winner|runner-?up)\b|首选|最佳|冠军|优选", re.IGNORECASE)
_ALL_LINK = re.compile(r"[\s*]*\[[^\]\n]+\]\([^)\n]*\)[\s*]*$")
_LINK_LEAD = re.compile(r"[\s*]*\[(?:[\w&.'’-]+\s){0,3}")
_DESCRIBES = re.compile(
    r"\*\*(?:price|cost|best for|pros|cons|why|who it|features?|key features?|material|type|battery|design|durability"
    r"|ideal for|good for"
    r"|highlights?|rating|warranty|价格|适合|优点|缺点|特点|亮点|推荐理由|续航|口感|材质)\b",
    re.IGNORECASE,
)
_ALL_BOLD = re.compile(r"\s*\*\*[^*\n]+\*\*\s*$")

# `Machine secrets: Ⓑ or a cloud service` gives a use and what serves it; `Works with: Ⓑ (…)` does not.
_USE_LABEL = re.compile(r"[\W_]*(?:[\w/&'’+-]+\s){0,5}[\w/&'’+-]+\s?(?:\([^)]*\))?:$")
_NAMES_ONLY = re.compile(rf"[\W_]*(?:[A-Z][\w&+.'’-]*,?\s){{0,4}}{BRAND}(?:\s[A-Z0-9][\w+-]*){{0,3}}\s*(?:\bor\b|\()")
_ATTRIBUTE_LABEL = re.compile(
    r"\b(?:brands?|makers?|manufactur\w+|own\w*|parent|compan\w+|works?|compat\w+|integrat\w+|support\w*|requir\w+"
    r"|sources?|includ\w+|examples?|competit\w+|rivals?|similar|alternatives?|availab\w+|sold|retailers?|where|platforms?"
    r"|made|by|from|known|formerly|acquired|partners?|authors?|directors?|stars?|cast|develop\w+|publish\w+|ingredients?"
    r"|specs?|specifications?|processors?|cpu|gpu|chips?|display|materials?|features?|components?|hardware|engine"
    r"|connectivity|ports?|os|software|notes?|update|disclaimer|cons|pros|vs|name|title|model|product|question"
    r"|headquarters)\b",
    re.IGNORECASE,
)
_SOMEBODYS = r"\W*[A-Z][\w&+-]*(?:\s[A-Z0-9][\w&+./-]*){1,6}"  # the head of an entry: words with capitals
_COMPONENT = re.compile(
    rf"{_SOMEBODYS}[\])(]*\s*:\s*"
    rf"(?:Features?|Comes with|Includes?|Has|Uses|Powered by|Boasts|Runs)\b[^.{BRAND}]*{BRAND}"
)
_ANOTHERS = re.compile(
    r"\W*(?:It|They|This|These|The \w+)\s+(?:also\s+)?(?:offers?|has|have|uses?|features?|includes?|comes? with"
    rf"|supports?|works? with|integrates?|boasts?|adds?)\b[^{BRAND}]*{BRAND}"
    rf"|{_SOMEBODYS}\s*:\s?(?![\W_]*{BRAND})"
)


def is_component(sentence: str) -> bool:
    """Whether a masked sentence names the brand as a part of somebody else's product: `Belar One: Features an Ⓑ …`."""
    return _COMPONENT.match(sentence) is not None


def heads_entry(structure: Structure, start: int, end: int) -> bool:
    """Whether the name at the given offsets heads an entry that is described behind it but has no place in a list."""
    text = structure.text
    index = structure.index_at(start)
    line = structure.lines[index]
    if line.kind is LineKind.HEADING:
        if _ALL_LINK.match(text, line.content, line.end):
            return _LINK_LEAD.fullmatch(text, line.content, start) is not None
        above = next(iter(structure.headings_above(index)), line)
        shown = _HONOURED.search(text, line.start, line.end) or _HONOURED.search(text, above.start, above.end)
        return (shown is not None or _is_described(structure, index)) and heads_item(text, line, start, end)
    if line.kind is LineKind.TEXT and _is_announced(structure, index, line, start):
        return True
    if line.kind is LineKind.TEXT and _PROFILE.match(text, end, line.end):
        return _ENTRY_STARTS.search(text[max(line.start, start - 20) : start]) is not None
    entry = _ENTRY.match(text, end, line.end)
    if entry is None or line.kind in {LineKind.ROW, LineKind.HEADER}:
        return False
    if line.kind is not LineKind.TEXT:
        return line.parent is None and heads_item(text, line, start, end) and not lists_features(structure, index, line)
    said = entry["said"]
    named = entry["model"].strip() or " " in text[start:end] or _SAYS_WHAT_IT_IS.match(said)
    lead = text[max(line.start, start - 20) : start]
    opens = _ENTRY_STARTS.search(lead)
    if not named or said.startswith(("(", "（")) or opens is None or _ATTRIBUTE_LABEL.search(opens["maker"]):
        return False
    return not (lead.rstrip(" *_[").endswith(":") and _ATTRIBUTE_LABEL.search(lead))


def _is_described(structure: Structure, index: int) -> bool:
    """Whether bullets with labels in bold (price, best for, pros) follow a heading: the entry of a thing to buy."""
    following = structure.lines[index + 1 : index + 6]
    labels = [_DESCRIBES.match(structure.text, line.content) for line in following if line.kind is LineKind.BULLET]
    return sum(label is not None for label in labels) >= 2


def _is_announced(structure: Structure, index: int, line: Line, start: int) -> bool:
    """Whether a line in bold that begins with the name stands below a heading that announces a pick."""
    text = structure.text
    if not _ALL_BOLD.match(text, line.start, line.end) or text[line.start : start].strip(" *#"):
        return False
    title = next(iter(structure.headings_above(index)), None)
    words = text[title.content : title.end] if title is not None else ""
    return bool(words) and rules_of(words).find("HEADING_POSITIVE", words) is not None


def serves_use(label: str, part: str) -> bool:
    """Whether a clause names the brand as what serves the use that the label before it gives. English only."""
    return bool(_NAMES_ONLY.match(part) and _USE_LABEL.match(label)) and not _ATTRIBUTE_LABEL.search(label)


def is_anothers(sentence: str) -> bool:
    """Whether a masked sentence is somebody else's entry, or says what somebody else has: `It offers Ⓑ …`. English."""
    return _ANOTHERS.match(sentence) is not None
