"""The embedded simulator of a project: its platforms, its markets, its call log.

What belongs here: from settings and configuration to a running simulator. What does not: how it answers.
"""

import json
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from geo_assets.settings import Settings
from geo_assets.simulator.faults import FaultPlan
from geo_assets.simulator.market import market_from_monitors
from geo_assets.simulator.process import SimulatorProcess
from geo_assets.simulator.settings import Latency, SimulatorConfig, simulated_platforms

if TYPE_CHECKING:
    from geo_assets.configuration.loader import LoadedProject

DEMO_LATENCY = Latency(median=0.4, sigma=0.5, maximum=8.0)


def simulator_config(
    settings: Settings, project: "LoadedProject", *, latency: Latency | None = None
) -> SimulatorConfig:
    """The simulator's configuration for a project: every platform, a market per monitor, replayed answers, faults."""
    faults = FaultPlan()
    if settings.fault_plan:
        faults = FaultPlan.model_validate_json(settings.fault_plan.read_text(encoding="utf-8"))
    return SimulatorConfig(
        platforms=simulated_platforms(project.platforms, latency=latency or DEMO_LATENCY),
        markets=market_from_monitors(project.monitors.values()),
        faults=faults,
        answers=settings.answers_file,
        call_log=settings.call_log,
    )


def is_up(url: str) -> bool:
    """Whether a simulator answers at this address."""
    try:
        with urllib.request.urlopen(f"{url.rstrip('/')}/_admin/stats", timeout=2) as response:  # noqa: S310 - loopback
            json.load(response)
    except (OSError, ValueError, urllib.error.URLError):
        return False
    return True


@contextmanager
def running_simulator(settings: Settings, project: "LoadedProject") -> Iterator[str]:
    """The address of a simulator: the one of `GEO_SIMULATOR_URL` if it is up, else one of our own for this block."""
    if settings.simulator_url and is_up(settings.simulator_url):
        yield settings.simulator_url
        return
    settings.call_log.parent.mkdir(parents=True, exist_ok=True)
    with SimulatorProcess(simulator_config(settings, project)) as process:
        yield process.url
