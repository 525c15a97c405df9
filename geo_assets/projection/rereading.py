"""What another reading would change: stored mentions against a reading made now, or against another lake."""

from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

from geo_assets.analysis.diff import MentionChange, diff_readings
from geo_assets.lake.store import Lake, Partition
from geo_assets.projection.dictionaries import DictionaryBook
from geo_assets.projection.mentions import AnswerReader, Pair, mention_rows
from geo_assets.projection.merging import Key, Lookahead, row_key
from geo_assets.projection.reviews import ReviewBook
from geo_assets.settings import Settings

if TYPE_CHECKING:
    from geo_assets.configuration.loader import LoadedProject


def compare(
    settings: Settings, project: "LoadedProject", date: str, platform: str, against: str | None = None
) -> Iterator[MentionChange]:
    """Differences of one partition, in the order of its tables. Writes nothing. A missing partition has none."""
    lake, partition = Lake(settings.lake_root), Partition(date, platform)
    answers = lake.read_or_empty("answers", partition)
    if against is not None:
        new = Lake(against).read_or_empty("brand_mentions", partition).rows()
    else:
        reader = AnswerReader(DictionaryBook(project, settings.lake_root, keep=False), ReviewBook(settings))
        new = mention_rows(answers.rows(), reader)
    old = lake.read_or_empty("brand_mentions", partition).rows()
    yield from changes_between(old, new, answers.rows(["monitor", "sample_id", "text"]))


def changes_between(
    old_rows: Iterator[Pair], new_rows: Iterator[Pair], answers: Iterator[Pair]
) -> Iterator[MentionChange]:
    """Differences of two readings in table order, one answer at a time; `answers` give the text around a place."""
    old, new, texts = Lookahead(old_rows, row_key), Lookahead(new_rows, row_key), Lookahead(answers, row_key)
    while keys := [key for key in (old.key(), new.key()) if key is not None]:
        key = min(keys)

        def text_of(_: str, key: Key = key) -> str | None:
            answer = texts.one(key)
            return answer[1]["text"] if answer else None

        before, after = ([row for _, row in stream.take(key)] for stream in (old, new))
        yield from diff_readings(before, after, cache(text_of))
