"""The labelled reference sets beside the checkout: the scorer's figures against the aims. Skipped where absent."""

import importlib.util
import json
from pathlib import Path

import pytest

from geo_assets.analysis.bulk import read_row

SHARED = Path(__file__).resolve().parents[3] / "shared"
pytestmark = pytest.mark.skipif(
    not (SHARED / "corpus").is_dir(), reason="the reference sets are not beside this checkout"
)


@pytest.fixture(scope="module")
def scores():
    spec = importlib.util.spec_from_file_location("score_reading", SHARED / "tools" / "score_reading.py")
    scorer = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(scorer)
    found = {}
    for name in ("mentions_gold", "challenge_mentions"):
        lines = (SHARED / "corpus" / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
        rows = [json.loads(line) for line in lines if line.strip()]
        given = [{"id": r["id"], "text": r["text"], "brand": r["brand"]} for r in rows]
        found[name] = scorer.score_mentions(rows, {row["id"]: read_row("mentions", row) for row in given})
    return found


@pytest.mark.parametrize(("name", "aim"), [("mentions_gold", 0.97), ("challenge_mentions", 0.95)])
def test_mentions_meet_the_aim(scores, name, aim):
    assert scores[name]["forced"]["precision"] >= aim
    assert scores[name]["forced"]["recall"] >= aim


def test_reviewed_rows_are_few_and_cost_little(scores):
    strict = scores["mentions_gold"]["strict"]
    assert strict["precision"] >= 0.95
    assert strict["recall"] >= 0.95
    assert scores["mentions_gold"]["review_share"] <= 0.05


@pytest.mark.parametrize("name", ["mentions_gold", "challenge_mentions"])
def test_counts_ranks_and_stances_meet_the_aim(scores, name):
    score = scores[name]
    assert score["count_exact_on_mentioned"]["value"] >= 0.95
    assert score["list_rank_exact"]["value"] >= 0.95
    assert score["list_rank_false"]["value"] <= 0.02
    assert score["stance_macro_f1"] >= 0.85


def test_warnings_are_found(scores):
    assert scores["challenge_mentions"]["negative"]["f1"] >= 0.85
