"""Durable small files below one root, local or on an object store. The only place that knows the difference.

What belongs here: create-once, read, delete, list. What does not: digests and meanings.
"""

import contextlib
import os
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Protocol


class Files(Protocol):
    """Create-once files named by relative POSIX paths."""

    def create(self, path: str, data: bytes) -> None:
        """Write durably under a name; a file that exists already stays as it is."""
        ...

    def read(self, path: str) -> bytes:
        """The content; raises FileNotFoundError."""
        ...

    def exists(self, path: str) -> bool:
        """Whether there is such a file."""
        ...

    def delete(self, path: str) -> None:
        """Remove it; it may be gone already."""
        ...

    def list(self, folder: str) -> Iterator[str]:
        """Paths of the files directly in a folder, sorted; none if there is no such folder."""
        ...


class LocalFiles:
    """A folder on a local disk: temporary file, fsync, rename, fsync of the folder."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._known_folders: set[Path] = set()

    def create(self, path: str, data: bytes) -> None:
        """See `Files.create`."""
        target = self.root / path
        if target.exists():
            return
        self._make_folder(target.parent)
        temporary = target.with_name(f".{target.name}.{secrets.token_hex(4)}.tmp")
        descriptor = os.open(temporary, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o644)
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            temporary.rename(target)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
        _sync_folder(target.parent)

    def _make_folder(self, folder: Path) -> None:
        if folder in self._known_folders:
            return
        missing = [parent for parent in (folder, *folder.parents) if not parent.exists()]
        folder.mkdir(parents=True, exist_ok=True)
        for made in missing:
            _sync_folder(made.parent)
        self._known_folders.add(folder)

    def read(self, path: str) -> bytes:
        """See `Files.read`."""
        return (self.root / path).read_bytes()

    def exists(self, path: str) -> bool:
        """See `Files.exists`."""
        return (self.root / path).exists()

    def delete(self, path: str) -> None:
        """See `Files.delete`."""
        (self.root / path).unlink(missing_ok=True)

    def list(self, folder: str) -> Iterator[str]:
        """See `Files.list`."""
        with contextlib.suppress(FileNotFoundError):
            for file in sorted((self.root / folder).iterdir()):
                if file.suffix != ".tmp":
                    yield f"{folder}/{file.name}"


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


class ObjectFiles:
    """A prefix on an object store through fsspec. Creation is conditional there, so two writers never mix."""

    def __init__(self, url: str, storage_options: dict[str, Any] | None) -> None:
        import fsspec

        options = {"use_listings_cache": False, **(storage_options or {})}
        self._fs, root = fsspec.core.url_to_fs(url, **options)
        self._root = str(root).rstrip("/")

    def create(self, path: str, data: bytes) -> None:
        """See `Files.create`."""
        with contextlib.suppress(FileExistsError):
            self._fs.pipe_file(f"{self._root}/{path}", data, mode="create")

    def read(self, path: str) -> bytes:
        """See `Files.read`."""
        content: bytes = self._fs.cat_file(f"{self._root}/{path}")
        return content

    def exists(self, path: str) -> bool:
        """See `Files.exists`."""
        return bool(self._fs.exists(f"{self._root}/{path}"))

    def delete(self, path: str) -> None:
        """See `Files.delete`."""
        with contextlib.suppress(FileNotFoundError):
            self._fs.rm_file(f"{self._root}/{path}")

    def list(self, folder: str) -> Iterator[str]:
        """See `Files.list`."""
        with contextlib.suppress(FileNotFoundError):
            for found in sorted(self._fs.ls(f"{self._root}/{folder}", detail=False, refresh=True)):
                yield f"{folder}/{str(found).rsplit('/', 1)[-1]}"


def open_files(root: str | Path, storage_options: dict[str, Any] | None = None) -> Files:
    """Files below a local path, a `file://` URL, or any other fsspec URL."""
    text = str(root)
    if text.startswith("file://"):
        text = text.removeprefix("file://")
    if "://" not in text:
        return LocalFiles(Path(text))
    return ObjectFiles(text, storage_options)
