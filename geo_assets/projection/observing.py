"""Sums of a partition, monitor by monitor: the rows of its tables joined and tallied, read straight from the lake."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby, islice
from typing import TYPE_CHECKING, Any

from geo_assets.metrics.observations import observations
from geo_assets.metrics.tally import Tally, tally
from geo_assets.metrics.visibility import refuse_mixture
from geo_assets.projection.dictionaries import DictionaryBook
from geo_assets.projection.mentions import AnswerReader
from geo_assets.projection.merging import Lookahead, row_key
from geo_assets.projection.speaking import speaking_rows

if TYPE_CHECKING:
    from geo_assets.lake.store import Lake, Partition, PartitionReader

CHUNK = 1_000

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
class MonitorTally:
    """One monitor's sums of one date and platform."""

    tenant: str
    monitor: str
    counts: Tally


def partition_tallies(
    plan: "PartitionReader",
    answers: "PartitionReader",
    mentions: "PartitionReader",
    citations: "PartitionReader",
    dictionaries: DictionaryBook,
    *,
    simulated: bool,
) -> Iterator[MonitorTally]:
    """Sums per (tenant, monitor), in order, a thousand samples at a time.

    Raises ValueError where tables do not fit together, profiles mix, or a reading does not cover the dictionary.
    """
    reader = AnswerReader(dictionaries)
    streams = [
        Lookahead(answers.rows(ANSWER_COLUMNS), row_key),
        Lookahead(speaking_rows(mentions, MENTION_COLUMNS), row_key),
        Lookahead(citations.rows(CITATION_COLUMNS), row_key),
    ]
    for (tenant, monitor), group in groupby(plan.rows(), key=lambda item: (item[0], item[1]["monitor"])):
        counts = Tally()
        for chunk in _chunks((row for _, row in group), CHUNK):
            last = (tenant, monitor, chunk[-1]["sample_id"])
            rows = [[row for _, row in stream.up_to(last)] for stream in streams]
            samples = observations(chunk, *rows, scope_of=lambda text, name=monitor: reader.scope(name, text))  # type: ignore[misc]
            refuse_mixture(monitor, samples, simulated=simulated)
            # Days that were read before a brand came or went are counted with the dictionary of their reading;
            # their versions differ, so windows over both are null until the older days are read again.
            digest = rows[1][0]["dictionary_hash"] if rows[1] else None
            counts.add(tally(samples, dictionaries.of(monitor, digest)))
        yield MonitorTally(tenant, monitor, counts)


def lake_tallies(
    lake: "Lake",
    partition: "Partition",
    dictionaries: DictionaryBook,
    *,
    simulated: bool,
    monitors: "frozenset[str] | None" = None,
) -> Iterator[MonitorTally]:
    """The same from the lake, for some monitors or all; a partition that was never written has none."""
    tables = ("sampling_plan", "answers", "brand_mentions", "citations")
    readers = [lake.read_or_empty(name, partition) for name in tables]
    if all(reader.tenants for reader in readers):
        plan, answers, mentions, citations = readers if monitors is None else [r.only(monitors) for r in readers]
        yield from partition_tallies(plan, answers, mentions, citations, dictionaries, simulated=simulated)


def _chunks(rows: Iterator[dict[str, Any]], size: int) -> Iterator[list[dict[str, Any]]]:
    while chunk := list(islice(rows, size)):
        yield chunk
