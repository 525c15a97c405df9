"""Cost of loading the code location against an empty `Definitions`, and of `geo --help` against `import dagster`.

Each command runs in a process of its own; medians of several rounds, taken in turn so that a noisy machine hits all.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROUNDS = int(sys.argv[1]) if len(sys.argv) > 1 else 3
BIN = Path(sys.executable).parent
ROOT = Path(__file__).resolve().parents[1]


def seconds(command: list[str], folder: Path) -> float:
    env = {**os.environ, "DAGSTER_HOME": "", "PYTHONWARNINGS": "ignore", "GEO_DATA": str(ROOT / "data")}
    env.pop("DAGSTER_HOME")
    began = time.perf_counter()
    subprocess.run(command, cwd=folder, env=env, check=True, capture_output=True)
    return time.perf_counter() - began


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="geo-bench-") as name:
        empty = Path(name) / "empty"
        (empty / "empty_project").mkdir(parents=True)
        (empty / "empty_project/__init__.py").touch()
        (empty / "empty_project/definitions.py").write_text("import dagster as dg\n\ndefs = dg.Definitions()\n")
        (empty / "pyproject.toml").write_text(
            '[project]\nname = "empty"\nversion = "0"\n[tool.dg]\ndirectory_type = "project"\n'
            '[tool.dg.project]\nroot_module = "empty_project"\n'
            '[tool.dagster]\nmodule_name = "empty_project.definitions"\n'
        )
        python = sys.executable
        commands = {
            "dagster definitions validate, empty": ([python, "-m", "dagster", "definitions", "validate"], empty),
            "dagster definitions validate, ours": ([python, "-m", "dagster", "definitions", "validate"], ROOT),
            "dg check defs, empty": ([str(BIN / "dg"), "check", "defs"], empty),
            "dg check defs, ours": ([str(BIN / "dg"), "check", "defs"], ROOT),
            "import dagster": ([python, "-c", "import dagster"], ROOT),
            "geo --help": ([str(BIN / "geo"), "--help"], ROOT),
        }
        taken: dict[str, list[float]] = {name: [] for name in commands}
        for _ in range(ROUNDS):
            for label, (command, folder) in commands.items():
                taken[label].append(seconds(command, folder))
    medians = {label: statistics.median(values) for label, values in taken.items()}
    for label, value in medians.items():
        print(f"{label:<40} {value:6.2f} s")
    for what in ("dagster definitions validate", "dg check defs"):
        print(f"{what}: ours ÷ empty = {medians[f'{what}, ours'] / medians[f'{what}, empty']:.2f} (aim 1.3)")
    print(f"geo --help ÷ import dagster = {medians['geo --help'] / medians['import dagster']:.2f} (aim 0.5)")


if __name__ == "__main__":
    main()
