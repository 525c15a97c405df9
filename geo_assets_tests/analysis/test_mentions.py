"""The whole reading of an answer: counts, ranks, parents, absence, doubt, sentences, candidates."""

from hypothesis import given, settings
from hypothesis import strategies as st

from geo_assets.analysis.matcher import compile_matcher
from geo_assets.analysis.mentions import read_mentions
from geo_assets.model.dictionary import BrandEntry, Dictionary, Role
from geo_assets.model.readings import Stance


def brand(name, *aliases, role=Role.COMPETITOR, parent=None, context=(), exclude=()):
    return BrandEntry(name, name, role, aliases=aliases, parent=parent, context=context, exclude=exclude)


def read(text, *brands, question=None, known=()):
    matcher = compile_matcher(Dictionary("test", brands, known=known))
    reading = read_mentions(matcher, text, question)
    return reading, {r.brand: r for r in reading.brands}


def test_every_brand_of_the_dictionary_has_a_reading_in_its_order():
    reading, by_brand = read("Only Fennel is named.", brand("Acorn"), brand("Fennel"), brand("Tarn"))
    assert [r.brand for r in reading.brands] == ["Acorn", "Fennel", "Tarn"]
    absent = by_brand["Acorn"]
    assert (absent.mentioned, absent.count, absent.stance, absent.tracked_rank, absent.list_rank) == (
        False,
        0,
        None,
        None,
        None,
    )


def test_tracked_rank_is_the_order_of_first_mention_and_untracked_names_do_not_shift_it():
    _, r = read("Zephyr and Tarn, then Acorn, then Tarn.", brand("Acorn"), brand("Tarn"))
    assert (r["Tarn"].tracked_rank, r["Acorn"].tracked_rank) == (1, 2)


def test_brands_named_by_the_same_words_share_a_place():
    shared = (BrandEntry("a", "Twinlo", Role.OWN), BrandEntry("b", "Twinlo", Role.COMPETITOR))
    _, r = read("Twinlo first, Acorn second.", *shared, brand("Acorn"))
    assert (r["a"].tracked_rank, r["b"].tracked_rank, r["Acorn"].tracked_rank) == (1, 1, 3)


def test_prose_without_a_list_has_no_list_rank():
    reading, r = read("Fennel is fine.", brand("Fennel"))
    assert r["Fennel"].list_rank is None
    assert not reading.is_ranked_list


def test_a_product_counts_for_itself_and_for_its_parent():
    dictionary = (brand("Fennel"), brand("Seedling", parent="Fennel"))
    _, r = read("1. Fennel\n2. Seedling", *dictionary)
    assert (r["Fennel"].count, r["Fennel"].own_count) == (2, 1)
    assert (r["Seedling"].count, r["Seedling"].list_rank, r["Seedling"].tracked_rank) == (1, 2, None)


def test_the_alias_that_matched_is_recorded():
    _, r = read("用过青禾笔记", brand("Fennel", "青禾笔记"))
    assert [o.alias for o in r["Fennel"].occurrences] == ["青禾笔记"]


def test_saying_that_nothing_was_found_is_absence_and_no_mention():
    _, r = read("关于云雀，没有找到可靠的资料。蓝湖的资料很多。", brand("云雀"), brand("蓝湖"))
    assert (r["云雀"].mentioned, r["云雀"].stance, r["云雀"].count) == (False, Stance.ABSENT, 0)
    assert r["蓝湖"].mentioned


def test_an_address_in_prose_is_the_brand_only_where_the_name_is_the_address():
    assert not read("Order at fennel.com today.", brand("Fennel"))[1]["Fennel"].mentioned
    assert read("Fennel.com has a sale.", brand("Fennel.com"))[1]["Fennel.com"].mentioned
    assert not read("[fennel.com](https://fennel.com/x)", brand("Fennel.com"))[1]["Fennel.com"].mentioned


def test_short_explicit_aliases_are_kept():
    _, r = read("FX printers are loud; fx is short for effects.", brand("Fexal Inc", "FX"))
    assert r["Fexal Inc"].count == 1


def test_a_reserved_verdict_is_a_mention_that_is_advised_against():
    _, r = read("Fennel is not recommended.", brand("Fennel"))
    assert (r["Fennel"].mentioned, r["Fennel"].stance) == (True, Stance.ADVISED_AGAINST)


def test_sentences_name_the_spans_of_every_mentioned_brand():
    text = "First. Fennel is here! And here: Fennel. Last."
    reading, _ = read(text, brand("Fennel"), brand("Acorn"))
    assert [text[a:b].strip() for a, b in reading.sentences["Fennel"]] == ["Fennel is here!", "And here: Fennel."]
    assert "Acorn" not in reading.sentences


def test_untracked_names_that_head_items_are_candidates_and_phrases_are_not():
    text = "1. **Fennel**: fine\n2. **Quorvia Identity**: newer\n3. **Multi-Layer Enforcement**: a feature"
    reading, _ = read(text, brand("Fennel"))
    assert [c.name for c in reading.candidates] == ["Quorvia Identity"]
    assert [text[c.start : c.end] for c in reading.candidates] == ["Quorvia Identity"]


def test_a_name_that_opens_the_sentence_of_an_item_is_a_candidate():
    text = "- Tallow Lane costs less, and that shows.\n- Birchline is fine\n- For Windows users\n- The Market is large"
    reading, _ = read(text, brand("Fennel"))
    assert [text[c.start : c.end] for c in reading.candidates] == ["Tallow Lane", "Birchline"]


def test_the_words_of_the_market_decide_a_name_that_is_a_word():
    fruit = brand("荔枝", context=("播客", "电台"))
    assert read("荔枝的播客分成高，主播入驻也快。", fruit)[1]["荔枝"].mentioned
    assert not read("荔枝剥皮后泡盐水，吃起来不上火。", fruit)[1]["荔枝"].mentioned


def test_the_same_input_gives_the_same_reading():
    text = "推荐云雀，不推荐蓝湖。"
    assert read(text, brand("云雀"), brand("蓝湖"))[1] == read(text, brand("云雀"), brand("蓝湖"))[1]


WORDS = st.sampled_from(
    ["Fennel", "Acorn", "荔枝", "云雀", "推荐", "不建议", "和", "，", "。", " is ", " avoid ", "手机", "\n1. ", "\n- "]
)


@given(st.lists(WORDS, max_size=16).map("".join))
@settings(max_examples=80, deadline=None)
def test_an_unrelated_brand_changes_no_mention_of_another(text):
    brands = (brand("Fennel"), brand("荔枝", context=("播客",)), brand("云雀"))
    _, before = read(text, *brands)
    _, after = read(text, brand("Acorn"), *reversed(brands))
    for name in ("Fennel", "荔枝", "云雀"):
        assert before[name].occurrences == after[name].occurrences
        assert before[name].mentioned == after[name].mentioned
