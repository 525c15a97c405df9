"""Passages of real answers with labels by two writers who had not seen the rules. Skipped where the answers are absent.

The labels stand here; the texts are looked up in the answers beside the checkout, by their offsets. Each batch was
scored once before anything was changed (docs/accuracy.md), then used to widen the rules by kind.
"""

import json
from pathlib import Path

import pytest

from geo_assets.analysis.bulk import read_row
from geo_assets_tests.analysis.labels import label

ANSWERS = Path(__file__).resolve().parents[3] / "shared" / "corpus" / "answers.jsonl"
LABELS = Path(__file__).parent / "data" / "real_passages.jsonl"
pytestmark = pytest.mark.skipif(not ANSWERS.is_file(), reason="the real answers are not beside this checkout")


@pytest.fixture(scope="module")
def readings():
    lines = ANSWERS.read_text(encoding="utf-8").splitlines()
    texts = {row["id"]: row["answer_text"] for row in map(json.loads, lines)}
    rows = [json.loads(line) for line in LABELS.read_text(encoding="utf-8").splitlines()]
    found = []
    for row in rows:
        text = texts[row["answer"]][row["start"] : row["end"]]
        found.append((row, read_row("mentions", {"id": "a", "text": text, "brand": row["brand"]})))
    return found


def test_names_are_found_where_they_are_meant(readings):
    claimed = [row["count"] > 0 for row, got in readings if got["mentioned"]]
    there = [got["mentioned"] for row, got in readings if row["count"]]
    assert sum(claimed) / len(claimed) >= 0.93  # the rest are mostly words by which somebody calls a brand
    assert sum(there) / len(there) >= 0.99


def test_counts_and_places_are_exact(readings):
    named = [(row, got) for row, got in readings if row["count"]]
    assert sum(row["count"] == got["count"] for row, got in named) / len(named) >= 0.98
    listed = [(row, got) for row, got in named if row["list_rank"] is not None]
    assert sum(row["list_rank"] == got["list_rank"] for row, got in listed) / len(listed) >= 0.95


def test_stances_are_read(readings):
    pairs = [(row["stance"], label(got["stance"])) for row, got in readings if row["stance"] != "no"]
    assert sum(wanted == got for wanted, got in pairs) / len(pairs) >= 0.93
