"""Sensors: next slice, analysis when nothing is open, dead owners, alerts, publishing a date. Thin over `decisions`.

Repair has no sensor of its own: collection and analysis are asked for whenever they are due, whatever happened before,
with a rest that grows while they fail. State is recomputed at every tick; run keys make repeating harmless.
"""

from collections.abc import Callable
from datetime import UTC, datetime

import dagster as dg

from geo_assets.assets.partitions import GridKey, platforms, project
from geo_assets.automation.decisions import Decision, PartitionFacts, analyse_decision, collect_decision, explain_skips
from geo_assets.automation.defaults import SENSORS
from geo_assets.automation.facts import partition_facts
from geo_assets.automation.jobs import analyse_job, collect_config, collect_job, reading_inputs_job
from geo_assets.model.alerts import Alert, AlertKind
from geo_assets.resources.owner import fail_dead_runs
from geo_assets.resources.project import ProjectResource
from geo_assets.resources.stores import LedgerResource

MAX_REQUESTS = 100
"""Runs asked for in one tick; the next tick goes on."""


def _decide(
    context: dg.SensorEvaluationContext,
    ledger: LedgerResource,
    decide: Callable[[PartitionFacts, datetime], Decision],
    request: Callable[[Decision, PartitionFacts], dg.RunRequest],
) -> dg.SensorResult:
    now = datetime.now(UTC)
    with ledger.open() as book:
        facts = partition_facts(context.instance, book, project(), platforms(), now)
        decided = [(decide(f, now), f) for f in facts]
        book.raise_alerts([_alert(d, f) for d, f in decided if d.gave_up])
    wanted = [(d, f) for d, f in decided if d.run_key is not None][:MAX_REQUESTS]
    for decision, _ in wanted:
        context.log.info("%s: %s", decision.key, decision.why)
    skips = explain_skips(d for d, _ in decided)
    if not wanted:
        return dg.SensorResult(skip_reason=skips)
    context.log.info("not now: %s", skips)
    return dg.SensorResult(run_requests=[request(d, f) for d, f in wanted])


def _alert(decision: Decision, facts: PartitionFacts) -> Alert:
    subject = f"partition {decision.key}, job {decision.work}"
    return Alert(AlertKind.PARTITION_FAILING, subject, facts.date, decision.why)


@dg.sensor(
    job=collect_job,
    minimum_interval_seconds=30,
    default_status=SENSORS,
    description="Starts the next slice of collection where samples are due, and repairs what failed inside its window.",
)
def next_slice(context: dg.SensorEvaluationContext, ledger: LedgerResource) -> dg.SensorResult:
    """One run per partition that is due."""

    def request(decision: Decision, facts: PartitionFacts) -> dg.RunRequest:
        return dg.RunRequest(
            run_key=decision.run_key,
            partition_key=GridKey(facts.date, facts.platform).key,
            run_config=collect_config(whole_day=facts.whole_day, slice_minutes=0.0, monitors=()),
            tags={"geo/why": decision.why},
        )

    return _decide(context, ledger, collect_decision, request)


@dg.sensor(
    job=analyse_job,
    minimum_interval_seconds=30,
    default_status=SENSORS,
    description="Analyses a partition when nothing of it is open any more, again when late answers came, for 7 days.",
)
def analyse_complete(context: dg.SensorEvaluationContext, ledger: LedgerResource) -> dg.SensorResult:
    """One run per partition whose ledger state was not analysed yet."""

    def request(decision: Decision, facts: PartitionFacts) -> dg.RunRequest:
        key = GridKey(facts.date, facts.platform).key
        return dg.RunRequest(run_key=decision.run_key, partition_key=key, tags={"geo/why": decision.why})

    return _decide(context, ledger, analyse_decision, request)


@dg.sensor(
    name="dead_owners",
    asset_selection=dg.AssetSelection.assets("raw_responses"),
    minimum_interval_seconds=30,
    default_status=SENSORS,
    description="Ends runs whose process is gone, so that no orphan holds a platform's slot.",
)
def dead_owners(context: dg.SensorEvaluationContext) -> dg.SkipReason:
    """Asks for no run; ends those that nobody runs any more."""
    ended = fail_dead_runs(context.instance)
    return dg.SkipReason(f"ended {len(ended)} runs: {', '.join(ended)}" if ended else "every run has a living owner")


@dg.sensor(
    name="deliver_alerts",
    asset_selection=dg.AssetSelection.assets("raw_responses"),
    minimum_interval_seconds=30,
    default_status=SENSORS,
    description="Sends alerts to the destinations in project.yaml, once each, and again what could not be delivered.",
)
def deliver_alerts(
    context: dg.SensorEvaluationContext,  # noqa: ARG001 - Dagster passes it by position
    ledger: LedgerResource,
    project: ProjectResource,
) -> dg.SkipReason:
    """Asks for no run. Collectors deliver at their heartbeats too; this covers the time between them."""
    from geo_assets.collection.alerts import deliver, destinations_of
    from geo_assets.configuration.loader import load_project_settings

    settings = project.settings
    destinations = destinations_of(load_project_settings(settings.data_dir), simulated=settings.simulated)
    if not destinations:
        return dg.SkipReason("project.yaml names nobody to tell (`alerts:`)")
    with ledger.open() as book:
        done = deliver(book, destinations)
    unset = [f"{d.id}: its environment variable is not set" for d in destinations if d.url is None]
    return dg.SkipReason("; ".join([f"delivered {done.sent}", *done.errors, *unset]))


@dg.sensor(
    job=reading_inputs_job,
    minimum_interval_seconds=60,
    default_status=SENSORS,
    description="Notes brands, aliases, rules and people's decisions when they changed: older readings become stale.",
)
def reading_inputs_changed(context: dg.SensorEvaluationContext, project: ProjectResource) -> dg.SensorResult:
    """One run per change. The cursor holds the hash that was stored last, so going back to an old version counts."""
    present = project.reading_inputs_hash()
    if context.cursor == present:
        return dg.SensorResult(skip_reason="unchanged")
    key = f"reading-inputs:{present}:{datetime.now(UTC).isoformat()}"
    return dg.SensorResult(run_requests=[dg.RunRequest(run_key=key)], cursor=present)


publish_when_updated = dg.AutomationConditionSensorDefinition(
    "publish_when_updated",
    target=dg.AssetSelection.assets("daily_visibility", "visibility_report"),
    minimum_interval_seconds=30,
    default_status=SENSORS,
    description="Publishes a date again when a platform's numbers of it were written.",
)

sensors = [next_slice, analyse_complete, dead_owners, deliver_alerts, reading_inputs_changed, publish_when_updated]
