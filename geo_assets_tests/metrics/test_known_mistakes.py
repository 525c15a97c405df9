"""What other tools are known to get wrong about places: rare names that win, unranked ones that count as a number."""

import pytest

from geo_assets_tests.metrics.cases import Day
from geo_assets_tests.metrics.test_visibility import numbers, pick


def test_a_name_that_is_first_in_few_answers_stays_below_one_that_is_named_in_many():
    day = Day()
    for n in range(300):
        # heytea: first whenever it is named, which is twice; nayuki: second or third in a hundred.
        named = ["heytea"] if n < 2 else ["chagee", "grape", "nayuki"] if n < 102 else ["chagee"]
        day.answer(f"q{n}", named)
    rows = numbers(day)
    scores = {brand: pick(rows, "reciprocal_rank", brand)["value"] for brand in ("heytea", "nayuki")}
    assert scores["heytea"] == pytest.approx(2 / 300)
    assert scores["nayuki"] == pytest.approx(100 / 3 / 300)


@pytest.mark.parametrize("place", range(1, 15))
def test_the_score_of_a_place_falls_with_the_place_also_beyond_ten(place):
    day = Day()
    day.answer("q1", {"heytea": {"tracked_rank": place}, "nayuki": {"tracked_rank": place + 1}})
    rows = numbers(day)
    assert pick(rows, "reciprocal_rank")["value"] == pytest.approx(1 / place)
    assert pick(rows, "reciprocal_rank", "nayuki")["value"] == pytest.approx(1 / (place + 1))


def test_answers_without_a_name_never_enter_its_mean_place():
    day = Day()
    for n in range(25):
        day.answer(f"q{n}", ["nayuki", "heytea"] if n < 5 else ["nayuki"])
    rows = numbers(day)
    assert pick(rows, "mean_rank")["value"] == 2
    assert pick(rows, "mean_rank", "chagee")["value"] is None
