"""The daily schedule: when a window opens, one collection run per platform. Slices after it are the sensor's."""

from collections import defaultdict
from collections.abc import Callable, Iterator

import dagster as dg

from geo_assets.assets.partitions import GridKey, platforms, project
from geo_assets.automation.defaults import SCHEDULES
from geo_assets.automation.jobs import collect_config, collect_job
from geo_assets.configuration.clock import capture_date, window_of, zone_of


def window_starts() -> dict[str, list[str]]:
    """Window start (HH:MM) → platforms that open then; retired platforms have none."""
    starts: dict[str, list[str]] = defaultdict(list)
    for platform in platforms():
        if platform.retired is None:
            starts[window_of(project(), platform).start].append(platform.id)
    return dict(sorted(starts.items()))


def _schedule(start: str, names: list[str]) -> dg.ScheduleDefinition:
    hour, minute = start.split(":")

    def requests(context: dg.ScheduleEvaluationContext) -> Iterator[dg.RunRequest]:
        date = capture_date(context.scheduled_execution_time, zone_of(project()))
        for name in names:
            key = GridKey(date, name)
            yield dg.RunRequest(
                run_key=f"schedule:{date}|{name}",
                partition_key=key.key,
                run_config=collect_config(whole_day=False, slice_minutes=0.0, monitors=()),
            )

    function: Callable[[dg.ScheduleEvaluationContext], Iterator[dg.RunRequest]] = requests
    return dg.ScheduleDefinition(
        name=f"collect_daily_{hour}{minute}",
        cron_schedule=f"{int(minute)} {int(hour)} * * *",
        execution_timezone=project().timezone,
        job=collect_job,
        execution_fn=function,
        default_status=SCHEDULES,
        description=f"Opens the collection window of {', '.join(names)} at {start}.",
    )


schedules = [_schedule(start, names) for start, names in window_starts().items()]
