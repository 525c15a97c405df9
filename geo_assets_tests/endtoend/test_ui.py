"""Operated from the Dagster UI: backfills over past days, Terminate in the middle of asking, and what follows."""

import json
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from geo_assets.configuration.loader import load_project
from geo_assets.ledger import open_ledger
from geo_assets.settings import load_settings
from geo_assets.simulator.calllog import accepted_submits, read_call_log
from geo_assets.simulator.embedded import simulator_config
from geo_assets.simulator.faults import Fault, FaultKind, FaultPlan, FaultRule
from geo_assets.simulator.process import SimulatorProcess
from geo_assets_tests.endtoend.graphql import Ui, serve, wait_for
from geo_assets_tests.endtoend.projects import bytes_below, geo, make_project

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1200)]

ANALYSIS = [
    "answers",
    "brand_mentions",
    "untracked_names",
    "citations",
    "visibility_metrics",
    "collection_health",
    "spend",
    "evidence_archive",
]


@dataclass
class Stack:
    """A running UI with its project, its simulator and today's date."""

    ui: Ui
    folder: Path
    simulator: SimulatorProcess
    date: str

    @property
    def ledger_url(self) -> str:
        return load_settings(self.folder, env={}).ledger_url

    def latency(self, median: float) -> None:
        body = json.dumps({"latency": {"median": median, "sigma": 0.3, "maximum": 60}}).encode()
        urllib.request.urlopen(
            urllib.request.Request(f"{self.simulator.url}/_admin/latency", body, method="PUT")
        ).close()

    def faults(self, plan: FaultPlan) -> None:
        request = urllib.request.Request(
            f"{self.simulator.url}/_admin/faults", plan.model_dump_json().encode(), method="PUT"
        )
        urllib.request.urlopen(request).close()

    def in_flight(self, platform: str) -> int:
        with open_ledger(self.ledger_url) as ledger:
            return ledger.status(self.date, platform).submission.get("submitting", 0)


@pytest.fixture(scope="module")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    folder = make_project(
        tmp_path_factory.mktemp("ui") / "data",
        questions=25,
        repeats=2,
        platforms=("qwen", "deepseek"),
        monitors=("luggage-en",),
    )
    settings = load_settings(folder, env={})
    settings.call_log.parent.mkdir(parents=True)
    with (
        SimulatorProcess(simulator_config(settings, load_project(folder))) as simulator,
        serve(folder, GEO_SIMULATOR_URL=simulator.url) as ui,
    ):
        date = json.loads(geo(folder, "status", "--json").stdout)["date"]
        yield Stack(ui, folder, simulator, date)


def test_terminate_while_asking_loses_nothing_and_the_next_run_goes_on(stack: Stack) -> None:
    stack.latency(4.0)
    key = f"{stack.date}|qwen"
    stack.ui.backfill(["sampling_plan", "raw_responses"], [key])
    wait_for(lambda: stack.in_flight("qwen") >= 10, 180, "ten calls in flight")
    [run] = [r for r in stack.ui.runs(dagster__partition=key) if r["status"] == "STARTED"]
    tags = {t["key"]: t["value"] for t in run["tags"]}
    assert {"geo/host", "geo/pid", "geo/boot_id"} <= tags.keys()
    stack.ui.terminate(run["runId"])

    def ended() -> bool:
        return all(r["status"] in {"CANCELED", "FAILURE"} for r in stack.ui.runs(dagster__partition=key))

    assert wait_for(ended, 40, "the run to end") <= 25
    with open_ledger(stack.ledger_url) as ledger:
        status = ledger.status(stack.date, "qwen")
    assert status.open > 0
    assert status.submission.get("submitting", 0) == 0
    before = {c.sample for c in accepted_submits(stack.simulator.call_log, "qwen")}
    stack.latency(0.2)
    stack.ui.wait_for_backfill(stack.ui.backfill(["sampling_plan", "raw_responses"], [key]))
    with open_ledger(stack.ledger_url) as ledger:
        status = ledger.status(stack.date, "qwen")
        attempts = sum(1 for a in ledger.attempts(stack.date, "qwen") if a.state != "given_back")
        answered = {s.sample_id for s in ledger.samples(stack.date, "qwen") if s.response_digest}
        unexplained = sum(r.unexplained_attempts for r in ledger.reconcile(stack.date, "qwen"))
    assert (status.open, status.planned, len(answered)) == (0, 50, 50)
    accepted = list(accepted_submits(stack.simulator.call_log, "qwen"))
    assert len(accepted) == attempts
    assert unexplained == 0
    # Only what was cut off by Terminate may have been asked twice.
    asked_twice = len(accepted) - len({c.sample for c in accepted})
    assert asked_twice <= len(before)


def test_terminate_while_waiting_for_a_retry_after_ends_the_run_and_the_next_one_goes_on(stack: Stack) -> None:
    throttled = Fault(kind=FaultKind.RATE_LIMITED, seconds=15, wait_as="seconds")
    stack.faults(FaultPlan(rules=(FaultRule(fault=throttled, rate=1.0, platforms=("deepseek",)),), max_per_sample=None))
    key = f"{stack.date}|deepseek"
    stack.ui.backfill(["sampling_plan", "raw_responses"], [key])

    def all_wait() -> bool:
        with open_ledger(stack.ledger_url) as ledger:
            status = ledger.status(stack.date, "deepseek")
        return status.attempts > 0 and status.submission.get("submitting", 0) == 0

    wait_for(all_wait, 180, "every sample to wait")
    running = [r for r in stack.ui.runs(dagster__partition=key) if r["status"] == "STARTED"]
    for run in running:
        stack.ui.terminate(run["runId"])

    def ended() -> bool:
        return all(r["status"] in {"CANCELED", "FAILURE", "SUCCESS"} for r in stack.ui.runs(dagster__partition=key))

    assert wait_for(ended, 40, "the run to end") <= 25
    with open_ledger(stack.ledger_url) as ledger:
        status = ledger.status(stack.date, "deepseek")
    assert (status.open, status.planned) == (50, 50)
    assert status.submission == {"planned": 50}
    stack.faults(FaultPlan())
    stack.ui.backfill(["sampling_plan", "raw_responses"], [key])

    def goes_on() -> bool:
        with open_ledger(stack.ledger_url) as ledger:
            return ledger.status(stack.date, "deepseek").received > 0

    wait_for(goes_on, 180, "the next run to go on")


def test_a_backfill_of_analysis_gives_what_running_it_gives_and_asks_nobody(stack: Stack) -> None:
    asked = [c for c in read_call_log(stack.simulator.call_log) if c.platform == "qwen"]
    key = f"{stack.date}|qwen"
    runs = stack.ui.wait_for_backfill(stack.ui.backfill(ANALYSIS, [key]))
    assert {t["value"] for r in runs for t in r["tags"] if t["key"] == "dagster/partition/platform"} == {"qwen"}
    made = bytes_below(stack.folder, "lake")
    only = ("--date", stack.date, "--platform", "qwen")
    geo(stack.folder, "run", "--json", *only, GEO_SIMULATOR_URL=stack.simulator.url)
    again = bytes_below(stack.folder, "lake")
    ours = {name for name in made if "platform=qwen" in name}
    assert {name for name in ours if again[name] != made[name]} == set()
    assert [c for c in read_call_log(stack.simulator.call_log) if c.platform == "qwen"] == asked


def test_a_backfill_over_past_days_submits_nothing_and_gives_null_metrics_with_the_reason(stack: Stack) -> None:
    import duckdb

    asked = [c for c in read_call_log(stack.simulator.call_log) if c.platform == "qwen"]
    days = [f"2026-11-0{n}|qwen" for n in (3, 4)]
    stack.ui.wait_for_backfill(stack.ui.backfill(["sampling_plan", "raw_responses", *ANALYSIS], days))
    assert [c for c in read_call_log(stack.simulator.call_log) if c.platform == "qwen"] == asked
    table = f"read_parquet('{stack.folder}/simulated/lake/{{}}/**/*.parquet')"
    health = duckdb.sql(
        f"select date, reason from {table.format('collection_health')} where date < '2026-11-10' order by 1"
    ).fetchall()
    assert [(str(day), why) for day, why in health] == [("2026-11-03", "missed"), ("2026-11-04", "missed")]
    nulls = duckdb.sql(
        f"select distinct value, null_reason from {table.format('visibility_metrics')} "
        "where date < '2026-11-10' and headline and metric = 'mention_rate'"
    ).fetchall()
    assert nulls == [(None, "missed")]
