"""What the report of a date is made of: read from the lake one monitor at a time, and no more than is shown."""

from collections.abc import Iterator
from datetime import date as calendar_date
from datetime import timedelta
from sys import intern
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
_DAILY_COLUMNS = [
    *("monitor", "platform", "brand", "window", "metric", "segment", "headline", "denominator", "value", "low", "high"),
    *("null_reason", "reading_version", "simulated"),
]
_MENTION_SHOWN = (
    "sample_id", "question_revision", "brand", "mentioned", "tracked_rank", "stance", "outcome", "question_scope",
)  # fmt: skip
_MENTION_COLUMNS = [*_MENTION_SHOWN, "monitor", "review", "context"]


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

    daily = list(_shown(lake, Partition(date), tenant, monitor, dictionaries[monitor].own.id))
    names = {row["platform"] for row in daily}
    platforms = [p for p in project.platforms if p.id in names]
    tables: dict[str, Rows] = {
        table: {p.id: list(rows(table, Partition(date, p.id), columns)) for p in platforms}
        for table, columns in _COLUMNS.items()
    }
    mentions = {
        p.id: [
            _slim(row)
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
            for row in rows("daily_visibility", Partition(day), _DAILY_COLUMNS)
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


def _shown(lake: Lake, partition: Partition, tenant: str, monitor: str, own: str) -> Iterator[dict[str, Any]]:
    """Rows of `daily_visibility` that a report looks at: all of the own brand and of none, mention rates of others.

    Chosen by column, before they become rows: of hundreds of brands there are hundreds of thousands.
    """
    import pyarrow.compute as pc

    reader = lake.read_or_empty("daily_visibility", partition).only([monitor])
    for owner, batch in reader.batches(_DAILY_COLUMNS):
        if owner != tenant:
            continue
        brand, metric = batch.column("brand"), batch.column("metric")
        mine = pc.or_(pc.equal(brand, own), pc.equal(brand, ""))
        rates = pc.and_(pc.starts_with(metric, "mention_rate"), pc.equal(batch.column("window"), "date"))
        kept = pc.and_(pc.equal(batch.column("segment"), "all"), pc.or_(mine, rates))
        yield from batch.filter(kept).to_pylist()


def _slim(row: dict[str, Any]) -> dict[str, Any]:
    """What the report looks at of a row of `brand_mentions`, equal ids as one object: there are many rows.

    The text around a name is shown only of a brand that an answer names first.
    """
    slim = {k: intern(v) if isinstance(v, str) else v for k in _MENTION_SHOWN for v in (row[k],)}
    return slim | {"context": row["context"] if row["tracked_rank"] == 1 else None}


def _days_before(date: str) -> list[str]:
    last = calendar_date.fromisoformat(date)
    return [(last - timedelta(days=back)).isoformat() for back in range(HISTORY_DAYS, 0, -1)]
