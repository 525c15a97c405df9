"""Writing and reading lake partitions: stage to temporary files, publish whole, read in batches.

A partition of a table is one file per tenant: `table/tenant=T/date=D/platform=P/part-0.parquet`. Files are serialised
locally first and then put in place in one step (rename on disk, one put on S3), so a reader never sees half a file and
a failing producer leaves the old one. The same rows give the same bytes for one pyarrow version.
"""

import hashlib
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from geo_assets.lake.block import Block
from geo_assets.lake.contracts import TABLES, ContractError, Table

# pyarrow and fsspec are imported where they work: definitions that only name these types load without them.
if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as pq

BATCH_ROWS = 2_000
GROUP_BYTES = 8 * 2**20
"""Bytes in memory of a row group: each repeats the dictionaries and the statistics of its columns."""
FILE = "part-0.parquet"


class MissingPartitionError(FileNotFoundError):
    """A table's partition was never written; the message says which and how to make it."""


@dataclass(frozen=True, slots=True)
class Partition:
    """A lake partition: a date, and a platform for tables on the grid."""

    date: str
    platform: str | None = None

    def __str__(self) -> str:
        return self.date if self.platform is None else f"{self.date}|{self.platform}"

    def folder(self, table: str, tenant: str) -> str:
        """Path of the partition's folder below the lake's root."""
        path = f"{table}/tenant={tenant}/date={self.date}"
        return path if self.platform is None else f"{path}/platform={self.platform}"


@dataclass(slots=True)
class StagedTable:
    """A partition serialised to temporary files, one per tenant, not yet visible to readers."""

    table: Table
    partition: Partition
    files: dict[str, Path]
    digests: dict[str, str]
    rows: int
    preview: list[dict[str, Any]]
    _folder: tempfile.TemporaryDirectory[str] = field(repr=False)

    @property
    def digest(self) -> str:
        """sha256 (hex) over tenants and file contents: the data version of the partition."""
        lines = (f"{tenant} {self.digests[tenant]}\n" for tenant in sorted(self.digests))
        return hashlib.sha256("".join(lines).encode()).hexdigest()

    def reader(self) -> "PartitionReader":
        """A reader of the staged rows, before they are published."""
        return PartitionReader(self.table, self.partition, {t: partial(p.open, "rb") for t, p in self.files.items()})

    def close(self) -> None:
        """Remove the temporary files."""
        self._folder.cleanup()


class _Writer:
    """Writes one tenant's rows in batches, checking order and uniqueness of keys as they pass."""

    def __init__(self, table: Table, path: Path) -> None:
        import pyarrow.parquet as pq

        from geo_assets.lake.schema import arrow_schema

        self.table, self.path, self.rows = table, path, 0
        self._pending: list[dict[str, Any]] = []
        self._blocks: list[Block] = []
        self._waiting = 0
        self._group: list[pa.RecordBatch] = []
        self._last: tuple[Any, ...] | None = None
        self._writer = pq.ParquetWriter(
            path, arrow_schema(table.name), compression="zstd", compression_level=3, use_dictionary=True
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self._flush()
            self._write_group()
        self._writer.close()

    def add(self, row: dict[str, Any] | Block) -> None:
        """Add a row, or the rows of a block."""
        if isinstance(row, Block):
            if not row.size:
                return
            if self._pending:
                self._flush()
            for key in row.keys(self.table.key):
                self._follows(key)
            self._blocks.append(row)
            size = row.size
        else:
            if self._blocks:
                self._flush()
            self._follows(tuple(row[k] for k in self.table.key))
            self._pending.append(row)
            size = 1
        self.rows += size
        self._waiting += size
        if self._waiting >= BATCH_ROWS:
            self._flush()

    def _follows(self, key: tuple[Any, ...]) -> None:
        if self._last is not None and key <= self._last:
            what = "twice" if key == self._last else "out of order"
            msg = f"{self.table.name}: key {'/'.join(map(str, key))} stands {what}"
            raise ContractError(msg)
        self._last = key

    def _flush(self) -> None:
        """Turn waiting rows into a batch; many small batches make one row group."""
        from geo_assets.lake.schema import block_batch, record_batch

        if self._pending:
            self._group.append(record_batch(self.table, self._pending))
        if self._blocks:
            self._group.append(block_batch(self.table, self._blocks))
        self._pending, self._blocks, self._waiting = [], [], 0
        if sum(batch.nbytes for batch in self._group) >= GROUP_BYTES:
            self._write_group()

    def _write_group(self) -> None:
        import pyarrow as pa

        if self._group:
            table = pa.Table.from_batches(self._group)
            self._writer.write_table(table, row_group_size=table.num_rows)
            self._group = []


def stage(
    table: Table,
    partition: Partition,
    rows: Iterable[tuple[str, dict[str, Any] | Block]],
    *,
    tenants: Iterable[str] = (),
    preview_rows: int = 5,
) -> StagedTable:
    """Serialise rows, given as (tenant, row or block of rows) by tenant and in key order, to temporary files.

    `tenants` get a file even without rows: an empty table is an answer, a missing one is not. Raises ContractError on
    rows that do not fit, stand twice, or are out of order.
    """
    folder = tempfile.TemporaryDirectory(prefix="geo-stage-")
    files: dict[str, Path] = {}
    preview: list[dict[str, Any]] = []
    total = 0
    try:
        wanted = sorted(set(tenants))
        stream = iter(rows)
        row = next(stream, None)
        while row is not None or wanted:
            tenant = min([*wanted[:1], *([row[0]] if row else [])])
            if tenant in files:
                msg = f"{table.name}: rows of tenant {tenant} are not together"
                raise ContractError(msg)
            wanted = [t for t in wanted if t != tenant]
            files[tenant] = Path(folder.name) / f"{len(files)}.parquet"
            with _Writer(table, files[tenant]) as writer:
                while row is not None and row[0] == tenant:
                    writer.add(row[1])
                    if len(preview) < preview_rows:
                        some = row[1].rows() if isinstance(row[1], Block) else [row[1]]
                        preview += [{"tenant": tenant, **r} for r in islice(some, preview_rows - len(preview))]
                    row = next(stream, None)
            total += writer.rows
        digests = {t: _file_digest(p) for t, p in files.items()}
    except BaseException:
        folder.cleanup()
        raise
    return StagedTable(table, partition, files, digests, total, preview, folder)


def _file_digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


class Lake:
    """The lake below one root, local or remote. Stateless: listings are never cached."""

    def __init__(self, root: str, storage_options: Mapping[str, Any] | None = None) -> None:
        import fsspec

        options = dict(storage_options or {})
        protocol = fsspec.utils.get_protocol(root)
        if protocol != "file":
            options.setdefault("use_listings_cache", False)
        self._fs, path = fsspec.core.url_to_fs(root, **options)
        self.root = root
        self._path = str(path).rstrip("/")
        self._local = protocol == "file"

    def uri(self, table: str, partition: Partition, tenant: str = "*") -> str:
        """Where a partition's file stands, for people and metadata."""
        return f"{self.root.rstrip('/')}/{partition.folder(table, tenant)}/{FILE}"

    def _file(self, table: str, partition: Partition, tenant: str) -> str:
        return f"{self._path}/{partition.folder(table, tenant)}/{FILE}"

    def tenants(self, table: str, partition: Partition) -> list[str]:
        """Tenants that have a file in this partition, sorted."""
        base = f"{self._path}/{table}"
        try:
            entries = self._fs.ls(base, detail=False)
        except FileNotFoundError:
            return []
        names = (str(e).rstrip("/").rsplit("/", 1)[-1] for e in entries)
        found = (n.removeprefix("tenant=") for n in names if n.startswith("tenant="))
        return sorted(t for t in found if self._fs.exists(self._file(table, partition, t)))

    def publish(self, staged: StagedTable) -> None:
        """Put a staged partition in place, file by file, then remove files of tenants that are no longer in it."""
        name, partition = staged.table.name, staged.partition
        stale = set(self.tenants(name, partition)) - set(staged.files)
        for tenant in sorted(staged.files):
            self._put(staged.files[tenant], self._file(name, partition, tenant))
        for tenant in sorted(stale):
            self._fs.rm_file(self._file(name, partition, tenant))

    def _put(self, source: Path, target: str) -> None:
        if not self._local:
            self._fs.put_file(str(source), target)
            return
        final = Path(target)
        final.parent.mkdir(parents=True, exist_ok=True)
        with (
            source.open("rb") as data,
            tempfile.NamedTemporaryFile(dir=final.parent, prefix=".part-", delete=False) as temporary,
        ):
            shutil.copyfileobj(data, temporary)
        Path(temporary.name).chmod(0o644)
        Path(temporary.name).replace(final)

    def read(self, table: str, partition: Partition) -> "PartitionReader":
        """A reader of one partition. Raises MissingPartitionError where it was never written."""
        tenants = self.tenants(table, partition)
        if not tenants:
            msg = f"{table} {partition} is not in the lake at {self.root}: materialize it first"
            raise MissingPartitionError(msg)
        return PartitionReader(TABLES[table], partition, {t: self._opener(table, partition, t) for t in tenants})

    def read_or_empty(self, table: str, partition: Partition) -> "PartitionReader":
        """Like `read`, but a partition that was never written reads as one without rows."""
        tenants = self.tenants(table, partition)
        return PartitionReader(TABLES[table], partition, {t: self._opener(table, partition, t) for t in tenants})

    def _opener(self, table: str, partition: Partition, tenant: str) -> Callable[[], Any]:
        path = self._file(table, partition, tenant)
        return lambda: self._fs.open(path, "rb")


@dataclass
class PartitionReader:
    """Streams the rows of one partition, tenant by tenant, in key order. `monitors` limits it to these; None = all."""

    table: Table
    partition: Partition
    _open: dict[str, Callable[[], Any]]
    monitors: frozenset[str] | None = None

    def only(self, monitors: Iterable[str]) -> "PartitionReader":
        """A reader of the rows of some monitors. Rows are sorted by monitor, so that most others are not even read."""
        return replace(self, monitors=frozenset(monitors))

    @cached_property
    def tenants(self) -> list[str]:
        """Tenants of the partition, sorted."""
        return sorted(self._open)

    def batches(self, columns: list[str] | None = None) -> "Iterator[tuple[str, pa.RecordBatch]]":
        """(tenant, record batch) pairs of at most `BATCH_ROWS` rows."""
        import pyarrow.parquet as pq

        for tenant in self.tenants:
            # ParquetFile, not a dataset: a dataset would infer the partition columns again from the path.
            with self._open[tenant]() as raw, pq.ParquetFile(raw) as file:
                if self.monitors is None:
                    for batch in file.iter_batches(batch_size=BATCH_ROWS, columns=columns):
                        yield tenant, batch
                else:
                    yield from ((tenant, batch) for batch in self._selected(file, columns))

    def _selected(self, file: "pq.ParquetFile", columns: list[str] | None) -> "Iterator[pa.RecordBatch]":
        """Batches with the rows of `monitors`, from those row groups whose statistics do not rule them out."""
        import pyarrow as pa
        import pyarrow.compute as pc

        wanted = sorted(self.monitors or ())
        metadata = file.metadata
        # Statistics are by leaf column, and a list of structs has several of them.
        at = [metadata.schema.column(i).path for i in range(metadata.num_columns)].index("monitor")
        for group in range(metadata.num_row_groups):
            found = metadata.row_group(group).column(at).statistics
            if found is not None and found.has_min_max and not any(found.min <= m <= found.max for m in wanted):
                continue
            names = columns if columns is None or "monitor" in columns else [*columns, "monitor"]
            for batch in file.iter_batches(batch_size=BATCH_ROWS, row_groups=[group], columns=names):
                kept = batch.filter(pc.is_in(batch.column("monitor"), pa.array(wanted, pa.string())))
                if kept.num_rows:
                    yield kept if names == columns else kept.select(columns or kept.schema.names)

    def rows(self, columns: list[str] | None = None) -> Iterator[tuple[str, dict[str, Any]]]:
        """(tenant, row) pairs; timestamps are aware datetimes in UTC."""
        for tenant, batch in self.batches(columns):
            for row in batch.to_pylist():
                yield tenant, row

    def digests(self) -> dict[str, str]:
        """sha256 (hex) of every tenant's file, as `StagedTable.digests` has them."""
        found = {}
        for tenant in self.tenants:
            with self._open[tenant]() as raw:
                found[tenant] = hashlib.file_digest(raw, "sha256").hexdigest()
        return found

    def count(self) -> int:
        """Number of rows, from the file footers."""
        import pyarrow.parquet as pq

        total = 0
        for tenant in self.tenants:
            with self._open[tenant]() as raw, pq.ParquetFile(raw) as file:
                total += file.metadata.num_rows
        return total
