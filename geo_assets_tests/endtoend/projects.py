"""Small projects for end-to-end tests: the demo folder with fewer questions, and `geo` as users call it."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parents[2]
TEXT = "utf-8"


def make_project(
    folder: Path,
    *,
    questions: int = 4,
    repeats: int = 1,
    platforms: tuple[str, ...] = ("tencent", "qwen", "doubao", "doubao-app", "chatgpt", "deepseek"),
    monitors: tuple[str, ...] = ("robot-vacuums-zh", "luggage-en"),
) -> Path:
    """A copy of the demo folder with the first questions of each monitor, on some platforms."""
    (folder / "monitors").mkdir(parents=True)
    shutil.copy(ROOT / "data/project.yaml", folder)
    # Options have types (true is no string), so this file is read with them.
    document = yaml.load((ROOT / "data/platforms.yaml").read_text(TEXT), yaml.CSafeLoader)
    document["platforms"] = [p for p in document["platforms"] if p["id"] in platforms]
    write(folder / "platforms.yaml", document)
    for name in monitors:
        monitor = yaml.load((ROOT / f"data/monitors/{name}.yaml").read_text(TEXT), yaml.CBaseLoader)
        monitor["questions"] = monitor["questions"][:questions]
        monitor["repeats"] = str(repeats)
        monitor.pop("daily_budget", None)  # names currencies of platforms that may not be here
        monitor["platforms"] = [{"id": p["id"]} for p in monitor["platforms"] if p["id"] in platforms]
        write(folder / "monitors" / f"{name}.yaml", monitor)
    return folder


def write(path: Path, value: Any) -> None:
    """A value as YAML; all scalars stay the strings they are."""
    path.write_text(yaml.safe_dump(value, allow_unicode=True, sort_keys=False), TEXT)


def add_alias(monitor: Path, alias: str) -> None:
    """Give a monitor's own brand one more name."""
    document = yaml.load(monitor.read_text(TEXT), yaml.CBaseLoader)
    document["brand"]["aliases"] = [*document["brand"].get("aliases", []), alias]
    write(monitor, document)


def geo(folder: Path, *arguments: str, check: bool = True, **env: str) -> "subprocess.CompletedProcess[str]":
    """Call `geo` on a project as a user would, in a process of its own."""
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("GEO_", "DAGSTER"))}
    done = subprocess.run(
        [sys.executable, "-m", "geo_assets.cli", *arguments, "--data", str(folder)],
        env={**clean, **env},
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    if check and done.returncode:
        logs = "\n".join(f.read_text(TEXT)[-3000:] for f in sorted(folder.glob("*/logs/*.log")))
        raise AssertionError(f"geo {' '.join(arguments)} → {done.returncode}\n{done.stdout}\n{done.stderr}\n{logs}")
    return done


def run(folder: Path, *arguments: str, **env: str) -> dict[str, Any]:
    """`geo run --json`, parsed."""
    found: dict[str, Any] = json.loads(geo(folder, "run", "--json", *arguments, **env).stdout)
    return found


def bytes_below(folder: Path, *names: str) -> dict[str, bytes]:
    """Content of every file below some output folders of the simulated profile, by relative path."""
    root = folder / "simulated"
    return {
        str(path.relative_to(root)): path.read_bytes()
        for name in names
        for path in sorted((root / name).rglob("*"))
        if path.is_file()
    }
