"""Cases in doubt of a partition, from the lake: validity readings and brand readings that ask for review."""

from collections.abc import Iterator
from typing import Any

from geo_assets.analysis.review import ReviewItem, review_items
from geo_assets.lake.store import Lake, Partition, PartitionReader
from geo_assets.projection.dictionaries import DictionaryBook
from geo_assets.projection.merging import Lookahead, row_key
from geo_assets.projection.reviews import ReviewBook

_ANSWER = [
    *("monitor", "sample_id", "question_text", "text", "evidence_digest", "reader"),
    *("validity", "validity_review", "validity_confidence", "validity_reason"),
]
_MENTION = [
    *("monitor", "sample_id", "brand", "mentioned", "confidence", "review", "review_reason", "occurrences"),
    *("evidence_digest", "dictionary_hash", "reader"),
]


def doubtful(
    lake: Lake, dictionaries: DictionaryBook, book: ReviewBook, partition: Partition, monitor: str | None = None
) -> Iterator[tuple[str, ReviewItem]]:
    """(tenant, case) for every undecided case, by monitor, sample and brand; one answer is held at a time."""

    def table(name: str) -> PartitionReader:
        reader = lake.read_or_empty(name, partition)
        return reader if monitor is None else reader.only([monitor])

    mentions = Lookahead(_in_doubt(table("brand_mentions")), row_key)
    for tenant, answer in table("answers").rows(_ANSWER):
        rows = [row for _, row in mentions.take(row_key((tenant, answer)))]
        if not rows and not answer["validity_review"]:
            continue
        read_with = rows[0]["dictionary_hash"] if rows else None
        for item in review_items(answer, rows, dictionaries.of(answer["monitor"], read_with)):
            if not book.decided(item.evidence, item.brand, item.field):
                yield tenant, item


def _in_doubt(mentions: PartitionReader) -> Iterator[tuple[str, dict[str, Any]]]:
    """Rows that ask for review, told from the many others before they become rows."""
    for tenant, batch in mentions.batches(_MENTION):
        yield from ((tenant, row) for row in batch.filter(batch.column("review")).to_pylist())
