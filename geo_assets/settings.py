"""Environment and folder → `Settings`: where everything of one (data folder, profile) lives. No secrets are kept here.

Every profile has a ledger, an evidence store, a lake and a Dagster storage of its own, so that simulated and live rows
cannot meet. All locations can be moved by environment variables; everything else follows from the data folder.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

Profile = Literal["simulated", "live"]


class SettingsError(ValueError):
    """An environment variable holds something unusable; the message names it and the remedy."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Where a project's inputs and outputs are. Roots are local paths or fsspec URLs (`s3://bucket/prefix`)."""

    data_dir: Path
    profile: Profile
    ledger_url: str
    evidence_root: str
    lake_root: str
    archive_root: str
    report_root: str
    dagster_home: Path
    simulator_url: str | None
    fault_plan: Path | None
    answers_file: Path | None

    @property
    def simulated(self) -> bool:
        """True where answers come from the embedded simulator."""
        return self.profile == "simulated"

    @property
    def outputs(self) -> Path:
        """The profile's local folder: ledger, Dagster storage, simulator logs, and by default everything else."""
        return self.data_dir / self.profile

    @property
    def call_log(self) -> Path:
        """The simulator's append-only log of calls."""
        return self.outputs / "simulator" / "calls.jsonl"

    def environment(self) -> dict[str, str]:
        """Variables that make a child process see the same settings."""
        env = {"GEO_DATA": str(self.data_dir), "GEO_PROFILE": self.profile, "DAGSTER_HOME": str(self.dagster_home)}
        if self.simulator_url:
            env["GEO_SIMULATOR_URL"] = self.simulator_url
        return env


def find_data_dir(env: Mapping[str, str]) -> Path:
    """The data folder: `GEO_DATA`, else `data` below the working directory, else the one beside the package."""
    if env.get("GEO_DATA"):
        return Path(env["GEO_DATA"]).expanduser().resolve()
    here = Path.cwd() / "data"
    if (here / "platforms.yaml").is_file():
        return here.resolve()
    return (Path(__file__).resolve().parents[1] / "data").resolve()


def load_settings(data_dir: Path | str | None = None, env: Mapping[str, str] | None = None) -> Settings:
    """Settings from the environment. Raises SettingsError on an unknown profile."""
    env = os.environ if env is None else env
    profile = env.get("GEO_PROFILE") or "simulated"
    if profile not in ("simulated", "live"):
        msg = f"GEO_PROFILE is {profile!r}; use `simulated` (no keys needed) or `live`"
        raise SettingsError(msg)
    data = Path(data_dir).expanduser().resolve() if data_dir else find_data_dir(env)
    out = data / profile

    def path(name: str) -> Path | None:
        return Path(env[name]).expanduser().resolve() if env.get(name) else None

    return Settings(
        data_dir=data,
        profile="live" if profile == "live" else "simulated",
        ledger_url=env.get("GEO_LEDGER_URL") or f"sqlite:///{out / 'ledger' / 'ledger.db'}",
        evidence_root=env.get("GEO_EVIDENCE_ROOT") or str(out / "evidence"),
        lake_root=env.get("GEO_LAKE_ROOT") or str(out / "lake"),
        archive_root=env.get("GEO_ARCHIVE_ROOT") or str(out / "archive"),
        report_root=env.get("GEO_REPORT_ROOT") or str(out / "report"),
        dagster_home=out / "dagster",
        simulator_url=env.get("GEO_SIMULATOR_URL") or None,
        fault_plan=path("GEO_FAULT_PLAN"),
        answers_file=path("GEO_ANSWERS"),
    )
