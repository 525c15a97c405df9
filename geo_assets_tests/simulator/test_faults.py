"""Faults on the wire, and how they are chosen."""

import time
from collections import Counter
from email.utils import parsedate_to_datetime
from pathlib import Path

import httpx
import pytest

from geo_assets.simulator.calllog import read_call_log
from geo_assets.simulator.faults import (
    Fault,
    FaultInjector,
    FaultKind,
    FaultPlan,
    FaultRule,
    QueuedFault,
    transient_faults,
)
from geo_assets.simulator.process import SimulatorProcess
from geo_assets_tests.simulator.conftest import ASKING, Asker, text_of


def last_call(simulator: SimulatorProcess) -> object:
    return list(read_call_log(simulator.config.call_log))[-1]


def test_a_rate_limit_tells_its_wait_in_the_way_asked_for(asker: Asker) -> None:
    asker.next_fault("rate_limited", seconds=3, wait_as="seconds")
    response = asker.ask("tencent")
    assert (response.status_code, response.headers["retry-after"]) == (429, "3")
    assert response.json()["error"]["code"] == "429001"

    asker.next_fault("rate_limited", seconds=60, wait_as="date")
    when = parsedate_to_datetime(asker.ask("tencent").headers["retry-after"]).timestamp()
    assert 55 < when - time.time() < 65

    asker.next_fault("rate_limited", seconds=2.5, wait_as="body")
    response = asker.ask("tencent")
    assert "retry-after" not in response.headers
    assert "try again in 2.5s" in response.json()["error"]["message"]


def test_natively_only_openai_sends_retry_after(asker: Asker) -> None:
    for platform in ASKING:
        asker.next_fault("rate_limited", platform, seconds=1.5)
        response = asker.ask(platform)
        assert response.status_code == 429
        assert response.headers.get("retry-after") == ("2" if platform.startswith("gpt") else None)


@pytest.mark.parametrize("status", [500, 502, 503])
@pytest.mark.parametrize("platform", ASKING)
def test_server_errors_come_in_the_platforms_own_form(asker: Asker, platform: str, status: int) -> None:
    asker.next_fault("server_error", platform, status=status)
    response = asker.ask(platform)
    assert response.status_code == status
    assert response.json().keys() & {"error", "code"}
    assert asker.ask(platform).status_code == 200


@pytest.mark.parametrize(
    ("platform", "status"), [("tencent", 402), ("qwen", 400), ("doubao", 403), ("gpt", 429), ("gpt-chat", 429)]
)
def test_an_exhausted_quota_has_the_platforms_own_status(asker: Asker, platform: str, status: int) -> None:
    asker.next_fault("quota_exhausted", platform)
    assert asker.ask(platform).status_code == status


def test_filtered_content_is_an_error_or_a_stopped_answer(asker: Asker) -> None:
    for platform, status in (("tencent", 451), ("qwen", 400), ("doubao", 400)):
        asker.next_fault("content_filter", platform)
        assert asker.ask(platform).status_code == status
    asker.next_fault("content_filter", "gpt")
    body = asker.ask("gpt").json()
    assert (body["status"], body["incomplete_details"]) == ("incomplete", {"reason": "content_filter"})
    for platform in ("gpt-chat", "local"):
        asker.next_fault("content_filter", platform)
        choice = asker.ask(platform).json()["choices"][0]
        assert (choice["finish_reason"], choice["message"]["content"]) == ("content_filter", "")


@pytest.mark.parametrize(("kind", "accepted"), [("reset_before", False), ("reset_after", True)])
def test_a_reset_drops_the_connection_and_the_log_says_whether_it_was_taken(
    asker: Asker, simulator: SimulatorProcess, kind: str, accepted: bool
) -> None:
    asker.next_fault(kind)
    with pytest.raises((httpx.ReadError, httpx.RemoteProtocolError)):
        asker.ask("tencent", x_geo_sample=f"r-{kind}")
    call = last_call(simulator)
    assert (call.sample, call.fault, call.accepted, call.status) == (f"r-{kind}", kind, accepted, 0)
    assert asker.ask("tencent").status_code == 200


def test_a_hang_is_silent_and_then_resets(asker: Asker, simulator: SimulatorProcess) -> None:
    asker.next_fault("hang", seconds=30)
    with pytest.raises(httpx.ReadTimeout):
        asker.client.post("/p/tencent/v1/chat/completions", json=asker.body("tencent"), timeout=0.3)
    assert last_call(simulator).accepted
    asker.next_fault("hang", seconds=0.2)
    started = time.monotonic()
    with pytest.raises((httpx.ReadError, httpx.RemoteProtocolError)):
        asker.ask("tencent")
    assert 0.15 < time.monotonic() - started < 3


def test_slow_is_late_but_complete(asker: Asker) -> None:
    asker.next_fault("slow", seconds=0.3)
    started = time.monotonic()
    assert asker.ask("tencent").status_code == 200
    assert time.monotonic() - started >= 0.3


def test_a_truncated_body_breaks_off_inside_the_announced_length(asker: Asker) -> None:
    asker.next_fault("truncated_body")
    with pytest.raises(httpx.RemoteProtocolError, match=r"incomplete|without sending"):
        asker.ask("tencent")


def test_an_unreadable_body_is_complete_http_but_no_json(asker: Asker) -> None:
    asker.next_fault("unreadable")
    response = asker.ask("tencent")
    assert response.status_code == 200
    with pytest.raises(ValueError):
        response.json()


def test_pages_come_as_html(asker: Asker) -> None:
    asker.next_fault("html_error")
    response = asker.ask("tencent")
    assert (response.status_code, response.headers["content-type"]) == (502, "text/html")
    asker.next_fault("login_page")
    response = asker.ask("tencent")
    assert response.status_code == 200
    assert "请先登录" in response.text


def test_a_skipped_search_leaves_no_trace_of_sources(asker: Asker) -> None:
    asker.next_fault("search_skipped", "qwen")
    body = asker.ask("qwen").json()
    assert "search_info" not in body["output"]
    assert "plugins" not in body["usage"]
    assert len(text_of("qwen", body)) > 20


def test_a_duplicate_is_taken_twice_and_answered_once(asker: Asker, simulator: SimulatorProcess) -> None:
    asker.next_fault("duplicate")
    assert asker.ask("tencent", x_geo_sample="twice").status_code == 200
    calls = [call for call in read_call_log(simulator.config.call_log) if call.sample == "twice"]
    assert [(call.accepted, call.duplicate) for call in calls] == [(True, False), (True, True)]


def test_polls_have_faults_of_their_own(asker: Asker) -> None:
    made = asker.send("gpt", "/v1/responses", asker.body("gpt") | {"background": True}).json()
    asker.next_fault("server_error", "gpt", on="poll", status=503)
    assert asker.send("gpt", f"/v1/responses/{made['id']}", None, method="GET").status_code == 503
    assert asker.send("gpt", f"/v1/responses/{made['id']}", None, method="GET").status_code == 200


def plan(rate: float = 0.5, **changes: object) -> FaultPlan:
    rule = FaultRule(fault=Fault(kind=FaultKind.RESET_BEFORE), rate=rate)
    return FaultPlan(rules=(rule,), **changes)


def test_a_sample_meets_at_most_so_many_transient_faults() -> None:
    injector = FaultInjector(plan(1.0, max_per_sample=2))
    assert [injector.draw("p", "submit", "s") is not None for _ in range(5)] == [True, True, False, False, False]


def test_decisions_depend_on_the_sample_and_its_attempt_alone() -> None:
    samples = [f"s{i}" for i in range(50)]
    forward, backward = FaultInjector(plan()), FaultInjector(plan())
    first = {s: [forward.draw("p", "submit", s) for _ in range(3)] for s in samples}
    second: dict[str, list[object]] = {s: [] for s in samples}
    for _ in range(3):
        for sample in reversed(samples):
            second[sample].append(backward.draw("p", "submit", sample))
    assert first == second


def test_rates_are_met_and_rules_do_not_overlap() -> None:
    rules = tuple(FaultRule(fault=Fault(kind=kind), rate=0.05) for kind in (FaultKind.HANG, FaultKind.SERVER_ERROR))
    injector = FaultInjector(FaultPlan(rules=rules, max_per_sample=None))
    drawn = [injector.draw("p", "submit", f"s{i}") for i in range(10_000)]
    kinds = [fault.kind for fault in drawn if fault]
    assert abs(kinds.count(FaultKind.HANG) - 500) < 100
    assert abs(kinds.count(FaultKind.SERVER_ERROR) - 500) < 100


def test_the_transient_mix_has_five_equal_parts() -> None:
    injector = FaultInjector(transient_faults(0.25))
    drawn = [injector.draw("p", "submit", f"s{i}") for i in range(10_000)]
    shares = Counter((fault.kind, fault.status) for fault in drawn if fault)
    assert len(shares) == 5
    assert all(abs(count - 500) < 100 for count in shares.values())


def test_rules_keep_to_their_platforms_and_kinds_of_call() -> None:
    rule = FaultRule(fault=Fault(kind=FaultKind.HANG), rate=1.0, platforms=("p",), on="poll")
    injector = FaultInjector(FaultPlan(rules=(rule,)))
    assert injector.draw("p", "submit", "s") is None
    assert injector.draw("q", "poll", "s") is None
    assert injector.draw("p", "poll", "s") is not None


def test_the_queue_goes_first_and_counts_down() -> None:
    injector = FaultInjector(FaultPlan())
    injector.enqueue(QueuedFault(fault=Fault(kind=FaultKind.HANG), platform="p", count=2))
    assert injector.draw("q", "submit", "s") is None
    assert [injector.draw("p", "submit", "s") is not None for _ in range(3)] == [True, True, False]


def test_a_fault_plan_can_be_changed_while_it_runs(asker: Asker, tmp_path: Path) -> None:
    asker.admin("PUT", "faults", plan(1.0, max_per_sample=None).model_dump(mode="json"))
    with pytest.raises(httpx.TransportError):
        asker.ask("tencent")
    asker.admin("DELETE", "faults")
    assert asker.ask("tencent").status_code == 200
    response = asker.client.put("/_admin/faults", json={"rules": [{"rate": 2}]})
    assert response.status_code == 400
    assert "rules.0.fault: Field required" in response.json()["problems"]
