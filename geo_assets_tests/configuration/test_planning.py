import json
import random
from dataclasses import asdict

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from geo_assets.configuration import LoadedProject, load_project, plan_batches, quote, quote_lines
from geo_assets.configuration.planning import QuoteLine
from geo_assets.model.plans import Batch, batch_id, sample_id
from geo_assets.model.text import canonical_json, content_hash, question_revision
from geo_assets_tests.configuration.folders import MONITOR, PLATFORMS, PROJECT, change, write_folder

DAY = "2026-11-29"  # A Sunday.


def load(folder, **files) -> LoadedProject:
    if "monitor" in files:
        files["monitors"] = {"chairs": files.pop("monitor")}
    return load_project(write_folder(folder, **files), today=DAY)


def plan(folder, *, profile="simulated", date=DAY, keys=frozenset(), platforms_of=None, **files) -> Batch:
    (batch,) = plan_batches(load(folder, **files), date, profile=profile, keys=keys, platforms=platforms_of)
    return batch


def as_bytes(batch: Batch) -> str:
    return canonical_json(asdict(batch))


def test_a_batch_asks_every_question_on_every_platform_round_by_round(tmp_path):
    batch = plan(tmp_path, monitor=change(MONITOR, "language: en", "language: en\nrepeats: 2"))
    assert [(s.repeat_index, s.question_id, s.platform) for s in batch.samples] == [
        (0, "best", "alpha"),
        (0, "best", "beta"),
        (0, "cheap", "alpha"),
        (0, "cheap", "beta"),
        (1, "best", "alpha"),
        (1, "best", "beta"),
        (1, "cheap", "alpha"),
        (1, "cheap", "beta"),
    ]
    assert batch.batch_id == batch_id("acme", "chairs", DAY, simulated=True)
    first = batch.samples[0]
    revision = question_revision("Which chair is best?")
    assert first.sample_id == sample_id(batch.batch_id, revision, "alpha", None, None, None, 0, 0)
    assert (first.model, first.search, first.account, first.currency, first.language) == (
        "a-1",
        True,
        "main",
        "CNY",
        "en",
    )
    assert len({s.sample_id for s in batch.samples}) == 8


def test_regions_modes_and_repeats_of_an_entry_are_expanded(tmp_path):
    text = change(
        MONITOR, "  - id: alpha\n", "  - {id: alpha, regions: [GB, CN, GB], repeats: 2}\n  - {id: alpha, mode: deep}\n"
    )
    batch = plan(tmp_path, monitor=change(text, "language: en", "language: en\nregions: [US]"))
    assert sorted({(s.platform, s.mode, s.region, s.repeat_index) for s in batch.samples}, key=str) == [
        ("alpha", "deep", "US", 0),
        ("alpha", None, "CN", 0),
        ("alpha", None, "CN", 1),
        ("alpha", None, "GB", 0),
        ("alpha", None, "GB", 1),
        ("beta", None, "US", 0),
    ]
    assert len(batch.samples) == 2 * 6


def test_no_regions_at_an_entry_overrule_those_of_the_monitor(tmp_path):
    text = change(MONITOR, "  - id: alpha\n", "  - {id: alpha, regions: []}\n")
    batch = plan(tmp_path, monitor=change(text, "language: en", "language: en\nregions: [US]"))
    assert {(s.platform, s.region) for s in batch.samples} == {("alpha", None), ("beta", "US")}


def test_duplicate_questions_are_asked_once_and_reported(tmp_path):
    batch = plan(tmp_path, monitor=change(MONITOR, "Which chair is cheap?", "' Which  chair is best? '"))
    assert {s.question_id for s in batch.samples} == {"best"}
    assert batch.merged_duplicates == (("best", "cheap"),)
    assert batch.samples[0].question_text == "Which chair is best?"


def test_live_and_simulated_batches_share_no_id(tmp_path):
    simulated = plan(tmp_path)
    live = plan(tmp_path, profile="live", keys={"ALPHA_KEY"})
    assert simulated.batch_id != live.batch_id
    assert not {s.sample_id for s in simulated.samples} & {s.sample_id for s in live.samples}
    assert all(s.simulated for s in simulated.samples)
    assert not any(s.simulated for s in live.samples)


def test_live_a_platform_without_its_key_is_skipped_and_the_variable_named(tmp_path):
    batch = plan(tmp_path, profile="live")
    assert {s.platform for s in batch.samples} == {"beta"}  # beta needs no key.
    assert batch.skipped == {"alpha": "no_key"}
    assert batch.notices == {"alpha": "no key: set the environment variable ALPHA_KEY"}
    with_key = plan(tmp_path, profile="live", keys=lambda name: name == "ALPHA_KEY")
    assert {s.platform for s in with_key.samples} == {"alpha", "beta"}
    assert with_key.skipped == {}
    assert with_key.snapshot_hash == batch.snapshot_hash


def test_samples_are_spread_over_the_accounts_whose_keys_are_there(tmp_path):
    accounts = "      - key_env: ALPHA_KEY\n      - {id: second, key_env: SECOND_KEY}\n"
    platforms = change(PLATFORMS, "      - key_env: ALPHA_KEY\n", accounts)
    both = plan(tmp_path, platforms=platforms, platforms_of={"alpha"})
    assert [s.account for s in both.samples] == ["main", "second"]
    one = plan(tmp_path, platforms=platforms, profile="live", keys={"SECOND_KEY"}, platforms_of={"alpha"})
    assert [s.account for s in one.samples] == ["second", "second"]


def reason(folder, monitor_line="", platform_line="", date=DAY, **files):
    monitor = change(MONITOR, "language: en", f"language: en\n{monitor_line}") if monitor_line else MONITOR
    platforms = (
        change(PLATFORMS, "    model: a-1\n", f"    model: a-1\n{platform_line}") if platform_line else PLATFORMS
    )
    batch = plan(folder, monitor=monitor, platforms=platforms, date=date, **files)
    assert not [s for s in batch.samples if s.platform in batch.skipped]
    assert set(batch.skipped) == set(batch.notices)
    return batch.skipped, batch.notices.get("alpha")


def test_a_paused_monitor_says_so_on_every_platform(tmp_path):
    skipped, notice = reason(tmp_path, "paused: true")
    assert skipped == {"alpha": "paused", "beta": "paused"}
    assert notice == "the monitor is paused"


def test_a_weekly_monitor_on_another_day_is_not_due(tmp_path):
    skipped, notice = reason(tmp_path, "frequency: weekly\nweekday: monday")
    assert skipped == {"alpha": "not_due", "beta": "not_due"}
    assert notice == "the monitor is asked on mondays"
    assert reason(tmp_path, "frequency: weekly\nweekday: sunday") == ({}, None)


def test_a_day_before_the_project_starts_is_not_planned(tmp_path):
    skipped, notice = reason(tmp_path, date="2026-10-31")
    assert skipped == {"alpha": "not_started", "beta": "not_started"}
    assert notice == "the project starts on 2026-11-01"


def test_a_retired_platform_is_not_planned_from_its_day_on(tmp_path):
    assert reason(tmp_path, platform_line=f"    retired: {DAY}\n") == (
        {"alpha": "retired"},
        f"the platform is retired since {DAY}",
    )
    assert reason(tmp_path, platform_line="    retired: 2026-11-30\n") == ({}, None)


def test_a_day_without_a_price_is_not_planned(tmp_path):
    platforms = change(PLATFORMS, "        valid_from: 2026-01-01\n", "        valid_from: 2026-12-01\n")
    batch = plan(tmp_path, platforms=platforms)
    assert batch.skipped == {"alpha": "no_price"}


def test_more_questions_than_allowed_are_not_planned(tmp_path):
    loaded = load(tmp_path)
    monitor = loaded.monitor("chairs").model_copy(update={"max_questions": 1})
    (batch,) = plan_batches(
        LoadedProject(loaded.project, loaded.platforms, {"chairs": monitor}), DAY, profile="simulated"
    )
    assert batch.samples == ()
    assert batch.skipped == {"alpha": "over_max", "beta": "over_max"}


def test_a_broken_platform_is_not_planned_and_the_others_are(tmp_path):
    loaded = load(tmp_path)
    broken = LoadedProject(loaded.project, loaded.platforms, loaded.monitors, broken=frozenset({"alpha"}))
    (batch,) = plan_batches(broken, DAY, profile="simulated")
    assert batch.skipped == {"alpha": "broken"}
    assert {s.platform for s in batch.samples} == {"beta"}


def test_a_filter_restricts_samples_and_changes_neither_ids_nor_snapshot(tmp_path):
    whole = plan(tmp_path)
    parts = [plan(tmp_path, platforms_of={platform}) for platform in ("alpha", "beta")]
    assert {p.snapshot_hash for p in parts} == {whole.snapshot_hash}
    assert {s for p in parts for s in p.samples} == set(whole.samples)


def test_monitors_without_a_chosen_platform_have_no_batch_and_unknown_names_are_refused(tmp_path):
    loaded = load(tmp_path, monitor=change(MONITOR, "  - id: beta\n", ""))
    assert plan_batches(loaded, DAY, profile="simulated", platforms={"beta"}) == []
    with pytest.raises(LookupError, match=r"no platform has the id `bet`\. Did you mean `beta`"):
        plan_batches(loaded, DAY, profile="simulated", platforms={"bet"})
    with pytest.raises(LookupError, match="no monitor has the id `chair`"):
        plan_batches(loaded, DAY, profile="simulated", monitors={"chair"})


def test_the_quote_is_the_worst_case_of_the_book_per_currency(tmp_path):
    batch = plan(tmp_path)
    alpha = 20_000 * 1 + 8_000 * 4 + 3 * 12_000  # micros: tokens × price per million, searches × price
    beta = 8_000 * 10
    assert quote_lines(batch) == (QuoteLine("alpha", "CNY", 2, 2 * alpha), QuoteLine("beta", "USD", 2, 2 * beta))
    assert quote(batch) == {"CNY": 2 * alpha, "USD": 2 * beta}
    assert {s.price_version for s in batch.samples if s.platform == "beta"} == {"new"}


def test_without_search_no_search_is_quoted(tmp_path):
    batch = plan(tmp_path, monitor=change(MONITOR, "  - id: alpha\n", "  - {id: alpha, search: false}\n"))
    assert quote(batch)["CNY"] == 2 * (20_000 + 32_000)
    assert batch.snapshot["platforms"]["alpha"]["entries"][0]["search"] is False


def test_the_snapshot_is_plain_json_and_its_hash_is_that_of_its_content(tmp_path):
    batch = plan(tmp_path)
    assert json.loads(canonical_json(batch.snapshot)) == batch.snapshot
    assert batch.snapshot_hash == content_hash(batch.snapshot)
    assert batch.snapshot["platforms"]["alpha"]["price"]["search_micros"] == 12_000


NOT_ASKING = [
    ("  aliases: [Halden]", "  aliases: [Halden, 海灯, Loop]"),
    ("    name: AuroraChair", "    name: Aurora Chair\n    exclude: [Aurora Chair Lift]"),
    ("tenant: acme", "tenant: acme\nknown_names: [Halden Bank]\ncontext: [seat]"),
    ("tenant: acme", "tenant: acme\ndaily_budget: {CNY: 3}\nretry_budget_percent: 10"),
    ("  aliases: [Halden]", "  owned_sources: [{host: halden.example}]"),
]


@pytest.mark.parametrize(("old", "new"), NOT_ASKING)
def test_what_does_not_affect_asking_leaves_the_batch_as_it_is_byte_for_byte(tmp_path, old, new):
    before = plan(tmp_path)
    after = plan(tmp_path, monitor=change(MONITOR, old, new))
    assert as_bytes(after) == as_bytes(before)


def test_limits_windows_and_project_weights_leave_the_batch_as_it_is(tmp_path):
    before = plan(tmp_path)
    platforms = change(
        PLATFORMS,
        "    model: a-1\n",
        "    model: a-1\n    limits: {submit: {per_second: 9}}\n    window: {start: 03:00}\n",
    )
    project = change(PROJECT, "name: Test", "name: Other\nplatform_weights: {alpha: 3}\ncoverage_k: [1, 5]")
    assert as_bytes(plan(tmp_path, platforms=platforms, project=project)) == as_bytes(before)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("    model: a-1\n", "    model: a-2\n"),
        ("    model: a-1\n", "    model: a-1\n    options: {depth: 3}\n"),
        ("https://alpha.example.com/v1", "https://alpha.example.com/v2"),
        ("    model: a-1\n", "    model: a-1\n    channel: browser\n"),
        ("per_search: 0.012", "per_search: 0.013"),
        ("version: first", "version: second"),
    ],
)
def test_what_affects_asking_or_its_price_is_in_the_snapshot(tmp_path, old, new):
    before, after = plan(tmp_path), plan(tmp_path, platforms=change(PLATFORMS, old, new))
    assert after.snapshot_hash != before.snapshot_hash
    assert [s.sample_id for s in after.samples] == [s.sample_id for s in before.samples]


def test_an_edited_question_is_a_new_revision_and_the_others_keep_theirs(tmp_path):
    before = plan(tmp_path)
    after = plan(tmp_path, monitor=change(MONITOR, "Which chair is cheap?", "Which chair is cheapest?"))
    old = {s.sample_id: s for s in before.samples}
    new = {s.sample_id: s for s in after.samples}
    assert {new[i].question_id for i in new.keys() - old.keys()} == {"cheap"}
    assert {old[i].question_id for i in old.keys() - new.keys()} == {"cheap"}
    assert {i: old[i] for i in old.keys() & new.keys()} == {i: new[i] for i in old.keys() & new.keys()}
    assert len(old.keys() & new.keys()) == 2
    assert after.snapshot_hash != before.snapshot_hash


def test_moving_a_question_changes_positions_and_no_id(tmp_path):
    lines = MONITOR.splitlines(keepends=True)
    at = lines.index("questions:\n") + 1
    moved = "".join(lines[:at] + lines[at + 2 : at + 4] + lines[at : at + 2] + lines[at + 4 :])
    before, after = plan(tmp_path), plan(tmp_path, monitor=moved)
    assert {s.sample_id for s in after.samples} == {s.sample_id for s in before.samples}
    assert [s.question_id for s in after.samples] != [s.question_id for s in before.samples]


RICH = change(
    change(MONITOR, "language: en", "language: en\nregions: [US, GB]\nrepeats: 2\npriority: 7"),
    "    text: Which chair is best?",
    "    text: Which chair is best?\n    tags: [a, b]\n    intent: brand\n    weight: 3",
)
RICH_PLATFORMS = change(PLATFORMS, "    model: a-1\n", "    model: a-1\n    options: {z: 1, a: {y: [1, 2], b: true}}\n")


def shuffled(value, order: random.Random):
    """The same data with the keys of every mapping in another order; lists keep theirs."""
    if isinstance(value, dict):
        keys = list(value)
        order.shuffle(keys)
        return {key: shuffled(value[key], order) for key in keys}
    return [shuffled(item, order) for item in value] if isinstance(value, list) else value


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(order=st.randoms(use_true_random=False))
def test_the_order_of_yaml_keys_changes_nothing_byte_for_byte(tmp_path, order):
    def reorder(text):
        return json.dumps(shuffled(yaml.load(text, Loader=yaml.BaseLoader), order), ensure_ascii=False)

    typed = json.dumps(shuffled(yaml.safe_load(RICH_PLATFORMS), order), default=str)
    before = plan(tmp_path / "a", monitor=RICH, platforms=RICH_PLATFORMS)
    after = plan(tmp_path / "b", monitor=reorder(RICH), platforms=typed, project=reorder(PROJECT))
    assert len(before.samples) == 16
    assert as_bytes(after) == as_bytes(before)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    texts=st.lists(st.text("abc 灯é\u0301 ", min_size=1, max_size=6).filter(str.strip), min_size=1, max_size=12),
    repeats=st.integers(1, 3),
)
def test_every_distinct_question_is_planned_once_per_platform_and_repeat(tmp_path, texts, repeats):
    questions = [{"id": f"q{index}", "text": text} for index, text in enumerate(texts)]
    data = yaml.safe_load(MONITOR) | {"questions": questions, "repeats": repeats}
    loaded = load(tmp_path, monitor=json.dumps(data, ensure_ascii=False))
    if "chairs" not in loaded.monitors:  # A combining mark alone is no question.
        assert loaded.problems
        return
    (batch,) = plan_batches(loaded, DAY, profile="simulated")
    revisions = {question_revision(text) for text in texts}
    assert len(batch.samples) == len(revisions) * 2 * repeats == len({s.sample_id for s in batch.samples})
    assert len(batch.merged_duplicates) == len(texts) - len(revisions)
    assert {s.question_revision for s in batch.samples} == revisions
