"""The Dagster home of a profile: its folder, its `dagster.yaml`, and an environment that points there."""

import os
import shutil
from pathlib import Path

from geo_assets.settings import Settings

_PACKAGED = Path(__file__).resolve().parents[1] / "resources" / "dagster.yaml"


def prepare_home(settings: Settings) -> Path:
    """Make the profile's DAGSTER_HOME with the instance configuration; returns it.

    GEO_DAGSTER_YAML names another configuration (Postgres storage, say).
    """
    home = settings.dagster_home
    home.mkdir(parents=True, exist_ok=True)
    source = Path(os.environ.get("GEO_DAGSTER_YAML") or _PACKAGED)
    target = home / "dagster.yaml"
    if not target.exists() or target.read_bytes() != source.read_bytes():
        shutil.copyfile(source, target)
    return home


def child_environment(settings: Settings, simulator_url: str | None = None) -> dict[str, str]:
    """The environment for processes that work on this project."""
    env = {**os.environ, **settings.environment()}
    if simulator_url:
        env["GEO_SIMULATOR_URL"] = simulator_url
    return env
