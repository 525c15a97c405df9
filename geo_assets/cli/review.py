"""`geo review export|import|decide` and `geo diff`: cases in doubt, and what another reading changed."""

import csv
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from geo_assets.cli.common import (
    capture_day,
    data_option,
    date_option,
    emit_json,
    json_option,
    settings_of,
    table,
)

if TYPE_CHECKING:
    from geo_assets.analysis.review import ReviewItem
    from geo_assets.configuration.loader import LoadedProject
    from geo_assets.model.review import ReviewDecision
    from geo_assets.projection.reviews import ReviewBook


@click.group()
def review() -> None:
    """Cases in doubt: decide one, or export them, decide them in a spreadsheet, import the decisions."""


@review.command("export")
@click.argument("target", type=click.Path(dir_okay=False))
@data_option
@date_option
@click.option("--monitor", help="Only this monitor.")
def export(target: str, data_dir: str | None, date: str | None, monitor: str | None) -> None:
    """Write the undecided cases of a date to TARGET (.csv for a spreadsheet, .jsonl otherwise)."""
    from geo_assets.analysis.review import export_csv, export_jsonl
    from geo_assets.configuration.loader import load_project
    from geo_assets.lake.store import Lake, Partition
    from geo_assets.projection.dictionaries import DictionaryBook
    from geo_assets.projection.doubt import doubtful
    from geo_assets.projection.reviews import ReviewBook

    settings = settings_of(data_dir)
    project = load_project(settings.data_dir)
    day = capture_day(date, project.project)
    if monitor is not None:
        _known_monitor(project, monitor)
    lake, book = Lake(settings.lake_root), ReviewBook(settings)
    dictionaries = DictionaryBook(project, settings.lake_root, keep=False)
    cases = 0

    def items() -> Iterator["ReviewItem"]:
        nonlocal cases
        for platform in project.platforms:
            for _, item in doubtful(lake, dictionaries, book, Partition(day, platform.id), monitor):
                cases += 1
                yield item

    csv_wanted = target.endswith(".csv")
    # Spreadsheets take a UTF-8 file for what it is only with a byte order mark.
    with Path(target).open("w", encoding="utf-8-sig" if csv_wanted else "utf-8", newline="") as out:
        out.writelines(export_csv(items()) if csv_wanted else export_jsonl(items()))
    click.echo(f"{cases} cases of {day} written to {target}; fill in decision, who, why (when: now, if left empty)")


def _known_monitor(project: "LoadedProject", monitor: str) -> None:
    try:
        project.monitor(monitor)
    except LookupError as error:
        raise click.BadParameter(str(error.args[0]), param_hint="--monitor") from error


@review.command("import")
@click.argument("source", type=click.Path(exists=True, dir_okay=False))
@data_option
@click.option("--who", default="", help="Who decided, where a row does not say.")
@click.option("--when", default="", help="When, ISO 8601 with zone, where a row does not say (default: now).")
def import_(source: str, data_dir: str | None, who: str, when: str) -> None:
    """Record the decisions in SOURCE. They are applied at the next reading; evidence is never changed."""
    from geo_assets.analysis.review import import_csv, import_jsonl
    from geo_assets.configuration.loader import load_project
    from geo_assets.ledger import open_ledger
    from geo_assets.projection.deciding import checked
    from geo_assets.projection.dictionaries import DictionaryBook
    from geo_assets.projection.reviews import DecisionError, ReviewBook

    settings = settings_of(data_dir)
    book = ReviewBook(settings)
    dictionaries = DictionaryBook(load_project(settings.data_dir), settings.lake_root, keep=False)
    moment = when or _now()
    reader = import_csv if source.endswith(".csv") else import_jsonl
    try:
        with Path(source).open(encoding="utf-8-sig", newline="") as lines, open_ledger(settings.ledger_url) as ledger:
            decisions = checked(reader(lines, source=source, who=who, when=moment), ledger, dictionaries)
    except (ValueError, csv.Error) as error:
        raise DecisionError(str(error)) from error
    _record(book, decisions)


@review.command("decide")
@click.argument("sample")
@data_option
@click.option("--brand", default="", help="Id of the brand that it is about; without it, about the whole answer.")
@click.option(
    "--field", type=click.Choice(["validity", "mentioned", "stance", "list_rank"]), help="Default: mentioned, validity."
)
@click.option("--decision", required=True, help="yes or no; for other fields what `geo review export` lists.")
@click.option("--who", required=True, help="Who decided.")
@click.option("--why", required=True, help="The reason, for those who read it later.")
def decide(sample: str, data_dir: str | None, brand: str, field: str | None, decision: str, who: str, why: str) -> None:
    """Decide one case: SAMPLE is a sample id or an unambiguous beginning of one, as the report shows it."""
    from geo_assets.configuration.loader import load_project
    from geo_assets.lake.store import Lake
    from geo_assets.ledger import open_ledger
    from geo_assets.model.review import ReviewField
    from geo_assets.projection.deciding import decision_on
    from geo_assets.projection.dictionaries import DictionaryBook
    from geo_assets.projection.reviews import ReviewBook

    settings = settings_of(data_dir)
    about = ReviewField(field) if field else ReviewField.MENTIONED if brand else ReviewField.VALIDITY
    with open_ledger(settings.ledger_url) as ledger:
        history = ledger.sample(sample)
    found = decision_on(
        history,
        Lake(settings.lake_root),
        DictionaryBook(load_project(settings.data_dir), settings.lake_root, keep=False),
        brand=brand,
        field=about,
        decision=decision.lower(),
        who=who,
        when=_now(),
        why=why,
    )
    _record(ReviewBook(settings), [found])


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _record(book: "ReviewBook", decisions: list["ReviewDecision"]) -> None:
    """Append what is new and say what to do next."""
    new = [d for d in decisions if not book.repeats(d)]
    book.append(new)
    click.echo(f"{len(new)} decisions recorded in {book.path}; {len(decisions) - len(new)} were there already")
    if new:
        click.echo("applied when read again: a backfill of job `analyse` over their dates, or `geo run --date DATE`")


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
