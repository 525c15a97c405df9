"""Assets of the group `analysis`: from stored evidence to readings. None of them asks anybody or writes the ledger.

A backfill over past days re-reads with today's connectors, rules and dictionaries. Changing a dictionary makes
`brand_mentions` and `citations` stale; changing rules raises their code version.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import dagster as dg

from geo_assets.analysis.version import READER
from geo_assets.assets.partitions import grid, grid_key
from geo_assets.assets.tables import (
    OWNERS,
    REVISION,
    bullets,
    counts_table,
    latest_revision,
    result,
    table_out,
    table_spec,
)
from geo_assets.lake.contracts import ANSWERS, BRAND_MENTIONS, CITATIONS, UNTRACKED_NAMES
from geo_assets.lake.store import PartitionReader
from geo_assets.resources.lake_io import LakeResource
from geo_assets.resources.project import ProjectResource
from geo_assets.resources.stores import EvidenceResource, LedgerResource


@dg.asset(
    description="Brands, aliases and rules of all monitors: what affects reading, apart from what affects asking.",
    group_name="analysis",
    owners=OWNERS,
    kinds={"json"},
    code_version="1",
)
def dictionaries(project: ProjectResource, lake: LakeResource) -> dg.MaterializeResult[Any]:
    """Store every monitor's dictionary by its hash. A changed one makes readings with the old one stale in the UI."""
    from geo_assets.projection.dictionaries import DictionaryBook

    loaded = project.load()
    book = DictionaryBook(loaded, lake.lake().root)
    brands = {name: len(book[name].brands) for name in sorted(loaded.monitors)}
    return dg.MaterializeResult(
        data_version=dg.DataVersion(project.dictionaries_hash()),
        metadata={
            "dictionaries": dg.MetadataValue.json(book.used),
            "names": counts_table(brands, "monitor"),
            "problems": bullets([str(p) for p in loaded.problems]),
        },
    )


@dg.asset(
    description="Decisions of people on readings in doubt, from reviews/<profile>.jsonl; applied at the next reading.",
    group_name="analysis",
    owners=OWNERS,
    kinds={"json"},
    code_version="1",
)
def review_decisions(project: ProjectResource) -> dg.MaterializeResult[Any]:
    """Note the state of the decisions, so that readings made before the newest ones are stale in the UI."""
    from geo_assets.projection.reviews import ReviewBook

    book = ReviewBook(project.settings)
    return dg.MaterializeResult(
        data_version=dg.DataVersion(book.hash),
        metadata={
            "file": dg.MetadataValue.path(str(book.path)),
            "decisions": len(book),
            "reading inputs": project.reading_inputs_hash(),
        },
    )


@dg.asset(
    **table_spec(ANSWERS, group="analysis", deps=[review_decisions]),
    partitions_def=grid,
    code_version=READER,
)
def answers(
    context: dg.AssetExecutionContext,
    sampling_plan: PartitionReader,
    raw_responses: PartitionReader,
    project: ProjectResource,
    ledger: LedgerResource,
    evidence: EvidenceResource,
) -> dg.MaterializeResult[Any]:
    """Read every stored response into the normal form and judge its text."""
    from geo_assets.lake.store import Partition, stage
    from geo_assets.platforms.registry import connector
    from geo_assets.projection.answers import answer_rows
    from geo_assets.projection.asking import AskBuilder
    from geo_assets.projection.reviews import ReviewBook

    key = grid_key(context)
    # Noted before the rows are read: what comes in meanwhile must not pass for read.
    revision = latest_revision(context, "raw_responses")
    counts: dict[str, int] = {}
    with ledger.open() as book:
        rows = answer_rows(
            sampling_plan.rows(),
            raw_responses.rows(),
            book,
            evidence.store().read,
            AskBuilder(book.snapshot, connector),
            *key,
            ReviewBook(project.settings),
        )

        def counted() -> Any:
            for tenant, row in rows:
                counts[row["outcome"]] = counts.get(row["outcome"], 0) + 1
                yield tenant, row

        staged = stage(ANSWERS, Partition(*key), counted(), tenants=raw_responses.tenants)
    metadata = {f"outcome/{name}": n for name, n in sorted(counts.items())}
    return result(staged, {**metadata, "outcomes": counts_table(counts, "outcome"), REVISION: revision})


@dg.multi_asset(
    # One pass over the texts gives both; either may be materialized alone.
    outs={
        table.name: table_out(table, group="analysis", code_version=READER)
        for table in (BRAND_MENTIONS, UNTRACKED_NAMES)
    },
    deps=[dictionaries, review_decisions],
    partitions_def=grid,
    can_subset=True,
)
def names_in_answers(
    context: dg.AssetExecutionContext, answers: PartitionReader, project: ProjectResource, lake: LakeResource
) -> Iterator[dg.MaterializeResult[Any]]:
    """Which tracked brands every usable answer names and how; which other names stand in its lists."""
    from geo_assets.lake.store import Partition, stage
    from geo_assets.projection.dictionaries import DictionaryBook
    from geo_assets.projection.mentions import AnswerReader, mention_blocks
    from geo_assets.projection.reviews import ReviewBook
    from geo_assets.projection.rewriting import record_changes
    from geo_assets.projection.untracked import UntrackedNames

    partition = Partition(*grid_key(context))
    wanted = {key.path[-1] for key in context.selected_asset_keys}
    book = DictionaryBook(project.load(), lake.lake().root)
    named: dict[str, int] = {}
    review = 0
    others = UntrackedNames()
    blocks = mention_blocks(answers.rows(), AnswerReader(book, ReviewBook(project.settings)), others)

    def counted() -> Any:
        nonlocal review
        for tenant, block in blocks:
            review += sum(block.columns["review"])
            for brand, role, mentioned in zip(
                *(block.columns[c] for c in ("brand", "brand_role", "mentioned")), strict=True
            ):
                if mentioned and role == "own":
                    name = f"{block.shared['monitor']}/{brand}"
                    named[name] = named.get(name, 0) + 1
            yield tenant, block

    mentions = stage(BRAND_MENTIONS, partition, counted(), tenants=answers.tenants)
    if BRAND_MENTIONS.name in wanted:
        changes = record_changes(project.settings, lake.lake(), mentions, answers)
        yield result(
            mentions,
            {
                **{f"answers naming/{brand}": n for brand, n in sorted(named.items())},
                "in review": review,
                **{f"changed by re-reading/{kind.value}": n for kind, n in sorted(changes.items())},
                "dictionaries": dg.MetadataValue.json(book.used),
                **_stale(context, book.stale),
            },
        )
    else:
        mentions.close()
    if UNTRACKED_NAMES.name in wanted:
        top: dict[str, int] = {}

        def noted() -> Any:
            for tenant, row in others.rows():
                top[f"{row['monitor']}: {row['name']}"] = row["answers"]
                yield tenant, row

        staged = stage(UNTRACKED_NAMES, partition, noted(), tenants=answers.tenants)
        yield result(
            staged,
            {
                "named in most answers": counts_table(_largest(top, 20), "monitor: name"),
                **{f"rarer names left out/{monitor}": n for monitor, n in others.dropped.items()},
                **{f"not counted, too many names/{monitor}": n for monitor, n in others.uncounted.items()},
                **_stale(context, book.stale),
            },
        )


@dg.asset(
    **table_spec(CITATIONS, group="analysis", deps=[dictionaries]),
    partitions_def=grid,
    code_version=READER,
)
def citations(
    context: dg.AssetExecutionContext,
    answers: PartitionReader,
    brand_mentions: PartitionReader,
    project: ProjectResource,
    lake: LakeResource,
) -> dg.MaterializeResult[Any]:
    """Every source of every usable answer: normalised, with its owner, its kind, and the brands it stands beside."""
    from geo_assets.lake.store import Partition, stage
    from geo_assets.projection.dictionaries import DictionaryBook
    from geo_assets.projection.mentions import CITATION_NEEDS, citation_rows
    from geo_assets.projection.speaking import speaking_rows

    key = grid_key(context)
    book = DictionaryBook(project.load(), lake.lake().root)
    owners: dict[str, int] = {}
    domains: dict[str, int] = {}
    rows = citation_rows(answers.rows(), speaking_rows(brand_mentions, CITATION_NEEDS), book)

    def counted() -> Any:
        for tenant, row in rows:
            owners[row["owner_class"]] = owners.get(row["owner_class"], 0) + 1
            if row["domain"]:
                domains[row["domain"]] = domains.get(row["domain"], 0) + 1
            yield tenant, row

    staged = stage(CITATIONS, Partition(*key), counted(), tenants=answers.tenants)
    metadata = {f"owner/{name}": n for name, n in sorted(owners.items())}
    top = counts_table(_largest(domains, 10), "domain")
    return result(staged, {**metadata, "top domains": top, **_stale(context, book.stale)})


def _largest(counts: Mapping[str, int], most: int) -> dict[str, int]:
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:most])


def _stale(context: dg.AssetExecutionContext, monitors: set[str]) -> dict[str, Any]:
    """A warning about monitors that were read with their last good dictionary."""
    if not monitors:
        return {}
    text = f"read with their last good dictionary, their files are broken: {', '.join(sorted(monitors))}"
    context.log.warning(text)
    return {"warning": text}
