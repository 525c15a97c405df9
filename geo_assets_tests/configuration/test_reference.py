"""The reference page keeps what it promises: its examples load, its reasons are all there are."""

import re
from pathlib import Path

import pytest

from geo_assets.configuration import load_project
from geo_assets.model.plans import Unplanned
from geo_assets_tests.configuration.folders import write_folder

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "configuration.md").read_text(encoding="utf-8")
MONITORS = [text for text in re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL) if "\nquestions:" in text]


def test_there_is_an_example_in_each_language():
    assert sorted(re.search(r"^language: (\w+)", text, re.MULTILINE)[1] for text in MONITORS) == ["en", "zh"]


@pytest.mark.parametrize("text", MONITORS)
def test_an_example_loads_without_a_warning(tmp_path, text):
    platforms = (ROOT / "data" / "platforms.yaml").read_text(encoding="utf-8")
    loaded = load_project(write_folder(tmp_path, platforms=platforms, monitors={"example": text}), today="2026-11-29")
    assert [str(problem) for problem in loaded.problems] == []
    assert len(loaded.monitors) == 1


def test_every_reason_is_explained():
    table = PAGE.split("## When a monitor is not asked")[1].split("##")[0]
    assert re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE) == [reason.value for reason in Unplanned]
