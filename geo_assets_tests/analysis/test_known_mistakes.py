"""What readers of answers are known to get wrong, one case of each kind with the right value.

Every name here is made up; kinds come from public reports about other tools. Many have a fuller test elsewhere in this
room; here they stand side by side, so that none is lost.
"""

import pytest

from geo_assets.analysis.matcher import compile_matcher
from geo_assets.analysis.mentions import read_mentions
from geo_assets.analysis.sources import read_sources
from geo_assets.analysis.urls import normalise_url, page_key, registrable_domain
from geo_assets.model.answers import Citation, CitationBasis
from geo_assets.model.dictionary import BrandEntry, Dictionary, OwnedSource, Role
from geo_assets.model.readings import OwnerClass, Stance


def brand(name, *aliases, exclude=(), owned=()):
    return BrandEntry(name, name, Role.COMPETITOR, aliases=aliases, exclude=exclude, owned=owned)


def read(text, *brands):
    reading = read_mentions(compile_matcher(Dictionary("m", brands)), text)
    return {r.brand: r for r in reading.brands}


def sources(text, *citations, owned=("zelta.io",), named=None):
    entry = BrandEntry("zelta", "Zelta", Role.OWN, owned=tuple(OwnedSource(host) for host in owned))
    given = tuple(
        Citation(url=url, basis=CitationBasis.CITED, order=n, title=title)
        for n, (url, title) in enumerate(citations, 1)
    )
    return read_sources(given, text, Dictionary("m", (entry,)), brand_sentences=named or {})


@pytest.mark.parametrize(
    ("entry", "text", "count"),
    [
        (brand("Parcelbase", "Crate"), "packed in a crateful; Soapcrate as well", 0),
        (brand("OZ"), "a dozen frozen pizzas", 0),
        (brand("OZ"), "OZ is great", 1),
        (brand("Ark"), "the stock market", 0),
        (brand("VQ Paintworks LLC"), "VQ Paintworks is fine", 1),
        (brand("VQ Paintworks LLC"), "they say vqpaintworks is fine", 1),
        (brand("Tom Inc"), "tomorrow", 0),
        (brand("Ours.com"), "what ours needs", 0),
        (brand("friday.com"), "On Friday we shipped it", 0),
        (brand("QP Inc", "QP"), "QP printers are loud", 1),
        (brand("Brûlène"), "Brulene is good", 1),
        (brand("がもん"), "かもん", 0),
        (brand("أبناء"), "ابناء", 0),
        (brand("zelta"), "a course in zeltaology", 0),
        (brand("Zelta"), "Zelto is another firm", 0),
        (brand("Zelta"), "[zelta.io](https://zelta.io/x)", 0),
        (brand("Zelta"), "see https://zelta.io/zelta-review", 0),
        (brand("Zelta"), "**Zelta**'s plan", 1),
        (brand("Zelta"), "Zelta's, _Zelta_, ZELTA and Ｚｅｌｔａ, Zelta.", 5),
        (brand("Zelta"), "two Zeltas", 1),  # the English plural is the name; other endings need an alias
        (brand("Zelta"), "two Zeltaen", 0),
        (brand("Zelta", "Zelta Cloud"), "Zelta Cloud is new", 1),
    ],
)
def test_names_are_counted_where_they_stand_as_names(entry, text, count):
    assert read(text, entry)[entry.id].count == count


@pytest.mark.parametrize(
    ("entry", "text", "count"),
    [
        (brand("Zelta"), "我推荐Zelta做笔记", 1),
        (brand("包点屋"), "背着包去上班", 0),
        (brand("包点屋", "包"), "品牌方面，包的口碑最好。", 1),
        (brand("康佑", "康佑电器"), "康佑和美诺的哪个好", 1),
        (brand("美诺"), "康佑和美诺的哪个好", 1),
        (brand("美的"), "全国最美的风景", 0),
        (brand("华晟", "华晟科技"), "華晟的手機", 1),
        (brand("华晟"), "华 晟", 1),
        (brand("云浪集团2026"), "2026年的计划", 0),
        (brand("云浪集团2026"), "云浪集团2026发布了", 1),
    ],
)
def test_chinese_needs_no_blanks_and_no_word_segmentation(entry, text, count):
    assert read(text, entry)[entry.id].count == count


def test_the_name_that_matched_is_recorded():
    [place] = read("用的是ZeltaParse", brand("ZeltaIndex", "ZeltaParse"))["ZeltaIndex"].occurrences
    assert place.alias == "ZeltaParse"


def test_what_only_a_source_says_is_no_mention_of_the_answer_and_the_source_is_still_owned():
    text = "There are several good options."
    assert not read(text, brand("Zelta"))["Zelta"].mentioned
    [row] = sources(text, ("https://zelta.io/a", "Zelta review"))
    assert (row.owner_class, row.owner, row.supports) == (OwnerClass.OWN, "zelta", ())


def test_advice_against_is_a_mention_and_no_recommendation():
    found = read("Zelta is not recommended.", brand("Zelta"))["Zelta"]
    assert (found.mentioned, found.stance) == (True, Stance.ADVISED_AGAINST)


def test_places_follow_first_mentions_of_tracked_names_and_are_null_without_one():
    found = read("Quorv, then Brix, then Arlo, then Brix.", brand("Arlo"), brand("Brix"), brand("Cyra"))
    assert [found[name].tracked_rank for name in ("Brix", "Arlo", "Cyra")] == [1, 2, None]
    assert [found[name].list_rank for name in ("Brix", "Arlo", "Cyra")] == [None, None, None]


def test_every_printed_place_is_itself_also_beyond_ten():
    names = [f"Zel{a}{b}" for a in "bcdf" for b in "iou"]
    text = "\n".join(f"{n}. {name}" for n, name in enumerate(names, 1))
    found = read(text, *(brand(name) for name in names))
    assert [found[name].list_rank for name in names] == list(range(1, 13))


def test_variants_of_an_address_are_one_page_and_the_address_stays_as_it_came():
    given = "http://www.zelta.io/Docs/?utm_source=chatgpt.com#:~:text=plan"
    assert page_key(given) == page_key("https://zelta.io/docs")
    assert normalise_url(given) == "http://www.zelta.io/Docs/"
    first, second = sources("", (given, None), ("https://zelta.io/docs", None))
    assert (first.url_raw, first.duplicate_of, second.duplicate_of) == (given, None, 1)


@pytest.mark.parametrize(
    ("url", "owner"),
    [
        ("https://elsewhere.example/?u=zelta.io", OwnerClass.OTHER),
        ("https://blog.zelta.io/", OwnerClass.OWN),
        ("https://notzelta.io/", OwnerClass.OTHER),
    ],
)
def test_a_page_is_owned_by_its_host_alone(url, owner):
    assert [row.owner_class for row in sources("", (url, None))] == [owner]


def test_neighbours_in_spelling_are_two_sources():
    assert (
        len([r for r in sources("", ("https://notzelta.io", None), ("https://zelta.io", None)) if not r.duplicate_of])
        == 2
    )


def test_an_unresolved_redirect_belongs_to_nobody():
    [row] = sources("", ("https://vertexaisearch.cloud.google.com/grounding-api-redirect/AbC", None))
    assert (row.domain, row.owner_class) == (None, OwnerClass.OTHER)
    assert registrable_domain("blog.zelta.co.uk") == "zelta.co.uk"


def test_a_link_in_the_text_joins_the_list_and_one_that_is_there_is_not_doubled():
    text = "See [a](https://zelta.io/a) and https://other.example/b."
    rows = sources(text, ("https://zelta.io/a", None))
    assert [(r.url_raw, r.in_text_only) for r in rows] == [
        ("https://zelta.io/a", False),
        ("https://other.example/b", True),
    ]


def test_no_number_of_sources_is_too_many():
    given = [(f"https://site-{n}.example/", None) for n in range(120)]
    assert [r.order for r in sources("", *given)] == list(range(1, 121))
