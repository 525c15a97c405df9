"""Sources: owner, kind, duplicates, links in the text, and which brands' sentences they stand in."""

import pytest

from geo_assets.analysis.source_types import SOURCE_TYPES, source_type
from geo_assets.analysis.sources import read_sources, sentence_ranges, text_links
from geo_assets.analysis.urls import normalise_url
from geo_assets.model.answers import Citation, CitationBasis
from geo_assets.model.dictionary import BrandEntry, Dictionary, OwnedSource, Role
from geo_assets.model.readings import OwnerClass

DICTIONARY = Dictionary(
    monitor="m",
    brands=(
        BrandEntry(
            id="acme",
            name="Acme",
            role=Role.OWN,
            owned=(
                OwnedSource("acme.com"),
                OwnedSource("mp.weixin.qq.com", account="MzI5Acme=="),
                OwnedSource("youtube.com", account="@AcmeHQ"),
                OwnedSource("github.com", path="/acme-labs"),
            ),
        ),
        BrandEntry(id="acme-one", name="Acme One", role=Role.OWN, parent="acme", owned=(OwnedSource("acmeone.cn"),)),
        BrandEntry(
            id="bolt",
            name="Bolt",
            role=Role.COMPETITOR,
            owned=(OwnedSource("bolt.io", path="/eu"), OwnedSource("zhihu.com", account="bolt-official")),
        ),
    ),
)


def cite(url, order=1, **more):
    return Citation(url=url, basis=more.pop("basis", CitationBasis.CITED), order=order, **more)


def read(citations, text="", **brand_sentences):
    return read_sources(citations, text, DICTIONARY, brand_sentences=brand_sentences)


@pytest.mark.parametrize(
    ("url", "owner_class", "owner", "kind"),
    [
        ("https://blog.acme.com/x", OwnerClass.OWN, "acme", "official"),
        ("https://acmeone.cn/", OwnerClass.OWN, "acme", "official"),
        ("https://notacme.com/", OwnerClass.OTHER, None, "other"),
        ("https://evil.example/?u=acme.com", OwnerClass.OTHER, None, "other"),
        ("https://bolt.io/eu/help", OwnerClass.COMPETITOR, "bolt", "official"),
        ("https://bolt.io/europe", OwnerClass.OTHER, None, "other"),
        ("https://mp.weixin.qq.com/s?__biz=MzI5Acme==&mid=1&idx=1&sn=a", OwnerClass.OWN, "acme", "account"),
        ("https://mp.weixin.qq.com/s?__biz=MzOther==&mid=1&idx=1&sn=a", OwnerClass.OTHER, None, "account"),
        ("https://www.youtube.com/@acmehq/videos", OwnerClass.OWN, "acme", "account"),
        ("https://www.youtube.com/watch?v=1", OwnerClass.OTHER, None, "video"),
        ("https://github.com/acme-labs/tool", OwnerClass.OWN, "acme", "account"),
        ("https://github.com/other/acme-labs", OwnerClass.OTHER, None, "social"),
        ("https://www.zhihu.com/org/bolt-official", OwnerClass.COMPETITOR, "bolt", "account"),
    ],
)
def test_the_owner_is_known_by_host_path_or_account(url, owner_class, owner, kind):
    (row,) = read((cite(url),))
    assert (row.owner_class, row.owner, row.source_type) == (owner_class, owner, kind)


@pytest.mark.parametrize(
    ("url", "kind"),
    [
        ("https://www.zhihu.com/question/1/answer/2", "forum"),
        ("https://zhuanlan.zhihu.com/p/1", "account"),
        ("https://baike.baidu.com/item/x", "encyclopedia"),
        ("https://zh.wikipedia.org/wiki/x", "encyclopedia"),
        ("https://item.jd.com/1.html", "shop"),
        ("https://www.amazon.co.jp/dp/1", "shop"),
        ("https://www.bilibili.com/video/BV1", "video"),
        ("https://www.thepaper.cn/newsDetail_1", "news"),
        ("https://www.sohu.com/a/1_2", "account"),
        ("https://www.sohu.com/", "news"),
        ("https://www.theverge.com/1", "news"),
        ("https://www.samr.gov.cn/a", "government"),
        ("https://www.gov.uk/a", "government"),
        ("https://cs.stanford.edu/a", "academic"),
        ("https://www.tsinghua.edu.cn/a", "academic"),
        ("https://arxiv.org/abs/1", "academic"),
        ("https://weibo.com/1/a", "social"),
        ("https://x.com/a", "social"),
        ("https://unknown.example/files/report.PDF", "document"),
        ("https://wenku.baidu.com/view/1", "document"),
        ("https://bbs.unknown.example/t/1", "forum"),
        ("https://shop.unknown.example/t/1", "shop"),
        ("https://unknown.example/t/1", "other"),
        ("https://www.baidu.com/link?url=abc", "redirect"),
    ],
)
def test_the_kind_of_place_is_known_in_both_markets(url, kind):
    assert source_type(normalise_url(url)) == kind
    assert kind in SOURCE_TYPES


@pytest.mark.parametrize(
    "url",
    [
        "https://vertexaisearch.cloud.google.com/grounding-api-redirect/AUZ123",
        "https://www.google.com/url?q=https://acme.com/",
        "https://link.zhihu.com/?target=https%3A//acme.com/",
        "https://www.bing.com/ck/a?!&&p=1",
        "https://b23.tv/abc",
    ],
)
def test_a_redirect_stays_unresolved_and_belongs_to_nobody(url):
    (row,) = read((cite(url),))
    assert row.url_raw == url
    assert row.domain is None
    assert (row.owner_class, row.owner, row.source_type) == (OwnerClass.OTHER, None, "redirect")


def test_all_of_forty_five_citations_survive_also_malformed_ones():
    urls = [f"https://site{n}.example/a" for n in range(40)]
    urls += ["", "not a url", "javascript:alert(1)", "http://[broken", "https://10.0.0.1/x"]
    rows = read(tuple(cite(url, order=n) for n, url in enumerate(urls, start=1)))
    assert [row.url_raw for row in rows] == urls
    assert [row.order for row in rows] == list(range(1, 46))
    assert [row.url_normalised for row in rows[40:]] == [None, None, None, None, "https://10.0.0.1/x"]
    assert rows[44].domain is None


def test_variants_of_a_page_are_duplicates_of_the_first_and_all_are_kept():
    rows = read(
        (cite("https://a.example/x", 1), cite("http://www.a.example/X/?utm_source=y", 2), cite("https://b.example/", 3))
    )
    assert [row.duplicate_of for row in rows] == [None, 1, None]


def test_retrieved_and_cited_are_kept_apart():
    rows = read((cite("https://a.example/", 1, basis=CitationBasis.RETRIEVED), cite("https://b.example/", 2)))
    assert [row.basis for row in rows] == [CitationBasis.RETRIEVED, CitationBasis.CITED]


def test_no_list_is_not_an_empty_list():
    assert read(None, "Plain text.") is None
    assert read((), "Plain text.") == ()


def test_links_in_the_text_join_the_list_once():
    text = "见[官网](https://acme.com/a?utm_source=x)和https://b.example/p。另见 https://acme.com/a"
    rows = read((cite("https://acme.com/a"),), text)
    assert [(row.url_raw, row.in_text_only) for row in rows] == [
        ("https://acme.com/a", False),
        ("https://b.example/p", True),
    ]
    only = read(None, text)
    assert [(row.url_raw, row.title, row.order) for row in only] == [
        ("https://acme.com/a?utm_source=x", "官网", 1),
        ("https://b.example/p", None, 2),
    ]
    assert all(row.in_text_only for row in only)


@pytest.mark.parametrize(
    ("text", "urls"),
    [
        ("见https://b.com/x。以及", ["https://b.com/x"]),
        ("见https://b.com/x以及别的", ["https://b.com/x"]),
        ("见https://zh.wikipedia.org/wiki/小米。", ["https://zh.wikipedia.org/wiki/小米"]),
        ("（https://b.com/x_(y)）", ["https://b.com/x_(y)"]),
        ("(see https://b.com/x).", ["https://b.com/x"]),
        ("**https://b.com/x**, then www.c.org/y!", ["https://b.com/x", "www.c.org/y"]),
        ("<https://b.com/x>", ["https://b.com/x"]),
        ("![logo](https://b.com/l.png)", []),
        ("[a](https://b.com/w_(x) \"t\")", ["https://b.com/w_(x)"]),
        ("[1]: https://b.com/x", ["https://b.com/x"]),
        ("[x](javascript:alert(1)) mail@b.com b.com", []),
        ("“https://b.com/x”，《https://c.com》", ["https://b.com/x", "https://c.com"]),
    ],
)  # fmt: skip
def test_links_end_where_a_reader_would_end_them(text, urls):
    links = text_links(text)
    assert [url for url, _, _ in links] == urls
    assert all(url in text[a:b] for url, (a, b), _ in links)


def test_a_source_supports_the_brands_of_the_sentence_that_points_to_it():
    text = "Acme is solid.[1] Bolt is cheap [2, 3]. Nothing here. [4]\n推荐 Acme。【2】"
    at = [text.index("Acme"), text.index("Bolt"), text.rindex("Acme")]
    rows = read(
        tuple(cite(f"https://s{n}.example/", n, marker=str(n)) for n in range(1, 6)),
        text,
        acme=[(at[0], at[0] + 4), (at[2], at[2] + 4)],
        bolt=[(at[1], at[1] + 4)],
    )
    assert [row.supports for row in rows] == [("acme",), ("acme", "bolt"), ("bolt",), (), ()]


def test_a_span_supports_by_its_place():
    text = "Acme leads. Bolt follows."
    rows = read(
        (cite("https://a.example/", spans=((0, 11),)), cite("https://b.example/", 2, spans=((12, 24),))),
        text,
        acme=[(0, 4)],
        bolt=[(12, 16)],
    )
    assert [row.supports for row in rows] == [("acme",), ("bolt",)]


def test_sentences_cover_the_text_without_gaps():
    text = "One. Two! 三。四？\nv1.5 is out.[1][2] End"
    ranges = sentence_ranges(text)
    assert "".join(text[a:b] for a, b in ranges) == text
    assert text[ranges[4][0] : ranges[4][1]].strip() == "v1.5 is out.[1][2]"
