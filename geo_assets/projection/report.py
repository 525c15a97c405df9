"""What the report of a date is made of, gathered from the lake."""

from datetime import date as calendar_date
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from geo_assets.lake.store import Lake, Partition
from geo_assets.projection.dictionaries import DictionaryBook
from geo_assets.report.inputs import MonitorInput, PlatformInfo, ReportInput

if TYPE_CHECKING:
    from geo_assets.configuration.loader import LoadedProject

HISTORY_DAYS = 28
_GRID_TABLES = ("answers", "brand_mentions", "citations", "collection_health", "spend")


def report_input(
    lake: Lake, project: "LoadedProject", dictionaries: DictionaryBook, date: str, *, simulated: bool
) -> ReportInput:
    """All monitors that have numbers on `date`. Raises MissingPartitionError where daily_visibility lacks the date."""
    by_monitor: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for tenant, row in lake.read("daily_visibility", Partition(date)).rows():
        by_monitor.setdefault((tenant, row["monitor"]), []).append(row)
    history = _history(lake, date)
    grid = {p.id: _grid_rows(lake, Partition(date, p.id)) for p in project.platforms}
    monitors = []
    for (tenant, monitor), daily in sorted(by_monitor.items()):
        names = {row["platform"] for row in daily}
        tables = {
            name: {p: rows[name].get((tenant, monitor), []) for p, rows in grid.items() if p in names}
            for name in _GRID_TABLES
        }
        config = project.monitors.get(monitor)
        monitors.append(
            MonitorInput(
                monitor=monitor,
                dictionary=dictionaries[monitor],
                platforms=[
                    PlatformInfo(p.id, p.name, p.name_zh or "", p.channel.value, p.model)
                    for p in project.platforms
                    if p.id in names
                ],
                daily=daily,
                history={day: rows[tenant, monitor] for day, rows in history.items() if (tenant, monitor) in rows},
                answers=tables["answers"],
                mentions=tables["brand_mentions"],
                citations=tables["citations"],
                health=tables["collection_health"],
                spend=tables["spend"],
                language=config.language if config else "zh",
            )
        )
    return ReportInput(project.project.name, monitors, simulated, project.project.timezone)


def _history(lake: Lake, date: str) -> dict[str, dict[tuple[str, str], list[dict[str, Any]]]]:
    """Headline rows of the days before, by date and monitor."""
    last = calendar_date.fromisoformat(date)
    found: dict[str, dict[tuple[str, str], list[dict[str, Any]]]] = {}
    for back in range(HISTORY_DAYS, 0, -1):
        day = (last - timedelta(days=back)).isoformat()
        for tenant, row in lake.read_or_empty("daily_visibility", Partition(day)).rows():
            if row["headline"]:
                found.setdefault(day, {}).setdefault((tenant, row["monitor"]), []).append(row)
    return found


def _grid_rows(lake: Lake, partition: Partition) -> dict[str, dict[tuple[str, str], list[dict[str, Any]]]]:
    """Rows of one platform by table and monitor."""
    found: dict[str, dict[tuple[str, str], list[dict[str, Any]]]] = {}
    for name in _GRID_TABLES:
        tables = found.setdefault(name, {})
        for tenant, row in lake.read_or_empty(name, partition).rows():
            tables.setdefault((tenant, row["monitor"]), []).append(row)
    return found
