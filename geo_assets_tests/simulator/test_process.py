"""The server as a process: call log, restarts, limits, background jobs, parents."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest

from geo_assets.model.configuration import Lane, Limits, Platform, PriceVersion
from geo_assets.simulator.calllog import CallLog, accepted_submits, read_call_log
from geo_assets.simulator.limiter import TrueLimit
from geo_assets.simulator.process import SimulatorProcess
from geo_assets.simulator.settings import (
    Latency,
    SimulatedPlatform,
    SimulatorConfig,
    simulated_base_url,
    simulated_platforms,
)
from geo_assets_tests.simulator.conftest import PLATFORMS, QUESTION_EN, Asker, simulator_config


def test_the_log_counts_accepted_calls_across_restarts(tmp_path: Path) -> None:
    config = simulator_config(tmp_path)
    bodies = []
    for _ in range(2):
        with SimulatorProcess(config) as process, Asker(process.url) as asker:
            bodies.append(asker.ask("tencent", x_geo_sample="s1", x_geo_date="2026-11-29", x_geo_attempt="a1").json())
            asker.send("tencent", "/v1/chat/completions", {})
    calls = list(read_call_log(config.call_log))
    assert [(c.sequence, c.accepted, c.status) for c in calls] == [
        (1, True, 200),
        (2, False, 400),
        (3, True, 200),
        (4, False, 400),
    ]
    assert (calls[0].platform, calls[0].kind, calls[0].sample, calls[0].attempt) == ("tencent", "submit", "s1", "a1")
    assert (calls[0].path, calls[0].day) == ("/v1/chat/completions", "2026-11-29")
    assert len(accepted_submits(config.call_log)) == 2
    assert accepted_submits(config.call_log, "qwen") == []
    first, second = bodies
    assert first["choices"] == second["choices"]
    assert first["id"] != second["id"]


def test_a_fresh_start_gives_every_byte_again(tmp_path: Path) -> None:
    bodies = []
    for name in ("a", "b"):
        with SimulatorProcess(simulator_config(tmp_path / name)) as process, Asker(process.url) as asker:
            order = range(5) if name == "a" else reversed(range(5))
            bodies.append({n: asker.ask("gpt", x_geo_sample=f"s{n}", x_geo_date="2026-11-29").content for n in order})
    assert bodies[0] == bodies[1]


def test_without_a_sample_repeats_of_a_question_differ_and_restart_alike(tmp_path: Path) -> None:
    seen = []
    for name in ("a", "b"):
        with SimulatorProcess(simulator_config(tmp_path / name)) as process, Asker(process.url) as asker:
            seen.append([asker.ask("tencent", x_geo_date="2026-11-29").json()["choices"] for _ in range(3)])
    assert seen[0] == seen[1]
    assert len({json.dumps(choice) for choice in seen[0]}) == 3


def test_a_line_cut_by_a_crash_is_left_out_and_closed_off(tmp_path: Path) -> None:
    file = tmp_path / "calls.jsonl"
    log = CallLog(file)
    log.append(platform="p", method="POST", path="/", kind="submit", accepted=True, status=200)
    log.close()
    with file.open("a") as out:
        out.write('{"sequence": 2, "ti')
    assert len(list(read_call_log(file))) == 1
    log = CallLog(file)
    log.append(platform="p", method="POST", path="/", kind="submit", accepted=True, status=200)
    log.close()
    assert [call.sequence for call in read_call_log(file)] == [1, 2]
    assert list(read_call_log(tmp_path / "none.jsonl")) == []


def poll(asker: Asker, name: str) -> dict[str, object]:
    response = asker.send("gpt", f"/v1/responses/{name}", None, method="GET")
    assert response.status_code == 200
    return response.json()


def test_a_background_job_passes_through_its_states_and_survives_a_crash(tmp_path: Path) -> None:
    slow = PLATFORMS[4].model_copy(update={"latency": Latency(median=1.5)})
    config = simulator_config(tmp_path, platforms=(slow,))
    with SimulatorProcess(config) as process, Asker(process.url) as asker:
        body = asker.body("gpt", QUESTION_EN) | {"background": True}
        made = asker.send("gpt", "/v1/responses", body, x_geo_sample="s1").json()
        assert (made["status"], made["output"], made["usage"]) == ("queued", [], None)
        cancelled = asker.send("gpt", "/v1/responses", body).json()["id"]
        assert asker.send("gpt", f"/v1/responses/{cancelled}/cancel", {}).json()["status"] == "cancelled"
        time.sleep(0.5)
        assert poll(asker, made["id"])["status"] == "in_progress"
        process.kill()
    with SimulatorProcess(config) as process, Asker(process.url) as asker:
        time.sleep(1.2)
        done = poll(asker, made["id"])
        assert done["status"] == "completed"
        assert done["background"] is True
        assert poll(asker, made["id"])["output"] == done["output"]
        assert poll(asker, cancelled)["status"] == "cancelled"
        assert asker.send("gpt", f"/v1/responses/{made['id']}/cancel", {}).json()["status"] == "completed"
    assert [call.kind for call in read_call_log(config.call_log)][:3] == ["submit", "submit", "cancel"]


def test_jobs_that_do_not_exist_or_are_not_in_the_background(asker: Asker) -> None:
    assert asker.send("gpt", "/v1/responses/resp_none", None, method="GET").status_code == 404
    blocking = asker.ask("gpt").json()["id"]
    assert poll(asker, blocking)["status"] == "completed"
    response = asker.send("gpt", f"/v1/responses/{blocking}/cancel", {})
    assert (response.status_code, response.json()["error"]["message"]) == (400, "Cannot cancel a synchronous response.")
    assert asker.send("gpt", f"/v1/responses/{blocking}", None, method="DELETE").json()["deleted"] is True
    assert asker.send("gpt", f"/v1/responses/{blocking}", None, method="GET").status_code == 404
    wrong = asker.send("gpt", f"/v1/responses/{blocking}", None, method="GET", authorization="Bearer wrong")
    assert wrong.status_code == 401


def test_a_failed_job_is_a_200_with_the_failure_inside(asker: Asker) -> None:
    asker.next_fault("job_failed", "gpt")
    made = asker.send("gpt", "/v1/responses", asker.body("gpt") | {"background": True}).json()
    done = poll(asker, made["id"])
    assert (done["status"], done["error"]["code"]) == ("failed", "server_error")


def test_the_true_limit_is_strict_in_the_long_run_and_forgives_jitter() -> None:
    now = [0.0]
    limit = TrueLimit(10, burst=1, tolerance=0.05, clock=lambda: now[0])
    assert limit.wait() == 0.0
    assert limit.wait() == pytest.approx(0.05)
    now[0] = 0.06
    assert limit.wait() == 0.0
    now[0] = 0.1
    assert limit.wait() > 0
    taken = 0
    for tick in range(10_000):
        now[0] = 1 + tick / 1000
        taken += limit.wait() == 0.0
    assert 99 <= taken <= 101


def test_a_burst_is_allowed_at_once_and_only_once() -> None:
    limit = TrueLimit(1, burst=3, tolerance=0, clock=lambda: 5.0)
    assert [limit.wait() == 0.0 for _ in range(4)] == [True, True, True, False]


def test_calls_over_the_true_limit_get_the_platforms_429_and_are_counted(asker: Asker) -> None:
    asker.admin("PUT", "limits", {"platform": "tencent", "per_second": 0.1, "tolerance": 0})
    statuses = [asker.ask("tencent").status_code for _ in range(3)]
    assert statuses == [200, 429, 429]
    stats = asker.admin("GET", "stats")["tencent"]
    assert (stats["violations"], stats["accepted"], stats["status:429"]) == (2, 1, 2)
    assert asker.ask("qwen").status_code == 200


def test_above_the_search_limit_dashscope_skips_silently_and_others_refuse(tmp_path: Path) -> None:
    platforms = tuple(p.model_copy(update={"search_per_second": 0.1}) for p in PLATFORMS[:2])
    with SimulatorProcess(simulator_config(tmp_path, platforms=platforms)) as process, Asker(process.url) as asker:
        bodies = [asker.ask("qwen").json() for _ in range(2)]
        assert ["search_info" in body["output"] for body in bodies] == [True, False]
        assert [asker.ask("tencent").status_code for _ in range(2)] == [200, 429]


def test_latency_is_log_normal_and_can_be_changed(asker: Asker) -> None:
    asker.admin("PUT", "latency", {"platform": "tencent", "latency": {"median": 0.2}})
    started = time.monotonic()
    asker.ask("tencent")
    assert time.monotonic() - started >= 0.2


def test_it_dies_with_its_parent(tmp_path: Path) -> None:
    code = (
        "import sys, os, time\n"
        "from geo_assets.simulator.process import SimulatorProcess\n"
        "from geo_assets.simulator.settings import SimulatorConfig\n"
        "process = SimulatorProcess(SimulatorConfig.model_validate_json(sys.argv[1])).start()\n"
        "print(process.url, process.pid, flush=True)\n"
        "os._exit(1)\n"
    )
    config = simulator_config(tmp_path).model_dump_json()
    done = subprocess.run([sys.executable, "-c", code, config], capture_output=True, text=True, check=False)
    url, pid = done.stdout.split()
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        try:
            os.kill(int(pid), 0)
        except ProcessLookupError:
            break
        time.sleep(0.1)
    with pytest.raises(httpx.ConnectError):
        httpx.get(f"{url}/_admin/health", timeout=1)


def test_an_unknown_dialect_is_named_before_anything_is_served(tmp_path: Path) -> None:
    config = SimulatorConfig(platforms=(SimulatedPlatform(id="x", dialect="smoke-signals", models=("m",)),))
    with pytest.raises(RuntimeError, match="did not start"):
        SimulatorProcess(config).start()


def test_the_command_takes_platforms_faults_and_answers_from_files(tmp_path: Path) -> None:
    platforms = tmp_path / "platforms.json"
    platforms.write_text(json.dumps([PLATFORMS[0].model_dump(mode="json")]))
    answers = tmp_path / "answers.jsonl"
    answers.write_text(
        json.dumps({"question": "Hello?", "answer_text": "Exactly **this** 🪑\n\n- and that", "citations": []})
    )
    process = subprocess.Popen(
        [
            sys.executable, "-m", "geo_assets.simulator", "--platforms", str(platforms), "--answers", str(answers),
            "--call-log", str(tmp_path / "log/calls.jsonl"),
        ],
        env={**os.environ, "GEO_SIMULATOR_FAULTS": json.dumps({"rules": []})},
        stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        url = process.stdout.readline().removeprefix("ready ").strip()
        with Asker(url) as asker:
            reply = asker.ask("tencent", "Hello?").json()
            assert reply["choices"][0]["message"]["content"] == "Exactly **this** 🪑\n\n- and that"
            assert asker.admin("GET", "health") == {"platforms": {"tencent": "/p/tencent/v1"}}
    finally:
        process.terminate()
        process.wait()
        process.stdout.close()
    assert len(accepted_submits(tmp_path / "log/calls.jsonl")) == 1


def test_the_command_names_the_field_that_is_wrong(tmp_path: Path) -> None:
    platforms = tmp_path / "platforms.json"
    platforms.write_text(json.dumps([{"id": "x", "dialect": "openai-chat", "models": []}]))
    done = subprocess.run(
        [sys.executable, "-m", "geo_assets.simulator", "--platforms", str(platforms)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert "platforms.0.models" in done.stderr


def test_simulated_platforms_come_from_configured_ones() -> None:
    configured = Platform(
        id="qwen", name="Qwen", dialect="dashscope", model="qwen3-max",
        base_url="https://dashscope.aliyuncs.com/api/v1",
        limits=Limits(submit=Lane(per_second=3, burst=2)),
        prices=(PriceVersion(version="1", valid_from="2026-01-01", currency="CNY"),),
    )  # fmt: skip
    (platform,) = simulated_platforms([configured], true_limits=True, search_limits=True)
    assert (platform.models, platform.base_path) == (("qwen3-max",), "/api/v1")
    assert (platform.per_second, platform.burst, platform.search_per_second) == (3, 2, 15.0)
    assert simulated_platforms([configured])[0].per_second is None
    assert simulated_base_url("http://127.0.0.1:9", configured) == "http://127.0.0.1:9/p/qwen/api/v1"
