"""Rows of `visibility_metrics` and `daily_visibility`: from tables to numbers."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from geo_assets.lake.store import Lake, Partition
from geo_assets.metrics.daily import daily_rows, window_dates
from geo_assets.metrics.observations import Observation
from geo_assets.metrics.visibility import partition_metrics
from geo_assets.projection.dictionaries import DictionaryBook
from geo_assets.projection.observing import MonitorDay, lake_observations

if TYPE_CHECKING:
    from geo_assets.configuration.loader import LoadedProject

Pair = tuple[str, dict[str, Any]]


def metric_rows(
    days: Iterator[MonitorDay],
    reasons: Mapping[tuple[str, str], str],
    dictionaries: DictionaryBook,
    *,
    search_asked: bool,
    simulated: bool,
) -> list[Pair]:
    """(tenant, row) of `visibility_metrics` for all monitors of a partition.

    `reasons` says why monitors without a plan have none; they get headline rows that are null for that reason.
    """
    found: dict[tuple[str, str], list[Observation]] = {(d.tenant, d.monitor): d.samples for d in days}
    rows: list[Pair] = []
    for tenant, monitor in sorted(found.keys() | reasons.keys()):
        samples = found.get((tenant, monitor), [])
        rows += [
            (tenant, row)
            for row in partition_metrics(
                monitor,
                dictionaries[monitor],
                samples,
                reason=None if samples else reasons[tenant, monitor],
                search_asked=search_asked,
                simulated=simulated,
            )
        ]
    return rows


def daily_visibility_rows(
    lake: Lake,
    project: "LoadedProject",
    dictionaries: DictionaryBook,
    date: str,
    reasons: Mapping[tuple[str, str, str], str],
    *,
    simulated: bool,
) -> Iterator[Pair]:
    """(tenant, row) of `daily_visibility` for all monitors that were planned or due on `date`.

    `reasons`: (tenant, monitor, platform) → why nothing was planned there.
    """
    platforms = {p.id: p for p in project.platforms}
    members = _members(lake, project, date, reasons)
    for (tenant, monitor), names in sorted(members.items()):
        monitor_reasons = {p: why for (t, m, p), why in reasons.items() if (t, m) == (tenant, monitor)}

        def days(
            tenant: str = tenant, monitor: str = monitor, names: list[str] = names
        ) -> Iterator[tuple[str, str, list[Observation]]]:
            for day in window_dates(date, 28):
                for name in names:
                    for found in lake_observations(lake, Partition(day, name)):
                        if (found.tenant, found.monitor) == (tenant, monitor):
                            yield name, day, found.samples

        for row in daily_rows(
            date,
            monitor,
            dictionaries[monitor],
            days(),
            platforms=names,
            weights=project.project.platform_weights,
            reasons=monitor_reasons,
            search_asked={name: platforms[name].search for name in names if name in platforms},
            simulated=simulated,
        ):
            yield tenant, row


def _members(
    lake: Lake, project: "LoadedProject", date: str, reasons: Mapping[tuple[str, str, str], str]
) -> dict[tuple[str, str], list[str]]:
    """(tenant, monitor) → its platforms on a date: those with a plan and those with a reason for having none."""
    members: dict[tuple[str, str], set[str]] = {}
    for platform in project.platforms:
        reader = lake.read_or_empty("sampling_plan", Partition(date, platform.id))
        for tenant, row in reader.rows(["monitor"]):
            members.setdefault((tenant, row["monitor"]), set()).add(platform.id)
    for tenant, monitor, platform_id in reasons:
        members.setdefault((tenant, monitor), set()).add(platform_id)
    return {key: sorted(names) for key, names in members.items()}
