"""What another reading would change: stored mentions against a reading made now, or against another lake."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from geo_assets.analysis.diff import MentionChange, diff_readings
from geo_assets.lake.store import Lake, Partition
from geo_assets.projection.dictionaries import DictionaryBook
from geo_assets.projection.mentions import AnswerReader, mention_rows
from geo_assets.projection.reviews import ReviewBook
from geo_assets.settings import Settings

if TYPE_CHECKING:
    from geo_assets.configuration.loader import LoadedProject


def compare(
    settings: Settings, project: "LoadedProject", date: str, platform: str, against: str | None = None
) -> Iterator[MentionChange]:
    """Differences of one partition, by sample and brand. Writes nothing. A missing partition has none."""
    lake, partition = Lake(settings.lake_root), Partition(date, platform)
    stored = [row for _, row in lake.read_or_empty("brand_mentions", partition).rows()]
    answers = list(lake.read_or_empty("answers", partition).rows())
    texts: dict[str, str | None] = {row["sample_id"]: row["text"] for _, row in answers}
    if against is not None:
        old, new = stored, _rows(Lake(against), partition)
    else:
        reader = AnswerReader(DictionaryBook(project, settings.lake_root, keep=False), ReviewBook(settings))
        old, new = stored, [row for _, row in mention_rows(answers, reader)]
    yield from diff_readings(old, new, texts.get)


def _rows(lake: Lake, partition: Partition) -> list[dict[str, Any]]:
    return [row for _, row in lake.read_or_empty("brand_mentions", partition).rows()]
