"""The index of patterns: what it may rule out, and that it never rules out a match."""

import json
import re
from pathlib import Path

import pytest

from geo_assets.analysis.clauses import BRAND, clauses
from geo_assets.analysis.wording import Need, PatternIndex, Side, needs, tables

DATA = Path(__file__).parent / "data"


def own_sentences() -> list[str]:
    """Lines of the own sentences with the brand's sign for its name."""
    found = []
    for path in sorted(DATA.glob("mentions*.jsonl")):
        for row in map(json.loads, path.read_text(encoding="utf-8").splitlines()):
            names = sorted([row["brand"], *row.get("aliases", ())], key=len, reverse=True)
            text = re.sub("|".join(map(re.escape, names)), BRAND, row["text"])
            found += [line for line in text.split("\n") if line.strip()]
    return found


SENTENCES = own_sentences()


@pytest.fixture(scope="module", params=["zh", "en"])
def index(request):
    return PatternIndex(pattern for patterns in tables(request.param).values() for pattern in patterns)


def test_a_pattern_that_matches_is_always_possible(index):
    matches = 0
    for sentence in SENTENCES:
        for text in (sentence, *clauses(sentence)):
            matching = {n for n in range(len(index.patterns)) if index.search(n, text)}
            assert matching <= set(index.possible(text)), text
            matches += len(matching)
    assert matches > 500


def test_what_is_possible_in_a_clause_is_possible_in_its_sentence(index):
    for sentence in SENTENCES:
        among = set(index.possible(sentence))
        for clause in clauses(sentence):
            assert set(index.possible(clause)) <= among, (sentence, clause)


def test_most_patterns_are_ruled_out(index):
    left = sum(len(index.possible(sentence)) for sentence in SENTENCES)
    assert left < 0.12 * len(index.patterns) * len(SENTENCES)


def test_needs_stand_before_or_after_the_brand():
    assert needs("avoid .{0,9}Ⓑ.{0,9}(?:please|today)") == [
        [Need(Side.BEFORE, frozenset({"avoid "})), Need(Side.AFTER, frozenset({"please", "today"}))]
    ]


def test_alternatives_have_needs_of_their_own():
    assert needs("skip it|Ⓑ rocks") == [
        [Need(Side.ANYWHERE, frozenset({"skip it"}))],
        [Need(Side.AFTER, frozenset({" rocks"}))],
    ]


def test_spellings_of_one_run_of_characters_are_spelled_out():
    assert needs("don['’]t buy") == [[Need(Side.ANYWHERE, frozenset({"don't buy", "don’t buy"}))]]


def test_optional_words_and_single_letters_are_no_needs():
    assert needs("(?:really )?[aeiou]x?") == [[]]


def test_a_side_counts_only_where_the_brand_stands():
    index = PatternIndex(["avoid Ⓑ", "Ⓑ.*wins", "never mind"])
    assert list(index.possible("better avoid Ⓑ")) == [0]
    assert list(index.possible("Ⓑ is what to avoid")) == []
    assert list(index.possible("nobody wins, avoid it, never mind")) == [2]
    assert list(index.possible("AVOID Ⓑ, Ⓑ wins")) == [0, 1]
