"""Tables as hive-style Parquet: the IO manager publishes what an asset has staged, and hands readers downstream."""

from typing import TYPE_CHECKING

import dagster as dg

from geo_assets.resources.project import ProjectResource

if TYPE_CHECKING:
    from geo_assets.lake.store import Lake, PartitionReader, StagedTable


class LakeResource(dg.ConfigurableResource["LakeResource"]):
    """The lake's root, for the IO manager and for daily assets that read it by contract."""

    project: ProjectResource
    root: str = ""
    """Path or URL; empty = as the environment says (`GEO_LAKE_ROOT`), else in the profile's folder."""

    def lake(self) -> "Lake":
        """The lake itself."""
        from geo_assets.lake.store import Lake

        return Lake(self.root or self.project.settings.lake_root)


class HiveParquetIOManager(dg.ConfigurableIOManager):
    """Publishes `StagedTable`s; loads `PartitionReader`s, which stream rows in batches."""

    lake: LakeResource

    def handle_output(self, context: dg.OutputContext, obj: "StagedTable") -> None:
        """Put the staged files in place, then drop the temporary ones."""
        lake = self.lake.lake()
        try:
            lake.publish(obj)
        finally:
            obj.close()
        context.add_output_metadata(
            {
                "dagster/row_count": obj.rows,
                "dagster/uri": lake.uri(obj.table.name, obj.partition),
                "tenants": len(obj.files),
            }
        )

    def load_input(self, context: dg.InputContext) -> "PartitionReader":
        """A reader of the upstream partition. Raises MissingPartitionError where it was never written."""
        from geo_assets.lake.store import Partition

        date, _, platform = context.partition_key.partition("|")
        return self.lake.lake().read(context.asset_key.path[-1], Partition(date, platform or None))
