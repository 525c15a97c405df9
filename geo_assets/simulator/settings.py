"""What a simulator is made of: platforms, markets, answer rates, faults, files. One JSON document describes it all.

What belongs here: the shapes, their defaults, and how to derive them from the project's own configuration. What does
not: behaviour, which is in the modules that take these as arguments.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import Field

from geo_assets.model.configuration import Platform, Slug, Strict, Text
from geo_assets.simulator.faults import FaultPlan
from geo_assets.simulator.market import Market

SIMULATED_KEY = "simulated"

REAL_SEARCH_LIMITS: dict[str, float] = {"tencent-tokenhub": 5.0, "dashscope": 15.0, "ark-responses": 5.0}
"""Searches a second that the real platforms allow an account."""


class Latency(Strict):
    """Time to an answer in seconds, log-normal: `median * exp(sigma * N(0, 1))`, at most `maximum`.

    `sigma` 0 makes it constant, `median` 0 answers at once. With a sample id the draw depends on it alone.
    """

    median: Annotated[float, Field(ge=0)] = 0.0
    sigma: Annotated[float, Field(ge=0, le=3)] = 0.0
    maximum: Annotated[float, Field(gt=0)] = 120.0


class AnswerRates(Strict):
    """Shares of answers that are no ordinary answer. What remains is ordinary."""

    refused: Annotated[float, Field(ge=0, le=1)] = 0.01
    empty: Annotated[float, Field(ge=0, le=1)] = 0.005
    truncated: Annotated[float, Field(ge=0, le=1)] = 0.005
    unsearched: Annotated[float, Field(ge=0, le=1)] = 0.01


class SimulatedPlatform(Strict):
    """One platform as the simulator plays it.

    `per_second` is the platform's true limit on questions (polls are free), with `burst` calls at once on top and
    `tolerance` seconds for jitter on the way; None = unlimited. `search_per_second` is the limit on searches: some
    platforms answer 429 above it, one silently answers without a search. `latency` is the time to an answer, or the
    duration of a background job. `flavour` names the server behind an OpenAI-compatible chat route.
    """

    id: Slug
    dialect: Text
    models: Annotated[tuple[Text, ...], Field(min_length=1)]
    base_path: str | None = None
    keys: tuple[str, ...] = (SIMULATED_KEY,)
    per_second: Annotated[float, Field(gt=0)] | None = None
    burst: Annotated[int, Field(ge=1)] = 1
    tolerance: Annotated[float, Field(ge=0)] = 0.1
    search_per_second: Annotated[float, Field(gt=0)] | None = None
    latency: Latency = Latency()
    flavour: Literal["openai", "vllm", "ollama"] = "openai"


class SimulatorConfig(Strict):
    """Everything about one simulator. `call_log` None keeps no log on disk."""

    platforms: Annotated[tuple[SimulatedPlatform, ...], Field(min_length=1)]
    markets: tuple[Market, ...] = ()
    rates: AnswerRates = AnswerRates()
    faults: FaultPlan = FaultPlan()
    answers: Path | None = None
    call_log: Path | None = None
    seed: int = 0


def simulated_platforms(
    platforms: Iterable[Platform],
    *,
    latency: Latency | None = None,
    true_limits: bool = False,
    search_limits: bool = False,
) -> tuple[SimulatedPlatform, ...]:
    """The configured platforms as simulated ones.

    `true_limits` makes the configured submit rate the platform's true limit, `search_limits` applies the limits that
    the real platforms put on searches.
    """
    return tuple(
        SimulatedPlatform(
            id=platform.id,
            dialect=platform.dialect,
            models=(platform.model,),
            base_path=urlsplit(platform.base_url).path.rstrip("/"),
            per_second=platform.limits.submit.per_second if true_limits else None,
            burst=platform.limits.submit.burst if true_limits else 1,
            search_per_second=REAL_SEARCH_LIMITS.get(platform.dialect) if search_limits else None,
            latency=latency or Latency(),
            flavour="openai" if urlsplit(platform.base_url).hostname == "api.openai.com" else "vllm",
        )
        for platform in platforms
    )


def simulated_base_url(simulator_url: str, platform: Platform) -> str:
    """Where a simulator at `simulator_url` serves what `platform` has at its base URL."""
    return f"{simulator_url.rstrip('/')}/p/{platform.id}{urlsplit(platform.base_url).path.rstrip('/')}"
