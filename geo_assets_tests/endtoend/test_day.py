"""One day from questions to report, as a new user runs it: asked once, rebuilt byte for byte, re-read with no call."""

import json
import re
import shutil
from collections import Counter
from pathlib import Path

import duckdb
import pytest

from geo_assets.simulator.calllog import read_call_log
from geo_assets_tests.endtoend.projects import add_alias, bytes_below, geo, make_project, run

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]


@pytest.fixture(scope="module")
def day(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project that was run once."""
    folder = make_project(tmp_path_factory.mktemp("day") / "data", platforms=("tencent", "qwen", "chatgpt"))
    found = run(folder)
    assert found["failed"] == {}
    return folder


@pytest.fixture(scope="module")
def date(day: Path) -> str:
    return json.loads(geo(day, "status", "--json").stdout)["date"]


def calls(folder: Path) -> list[object]:
    return list(read_call_log(folder / "simulated/simulator/calls.jsonl"))


def sql(folder: Path, query: str) -> list[tuple[object, ...]]:
    lake = folder / "simulated/lake"
    return duckdb.sql(re.sub(r"\{(\w+)\}", rf"read_parquet('{lake}/\1/**/*.parquet')", query)).fetchall()


def test_every_platform_is_complete_and_the_books_are_exact(day: Path, date: str) -> None:
    status = json.loads(geo(day, "status", "--json", "--date", date).stdout)
    planned = {p["platform"]: p["planned"] for p in status["platforms"]}
    assert planned == {"tencent": 4, "qwen": 8, "chatgpt": 4}
    assert all(p["state"] == "complete" and p["open"] == 0 for p in status["platforms"])
    submits = Counter(c.platform for c in calls(day) if c.kind == "submit" and c.accepted)
    attempts = dict(sql(day, "select platform, sum(attempts) from {raw_responses} group by 1"))
    assert submits == attempts
    unexplained = sql(day, "select sum(unexplained), sum(held_micros), sum(attempts) from {spend}")
    assert unexplained == [(0, 0, sum(planned.values()))]


def test_exclusions_of_every_monitor_sum_to_its_plan(day: Path) -> None:
    query = """
    with states as (
        select platform, monitor, sum(numerator) as n from {visibility_metrics}
        where metric like 'exclusion:%' and segment = 'all' group by all),
    plan as (select platform, monitor, count(*) as n from {sampling_plan} group by all)
    select count(*), sum(states.n = plan.n) from plan join states using (platform, monitor)"""
    [(partitions, equal)] = sql(day, query)
    assert partitions == equal == 4


def test_rates_carry_numerator_denominator_and_an_interval_around_the_value(day: Path) -> None:
    query = """
    select numerator, denominator, value, low, high from {visibility_metrics}
    where metric = 'mention_rate' and headline and segment = 'all' and value is not null"""
    rows = sql(day, query)
    assert len(rows) > 10
    for numerator, denominator, value, low, high in rows:
        assert value == pytest.approx(numerator / denominator)
        assert 0 <= low <= value <= high <= 1


def test_rows_are_marked_simulated_and_the_report_says_so(day: Path, date: str) -> None:
    for table in ("answers", "brand_mentions", "visibility_metrics", "daily_visibility"):
        assert sql(day, f"select distinct simulated from {{{table}}}") == [(True,)]
    page = (day / f"simulated/report/date={date}/report.html").read_text("utf-8")
    assert "模拟" in page
    assert "Simulated" in page or "simulated" in page
    assert "<script" not in page


def test_a_second_run_asks_nothing_and_rebuilding_gives_every_byte_again(day: Path, date: str) -> None:
    asked = calls(day)
    outputs = bytes_below(day, "lake", "archive", "report")
    assert outputs
    run(day)
    assert calls(day) == asked
    assert bytes_below(day, "lake", "archive", "report") == outputs
    for name in ("lake", "archive", "report"):
        shutil.rmtree(day / "simulated" / name)
    run(day, "--date", date, PYTHONHASHSEED="42", TZ="America/New_York", LANG="de_DE.UTF-8", LC_ALL="C")
    rebuilt = bytes_below(day, "lake", "archive", "report")
    assert rebuilt.keys() == outputs.keys()
    assert [name for name in outputs if rebuilt[name] != outputs[name]] == []
    assert calls(day) == asked


def test_an_alias_changes_mentions_and_nothing_above_them(day: Path, date: str, tmp_path: Path) -> None:
    folder = tmp_path / "data"
    shutil.copytree(day, folder, ignore=shutil.ignore_patterns("dagster"))
    before = bytes_below(folder, "lake")
    asked = calls(folder)
    [(text,)] = sql(folder, "select string_agg(text, ' ') from {answers} where monitor = 'luggage-en'")
    untracked = next(name for name in ("Fernhill Works", "Birchline", "Oakmere") if name in str(text))
    add_alias(folder / "monitors/luggage-en.yaml", untracked)
    changes = json.loads(geo(folder, "diff", "--json", "--date", date).stdout)
    assert {c["change"] for c in changes} & {"gained", "changed"}
    run(folder, "--date", date)
    after = bytes_below(folder, "lake")
    recorded = [
        json.loads(line)
        for file in (folder / "simulated/reading-changes").rglob("*.jsonl")
        for line in file.read_text("utf-8").splitlines()
    ]
    keys = ("sample_id", "brand", "change")
    assert {tuple(r[k] for k in keys) for r in recorded} == {(c["sample"], c["brand"], c["change"]) for c in changes}
    for table in ("sampling_plan", "raw_responses", "answers", "evidence_archive", "spend", "collection_health"):
        names = [n for n in before if n.startswith(f"lake/{table}/")]
        assert names
        assert all(after[n] == before[n] for n in names), table
    changed = {n.split("/")[1] for n in before if n.endswith(".parquet") and after.get(n) != before[n]}
    assert {"brand_mentions", "visibility_metrics", "daily_visibility"} <= changed
    assert calls(folder) == asked


def test_one_sample_can_be_shown_with_its_evidence(day: Path) -> None:
    [(sample, text)] = sql(
        day,
        "select sample_id, text from {answers} where outcome = 'counted' order by 1 limit 1",
    )
    shown = geo(day, "show", str(sample)[:12]).stdout
    assert "[SIMULATED]" in shown
    assert str(text).splitlines()[0][:20] in shown
    history = json.loads(geo(day, "show", str(sample), "--json").stdout)
    assert history["reply"]["answer"]["text"] == text
    assert [e["kind"] for e in history["entries"]] == ["reserve", "charge", "release"]
