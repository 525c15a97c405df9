import sys
from pathlib import Path
from subprocess import run

import pytest

from geo_assets.configuration import (
    ConfigurationError,
    check_folder,
    load_platforms,
    load_project,
    load_project_settings,
)
from geo_assets_tests.configuration.folders import MONITOR, PLATFORMS, PROJECT, change, write_folder


def test_a_valid_folder_loads_without_problems(tmp_path):
    loaded = load_project(write_folder(tmp_path), today="2026-11-29")
    assert loaded.problems == ()
    assert [platform.id for platform in loaded.platforms] == ["alpha", "beta"]
    assert list(loaded.monitors) == ["chairs"]
    assert loaded.monitor("chairs").brand.aliases == ("Halden",)
    assert loaded.platform("alpha").prices[0].per_search == "0.012"


def test_the_light_loaders_read_one_file_each(tmp_path):
    (tmp_path / "platforms.yaml").write_text(PLATFORMS, encoding="utf-8")
    assert [platform.id for platform in load_platforms(tmp_path)] == ["alpha", "beta"]
    with pytest.raises(ConfigurationError, match=r"project\.yaml: error: the file does not exist"):
        load_project_settings(tmp_path)
    (tmp_path / "project.yaml").write_text(PROJECT, encoding="utf-8")
    assert load_project_settings(tmp_path).timezone == "Asia/Shanghai"


def test_an_unknown_id_is_answered_with_the_known_ones(tmp_path):
    loaded = load_project(write_folder(tmp_path))
    with pytest.raises(LookupError, match=r"no monitor has the id `chair`\. Did you mean `chairs`\?"):
        loaded.monitor("chair")
    with pytest.raises(LookupError, match=r"no platform has the id `gamma`\. .*Known: alpha, beta"):
        loaded.platform("gamma")


def test_of_two_files_with_one_monitor_id_the_one_named_after_it_is_kept(tmp_path):
    copy = change(MONITOR, "tenant: acme", "tenant: other")
    loaded = load_project(write_folder(tmp_path, monitors={"chairs": MONITOR, "a-copy": copy}), today="2026-11-29")
    assert loaded.monitor("chairs").tenant == "acme"
    (problem,) = loaded.problems
    assert str(problem) == (
        "monitors/a-copy.yaml:1:1: error: id: `chairs` is the id of monitors/chairs.yaml, too; that one is used. "
        "Give this monitor an id of its own"
    )


def test_hidden_files_and_editors_copies_are_no_monitors(tmp_path):
    folder = write_folder(tmp_path)
    for name in [".hidden.yaml", "chairs.yaml~", "chairs.yaml.bak", "notes.md"]:
        (folder / "monitors" / name).write_text("x: [", encoding="utf-8")
    (folder / "monitors" / "second.yml").write_text(change(MONITOR, "id: chairs", "id: second"), encoding="utf-8")
    loaded = load_project(folder, today="2026-11-29")
    assert list(loaded.monitors) == ["chairs", "second"]
    assert loaded.problems == ()


def test_an_unreadable_monitor_does_not_stop_the_others(tmp_path):
    loaded = load_project(write_folder(tmp_path, monitors={"bad": "id: [", "chairs": MONITOR}), today="2026-11-29")
    assert list(loaded.monitors) == ["chairs"]
    assert [problem.file for problem in loaded.problems] == ["monitors/bad.yaml"]


class FakeDialect:
    """Knows the option `depth`, no region, and the mode `deep`."""

    def __init__(self, name):
        self.name = name

    def capabilities(self, options):
        class Abilities:
            region = False
            modes = frozenset({"deep"})

        return Abilities()

    def check_options(self, model, search, options):
        unknown = [(f"options.{key}", "Known: depth") for key in options if key != "depth"]
        return unknown + ([("search", "Set `search: false`")] if search and self.name == "openai-responses" else [])


def fake_dialects(name):
    if name not in {"tencent-tokenhub", "openai-responses"}:
        raise LookupError("Known: tencent-tokenhub, openai-responses")
    return FakeDialect(name)


NO_SEARCH = change(PLATFORMS, "    model: b-1\n", "    model: b-1\n    search: false\n")


def dialect_problems(tmp_path, *, platforms=NO_SEARCH, monitor=MONITOR):
    folder = write_folder(tmp_path, platforms=platforms, monitors={"chairs": monitor})
    loaded = load_project(folder, dialects=fake_dialects, today="2026-11-29")
    return loaded, [str(problem).split(": ", 2)[2] for problem in loaded.problems]


def test_an_option_that_the_dialect_lacks_breaks_the_platform_and_nothing_else(tmp_path):
    platforms = change(NO_SEARCH, "    model: a-1\n", "    model: a-1\n    options: {depth: 3, temprature: 0}\n")
    loaded, said = dialect_problems(tmp_path, platforms=platforms)
    assert said == ["platforms[0].options.temprature: the dialect `tencent-tokenhub` refuses this. Known: depth"]
    assert loaded.problems[0].line == 7
    assert loaded.broken == {"alpha"}
    assert list(loaded.monitors) == ["chairs"]


def test_an_unknown_dialect_breaks_the_platform(tmp_path):
    loaded, said = dialect_problems(tmp_path, platforms=change(NO_SEARCH, "tencent-tokenhub", "tencent"))
    assert said == ["platforms[0].dialect: no dialect is called `tencent`. Known: tencent-tokenhub, openai-responses"]
    assert loaded.broken == {"alpha"}


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ("{id: beta, search: true}", "platforms[1].search: `beta` cannot be asked with search. Set `search: false`"),
        ("{id: beta, mode: depe}", "platforms[1].mode: `beta` has no mode `depe`. Did you mean `deep`? Known: deep"),
        (
            "{id: beta, regions: [GB]}",
            (
                "platforms[1].regions: `beta` cannot be asked from a region (here: GB). "
                "Write `regions: []` at this platform's entry"
            ),
        ),
    ],
)
def test_what_a_platform_cannot_do_for_a_monitor_is_refused(tmp_path, entry, said):
    loaded, found = dialect_problems(tmp_path, monitor=change(MONITOR, "- id: beta", f"- {entry}"))
    assert found == [said]
    assert loaded.monitors == {}


def test_the_dialects_are_asked_only_where_they_are_given(tmp_path):
    folder = write_folder(tmp_path, platforms=change(PLATFORMS, "tencent-tokenhub", "tencent"))
    assert check_folder(folder, today="2026-11-29") == ()
    assert len(check_folder(folder, dialects=fake_dialects, today="2026-11-29")) == 2


def test_loading_at_start_up_imports_nothing_heavy():
    heavy = "dagster pandas pyarrow sqlalchemy httpx numpy ruamel jinja2 geo_assets.platforms"
    code = f"import sys, geo_assets.configuration; print(sorted(set('{heavy}'.split()) & set(sys.modules)))"
    root = Path(__file__).resolve().parents[2]
    done = run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=root, timeout=60)
    assert done.stdout.strip() == "[]"
