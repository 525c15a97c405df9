"""Readings in doubt: exported, decided by a person, imported, applied."""

import csv
import io
from dataclasses import replace

import pytest

from geo_assets.analysis.review import (
    COLUMNS,
    apply_decisions,
    export_csv,
    export_jsonl,
    import_csv,
    import_jsonl,
    review_items,
)
from geo_assets.model.dictionary import BrandEntry, Dictionary, Role
from geo_assets.model.readings import BrandReading, Occurrence, Reading, Stance, ValidityReading
from geo_assets.model.review import ReviewDecision, ReviewField
from geo_assets.model.states import Validity

TEXT = "=苹果很甜。Norvik 次之，Taldo 垫底。"


def brand(name, rank, start, *, review=False, mentioned=True):
    places = (Occurrence(start, start + 2, name),) if mentioned else ()
    return BrandReading(
        brand=name,
        mentioned=mentioned,
        count=len(places),
        occurrences=places,
        stance=Stance.LISTED if mentioned else None,
        stance_confidence=0.8 if mentioned else None,
        tracked_rank=rank,
        list_rank=None,
        confidence=0.55 if review else 0.95,
        review=review,
        review_reason="a word as well" if review else None,
        own_count=len(places),
    )


READING = Reading(
    reader="rules/1",
    dictionary_hash="d" * 64,
    validity=ValidityReading(Validity.TRUNCATED, "seems cut", 0.6, review=True),
    brands=(
        brand("apple", 1, 1, review=True),
        brand("norvik", 2, 6),
        brand("taldo", 2, 6),
        brand("zelta", None, 0, mentioned=False),
    ),
    sources=(),
)


ENTRIES = tuple(BrandEntry(b.brand, b.brand.title(), Role.COMPETITOR) for b in READING.brands)
DICTIONARY = Dictionary("m", ENTRIES)


def answer(text=TEXT, **changes):
    row = {
        "sample_id": "s1", "evidence_digest": "e1", "question_text": "哪个好？", "text": text, "reader": "rules/1",
        "validity": "truncated", "validity_review": True, "validity_confidence": 0.6, "validity_reason": "seems cut",
    }  # fmt: skip
    return row | changes


def mention(reading):
    return {
        "sample_id": "s1", "evidence_digest": "e1", "brand": reading.brand, "mentioned": reading.mentioned,
        "confidence": reading.confidence, "review": reading.review, "review_reason": reading.review_reason,
        "occurrences": [{"start": o.start, "end": o.end} for o in reading.occurrences],
        "dictionary_hash": "d" * 64, "reader": "rules/1",
    }  # fmt: skip


def items():
    return list(review_items(answer(), map(mention, READING.brands), DICTIONARY))


def decide(field, decision, brand_id="", when="2026-01-02T00:00:00+00:00", why="read it"):
    return ReviewDecision("s1", "e1", brand_id, ReviewField(field), decision, "Li", when, why, "d" * 64)


def test_only_what_is_in_doubt_is_exported_with_its_guess_and_context():
    assert [(i.brand, i.field, i.guess) for i in items()] == [
        ("", ReviewField.VALIDITY, "truncated"),
        ("apple", ReviewField.MENTIONED, "yes"),
    ]
    assert items()[1].context == TEXT
    assert items()[1].reason == "a word as well"
    assert (items()[0].dictionary_hash, items()[1].dictionary_hash) == ("-", "d" * 64)


def test_a_doubt_about_a_whole_answer_shows_how_it_begins_and_how_it_ends():
    text = "开头。" + "中间。" * 300 + "结尾"
    [item] = review_items(answer(text), [], DICTIONARY)
    assert item.context.startswith("开头。")
    assert item.context.endswith("结尾")
    assert len(item.context) < 400


def test_a_name_that_was_not_taken_for_the_brand_is_shown_where_it_stands():
    text = "先说别的。" * 60 + "那边有一棵 Taldo 树。" + "再说别的。" * 60
    row = mention(brand("taldo", None, 0, review=True, mentioned=False))
    [item] = review_items(answer(text, validity_review=False), [row], DICTIONARY)
    assert item.guess == "no"
    assert "Taldo 树" in item.context


@pytest.mark.parametrize("suffix", ["csv", "jsonl"])
def test_a_filled_in_export_comes_back_as_decisions(suffix):
    export, read_back = (export_csv, import_csv) if suffix == "csv" else (export_jsonl, import_jsonl)
    text = "".join(export(items()))
    assert list(read_back(io.StringIO(text), source="review")) == []
    if suffix == "csv":
        rows = list(csv.DictReader(io.StringIO(text)))
        assert rows[1]["context"].startswith("'=")
        rows[1] |= {"decision": "No", "why": "the fruit"}
        out = io.StringIO()
        writer = csv.DictWriter(out, COLUMNS)
        writer.writeheader()
        writer.writerows(rows)
        text = out.getvalue()
    else:
        text = text.replace('"decision": "", "who": "", "when": "", "why": ""}\n', "DONE", 2)
        first, second, _ = text.split("DONE")
        text = first + '"decision": ""}\n' + second + '"decision": "no", "why": "the fruit"}\n'
    ((where, decision),) = read_back(io.StringIO(text), source="review", who="Li", when="2026-01-02T08:00:00+08:00")
    assert where == f"review, line {3 if suffix == 'csv' else 2}"
    assert decision == ReviewDecision(
        "s1",
        "e1",
        "apple",
        ReviewField.MENTIONED,
        "no",
        "Li",
        "2026-01-02T08:00:00+08:00",
        "the fruit",
        "d" * 64,
        "rules/1",
    )
    assert decision.moment.isoformat() == "2026-01-02T00:00:00+00:00"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"decision": "perhaps"}, "review.csv, line 2, decision: 'perhaps' is none of yes, no"),
        ({"decision": "yes", "why": ""}, "review.csv, line 2, why: is empty"),
        ({"decision": "yes", "who": ""}, "review.csv, line 2, who: is empty"),
        ({"decision": "yes", "field": "colour"}, "review.csv, line 2, field: 'colour' is none of validity"),
        ({"decision": "yes", "when": "yesterday"}, "review.csv, line 2, when: 'yesterday' is no time"),
        (
            {"decision": "yes", "when": "2026-01-02T00:00:00"},
            "review.csv, line 2, when: '2026-01-02T00:00:00' has no zone",
        ),
        ({"decision": "yes", "brand": ""}, "review.csv, line 2, brand: must be empty for validity and given"),
        ({"decision": "0", "field": "list_rank"}, "review.csv, line 2, decision: '0' is no place"),
    ],
)
def test_a_bad_decision_is_named_by_file_line_and_field(change, message):
    row = items()[1].row() | {"who": "Li", "when": "2026-01-02T00:00:00Z", "why": "x"} | change
    out = io.StringIO()
    writer = csv.DictWriter(out, COLUMNS)
    writer.writeheader()
    writer.writerow(row)
    with pytest.raises(ValueError) as caught:
        list(import_csv(io.StringIO(out.getvalue()), source="review.csv"))
    assert str(caught.value).startswith(message)


def test_a_file_without_the_columns_is_refused():
    with pytest.raises(ValueError, match=r"review\.csv, line 1: no column 'sample_id'"):
        list(import_csv(io.StringIO("a,b\n1,2\n"), source="review.csv"))


def test_a_mention_that_a_person_denies_is_gone_and_the_others_move_up():
    read = apply_decisions(READING, [decide("mentioned", "no", "apple")])
    apple, norvik, taldo, zelta = read.brands
    assert (apple.mentioned, apple.count, apple.occurrences, apple.stance, apple.tracked_rank) == (
        False,
        0,
        (),
        None,
        None,
    )
    assert (apple.review, apple.confidence, apple.review_reason) == (False, 1.0, "decided by Li: read it")
    assert (norvik.tracked_rank, taldo.tracked_rank, zelta.tracked_rank) == (1, 1, None)
    assert read.validity == READING.validity


def test_a_confirmed_mention_keeps_its_reading_and_is_no_longer_in_doubt():
    apple = apply_decisions(READING, [decide("mentioned", "yes", "apple")]).brands[0]
    assert apple == replace(READING.brands[0], confidence=1.0, review=False, review_reason="decided by Li: read it")


def test_a_mention_that_only_a_person_saw_counts_once_and_has_no_place():
    zelta = apply_decisions(READING, [decide("mentioned", "yes", "zelta")]).brands[3]
    assert (zelta.mentioned, zelta.count, zelta.stance, zelta.tracked_rank) == (True, 1, Stance.NEUTRAL, None)


def test_validity_stance_and_place_can_be_decided():
    read = apply_decisions(
        READING,
        [decide("validity", "ok"), decide("stance", "advised_against", "taldo"), decide("list_rank", "3", "taldo")],
    )
    assert read.validity == ValidityReading(Validity.OK, "decided by Li: read it", 1.0)
    assert (read.brands[2].stance, read.brands[2].list_rank) == (Stance.ADVISED_AGAINST, 3)


def test_the_latest_decision_holds_whatever_the_order():
    early = decide("mentioned", "no", "apple", when="2026-01-02T09:00:00+08:00")
    late = decide("mentioned", "yes", "apple", when="2026-01-02T02:00:00+00:00")
    assert apply_decisions(READING, [late, early]) == apply_decisions(READING, [early, late])
    assert apply_decisions(READING, [late, early]).brands[0].mentioned


def test_without_decisions_and_for_unknown_brands_nothing_changes():
    assert apply_decisions(READING, []) == READING
    assert apply_decisions(READING, [decide("mentioned", "no", "gone")]) == READING
