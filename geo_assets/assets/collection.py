"""Assets of the group `collection`: the plan, the answers' evidence, and the books about both.

The only two assets that write the ledger are here: `sampling_plan` plans, `raw_responses` asks. Both refuse to do so
for a past day, for which they export what the ledger has.
"""

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import dagster as dg
from pydantic import Field

from geo_assets.assets.partitions import GridKey, grid, grid_key
from geo_assets.assets.retries import STEP_RETRY, retried_unless_terminated
from geo_assets.assets.tables import REVISION, WHOLE_DAY, bullets, counts_table, result, table_spec
from geo_assets.lake.contracts import COLLECTION_HEALTH, EVIDENCE_ARCHIVE, RAW_RESPONSES, SAMPLING_PLAN, SPEND, Table
from geo_assets.resources.owner import RunOwner
from geo_assets.resources.platforms import PlatformClients
from geo_assets.resources.project import ProjectResource
from geo_assets.resources.stores import EvidenceResource, LedgerResource

if TYPE_CHECKING:
    from geo_assets.lake.store import StagedTable
    from geo_assets.ledger import Ledger


class CollectConfig(dg.Config):
    """How a run collects. The defaults are those of a click in the UI."""

    slice_minutes: float = 0.0
    """Longest working time; 0 = the project's slice, below 0 = until nothing is open (`geo run`)."""
    whole_day: bool = True
    """Ask until local midnight instead of the end of the collection window (the schedule sets this to false)."""
    monitors: list[str] = Field(default_factory=list)
    """Only these monitors; empty = all."""
    replan: bool = False
    """Plan again: adds new samples, withdraws never-submitted ones that the configuration no longer has."""


@dg.asset(
    **table_spec(SAMPLING_PLAN, group="collection"),
    partitions_def=grid,
    retry_policy=STEP_RETRY,
    code_version="1",
    tags={"geo/writes": "ledger"},
)
def sampling_plan(
    context: dg.AssetExecutionContext, config: CollectConfig, project: ProjectResource, ledger: LedgerResource
) -> dg.MaterializeResult[Any]:
    """Plan today's samples of all monitors (the first plan wins) and write the plan of this partition."""
    from geo_assets.collection.planning import plan_partition
    from geo_assets.projection.plan import plan_rows

    key = grid_key(context)
    with ledger.open() as book:
        outcome = plan_partition(
            book, project.load(), project.settings.profile, key.date, key.platform, replan=config.replan
        )
        for line in outcome.notices:
            context.log.info(line)
        for problem in project.load().problems:
            context.log.warning(str(problem))
        staged = _stage(SAMPLING_PLAN, key, plan_rows(book, *key), book, project)
    return result(
        staged,
        {
            "planned": staged.rows,
            "added by this run": outcome.added,
            "quote": dg.MetadataValue.json(outcome.quote),
            "not planned": bullets(outcome.notices),
            "configuration problems": bullets([str(p) for p in project.load().problems]),
        },
    )


def _stage(
    table: Table, key: GridKey, rows: Iterable[tuple[str, dict[str, Any]]], book: "Ledger", project: ProjectResource
) -> "StagedTable":
    """Rows of one partition, staged with a file for every tenant that the date knows."""
    from geo_assets.lake.store import Partition, stage
    from geo_assets.projection.tenants import tenants_of

    return stage(table, Partition(*key), rows, tenants=tenants_of(book, project.load(), key.date))


@dg.asset(
    **table_spec(RAW_RESPONSES, group="collection", deps=[sampling_plan]),
    partitions_def=grid,
    code_version="1",
    tags={"geo/writes": "ledger"},
)
def raw_responses(
    context: dg.AssetExecutionContext,
    config: CollectConfig,
    project: ProjectResource,
    ledger: LedgerResource,
    evidence: EvidenceResource,
    clients: PlatformClients,
    owner: RunOwner,  # noqa: ARG001 - tags the run
) -> dg.MaterializeResult[Any]:
    """Ask what is open and due, for one slice; then write what the ledger has. Bodies stay in the evidence store."""
    from geo_assets.ledger.projections import revision_of
    from geo_assets.ledger.status import partition_status
    from geo_assets.projection.responses import response_rows

    key = grid_key(context)
    with retried_unless_terminated(context), ledger.open() as book:
        report = clients.collect(
            book,
            evidence.store(),
            key.date,
            key.platform,
            slice_minutes=config.slice_minutes,
            whole_day=config.whole_day,
            monitors=tuple(config.monitors),
            should_stop=lambda: not _is_started(context),
            log=context.log.info,
        )
        if report["ended"] == "stopped":
            raise dg.Failure(
                "The run was ended from outside; its open samples go on in the next run.", allow_retries=False
            )
        status = partition_status(book, *key)
        revision = revision_of(book, *key)
        staged = _stage(RAW_RESPONSES, key, response_rows(book, *key), book, project)
    return result(
        staged,
        {
            "state": status.state.value,
            "planned": status.planned,
            "received": status.received,
            "open": status.open,
            "late": status.late,
            "attempts": status.attempts,
            "outcomes": counts_table({k: v for k, v in status.outcomes.items() if v}, "outcome"),
            REVISION: revision,
            WHOLE_DAY: config.whole_day,
            **report,
            **({"next due": dg.MetadataValue.timestamp(status.next_due_at)} if status.next_due_at else {}),
            **({"blocked": "; ".join(status.blocked)} if status.blocked else {}),
        },
    )


def _is_started(context: dg.AssetExecutionContext) -> bool:
    """Whether the run should go on: it may have been terminated, or failed by whoever thinks its owner dead."""
    run = context.instance.get_run_by_id(context.run_id)
    return run is not None and run.status in (dg.DagsterRunStatus.STARTED, dg.DagsterRunStatus.STARTING)


@dg.asset(
    **table_spec(EVIDENCE_ARCHIVE, group="collection", deps=[raw_responses]),
    partitions_def=grid,
    retry_policy=STEP_RETRY,
    code_version="1",
)
def evidence_archive(
    context: dg.AssetExecutionContext,
    project: ProjectResource,
    ledger: LedgerResource,
    evidence: EvidenceResource,
) -> dg.MaterializeResult[Any]:
    """Write the archive of every tenant's evidence, and its manifest as a table."""
    from geo_assets.projection.archive import archive_rows

    key = grid_key(context)
    root = project.settings.archive_root
    with ledger.open() as book:
        staged = _stage(EVIDENCE_ARCHIVE, key, archive_rows(book, evidence.store().read, root, *key), book, project)
    return result(staged, {"archive root": root})


@dg.asset(
    **table_spec(COLLECTION_HEALTH, group="collection", deps=[raw_responses]),
    partitions_def=grid,
    retry_policy=STEP_RETRY,
    code_version="1",
)
def collection_health(
    context: dg.AssetExecutionContext, project: ProjectResource, ledger: LedgerResource
) -> dg.MaterializeResult[Any]:
    """What happened to the plan, and why there was none where there was none."""
    from geo_assets.projection.health import health_rows

    key = grid_key(context)
    with ledger.open() as book:
        rows = list(
            health_rows(book, project.load(), project.settings.profile, key.date, key.platform, datetime.now(UTC))
        )
        staged = _stage(COLLECTION_HEALTH, key, rows, book, project)
    totals = {name: sum(row[name] for _, row in rows) for name in ("planned", "asked", "answered", "open", "late")}
    reasons = {f"{tenant}/{row['monitor']}": row["reason"] for tenant, row in rows if row["reason"]}
    return result(staged, {**totals, "nothing planned": dg.MetadataValue.json(reasons)})


@dg.asset(
    **table_spec(SPEND, group="collection", deps=[raw_responses]),
    partitions_def=grid,
    retry_policy=STEP_RETRY,
    code_version="1",
)
def spend(
    context: dg.AssetExecutionContext, project: ProjectResource, ledger: LedgerResource
) -> dg.MaterializeResult[Any]:
    """Quote, reservations and charges of this partition, reconciled."""
    from geo_assets.model.money import format_micros
    from geo_assets.projection.spend import spend_rows

    key = grid_key(context)
    with ledger.open() as book:
        rows = list(spend_rows(book, *key))
        staged = _stage(SPEND, key, rows, book, project)
    charged: dict[str, int] = {}
    for _, row in rows:
        charged[row["currency"]] = charged.get(row["currency"], 0) + row["charged_micros"]
    return result(
        staged,
        {
            **{f"charged/{c}": micros / 1_000_000 for c, micros in sorted(charged.items())},
            "charged": ", ".join(format_micros(m, c) for c, m in sorted(charged.items())) or "nothing",
            "unexplained attempts": sum(r["unexplained"] for _, r in rows),
        },
    )
