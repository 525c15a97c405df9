"""Assets of the group `reporting`: the page that people read."""

from datetime import timedelta
from typing import Any

import dagster as dg

from geo_assets.assets.metrics import WHEN_UPDATED, daily_visibility
from geo_assets.assets.partitions import dates
from geo_assets.assets.tables import OWNERS
from geo_assets.resources.lake_io import LakeResource
from geo_assets.resources.project import ProjectResource


@dg.asset(
    name="visibility_report",
    description="One self-contained HTML page per date in Chinese and English, made from the tables alone.",
    group_name="reporting",
    owners=OWNERS,
    kinds={"html"},
    deps=[daily_visibility],
    partitions_def=dates,
    automation_condition=WHEN_UPDATED,
    code_version="1",
    # A date is due by the morning after its window: nine o'clock leaves three hours for repair.
    freshness_policy=dg.FreshnessPolicy.cron(
        deadline_cron="0 9 * * *", lower_bound_delta=timedelta(hours=7), timezone=dates.timezone
    ),
)
def visibility_report(
    context: dg.AssetExecutionContext, project: ProjectResource, lake: LakeResource
) -> dg.MaterializeResult[Any]:
    """Render the report of a date and put it in place."""
    from geo_assets.projection.dictionaries import DictionaryBook
    from geo_assets.projection.publish import publish_report
    from geo_assets.projection.report import report_input
    from geo_assets.projection.reviews import ReviewBook

    date = context.partition_key
    settings, store = project.settings, lake.lake()
    loaded = project.load()
    dictionaries, reviews = DictionaryBook(loaded, store.root), ReviewBook(settings)
    data = report_input(store, loaded, dictionaries, reviews, date, simulated=settings.simulated)
    page = publish_report(settings.report_root, date, data)
    return dg.MaterializeResult(
        data_version=dg.DataVersion(page.digest),
        metadata={"page": dg.MetadataValue.path(page.path), "monitors": page.monitors, "bytes": page.size},
    )
