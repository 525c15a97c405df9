"""One tick of the repair sensors with 1,000 days × 20 platforms behind them: a real ledger, a real Dagster instance.

Both are filled in SQL by copying what one real partition left there (samples; a run and its two materializations),
because a tick only reads. Today and yesterday have open samples, and so has the first day; a hundred runs of today
failed. Arguments: days, platforms, samples per partition.
"""

import json
import os
import sys
import tempfile
import time
from datetime import date, timedelta
from pathlib import Path

DAYS, PLATFORMS, SAMPLES = (int(n) for n in (*sys.argv[1:], *("1000", "20", "10")[len(sys.argv) - 1 :]))
FOLDER = tempfile.TemporaryDirectory(prefix="geo-bench-")
DATA = Path(FOLDER.name)
NAMES = [f"bench-{n:02d}" for n in range(PLATFORMS)]
ENTRY = """
  - id: {id}
    name: {id}
    dialect: openai-chat
    base_url: https://bench.example/v1
    model: m1
    search: false
    prices: [{{version: v1, valid_from: 2020-01-01, currency: CNY, output_per_million: 6}}]
"""


def write_data() -> list[str]:
    """The data folder, which the definitions read when they are imported; returns the days."""
    from engine_common import today

    last = date.fromisoformat(today())
    days = [(last - timedelta(days=n)).isoformat() for n in reversed(range(DAYS))]
    (DATA / "monitors").mkdir()
    (DATA / "project.yaml").write_text(f"timezone: Asia/Shanghai\nstart_date: {days[0]}\n")
    (DATA / "platforms.yaml").write_text("platforms:" + "".join(ENTRY.format(id=name) for name in NAMES))
    os.environ |= {"GEO_DATA": str(DATA), "GEO_LEDGER_URL": f"sqlite:///{DATA}/ledger.db"}
    return days


def fill_ledger(days: list[str]) -> None:
    import sqlalchemy as sa
    from engine_common import plan, platform

    from geo_assets.ledger import open_ledger
    from geo_assets.ledger import tables as t

    answered = {"submission": "accepted", "collection": "completed", "outcome": "counted"}
    with open_ledger(os.environ["GEO_LEDGER_URL"]) as ledger:
        plan(ledger, platform(NAMES[0]), SAMPLES)
        with ledger.database.engine.begin() as connection:
            connection.execute(sa.update(t.batches).values(date=days[0]))
            rows = [dict(row) for row in connection.execute(sa.select(t.samples)).mappings()]
            connection.execute(sa.delete(t.samples))
            for day in days:
                state = {} if day in {days[0], days[-2], days[-1]} else answered
                for name in NAMES:
                    place = {"date": day, "platform": name}
                    made = [row | state | place | {"sample_id": f"{day}{name}{n}"} for n, row in enumerate(rows)]
                    connection.execute(sa.insert(t.samples), made)


def fill_instance(instance, days: list[str]) -> None:  # type: ignore[no-untyped-def]
    import dagster as dg
    import sqlalchemy as sa
    from dagster._core.storage.event_log.schema import SqlEventLogStorageTable
    from dagster._core.storage.runs.schema import RunsTable, RunTagsTable

    from geo_assets.definitions import defs
    from geo_assets.ledger import open_ledger
    from geo_assets.ledger.projections import partition_revisions

    first = f"{days[0]}|{NAMES[0]}"
    key = dg.MultiPartitionKey({"date": days[0], "platform": NAMES[0]})
    with open_ledger(os.environ["GEO_LEDGER_URL"]) as ledger:
        revisions = {at: found.revision for at, found in partition_revisions(ledger.database, days[-10:]).items()}
    for name in ("raw_responses", "visibility_metrics"):
        metadata = {"ledger revision": "REVISION"}
        instance.report_runless_asset_event(dg.AssetMaterialization(name, partition=key, metadata=metadata))
    with instance.event_log_storage.index_connection() as connection:
        table = SqlEventLogStorageTable
        rows = [dict(row) for row in connection.execute(sa.select(table)).mappings() if row["partition"] == first]
        for row in rows:
            del row["id"]
        connection.execute(table.delete())
        for day in days:
            changes = []
            for name in NAMES:
                partition, revision = f"{day}|{name}", revisions.get((day, name), "3.0.1")
                for row in rows:
                    text = row["event"].replace(first, partition).replace("REVISION", revision)
                    text = text.replace(json.dumps(days[0]), json.dumps(day)).replace(NAMES[0], name)
                    changes.append(row | {"event": text, "partition": partition})
            connection.execute(table.insert(), changes)
    job = defs.resolve_job_def("collect")
    tags = {"dagster/partition": first, "dagster/partition/date": days[0], "dagster/partition/platform": NAMES[0]}
    run = instance.create_run_for_job(job, tags=tags, status=dg.DagsterRunStatus.SUCCESS)
    with instance.run_storage.connect() as connection:
        [row] = [dict(r) for r in connection.execute(sa.select(RunsTable)).mappings()]
        tag_rows = [dict(r) for r in connection.execute(sa.select(RunTagsTable)).mappings()]
        for old in (row, *tag_rows):
            del old["id"]
        for day in days:
            for number, name in enumerate(NAMES):
                made = f"{day}-{name}"
                text = row["run_body"].replace(run.run_id, made).replace(first, f"{day}|{name}")
                failed = day == days[-1] and number % 4 == 0
                more = {"run_id": made, "run_body": text, "partition": f"{day}|{name}"}
                if failed:
                    more |= {"status": "FAILURE", "run_body": text.replace("SUCCESS", "FAILURE")}
                connection.execute(RunsTable.insert(), [row | more])
                values = {first: f"{day}|{name}", days[0]: day, NAMES[0]: name}
                copied = [tag | {"run_id": made, "value": values.get(tag["value"], tag["value"])} for tag in tag_rows]
                connection.execute(RunTagsTable.insert(), copied)


def main() -> None:
    days = write_data()
    import dagster as dg

    from geo_assets.definitions import defs
    from geo_assets.resources.default import default_resources

    began = time.monotonic()
    fill_ledger(days)
    (DATA / "instance").mkdir()
    with dg.instance_for_test(temp_dir=str(DATA / "instance")) as instance:
        fill_instance(instance, days)
        print(f"{DAYS} days × {PLATFORMS} platforms × {SAMPLES} samples prepared in {time.monotonic() - began:.0f} s")
        for name in ("next_slice", "analyse_complete"):
            for attempt in ("first", "again"):
                resources = {"ledger": default_resources()["ledger"]}
                with dg.build_sensor_context(
                    instance=instance, resources=resources, repository_def=defs.get_repository_def()
                ) as context:
                    began = time.monotonic()
                    result = defs.resolve_sensor_def(name).evaluate_tick(context)
                    took = time.monotonic() - began
                said = str(result.skip_message or "").replace("\n", " · ")[:160]
                print(f"{name} ({attempt}): {took:.2f} s, {len(result.run_requests or [])} runs asked for. {said}")


if __name__ == "__main__":
    main()
