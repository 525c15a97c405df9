"""Facts of the partitions in view, from a real instance and a real ledger."""

from datetime import timedelta
from pathlib import Path

import dagster as dg
import pytest

from geo_assets.automation.facts import partition_facts
from geo_assets.ledger import open_ledger
from geo_assets.ledger.rows import to_datetime
from geo_assets.model.configuration import Project
from geo_assets_tests.collection.settings import platform
from geo_assets_tests.ledger import builders as b
from geo_assets_tests.ledger.databases import Clock


@pytest.mark.parametrize("days_ago", [3, 300])
def test_a_day_with_open_samples_is_in_view_however_old_with_its_newest_materialization(
    tmp_path: Path, days_ago: int
) -> None:
    clock = Clock()
    now = to_datetime(clock())
    assert now is not None
    today = now.date()
    day = (today - timedelta(days=days_ago)).isoformat()
    project = Project(start_date="2026-01-01", timezone="UTC")
    with (
        open_ledger(f"sqlite:///{tmp_path / 'ledger.db'}", clock=clock) as ledger,
        dg.DagsterInstance.ephemeral() as instance,
    ):
        b.plan(ledger, 2, date=day)
        key = dg.MultiPartitionKey({"date": day, "platform": "qwen"})
        for revision in ("old", "new"):
            metadata = {"ledger revision": revision, "whole day": revision == "new"}
            event = dg.AssetMaterialization("raw_responses", partition=key, metadata=metadata)
            instance.report_runless_asset_event(event)
        facts = partition_facts(instance, ledger, project, [platform()], now)
    in_view = {f.date: f for f in facts}
    found = in_view[day]
    assert (found.planned, found.open, found.exported, found.analysed, found.whole_day) == (2, 2, "new", None, True)
    assert found.revision == f"2.2.{clock()}"
    assert len(in_view) == min(days_ago, 7) + 1 + (days_ago > 7), "days between are not looked at"
    assert in_view[today.isoformat()].planned == 0
