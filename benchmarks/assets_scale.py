"""A whole day at growing sizes, through all assets, as `geo run` does it: time per sample by asset, peak memory.

    PYTHONPATH=. python benchmarks/assets_scale.py 1000 10000 100000
    PYTHONPATH=. python benchmarks/assets_scale.py 50000 --platforms 10 --brands 200 --monitors 5

Each size is a project of its own in a temporary folder, on a simulator that answers at once (`--latency` in seconds
makes it wait): what is measured is ours. Every platform is one run in a process of its own, as under `geo run`; its
peak memory is what the operating system says of that process. CPU is the workers' own, without the simulator's: on a
busy machine it is the figure to compare; the fixed part (imports, word lists) is what a day of 1,000 samples shows.
Afterwards the books are checked: every sample has one answer, the simulator's call log has as many calls as the
ledger, money is explained, all checks of the day pass.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import dagster as dg
import yaml

from geo_assets.cli.home import child_environment, prepare_home
from geo_assets.configuration.clock import capture_date, zone_of
from geo_assets.configuration.loader import LoadedProject, load_project
from geo_assets.lake.store import Lake, Partition
from geo_assets.ledger import open_ledger
from geo_assets.ledger.books import drift
from geo_assets.platforms.registry import connector
from geo_assets.settings import Settings, load_settings
from geo_assets.simulator.embedded import simulator_config
from geo_assets.simulator.process import SimulatorProcess
from geo_assets.simulator.settings import Latency

TEXT = "utf-8"
PRICE = {
    "version": "v1", "valid_from": "2026-01-01", "currency": "CNY", "input_per_million": "2", "output_per_million": "6",
    "worst_input_tokens": "500", "worst_output_tokens": "2000",
}  # fmt: skip


def invented(rng: random.Random, count: int) -> list[str]:
    """Names of both scripts that are no words."""
    names: dict[str, None] = {}
    while len(names) < count:
        if rng.random() < 0.5:
            names["".join(rng.choices("琚瑄璟翊珩昕烨炜琛骁麒骅晟旻翀沅沣溱瀛珺", k=3))] = None
        else:
            word = "".join(rng.choice("bdfgklmnprtvz") + rng.choice("aeiou") for _ in range(3)) + rng.choice("nxrs")
            names[word.title()] = None
    return list(names)


def write(path: Path, document: dict[str, Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    plain = json.loads(json.dumps(document))  # shared parts become copies: the configuration knows no anchors
    path.write_text(yaml.safe_dump(plain, allow_unicode=True, sort_keys=False), TEXT)


def make(folder: Path, samples: int, platforms: int, brands: int, monitors: int) -> None:
    """A project with `samples` samples a day in all, spread evenly."""
    rng = random.Random(11)
    names = [f"surface-{i}" for i in range(platforms)]
    write(folder / "project.yaml", {"name": "scale", "timezone": "Asia/Shanghai", "start_date": "2026-11-01"})
    lane = {"per_second": 5000, "burst": 500, "concurrency": 50}
    write(
        folder / "platforms.yaml",
        {
            "platforms": [
                {
                    "id": name, "name": name, "dialect": "openai-chat", "base_url": "https://surface.example/v1",
                    "model": "m1", "search": False, "accounts": [{"key_env": "SURFACE_KEY"}],
                    "limits": {"submit": lane}, "prices": [PRICE],
                }
                for name in names
            ]
        },
    )  # fmt: skip
    per_monitor = samples // platforms // monitors
    for number in range(monitors):
        known = invented(rng, brands)
        chinese = number % 2 == 0
        kind = f"{number} 号市场" if chinese else f"market {number}"
        text = (
            f"{kind}第 {{}} 种需求，买哪个牌子的洗衣机好？"
            if chinese
            else f"Which washer is best for case {{}} in {kind}?"
        )
        write(
            folder / "monitors" / f"market-{number}.yaml",
            {
                "id": f"market-{number}", "tenant": f"tenant-{number % 3}", "language": "zh" if chinese else "en",
                "brand": {"id": "own", "name": known[0]},
                "competitors": [{"id": f"other-{i}", "name": name} for i, name in enumerate(known[1:])],
                "questions": [
                    {"id": f"q{i}", "text": text.format(i), "intent": "category"} for i in range(per_monitor)
                ],
                "max_questions": per_monitor, "repeats": 1,
                "platforms": [{"id": name} for name in names],
            },
        )  # fmt: skip


@dataclass(frozen=True)
class Cost:
    """What one worker process took: seconds, seconds of CPU, peak megabytes."""

    seconds: float
    cpu: float
    peak: float


def work(env: dict[str, str], *arguments: str) -> Cost:
    """Run one worker process. Raises RuntimeError with the end of its log if it fails."""
    began = time.perf_counter()
    with tempfile.TemporaryFile() as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "geo_assets.worker", *arguments], env=env, stdout=log, stderr=subprocess.STDOUT
        )
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            log.seek(0)
            raise RuntimeError(f"worker {' '.join(arguments)}:\n{log.read()[-4000:].decode(TEXT, 'replace')}")
    return Cost(time.perf_counter() - began, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def step_seconds(home: Path) -> dict[str, float]:
    """Asset → seconds over all runs of an instance."""
    found: dict[str, float] = defaultdict(float)
    with dg.DagsterInstance.from_config(str(home)) as instance:
        for run in instance.get_runs():
            for step in instance.get_run_step_stats(run.run_id):
                if step.start_time and step.end_time:
                    found[step.step_key] += step.end_time - step.start_time
    return found


def check(settings: Settings, project: LoadedProject, date: str, samples: int, calls: int) -> None:
    """Raises AssertionError where the books are not exact."""
    lake = Lake(str(settings.lake_root))
    with open_ledger(settings.ledger_url) as ledger:
        status = [ledger.status(date, p.id) for p in project.platforms]
        assert sum(s.planned for s in status) == samples, status
        assert not sum(s.open for s in status), status
        attempts = sum(s.attempts for s in status)
        assert attempts == calls, f"{attempts} attempts in the ledger, {calls} calls at the simulator"
        assert drift(ledger.database, date) == {}
        assert all(line.balanced for line in ledger.reconcile(date))
    outcomes: Counter[str] = Counter()
    rows = 0
    for platform in project.platforms:
        partition = Partition(date, platform.id)
        outcomes.update(r["outcome"] for _, r in lake.read("answers", partition).rows(["outcome"]))
        rows += lake.read("brand_mentions", partition).count()
    assert sum(outcomes.values()) == samples, outcomes
    with dg.DagsterInstance.from_config(str(settings.dagster_home)) as instance:
        run = instance.get_runs(filters=dg.RunsFilter(job_name="publish"), limit=1)[0]
        events = instance.all_logs(run.run_id, of_type=dg.DagsterEventType.ASSET_CHECK_EVALUATION)
        results = {e.dagster_event.event_specific_data.check_name: e.dagster_event.event_specific_data for e in events}
    failed = {n: r.metadata for n, r in results.items() if not r.passed and n != "completeness"}
    assert len(results) == 6, results
    assert not failed, failed
    print(f"  exact: outcomes {dict(outcomes)}, {rows} rows of brand_mentions, {len(results)} checks")


def one(samples: int, platforms: int, brands: int, monitors: int, latency: float) -> None:
    with tempfile.TemporaryDirectory(prefix="geo-scale-") as name:
        folder = Path(name) / "data"
        make(folder, samples, platforms, brands, monitors)
        settings = load_settings(folder)
        project = load_project(folder, dialects=connector)
        assert not project.problems, project.problems
        prepare_home(settings)
        settings.call_log.parent.mkdir(parents=True, exist_ok=True)
        config = simulator_config(settings, project, latency=Latency(median=latency, sigma=0.5 if latency else 0.0))
        date = capture_date(datetime.now(UTC), zone_of(project.project))
        with SimulatorProcess(config) as simulator:
            env = child_environment(settings, simulator.url)
            work(env, "prepare")
            runs = [work(env, "platform", date, p.id) for p in project.platforms]
            day = work(env, "day", date)
        calls = sum(1 for _ in settings.call_log.open(encoding=TEXT))
        steps = step_seconds(settings.dagster_home)
        total, cpu = (sum(getattr(c, what) for c in (*runs, day)) for what in ("seconds", "cpu"))
        print(
            f"{samples} samples, {platforms} platforms, {monitors} monitors of {brands} brands: {total:.0f} s, "
            f"{1000 * total / samples:.1f} ms and {1000 * cpu / samples:.1f} ms of CPU a sample; "
            f"peak {max(c.peak for c in runs):.0f} MB (platform), {day.peak:.0f} MB (day)"
        )
        print("  ms a sample:", ", ".join(f"{k} {1000 * v / samples:.2f}" for k, v in steps.items()), flush=True)
        check(settings, project, date, samples, calls)


def main() -> None:
    parser = argparse.ArgumentParser(description="A whole day at growing sizes")
    parser.add_argument("samples", type=int, nargs="*", default=[1_000, 10_000, 100_000])
    parser.add_argument("--platforms", type=int, default=1)
    parser.add_argument("--brands", type=int, default=20)
    parser.add_argument("--monitors", type=int, default=0, help="0: one per 1,000 samples of a platform")
    parser.add_argument("--latency", type=float, default=0.0)
    options = parser.parse_args()
    for samples in options.samples:
        monitors = options.monitors or max(1, samples // options.platforms // 1000)
        one(samples, options.platforms, options.brands, monitors, options.latency)


if __name__ == "__main__":
    main()
