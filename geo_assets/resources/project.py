"""The project of this process: settings, configuration files, and the dictionaries that answers are read with."""

from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import dagster as dg
from pydantic import PrivateAttr

from geo_assets.settings import Settings, load_settings

if TYPE_CHECKING:
    from geo_assets.configuration.loader import LoadedProject


Signature = tuple[tuple[str, int, int, int], ...]
"""Name, inode, size and time of the last change in nanoseconds of every configuration file."""


def present_project(folder: Path) -> "LoadedProject":
    """The configuration as its files are now, checked against the wire formats. Raises ConfigurationError.

    Read anew where a file or the capture date has changed since the last time: the resources of a run share one copy.
    """
    from geo_assets.configuration.clock import capture_date, zone_of
    from geo_assets.configuration.loader import load_project_settings
    from geo_assets.configuration.problems import ConfigurationError

    signature = _signature(folder)
    try:
        today = capture_date(datetime.now(UTC), zone_of(load_project_settings(folder)))
    except ConfigurationError:
        today = None  # reading the whole folder says all that is wrong with it
    return _read(folder, signature, today)


def _signature(folder: Path) -> Signature:
    from geo_assets.configuration.loader import PLATFORMS_FILE, PROJECT_FILE, monitor_files

    found = []
    for path in (folder / PROJECT_FILE, folder / PLATFORMS_FILE, *monitor_files(folder)):
        if path.exists():
            status = path.stat()
            found.append((path.name, status.st_ino, status.st_size, status.st_mtime_ns))
    return tuple(found)


@lru_cache(maxsize=1)
def _read(folder: Path, _signature: Signature, today: str | None) -> "LoadedProject":
    from geo_assets.configuration.loader import load_project
    from geo_assets.platforms.registry import connector

    return load_project(folder, dialects=connector, today=today)


class ProjectResource(dg.ConfigurableResource["ProjectResource"]):
    """Settings and configuration of one data folder. Files are read when first asked for, once per run."""

    data_dir: str = ""
    """The data folder; empty = as the environment says (`GEO_DATA`)."""

    _loaded: "LoadedProject | None" = PrivateAttr(default=None)

    @property
    def settings(self) -> Settings:
        """Where this project's inputs and outputs are."""
        return load_settings(self.data_dir or None)

    def load(self) -> "LoadedProject":
        """The whole configuration; broken monitors are in `.problems`, not in `.monitors`."""
        if self._loaded is None:
            self._loaded = present_project(self.settings.data_dir)
        return self._loaded

    def dictionaries_hash(self) -> str:
        """One hash over the dictionaries of all valid monitors, from the files as they are now."""
        from geo_assets.configuration.dictionaries import dictionary
        from geo_assets.model.text import content_hash

        loaded = present_project(self.settings.data_dir)
        return content_hash({m.id: dictionary(m, loaded.project).hash for m in loaded.monitors.values()})

    def reading_inputs_hash(self) -> str:
        """One hash over dictionaries and people's decisions: everything but evidence and rules that affects reading."""
        from geo_assets.projection.reviews import ReviewBook

        return f"{self.dictionaries_hash()[:32]}{ReviewBook(self.settings).hash[:32]}"
