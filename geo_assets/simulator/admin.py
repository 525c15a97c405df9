"""The simulator's own interface below `/_admin/`: look at it and change it while it runs. JSON in, JSON out.

| method and path | what it does |
|---|---|
| GET health | platforms served |
| GET stats | counts per platform: requests, accepted, violations, statuses, faults, calls in flight |
| GET rates | true mention rates: market → platform → brand |
| PUT faults | a `FaultPlan` in place of the present one |
| POST faults/next | a `QueuedFault` for the next matching calls |
| DELETE faults | no faults at all |
| PUT latency | `{"platform": id or null, "latency": Latency}` |
| PUT limits | `{"platform": id or null, "per_second": number or null, "burst", "tolerance"}` |
| POST reset | back to the configuration |
"""

from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field, ValidationError

from geo_assets.model.configuration import Slug, Strict
from geo_assets.simulator.dialects.base import Reply, json_reply
from geo_assets.simulator.faults import FaultInjector, FaultPlan, QueuedFault
from geo_assets.simulator.market import true_rates
from geo_assets.simulator.settings import Latency

if TYPE_CHECKING:
    from geo_assets.simulator.world import PlatformState, World


class LatencyChange(Strict):
    """Another latency for one platform, or for all."""

    platform: Slug | None = None
    latency: Latency


class LimitChange(Strict):
    """Another true limit for one platform, or for all."""

    platform: Slug | None = None
    per_second: Annotated[float, Field(gt=0)] | None = None
    burst: Annotated[int, Field(ge=1)] = 1
    tolerance: Annotated[float, Field(ge=0)] = 0.1


def handle_admin(world: "World", method: str, path: str, body: bytes) -> Reply:
    """Answer one request; 400 with the reasons where the body does not fit, 404 for unknown paths and platforms."""
    try:
        result = _dispatch(world, f"{method} {path}", body)
    except ValidationError as error:
        problems = [f"{'.'.join(map(str, e['loc'])) or 'body'}: {e['msg']}" for e in error.errors()]
        return json_reply(400, {"problems": problems})
    except KeyError as error:
        return json_reply(404, {"problems": [f"unknown: {error.args[0]}"]})
    return json_reply(200, result)


def _dispatch(world: "World", call: str, body: bytes) -> Any:
    match call:
        case "GET health":
            return {"platforms": {name: f"/p/{name}{state.base_path}" for name, state in world.states.items()}}
        case "GET stats":
            return {name: _stats(state) for name, state in world.states.items()}
        case "GET rates":
            return true_rates(world.config.markets, world.states)
        case "PUT faults":
            world.injector = FaultInjector(FaultPlan.model_validate_json(body))
        case "POST faults/next":
            world.injector.enqueue(QueuedFault.model_validate_json(body))
        case "DELETE faults":
            world.injector = FaultInjector(FaultPlan())
        case "PUT latency":
            latency = LatencyChange.model_validate_json(body)
            for state in _states(world, latency.platform):
                state.latency = latency.latency
        case "PUT limits":
            limit = LimitChange.model_validate_json(body)
            for state in _states(world, limit.platform):
                state.set_limit(limit.per_second, limit.burst, limit.tolerance)
        case "POST reset":
            world.reset()
        case _:
            raise KeyError(call)
    return {"ok": True}


def _states(world: "World", platform: str | None) -> "list[PlatformState]":
    return list(world.states.values()) if platform is None else [world.states[platform]]


def _stats(state: "PlatformState") -> dict[str, int]:
    return {"accepted": 0, "violations": 0, **state.counts, "in_flight": state.in_flight}
