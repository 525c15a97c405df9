"""Each dialect on the wire: what it takes, what it refuses, what its answers look like."""

import json
import re
from itertools import pairwise
from typing import Any

import pytest

from geo_assets_tests.simulator.conftest import ASKING, QUESTION_EN, QUESTION_ZH, SHARED, Asker, text_of

FIXTURE_PLATFORMS = {
    "tencent": "tencent",
    "volcengine": "doubao",
    "openai": "gpt",
    "openai-chat": "gpt-chat",
    "openai-compatible": "local",
    "alibaba": "qwen",
}


def request_fixtures() -> list[Any]:
    if not SHARED.is_dir():
        return [pytest.param(None, None, id="none", marks=pytest.mark.skip(reason="the shared fixtures are not here"))]
    made = []
    for folder, platform in FIXTURE_PLATFORMS.items():
        index = json.loads((SHARED / "platforms/fixtures" / folder / "_index.json").read_text())
        for name, entry in index.items():
            if entry["kind"] == "request":
                compatible = entry["path"].startswith("/compatible-mode")
                made.append(pytest.param(f"{folder}/{name}", "qwen-compatible" if compatible else platform, id=name))
    return made


@pytest.mark.parametrize(("name", "platform"), request_fixtures())
def test_every_documented_request_is_answered(asker: Asker, name: str, platform: str) -> None:
    folder, file = name.split("/")
    directory = SHARED / "platforms/fixtures" / folder
    entry = json.loads((directory / "_index.json").read_text())[file]
    headers = {k: v for k, v in entry["headers"].items() if k not in {"authorization", "content-type"}}
    response = asker.client.request(
        entry["method"],
        f"/p/{platform}{entry['path']}",
        json=json.loads((directory / file).read_text()),
        headers=headers,
    )
    assert response.status_code == 200, response.text
    if response.headers["content-type"] == "application/json":
        assert isinstance(response.json(), dict)
    else:
        assert response.headers["content-type"].startswith("text/event-stream")


@pytest.mark.parametrize("platform", ASKING)
def test_an_ordinary_question_is_answered_in_its_language(asker: Asker, platform: str) -> None:
    chinese = text_of(platform, asker.ask(platform, QUESTION_ZH).json())
    english = text_of(platform, asker.ask(platform, QUESTION_EN).json())
    assert len(re.findall(r"[\u4e00-\u9fff]", chinese)) > 30
    assert not re.search(r"[\u4e00-\u9fff]", english)
    assert len(english.split()) > 20


REFUSALS = [
    # platform, change to the body, status, path into the reply, value there
    ("tencent", {"model": "none"}, 403, ("error", "code"), "403001"),
    ("tencent", {"messages": None}, 400, ("error", "code"), "400001"),
    ("tencent", {"web_search_options": {"enable": True, "search_source": "deep"}}, 400, ("error", "code"), "400001"),
    ("qwen", {"model": "none"}, 404, ("code",), "ModelNotFound"),
    ("qwen", {"input": {}}, 400, ("code",), "InvalidParameter"),
    ("qwen", {"model": "qwen3.7-plus"}, 400, ("message",), "url error, please check url!"),
    ("doubao", {"model": "none"}, 404, ("error", "code"), "InvalidEndpointOrModel.NotFound"),
    ("doubao", {"input": None}, 400, ("error", "code"), "MissingParameter"),
    ("doubao", {"tools": [{"type": "web_search", "max_keyword": 51}]}, 400, ("error", "code"), "InvalidParameter"),
    ("doubao", {"tools": [{"type": "doubao_app"}]}, 403, ("error", "code"), "ToolNotOpen"),
    ("doubao", {"background": True}, 400, ("error", "param"), "background"),
    ("gpt", {"model": "none"}, 404, ("error", "code"), "model_not_found"),
    ("gpt", {"input": None}, 400, ("error", "param"), "input"),
    ("gpt", {"enable_search": True}, 400, ("error", "code"), "unknown_parameter"),
    ("gpt", {"temperature": 0.2}, 400, ("error", "code"), "unsupported_parameter"),
    ("gpt", {"background": True, "store": False}, 400, ("error", "param"), "background"),
    ("gpt-chat", {"model": "none"}, 404, ("error", "code"), "model_not_found"),
    ("gpt-chat", {"enable_search": True}, 400, ("error", "type"), "invalid_request_error"),
    ("gpt-chat", {"messages": []}, 400, ("error", "param"), "messages"),
    ("local", {"model": "none"}, 404, ("error", "code"), 404),
    ("ollama", {"model": "none"}, 404, ("error", "type"), "not_found_error"),
]


@pytest.mark.parametrize(("platform", "change", "status", "path", "value"), REFUSALS)
def test_bad_requests_get_the_platforms_own_refusal(
    asker: Asker, platform: str, change: dict[str, Any], status: int, path: tuple[str, ...], value: Any
) -> None:
    base = "local" if platform == "ollama" else platform
    response = asker.send(platform, ASKING[base][0], asker.body(base) | change)
    assert response.status_code == status
    found = response.json()
    for key in path:
        found = found[key]
    assert found == value


@pytest.mark.parametrize("platform", ["tencent", "qwen", "doubao", "local", "ollama"])
def test_unknown_fields_are_ignored_where_the_platform_ignores_them(asker: Asker, platform: str) -> None:
    base = "local" if platform == "ollama" else platform
    body = asker.body(base) | {"no_such_field": 1}
    assert asker.send(platform, ASKING[base][0], body).status_code == 200


AUTH = [
    ("tencent", ("error", "code"), "401002"),
    ("qwen", ("code",), "InvalidApiKey"),
    ("doubao", ("error", "code"), "AuthenticationError"),
    ("gpt", ("error", "code"), "invalid_api_key"),
    ("gpt-chat", ("error", "code"), "invalid_api_key"),
    ("local", ("error",), "Unauthorized"),
]


@pytest.mark.parametrize(("platform", "path", "value"), AUTH)
@pytest.mark.parametrize("header", ["Bearer wrong", "Basic simulated", ""])
def test_a_wrong_key_gets_the_platforms_own_401(
    asker: Asker, platform: str, path: tuple[str, ...], value: str, header: str
) -> None:
    response = asker.ask(platform, authorization=header)
    assert response.status_code == 401
    found = response.json()
    for key in path:
        found = found[key]
    assert found == value


def test_ollama_asks_for_no_key(asker: Asker) -> None:
    response = asker.send("ollama", "/v1/chat/completions", asker.body("local"), authorization="")
    assert response.status_code == 200
    assert response.json()["system_fingerprint"] == "fp_ollama"


@pytest.mark.parametrize("platform", ASKING)
def test_a_wrong_path_is_refused_by_the_platform(asker: Asker, platform: str) -> None:
    response = asker.send(platform, "/v9/none", {})
    assert response.status_code == 404
    assert response.headers["content-type"] == "application/json"


def test_an_unknown_platform_is_named_with_the_known_ones(asker: Asker) -> None:
    response = asker.send("nobody", "/v1/chat/completions", {})
    assert response.status_code == 404
    assert "/p/tencent" in response.json()["detail"]


def test_a_body_that_is_no_json_is_refused(asker: Asker) -> None:
    response = asker.client.post("/p/tencent/v1/chat/completions", content=b"{oops")
    assert (response.status_code, response.json()["error"]["type"]) == (400, "invalid_request_error")


def test_tencent_markers_point_into_the_list_inside_the_message(asker: Asker) -> None:
    for number in range(20):
        message = asker.ask("tencent", x_geo_sample=f"m{number}").json()["choices"][0]["message"]
        listed = {str(row["index"]) for row in message["search_results"]}
        cited = set(re.findall(r"\[(\d+)\]", message["content"]))
        assert cited < listed  # one page is always retrieved and not used
        assert all(row.keys() == {"index", "url", "name", "snippet", "site"} for row in message["search_results"])


def test_without_a_search_tencent_has_no_list_and_no_markers(asker: Asker) -> None:
    body = asker.body("tencent") | {"web_search_options": None}
    message = asker.send("tencent", "/v1/chat/completions", body).json()["choices"][0]["message"]
    assert "search_results" not in message
    assert not re.search(r"\[\d+\]", message["content"])


def test_dashscope_writes_markers_in_the_format_asked_for(asker: Asker) -> None:
    body = asker.ask("qwen", x_geo_sample="d1").json()
    listed = {row["index"] for row in body["output"]["search_info"]["search_results"]}
    cited = {int(n) for n in re.findall(r"\[ref_(\d+)\]", text_of("qwen", body))}
    assert cited
    assert cited < listed
    assert body["usage"]["plugins"]["search"]["count"] == 1
    assert "model" not in body

    request = asker.body("qwen")
    request["parameters"]["search_options"] |= {"citation_format": "[<number>]", "enable_source": False}
    body = asker.send("qwen", ASKING["qwen"][0], request, x_geo_sample="d1").json()
    assert {int(n) for n in re.findall(r"\[(\d+)\]", text_of("qwen", body))} == cited
    assert "search_info" not in body["output"]


def test_dashscope_streams_deltas_that_add_up_to_the_blocking_answer(asker: Asker) -> None:
    request = asker.body("qwen")
    blocking = text_of("qwen", asker.send("qwen", ASKING["qwen"][0], request, x_geo_sample="st").json())
    request["parameters"]["incremental_output"] = True
    response = asker.send("qwen", ASKING["qwen"][0], request, x_geo_sample="st", x_dashscope_sse="enable")
    frames = [json.loads(line[5:]) for line in response.text.splitlines() if line.startswith("data:")]
    assert "".join(f["output"]["choices"][0]["message"]["content"] for f in frames) == blocking
    assert [f["output"]["choices"][0]["finish_reason"] for f in frames][-2:] == ["null", "stop"]
    assert frames[-1]["usage"]["plugins"]["search"]["count"] == 1


def test_ark_cites_by_annotation_without_markers(asker: Asker) -> None:
    body = asker.ask("doubao", x_geo_sample="a1").json()
    part = body["output"][-1]["content"][0]
    assert part["annotations"]
    assert all("start_index" not in a and a["type"] == "url_citation" for a in part["annotations"])
    assert re.fullmatch(r"\d{4}年\d\d月\d\d日 \d\d:\d\d:\d\d\(CST\) 星期.", part["annotations"][0]["publish_time"])
    assert not re.search(r"\[\d+\]", part["text"])
    assert body["usage"]["tool_usage"]["web_search"] == sum(i["type"] == "web_search_call" for i in body["output"])


def test_the_doubao_app_answers_in_blocks(asker: Asker) -> None:
    body = asker.body("doubao") | {"tools": [{"type": "doubao_app", "feature": {"ai_search": {"type": "enabled"}}}]}
    reply = asker.send("doubao", "/api/v3/responses", body, ark_beta_doubao_app="true").json()
    (call,) = reply["output"]
    assert call["type"] == "doubao_app_call"
    assert [block["type"] for block in call["blocks"]] == ["search", "output_text"]
    assert call["blocks"][0]["results"][0]["text_card"]["index"] == 1
    assert reply["usage"]["tool_usage"] == {"doubao_app": 1}
    assert reply["usage"]["total_tokens"] == 0


@pytest.mark.parametrize("question", [QUESTION_ZH, QUESTION_EN])
def test_openai_offsets_cut_out_exactly_the_link_in_code_points(asker: Asker, question: str) -> None:
    seen = 0
    for number in range(10):
        body = asker.ask("gpt", question, x_geo_sample=f"o{number}").json()
        part = body["output"][-1]["content"][0]
        for annotation in part["annotations"]:
            cut = part["text"][annotation["start_index"] : annotation["end_index"]]
            assert re.fullmatch(r"\(\[[^\]]+\]\(" + re.escape(annotation["url"]) + r"\)\)", cut)
            assert "utm_source=openai" in annotation["url"]
            seen += 1
        sources = {s["url"] for i in body["output"] if i["type"] == "web_search_call" for s in i["action"]["sources"]}
        cited = {re.sub(r"[?&]utm_source=openai$", "", a["url"]) for a in part["annotations"]}
        assert cited < sources
    assert seen > 10


def test_openai_lists_sources_only_when_they_are_asked_for(asker: Asker) -> None:
    body = asker.body("gpt")
    del body["include"]
    output = asker.send("gpt", "/v1/responses", body).json()["output"]
    assert all("sources" not in item["action"] for item in output if item["type"] == "web_search_call")


def test_openai_echoes_metadata_and_names_the_dated_model(asker: Asker) -> None:
    body = asker.send("gpt", "/v1/responses", asker.body("gpt") | {"metadata": {"attempt": "a-1"}}).json()
    assert body["metadata"] == {"attempt": "a-1"}
    assert body["model"] == "gpt-6.1-terra-2026-10-20"


def test_a_chat_stream_adds_up_to_the_blocking_answer(asker: Asker) -> None:
    blocking = text_of("local", asker.ask("local", x_geo_sample="cs").json())
    body = asker.body("local") | {"stream": True, "stream_options": {"include_usage": True}}
    lines = asker.send("local", "/v1/chat/completions", body, x_geo_sample="cs").text.split("\n\n")
    assert lines[-2] == "data: [DONE]"
    chunks = [json.loads(line.removeprefix("data: ")) for line in lines[:-2]]
    assert "".join(c["choices"][0]["delta"].get("content", "") for c in chunks if c["choices"]) == blocking
    assert chunks[-1]["choices"] == []
    assert chunks[-1]["usage"]["total_tokens"] > 0


def test_usage_adds_up(asker: Asker) -> None:
    for platform in ASKING:
        usage = asker.ask(platform).json()["usage"]
        numbers = [
            usage.get("prompt_tokens", usage.get("input_tokens")),
            usage.get("completion_tokens", usage.get("output_tokens")),
        ]
        assert sum(numbers) == usage["total_tokens"]


def test_response_ids_are_never_used_twice(asker: Asker) -> None:
    names = [asker.ask("gpt", x_geo_sample="same", x_geo_date="2026-11-29").json()["id"] for _ in range(5)]
    assert all(a != b for a, b in pairwise(sorted(names)))
