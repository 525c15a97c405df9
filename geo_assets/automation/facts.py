"""Facts for the decisions: from ledger, run storage and event log, in a handful of queries for all partitions in view.

In view are today, the days before it in which analysis is still repaired, and every date with open samples.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

import dagster as dg

from geo_assets.assets.tables import REVISION, WHOLE_DAY
from geo_assets.automation.decisions import LastRun, PartitionFacts
from geo_assets.configuration.clock import capture_date, collection_bounds, day_bounds, window_of, zone_of
from geo_assets.ledger import Ledger
from geo_assets.ledger.projections import PartitionRevision, first_planned_date, partition_revisions
from geo_assets.model.configuration import Platform, Project

LOOKBACK_DAYS = 7
_ACTIVE = (
    dg.DagsterRunStatus.QUEUED,
    dg.DagsterRunStatus.NOT_STARTED,
    dg.DagsterRunStatus.STARTING,
    dg.DagsterRunStatus.STARTED,
    dg.DagsterRunStatus.CANCELING,
)
_ENDED_BADLY = (dg.DagsterRunStatus.FAILURE, dg.DagsterRunStatus.CANCELED)
_PARTITION = "dagster/partition"
_COLLECTS, _ANALYSES = dg.AssetKey("raw_responses"), dg.AssetKey("visibility_metrics")


@dataclass(slots=True)
class _Done:
    """The newest materialization of a partition."""

    revision: str | None
    whole_day: bool
    run_id: str
    at: datetime


def days_in_view(ledger: Ledger, today: str, open_days: Iterable[str]) -> list[str]:
    """Dates to look at, oldest first. Days before the first plan were not missed: nobody was there to ask."""
    days = {(date.fromisoformat(today) - timedelta(days=n)).isoformat() for n in range(LOOKBACK_DAYS + 1)}
    first = first_planned_date(ledger.database) or today
    return sorted({d for d in days if d >= first} | set(open_days))


def partition_facts(
    instance: dg.DagsterInstance,
    ledger: Ledger,
    project: Project,
    platforms: Sequence[Platform],
    now: datetime,
) -> list[PartitionFacts]:
    """Facts of every partition in view, by date and platform."""
    zone = zone_of(project)
    today = capture_date(now, zone)
    due = {(p.date, p.platform): p.next_due_at for p in ledger.open_partitions(now)}
    days = [d for d in days_in_view(ledger, today, (day for day, _ in due)) if d >= project.start_date]
    revisions = partition_revisions(ledger.database, days)
    keys = [f"{d}|{p.id}" for d in days for p in platforms]
    collected, analysed = _newest(instance, _COLLECTS, keys), _newest(instance, _ANALYSES, keys)
    active = _active(instance)
    ended = _ended_badly(instance, now)
    facts = []
    for day in days:
        whole = day_bounds(day, zone)
        for platform in platforms:
            key = f"{day}|{platform.id}"
            bounds = collection_bounds(day, window_of(project, platform), zone)
            found = revisions.get((day, platform.id), PartitionRevision(0, 0, "0.0.0"))
            whole_day = key in collected and collected[key].whole_day
            facts.append(
                PartitionFacts(
                    date=day,
                    platform=platform.id,
                    planned=found.planned,
                    open=found.open,
                    next_due=due.get((day, platform.id)),
                    opens=bounds.opens,
                    closes=whole.closes if whole_day else bounds.closes,
                    revision=found.revision,
                    exported=collected[key].revision if key in collected else None,
                    analysed=analysed[key].revision if key in analysed else None,
                    whole_day=whole_day,
                    askable=platform.retired is None or day < platform.retired,
                    collect_run=_last(key, "raw_responses", collected, active, ended),
                    analyse_run=_last(key, "visibility_metrics", analysed, active, ended),
                )
            )
    return facts


def _newest(instance: dg.DagsterInstance, asset: dg.AssetKey, keys: Sequence[str]) -> dict[str, _Done]:
    """The newest materialization of each partition that has one: which they are in one look, then only these."""
    found: dict[str, _Done] = {}
    newest = instance.event_log_storage.get_latest_storage_id_by_partition(
        asset, dg.DagsterEventType.ASSET_MATERIALIZATION, set(keys)
    )
    if not newest:
        return found
    wanted = dg.AssetRecordsFilter(asset_key=asset, storage_ids=list(newest.values()))
    for record in instance.fetch_materializations(wanted, limit=len(newest)).records:
        event = record.asset_materialization
        if event is None or event.partition is None or event.partition in found:
            continue
        revision, whole_day = event.metadata.get(REVISION), event.metadata.get(WHOLE_DAY)
        found[event.partition] = _Done(
            str(revision.value) if revision else None,
            bool(whole_day and whole_day.value),
            record.run_id,
            datetime.fromtimestamp(record.timestamp, UTC),
        )
    return found


def _active(instance: dg.DagsterInstance) -> dict[str, list[dg.DagsterRun]]:
    """Runs waiting or at work, by partition key."""
    found: dict[str, list[dg.DagsterRun]] = {}
    for run in instance.get_runs(filters=dg.RunsFilter(statuses=list(_ACTIVE))):
        if key := run.tags.get(_PARTITION):
            found.setdefault(key, []).append(run)
    return found


def _ended_badly(instance: dg.DagsterInstance, now: datetime) -> dict[str, list[dg.RunRecord]]:
    """Failed and cancelled runs of the last day, newest first, by partition key."""
    found: dict[str, list[dg.RunRecord]] = {}
    filters = dg.RunsFilter(statuses=list(_ENDED_BADLY), created_after=now - timedelta(days=1))
    for record in instance.get_run_records(filters=filters, limit=1000):
        if key := record.dagster_run.tags.get(_PARTITION):
            found.setdefault(key, []).append(record)
    return found


def _works_on(run: dg.DagsterRun, asset: str) -> bool:
    """Whether a run was to materialize an asset: by its job, or by the assets selected in the UI."""
    job = "collect" if asset == "raw_responses" else "analyse"
    selected = run.asset_selection or ()
    return run.job_name == job or any(key.path[-1] == asset for key in selected)


def _last(
    key: str,
    asset: str,
    done: dict[str, _Done],
    active: dict[str, list[dg.DagsterRun]],
    ended: dict[str, list[dg.RunRecord]],
) -> LastRun | None:
    """The newest run that worked on an asset's partition."""
    for run in active.get(key, []):
        if _works_on(run, asset):
            return LastRun(run.run_id, active=True, failed=False, ended=None)
    success = done.get(key)
    bad = [r for r in ended.get(key, []) if _works_on(r.dagster_run, asset) and _after(r, success)]
    if not bad:
        return LastRun(success.run_id, active=False, failed=False, ended=success.at) if success else None
    failures = _streak(r.dagster_run.status for r in bad)
    newest = bad[0]
    at = datetime.fromtimestamp(newest.end_time, UTC) if newest.end_time else newest.update_timestamp
    return LastRun(newest.dagster_run.run_id, active=False, failed=failures > 0, ended=at, failures=failures)


def _after(record: dg.RunRecord, success: _Done | None) -> bool:
    return success is None or record.create_timestamp > success.at


def _streak(statuses: Iterable[dg.DagsterRunStatus]) -> int:
    """Failures in a row, newest first; a cancelled run was somebody's wish and ends the row."""
    count = 0
    for status in statuses:
        if status is not dg.DagsterRunStatus.FAILURE:
            break
        count += 1
    return count
