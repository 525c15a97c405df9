"""Partitions: days in the project's zone × platforms.

`end_offset=1`, because the key of a capture is the day on which it is asked; without it, today's partition would not
exist until midnight. Platforms are static: they are code (each needs a connector) and are retired, never removed. The
two files read here are the only ones read when the code location loads.
"""

from functools import cache
from typing import NamedTuple

import dagster as dg

from geo_assets.configuration.loader import load_platforms, load_project_settings
from geo_assets.model.configuration import Platform, Project
from geo_assets.settings import load_settings


class GridKey(NamedTuple):
    """A partition of the grid."""

    date: str
    platform: str

    @property
    def key(self) -> dg.MultiPartitionKey:
        """The key as Dagster has it."""
        return dg.MultiPartitionKey({"date": self.date, "platform": self.platform})

    @classmethod
    def parse(cls, key: str) -> "GridKey":
        """From a key string, `2026-11-29|qwen` (dimensions stand in alphabetical order)."""
        date, _, platform = key.partition("|")
        return cls(date, platform)


@cache
def project() -> Project:
    """The project's settings, from `project.yaml`."""
    return load_project_settings(load_settings().data_dir)


@cache
def platforms() -> tuple[Platform, ...]:
    """All platforms, retired ones included, from `platforms.yaml`."""
    return load_platforms(load_settings().data_dir)


dates = dg.DailyPartitionsDefinition(project().start_date, timezone=project().timezone, end_offset=1)
platform_names = dg.StaticPartitionsDefinition([p.id for p in platforms()])
grid = dg.MultiPartitionsDefinition({"date": dates, "platform": platform_names})


def grid_key(context: dg.AssetExecutionContext) -> GridKey:
    """The partition that a grid asset is materialized for."""
    return GridKey.parse(context.partition_key)
