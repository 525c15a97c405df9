"""What the report of a date is made of: read from the lake one monitor at a time, and no more than is shown."""

from collections.abc import Iterator
from datetime import date as calendar_date
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from geo_assets.lake.store import Lake, Partition
from geo_assets.projection.dictionaries import DictionaryBook
from geo_assets.projection.doubt import doubtful
from geo_assets.projection.reviews import ReviewBook
from geo_assets.projection.speaking import speaking_rows
from geo_assets.report.inputs import MonitorInput, PlatformInfo, ReportInput

if TYPE_CHECKING:
    from geo_assets.configuration.loader import LoadedProject

HISTORY_DAYS = 28
Rows = dict[str, list[dict[str, Any]]]

_COLUMNS = {
    "answers": ["sample_id", "question_revision", "question_text"],
    "citations": [
        "sample_id",
        "citation_basis",
        "url",
        "page_key",
        "host",
        "domain",
        "owner_class",
        "owner",
        "source_type",
        "outcome",
    ],
    "untracked_names": None,
    "collection_health": None,
    "spend": None,
}
_MENTION_COLUMNS = [
    "monitor",
    "sample_id",
    "question_revision",
    "brand",
    "mentioned",
    "tracked_rank",
    "stance",
    "review",
    "review_reason",
    "context",
    "outcome",
    "question_scope",
]


def report_input(
    lake: Lake,
    project: "LoadedProject",
    dictionaries: DictionaryBook,
    reviews: ReviewBook,
    date: str,
    *,
    simulated: bool,
) -> ReportInput:
    """All monitors that have numbers on `date`, each read when it is asked for.

    Raises MissingPartitionError where daily_visibility lacks the date.
    """
    names = sorted({(t, r["monitor"]) for t, r in lake.read("daily_visibility", Partition(date)).rows(["monitor"])})
    monitors = (_monitor(lake, project, dictionaries, reviews, date, *name) for name in names)
    return ReportInput(project.project.name, monitors, simulated, project.project.timezone)


def _monitor(
    lake: Lake,
    project: "LoadedProject",
    dictionaries: DictionaryBook,
    reviews: ReviewBook,
    date: str,
    tenant: str,
    monitor: str,
) -> MonitorInput:
    def rows(table: str, partition: Partition, columns: list[str] | None = None) -> Iterator[dict[str, Any]]:
        reader = lake.read_or_empty(table, partition).only([monitor])
        return (row for owner, row in reader.rows(columns) if owner == tenant)

    daily = [row for row in rows("daily_visibility", Partition(date)) if row["segment"] == "all"]
    names = {row["platform"] for row in daily}
    platforms = [p for p in project.platforms if p.id in names]
    tables: dict[str, Rows] = {
        table: {p.id: list(rows(table, Partition(date, p.id), columns)) for p in platforms}
        for table, columns in _COLUMNS.items()
    }
    mentions = {
        p.id: [
            row
            for owner, row in speaking_rows(
                lake.read_or_empty("brand_mentions", Partition(date, p.id)).only([monitor]), _MENTION_COLUMNS
            )
            if owner == tenant
        ]
        for p in platforms
    }
    history: Rows = {}
    for day in _days_before(date):
        found = [
            row
            for row in rows("daily_visibility", Partition(day))
            if row["headline"] and (row["metric"], row["window"], row["segment"]) == ("mention_rate", "date", "all")
        ]
        if found:
            history[day] = found
    config = project.monitors.get(monitor)
    return MonitorInput(
        monitor=monitor,
        dictionary=dictionaries[monitor],
        platforms=[PlatformInfo(p.id, p.name, p.name_zh or "", p.channel.value, p.model) for p in platforms],
        daily=daily,
        history=history,
        answers=tables["answers"],
        mentions=mentions,
        citations=tables["citations"],
        health=tables["collection_health"],
        spend=tables["spend"],
        untracked_names=tables["untracked_names"],
        doubts={
            p.id: [
                item
                for owner, item in doubtful(lake, dictionaries, reviews, Partition(date, p.id), monitor)
                if owner == tenant
            ]
            for p in platforms
        },
        language=config.language if config else "zh",
    )


def _days_before(date: str) -> list[str]:
    last = calendar_date.fromisoformat(date)
    return [(last - timedelta(days=back)).isoformat() for back in range(HISTORY_DAYS, 0, -1)]
