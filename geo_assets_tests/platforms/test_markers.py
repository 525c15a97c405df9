"""Markers in the text and the list they point to."""

from geo_assets.model.answers import CitationBasis
from geo_assets.platforms.markers import Source, cite

A = Source("1", "https://a.test/x?Y=1#z", "A", "站点")
B = Source("2", "https://b.test/")


def test_marked_sources_are_cited_and_the_others_only_retrieved() -> None:
    citations, warnings = cite("甲[1]。", [A, B])
    assert [(c.url, c.basis, c.order, c.marker) for c in citations] == [
        ("https://a.test/x?Y=1#z", CitationBasis.CITED, 1, "1"),
        ("https://b.test/", CitationBasis.RETRIEVED, 2, "2"),
    ]
    assert warnings == []


def test_spans_count_code_points_and_cut_out_the_marker() -> None:
    answer = "🫖 茶壶[2]，𠮷野[ref_1][2]"
    citations, _ = cite(answer, [A, B])
    assert [[answer[start:end] for start, end in c.spans] for c in citations] == [["[ref_1]"], ["[2]", "[2]"]]
    assert citations[1].spans == ((4, 7), (17, 20))


def test_a_marker_without_a_source_warns_once_and_breaks_nothing() -> None:
    citations, warnings = cite("甲[9]乙[9][ref_无]", [A])
    assert citations[0].basis is CitationBasis.RETRIEVED
    assert warnings == ["marker 9 has no source", "marker 无 has no source"]


def test_a_link_whose_label_is_a_number_is_no_marker() -> None:
    citations, warnings = cite("[1](https://c.test)", [A])
    assert citations[0].spans == ()
    assert warnings == []


def test_a_year_in_brackets_and_a_word_in_brackets_are_no_markers() -> None:
    assert cite("[2026] [Loop] [x] []", []) == ((), [])


def test_a_source_without_a_number_is_called_by_its_place() -> None:
    citations, _ = cite("甲[2]", [Source(None, "https://a.test"), Source(None, "https://b.test")])
    assert [c.basis for c in citations] == [CitationBasis.RETRIEVED, CitationBasis.CITED]


def test_of_two_sources_with_one_number_the_first_gets_the_markers() -> None:
    citations, _ = cite("甲[1]", [A, Source("1", "https://other.test")])
    assert [c.basis for c in citations] == [CitationBasis.CITED, CitationBasis.RETRIEVED]


def test_a_source_without_an_address_is_left_out_with_a_warning() -> None:
    citations, warnings = cite("甲[1]", [Source("1", "", "A"), B])
    assert [(c.url, c.order) for c in citations] == [("https://b.test/", 1)]
    assert warnings == ["source 1 has no address", "marker 1 has no source"]


def test_forty_five_sources_are_all_kept() -> None:
    sources = [Source(str(n), f"https://s{n}.test") for n in range(1, 46)]
    citations, warnings = cite("".join(f"[{n}]" for n in range(1, 46)), sources)
    assert len(citations) == 45
    assert all(c.basis is CitationBasis.CITED for c in citations)
    assert warnings == []
