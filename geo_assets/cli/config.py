"""`geo check` and `geo plan`: the configuration, and what it would ask."""

import os
import sys
from dataclasses import asdict
from typing import Any

import click

from geo_assets.cli.common import (
    capture_day,
    data_option,
    date_option,
    emit_json,
    json_option,
    project_of,
    settings_of,
    table,
)


@click.command()
@data_option
@json_option
def check(data_dir: str | None, as_json: bool) -> None:
    """Check all configuration files. Exit code 1 if there is an error; warnings alone leave it 0."""
    from geo_assets.analysis.ambiguity import is_everyday_word
    from geo_assets.configuration.loader import check_folder
    from geo_assets.configuration.problems import errors_of
    from geo_assets.platforms.registry import connector

    settings = settings_of(data_dir)
    problems = check_folder(settings.data_dir, dialects=connector, is_everyday=is_everyday_word)
    errors = errors_of(problems)
    if as_json:
        emit_json([asdict(p) for p in problems])
    else:
        for problem in problems:
            click.echo(str(problem))
        warnings = len(problems) - len(errors)
        click.echo(f"{settings.data_dir}: {len(errors)} errors, {warnings} warnings")
    sys.exit(1 if errors else 0)


@click.command()
@data_option
@date_option
@click.option("--platform", "platforms", multiple=True, help="Only these platforms.")
@click.option("--monitor", "monitors", multiple=True, help="Only these monitors.")
@json_option
def plan(
    data_dir: str | None, date: str | None, platforms: tuple[str, ...], monitors: tuple[str, ...], as_json: bool
) -> None:
    """What would be asked on a date, and its quote at most. Stores nothing and asks nobody."""
    from geo_assets.configuration.loader import load_project
    from geo_assets.configuration.planning import plan_batches, quote_lines
    from geo_assets.model.money import format_micros
    from geo_assets.platforms.registry import connector

    settings = settings_of(data_dir)
    day = capture_day(date, project_of(settings))
    project = load_project(settings.data_dir, dialects=connector)
    try:
        batches = plan_batches(
            project,
            day,
            profile=settings.profile,
            keys=lambda name: bool(os.environ.get(name)),
            platforms=platforms or None,
            monitors=monitors or None,
        )
    except LookupError as error:
        raise click.UsageError(str(error.args[0])) from error
    rows: list[dict[str, Any]] = []
    for batch in batches:
        rows += [
            {
                "monitor": batch.monitor,
                "platform": line.platform,
                "samples": line.samples,
                "quote": format_micros(line.micros, line.currency),
                "quote_micros": line.micros,
                "currency": line.currency,
                "note": "",
            }
            for line in quote_lines(batch)
        ]
        rows += [
            {"monitor": batch.monitor, "platform": name, "samples": 0, "quote": "", "note": notice}
            for name, notice in batch.notices.items()
        ]
    if as_json:
        merged = {b.monitor: [list(pair) for pair in b.merged_duplicates] for b in batches if b.merged_duplicates}
        emit_json({"date": day, "profile": settings.profile, "lines": rows, "merged_duplicates": merged})
        return
    headings = {
        "monitor": "monitor",
        "platform": "platform",
        "samples": "samples",
        "quote": "quote, at most",
        "note": "",
    }
    table(rows, headings, title=f"Plan for {day} ({settings.profile}); nothing was stored")
    for batch in batches:
        for kept, dropped in batch.merged_duplicates:
            click.echo(f"{batch.monitor}: question `{dropped}` has the text of `{kept}` and is asked once")
    for problem in project.problems:
        click.echo(str(problem), err=True)
