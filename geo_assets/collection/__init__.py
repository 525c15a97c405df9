"""Collecting: from planned samples to settled answers. The heart.

What belongs here: the collector (claim, ask, store, settle), what each error gets, recovery after a crash. What does
not: wire formats (platforms), transactions (ledger), Dagster.
"""

from typing import Any

from geo_assets.collection.request import CollectReport, CollectRequest, Ended, Progress

__all__ = ["CollectReport", "CollectRequest", "Ended", "Progress", "collect_partition"]


def __getattr__(name: str) -> Any:
    """`collect_partition` brings the HTTP client with it: imported when it is first used."""
    if name == "collect_partition":
        from geo_assets.collection.collector import collect_partition

        return collect_partition
    raise AttributeError(name)
