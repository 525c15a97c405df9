"""The project resource: one copy of the configuration in a process, as its files are now."""

import os
import shutil
from pathlib import Path

import pytest

from geo_assets.configuration.problems import ConfigurationError
from geo_assets.resources.project import ProjectResource, present_project

DEMO = Path(__file__).parents[2] / "data"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("project.yaml", "platforms.yaml"):
        shutil.copy(DEMO / name, tmp_path / name)
    shutil.copytree(DEMO / "monitors", tmp_path / "monitors")
    return tmp_path


def test_the_resources_of_a_run_share_one_copy(folder):
    first, second = ProjectResource(data_dir=str(folder)), ProjectResource(data_dir=str(folder))
    assert first.load() is second.load()


def test_a_changed_file_is_read_by_the_next_run_and_not_by_the_present_one(folder):
    running = ProjectResource(data_dir=str(folder))
    before = running.load()
    path = min((folder / "monitors").glob("*.yaml"))
    path.write_text(path.read_text("utf-8").replace("priority: ", "priority:  "), "utf-8")
    os.utime(path, ns=(1, 1))
    assert present_project(folder) is not before
    assert running.load() is before
    path.unlink()
    assert set(before.monitors) - set(present_project(folder).monitors) == {path.stem}


def test_the_hash_of_the_dictionaries_follows_the_files(folder):
    resource = ProjectResource(data_dir=str(folder))
    before = resource.dictionaries_hash()
    assert resource.dictionaries_hash() == before
    min((folder / "monitors").glob("*.yaml")).unlink()
    assert resource.dictionaries_hash() != before


def test_a_broken_project_says_all_that_is_wrong_every_time(folder):
    (folder / "project.yaml").write_text("name: x\ntimezone: Nowhere/Land\n", "utf-8")
    (folder / "platforms.yaml").write_text("platforms: []\n", "utf-8")
    for _ in range(2):
        with pytest.raises(ConfigurationError) as caught:
            present_project(folder)
        assert {problem.file for problem in caught.value.problems} == {"project.yaml", "platforms.yaml"}
