"""Rows given as columns: the form for tables that have very many rows of which most say the same.

A row as a mapping costs more than writing it does; where an answer has a row for each of hundreds of brands, blocks
cost a tenth.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Block:
    """Consecutive rows: `shared` has one value for all of them, `columns` one for each of the `size` rows."""

    shared: Mapping[str, Any]
    columns: Mapping[str, Sequence[Any]]
    size: int

    def rows(self) -> Iterator[dict[str, Any]]:
        """The same as mappings."""
        for values in zip(*self.columns.values(), strict=True):
            yield {**self.shared, **dict(zip(self.columns, values, strict=True))}

    def column(self, name: str) -> Sequence[Any]:
        """One value for each row."""
        return self.columns[name] if name in self.columns else [self.shared[name]] * self.size

    def keys(self, names: Sequence[str]) -> list[tuple[Any, ...]]:
        """The key of each row."""
        return list(zip(*(self.column(name) for name in names), strict=True))
