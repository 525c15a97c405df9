"""Evidence archives: ZIP files per tenant × date × platform with every entity, and manifests that name each.

An archive is a copy for handing over and keeping: it is made from ledger and evidence store and can be made again with
the same bytes (fixed member times and order, no clock, no host). Format: parts `evidence-000.zip`, `evidence-001.zip`,
… (ZIP, APPNOTE 6.3) of at most about 20,000 members each, so that neither writing nor opening one takes memory that
grows with the day; a sample's members stand together. Members `<sample>/<attempt>/<leg>-<part>` deflated,
`manifest.jsonl` last in each part, one canonical JSON object per member.
"""

import shutil
import tempfile
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from geo_assets.model.text import canonical_json

_EPOCH = (1980, 1, 1, 0, 0, 0)
MANIFEST = "manifest.jsonl"
PART_MEMBERS = 20_000


@dataclass(frozen=True, slots=True)
class Entry:
    """One entity to archive. `facts` go into the manifest beside digest, size and member name."""

    member: str
    digest: str
    facts: Mapping[str, Any]


def archive_folder(tenant: str, date: str, platform: str) -> str:
    """Folder of an archive's parts below the archive root."""
    return f"tenant={tenant}/date={date}/platform={platform}"


class _Part:
    """One ZIP file being written, with its manifest."""

    def __init__(self, path: Path) -> None:
        self.path, self.members = path, 0
        self._zip = zipfile.ZipFile(path, "w", allowZip64=True)
        self._manifest = path.with_suffix(".jsonl").open("w+", encoding="utf-8", newline="\n")

    def add(self, entry: Entry, data: bytes) -> None:
        with self._open(entry.member) as target:
            target.write(data)
        facts = {"member": entry.member, "digest": entry.digest, "bytes": len(data), **entry.facts}
        self._manifest.write(canonical_json(facts) + "\n")
        self.members += 1

    def finish(self) -> None:
        self._manifest.flush()
        with Path(self._manifest.name).open("rb") as source, self._open(MANIFEST) as target:
            shutil.copyfileobj(source, target)
        self.close()

    def close(self) -> None:
        self._manifest.close()
        self._zip.close()

    def _open(self, member: str) -> Any:
        info = zipfile.ZipInfo(member, _EPOCH)
        info.compress_type = zipfile.ZIP_DEFLATED
        info.external_attr = 0o644 << 16
        info.create_system = 3
        return self._zip.open(info, "w", force_zip64=False)


class ArchiveWriter:
    """Writes one archive to temporary files and puts all parts in place when the block ends without an error.

    What a failed block had written is dropped, and an older archive stays. Parts of an older archive that the new one
    does not have are removed.
    """

    def __init__(self, root: str, folder: str) -> None:
        import fsspec

        self._fs, base = fsspec.core.url_to_fs(root)
        self._target = f"{str(base).rstrip('/')}/{folder}"
        self._folder = tempfile.TemporaryDirectory(prefix="geo-archive-")
        self._finished: list[Path] = []
        self._part: _Part | None = None
        self._sample = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if kind is None:
                self._finish()
                self._put()
            elif self._part:
                self._part.close()
        finally:
            self._folder.cleanup()

    def add(self, entry: Entry, data: bytes) -> str:
        """Add one entity; returns the name of its part. Entries must come in a fixed order for equal bytes."""
        sample = entry.member.partition("/")[0]
        if self._part and self._part.members >= PART_MEMBERS and sample != self._sample:
            self._finish()
        if self._part is None:
            self._part = _Part(Path(self._folder.name) / f"evidence-{len(self._finished):03d}.zip")
        self._sample = sample
        self._part.add(entry, data)
        return self._part.path.name

    def _finish(self) -> None:
        if self._part:
            self._part.finish()
            self._finished.append(self._part.path)
            self._part = None

    def _put(self) -> None:
        self._fs.makedirs(self._target, exist_ok=True)
        for path in self._finished:
            partial = f"{self._target}/{path.name}.partial"
            self._fs.put_file(str(path), partial)
            self._fs.mv(partial, f"{self._target}/{path.name}")
        self._fs.invalidate_cache(self._target)
        present = {path.name for path in self._finished}
        for stale in self._fs.ls(self._target, detail=False):
            name = str(stale).rsplit("/", 1)[-1]
            if name.endswith(".zip") and name not in present:
                self._fs.rm_file(stale)


def write_archive(
    root: str, folder: str, entries: Iterable[Entry], read: Callable[[str], bytes]
) -> Iterator[tuple[str, int]]:
    """Write an archive; yields (path below the root, size) of each entity as it is added.

    So a manifest table can be made in step. Raises what `read` raises, and then leaves the old archive.
    """
    with ArchiveWriter(root, folder) as archive:
        for entry in entries:
            data = read(entry.digest)
            yield f"{folder}/{archive.add(entry, data)}", len(data)
