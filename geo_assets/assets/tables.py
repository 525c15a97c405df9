"""From a contract to what Dagster shows of it: column schema, lineage, kinds; from staged rows to a result."""

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import dagster as dg

from geo_assets.lake.contracts import Table

if TYPE_CHECKING:
    from geo_assets.lake.store import StagedTable

OWNERS = ["team:geo"]
REVISION = "ledger revision"
"""Metadata key: the ledger's state of the partition that a table was made from; sensors compare it."""
WHOLE_DAY = "whole day"
"""Metadata key of raw_responses: whether the run asked until midnight instead of the end of the window."""
Metadata = Mapping[str, Any]


def column_schema(table: Table) -> dg.TableSchema:
    """The contract's columns with units and descriptions."""

    def text(unit: str | None, description: str) -> str:
        return f"{description} [{unit}]" if unit else description

    return dg.TableSchema(
        columns=[
            dg.TableColumn(
                c.name,
                c.type,
                description=text(c.unit, c.description),
                constraints=dg.TableColumnConstraints(nullable=c.nullable),
            )
            for c in table.columns
        ]
    )


def column_lineage(table: Table) -> dg.TableColumnLineage:
    """Which columns derive from which: as the contract says, and by name where a source has the same column."""
    from geo_assets.lake.contracts import TABLES

    deps: dict[str, list[dg.TableColumnDep]] = {}
    for column in table.columns:
        sources = table.lineage.get(column.name) or tuple(
            f"{source}.{column.name}" for source in table.sources if column.name in TABLES[source].names
        )
        pairs = (s.split(".", 1) for s in sources)
        deps[column.name] = [dg.TableColumnDep(asset_key=dg.AssetKey(t), column_name=c) for t, c in pairs]
    return dg.TableColumnLineage(deps_by_column={name: d for name, d in deps.items() if d})


def table_spec(table: Table, *, group: str, **options: Any) -> dict[str, Any]:
    """Arguments of `@dg.asset` that follow from a table's contract."""
    return {
        "name": table.name,
        "description": table.description,
        "group_name": group,
        "owners": OWNERS,
        "kinds": {"parquet"},
        "io_manager_key": "lake_io",
        "metadata": {
            "dagster/column_schema": column_schema(table),
            "dagster/column_lineage": column_lineage(table),
            "key": ", ".join(table.key),
        },
        **options,
    }


def table_out(table: Table, *, group: str, **options: Any) -> dg.AssetOut:
    """The same for a table that is one of several outputs of an op, any of which may be left out of a run."""
    spec = table_spec(table, group=group, **options)
    return dg.AssetOut(key=spec.pop("name"), is_required=False, **spec)


def result(staged: "StagedTable", metadata: Metadata | None = None) -> dg.MaterializeResult[Any]:
    """A staged table with its data version, a preview, and further metadata.

    The data version is the content: writing the same rows again leaves everything downstream fresh.
    """
    return dg.MaterializeResult(
        asset_key=dg.AssetKey(staged.table.name),
        value=staged,
        data_version=dg.DataVersion(staged.digest),
        metadata={"preview": preview(staged.preview), **(metadata or {})},
    )


def preview(rows: Sequence[Mapping[str, Any]], *, width: int = 60) -> dg.MetadataValue[Any]:
    """A few rows as a Markdown table; texts are made inert and cut."""
    from geo_assets.analysis.safe import safe_markdown

    if not rows:
        return dg.MetadataValue.md("*no rows*")
    names = list(rows[0])

    def cell(value: Any) -> str:
        if value is None:
            return ""
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
        text = text if len(text) <= width else f"{text[: width - 1]}…"
        return safe_markdown(" ".join(text.split())).replace("|", "\\|")

    head = f"| {' | '.join(names)} |\n|{'---|' * len(names)}\n"
    return dg.MetadataValue.md(head + "\n".join(f"| {' | '.join(cell(r[n]) for n in names)} |" for r in rows))


def bullets(lines: Sequence[str]) -> dg.MetadataValue[Any]:
    """Lines as a Markdown list, made inert; a dash where there are none."""
    from geo_assets.analysis.safe import safe_markdown

    return dg.MetadataValue.md("\n".join(f"- {safe_markdown(line)}" for line in lines) or "–")


def counts_table(counts: Mapping[str, int], label: str) -> dg.MetadataValue[Any]:
    """Counts as a Markdown table, largest first; names are made inert."""
    from geo_assets.analysis.safe import safe_markdown

    rows = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return dg.MetadataValue.md(
        f"| {label} | n |\n|---|---|\n" + "\n".join(f"| {safe_markdown(k)} | {v} |" for k, v in rows)
    )


def latest_revision(context: dg.AssetExecutionContext, asset: str) -> str:
    """The ledger revision that an upstream asset's partition was made from, empty if it does not say."""
    records = context.instance.fetch_materializations(
        dg.AssetRecordsFilter(asset_key=dg.AssetKey(asset), asset_partitions=[context.partition_key]), limit=1
    ).records
    event = records[0].asset_materialization if records else None
    value = event.metadata.get(REVISION) if event else None
    return str(value.value) if value else ""
