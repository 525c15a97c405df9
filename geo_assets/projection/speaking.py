"""Rows of `brand_mentions` that say something: named, in doubt, or found to be absent. Most rows say "not named".

The table has a row for every answer and brand, hundreds of them where hundreds of brands are tracked. Those that only
say "not named" are told apart by their columns, before they become rows; which brands an answer was read for is kept.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from geo_assets.model.readings import Stance

if TYPE_CHECKING:
    from geo_assets.lake.store import PartitionReader

Pair = tuple[str, dict[str, Any]]
_NEEDED = ("monitor", "sample_id", "brand", "mentioned", "review", "stance")
BRANDS_READ = "brands_read"


def speaking_rows(mentions: "PartitionReader", columns: list[str]) -> Iterator[Pair]:
    """(tenant, row) of every answer's rows that say something, and of its first row in any case, in table order.

    The first row of each answer has one key more, `brands_read`: the frozenset of all brands that it was read for.
    `columns` must hold monitor, sample_id, brand, mentioned, review and stance. Raises ValueError where it does not.
    """
    if lacking := sorted(set(_NEEDED) - set(columns)):
        raise ValueError(f"brand_mentions: columns {', '.join(lacking)} are needed to tell which rows say something")
    import pyarrow as pa

    place: tuple[str, str, str] | None = None
    rows: list[dict[str, Any]] = []
    brands: list[str] = []
    sets: dict[tuple[str, ...], frozenset[str]] = {}

    def finished() -> Iterator[Pair]:
        if place is not None:
            key = tuple(brands)
            rows[0][BRANDS_READ] = sets.setdefault(key, frozenset(key))
            yield from ((place[0], row) for row in rows)

    for tenant, batch in mentions.batches(columns):
        samples, monitors, names = (batch.column(c).to_pylist() for c in ("sample_id", "monitor", "brand"))
        starts = [i for i in range(len(samples)) if i == 0 or samples[i] != samples[i - 1]]
        goes_on = place == (tenant, monitors[0], samples[0])  # its first row stood in an earlier batch
        kept = _kept(batch, starts[1:] if goes_on else starts)
        found = batch.take(pa.array(kept, pa.int64())).to_pylist()
        at = 0
        for start, end in zip(starts, [*starts[1:], len(samples)], strict=True):
            here = (tenant, monitors[start], samples[start])
            if here != place:
                yield from finished()
                place, rows, brands = here, [], []
            brands += names[start:end]
            while at < len(kept) and kept[at] < end:
                rows.append(found[at])
                at += 1
    yield from finished()


def _kept(batch: Any, starts: list[int]) -> list[int]:
    """Indices of rows that say something, and of first rows."""
    import pyarrow.compute as pc

    absent = pc.fill_null(pc.equal(batch.column("stance"), Stance.ABSENT.value), False)
    says = pc.or_(pc.or_(batch.column("mentioned"), batch.column("review")), absent)
    return sorted({*starts, *pc.indices_nonzero(says).to_pylist()})
