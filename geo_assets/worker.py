"""One OS process per platform under `geo run`: executes a job in this process on the project's own Dagster instance.

Several in-process runs in one process deadlock on SQLite storage, so each platform gets a process. Runs are tagged with
their owner: one that is killed is told from one that works, and ended by the next.
"""

import argparse
import logging
import sys
from typing import Any

import dagster as dg

from geo_assets.automation.jobs import collect_config
from geo_assets.resources.owner import fail_dead_runs, owner_tags


def execute(job: str, partition: str | None, run_config: dict[str, Any], instance: dg.DagsterInstance) -> bool:
    """Run a job for one partition in this process; True if it succeeded."""
    from geo_assets.definitions import defs

    result = defs.resolve_job_def(job).execute_in_process(
        run_config=run_config,
        partition_key=partition,
        instance=instance,
        tags={**owner_tags(), "geo/started_by": "geo run", "dagster/max_runtime": "86400"},
        raise_on_error=False,
    )
    return result.success


def main(argv: list[str] | None = None) -> int:
    """`python -m geo_assets.worker platform DATE PLATFORM`, `… day DATE` or `… prepare`. Exit code 0 = success."""
    parser = argparse.ArgumentParser(prog="worker")
    parser.add_argument("kind", choices=("prepare", "platform", "day"))
    parser.add_argument("date", nargs="?")
    parser.add_argument("platform", nargs="?")
    parser.add_argument("--monitor", action="append", default=[])
    parser.add_argument("--slice-minutes", type=float, default=-1.0)
    parser.add_argument("--replan", action="store_true")
    args = parser.parse_args(argv)
    logging.getLogger("dagster").setLevel(logging.INFO)
    with dg.DagsterInstance.get() as instance:
        for run_id in fail_dead_runs(instance):
            print(f"ended run {run_id}: its owner is gone")
        if args.kind == "prepare":
            # Touching every storage makes its files.
            instance.get_runs(limit=1)
            instance.all_asset_keys()
            instance.all_instigator_state()
            _note_reading_inputs(instance)
            return 0
        if args.kind == "day":
            return 0 if execute("publish", args.date, {}, instance) else 1
        config = collect_config(
            whole_day=True, slice_minutes=args.slice_minutes, monitors=tuple(args.monitor), replan=args.replan
        )
        key = f"{args.date}|{args.platform}"
        if not execute("collect", key, config, instance):
            return 1
        _note_reading_inputs(instance)
        return 0 if execute("analyse", key, {}, instance) else 1


def _note_reading_inputs(instance: dg.DagsterInstance) -> None:
    """Materialize dictionaries and decisions if they changed, so that the UI knows which readings are stale."""
    from geo_assets.resources.project import ProjectResource

    project = ProjectResource()
    present = project.reading_inputs_hash()
    last = instance.get_latest_materialization_event(dg.AssetKey("review_decisions"))
    noted = last.asset_materialization.metadata.get("reading inputs") if last and last.asset_materialization else None
    if noted is None or noted.value != present:
        execute("reading_inputs", None, {}, instance)


if __name__ == "__main__":
    sys.exit(main())
