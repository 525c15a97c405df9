"""The resources of the code location, made from the environment."""

from typing import Any

from geo_assets.resources.lake_io import HiveParquetIOManager, LakeResource
from geo_assets.resources.owner import RunOwner
from geo_assets.resources.platforms import PlatformClients
from geo_assets.resources.project import ProjectResource
from geo_assets.resources.stores import EvidenceResource, LedgerResource


def default_resources(data_dir: str = "") -> dict[str, Any]:
    """Resources by key; `data_dir` overrides the environment (tests)."""
    project = ProjectResource(data_dir=data_dir)
    lake = LakeResource(project=project)
    return {
        "project": project,
        "ledger": LedgerResource(project=project),
        "evidence": EvidenceResource(project=project),
        "lake": lake,
        "lake_io": HiveParquetIOManager(lake=lake),
        "clients": PlatformClients(project=project),
        "owner": RunOwner(),
    }
