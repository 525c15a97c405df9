"""Addresses: the normal form, the registrable domain, the page key, and what may be dropped."""

import csv
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from geo_assets.analysis.urls import host_of, normalise_url, page_key, registrable_domain, same_site

CORPUS = Path(__file__).resolve().parents[3] / "shared" / "corpus"


def cases(name):
    path = CORPUS / name
    if not path.exists():
        return []
    with path.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))


@pytest.mark.skipif(not CORPUS.exists(), reason="the labelled cases are not beside the checkout")
def test_every_labelled_address_gets_its_normal_form():
    wrong = [
        (row["url_in"], got)
        for row in cases("url_cases.tsv")
        if (got := normalise_url(row["url_in"])) not in {row["expected_normalised"], *row["also_accepted"].split(" ")}
    ]
    assert wrong == []


@pytest.mark.skipif(not CORPUS.exists(), reason="the labelled cases are not beside the checkout")
def test_every_labelled_host_gets_its_registrable_domain():
    rows = cases("domain_cases.tsv")
    wrong = [r["host"] for r in rows if (registrable_domain(r["host"]) or "") != r["registrable_domain"]]
    assert wrong == []


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("HTTPS://Shop.Example:443/A/./b/../c?x=1&&y=%7e", "https://shop.example/A/c?x=1&y=~"),
        ("//cdn.example/x", "https://cdn.example/x"),
        ("www.example.org/路径", "https://www.example.org/%E8%B7%AF%E5%BE%84"),
        (" <https://example.org/a> ", "https://example.org/a"),
        ("https://例子.中国/搜索?q=牙膏", "https://xn--fsqu00a.xn--fiqs8s/%E6%90%9C%E7%B4%A2?q=%E7%89%99%E8%86%8F"),
        ("https://example.org/a%zz?b=100%", "https://example.org/a%25zz?b=100%25"),
        ("https://example.org/?a=1&amp;amp;b=2", "https://example.org/?a=1&b=2"),
        ("https://example.org/?a=1&copy=2", "https://example.org/?a=1&copy=2"),
        ("http://evil.example\\@acme.com/", "http://evil.example/@acme.com/"),
        ("http://acme.com@evil.example/", "http://acme.com@evil.example/"),
        ("https://user:pw@example.org/", "https://user:pw@example.org/"),
        ("http://192.168.0.1:8000/x#top", "http://192.168.0.1:8000/x"),
        ("https://app.example/#!/list?utm_source=x", "https://app.example/#!/list?utm_source=x"),
        ("https://app.example/p#utm_source=x&utm_medium=y", "https://app.example/p"),
    ],
)
def test_addresses_get_one_spelling(url, expected):
    assert normalise_url(url) == expected


@pytest.mark.parametrize(
    "url",
    [
        "", "   ", "javascript:alert(1)", "data:text/html,x", "mailto:a@b.example", "ftp://example.org/", "/relative",
        "https://", "http://exa mple.org/", "http://a..b/", "https://example.org:99999/", "[1]",
        "https://[::1", "http://%00/", "x" * 9000,
    ],
)  # fmt: skip
def test_what_is_no_web_address_has_no_normal_form(url):
    assert normalise_url(url) is None
    assert page_key(url) is None
    assert host_of(url) is None


DROPPED = [
    ("https://a.example/p?id=1", name)
    for name in [
        "utm_source",
        "utm_id",
        "UTM_Campaign",
        "gclid",
        "gbraid",
        "wbraid",
        "dclid",
        "fbclid",
        "msclkid",
        "ttclid",
        "twclid",
        "yclid",
        "li_fat_id",
        "mc_cid",
        "mc_eid",
        "_ga",
        "_gl",
        "_hsenc",
        "_hsmi",
        "mkt_tok",
        "srsltid",
        "igshid",
        "bd_vid",
        "hmsr",
        "hmpl",
        "s_kwcid",
        "ef_id",
        "irclickid",
        "cjevent",
        "mtm_campaign",
        "matomo_kwd",
        "pk_kwd",
        "gad_source",
        "vero_id",
        "oly_enc_id",
        "wickedid",
        "rdt_cid",
        "epik",
        "gclsrc",
        "guccounter",
        "hsCtaTracking",
    ]
] + [
    (url, name)
    for url, names in {
        "https://mp.weixin.qq.com/s?__biz=MzA&mid=2&idx=1&sn=ab": "chksm scene sharer_shareinfo from isappinstalled",
        "https://www.bilibili.com/video/BV1?p=2": "spm_id_from vd_source share_source share_medium unique_k from_spmid",
        "https://detail.tmall.com/item.htm?id=5&skuId=7": "spm scm pvid ali_refid abbucket utparam",
        "https://zhuanlan.zhihu.com/p/1": "utm_psn share_code zhida_source",
        "https://www.toutiao.com/article/1/": "share_token tt_from timestamp req_id log_from",
        "https://baijiahao.baidu.com/s?id=17": "wfr for",
        "https://weibo.com/1/Ab": "sudaref from refer_flag",
        "https://blog.csdn.net/a/article/details/1": "spm ops_request_misc request_id biz_id",
        "https://www.163.com/dy/article/A.html": "spss f clickfrom",
        "https://www.xiaohongshu.com/explore/1": "xsec_source appuid apptime share_id",
        "https://youtu.be/abc": "si feature",
        "https://www.youtube.com/watch?v=a&t=5": "pp ab_channel feature",
        "https://x.com/a/status/1": "s t ref_src",
        "https://www.instagram.com/p/C1/": "igsh",
        "https://www.facebook.com/photo.php?fbid=1": "__tn__ mibextid rdid",
        "https://www.tiktok.com/@a/video/1": "_r _t is_from_webapp sender_device",
        "https://www.linkedin.com/posts/a": "trk trackingId lipi rcm",
        "https://www.amazon.de/dp/B0": "qid crid sprefix pd_rd_w pf_rd_r ref_ tag linkCode th_".removesuffix(" th_"),
        "https://www.ebay.co.uk/itm/1": "_trkparms mkevt campid _trksid",
        "https://www.google.co.jp/search?q=a": "ved ei sxsrf oq aqs",
        "https://www.bing.com/search?q=a": "form cvid qs",
        "https://en.wikipedia.org/wiki/A": "wprov",
        "https://open.spotify.com/episode/1": "si",
        "https://www.aliexpress.us/item/1.html": "algo_pvid spm aff_fcid",
        "https://www.reddit.com/r/a/": "share_id ref_source",
    }.items()
    for name in names.split()
]


@pytest.mark.parametrize(("url", "name"), DROPPED)
def test_campaign_and_click_identifiers_are_dropped(url, name):
    with_it = f"{url}{'&' if '?' in url else '?'}{name}=Abc.123-x"
    assert normalise_url(with_it) == normalise_url(url)


@pytest.mark.parametrize(
    "url",
    [
        "https://mp.weixin.qq.com/s?__biz=MzA&mid=2&idx=1&sn=ab",
        "https://www.bilibili.com/video/BV1?p=2&t=30",
        "https://item.jd.com/1.html?sku=3",
        "https://www.baidu.com/s?wd=a&pn=20",
        "https://www.youtube.com/watch?v=a&list=b&index=2&lc=c",
        "https://forum.example/showthread.php?t=327970&page=2",
        "https://shop.example/p?variant=4&color=red&size=l&sku=1",
        "https://news.example/?p=12&cat=3&id=9&aid=4&cid=5&uid=6&nid=7&tid=8",
        "https://shop.example/s?q=a&sort=price&page=2&filter=b&from=list&s=3",
        "https://site.example/a?lang=zh&hl=en&locale=de&region=cn&currency=eur",
        "https://site.example/a?ref=b&source=c&type=d&tab=e&view=f&v=1&token=g&key=h&code=i",
        "https://parcel.example/track?tracking_id=1&trackid=2",
        "https://ads.example/view?ad_id=17",
        "https://drive.example/share?share_id=x&pwd=y",
        "https://site.example/a?spm=1&scm=2&vd_source=3&si=4&feature=5&pp=6&igsh=7",
        "https://www.xiaohongshu.com/explore/1?xsec_token=a",
        "https://notamazon.example/dp/1?qid=2&tag=3",
        "https://www.facebook.com/photo.php?fbid=1&set=a.2&id=3",
    ],
)
def test_parameters_that_could_change_the_page_stay(url):
    assert normalise_url(url) == url


def test_tracking_is_dropped_in_the_middle_and_the_order_stays():
    assert normalise_url("https://a.example/?z=1&utm_source=x&b=2&gclid=y&a=3") == "https://a.example/?z=1&b=2&a=3"


@pytest.mark.parametrize(
    ("host", "domain"),
    [
        ("Blog.Acme.COM", "acme.com"),
        ("a.b.acme.com.cn", "acme.com.cn"),
        ("www.acme.co.uk.", "acme.co.uk"),
        ("shop.github.io", "shop.github.io"),
        ("news.gov.cn", "news.gov.cn"),
        ("例子.公司.cn", "例子.公司.cn"),
        ("acme.com:8443", "acme.com"),
        ("127.0.0.1", None),
        ("[::1]", None),
        ("::1", None),
        ("localhost", None),
        ("com.cn", None),
        ("a..com", None),
        ("", None),
    ],
)
def test_the_registrable_domain_is_what_somebody_registered(host, domain):
    assert registrable_domain(host) == domain


def test_scheme_www_slash_case_and_order_do_not_make_another_page():
    keys = {
        page_key(url)
        for url in (
            "http://www.Acme.com/Guide/",
            "https://acme.com/guide",
            "https://acme.com/guide/?utm_source=chatgpt.com#top",
            "https://ACME.com/guide#:~:text=best",
        )
    }
    assert keys == {"acme.com/guide"}
    assert page_key("https://acme.com/s?b=2&a=1") == page_key("http://acme.com/s/?a=1&b=2") == "acme.com/s?a=1&b=2"
    assert page_key("https://acme.com/s?id=1") != page_key("https://acme.com/s?id=2")


def test_owned_hosts_hold_for_subdomains_and_for_nothing_else():
    assert same_site("blog.acme.com", "acme.com")
    assert same_site("ACME.com", "www.acme.com")
    assert same_site("xn--fsqu00a.xn--fiqs8s", "例子.中国")
    assert not same_site("notacme.com", "acme.com")
    assert not same_site("acme.com.evil.example", "acme.com")
    assert not same_site("acme.com", "blog.acme.com")
    assert not same_site("", "acme.com")
    assert host_of("https://evil.example/?u=acme.com") == "evil.example"


PIECES = st.sampled_from(
    [
        *(
            "http://",
            "HTTPS://",
            "www.",
            "exa mple",
            "例子",
            ".com",
            ".",
            "/",
            "..",
            "%41",
            "%2f",
            "%",
            "?",
            "&",
            "=",
            "#",
        ),
        *(
            "#!/",
            ":~:text=",
            "utm_source=1",
            "&amp;",
            "@",
            ":",
            "80",
            "[",
            "]",
            "::1",
            "\\",
            "\t",
            "é",
            "。",
            "xn--",
            "a",
            "+",
        ),
    ]
)


@example("http://0..")  # two root dots are no host
@given(st.one_of(st.text(max_size=60), st.lists(PIECES, max_size=14).map("".join)))
def test_normalising_never_raises_and_is_idempotent(url):
    once = normalise_url(url)
    registrable_domain(url)
    page_key(url)
    if once is not None:
        assert normalise_url(once) == once
        assert page_key(once) == page_key(url)
        assert once.isascii()
        assert once.startswith(("http://", "https://"))
