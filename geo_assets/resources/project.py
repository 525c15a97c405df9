"""The project of this process: settings, configuration files, and the dictionaries that answers are read with."""

from typing import TYPE_CHECKING

import dagster as dg
from pydantic import PrivateAttr

from geo_assets.settings import Settings, load_settings

if TYPE_CHECKING:
    from geo_assets.configuration.loader import LoadedProject


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
            from geo_assets.configuration.loader import load_project
            from geo_assets.platforms.registry import connector

            self._loaded = load_project(self.settings.data_dir, dialects=connector)
        return self._loaded

    def dictionaries_hash(self) -> str:
        """One hash over the dictionaries of all valid monitors, from the files as they are now."""
        from geo_assets.configuration.dictionaries import dictionary
        from geo_assets.configuration.loader import load_project
        from geo_assets.model.text import content_hash

        loaded = load_project(self.settings.data_dir)
        return content_hash({m.id: dictionary(m, loaded.project).hash for m in loaded.monitors.values()})

    def reading_inputs_hash(self) -> str:
        """One hash over dictionaries and people's decisions: everything but evidence and rules that affects reading."""
        from geo_assets.projection.reviews import ReviewBook

        return f"{self.dictionaries_hash()[:32]}{ReviewBook(self.settings).hash[:32]}"
