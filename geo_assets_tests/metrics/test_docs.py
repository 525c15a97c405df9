from pathlib import Path

from geo_assets.metrics.catalogue import ABOUT_ANSWERS, PLAIN, catalogue
from geo_assets.metrics.names import NAMES
from geo_assets.metrics.visibility import CELLS, READING_STATES
from geo_assets.model.states import Outcome

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "metrics.md").read_text(encoding="utf-8")


def test_the_page_defines_every_metric_under_both_its_names():
    for family, name in NAMES.items():
        if family in {"exclusion", "reading", "flag", "rank", "cell", "n_tracked"}:
            continue
        assert f"`{family}" in PAGE, family
        assert name.zh.removeprefix("提及率") in PAGE, family


def test_the_page_names_every_state_cell_and_reason():
    for state in (*Outcome, *CELLS):
        assert f"`{state}`" in PAGE, state
    for state in READING_STATES:
        assert f"`reading:{state}`" in PAGE, state
    for metric in (*PLAIN, *ABOUT_ANSWERS, *catalogue((), frozenset({"cited"}), frozenset({"span"}))):
        assert f"`{metric.empty}`" in PAGE, metric.empty


def test_the_page_says_which_changes_are_judged():
    judged = PAGE.split("Judged are")[1].split(";")[0]
    for metric in catalogue((1,), frozenset({"cited", "retrieved"}), frozenset()):
        assert (f"`{metric.name}`" in judged) == metric.verdict, metric.name
