# ruff: noqa: E501
import dataclasses
import hashlib
import html.parser
import re
import subprocess
import sys

import pytest

from geo_assets.report.inputs import ReportInput
from geo_assets.report.page import render_report
from geo_assets_tests.report.sample import DATE, sample


@pytest.fixture(scope="module")
def data():
    return sample(days=3)


@pytest.fixture(scope="module")
def page(data):
    return render_report(DATE, data)


class Tags(html.parser.HTMLParser):
    """Collects start tags, and refuses end tags that close nothing."""

    VOID = frozenset({"meta", "input", "br", "path", "link"})

    def __init__(self, text):
        super().__init__()
        self.found, self.open, self.text = [], [], ""
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        if tag not in self.VOID:
            assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


def test_the_page_is_whole_loads_nothing_and_runs_nothing(page):
    tags = Tags(page)
    assert tags.open == []
    names = {t for t, _ in tags.found}
    assert not names & {"script", "iframe", "object", "embed", "img", "link", "base", "form"}
    for tag, attributes in tags.found:
        assert not [a for a in attributes if a.startswith("on")], (tag, attributes)
        for name in ("src", "href", "xlink:href"):
            assert (attributes.get(name) or "#").startswith("#")
    assert "default-src 'none'" in page
    assert "@import" not in page
    assert "url(" not in page


def test_every_phrase_stands_in_both_languages(page):
    spans = [a["lang"] for t, a in Tags(page).found if t == "span" and "lang" in a]
    assert spans.count("zh") == spans.count("en") > 100


def test_the_language_shown_first_is_the_first_monitors_unless_told(page, data):
    assert '<html lang="zh">' in page
    english = render_report(DATE, data, language="en")
    assert re.search(r'id="en"[^>]* checked', english)
    assert not re.search(r'id="zh"[^>]* checked', english)


def test_a_simulated_page_says_so_and_a_live_one_does_not(page, data):
    assert 'class="banner"' in page
    live = [dataclasses.replace(m, daily=[{**r, "simulated": False} for r in m.daily]) for m in data.monitors]
    assert 'class="banner"' not in render_report(DATE, dataclasses.replace(data, monitors=live, simulated=False))


def test_simulated_and_live_rows_never_share_a_page(data):
    with pytest.raises(ValueError, match="simulated and live rows on one page"):
        render_report(DATE, dataclasses.replace(data, simulated=False))


def test_every_platform_says_which_surface_it_shows(page, data):
    for monitor in data.monitors:
        for platform in monitor.platforms:
            assert platform.model in page
    assert page.count("API, not the app") >= 5


def test_numbers_on_the_page_are_those_of_the_table(page, data):
    monitor = data.monitors[0]
    row = next(
        r for r in monitor.daily
        if (r["platform"], r["brand"], r["metric"], r["window"], r["segment"]) == ("qwen", "roborock", "mention_rate", "date", "all")
        and r["headline"]
    )  # fmt: skip
    text = " ".join(Tags(page).text.split())
    assert f"{row['value']:.0%}" in text
    assert f"{100 * row['low']:.0f}–{row['high']:.0%}" in text
    assert f"n={row['denominator']:.0f}" in text


def test_the_same_rows_give_the_same_bytes_in_any_process(page):
    code = (
        "import hashlib; from geo_assets.report.page import render_report; from geo_assets_tests.report.sample import *;"
        "print(hashlib.sha256(render_report(DATE, sample(days=3)).encode()).hexdigest())"
    )
    environment = {"PYTHONHASHSEED": "77", "TZ": "America/New_York", "LANG": "C.UTF-8", "PATH": ""}
    run = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert run.stdout.strip() == hashlib.sha256(page.encode()).hexdigest()


ATTACKS = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    '"><svg onload=alert(1)>',
    "[x](javascript:alert(1))",
    "</style><style>*{display:none}",
    "{{ 7*7 }}",
    "\x1b[2J\u202eevil\u2066",
]


@pytest.mark.parametrize("attack", ATTACKS)
def test_text_of_answers_questions_and_addresses_is_inert(data, attack):
    monitor = data.monitors[0]

    def poison(rows, **columns):
        return {p: [{**r, **columns} for r in table] for p, table in rows.items()}

    mentions = {
        p: [{**r, "mentioned": r["brand"] == "ecovacs", "review": True, "context": attack, "review_reason": attack} for r in t]
        for p, t in monitor.mentions.items()
    }  # fmt: skip
    doubt = {
        p: [
            dataclasses.replace(i, context=attack, reason=attack, question=attack, guess=attack, answer=attack)
            for i in items
        ]
        for p, items in monitor.doubts.items()
    }
    evil = dataclasses.replace(
        monitor,
        doubts=doubt,
        untracked_names=poison(monitor.untracked_names, name=attack, example_context=attack),
        answers=poison(monitor.answers, question_text=attack),
        mentions=mentions,
        citations=poison(monitor.citations, url=attack, domain=attack, source_type=attack),
        history={},
    )
    clean = dataclasses.replace(monitor, mentions=mentions, history={})
    page = render_report(DATE, ReportInput("p", [evil], simulated=True))
    tags = Tags(page)
    assert tags.open == []
    assert not {t for t, _ in tags.found} - {
        t for t, _ in Tags(render_report(DATE, ReportInput("p", [clean], simulated=True))).found
    }
    assert not [a for _, a in tags.found if any(n.startswith("on") for n in a)]
    assert ("{{ 7*7 }}" in page) == (attack == "{{ 7*7 }}")
    assert "\x1b" not in page
    assert "\u202e" not in page


def test_missing_days_are_gaps_in_the_lines(data):
    from geo_assets.report.charts import colours, to_svg, trend

    dates = [f"2026-11-{d}" for d in range(20, 30)]
    full = {"a": {d: {"value": 0.4, "low": 0.3, "high": 0.5} for d in dates}}
    holed = {"a": {d: row for d, row in full["a"].items() if d != "2026-11-24"}}
    line = re.compile(r'aria-roledescription="line mark"[^>]* d="([^"]*)"')
    whole, broken = (
        line.search(to_svg(trend(dates, lines, "a", colours(["a"], "a"), top=1.0))).group(1) for lines in (full, holed)
    )
    assert (whole.count("M"), broken.count("M")) == (1, 2)
    assert whole.count("L") - broken.count("L") == 2


def test_a_day_without_any_plan_makes_a_page_with_reasons(data):
    from geo_assets.metrics.daily import daily_rows

    monitor = data.monitors[0]
    rows = daily_rows(
        DATE, monitor.monitor, monitor.dictionary, [], platforms=[p.id for p in monitor.platforms],
        reasons={p.id: "no_key" for p in monitor.platforms}, simulated=True,
    )  # fmt: skip
    empty = dataclasses.replace(
        monitor, daily=rows, history={}, answers={}, mentions={}, citations={}, spend={}, changes=()
    )
    text = Tags(render_report(DATE, ReportInput("p", [empty], simulated=True))).text
    assert "no key" in text
    assert "没有密钥" in text
    body = text.split("</style>")[-1].split("谁被提到")[1]
    assert not re.search(r"(?<![\d.])0(\.0)?%", body)


def test_a_report_without_monitors_is_still_a_page():
    assert Tags(render_report(DATE, ReportInput("p", [], simulated=True))).open == []
