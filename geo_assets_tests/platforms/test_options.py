"""What planning refuses, and how it says so."""

from typing import Any

import pytest

from geo_assets.platforms.registry import DIALECTS, UnknownDialectError, connector

GOOD: dict[str, dict[str, Any]] = {
    "tencent-tokenhub": {"search_source": "lite", "user_location": {"country": "CN"}, "thinking": "adaptive"},
    "dashscope": {"search_strategy": "turbo", "freshness": 30, "assigned_site_list": ["a.test"]},
    "ark-responses": {"max_keyword": 3, "sources": ["toutiao", "douyin"], "locations": {"hz": {"city": "杭州"}}},
    "openai-responses": {"background": True, "tool_choice": "required", "allowed_domains": ["a.test"]},
    "openai-chat": {"stream": True, "temperature": 0, "max_tokens": 100, "error_classes": {"x": "overloaded"}},
}


@pytest.mark.parametrize("dialect", DIALECTS)
def test_good_options_have_no_problems(dialect: str) -> None:
    search = dialect != "openai-chat"
    assert connector(dialect).check_options("m", search, GOOD[dialect]) == []
    assert connector(dialect).check_options("m", search, {}) == []
    assert GOOD[dialect].keys() <= connector(dialect).capabilities(GOOD[dialect]).option_names


@pytest.mark.parametrize("dialect", DIALECTS)
def test_an_unknown_option_is_refused_with_the_known_ones(dialect: str) -> None:
    [(field, remedy)] = connector(dialect).check_options("m", False, {"zzz": 1})
    assert field == "options.zzz"
    assert remedy.startswith("unknown option: remove it. Known: ")
    assert all(name in remedy for name in connector(dialect).capabilities({}).option_names)


@pytest.mark.parametrize(
    ("dialect", "model", "search", "options", "field", "remedy"),
    [
        ("openai-chat", "m", True, {}, "search", "openai-chat has no search; set `search: false`"),
        ("openai-chat", "m", False, {"max_token": 5}, "options.max_token", "did you mean max_tokens?"),
        ("openai-chat", "m", False, {"seed": "7"}, "options.seed", "valid integer, not '7'"),
        (
            "openai-chat",
            "m",
            False,
            {"max_tokens": 5, "max_completion_tokens": 5},
            "options.max_tokens",
            "either max_tokens or max_completion_tokens",
        ),
        (
            "openai-chat",
            "m",
            False,
            {"error_classes": {"busy": "overload"}},
            "options.error_classes.busy",
            "use one of: invalid_request",
        ),
        (
            "tencent-tokenhub",
            "m",
            True,
            {"search_source": "deluxe"},
            "options.search_source",
            "'lite' or 'standard', not 'deluxe'",
        ),
        (
            "tencent-tokenhub",
            "m",
            True,
            {"user_location": {"town": "x"}},
            "options.user_location.town",
            "unknown key; remove it",
        ),
        ("tencent-tokenhub", "m", True, {"temperature": 1}, "options.temperature", "unknown option"),
        ("tencent-tokenhub", "hunyuan-turbos-latest", True, {}, "model", "use a TokenHub model such as hy3"),
        ("dashscope", "qwen3.7-plus", True, {}, "options.route", "set `route: multimodal`"),
        ("dashscope", "qwen3-max", True, {"user_location": {}}, "options.user_location", "unknown option"),
        ("dashscope", "qwen3-max", False, {"freshness": 7}, "options.freshness", "has no effect with `search: false`"),
        ("dashscope", "qwen3-max", True, {"freshness": 8}, "options.freshness", "7, 30, 180 or 365"),
        (
            "dashscope",
            "qwen3-max",
            True,
            {"search_strategy": "agent", "citation_format": "[<number>]"},
            "options.citation_format",
            "writes no markers; remove citation_format",
        ),
        (
            "dashscope",
            "qwen3-max",
            True,
            {"enable_thinking": False, "thinking_budget": 100},
            "options.thinking_budget",
            "no effect",
        ),
        ("ark-responses", "m", False, {"tool": "doubao_app"}, "search", "leave search on, or use `tool: web_search`"),
        (
            "ark-responses",
            "m",
            True,
            {"tool": "doubao_app", "limit": 5},
            "options.limit",
            "is no option of the tool doubao_app",
        ),
        ("ark-responses", "m", True, {"feature": "chat"}, "options.feature", "is no option of the tool web_search"),
        ("ark-responses", "m", False, {"limit": 5}, "options.limit", "has no effect with `search: false`"),
        ("ark-responses", "m", True, {"limit": 51}, "options.limit", "less than or equal to 50"),
        ("ark-responses", "m", True, {"sources": ["bing"]}, "options.sources.0", "'search_engine', 'toutiao'"),
        (
            "openai-responses",
            "m",
            True,
            {"background": True, "store": False},
            "options.store",
            "background jobs need storing",
        ),
        (
            "openai-responses",
            "m",
            False,
            {"tool_choice": "web_search"},
            "options.tool_choice",
            "forces a search that `search: false` leaves out",
        ),
        ("openai-responses", "gpt-4o-search-preview", True, {}, "model", "shut down"),
        ("openai-responses", "m", True, {"background": "yes"}, "options.background", "valid boolean, not 'yes'"),
    ],
)
def test_what_a_platform_lacks_is_refused_with_field_and_remedy(
    dialect: str, model: str, search: bool, options: dict[str, Any], field: str, remedy: str
) -> None:
    [(got_field, got_remedy)] = connector(dialect).check_options(model, search, options)
    assert got_field == field
    assert remedy in got_remedy


def test_capabilities_say_who_searches_where() -> None:
    have = {name: connector(name).capabilities({}) for name in DIALECTS}
    assert {name for name, can in have.items() if can.search} == set(DIALECTS) - {"openai-chat"}
    assert {name for name, can in have.items() if can.region} == {
        "ark-responses",
        "openai-responses",
        "tencent-tokenhub",
    }
    assert {name: can.citation_mode.value for name, can in have.items()} == {
        "ark-responses": "document",
        "dashscope": "marker",
        "openai-chat": "none",
        "openai-responses": "span",
        "tencent-tokenhub": "marker",
    }
    assert all(can.search_can_be_off for can in have.values())
    assert not any(can.idempotency_key or can.lookup for can in have.values())
    assert not connector("ark-responses").capabilities({"tool": "doubao_app"}).search_can_be_off


def test_an_unknown_dialect_lists_the_known_ones() -> None:
    with pytest.raises(UnknownDialectError, match="unknown dialect 'openai'; known dialects: ark-responses, dashscope"):
        connector("openai")


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_connector_knows_its_name_and_is_made_once(dialect: str) -> None:
    assert connector(dialect).dialect == dialect
    assert connector(dialect).version
    assert connector(dialect) is connector(dialect)
