import dataclasses
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from geo_assets.lake.contracts import VISIBILITY_METRICS
from geo_assets.metrics.scopes import question_scope, search_scope
from geo_assets.metrics.visibility import CELLS, READING_STATES, partition_metrics, row_key
from geo_assets.model.dictionary import BrandEntry, Dictionary, Role
from geo_assets.model.states import Outcome
from geo_assets_tests.metrics.cases import TEA, Day, pick


def numbers(day: Day, **options):
    return partition_metrics("tea", day.dictionary, day.observed(scope_of=scope_of), simulated=day.simulated, **options)


def scope_of(text: str) -> str:
    return "names_own" if text == "own?" else "nonbrand"


def ratio(row):
    return row["numerator"], row["denominator"]


@pytest.fixture
def day():
    day = Day()
    day.answer("q1", ["heytea", "nayuki"], sources=[("heytea.com/a", "heytea"), ("news.com/1", None)])
    day.answer("q1", ["nayuki"], sources=[("heytea.com/a", "heytea"), ("nayuki.com", "nayuki")])
    day.answer("q2", ["chagee", "nayuki", "heytea"], sources=[])
    day.answer("q3", outcome="refused")
    day.answer("q3", ["chagee"], sources=[("news.com/1", None)])
    day.answer("q4", outcome="empty")
    day.answer("own", ["heytea"], scope="names_own")
    day.answer("q2", ["nayuki"], outcome="unsearched", search_state="not_used")
    return day


def test_headline_rates_have_the_denominators_that_their_definitions_say(day):
    rows = numbers(day)
    assert ratio(pick(rows, "mention_rate")) == (2, 4)
    assert ratio(pick(rows, "mention_rate", "nayuki")) == (3, 4)
    assert ratio(pick(rows, "reach_rate")) == (2, 5)
    assert ratio(pick(rows, "answered_rate", "")) == (4, 6)
    assert ratio(pick(rows, "sov_answers")) == (2, 7)
    assert ratio(pick(rows, "sov_either")) == (2, 4)
    assert ratio(pick(rows, "first_mention_rate")) == (1, 4)
    assert ratio(pick(rows, "first_given_named")) == (1, 2)
    assert pick(rows, "reciprocal_rank")["numerator"] == pytest.approx(1 + 1 / 3)
    assert pick(rows, "coverage_at_1")["value"] == pytest.approx((1 / 2 + 1 + 0) / 3)


def test_citations_and_mentions_print_their_own_denominators(day):
    rows = numbers(day)
    assert ratio(pick(rows, "citation_rate:cited")) == (2, 4)
    assert ratio(pick(rows, "citation_share:cited")) == (2, 5)
    assert ratio(pick(rows, "ghost_rate:cited")) == (1, 2)
    assert ratio(pick(rows, "ghost_incidence:cited")) == (1, 4)
    cells = [pick(rows, f"cell:{c}:cited")["value"] for c in CELLS]
    assert cells == [1, 1, 1, 1]


def test_branded_and_unsearched_answers_are_rows_of_their_own_and_not_in_the_headline(day):
    rows = numbers(day)
    branded = pick(rows, "mention_rate", question_scope="names_own", search_scope="searched")
    assert (ratio(branded), branded["headline"]) == ((1, 1), False)
    unsearched = pick(rows, "mention_rate", "nayuki", question_scope="nonbrand", search_scope="unsearched")
    assert (ratio(unsearched), unsearched["headline"]) == ((1, 1), False)


def test_exclusions_sum_to_the_plan_and_readings_to_the_counted_answers(day):
    rows = numbers(day)
    states = {o: pick(rows, f"exclusion:{o}", "")["value"] for o in Outcome}
    assert sum(states.values()) == len(day.plan) == 8
    assert (states["counted"], states["refused"], states["empty"], states["unsearched"]) == (5, 1, 1, 1)
    for brand in day.dictionary.brands:
        assert sum(pick(rows, f"reading:{s}", brand.id)["value"] for s in READING_STATES) == states["counted"]


def test_rows_fit_the_contract_and_every_null_has_a_reason(day):
    rows = numbers(day)
    types = {"string": str, "bool": bool, "int32": int, "float64": float}
    for row in rows:
        assert set(row) == set(VISIBILITY_METRICS.names)
        for column in VISIBILITY_METRICS.columns:
            value = row[column.name]
            assert (value is None and column.nullable) or type(value) is types[column.type], (column.name, row)
        assert (row["value"] is None) == (row["null_reason"] is not None)
        if row["low"] is not None:
            assert row["low"] <= row["value"] <= row["high"]
    assert rows == sorted(rows, key=row_key)
    assert len({row_key(r) for r in rows}) == len(rows)


def test_an_unknown_exclusion_state_is_refused(day):
    day.answers[0]["outcome"] = "lost"
    with pytest.raises(ValueError, match="unknown exclusion state 'lost'"):
        day.observed()


def test_a_sample_without_any_outcome_is_refused(day):
    day.answers.pop()
    with pytest.raises(ValueError, match="exclusion state is unknown"):
        day.observed()
    day.observed(response_rows=[{"sample_id": "s0007", "outcome": "not_captured"}])


def test_rows_of_unplanned_samples_and_doubled_rows_are_refused(day):
    day.answers.append(day.answers[0])
    with pytest.raises(ValueError, match="two rows for sample s0000"):
        day.observed()
    day.answers.pop()
    day.mentions.append(day.mentions[0] | {"sample_id": "s9"})
    with pytest.raises(ValueError, match="not in sampling_plan"):
        day.observed()


def test_simulated_and_live_rows_never_mix(day):
    with pytest.raises(ValueError, match="never mix"):
        partition_metrics("tea", TEA, day.observed(), simulated=False)


def test_an_answer_that_was_not_read_for_every_brand_is_refused(day):
    day.mentions = [m for m in day.mentions if m["brand"] != "chagee"]
    with pytest.raises(ValueError, match=r"another dictionary \(differs in \['chagee'\]\)"):
        numbers(day)


def test_nothing_planned_gives_null_headlines_with_the_reason_and_an_empty_ledger():
    rows = partition_metrics("tea", TEA, [], reason="missed", simulated=True)
    rate = pick(rows, "mention_rate")
    assert (rate["value"], rate["null_reason"], rate["search_scope"]) == (None, "missed", "searched")
    assert pick(partition_metrics("tea", TEA, [], search_asked=False), "mention_rate")["search_scope"] == "n/a"
    assert sum(r["value"] for r in rows if r["metric"].startswith("exclusion:")) == 0


@pytest.mark.parametrize(
    ("outcomes", "reason"), [(["not_captured"] * 3, "not_captured"), (["failed", "empty"], "no_counted_answer")]
)
def test_nothing_counted_says_why(outcomes, reason):
    day = Day()
    for outcome in outcomes:
        day.answer("q1", outcome=outcome)
    assert pick(numbers(day), "mention_rate")["null_reason"] == reason


def test_unknown_search_is_neither_searched_nor_unsearched():
    day = Day()
    day.answer("q1", ["heytea"], search_state="unknown")
    rows = numbers(day)
    assert pick(rows, "mention_rate")["null_reason"] == "search_unknown"
    assert ratio(pick(rows, "mention_rate", question_scope="nonbrand", search_scope="unknown")) == (1, 1)


def test_answers_in_review_keep_their_best_guess_and_open_the_bounds():
    day = Day()
    day.answer("q1", ["heytea"])
    day.answer("q2", {"heytea": {"review": True, "tracked_rank": 1}})
    day.answer("q3", {"heytea": {"review": True, "mentioned": False, "stance": None, "count": 0}})
    day.answer("q4")
    rows = numbers(day)
    rates = [pick(rows, m)["value"] for m in ("mention_rate_low", "mention_rate", "mention_rate_high")]
    assert rates == [0.25, 0.5, 0.75]
    assert pick(rows, "reading:review")["value"] == 2


def test_an_absent_statement_is_no_mention():
    day = Day()
    day.answer("q1", {"heytea": {"stance": "absent", "tracked_rank": None}, "nayuki": {"tracked_rank": 1}})
    rows = numbers(day)
    assert ratio(pick(rows, "mention_rate")) == (0, 1)
    assert pick(rows, "reading:absent_statement")["value"] == 1
    assert ratio(pick(rows, "sov_answers", "nayuki")) == (1, 1)


def test_a_brand_that_is_never_named_has_a_zero_with_an_interval_and_no_rank():
    day = Day()
    for n in range(20):
        day.answer(f"q{n}", ["nayuki"])
    rows = numbers(day)
    rate = pick(rows, "mention_rate")
    assert (rate["value"], rate["low"], rate["n_questions"]) == (0.0, 0.0, 20)
    assert 0.16 < rate["high"] < 0.19
    assert pick(rows, "mean_rank")["null_reason"] == "named_in_fewer_than_5_answers"
    assert pick(rows, "reciprocal_rank")["high"] > 0


def test_first_mentions_that_tie_share_one():
    day = Day()
    day.answer("q1", {"heytea": {"tracked_rank": 1}, "nayuki": {"tracked_rank": 1}})
    rows = numbers(day)
    assert (
        pick(rows, "first_mention_rate")["numerator"] == pick(rows, "first_mention_rate", "nayuki")["numerator"] == 0.5
    )


def test_mean_rank_needs_five_answers_and_comes_with_its_distribution():
    day = Day()
    for n in range(5):
        day.answer(f"q{n}", ["heytea", "nayuki"] if n else ["nayuki", "chagee", "heytea"])
    rows = numbers(day)
    assert pick(rows, "mean_rank")["value"] == pytest.approx(7 / 5)
    assert pick(rows, "mean_rank")["low"] >= 1
    assert [pick(rows, f"rank:{r}")["value"] for r in (1, 3)] == [4, 1]
    assert pick(rows, "n_tracked")["value"] == 3
    assert pick(rows, "mean_rank", "chagee")["null_reason"] == "named_in_fewer_than_5_answers"
    assert pick(rows, "top3_rate")["null_reason"] == "fewer_than_5_tracked"


def test_stances_are_shares_of_decided_ones_only():
    day = Day()
    for stance in ("recommended", "advised_against", "neutral", None):
        day.answer(f"q{stance}", {"heytea": {"stance": stance}})
    rows = numbers(day)
    assert ratio(pick(rows, "recommended_rate")) == (1, 3)
    assert ratio(pick(rows, "negative_rate")) == (1, 3)
    assert pick(rows, "recommended_rate", "nayuki")["null_reason"] == "no_decided_stance"


def test_lists_that_print_numbers_have_a_rate_of_their_own():
    day = Day()
    day.answer("q1", {"heytea": {"list_rank": 2}}, ranked=True)
    day.answer("q2", {"heytea": {"list_rank": 4}}, ranked=True)
    day.answer("q3", ["heytea"])
    rows = numbers(day)
    assert ratio(pick(rows, "list_rank_top3_rate")) == (1, 2)


def test_coverage_at_k_is_the_chance_of_a_mention_in_k_answers():
    day = Day()
    for named in (True, False, False, False):
        day.answer("q1", ["heytea"] if named else [])
    day.answer("q2")
    rows = numbers(day)
    assert pick(rows, "coverage_at_3")["value"] == pytest.approx(3 / 4)  # 1 - C(3,3)/C(4,3); q2 has too few answers
    assert pick(rows, "coverage_at_3")["n_questions"] == 1


def test_products_have_mentions_and_no_share_of_voice():
    day = Day()
    day.answer("q1", {"heytea": {"tracked_rank": 1}, "grape": {}})
    rows = numbers(day)
    assert ratio(pick(rows, "mention_rate", "grape")) == (1, 1)
    assert ratio(pick(rows, "sov_answers")) == (1, 1)
    assert not [r for r in rows if r["brand"] == "grape" and r["metric"].startswith(("sov", "citation"))]


def test_a_platform_that_only_says_what_it_retrieved_has_no_cited_numbers():
    day = Day()
    day.answer("q1", [], sources=[("heytea.com", "heytea")], basis="retrieved")
    rows = numbers(day)
    assert pick(rows, "citation_rate:cited")["null_reason"] == "retrieved_only"
    assert ratio(pick(rows, "citation_rate:retrieved")) == (1, 1)


def test_sources_that_cannot_be_seen_are_unknown_not_zero():
    day = Day()
    day.answer("q1", ["heytea"], observable=False)
    rows = numbers(day)
    for metric in ("citation_rate", "citation_share", "ghost_rate", "ghost_incidence"):
        assert pick(rows, f"{metric}:cited")["null_reason"] == "sources_not_observable"


def test_one_page_cited_twice_in_an_answer_counts_once():
    day = Day()
    day.answer("q1", [], sources=[("heytea.com", "heytea"), ("heytea.com", "heytea"), ("x.com", None)])
    assert ratio(pick(numbers(day), "citation_share:cited")) == (1, 2)


def test_text_shares_are_means_over_answers():
    day = Day()
    day.answer("q1", {"heytea": {"sentence_chars": 50.0}})
    day.answer("q2", {"heytea": {"sentence_chars": 10.0}})
    day.answer("q3")
    assert pick(numbers(day), "brand_text_share")["value"] == pytest.approx(0.3)


def test_source_word_share_reads_the_text_tied_to_owned_sources():
    day = Day()
    day.answer("q1", [], sources=[("heytea.com", "heytea"), ("x.com", None)])
    for citation, chars in zip(day.citations, (30.0, 20.0), strict=True):
        citation["cited_chars"] = chars
    rows = numbers(day)
    assert pick(rows, "source_word_share:span")["value"] == pytest.approx(0.3)
    assert pick(rows, "source_word_share:span", "nayuki")["value"] == 0


def test_segments_are_questions_of_one_intent_or_tag():
    day = Day()
    day.answer("q1", ["heytea"], intent="price", tags=("gift", "summer"))
    day.answer("q2", [], intent="taste", tags=("summer",))
    rows = numbers(day)
    assert ratio(pick(rows, "mention_rate", segment="intent:price")) == (1, 1)
    assert ratio(pick(rows, "mention_rate", segment="tag:summer")) == (1, 2)


def test_top3_needs_five_tracked_brands():
    five = Dictionary("m", tuple(BrandEntry(b, b, Role.OWN if b == "a" else Role.COMPETITOR) for b in "abcde"))
    day = Day(five)
    day.answer("q1", ["b", "c", "d", "a"])
    day.answer("q2", ["a"])
    rows = partition_metrics("m", five, day.observed(), simulated=True)
    assert ratio(pick(rows, "top3_rate", "a")) == (1, 2)


def test_without_a_competitor_there_is_no_share_of_voice():
    alone = Dictionary("m", (BrandEntry("a", "A", Role.OWN),))
    day = Day(alone)
    day.answer("q1", ["a"])
    rows = partition_metrics("m", alone, day.observed(), simulated=True)
    assert pick(rows, "sov_answers", "a")["null_reason"] == "no_competitor_tracked"


def test_question_scopes_come_from_the_roles_of_named_brands():
    assert question_scope("?", [], TEA) == "nonbrand"
    assert question_scope("?", ["grape"], TEA) == "names_own"
    assert question_scope("?", ["nayuki", "chagee"], TEA) == "names_competitor"
    assert question_scope("?", ["nayuki", "heytea"], TEA) == "names_both"
    with pytest.raises(ValueError, match="does not have"):
        question_scope("?", ["cotti"], TEA)


def test_search_scopes_follow_the_state_of_usable_answers_and_the_asking_of_others():
    assert search_scope(True, "used", "counted") == "searched"
    assert search_scope(True, "not_used", "unsearched") == "unsearched"
    assert search_scope(True, "unknown", "counted") == "unknown"
    assert search_scope(True, "not_used", "refused") == "searched"
    assert search_scope(False, "used", "counted") == "n/a"


NAMES = st.lists(st.sampled_from(["heytea", "nayuki", "chagee"]), unique=True)
SAMPLES = st.lists(
    st.tuples(
        st.sampled_from(["q1", "q2", "q3", "q4"]),
        NAMES,
        st.sampled_from([*["counted"] * 5, *(o.value for o in Outcome)]),
        st.lists(st.sampled_from([("heytea.com", "heytea"), ("nayuki.com", "nayuki"), ("x.com", None)])),
        st.booleans(),
    ),
    max_size=25,
)


def grow(samples) -> Day:
    day = Day()
    for question, named, outcome, sources, review in samples:
        told = {b: {"tracked_rank": i, "review": review} for i, b in enumerate(named, 1)}
        state = "not_used" if outcome == "unsearched" else "used"
        day.answer(question, told, outcome=outcome, search_state=state, sources=sources)
    return day


@given(SAMPLES)
@settings(max_examples=40, deadline=None)
def test_sums_equal_the_plan_and_values_lie_within_their_bounds(samples):
    day = grow(samples)
    rows = numbers(day)
    assert sum(r["value"] for r in rows if r["metric"].startswith("exclusion:")) == len(samples)
    for brand in ("heytea", "nayuki", "chagee"):
        low, value, high = (
            pick(rows, m, brand)["value"] for m in ("mention_rate_low", "mention_rate", "mention_rate_high")
        )
        if value is not None:
            assert low <= value <= high
    for row in rows:
        assert (row["value"] is None) == (row["null_reason"] is not None)
        if row["low"] is not None:
            assert row["low"] <= row["value"] <= row["high"]


@given(SAMPLES, st.randoms(use_true_random=False))
@settings(max_examples=25, deadline=None)
def test_the_order_of_rows_changes_nothing(samples, source):
    day, mixed = grow(samples), grow(samples)
    for table in (mixed.plan, mixed.answers, mixed.mentions, mixed.citations):
        source.shuffle(table)
    assert numbers(mixed) == numbers(day)
    shuffled = day.observed(scope_of=scope_of)
    random.Random(1).shuffle(shuffled)
    assert partition_metrics("tea", TEA, shuffled, simulated=True) == numbers(day)


@given(SAMPLES)
@settings(max_examples=40, deadline=None)
def test_an_answer_that_does_not_name_a_brand_never_raises_its_rate(samples):
    day = grow(samples)
    before = pick(numbers(day), "mention_rate")["value"]
    day.answer("q1", ["nayuki"])
    after = pick(numbers(day), "mention_rate")["value"]
    assert before is None or after <= before


def test_a_sample_given_twice_is_refused(day):
    seen = day.observed()
    with pytest.raises(ValueError, match="given twice"):
        partition_metrics("tea", TEA, [*seen, dataclasses.replace(seen[0])], simulated=True)
