"""Durable small files below one root, local or on an object store. The only place that knows the difference.

What belongs here: create-once, read, delete, list. What does not: digests and meanings.
"""

import contextlib
import ctypes
import os
import secrets
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Protocol

SYNCFS_FROM = 4
"""Files in a batch from which one synchronisation of the whole file system is cheaper than two for each file."""


class Files(Protocol):
    """Create-once files named by relative POSIX paths."""

    def create(self, path: str, data: bytes) -> None:
        """Write durably under a name; a file that exists already stays as it is."""
        ...

    def create_all(self, files: Sequence[tuple[str, bytes]]) -> None:
        """Several at once, in order: a file is there only if those before it are. Durable on return, all of them."""
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

    def create_all(self, files: Sequence[tuple[str, bytes]]) -> None:
        """See `Files.create_all`. From a few files on, one synchronisation of the file system serves them all."""
        fresh = {path: data for path, data in files if not (self.root / path).exists()}
        if len(fresh) < SYNCFS_FROM or _syncfs is None:
            for path, data in fresh.items():
                self.create(path, data)
            return
        temporary: dict[str, Path] = {}
        try:
            for path, data in fresh.items():
                target = self.root / path
                self._make_folder(target.parent)
                temporary[path] = target.with_name(f".{target.name}.{secrets.token_hex(4)}.tmp")
                temporary[path].write_bytes(data)
            # Twice: no name may appear on the disk before its content.
            self._sync_all()
            for path in fresh:
                temporary.pop(path).rename(self.root / path)
            self._sync_all()
        finally:
            for left in temporary.values():
                left.unlink(missing_ok=True)

    def _sync_all(self) -> None:
        assert _syncfs is not None
        descriptor = os.open(self.root, os.O_RDONLY)
        try:
            if _syncfs(descriptor) != 0:
                number = ctypes.get_errno()
                raise OSError(number, os.strerror(number), str(self.root))
        finally:
            os.close(descriptor)

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


def _find_syncfs() -> Callable[[int], int] | None:
    """Linux's syncfs(2), which waits until a whole file system is on disk and reports errors; None elsewhere."""
    if not sys.platform.startswith("linux"):
        return None
    function: Callable[[int], int] | None = getattr(ctypes.CDLL(None, use_errno=True), "syncfs", None)
    return function


_syncfs = _find_syncfs()


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

    def create_all(self, files: Sequence[tuple[str, bytes]]) -> None:
        """See `Files.create_all`."""
        for path, data in files:
            self.create(path, data)

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
