"""Platform clients: connectors, keys, base URLs and limits of the platforms, and collecting with them.

In the simulated profile calls go to the embedded simulator; keys come from the environment in the live one. Rate
limiters are rows of the ledger that all processes share; this resource only carries the configured limits to them.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import dagster as dg

from geo_assets.resources.project import ProjectResource

if TYPE_CHECKING:
    from geo_assets.collection.request import Progress
    from geo_assets.evidence.store import EvidenceStore
    from geo_assets.ledger import Ledger
    from geo_assets.model.configuration import Platform

LOG_EVERY = 30.0


class PlatformClients(dg.ConfigurableResource["PlatformClients"]):
    """Access to the configured platforms with their rate limiters."""

    project: ProjectResource

    @contextmanager
    def base_url(self, platform: "Platform") -> Iterator[str]:
        """Where calls to a platform go: its own address, or the simulator's for as long as the block runs."""
        settings = self.project.settings
        if not settings.simulated:
            yield platform.base_url
            return
        from geo_assets.simulator.embedded import running_simulator
        from geo_assets.simulator.settings import simulated_base_url

        with running_simulator(settings, self.project.load()) as url:
            yield simulated_base_url(url, platform)

    def collect(
        self,
        ledger: "Ledger",
        store: "EvidenceStore",
        date: str,
        platform_id: str,
        *,
        slice_minutes: float,
        whole_day: bool,
        monitors: tuple[str, ...],
        should_stop: Callable[[], bool],
        log: Callable[[str], Any],
    ) -> dict[str, Any]:
        """Work on a partition for one slice; returns metadata about it. Asks nobody where nothing is open."""
        from geo_assets.collection.alerts import destinations_of
        from geo_assets.collection.collector import collect_partition
        from geo_assets.collection.planning import keyless
        from geo_assets.collection.requests import Slice, collect_request, keys_of
        from geo_assets.configuration.clock import capture_date, zone_of
        from geo_assets.platforms.registry import connector
        from geo_assets.simulator.settings import SIMULATED_KEY

        loaded, settings = self.project.load(), self.project.settings
        platform = loaded.platform(platform_id)
        today = capture_date(datetime.now(UTC), zone_of(loaded.project))
        if whole_day and date == today:
            reopened = ledger.reopen(date, platform_id, who="operator", reason="asked again beyond the window")
            if reopened:
                log(f"{reopened} samples that the window had cut off are asked after all")
        if ledger.status(date, platform_id).open == 0:
            return {"ended": "nothing was open"}
        if not settings.simulated and keyless(platform):
            log(f"{platform_id} has no key ({keyless(platform)}): its open samples wait")
        with self.base_url(platform) as base_url:
            request = collect_request(
                loaded,
                platform,
                date,
                Slice(slice_minutes, whole_day, monitors),
                base_url=base_url,
                keys=keys_of(platform, settings.profile, SIMULATED_KEY),
                destinations=destinations_of(loaded.project, simulated=settings.simulated),
            )
            report = collect_partition(
                request,
                ledger=ledger,
                evidence=store,
                connector=connector(platform.dialect),
                on_progress=_throttled(log),
                on_alert=lambda alert: log(f"ALERT {alert}"),
                should_stop=should_stop,
            )
        return {
            "ended": report.ended.value,
            "calls": report.calls,
            "answered now": report.answered,
            "retried": report.retried,
            "throttled": report.throttled,
            "uncertain": report.uncertain,
            "seconds": round(report.elapsed_seconds, 1),
            "calls per second": round(report.calls / max(report.elapsed_seconds, 0.001), 2),
            "most in flight": report.peak_in_flight,
            **({"alerts": "\n".join(str(alert) for alert in report.alerts)} if report.alerts else {}),
        }


def _throttled(log: Callable[[str], Any]) -> "Callable[[Progress], None]":
    """A progress callback that logs the first report, then one every `LOG_EVERY` seconds."""
    last = [0.0]

    def on_progress(progress: "Progress") -> None:
        now = time.monotonic()
        if last[0] and now - last[0] < LOG_EVERY:
            return
        last[0] = now
        notes = f"; {'; '.join(progress.notes)}" if progress.notes else ""
        log(
            f"{progress.platform}: {progress.done}/{progress.planned} done, {progress.in_flight} in flight, "
            f"{progress.calls} calls, {progress.retried} retried, {progress.throttled} throttled, "
            f"{progress.elapsed_seconds:.0f} s{notes}"
        )

    return on_progress
