"""One answer read as a whole: state first, then text, brands and sources together."""

from geo_assets.analysis.reader import READER, read_answer
from geo_assets.model.answers import (
    Citation,
    CitationBasis,
    CitationMode,
    FinishReason,
    NormalAnswer,
    SearchState,
    Usage,
)
from geo_assets.model.dictionary import BrandEntry, Dictionary, OwnedSource, Role
from geo_assets.model.readings import OwnerClass
from geo_assets.model.states import Outcome, Validity

DICTIONARY = Dictionary(
    monitor="m",
    brands=(
        BrandEntry(
            id="norvik", name="Norvik", role=Role.OWN, aliases=("诺维克",), owned=(OwnedSource("norvik.example"),)
        ),
        BrandEntry(id="taldo", name="Taldo", role=Role.COMPETITOR),
    ),
)


def answer(text, citations=None, finish=FinishReason.STOP, refusal=None):
    return NormalAnswer(
        text=text,
        citations=citations,
        citation_mode=CitationMode.MARKER,
        searches=(),
        search_state=SearchState.USED,
        model_asked="m",
        model_served="m",
        finish_reason=finish,
        usage=Usage(),
        refusal=refusal,
    )


def read(given, question="哪款空气炸锅好用？", outcome=Outcome.COUNTED):
    return read_answer(given, question=question, outcome=outcome, dictionary=DICTIONARY)


def cite(url, order):
    return Citation(url=url, basis=CitationBasis.CITED, order=order, marker=str(order))


def test_an_answer_is_read_into_validity_brands_and_sources():
    text = "推荐诺维克的空气炸锅，受热均匀。[1] Taldo 也不错。[2]"
    reading = read(answer(text, (cite("https://norvik.example/a", 1), cite("https://www.zhihu.com/question/1", 2))))
    assert reading.reader == READER
    assert reading.dictionary_hash == DICTIONARY.hash
    assert reading.validity.validity is Validity.OK
    assert [(b.brand, b.mentioned, b.count) for b in reading.brands] == [("norvik", True, 1), ("taldo", True, 1)]
    assert [(s.owner_class, s.owner, s.supports) for s in reading.sources] == [
        (OwnerClass.OWN, "norvik", ("norvik",)),
        (OwnerClass.OTHER, None, ("taldo",)),
    ]


def test_an_own_page_cited_without_the_name_is_a_source_and_no_mention():
    reading = read(answer("推荐一款受热均匀的空气炸锅。[1]", (cite("https://norvik.example/a", 1),)))
    assert not any(b.mentioned for b in reading.brands)
    assert (reading.sources[0].owner, reading.sources[0].supports) == ("norvik", ())


def test_the_platforms_state_comes_before_the_text():
    text = "推荐诺维克的空气炸锅，受热均匀。"
    assert read(answer(text, finish=FinishReason.LENGTH)).validity.validity is Validity.TRUNCATED
    assert read(answer(text, refusal="no")).validity.validity is Validity.REFUSED
    assert read(answer(text), outcome=Outcome.LOGIN_PAGE).validity.validity is Validity.LOGIN_PAGE


def test_a_tracked_brand_in_it_overrules_a_verdict_on_the_subject_and_asks_for_review():
    question = "best hiking boots"
    text = "{} is an organelle that produces most of the chemical energy a cell needs, stored as ATP."
    assert read(answer(text.format("The mitochondrion")), question).validity.validity is Validity.OFF_TOPIC
    doubted = read(answer(text.format("Norvik, like the mitochondrion,")), question).validity
    assert (doubted.validity, doubted.review) == (Validity.OK, True)


def test_an_empty_answer_names_nobody_and_still_has_a_row_per_brand():
    reading = read(answer(" \n", ()))
    assert reading.validity.validity is Validity.EMPTY
    assert [b.mentioned for b in reading.brands] == [False, False]
    assert reading.sources == ()


def test_reading_twice_gives_the_same():
    given = answer("推荐诺维克，见 https://norvik.example/x。")
    assert read(given) == read(given)
