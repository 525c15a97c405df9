"""Rows of `visibility_metrics` and `daily_visibility`: from tables to numbers."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from geo_assets.lake.store import Lake, Partition
from geo_assets.metrics.daily import MonitorWindows
from geo_assets.metrics.tally import Tally
from geo_assets.metrics.visibility import tally_metrics
from geo_assets.metrics.windows import window_dates
from geo_assets.projection.dictionaries import DictionaryBook
from geo_assets.projection.observing import MonitorTally, lake_tallies

if TYPE_CHECKING:
    from geo_assets.configuration.loader import LoadedProject

Pair = tuple[str, dict[str, Any]]


def metric_rows(
    tallies: Iterator[MonitorTally],
    reasons: Mapping[tuple[str, str], str],
    dictionaries: DictionaryBook,
    *,
    search_asked: bool,
    simulated: bool,
) -> list[Pair]:
    """(tenant, row) of `visibility_metrics` for all monitors of a partition.

    `reasons` says why monitors without a plan have none; they get headline rows that are null for that reason.
    """
    found = {(t.tenant, t.monitor): t.counts for t in tallies}
    rows: list[Pair] = []
    for tenant, monitor in sorted(found.keys() | reasons.keys()):
        counts = found.get((tenant, monitor), Tally())
        rows += [
            (tenant, row)
            for row in tally_metrics(
                monitor,
                dictionaries[monitor],
                counts,
                reason=None if counts.planned else reasons[tenant, monitor],
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
    search = {p.id: p.search for p in project.platforms}
    windows = {
        (tenant, monitor): MonitorWindows(
            date,
            monitor,
            dictionaries[monitor],
            platforms=names,
            weights=project.project.platform_weights,
            reasons=dict.fromkeys(names, "not_analysed")
            | {p: why for (t, m, p), why in reasons.items() if (t, m) == (tenant, monitor)},
            search_asked={name: search[name] for name in names if name in search},
            simulated=simulated,
        )
        for (tenant, monitor), names in sorted(_members(lake, project, date, reasons).items())
    }
    for day in window_dates(date, 28):
        for platform in project.platforms:
            for found in lake_tallies(lake, Partition(day, platform.id), dictionaries, simulated=simulated):
                mine = windows.get((found.tenant, found.monitor))
                if mine is not None and platform.id in mine.platforms:
                    mine.add(platform.id, day, found.counts)
    for (tenant, _), mine in windows.items():
        yield from ((tenant, row) for row in mine.rows())


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
