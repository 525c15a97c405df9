"""Two readings of a partition compared in step, answer by answer."""

from collections.abc import Iterator
from typing import Any

from geo_assets.analysis.diff import Change
from geo_assets.projection.rereading import changes_between

Pair = tuple[str, dict[str, Any]]


def mention(tenant: str, sample: str, brand: str, *, at: int | None) -> Pair:
    return tenant, {
        "monitor": "m", "sample_id": sample, "brand": brand, "mentioned": at is not None, "count": int(at is not None),
        "own_count": int(at is not None), "tracked_rank": None, "list_rank": None, "stance": None, "review": False,
        "occurrences": [] if at is None else [{"start": at, "end": at + 2, "alias": "小米"}],
    }  # fmt: skip


def answer(tenant: str, sample: str, text: str) -> Pair:
    return tenant, {"monitor": "m", "sample_id": sample, "text": text}


def test_changes_come_in_table_order_with_the_text_of_their_own_answer() -> None:
    old = [mention("a", "s1", "mi", at=None), mention("a", "s2", "mi", at=0), mention("b", "s0", "mi", at=2)]
    new = [mention("a", "s1", "mi", at=2), mention("a", "s2", "mi", at=0), mention("b", "s0", "mi", at=None)]
    texts = [answer("a", "s1", "推荐小米手机"), answer("a", "s2", "小米"), answer("b", "s0", "不买小米")]
    found = list(changes_between(iter(old), iter(new), iter(texts)))
    assert [(c.sample_id, c.change, c.context) for c in found] == [
        ("s1", Change.GAINED, "推荐小米手机"),
        ("s0", Change.LOST, "不买小米"),
    ]


def test_answers_that_stand_in_one_reading_only_are_reported_and_no_text_is_needed() -> None:
    old = [mention("a", "s1", "mi", at=0), mention("a", "s3", "mi", at=None)]
    new = [mention("a", "s2", "mi", at=None), mention("a", "s3", "mi", at=None)]
    found = list(changes_between(iter(old), iter(new), iter(())))
    assert [(c.sample_id, c.change) for c in found] == [("s1", Change.LOST), ("s2", Change.ADDED)]


def test_nothing_is_held_longer_than_its_answer() -> None:
    alive = 0

    class Row(dict[str, Any]):
        def __init__(self, *args: Any) -> None:
            nonlocal alive
            super().__init__(*args)
            alive += 1

        def __del__(self) -> None:
            nonlocal alive
            alive -= 1

    def rows(at: int | None) -> Iterator[Pair]:
        for n in range(500):
            yield "a", Row(mention("a", f"s{n:04d}", "mi", at=at)[1])

    peak = 0
    for _ in changes_between(rows(0), rows(None), iter(())):
        peak = max(peak, alive)
    assert peak <= 8
