"""Untrusted text is inert wherever it is shown."""

import csv
import io
import json
import re
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from geo_assets.analysis.safe import plain_cell, safe_cell, safe_html, safe_json, safe_markdown, safe_terminal

ATTACKS = [
    "<script>alert(1)</script>",
    "<ScRiPt src=//evil.example/x.js></sCrIpT>",
    "<img src=x onerror=alert(1)>",
    "![track](https://evil.example/pixel.png)",
    "![x](javascript:alert(1))",
    "[click](javascript:alert(1))",
    "[click](JaVaScRiPt&#58;alert(1))",
    "[click](java\tscript:alert(1))",
    "[click](data:text/html;base64,PHNjcmlwdD4=)",
    "[click](vbscript:msgbox)",
    "[click](file:///etc/passwd)",
    "[ref]: javascript:alert(1)\n\n[ref]",
    "<javascript:alert(1)>",
    "<a href='javascript:alert(1)' target=_blank>x</a>",
    "<svg/onload=alert(1)>",
    "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
    "<style>body{background:url(https://evil.example)}</style>",
    "<div style='position:fixed;inset:0'>over</div>",
    "<link rel=stylesheet href=https://evil.example/x.css>",
    "<meta http-equiv=refresh content='0;url=https://evil.example'>",
    "<form action=https://evil.example><input name=q></form>",
    "<base href=https://evil.example>",
    "<object data=x></object><embed src=x>",
    "<math><mtext></mtext><mglyph><style><img src=x onerror=alert(1)>",
    "<!--><img src=x onerror=alert(1)>-->",
    "<noscript><p title=\"</noscript><img src=x onerror=alert(1)>\">",
    "</textarea></title></script><script>alert(1)</script>",
    "`<b>`**<i onclick=x>bold</i>**",
    "| a | b |\n|:-:|--:|\n| <img src=x> | [x](javascript:1) |",
    "[x](https://ok.example \"title\\\" onmouseover=alert(1)\")",
    "[x](https://ok.example){onclick=alert(1)}",
    "<details open ontoggle=alert(1)>",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    "<video poster=https://evil.example/x><source src=y>",
    "<p id=app class=admin>x</p>",
]  # fmt: skip

SAFE_TAGS = set(
    "p br hr h1 h2 h3 h4 h5 h6 strong em s code pre blockquote ul ol li table thead tbody tr th td".split()  # noqa: SIM905
)


class Audit(HTMLParser):
    """Collects everything in a fragment that could act."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.faults = []

    def handle_starttag(self, tag, attrs):
        if tag not in SAFE_TAGS:
            self.faults.append(tag)
        for name, value in attrs:
            if (tag, name) != ("ol", "start"):
                self.faults.append((tag, name, value))

    def handle_decl(self, decl):
        self.faults.append(decl)

    handle_pi = unknown_decl = handle_decl


def audit(fragment):
    parser = Audit()
    parser.feed(fragment)
    parser.close()
    return parser.faults


@pytest.mark.parametrize("attack", ATTACKS)
def test_html_from_an_answer_cannot_act(attack):
    assert audit(safe_html(attack)) == []
    assert audit(safe_html(f"text **{attack}** text\n\n- {attack}\n\n> {attack}")) == []


@given(st.text(max_size=200))
def test_no_text_becomes_html_that_acts(text):
    assert audit(safe_html(text)) == []


def test_markdown_is_shown_as_markdown():
    assert safe_html("## Top\n\n3. **A**\n4. B") == (
        '<h2>Top</h2>\n<ol start="3">\n<li><strong>A</strong></li>\n<li>B</li>\n</ol>\n'
    )
    assert "<td>x</td>" in safe_html("| a |\n|---|\n| x |")


def test_links_keep_their_label_and_lead_nowhere():
    assert safe_html("[官网](https://a.example/?b=1&c=2), <https://b.example>") == "<p>官网, https://b.example</p>\n"


def test_images_become_their_alternative_text():
    assert (
        safe_html("see ![the <b>logo</b>](https://evil.example/p.png)!") == "<p>see the &lt;b&gt;logo&lt;/b&gt;!</p>\n"
    )


def test_markup_in_the_text_is_shown_as_written():
    assert safe_html("<script>x</script>") == "<p>&lt;script&gt;x&lt;/script&gt;</p>\n"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31mred\x1b[0m", "␛[31mred␛[0m"),
        ("\x1b]0;title\x07", "␛]0;title␇"),
        ("\x1b]8;;https://evil.example\x1b\\click\x1b]8;;\x1b\\", "␛]8;;https://evil.example␛\\click␛]8;;␛\\"),
        ("safe\rEVIL", "safe␍EVIL"),
        ("a\x08\x08b", "a␈␈b"),
        ("\x9b2J", "‹U+009B›2J"),
        ("abc\u202etxt.exe", "abc‹U+202E›txt.exe"),
        ("x\u2066y\u2069", "x‹U+2066›y‹U+2069›"),
        ("hi\U000e0041", "hi‹U+E0041›"),
        ("del\x7f", "del␡"),
        ("a\r\nb\tc\u2028d", "a\nb\tc\nd"),
        ("家庭 👨\u200d👩\u200d👧 ok", "家庭 👨\u200d👩\u200d👧 ok"),
    ],
)
def test_terminal_sequences_lose_their_power_and_stay_visible(text, shown):
    assert safe_terminal(text) == shown


@given(st.text())
def test_no_control_character_reaches_a_terminal(text):
    shown = safe_terminal(text)
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", shown)


@pytest.mark.parametrize(
    "text",
    [
        "=1+1", '=HYPERLINK("https://evil.example")', "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "\t=1", " =1",
        "\u200b=1", "＝1+1", "%0A=1", "|calc", "\n=1", "＠SUM(1)",
    ],
)  # fmt: skip
def test_formulas_are_text_in_a_spreadsheet(text):
    cell = safe_cell(text)
    assert cell.startswith("'")
    assert plain_cell(cell) == text


@pytest.mark.parametrize("text", ["plain", "-5", "+3.5", "12%", "1,200", "it's", "", "'quoted'", "推荐小米"])
def test_harmless_cells_stay_as_they_are(text):
    assert safe_cell(text) == text
    assert plain_cell(text) == text


@given(st.text(alphabet=st.characters(blacklist_categories=("Cc", "Cs", "Cf", "Co", "Cn"))))
def test_a_cell_gives_its_text_back_through_a_csv_file(text):
    out = io.StringIO()
    csv.writer(out).writerow([safe_cell(text), "x"])
    (row,) = csv.reader(io.StringIO(out.getvalue(), newline=""))
    assert plain_cell(row[0]) == text


@pytest.mark.parametrize(
    "attack", [*ATTACKS, "# head", "- item", "1. item", "    code", "a\n===", "www.evil.example", "**b**"]
)
def test_markdown_metadata_shows_text_literally(attack):
    rendered = MarkdownIt("gfm-like", {"html": True, "linkify": False}).render(safe_markdown(attack))
    tags = set(re.findall(r"<(\w+)", rendered))
    assert tags <= {"p", "br"}
    assert audit(rendered) == []


def test_markdown_metadata_keeps_words_and_lines():
    rendered = MarkdownIt("commonmark", {"html": True}).render(safe_markdown("*a* | <b>\n  二 & 三"))
    assert rendered == "<p>*a* | &lt;b&gt;<br />\n二 &amp; 三</p>\n"


@given(st.text())
def test_printed_json_parses_to_the_same_value_and_obeys_nobody(text):
    printed = safe_json({"text": text}, indent=2)
    assert json.loads(printed) == {"text": text}
    assert safe_terminal(printed).splitlines() == printed.splitlines()


def test_json_escapes_what_terminals_obey_and_keeps_letters_of_all_scripts():
    assert safe_json("\x1b[2J \x9b2J \x7f \u202e 好 é") == r'"\u001b[2J \u009b2J \u007f \u202e 好 é"'
    assert json.loads(safe_json("\U000e0041")) == "\U000e0041"
