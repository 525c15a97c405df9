"""Whom a clause is about, where most of the names in an answer are tracked by nobody."""

import pytest

from geo_assets.analysis.structure import Structure
from geo_assets.analysis.topics import Topics, heads


def topics(text, brand):
    structure = Structure(text)
    places = []
    at = text.find(brand)
    while at >= 0:
        places.append((at, at + len(brand)))
        at = text.find(brand, at + 1)
    return Topics(structure, places, lambda: heads(structure))


@pytest.mark.parametrize(
    ("clause", "away"),
    [
        ("Zelvik charges more", True),
        ("The Zelvik Two charges more", True),
        ("As for Zelvik", True),
        ("It charges more", False),
        ("Delivery takes two days", False),
        ("Zelvik Pro 4 的滤芯更贵", True),
        ("USB 接口只有一个", False),
        ("滤芯更贵", False),
    ],
)
def test_a_clause_turns_away_where_it_opens_with_another_name(clause, away):
    assert topics("Ormaton is quiet.", "Ormaton").turns_away(clause) is away


def test_names_in_a_row_with_the_brand_and_heads_of_items_are_others():
    text = "奥莫顿、泽尔维克、塔里姆三款都能用。\n\n1. 奥莫顿：安静\n2. 库罗比：便宜"
    found = topics(text, "奥莫顿")
    assert found.turns_away("泽尔维克功能全")
    assert found.turns_away("库罗比这回先划掉")
    assert not found.turns_away("噪音控制得好")


def test_a_model_stands_for_its_brand_where_the_brand_is_left_out():
    text = "Ormaton Vestra X is quiet. The Vestra X folds flat."
    assert topics(text, "Ormaton").further_places() == [(text.rindex("Vestra X"), text.rindex("Vestra X") + 8)]
    assert topics("Ormaton is quiet.", "Ormaton").further_places() == []


def test_a_verdict_on_another_name_in_the_clause_is_not_the_brands():
    found = topics("Ormaton is quiet.", "Ormaton")
    assert found.names_other("you'd be well served by the Zelvik")
    assert not found.names_other("you'd be well served by it")
