"""Rows of `visibility_metrics` and `daily_visibility`: from tables to numbers."""

import heapq
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import product
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
AT_ONCE = 5_000
"""Samples of a day whose sums are held at once."""


def metric_rows(
    tallies: Iterator[MonitorTally],
    reasons: Mapping[tuple[str, str], str],
    dictionaries: DictionaryBook,
    *,
    search_asked: bool,
    simulated: bool,
) -> Iterator[Pair]:
    """(tenant, row) of `visibility_metrics` for all monitors of a partition, one monitor at a time.

    `reasons` says why monitors without a plan have none; they get headline rows that are null for that reason.
    """
    unplanned = ((tenant, monitor, Tally()) for tenant, monitor in sorted(reasons))
    planned = ((t.tenant, t.monitor, t.counts) for t in tallies)
    last: tuple[str, str] | None = None
    for tenant, monitor, counts in heapq.merge(planned, unplanned, key=lambda item: item[:2]):
        if (tenant, monitor) == last:  # planned meanwhile
            continue
        last = tenant, monitor
        why = None if counts.planned else reasons[tenant, monitor]
        rows = tally_metrics(
            monitor, dictionaries[monitor], counts, reason=why, search_asked=search_asked, simulated=simulated
        )
        yield from ((tenant, row) for row in rows)


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

    Monitors are worked on a few at a time, so that memory does not grow with their number.
    `reasons`: (tenant, monitor, platform) → why nothing was planned there.
    """
    search = {p.id: p.search for p in project.platforms}
    for group in _groups(_members(lake, project, date, reasons)):
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
            for (tenant, monitor), names in group.items()
        }
        grid = product(window_dates(date, 28), [platform.id for platform in project.platforms])
        _fill(windows, lake, grid, dictionaries, simulated=simulated)
        yield from _drained(windows)


def _fill(
    windows: Mapping[tuple[str, str], MonitorWindows],
    lake: Lake,
    grid: Iterable[tuple[str, str]],
    dictionaries: DictionaryBook,
    *,
    simulated: bool,
) -> None:
    """Add the sums of each (date, platform) of the grid to the windows of the monitors that are asked there."""
    monitors = frozenset(monitor for _, monitor in windows)
    for date, platform in grid:
        partition = Partition(date, platform)
        for found in lake_tallies(lake, partition, dictionaries, simulated=simulated, monitors=monitors):
            mine = windows.get((found.tenant, found.monitor))
            if mine is not None and platform in mine.platforms:
                mine.add(platform, date, found.counts)


def _drained(windows: dict[tuple[str, str], MonitorWindows]) -> Iterator[Pair]:
    """The rows of all windows. Each window is let go of when its rows are made: together they are large."""
    for tenant, monitor in list(windows):
        yield from ((tenant, row) for row in windows.pop((tenant, monitor)).rows())


def _members(
    lake: Lake, project: "LoadedProject", date: str, reasons: Mapping[tuple[str, str, str], str]
) -> dict[tuple[str, str], Counter[str]]:
    """(tenant, monitor) → its platforms on a date, those with a plan and those with a reason for having none → samples.

    Sorted by tenant and monitor.
    """
    members: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for platform in project.platforms:
        reader = lake.read_or_empty("sampling_plan", Partition(date, platform.id))
        for tenant, row in reader.rows(["monitor"]):
            members[tenant, row["monitor"]][platform.id] += 1
    for tenant, monitor, platform_id in reasons:
        members[tenant, monitor][platform_id] += 0
    return dict(sorted(members.items()))


def _groups(members: Mapping[tuple[str, str], Counter[str]]) -> Iterator[dict[tuple[str, str], list[str]]]:
    """Monitors with their platforms, as many together as have `AT_ONCE` samples on the day; one at least."""
    group: dict[tuple[str, str], list[str]] = {}
    size = 0
    for key, platforms in members.items():
        samples = sum(platforms.values())
        if group and size + samples > AT_ONCE:
            yield group
            group, size = {}, 0
        group[key] = sorted(platforms)
        size += samples
    if group:
        yield group
