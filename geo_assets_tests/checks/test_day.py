"""Every check of a day passes on a sound day, and fails on the fault that it is there for."""

from pathlib import Path
from typing import Any

import pytest

from geo_assets.checks import day
from geo_assets.checks.day import Finding
from geo_assets.lake.contracts import TABLES
from geo_assets.lake.store import Lake, Partition, stage
from geo_assets_tests.lake.test_store import row

DATE = "2026-11-29"
PLATFORMS = ("kimi", "qwen")
SAMPLES = 10


def put(lake: Lake, table: str, platform: str, rows: list[dict[str, Any]]) -> None:
    staged = stage(TABLES[table], Partition(DATE, platform), [("acme", row(TABLES[table], **r)) for r in rows])
    lake.publish(staged)
    staged.close()


def put_day(lake: Lake, **changes: list[dict[str, Any]]) -> None:
    """A sound day on both platforms; `changes` replace tables of qwen."""
    ids = [{"monitor": "m", "sample_id": f"s{n}"} for n in range(SAMPLES)]
    sound: dict[str, list[dict[str, Any]]] = {
        "sampling_plan": ids,
        "raw_responses": ids,
        "answers": [
            {**i, "outcome": "counted", "evidence_digest": f"d-{i['sample_id']}", "simulated": True} for i in ids
        ],
        "visibility_metrics": [
            {
                "monitor": "m", "brand": "", "metric": f"exclusion:{name}", "segment": "all", "question_scope": "all",
                "search_scope": "all", "numerator": float(n),
            }
            for name, n in (("counted", SAMPLES), ("failed", 0))
        ],
        "spend": [{"monitor": "m", "currency": "CNY", "attempts": SAMPLES, "unexplained": 0}],
    }  # fmt: skip
    for platform in PLATFORMS:
        for table, rows in (sound | (changes if platform == "qwen" else {})).items():
            put(lake, table, platform, rows)


def findings(lake: Lake, *, lost: str | None = None) -> dict[str, Finding]:
    def read(digest: str) -> bytes:
        if digest == lost:
            raise FileNotFoundError(digest)
        return b"{}"

    found = [
        day.completeness(lake, DATE, PLATFORMS),
        day.one_row_per_sample(lake, DATE, PLATFORMS),
        day.exclusions_sum_to_plan(lake, DATE, PLATFORMS),
        day.books_balance(lake, DATE, PLATFORMS),
        day.evidence_is_whole(lake, DATE, PLATFORMS, read),
        day.profiles_do_not_mix(lake, DATE, PLATFORMS, simulated=True),
    ]
    return {f.name: f for f in found}


def failed(lake: Lake, **options: Any) -> dict[str, dict[str, str]]:
    return {name: f.detail for name, f in findings(lake, **options).items() if not f.passed}


@pytest.fixture
def lake(tmp_path: Path) -> Lake:
    return Lake(str(tmp_path))


def test_a_sound_day_passes_and_says_how_much_was_looked_at(lake: Lake) -> None:
    put_day(lake)
    assert failed(lake) == {}
    assert {name: f.seen for name, f in findings(lake).items()} == dict.fromkeys(findings(lake), 2 * SAMPLES)


def test_a_day_without_tables_passes_with_nothing_seen(lake: Lake) -> None:
    assert failed(lake) == {}
    assert {f.seen for f in findings(lake).values()} == {0}


def test_a_platform_that_counts_too_little_or_is_open_is_incomplete(lake: Lake) -> None:
    outcomes = ["failed"] * 3 + ["counted"] * 7
    put_day(lake, answers=[{"monitor": "m", "sample_id": f"s{n}", "outcome": o} for n, o in enumerate(outcomes)])
    assert findings(lake)["completeness"].detail == {"qwen": "counted 7 of 10"}
    put_day(lake, answers=[{"monitor": "m", "sample_id": f"s{n}", "outcome": "open"} for n in range(SAMPLES)])
    assert findings(lake)["completeness"].detail == {"qwen": "10 of 10 open"}


@pytest.mark.parametrize("table", ["sampling_plan", "raw_responses", "answers"])
def test_a_sample_that_one_table_lacks_is_named(lake: Lake, table: str) -> None:
    fill = {"outcome": "counted", "simulated": True} if table == "answers" else {}
    put_day(lake, **{table: [{"monitor": "m", "sample_id": f"s{n}", **fill} for n in range(SAMPLES) if n != 4]})
    assert findings(lake)["one_row_per_sample"].detail == {"qwen": "1 samples are not in all tables, first s4"}


def test_a_sample_that_stands_twice_is_named_though_no_writer_of_ours_lets_it_pass(
    lake: Lake, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_day(lake)
    plain = day._rows

    def doubled(lake: Lake, table: str, *rest: Any) -> Any:
        for item in plain(lake, table, *rest):
            yield item
            if table == "answers" and item[1]["sample_id"] == "s7":
                yield item

    monkeypatch.setattr(day, "_rows", doubled)
    found = day.one_row_per_sample(lake, DATE, PLATFORMS)
    assert found.detail == dict.fromkeys(PLATFORMS, "1 samples stand twice, first s7")


def test_exclusions_that_do_not_sum_to_the_plan_or_are_unknown_are_named(lake: Lake) -> None:
    whole = {"monitor": "m", "brand": "", "segment": "all", "question_scope": "all", "search_scope": "all"}
    put_day(lake, visibility_metrics=[{**whole, "metric": "exclusion:counted", "numerator": 9.0}])
    assert failed(lake) == {"exclusions_sum_to_plan": {"qwen": "acme/m: exclusions sum to 9, the plan has 10"}}
    put_day(lake, visibility_metrics=[{**whole, "metric": "exclusion:odd", "numerator": 10.0}])
    assert failed(lake) == {"exclusions_sum_to_plan": {"qwen": "unknown state exclusion:odd"}}


def test_attempts_without_entries_do_not_balance(lake: Lake) -> None:
    put_day(lake, spend=[{"monitor": "m", "currency": "CNY", "attempts": 10, "unexplained": 2}])
    assert failed(lake) == {"books_balance": {"qwen/acme/m": "2 attempts without entries"}}


def test_lost_evidence_is_found(lake: Lake) -> None:
    put_day(lake)
    assert failed(lake, lost="d-s3") == {"evidence_is_whole": dict.fromkeys(PLATFORMS, "FileNotFoundError: d-s3")}


def test_a_large_partition_is_looked_at_in_a_spread_of_at_most_the_limit(lake: Lake) -> None:
    put_day(lake)
    seen: list[str] = []
    found = day.evidence_is_whole(lake, DATE, ["qwen"], lambda d: seen.append(d) or b"", limit=3)
    assert (found.seen, seen) == (3, ["d-s0", "d-s4", "d-s8"])


def test_a_row_of_the_other_profile_is_found(lake: Lake) -> None:
    rows = [{"monitor": "m", "sample_id": f"s{n}", "outcome": "counted", "simulated": n != 5} for n in range(SAMPLES)]
    put_day(lake, answers=rows)
    assert failed(lake) == {"profiles_do_not_mix": {"qwen": "rows of the other profile"}}
