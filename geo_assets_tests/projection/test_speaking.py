"""Rows that say something, told from the others by their columns."""

from pathlib import Path
from typing import Any

import pytest

from geo_assets.lake.contracts import TABLES
from geo_assets.lake.store import Lake, Partition, stage
from geo_assets.projection.speaking import speaking_rows
from geo_assets_tests.lake.test_store import row

TABLE = TABLES["brand_mentions"]
COLUMNS = ["monitor", "sample_id", "brand", "mentioned", "review", "stance", "context"]
DAY = Partition("2026-11-29", "qwen")


def mention(sample: str, brand: str, **values: Any) -> tuple[str, dict[str, Any]]:
    return "acme", row(
        TABLE,
        monitor="m",
        sample_id=sample,
        brand=brand,
        **{"mentioned": False, "review": False, "stance": None} | values,
    )


def stored(folder: Path, rows: list[tuple[str, dict[str, Any]]]) -> Lake:
    lake = Lake(str(folder))
    staged = stage(TABLE, DAY, rows)
    lake.publish(staged)
    staged.close()
    return lake


def test_rows_that_say_something_are_kept_and_the_first_of_each_answer_names_all_brands(tmp_path: Path) -> None:
    rows = [
        mention("s1", "a"), mention("s1", "b", mentioned=True, stance="listed"), mention("s1", "c"),
        mention("s2", "a"), mention("s2", "b"), mention("s2", "c"),
        mention("s3", "a", stance="absent"), mention("s3", "b", review=True), mention("s3", "d"),
    ]  # fmt: skip
    found = [r for _, r in speaking_rows(stored(tmp_path, rows).read("brand_mentions", DAY), COLUMNS)]
    assert [(r["sample_id"], r["brand"]) for r in found] == [
        ("s1", "a"), ("s1", "b"), ("s2", "a"), ("s3", "a"), ("s3", "b")
    ]  # fmt: skip
    read = {r["sample_id"]: r["brands_read"] for r in found if "brands_read" in r}
    assert read == {"s1": frozenset("abc"), "s2": frozenset("abc"), "s3": frozenset("abd")}
    assert read["s1"] is read["s2"]


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5, 7])
def test_an_answer_whose_rows_are_spread_over_batches_is_still_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    monkeypatch.setattr("geo_assets.lake.store.BATCH_ROWS", size)
    brands = "abcdefgh"
    rows = [mention(f"s{n}", b, mentioned=b in "eh") for n in range(3) for b in brands]
    found = [r for _, r in speaking_rows(stored(tmp_path, rows).read("brand_mentions", DAY), COLUMNS)]
    assert [(r["sample_id"], r["brand"], r.get("brands_read")) for r in found] == [
        (f"s{n}", b, frozenset(brands) if b == "a" else None) for n in range(3) for b in "aeh"
    ]


def test_columns_that_are_needed_are_named(tmp_path: Path) -> None:
    lake = stored(tmp_path, [mention("s1", "a")])
    with pytest.raises(ValueError, match="columns monitor, stance are needed"):
        list(speaking_rows(lake.read("brand_mentions", DAY), ["sample_id", "brand", "mentioned", "review"]))
