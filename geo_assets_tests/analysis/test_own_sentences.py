"""Sentences written for these tests, one kind of language each, with the reading that they must get.

Seven sets: the first was written before any rule was tuned, the others to see how the rules do on wordings that they
had not met. A few are beyond the rules and are listed, so that a change that reaches them is noticed.
"""

import json
from pathlib import Path

import pytest

from geo_assets.analysis.bulk import read_row
from geo_assets_tests.analysis.labels import label

DATA = Path(__file__).parent / "data"
ROWS = [
    json.loads(line)
    for name in (
        "mentions",
        "mentions_more",
        "mentions_third",
        "mentions_fourth",
        "mentions_fifth",
        "mentions_sixth",
        "mentions_seventh",
    )
    for line in (DATA / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
]
BEYOND = {
    "own-174": "'look for X' is advice elsewhere, a practical hint here",
    "more-019": "a product whose name is a verb, without a word of its market",
    "more-037": "agreement with a criticism that somebody else makes",
    "fourth-009": "'do not save at this end' advises against the cheaper thing without saying so",
    "third-076": "a sign of the zodiac that is also a product",
    "seventh-016": "a card that stays in the pocket: what was said of it is a sentence away",
    "seventh-021": "a condition that says no",
    "seventh-034": "a link that is passed on is a recommendation",
    "more-093": "a noun right after a name that is a word",
}


def reading(row):
    brand = {"name": row["brand"], **{key: row[key] for key in ("aliases", "category", "exclude") if key in row}}
    return read_row("mentions", {"id": row["id"], "text": row["text"], "brand": brand})


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['kind']}-{row['id']}")
def test_sentence(row):
    got = reading(row)
    wanted = {"mentioned": row["count"] > 0, "count": row["count"], "list_rank": row["list_rank"]}
    right = {key: got[key] for key in wanted} == wanted
    if row["count"] and row["stance"] in {"yes", "neutral", "negative"}:
        right = right and label(got["stance"]) == row["stance"]
    if row["id"] in BEYOND:
        assert not right, f"{row['id']} is reached now: take it from the list"
    else:
        assert right, got


def test_few_readings_of_these_sentences_are_in_doubt():
    assert sum(reading(row)["review"] for row in ROWS) <= 0.05 * len(ROWS)
