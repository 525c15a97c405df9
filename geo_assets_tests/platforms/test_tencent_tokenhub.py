"""Tencent TokenHub on bodies of our own."""

import json

from geo_assets.model.answers import CitationBasis, CitationMode, FinishReason, SearchState
from geo_assets.model.errors import ErrorClass
from geo_assets.platforms.registry import connector
from geo_assets_tests.platforms.bodies import TENCENT, TEXT, answer, ask, chat, read, refused

DIALECT = "tencent-tokenhub"


def test_sources_inside_the_message_are_matched_to_markers() -> None:
    got = answer(read(DIALECT, TENCENT))
    assert got.text == TEXT
    assert got.citations is not None
    assert [(c.url, c.basis, c.title, c.site) for c in got.citations] == [
        ("https://tea.test/a", CitationBasis.CITED, "壶评", "茶网"),
        ("https://tea.test/b?x=1", CitationBasis.RETRIEVED, "无人引用", "茶网"),
        ("https://pots.test/c", CitationBasis.CITED, "Fernhill review", None),
    ]
    assert [TEXT[start:end] for c in got.citations for start, end in c.spans] == ["[1]", "[3]"]
    assert got.warnings == ("marker 9 has no source",)
    assert (got.search_state, got.citation_mode) == (SearchState.USED, CitationMode.MARKER)
    assert (got.model_asked, got.model_served) == ("model-1", "model-1-0901")


def test_a_search_that_was_asked_for_and_has_no_list_did_not_run_and_has_no_sources() -> None:
    got = answer(read(DIALECT, chat("不用搜。")))
    assert (got.search_state, got.citations) == (SearchState.NOT_USED, ())


def test_without_a_search_sources_are_not_observable_and_brackets_are_text() -> None:
    got = answer(read(DIALECT, chat("数组 a[0] 和 [7]"), search=False))
    assert (got.search_state, got.citations, got.warnings) == (SearchState.NOT_APPLICABLE, None, ())
    assert got.citation_mode is CitationMode.NONE


def test_an_empty_list_says_that_a_search_ran() -> None:
    got = answer(read(DIALECT, chat("没有找到。", search_results=[])))
    assert (got.search_state, got.citations) == (SearchState.USED, ())


def test_an_empty_answer_is_an_answer() -> None:
    got = answer(read(DIALECT, chat(None, "length")))
    assert (got.text, got.finish_reason) == ("", FinishReason.LENGTH)


def test_content_of_a_wrong_type_is_unreadable_and_keeps_the_usage() -> None:
    reply = refused(read(DIALECT, chat(42)))
    assert (reply.error, reply.code) == (ErrorClass.UNREADABLE, "no_answer")
    assert reply.usage is not None
    assert (reply.usage.input_tokens, reply.usage.output_tokens, reply.accepted) == (7, 9, True)


def test_sources_of_a_stream_may_come_in_any_frame() -> None:
    listed = json.dumps([{"index": 1, "url": "https://tea.test/a", "name": "壶评"}])
    stream = (
        'data: {"choices":[{"delta":{"content":"山月壶"}}]}\n\n'
        f'data: {{"choices":[{{"delta":{{"search_results":{listed}}}}}]}}\n\n'
        'data: {"choices":[{"delta":{"content":"[1]"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n'
    )
    got = answer(read(DIALECT, stream))
    assert got.citations is not None
    assert (got.text, [(c.url, c.spans) for c in got.citations]) == ("山月壶[1]", [("https://tea.test/a", ((3, 6),))])


def test_thinking_is_no_part_of_the_answer() -> None:
    assert answer(read(DIALECT, chat("答。", reasoning_content="想。"))).text == "答。"


def test_the_question_is_sent_as_it_is_written_and_nothing_by_default_that_shapes_the_answer() -> None:
    request = connector(DIALECT).submit(ask(DIALECT, search=False))
    assert json.loads(request.body) == {
        "model": "model-1",
        "messages": [{"role": "user", "content": "哪种茶壶 keeps warm? 🫖"}],
        "stream": False,
    }
    assert request.url == "https://tokenhub.test/v1/chat/completions"


def test_a_region_becomes_a_location_only_where_a_search_runs() -> None:
    searching = json.loads(connector(DIALECT).submit(ask(DIALECT, region="CN/浙江/杭州")).body)
    assert searching["web_search_options"] == {
        "enable": True,
        "user_location": {"type": "approximate", "country": "CN", "region": "浙江", "city": "杭州"},
    }
    assert "web_search_options" not in json.loads(connector(DIALECT).submit(ask(DIALECT, search=False)).body)
