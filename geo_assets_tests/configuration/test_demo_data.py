"""The demo project: a user's first impression, and the example that the reference points to."""

from pathlib import Path

import pytest

from geo_assets.configuration import dictionary, load_project, plan_batches, quote
from geo_assets.model.dictionary import Role

DATA = Path(__file__).resolve().parents[2] / "data"
DAY = "2026-11-29"


@pytest.fixture(scope="module")
def loaded():
    registry = pytest.importorskip("geo_assets.platforms.registry", reason="the dialects are not there yet")
    return load_project(DATA, dialects=registry.connector, today=DAY)


def test_nothing_is_wrong_with_it(loaded):
    assert [str(problem) for problem in loaded.problems] == []
    assert [platform.id for platform in loaded.platforms] == [
        "tencent",
        "qwen",
        "doubao",
        "doubao-app",
        "chatgpt",
        "deepseek",
    ]
    assert {monitor.language for monitor in loaded.monitors.values()} == {"zh", "en"}


def test_every_platform_names_the_variable_of_its_key(loaded):
    names = [account.key_env for platform in loaded.platforms for account in platform.accounts]
    assert all(name and name.endswith("_API_KEY") for name in names)


@pytest.mark.parametrize("name", ["robot-vacuums-zh", "luggage-en"])
def test_a_monitor_asks_branded_and_other_questions_about_known_competitors(loaded, name):
    monitor = loaded.monitor(name)
    names = dictionary(monitor, loaded.project)
    own = [names.own.name, *names.own.aliases]
    branded = [question for question in monitor.questions if any(alias in question.text for alias in own)]
    assert len(monitor.questions) >= 20
    assert 3 <= len(branded) <= len(monitor.questions) // 3
    assert 4 <= len(monitor.competitors) <= 6
    assert len({question.intent for question in monitor.questions}) >= 5
    assert all(brand.owned for brand in names.tracked)
    assert all(entry.role is Role.OWN or entry.id != names.own.id for entry in names.brands)


def test_a_day_fits_into_its_budgets(loaded):
    for batch in plan_batches(loaded, DAY, profile="simulated"):
        budget = loaded.monitor(batch.monitor).daily_budget
        for currency, micros in quote(batch).items():
            assert micros <= int(budget[currency]) * 1_000_000, (batch.monitor, currency)


def test_without_any_key_a_live_day_plans_nothing_and_names_every_variable(loaded):
    batches = plan_batches(loaded, DAY, profile="live")
    assert [len(batch.samples) for batch in batches] == [0, 0]
    assert {reason for batch in batches for reason in batch.skipped.values()} == {"no_key"}
    notices = " ".join(notice for batch in batches for notice in batch.notices.values())
    for name in ("TENCENT_TOKENHUB", "DASHSCOPE", "ARK", "OPENAI", "DEEPSEEK"):
        assert f"{name}_API_KEY" in notices
