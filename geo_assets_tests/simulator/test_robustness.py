"""Whatever a client sends, the platform answers in its own words and the simulator stays up."""

import copy
import json
from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from geo_assets.simulator.world import World
from geo_assets_tests.simulator.conftest import ASKING, Asker, simulator_config

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 99) | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["type", "text", "role"]), inner),
    max_leaves=6,
)
COMPATIBLE = ("/compatible-mode/v1/responses", {"model": "qwen3.7-max", "input": [{"role": "user", "content": "{q}"}]})
EXTRAS = ["metadata", "reasoning", "tools", "include", "thinking", "parameters", "stream_options", "web_search_options"]


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    keys = list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else []
    return [path] * bool(path) + [place for key in keys for place in places(value[key], (*path, key))]


@pytest.mark.parametrize("platform", [*ASKING, "qwen-compatible"])
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_change_to_a_request_is_answered_or_refused(tmp_path: Path, platform: str, data: st.DataObject) -> None:
    path, template = ASKING.get(platform, COMPATIBLE)
    body = copy.deepcopy(template)
    place = data.draw(st.sampled_from([*places(body), *((extra,) for extra in EXTRAS)]))
    inside = body
    for key in place[:-1]:
        inside = inside[key]
    inside[place[-1]] = data.draw(JSON)
    world = World(simulator_config(tmp_path, call_log=None))
    headers = {"authorization": "Bearer simulated", "ark-beta-doubao-app": "true"}
    decision = world.handle(platform, "POST", path, headers, json.dumps(body).encode())
    assert decision.reply is not None
    assert decision.reply.status in {200, 400, 403, 404}


def test_a_wrong_date_is_refused_with_its_remedy(asker: Asker) -> None:
    response = asker.ask("tencent", x_geo_date="yesterday")
    assert response.status_code == 400
    assert "x-geo-date: give an ISO date" in response.json()["detail"]


def test_a_client_that_leaves_early_disturbs_nobody(asker: Asker) -> None:
    asker.admin("PUT", "latency", {"platform": "tencent", "latency": {"median": 0.5}})
    with pytest.raises(httpx.ReadTimeout):
        asker.client.post("/p/tencent/v1/chat/completions", json=asker.body("tencent"), timeout=0.1)
    assert asker.ask("qwen").status_code == 200
