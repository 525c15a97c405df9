"""Tables as hive-style Parquet: the IO manager publishes what an asset has staged, and hands readers downstream."""

from typing import TYPE_CHECKING

import dagster as dg

from geo_assets.resources.project import ProjectResource

if TYPE_CHECKING:
    from geo_assets.lake.store import Lake, PartitionReader, StagedTable


def lake_partition(key: str) -> tuple[str, str | None]:
    """(date, platform) of a partition key: `2026-11-29|qwen` on the grid, `2026-11-29` for daily assets."""
    date, _, platform = key.partition("|")
    return date, platform or None


class HiveParquetIOManager(dg.IOManager):
    """Publishes `StagedTable`s; loads `PartitionReader`s, which stream rows in batches."""

    def __init__(self, lake: "Lake") -> None:
        self.lake = lake

    def handle_output(self, context: dg.OutputContext, obj: "StagedTable") -> None:
        """Put the staged files in place, then drop the temporary ones."""
        try:
            self.lake.publish(obj)
        finally:
            obj.close()
        context.add_output_metadata(
            {
                "dagster/row_count": obj.rows,
                "dagster/uri": self.lake.uri(obj.table.name, obj.partition),
                "tenants": len(obj.files),
            }
        )

    def load_input(self, context: dg.InputContext) -> "PartitionReader":
        """A reader of the upstream partition. Raises MissingPartitionError where it was never written."""
        from geo_assets.lake.store import Partition

        return self.lake.read(context.asset_key.path[-1], Partition(*lake_partition(context.partition_key)))


class LakeResource(dg.ConfigurableIOManagerFactory[HiveParquetIOManager]):
    """The lake's root, shared by the IO manager and by daily assets that read it by contract."""

    project: ProjectResource
    root: str = ""
    """Path or URL; empty = as the environment says (`GEO_LAKE_ROOT`), else in the profile's folder."""

    def lake(self) -> "Lake":
        """The lake itself."""
        from geo_assets.lake.store import Lake

        return Lake(self.root or self.project.settings.lake_root)

    def create_io_manager(self, context: dg.InitResourceContext) -> HiveParquetIOManager:  # noqa: ARG002
        """The IO manager over the lake."""
        return HiveParquetIOManager(self.lake())
