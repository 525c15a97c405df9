"""`geo run`: ask what is planned for a day, on all platforms at once, and publish the day."""

import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from geo_assets.cli.common import capture_day, data_option, date_option, emit_json, json_option, project_of, settings_of
from geo_assets.settings import Settings

if TYPE_CHECKING:
    from geo_assets.configuration.loader import LoadedProject
    from geo_assets.ledger import Ledger

LINE_EVERY = 5.0


@dataclass(slots=True)
class _Child:
    """A platform's process and its log."""

    platform: str
    process: "subprocess.Popen[bytes]"
    log: Path


@click.command()
@data_option
@date_option
@click.option("--platform", "platforms", multiple=True, help="Only these platforms (repeatable).")
@click.option("--monitor", "monitors", multiple=True, help="Ask these monitors only, and first (repeatable).")
@click.option("--slice-minutes", type=float, default=-1.0, help="Stop asking after so long (default: when done).")
@click.option("--replan", is_flag=True, help="Plan again: add new samples, withdraw never-submitted ones.")
@json_option
def run(
    data_dir: str | None,
    date: str | None,
    platforms: tuple[str, ...],
    monitors: tuple[str, ...],
    slice_minutes: float,
    replan: bool,
    as_json: bool,
) -> None:
    """Plan, ask, read and publish one day. Running it again asks nothing that was answered."""
    from geo_assets.configuration.loader import load_project
    from geo_assets.platforms.registry import connector

    settings = settings_of(data_dir)
    day = capture_day(date, project_of(settings))
    project = load_project(settings.data_dir, dialects=connector)
    for problem in project.problems:
        click.echo(str(problem), err=True)
    chosen = list(_chosen(project, settings, platforms, monitors))
    if not chosen:
        msg = "no platform can be asked; see the notices above, or use GEO_PROFILE=simulated"
        raise click.UsageError(msg)
    arguments = [a for m in monitors for a in ("--monitor", m)] + ["--slice-minutes", str(slice_minutes)]
    arguments += ["--replan"] if replan else []
    failed = _work(settings, project, day, chosen, arguments, quiet=as_json)
    from geo_assets.cli.summary import print_summary, summary

    found = summary(settings, day, chosen)
    if as_json:
        emit_json({**found, "failed": failed})
    else:
        print_summary(found, project)
    for name, log in failed.items():
        click.echo(f"{name}: a run failed; its log is {log}", err=True)
    sys.exit(1 if failed else 0)


def _chosen(
    project: "LoadedProject", settings: Settings, platforms: Sequence[str], monitors: Sequence[str]
) -> Iterator[str]:
    """Platforms to work on; says why others are left out."""
    from geo_assets.collection.planning import keyless

    try:
        wanted = [project.platform(name) for name in platforms] or list(project.platforms)
        for name in monitors:
            project.monitor(name)
    except LookupError as error:
        raise click.UsageError(str(error.args[0])) from error
    for platform in wanted:
        missing = None if settings.simulated else keyless(platform)
        if platform.retired:
            click.echo(f"{platform.id}: retired since {platform.retired}, left out", err=True)
        elif missing:
            click.echo(f"{platform.id}: skipped, no key: set the environment variable {missing}", err=True)
        else:
            yield platform.id


@contextmanager
def _simulator(settings: Settings, project: "LoadedProject") -> Iterator[str | None]:
    if not settings.simulated:
        yield None
        return
    from geo_assets.simulator.embedded import running_simulator

    with running_simulator(settings, project) as url:
        yield url


def _work(
    settings: Settings, project: "LoadedProject", day: str, chosen: list[str], arguments: list[str], *, quiet: bool
) -> dict[str, str]:
    """Run all platforms in processes of their own, then the day; returns what failed with its log."""
    from geo_assets.cli.home import child_environment, prepare_home
    from geo_assets.ledger import open_ledger

    prepare_home(settings)
    logs = settings.outputs / "logs"
    logs.mkdir(parents=True, exist_ok=True)
    failed: dict[str, str] = {}
    with ExitStack() as stack:
        url = stack.enter_context(_simulator(settings, project))
        ledger = stack.enter_context(open_ledger(settings.ledger_url))
        env = child_environment(settings, url)
        # Dagster makes its SQLite files when they are first used, and two processes that do so at once collide.
        fresh = not any(settings.dagster_home.rglob("*.db"))
        if fresh and _start(["prepare"], env, logs / "prepare.log", "prepare").process.wait():
            return {"prepare": str(logs / "prepare.log")}
        children = [
            _start(["platform", day, name, *arguments], env, logs / f"{day}-{name}.log", name) for name in chosen
        ]
        try:
            _watch(ledger, day, children, quiet=quiet)
        finally:
            _stop(children)
        failed |= {c.platform: str(c.log) for c in children if c.process.returncode}
        if not quiet:
            click.echo("publishing the day …", err=True)
        publish = _start(["day", day], env, logs / f"{day}-publish.log", "publish")
        if publish.process.wait():
            failed["publish"] = str(publish.log)
    return failed


def _start(arguments: list[str], env: dict[str, str], log: Path, name: str) -> _Child:
    with log.open("ab") as out:
        process = subprocess.Popen(  # noqa: S603 - our own interpreter and module
            [sys.executable, "-m", "geo_assets.worker", *arguments],
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.STDOUT,
        )
    return _Child(name, process, log)


def _stop(children: list[_Child]) -> None:
    """Let interrupted children finish what is in flight (they stop by themselves within their grace time)."""
    for child in children:
        if child.process.poll() is None:
            child.process.terminate()
    for child in children:
        try:
            child.process.wait(timeout=40)
        except subprocess.TimeoutExpired:
            child.process.kill()
            child.process.wait()


def _watch(ledger: "Ledger", day: str, children: list[_Child], *, quiet: bool) -> None:
    """Show progress from the ledger until all children are done: a bar on a terminal, else a line every 5 s."""
    if not quiet and sys.stderr.isatty():
        _bars(ledger, day, children)
        return
    said: dict[str, str] = {}
    started = last = time.monotonic()
    while any(c.process.poll() is None for c in children):
        time.sleep(0.25)
        if not quiet and time.monotonic() - last >= LINE_EVERY:
            last = time.monotonic()
            for child in children:
                line = _line(ledger, day, child)
                if said.get(child.platform) != line:
                    said[child.platform] = line
                    click.echo(f"[{last - started:4.0f} s] {line}", err=True)


def _line(ledger: "Ledger", day: str, child: _Child) -> str:
    status = ledger.status(day, child.platform)
    state = "at work" if child.process.poll() is None else "done"
    if not status.planned:
        return f"{child.platform}: starting" if state == "at work" else f"{child.platform}: nothing planned"
    return (
        f"{child.platform}: {status.planned - status.open}/{status.planned} done, {status.received} answered, "
        f"{status.attempts} attempts, {state}"
    )


def _bars(ledger: "Ledger", day: str, children: list[_Child]) -> None:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns: tuple[Any, ...] = (
        TextColumn("{task.description:<12}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[note]}"),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=Console(stderr=True)) as progress:
        tasks = {c.platform: progress.add_task(c.platform, total=None, note="starting") for c in children}
        alive = True
        while alive:
            alive = any(c.process.poll() is None for c in children)
            for child in children:
                status = ledger.status(day, child.platform)
                if status.planned:
                    note = "" if child.process.poll() is None and status.open else "reading"
                    progress.update(
                        tasks[child.platform],
                        total=status.planned,
                        completed=status.planned - status.open,
                        note=note if child.process.poll() is None else "done",
                    )
            time.sleep(0.5)
