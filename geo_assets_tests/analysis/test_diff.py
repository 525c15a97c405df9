"""What a second reading changed."""

import pytest

from geo_assets.analysis.diff import Change, diff_readings

TEXT = "如果预算有限，" * 20 + "可以看看诺维克的入门款。" + "其他的也可以。" * 20


def row(sample, brand, *, mentioned=True, count=1, rank=1, stance="listed", at=140, **more):
    places = [{"start": at, "end": at + 3, "alias": brand}] if mentioned else []
    return {
        "sample_id": sample,
        "brand": brand,
        "mentioned": mentioned,
        "count": count if mentioned else 0,
        "own_count": count if mentioned else 0,
        "tracked_rank": rank if mentioned else None,
        "list_rank": None,
        "stance": stance if mentioned else None,
        "review": False,
        "occurrences": places,
        **more,
    }


def diff(old, new, text=TEXT):
    return list(diff_readings(old, new, lambda _: text))


def test_equal_readings_have_no_difference_and_texts_are_not_asked_for():
    def never(_):
        raise AssertionError

    rows = [row("s1", "a"), row("s1", "b", mentioned=False)]
    assert list(diff_readings(rows, list(reversed(rows)), never)) == []


def test_gained_and_lost_mentions_come_with_the_text_around_them():
    at = TEXT.index("诺维克")
    gained, lost = diff(
        [row("s1", "norvik", mentioned=False), row("s2", "norvik", at=at)],
        [row("s1", "norvik", at=at), row("s2", "norvik", mentioned=False)],
    )
    assert (gained.sample_id, gained.change, lost.sample_id, lost.change) == ("s1", Change.GAINED, "s2", Change.LOST)
    assert gained.fields["mentioned"] == (False, True)
    assert lost.fields["count"] == (1, 0)
    assert "可以看看诺维克的入门款" in gained.context
    assert gained.context == lost.context
    assert gained.context.startswith("…")
    assert gained.context.endswith("…")
    assert len(gained.context) < 170


def test_other_fields_are_reported_as_changed_with_both_values():
    (change,) = diff([row("s1", "a", stance="listed", rank=2)], [row("s1", "a", stance="recommended", rank=1)])
    assert change.change is Change.CHANGED
    assert change.fields == {"tracked_rank": (2, 1), "stance": ("listed", "recommended")}


def test_rows_of_one_reading_only_are_told_apart_by_whether_they_name_the_brand():
    changes = diff([row("s1", "a"), row("s1", "b", mentioned=False)], [row("s1", "c"), row("s1", "d", mentioned=False)])
    assert [(c.brand, c.change) for c in changes] == [
        ("a", Change.LOST),
        ("b", Change.REMOVED),
        ("c", Change.GAINED),
        ("d", Change.ADDED),
    ]


def test_the_stored_snippet_stands_in_where_the_text_is_gone():
    (change,) = diff([row("s1", "a", mentioned=False)], [row("s1", "a", context="… a …")], text=None)
    assert change.context == "… a …"


def test_two_rows_for_one_brand_in_one_reading_are_refused():
    with pytest.raises(ValueError, match="the new reading has two rows for sample s1 and brand a"):
        diff([], [row("s1", "a"), row("s1", "a")])
