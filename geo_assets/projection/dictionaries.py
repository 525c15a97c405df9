"""Which dictionary an answer is read with: the monitor's present one, kept by content hash beside the lake.

A monitor whose file is broken (or gone) is read with the last dictionary that worked, so that a typing mistake neither
stops the others nor empties its own tables. Answers of a monitor that never had one cannot be read: that is an error.
"""

import json
import os
from collections.abc import Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from geo_assets.configuration.dictionaries import dictionary
from geo_assets.model.dictionary import BrandEntry, Dictionary, OwnedSource, Role
from geo_assets.model.text import canonical_json

if TYPE_CHECKING:
    from geo_assets.configuration.loader import LoadedProject

FOLDER = "_dictionaries"


class UnknownMonitorError(LookupError):
    """Answers of a monitor that has neither a valid file nor a stored dictionary."""


def to_json(entry: Dictionary) -> str:
    """A dictionary as canonical JSON."""
    return canonical_json(asdict(entry))


def from_json(text: str) -> Dictionary:
    """The inverse of `to_json`."""
    data: dict[str, Any] = json.loads(text)

    def brand(row: Mapping[str, Any]) -> BrandEntry:
        values = dict(row)
        for name in ("aliases", "exclude", "context"):
            values[name] = tuple(values[name])
        values["owned"] = tuple(OwnedSource(**o) for o in values["owned"])
        values["role"] = Role(values["role"])
        return BrandEntry(**values)

    return Dictionary(
        monitor=data["monitor"],
        brands=tuple(brand(b) for b in data["brands"]),
        known=tuple(data["known"]),
        context=tuple(data["context"]),
        coverage_k=tuple(data["coverage_k"]),
    )


class DictionaryBook:
    """Dictionaries of a project: the present ones, and the last good one of each monitor.

    `used` maps monitors to the hash they were read with in this process; `stale` holds those read with an older one.
    `keep` False stores nothing (previews).
    """

    def __init__(self, project: "LoadedProject", lake_root: str, *, keep: bool = True) -> None:
        import fsspec

        self._project, self._keep = project, keep
        self._fs, root = fsspec.core.url_to_fs(lake_root)
        self._root = f"{str(root).rstrip('/')}/{FOLDER}"
        self._cache: dict[str, Dictionary] = {}
        self._old: dict[str, Dictionary] = {}
        self.stale: set[str] = set()

    @property
    def used(self) -> dict[str, str]:
        """Hash of the dictionary that each monitor was read with."""
        return {monitor: d.hash for monitor, d in sorted(self._cache.items())}

    def __getitem__(self, monitor: str) -> Dictionary:
        """The dictionary to read a monitor's answers with. Raises UnknownMonitorError."""
        if monitor not in self._cache:
            self._cache[monitor] = self._present(monitor) or self._last_good(monitor)
        return self._cache[monitor]

    def _present(self, monitor: str) -> Dictionary | None:
        config = self._project.monitors.get(monitor)
        if config is None:
            return None
        entry = dictionary(config, self._project.project)
        if not self._keep:
            return entry
        text = to_json(entry)
        for name in (f"{monitor}/{entry.hash}.json", f"{monitor}/current.json"):
            self._write(f"{self._root}/{name}", text)
        return entry

    def _last_good(self, monitor: str) -> Dictionary:
        path = f"{self._root}/{monitor}/current.json"
        if not self._fs.exists(path):
            msg = (
                f"monitor `{monitor}` has answers, but no valid file below monitors/ and no dictionary of an earlier "
                f"reading: mend or restore its file (`geo check` says what is wrong)"
            )
            raise UnknownMonitorError(msg)
        self.stale.add(monitor)
        return from_json(self._fs.cat_file(path).decode())

    def of(self, monitor: str, digest: str | None) -> Dictionary:
        """The dictionary that a stored reading was made with; the present one where that was not kept."""
        present = self[monitor]
        if digest is None or digest == present.hash:
            return present
        key = f"{monitor}/{digest}"
        if key not in self._old:
            self._old[key] = self.stored(monitor, digest) or present
        return self._old[key]

    def stored(self, monitor: str, digest: str) -> Dictionary | None:
        """A dictionary of an earlier reading by its hash, None if it was not kept."""
        path = f"{self._root}/{monitor}/{digest}.json"
        return from_json(self._fs.cat_file(path).decode()) if self._fs.exists(path) else None

    def _write(self, path: str, text: str) -> None:
        if self._fs.exists(path) and self._fs.cat_file(path) == text.encode():
            return
        self._fs.makedirs(path.rsplit("/", 1)[0], exist_ok=True)
        temporary = f"{path}.{os.getpid()}.tmp"  # several platforms' processes keep the same dictionary
        self._fs.pipe_file(temporary, text.encode())
        self._fs.mv(temporary, path)
