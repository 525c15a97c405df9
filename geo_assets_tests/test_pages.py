"""The pages against the code: links lead somewhere, and what people look up is named."""

import re
from pathlib import Path

import pytest

from geo_assets.checks import day as checks
from geo_assets.cli import COMMANDS
from geo_assets.model.errors import ErrorClass
from geo_assets.model.money import EntryKind
from geo_assets.model.plans import Unplanned
from geo_assets.model.states import Collection, Evidence, Outcome, Submission
from geo_assets.model.transitions import Event
from geo_assets.settings import load_settings
from geo_assets.simulator.faults import FaultKind, FaultPlan, QueuedFault

ROOT = Path(__file__).resolve().parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])


def text_of(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def anchors(page: Path) -> set[str]:
    """GitHub's ids of headings: lower case, letters, digits, hyphens and blanks kept, blanks to hyphens."""
    prose = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    titles = (re.sub(r"[`*]", "", title) for title in re.findall(r"^#+ (.+)$", prose, re.MULTILINE))
    return {re.sub(r"[^\w\- ]", "", title.strip().lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_within_the_project_leads_to_a_file_and_heading(page: Path) -> None:
    prose = re.sub(r"```.*?```|`[^`\n]*`", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    for link in re.findall(r"\]\(([^)\s]+)\)", prose):
        if link.startswith(("http://", "https://")):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.is_file(), f"{page.name}: {link}"
        assert not anchor or anchor in anchors(target), f"{page.name}: {link}"


@pytest.mark.parametrize("page", ["README.md", "README.zh-CN.md"])
def test_both_readmes_list_every_command(page: str) -> None:
    for name in COMMANDS:
        assert f"`geo {name}" in text_of(page), name


def test_both_readmes_have_the_same_shape() -> None:
    def shape(page: str) -> list[str]:
        lines = text_of(page).splitlines()
        return [
            re.match(r"#+|\||```|!|- |\d\. ", line).group()
            for line in lines
            if re.match(r"#+ |\||```|!|- |\d\. ", line)
        ]

    assert shape("README.md") == shape("README.zh-CN.md")


def test_the_architecture_names_every_state_event_outcome_error_entry_and_reason() -> None:
    page = text_of("docs/architecture.md")
    for word in (*Submission, *Collection, *Evidence, *Outcome, *Event, *ErrorClass, *EntryKind, *Unplanned):
        assert f"`{word.value}`" in page, repr(word)


def test_the_architecture_names_every_check_of_a_day() -> None:
    page = text_of("docs/architecture.md")
    names = {
        f.__name__ for f in vars(checks).values() if getattr(f, "__annotations__", {}).get("return") is checks.Finding
    }
    assert len(names) == 6
    for name in names:
        assert f"`{name}`" in page, name


def test_operations_explain_every_variable_that_is_read() -> None:
    asked: set[str] = set()

    class Environment(dict[str, str]):
        def get(self, key: str, default: object = None) -> None:  # type: ignore[override]
            asked.add(key)

    load_settings(env=Environment())
    sources = "\n".join(p.read_text(encoding="utf-8") for p in (ROOT / "geo_assets").rglob("*.py"))
    read = asked | set(re.findall(r"os\.environ(?:\.get\(|\[)\"(GEO_\w+)\"", sources))
    assert {"GEO_PROFILE", "GEO_LEDGER_URL", "GEO_DAGSTER_YAML"} <= read
    page = text_of("docs/operations.md")
    for name in read:
        assert f"`{name}`" in page, name


def test_operations_explain_every_fault_of_the_simulator_and_its_examples_are_valid() -> None:
    page = text_of("docs/operations.md")
    for kind in FaultKind:
        assert f"`{kind.value}`" in page, kind
    plans = re.findall(r"```json\n(.*?)```", page, re.DOTALL)
    assert [len(FaultPlan.model_validate_json(plan).rules) for plan in plans] == [4]
    queued = re.findall(r"faults/next -d '(.*?)'", page)
    assert [QueuedFault.model_validate_json(fault).platform for fault in queued] == ["qwen"]
