"""`geo review export|import` and `geo diff`: cases in doubt, and what another reading changed."""

import csv
import sys
from datetime import UTC, datetime
from pathlib import Path
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


@click.group()
def review() -> None:
    """Cases in doubt: export them, decide them in a spreadsheet, import the decisions."""


@review.command("export")
@click.argument("target", type=click.Path(dir_okay=False))
@data_option
@date_option
@click.option("--monitor", help="Only this monitor.")
def export(target: str, data_dir: str | None, date: str | None, monitor: str | None) -> None:
    """Write the undecided cases of a date to TARGET (.csv for a spreadsheet, .jsonl otherwise)."""
    from geo_assets.analysis.review import export_csv, export_jsonl
    from geo_assets.projection.doubt import doubtful
    from geo_assets.projection.reviews import ReviewBook

    settings = settings_of(data_dir)
    day = capture_day(date, project_of(settings))
    items = list(doubtful(settings, ReviewBook(settings), day, monitor))
    csv_wanted = target.endswith(".csv")
    # Spreadsheets take a UTF-8 file for what it is only with a byte order mark.
    with Path(target).open("w", encoding="utf-8-sig" if csv_wanted else "utf-8", newline="") as out:
        out.writelines(export_csv(items) if csv_wanted else export_jsonl(items))
    click.echo(f"{len(items)} cases of {day} written to {target}; fill in decision, who, when (or --when), why")


@review.command("import")
@click.argument("source", type=click.Path(exists=True, dir_okay=False))
@data_option
@click.option("--who", default="", help="Who decided, where a row does not say.")
@click.option("--when", default="", help="When, ISO 8601 with zone, where a row does not say (default: now).")
def import_(source: str, data_dir: str | None, who: str, when: str) -> None:
    """Record the decisions in SOURCE. They are applied at the next reading; evidence is never changed."""
    from geo_assets.analysis.review import import_csv, import_jsonl
    from geo_assets.projection.reviews import DecisionError, ReviewBook

    book = ReviewBook(settings_of(data_dir))
    moment = when or datetime.now(UTC).isoformat(timespec="seconds")
    reader = import_csv if source.endswith(".csv") else import_jsonl
    try:
        with Path(source).open(encoding="utf-8-sig", newline="") as lines:
            decisions = list(reader(lines, source=source, who=who, when=moment))
    except (ValueError, csv.Error) as error:
        raise DecisionError(str(error)) from error
    new = [d for d in decisions if d not in book.of(d.evidence)]
    book.append(new)
    click.echo(f"{len(new)} decisions recorded in {book.path}; {len(decisions) - len(new)} were there already")
    if new:
        click.echo("re-read with a backfill of `answers` and below over their dates, or `geo run --date DATE`")


@click.command()
@data_option
@date_option
@click.option("--platform", "platforms", multiple=True, help="Only these platforms.")
@click.option("--against", type=click.Path(exists=True, file_okay=False), help="Another lake's root to compare with.")
@json_option
def diff(
    data_dir: str | None, date: str | None, platforms: tuple[str, ...], against: str | None, as_json: bool
) -> None:
    """What a re-reading changed: mentions gained and lost, with the text around them.

    Without --against: the stored brand_mentions of the date compared with what reading it now would give (nothing is
    written). With it: the stored tables of two lakes.
    """
    from geo_assets.configuration.loader import load_project
    from geo_assets.projection.rereading import compare

    settings = settings_of(data_dir)
    project = load_project(settings.data_dir)
    day = capture_day(date, project.project)
    rows: list[dict[str, Any]] = []
    for name in platforms or [p.id for p in project.platforms]:
        rows += [
            {
                "platform": name,
                "sample": change.sample_id,
                "brand": change.brand,
                "change": change.change.value,
                "fields": {k: list(v) for k, v in change.fields.items()},
                "context": change.context,
            }
            for change in compare(settings, project, day, name, against)
        ]
    if as_json:
        emit_json(rows)
        return
    for row in rows:
        row["fields"] = ", ".join(f"{k}: {old} → {new}" for k, (old, new) in row["fields"].items())
    names = ("platform", "sample", "brand", "change", "fields", "context")
    table(rows, {n: n for n in names}, title=f"{len(rows)} differences on {day}")
    sys.exit(0)
