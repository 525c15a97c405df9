"""Cases in doubt of a date, from the lake: validity readings and brand readings that ask for review."""

from collections.abc import Iterator

from geo_assets.analysis.review import ReviewItem, context_at
from geo_assets.lake.store import Lake, Partition
from geo_assets.model.review import ReviewField
from geo_assets.projection.reviews import ReviewBook
from geo_assets.settings import Settings


def doubtful(settings: Settings, book: ReviewBook, date: str, monitor: str | None = None) -> Iterator[ReviewItem]:
    """Undecided cases by platform, sample and brand."""
    from geo_assets.configuration.loader import load_platforms

    lake = Lake(settings.lake_root)
    for platform in load_platforms(settings.data_dir):
        partition = Partition(date, platform.id)
        texts: dict[str, tuple[str, str]] = {}
        for _, row in lake.read_or_empty("answers", partition).rows():
            if monitor is not None and row["monitor"] != monitor:
                continue
            evidence, text = row["evidence_digest"] or "", row["text"] or ""
            texts[row["sample_id"]] = (row["question_text"], text)
            if row["validity_review"] and not book.decided(evidence, "", ReviewField.VALIDITY):
                yield ReviewItem(
                    sample_id=row["sample_id"],
                    evidence=evidence,
                    brand="",
                    field=ReviewField.VALIDITY,
                    guess=row["validity"],
                    confidence=row["validity_confidence"],
                    reason=row["validity_reason"],
                    question=row["question_text"],
                    context=context_at(text, 0, 0),
                    dictionary_hash="-",
                    reader=row["reader"],
                )
        for _, row in lake.read_or_empty("brand_mentions", partition).rows():
            if row["sample_id"] not in texts or not row["review"]:
                continue
            evidence = row["evidence_digest"] or ""
            if book.decided(evidence, row["brand"], ReviewField.MENTIONED):
                continue
            question, text = texts[row["sample_id"]]
            first = row["occurrences"][0] if row["occurrences"] else {"start": 0, "end": 0}
            yield ReviewItem(
                sample_id=row["sample_id"],
                evidence=evidence,
                brand=row["brand"],
                field=ReviewField.MENTIONED,
                guess="yes" if row["mentioned"] else "no",
                confidence=row["confidence"],
                reason=row["review_reason"] or "",
                question=question,
                context=context_at(text, first["start"], first["end"]),
                dictionary_hash=row["dictionary_hash"],
                reader=row["reader"],
            )
