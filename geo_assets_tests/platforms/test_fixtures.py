"""Every fixture of the wire-format reference, read and rebuilt, against expectations written from the facts by hand."""

import dataclasses
import json
from pathlib import Path
from typing import Any

import pytest

from geo_assets.model.answers import Ask, Completed, Exchange, HttpRequest, HttpResponse, Pending, Rejected
from geo_assets.platforms.registry import DIALECTS, connector

FOLDERS = ("tencent", "alibaba", "volcengine", "openai", "openai-chat", "openai-compatible")
FIXTURES = Path(__file__).resolve().parents[2] / "../shared/platforms/fixtures"
EXPECTED = Path(__file__).parent / "expected"
present = pytest.mark.skipif(not FIXTURES.is_dir(), reason=f"the wire-format fixtures are not at {FIXTURES}")


def _expected_name(fixture: str) -> str:
    return fixture if fixture.endswith(".json") else f"{fixture}.json"


def _index(folder: str) -> dict[str, Any]:
    index: dict[str, Any] = json.loads((FIXTURES / folder / "_index.json").read_text())
    return index


def _cases(*replies: str) -> list[Any]:
    """(folder, fixture name, expectation) of all expectations with one of these replies."""
    found = []
    for path in sorted(EXPECTED.glob("*/*.json")):
        expected = json.loads(path.read_text())
        if expected.get("reply") in replies:
            fixture = path.name if not path.name.endswith(".sse.json") else path.stem
            found.append(pytest.param(path.parent.name, fixture, expected, id=f"{path.parent.name}/{fixture}"))
    return found


def _ask(expected: dict[str, Any]) -> Ask:
    given = expected["ask"]
    return Ask(
        platform="p",
        base_url=expected.get("base_url", "https://platform.test/v1"),
        model=given.get("model", "model-asked"),
        question=given.get("question", "?"),
        language="zh",
        search=given["search"],
        attempt_id="a-0001",
        idempotency_key="k-0001",
        region=given.get("region"),
        mode=given.get("mode"),
        options=given["options"],
    )


@present
@pytest.mark.parametrize("folder", FOLDERS)
def test_every_fixture_has_an_expectation_and_every_expectation_a_fixture(folder: str) -> None:
    fixtures = {_expected_name(name) for name in _index(folder)}
    assert {path.name for path in (EXPECTED / folder).iterdir()} == fixtures


def test_every_expectation_is_complete_or_says_why_it_is_out_of_scope() -> None:
    needed = {
        "completed": {"text", "citations", "search_state", "finish_reason", "usage"},
        "rejected": {"error", "code", "retry_after", "accepted"},
        "pending": {"upstream_id"},
        "request": {"url", "headers"},
    }
    seen = 0
    for path in EXPECTED.glob("*/*.json"):
        expected = json.loads(path.read_text())
        seen += 1
        if "out_of_scope" in expected:
            assert len(expected["out_of_scope"]) > 30, path
        else:
            assert expected["dialect"] in DIALECTS, path
            assert needed[expected["reply"]] <= expected.keys(), path
    assert seen == 128


@present
@pytest.mark.parametrize(("folder", "fixture", "expected"), _cases("completed", "rejected", "pending"))
def test_a_response_fixture_reads_as_expected(folder: str, fixture: str, expected: dict[str, Any]) -> None:
    entry = _index(folder)[fixture]
    response = HttpResponse(entry["status"], entry["headers"], (FIXTURES / folder / fixture).read_bytes())
    exchange = Exchange(0, expected["kind"], HttpRequest(entry["method"], entry["path"]), response)
    reply = connector(expected["dialect"]).read(_ask(expected), [exchange])
    match reply:
        case Completed(answer):
            assert expected["reply"] == "completed"
            got = json.loads(json.dumps(dataclasses.asdict(answer)))
            got["usage"].pop("reported_micros")
            assert got.pop("model_asked") == "model-asked"
            assert got == {key: expected[key] for key in got}
        case Rejected():
            assert expected["reply"] == "rejected"
            got = dataclasses.asdict(reply)
            assert got.pop("message")
            assert got == {key: expected[key] for key in got}
        case Pending():
            assert expected["reply"] == "pending"
            assert (reply.upstream_id, reply.poll_after) == (expected["upstream_id"], expected["poll_after"])
        case _:
            pytest.fail(f"unexpected {reply}")


@present
@pytest.mark.parametrize(("folder", "fixture", "expected"), _cases("request"))
def test_a_request_fixture_is_rebuilt_from_an_ask(folder: str, fixture: str, expected: dict[str, Any]) -> None:
    entry = _index(folder)[fixture]
    asking = _ask(expected)
    request = connector(expected["dialect"]).submit(asking)
    assert connector(expected["dialect"]).check_options(asking.model, asking.search, asking.options) == []
    assert (request.method, request.url) == (entry["method"], expected["url"])
    assert request.url.endswith(entry["path"])
    assert json.loads(request.body) == json.loads((FIXTURES / folder / fixture).read_text())
    headers = {name.lower(): value for name, value in request.headers.items()}
    assert headers["authorization"] == "Bearer {key}"
    assert headers["content-type"] == "application/json"
    assert expected["headers"].items() <= headers.items()
    assert set(entry["headers"]) <= headers.keys()
