"""The one `Definitions` object of the code location."""

import dagster as dg

from geo_assets.assets import analysis, collection, metrics, reporting
from geo_assets.automation.jobs import jobs
from geo_assets.automation.schedules import schedules
from geo_assets.automation.sensors import sensors
from geo_assets.resources.default import default_resources

defs = dg.Definitions(
    assets=dg.load_assets_from_modules([collection, analysis, metrics, reporting]),
    jobs=jobs,
    schedules=schedules,
    sensors=sensors,
    resources=default_resources(),
    # Every run is already a process of its own; a process per step would buy nothing and cost seconds.
    executor=dg.in_process_executor,
)
