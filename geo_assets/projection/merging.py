"""Walking several sorted streams in step, so that no table is ever held in memory whole."""

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

T = TypeVar("T")
Key = tuple[str, ...]


class Lookahead(Iterator[T]):
    """An iterator that can be asked for what belongs to a key; what lies before the key is passed over."""

    def __init__(self, items: Iterator[T], key: Callable[[T], Key]) -> None:
        self._items, self._key = iter(items), key
        self._next: list[T] = []

    def __next__(self) -> T:
        return self._next.pop() if self._next else next(self._items)

    def key(self) -> Key | None:
        """The key of the next item, None at the end."""
        for item in self:
            self._next.append(item)
            return self._key(item)
        return None

    def take(self, key: Key) -> list[T]:
        """All items of this key. Keys must be asked for in ascending order, as the stream is sorted."""
        found: list[T] = []
        for item in self:
            at = self._key(item)
            if at > key:
                self._next.append(item)
                break
            if at == key:
                found.append(item)
        return found

    def up_to(self, key: Key) -> Iterator[T]:
        """All items whose key is not beyond this one."""
        for item in self:
            if self._key(item) > key:
                self._next.append(item)
                return
            yield item

    def one(self, key: Key) -> T | None:
        """The item of this key, None if there is none."""
        found = self.take(key)
        return found[0] if found else None


def row_key(item: tuple[str, dict[str, Any]]) -> Key:
    """The place of a (tenant, row) pair in table order: tenant, monitor, sample."""
    tenant, row = item
    return tenant, row["monitor"], row["sample_id"]
