"""Jobs: collect and analyse one date × platform, publish one date.

Collection runs carry a higher `dagster/priority`, so that a re-reading backfill of a year that was queued before the
window opened delays a capture by no more than the run that is at work.
"""

from typing import Any

import dagster as dg

COLLECT_ASSETS = ("sampling_plan", "raw_responses")
ANALYSE_ASSETS = (
    "evidence_archive",
    "answers",
    "brand_mentions",
    "untracked_names",
    "citations",
    "visibility_metrics",
    "collection_health",
    "spend",
)
PUBLISH_ASSETS = ("daily_visibility", "visibility_report")

PRIORITY = {"collect": 10, "publish": 0, "analyse": -10}

collect_job = dg.define_asset_job(
    "collect",
    dg.AssetSelection.assets(*COLLECT_ASSETS),
    description="Plan today's samples of one platform and ask what is due, for one slice.",
    tags={"dagster/priority": str(PRIORITY["collect"])},
)
analyse_job = dg.define_asset_job(
    "analyse",
    dg.AssetSelection.assets(*ANALYSE_ASSETS),
    description="Read the stored evidence of one date and platform: answers, mentions, citations, numbers, books.",
    tags={"dagster/priority": str(PRIORITY["analyse"])},
)
publish_job = dg.define_asset_job(
    "publish",
    dg.AssetSelection.assets(*PUBLISH_ASSETS),
    description="Numbers and report of one date over all platforms.",
    tags={"dagster/priority": str(PRIORITY["publish"])},
)
reading_inputs_job = dg.define_asset_job(
    "reading_inputs",
    dg.AssetSelection.assets("dictionaries", "review_decisions"),
    description="Note dictionaries and people's decisions; what was read with older ones becomes stale.",
)
jobs = [collect_job, analyse_job, publish_job, reading_inputs_job]


def collect_config(
    *, whole_day: bool, slice_minutes: float, monitors: tuple[str, ...], replan: bool = False
) -> dict[str, Any]:
    """Run configuration of the collect job."""
    config = {"whole_day": whole_day, "slice_minutes": slice_minutes, "monitors": list(monitors), "replan": replan}
    return {"ops": {name: {"config": config} for name in ("sampling_plan", "raw_responses")}}
