"""Assets of the group `metrics`: numbers per platform and day, and per day over all platforms."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import dagster as dg

from geo_assets.analysis.version import READER
from geo_assets.assets.partitions import dates, grid, grid_key, platforms
from geo_assets.assets.tables import REVISION, latest_revision, result, table_spec
from geo_assets.lake.contracts import DAILY_VISIBILITY, VISIBILITY_METRICS
from geo_assets.lake.store import PartitionReader
from geo_assets.resources.lake_io import LakeResource
from geo_assets.resources.project import ProjectResource
from geo_assets.resources.stores import EvidenceResource, LedgerResource

if TYPE_CHECKING:
    from geo_assets.checks.day import Finding

Pair = tuple[str, dict[str, Any]]
SHOWN = 200
"""Rows of a table in metadata."""

# Again whenever a platform's numbers of a recent day are written, also while others are still missing.
WHEN_UPDATED = (
    dg.AutomationCondition.eager()
    .without(~dg.AutomationCondition.any_deps_missing())
    .replace(
        "in_latest_time_window",
        dg.AutomationCondition.in_latest_time_window(lookback_delta=timedelta(days=7)),
    )
)
ERRORS = ("one_row_per_sample", "exclusions_sum_to_plan", "books_balance", "evidence_is_whole", "profiles_do_not_mix")
WARNINGS = ("completeness",)


@dg.asset(**table_spec(VISIBILITY_METRICS, group="metrics"), partitions_def=grid, code_version=READER)
def visibility_metrics(
    context: dg.AssetExecutionContext,
    sampling_plan: PartitionReader,
    answers: PartitionReader,
    brand_mentions: PartitionReader,
    citations: PartitionReader,
    project: ProjectResource,
    ledger: LedgerResource,
    lake: LakeResource,
) -> dg.MaterializeResult[Any]:
    """Every number of this date and platform, with numerator, denominator and interval, or null with its reason."""
    from geo_assets.lake.store import Partition, stage
    from geo_assets.projection.dictionaries import DictionaryBook
    from geo_assets.projection.health import unplanned_reasons
    from geo_assets.projection.metrics import metric_rows
    from geo_assets.projection.observing import partition_tallies

    key = grid_key(context)
    revision = latest_revision(context, "answers")
    loaded = project.load()
    book = DictionaryBook(loaded, lake.lake().root)
    with ledger.open() as open_ledger:
        reasons = unplanned_reasons(open_ledger, loaded, *key, datetime.now(UTC))
    rows = metric_rows(
        partition_tallies(
            sampling_plan, answers, brand_mentions, citations, book, simulated=project.settings.simulated
        ),
        {k: why for k, why in reasons.items() if k[1] in loaded.monitors},
        book,
        search_asked=loaded.platform(key.platform).search,
        simulated=project.settings.simulated,
    )
    headline: list[dict[str, Any]] = []
    staged = stage(VISIBILITY_METRICS, Partition(*key), _noting(rows, headline), tenants=answers.tenants)
    rates = {
        f"mention_rate/{r['monitor']}/{r['brand']}": r["value"]
        for r in headline
        if r["value"] is not None and r["brand_role"] == "own"
    }
    nulls = {r["monitor"]: r["null_reason"] for r in headline if r["value"] is None}
    return result(
        staged,
        {
            **rates,
            "headline": dg.MetadataValue.md(headline_table(headline)),
            **({"null": dg.MetadataValue.json(nulls)} if nulls else {}),
            REVISION: revision,
        },
    )


@dg.asset(
    **table_spec(DAILY_VISIBILITY, group="metrics", deps=[visibility_metrics]),
    partitions_def=dates,
    code_version=READER,
    automation_condition=WHEN_UPDATED,
    check_specs=[dg.AssetCheckSpec(name, asset="daily_visibility") for name in (*ERRORS, *WARNINGS)],
)
def daily_visibility(
    context: dg.AssetExecutionContext,
    project: ProjectResource,
    ledger: LedgerResource,
    evidence: EvidenceResource,
    lake: LakeResource,
) -> Iterator[Any]:
    """Numbers of a day over windows of 1, 7 and 28 days: per platform, and as the weighted mean of platforms."""
    from geo_assets.checks import day as checks
    from geo_assets.lake.store import Partition, stage
    from geo_assets.projection.dictionaries import DictionaryBook
    from geo_assets.projection.health import unplanned_reasons
    from geo_assets.projection.metrics import daily_visibility_rows
    from geo_assets.projection.tenants import tenants_of

    date = context.partition_key
    loaded, settings, store = project.load(), project.settings, lake.lake()
    book = DictionaryBook(loaded, store.root)
    names = [p.id for p in platforms()]
    with ledger.open() as open_ledger:
        now = datetime.now(UTC)
        reasons = {
            (tenant, monitor, name): why
            for name in names
            for (tenant, monitor), why in unplanned_reasons(open_ledger, loaded, date, name, now).items()
            if monitor in loaded.monitors
        }
        tenants = tenants_of(open_ledger, loaded, date)
    headline: list[dict[str, Any]] = []
    rows = daily_visibility_rows(store, loaded, book, date, reasons, simulated=settings.simulated)
    staged = stage(DAILY_VISIBILITY, Partition(date), _noting(rows, headline), tenants=tenants)
    # One key per platform and brand: Dagster then draws one line each.
    metadata = {
        f"mention_rate/{r['monitor']}/{r['brand']}/{r['platform']}": r["value"]
        for r in headline
        if r["value"] is not None and r["brand_role"] == "own"
    }
    metadata["headline"] = dg.MetadataValue.md(headline_table(headline))
    yield from _materialized(staged, metadata)
    for finding in (
        checks.completeness(store, date, names),
        checks.one_row_per_sample(store, date, names),
        checks.exclusions_sum_to_plan(store, date, names),
        checks.books_balance(store, date, names),
        checks.evidence_is_whole(store, date, names, evidence.store().read),
        checks.profiles_do_not_mix(store, date, names, simulated=settings.simulated),
    ):
        yield _check(finding)


def _noting(rows: Iterator[Pair], headline: list[dict[str, Any]]) -> Iterator[Pair]:
    """The rows as they pass, with the day's headline mention rates noted for the metadata."""
    for tenant, row in rows:
        if row["headline"] and (row["metric"], row["segment"], row["window"]) == ("mention_rate", "all", "date"):
            headline.append(row)
        yield tenant, row


def _materialized(staged: Any, metadata: dict[str, Any]) -> Iterator[Any]:
    made = result(staged, metadata)
    yield dg.Output(made.value, metadata=dict(made.metadata or {}), data_version=made.data_version)


def _check(finding: "Finding") -> dg.AssetCheckResult:
    return dg.AssetCheckResult(
        check_name=finding.name,
        passed=finding.passed,
        severity=dg.AssetCheckSeverity.WARN if finding.name in WARNINGS else dg.AssetCheckSeverity.ERROR,
        metadata={"seen": finding.seen, "found": dg.MetadataValue.json(finding.detail)},
    )


def headline_table(rows: list[dict[str, Any]]) -> str:
    """Headline mention rates as a Markdown table: of all brands, or where these are many of the monitors' own."""
    shown = rows if len(rows) <= SHOWN else [r for r in rows if r["brand_role"] == "own"][:SHOWN]
    lines = ["| monitor | platform | brand | mention rate | 95 % | n |", "|---|---|---|---|---|---|"]
    for row in shown:
        value = "–" if row["value"] is None else f"{row['value']:.1%}"
        interval = "" if row["low"] is None else f"{row['low']:.1%} – {row['high']:.1%}"
        counts = "" if row["numerator"] is None else f"{row['numerator']:.0f} / {row['denominator']:.0f}"
        n = row["null_reason"] or counts
        lines.append(f"| {row['monitor']} | {row.get('platform', '')} | {row['brand']} | {value} | {interval} | {n} |")
    if len(shown) < len(rows):
        lines.append(f"\n{len(rows) - len(shown)} more in the table.")
    return "\n".join(lines)
