"""The code location as a whole: what is there, how it hangs together, and what a person sees of it."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import dagster as dg
import pytest
import yaml

from geo_assets.assets.partitions import GridKey, grid
from geo_assets.automation.jobs import ANALYSE_ASSETS, COLLECT_ASSETS, PUBLISH_ASSETS
from geo_assets.definitions import defs
from geo_assets.lake.contracts import TABLES
from geo_assets.ledger import open_ledger
from geo_assets.resources.owner import fail_dead_runs, owner_is_dead, owner_tags
from geo_assets_tests.configuration.folders import PROJECT, write_folder

ROOT = Path(__file__).resolve().parents[2]
GRAPH = defs.resolve_asset_graph()


def key(name: str) -> dg.AssetKey:
    return dg.AssetKey(name)


def test_assets_and_their_dependencies() -> None:
    found = {k.path[-1]: sorted(p.path[-1] for p in GRAPH.get(k).parent_keys) for k in GRAPH.get_all_asset_keys()}
    assert found == {
        "answers": ["raw_responses", "review_decisions", "sampling_plan"],
        "brand_mentions": ["answers", "dictionaries", "review_decisions"],
        "citations": ["answers", "brand_mentions", "dictionaries"],
        "collection_health": ["raw_responses"],
        "daily_visibility": ["visibility_metrics"],
        "dictionaries": [],
        "evidence_archive": ["raw_responses"],
        "raw_responses": ["sampling_plan"],
        "review_decisions": [],
        "sampling_plan": [],
        "spend": ["raw_responses"],
        "untracked_names": ["answers", "dictionaries", "review_decisions"],
        "visibility_metrics": ["answers", "brand_mentions", "citations", "sampling_plan"],
        "visibility_report": ["daily_visibility"],
    }


@pytest.mark.parametrize(
    "name", [*COLLECT_ASSETS, *ANALYSE_ASSETS, *PUBLISH_ASSETS, "dictionaries", "review_decisions"]
)
def test_every_asset_has_group_owner_kind_description_and_code_version(name: str) -> None:
    node = GRAPH.get(key(name))
    assert node.group_name in {"collection", "analysis", "metrics", "reporting"}
    assert node.owners == ["team:geo"]
    assert node.kinds
    assert len(node.description or "") > 20
    assert node.code_version


@pytest.mark.parametrize("name", sorted(TABLES))
def test_every_table_asset_shows_the_columns_of_its_contract(name: str) -> None:
    schema = GRAPH.get(key(name)).metadata["dagster/column_schema"]
    assert [c.name for c in schema.columns] == list(TABLES[name].names)
    assert all(c.description for c in schema.columns)


def test_no_grid_asset_has_a_backfill_policy_which_would_drop_the_platform_tag() -> None:
    for k in GRAPH.get_all_asset_keys():
        if GRAPH.get(k).partitions_def == grid:
            assert GRAPH.get(k).backfill_policy is None, k


def test_collection_goes_before_everything_else_in_the_run_queue() -> None:
    priority = {
        name: int(defs.resolve_job_def(name).tags["dagster/priority"]) for name in ("collect", "analyse", "publish")
    }
    # A backfill started in the UI carries no priority, which counts as 0.
    assert priority["collect"] > 0 >= priority["publish"] > priority["analyse"]


def test_the_schedule_opens_the_window_in_the_project_zone_for_every_platform_of_today() -> None:
    schedule = defs.resolve_schedule_def("collect_daily_0200")
    assert (schedule.cron_schedule, schedule.execution_timezone) == ("0 2 * * *", "Asia/Shanghai")
    moment = datetime(2026, 11, 28, 18, 0, tzinfo=UTC)  # 02:00 on the 29th in Shanghai
    with dg.DagsterInstance.ephemeral() as instance:
        context = dg.build_schedule_context(
            instance=instance, scheduled_execution_time=moment, repository_def=defs.get_repository_def()
        )
        requests = schedule.evaluate_tick(context).run_requests or []
    assert [r.partition_key for r in requests] == [
        f"2026-11-29|{p}" for p in ("tencent", "qwen", "doubao", "doubao-app", "chatgpt", "deepseek")
    ]
    assert requests[0].run_config["ops"]["raw_responses"]["config"]["whole_day"] is False


def test_today_in_the_project_zone_has_a_partition() -> None:
    assert GridKey.parse("2026-11-29|qwen").key == dg.MultiPartitionKey({"date": "2026-11-29", "platform": "qwen"})
    keys = grid.get_partition_keys(current_time=datetime(2026, 11, 28, 16, 30, tzinfo=UTC))
    assert "2026-11-29|qwen" in keys  # 00:30 on the 29th in Shanghai
    assert "2026-11-30|qwen" not in keys


def test_instance_files_are_equal_but_for_storage() -> None:
    ours, packaged, production = (
        yaml.safe_load((ROOT / name).read_text("utf-8"))
        for name in ("dagster.yaml", "geo_assets/resources/dagster.yaml", "deploy/dagster.yaml")
    )
    assert packaged == ours
    assert production.pop("storage")["postgres"]
    assert production == ours
    [limit] = ours["concurrency"]["runs"]["tag_concurrency_limits"]
    assert limit == {"key": "dagster/partition/platform", "value": {"applyLimitPerUniqueValue": True}, "limit": 1}


def test_a_run_of_a_dead_owner_is_ended_and_a_living_one_is_left() -> None:
    job = defs.resolve_job_def("reading_inputs")
    with dg.DagsterInstance.ephemeral() as instance:
        alive = instance.create_run_for_job(job, tags=owner_tags(), status=dg.DagsterRunStatus.STARTED)
        dead_tags = {**owner_tags(), "geo/boot_id": "an-earlier-boot"}
        dead = instance.create_run_for_job(job, tags=dead_tags, status=dg.DagsterRunStatus.STARTED)
        elsewhere = {**owner_tags(), "geo/host": "another-machine", "geo/pid": "1"}
        other = instance.create_run_for_job(job, tags=elsewhere, status=dg.DagsterRunStatus.STARTED)
        assert fail_dead_runs(instance) == [dead.run_id]
        statuses = {r.run_id: r.status for r in instance.get_runs()}
    assert statuses[dead.run_id] is dg.DagsterRunStatus.FAILURE
    assert statuses[alive.run_id] is statuses[other.run_id] is dg.DagsterRunStatus.STARTED
    assert not owner_is_dead({})
    assert owner_is_dead({**owner_tags(), "geo/pid": "999999"})


def test_sensors_explain_why_they_skip(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from geo_assets.resources.default import default_resources

    monkeypatch.setenv("GEO_LEDGER_URL", f"sqlite:///{tmp_path / 'ledger.db'}")
    open_ledger(f"sqlite:///{tmp_path / 'ledger.db'}").close()
    ledger = default_resources()["ledger"]
    with (
        dg.DagsterInstance.ephemeral() as instance,
        dg.build_sensor_context(instance=instance, resources={"ledger": ledger}) as context,
    ):
        result = defs.resolve_sensor_def("analyse_complete").evaluate_tick(context)
    assert not result.run_requests
    assert "raw_responses is older than the ledger" in str(result.skip_message) or "nothing is planned" in str(
        result.skip_message
    )


def test_a_partition_that_failed_six_times_is_told_to_people_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from geo_assets.automation import sensors as module
    from geo_assets.automation.decisions import LastRun, PartitionFacts
    from geo_assets.resources.default import default_resources

    url = f"sqlite:///{tmp_path / 'ledger.db'}"
    monkeypatch.setenv("GEO_LEDGER_URL", url)
    now = datetime.now(UTC)
    facts = PartitionFacts(
        date="2026-11-29",
        platform="qwen",
        planned=3,
        open=3,
        next_due=now,
        opens=now - timedelta(hours=1),
        closes=now + timedelta(hours=1),
        revision="3.3.1",
        collect_run=LastRun("0123456789", active=False, failed=True, ended=now - timedelta(hours=2), failures=6),
    )
    monkeypatch.setattr(module, "partition_facts", lambda *_: [facts])
    ledger = default_resources()["ledger"]
    for _ in range(2):
        with (
            dg.DagsterInstance.ephemeral() as instance,
            dg.build_sensor_context(instance=instance, resources={"ledger": ledger}) as context,
        ):
            result = defs.resolve_sensor_def("next_slice").evaluate_tick(context)
        assert "a person should look at run 01234567" in str(result.skip_message)
    with open_ledger(url) as book:
        [row] = book.alerts("2026-11-29")
    assert (row.alert.kind, row.alert.subject) == ("partition_failing", "partition 2026-11-29|qwen, job collect")


def test_alerts_are_delivered_by_a_sensor_too_and_its_tick_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from geo_assets.collection import alerts as delivering
    from geo_assets.model.alerts import Alert, AlertKind
    from geo_assets.resources.default import default_resources

    url, data = f"sqlite:///{tmp_path / 'ledger.db'}", write_folder(tmp_path / "data")
    for name, value in {"GEO_LEDGER_URL": url, "GEO_DATA": str(data), "GEO_OPS": "https://ops.example"}.items():
        monkeypatch.setenv(name, value)
    sent: list[str] = []
    monkeypatch.setattr(delivering, "send", lambda destination, alert: sent.append(f"{destination.id} {alert.subject}"))
    with open_ledger(url) as book:
        book.raise_alerts([Alert(AlertKind.ACCOUNT_STOPPED, "account qwen/main", "2026-11-29", "auth")])

    def tick() -> str:
        resources = {name: default_resources()[name] for name in ("ledger", "project")}
        with (
            dg.DagsterInstance.ephemeral() as instance,
            dg.build_sensor_context(
                instance=instance, resources=resources, repository_def=defs.get_repository_def()
            ) as context,
        ):
            return str(defs.resolve_sensor_def("deliver_alerts").evaluate_tick(context).skip_message)

    assert tick() == "project.yaml names nobody to tell (`alerts:`)"
    write_folder(data, project=PROJECT + "alerts: [{id: ops, url_env: GEO_OPS}, {id: boss, url_env: GEO_BOSS}]\n")
    assert tick() == "delivered 1; boss: its environment variable is not set"
    assert tick() == "delivered 0; boss: its environment variable is not set"
    assert sent == ["ops account qwen/main"]
