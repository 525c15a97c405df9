"""What commands share: options, settings, times in the project zone, tables and JSON."""

import sys
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, TypeVar

import click

from geo_assets.settings import Settings, load_settings

if TYPE_CHECKING:
    from geo_assets.model.configuration import Project

F = TypeVar("F", bound=Callable[..., Any])


def data_option(function: F) -> F:
    """`--data DIR`."""
    return click.option(
        "--data",
        "data_dir",
        type=click.Path(exists=True, file_okay=False),
        envvar="GEO_DATA",
        help="The project's folder (default: GEO_DATA, else ./data).",
    )(function)


def json_option(function: F) -> F:
    """`--json`."""
    return click.option("--json", "as_json", is_flag=True, help="Machine-readable output.")(function)


def date_option(function: F) -> F:
    """`--date`."""
    return click.option("--date", metavar="YYYY-MM-DD", help="Capture date (default: today in the project zone).")(
        function
    )


def settings_of(data_dir: str | None) -> Settings:
    """Settings of the folder given, or of the environment."""
    return load_settings(data_dir)


def project_of(settings: Settings) -> "Project":
    """`project.yaml` alone."""
    from geo_assets.configuration.loader import load_project_settings

    return load_project_settings(settings.data_dir)


def capture_day(date: str | None, project: "Project") -> str:
    """The date given, checked, or today in the project zone."""
    from geo_assets.configuration.clock import capture_date, zone_of

    if date is None:
        return capture_date(datetime.now(UTC), zone_of(project))
    try:
        return datetime.strptime(date, "%Y-%m-%d").date().isoformat()  # noqa: DTZ007 - a date has no zone
    except ValueError as error:
        msg = f"{date!r} is not a date; write it as YYYY-MM-DD"
        raise click.BadParameter(msg, param_hint="--date") from error


def local_time(moment: datetime | None, project: "Project") -> str | None:
    """A moment in the project zone, to the second, with its offset."""
    from geo_assets.configuration.clock import zone_of

    return None if moment is None else moment.astimezone(zone_of(project)).isoformat(timespec="seconds")


def emit_json(value: Any) -> None:
    """Print a value as JSON (dates as ISO 8601), with no character in it that a terminal would obey."""
    from geo_assets.analysis.safe import safe_json

    click.echo(safe_json(value, indent=2, default=str))


def table(rows: Sequence[Mapping[str, Any]], columns: Mapping[str, str], *, title: str | None = None) -> None:
    """Print rows as a table; `columns` maps keys to headings. Numbers stand to the right. Texts are made inert."""
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from geo_assets.analysis.safe import safe_terminal

    out = Table(title=title, box=box.SIMPLE_HEAD, title_justify="left", pad_edge=False)
    for key, heading in columns.items():
        number = any(isinstance(r.get(key), int | float) and not isinstance(r.get(key), bool) for r in rows)
        out.add_column(heading, justify="right" if number else "left", overflow="fold")
    for row in rows:
        out.add_row(*(Text(safe_terminal("" if row.get(k) is None else str(row[k]))) for k in columns))
    Console(file=sys.stdout, highlight=False, width=None if sys.stdout.isatty() else 160).print(out)
