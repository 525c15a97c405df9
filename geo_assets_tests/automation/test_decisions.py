"""When a partition gets a run, and the reason when it does not."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from geo_assets.automation.decisions import (
    LastRun,
    PartitionFacts,
    analyse_decision,
    backoff,
    collect_decision,
    explain_skips,
)

NOW = datetime(2026, 11, 28, 20, 0, tzinfo=UTC)
HOUR = timedelta(hours=1)
FRESH = PartitionFacts(
    date="2026-11-29",
    platform="qwen",
    planned=0,
    open=0,
    next_due=None,
    opens=NOW - HOUR,
    closes=NOW + HOUR,
    revision="0",
    analysed=None,
)
OPEN = replace(FRESH, planned=10, open=4, next_due=NOW - timedelta(seconds=1), revision="10/4")
DONE = replace(OPEN, open=0, next_due=None, revision="10/0", exported="10/0")
RUN = LastRun("run-1", active=False, failed=False, ended=NOW)


def test_a_partition_in_its_window_that_was_never_planned_is_collected() -> None:
    assert collect_decision(FRESH, NOW).run_key == "collect:2026-11-29|qwen:first"


def test_open_samples_that_are_due_get_the_next_slice_keyed_on_the_last_run() -> None:
    assert collect_decision(replace(OPEN, collect_run=RUN), NOW).run_key == "collect:2026-11-29|qwen:run-1"


def test_open_samples_are_closed_after_the_window_even_if_not_due() -> None:
    late = replace(OPEN, next_due=NOW + 5 * HOUR, closes=NOW)
    assert collect_decision(late, NOW).run_key is not None


@pytest.mark.parametrize(
    ("facts", "why"),
    [
        (replace(OPEN, collect_run=replace(RUN, active=True)), "a run is at work"),
        (replace(OPEN, next_due=NOW + timedelta(minutes=7)), "nothing is due before 2026-11-28T20:07:00+00:00"),
        (replace(FRESH, opens=NOW + HOUR), "its window has not opened"),
        (replace(FRESH, exported="0"), "nothing was planned"),
        (replace(FRESH, askable=False), "the platform is retired"),
        (DONE, "nothing is open"),
        (
            replace(OPEN, collect_run=replace(RUN, failed=True, failures=3)),
            "failed 3 times, rests until 2026-11-28T20:04:00+00:00",
        ),
        (
            replace(OPEN, collect_run=replace(RUN, failed=True, failures=6, ended=NOW - 9 * HOUR)),
            "failed 6 times in a row: a person should look at run run-1",
        ),
    ],
)
def test_collection_says_why_not(facts: PartitionFacts, why: str) -> None:
    decision = collect_decision(facts, NOW)
    assert (decision.run_key, decision.why) == (None, why)


def test_analysis_follows_when_nothing_is_open_and_once_per_state_of_the_ledger() -> None:
    assert analyse_decision(DONE, NOW).run_key == "analyse:2026-11-29|qwen:10/0:first"
    assert analyse_decision(replace(DONE, analysed="10/0"), NOW).why == "analysed"
    late_answer = replace(DONE, analysed="10/0", revision="10/0+1")
    assert analyse_decision(late_answer, NOW).why == "raw_responses is older than the ledger"
    assert collect_decision(late_answer, NOW).why == "the ledger has changed since it was written"
    written = replace(late_answer, exported="10/0+1")
    assert collect_decision(written, NOW).why == "nothing is open"
    assert analyse_decision(written, NOW).run_key == "analyse:2026-11-29|qwen:10/0+1:first"


def test_a_day_on_which_nothing_was_planned_is_analysed_after_its_window_so_that_it_stands_with_its_reason() -> None:
    assert analyse_decision(FRESH, NOW).why == "nothing is planned yet"
    closed = replace(FRESH, closes=NOW)
    assert collect_decision(closed, NOW).why == "nothing was planned; its tables get the reason"
    assert analyse_decision(closed, NOW).why == "raw_responses is older than the ledger"
    assert analyse_decision(replace(closed, exported="0"), NOW).run_key == "analyse:2026-11-29|qwen:0:first"


def test_analysis_waits_for_open_samples_and_for_runs_at_work() -> None:
    assert analyse_decision(OPEN, NOW).why == "4 samples are open"
    assert analyse_decision(replace(DONE, collect_run=replace(RUN, active=True)), NOW).why == "it is being collected"


def test_a_failed_analysis_is_tried_again_under_a_new_key_after_its_rest() -> None:
    failed = LastRun("run-9", active=False, failed=True, ended=NOW - timedelta(minutes=2), failures=1)
    decision = analyse_decision(replace(DONE, analyse_run=failed), NOW)
    assert decision.run_key == "analyse:2026-11-29|qwen:10/0:run-9"


def test_backoff_doubles_up_to_an_hour() -> None:
    assert [backoff(n) // timedelta(minutes=1) for n in (1, 2, 3, 7, 50)] == [1, 2, 4, 60, 60]


def test_skips_are_grouped_by_reason_for_the_tick() -> None:
    facts = [replace(DONE, platform=f"p{n}") for n in range(5)]
    text = explain_skips(collect_decision(f, NOW) for f in facts)
    assert text == "nothing is open: 2026-11-29|p0, 2026-11-29|p1, 2026-11-29|p2 and 2 more"
