"""Evidence archives: one ZIP file per tenant × date × platform with every entity, and a manifest that names each.

An archive is a copy for handing over and keeping: it is made from ledger and evidence store and can be made again with
the same bytes (fixed member times and order, no clock, no host). Format: ZIP (APPNOTE 6.3), members
`<sample>/<attempt>/<leg>-<part>` deflated, `manifest.jsonl` last, one canonical JSON object per member.
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


@dataclass(frozen=True, slots=True)
class Entry:
    """One entity to archive. `facts` go into the manifest beside digest, size and member name."""

    member: str
    digest: str
    facts: Mapping[str, Any]


def archive_path(tenant: str, date: str, platform: str) -> str:
    """Path of an archive below the archive root."""
    return f"tenant={tenant}/date={date}/platform={platform}/evidence.zip"


class ArchiveWriter:
    """Writes one archive to a temporary file and puts it in place whole when the block ends without an error."""

    def __init__(self, root: str, path: str) -> None:
        import fsspec

        self._fs, base = fsspec.core.url_to_fs(root)
        self._target = f"{str(base).rstrip('/')}/{path}"
        self._folder = tempfile.TemporaryDirectory(prefix="geo-archive-")
        self._temporary = Path(self._folder.name) / "evidence.zip"
        self._zip = zipfile.ZipFile(self._temporary, "w", allowZip64=True)
        self._manifest = (Path(self._folder.name) / MANIFEST).open("w", encoding="utf-8", newline="\n")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self._manifest.close()
            if kind is None:
                with (Path(self._folder.name) / MANIFEST).open("rb") as source, self._open(MANIFEST) as target:
                    shutil.copyfileobj(source, target)
            self._zip.close()
            if kind is None:
                self._put()
        finally:
            self._folder.cleanup()

    def _open(self, member: str) -> Any:
        info = zipfile.ZipInfo(member, _EPOCH)
        info.compress_type = zipfile.ZIP_DEFLATED
        info.external_attr = 0o644 << 16
        info.create_system = 3
        return self._zip.open(info, "w", force_zip64=False)

    def add(self, entry: Entry, data: bytes) -> None:
        """Add one entity. Entries must come in a fixed order for equal bytes."""
        with self._open(entry.member) as target:
            target.write(data)
        facts = {"member": entry.member, "digest": entry.digest, "bytes": len(data), **entry.facts}
        self._manifest.write(canonical_json(facts) + "\n")

    def _put(self) -> None:
        self._fs.makedirs(self._target.rsplit("/", 1)[0], exist_ok=True)
        partial = f"{self._target}.partial"
        self._fs.put_file(str(self._temporary), partial)
        self._fs.mv(partial, self._target)


def write_archive(root: str, path: str, entries: Iterable[Entry], read: Callable[[str], bytes]) -> Iterator[int]:
    """Write an archive; yields the size of each entity as it is added, so that a manifest table can be made in step."""
    with ArchiveWriter(root, path) as archive:
        for entry in entries:
            data = read(entry.digest)
            archive.add(entry, data)
            yield len(data)
