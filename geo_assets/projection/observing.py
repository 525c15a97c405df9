"""Observations of a partition, monitor by monitor: the rows of its tables joined, read straight from the lake."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any

from geo_assets.metrics.observations import Observation, observations
from geo_assets.projection.merging import Key, Lookahead

if TYPE_CHECKING:
    from geo_assets.lake.store import Lake, Partition, PartitionReader

Pair = tuple[str, dict[str, Any]]

# Texts are not needed for counting, and they are nearly all of the bytes.
ANSWER_COLUMNS = [
    "sample_id",
    "monitor",
    "outcome",
    "late",
    "search_state",
    "citations_observable",
    "citation_mode",
    "parser",
]
MENTION_COLUMNS = [
    "sample_id",
    "monitor",
    "brand",
    "mentioned",
    "count",
    "tracked_rank",
    "list_rank",
    "stance",
    "review",
    "sentence_chars",
    "readable_chars",
    "is_ranked_list",
    "question_scope",
    "search_scope",
    "parser",
    "reader",
    "dictionary_hash",
]
CITATION_COLUMNS = [
    "sample_id",
    "monitor",
    "order",
    "page_key",
    "url",
    "citation_basis",
    "owner",
    "in_text_only",
    "cited_chars",
]


@dataclass(frozen=True, slots=True)
class MonitorDay:
    """One monitor's observations of one date and platform."""

    tenant: str
    monitor: str
    samples: list[Observation]


def _monitor_key(item: Pair) -> Key:
    return item[0], item[1]["monitor"]


def partition_observations(
    plan: "PartitionReader", answers: "PartitionReader", mentions: "PartitionReader", citations: "PartitionReader"
) -> Iterator[MonitorDay]:
    """Observations per (tenant, monitor), in order. Raises ValueError where tables do not fit together."""
    streams = [
        Lookahead(answers.rows(ANSWER_COLUMNS), _monitor_key),
        Lookahead(mentions.rows(MENTION_COLUMNS), _monitor_key),
        Lookahead(citations.rows(CITATION_COLUMNS), _monitor_key),
    ]
    for (tenant, monitor), group in groupby(plan.rows(), key=_monitor_key):
        rows = [[row for _, row in stream.take((tenant, monitor))] for stream in streams]
        yield MonitorDay(tenant, monitor, observations((r for _, r in group), *rows))


def lake_observations(lake: "Lake", partition: "Partition") -> Iterator[MonitorDay]:
    """The same from the lake; a partition that was never written has none."""
    tables = ("sampling_plan", "answers", "brand_mentions", "citations")
    readers = [lake.read_or_empty(name, partition) for name in tables]
    if all(reader.tenants for reader in readers):
        yield from partition_observations(*readers)
