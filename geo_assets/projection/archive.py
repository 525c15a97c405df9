"""The evidence archive of a partition and the rows of its manifest table."""

from collections.abc import Callable, Iterator
from itertools import groupby
from typing import Any

from geo_assets.evidence.archive import Entry, archive_folder, write_archive
from geo_assets.ledger import Ledger
from geo_assets.ledger.projections import PlacedExchange


def _entries(placed: PlacedExchange) -> Iterator[tuple[str, str]]:
    """(part, digest) of an exchange's entities."""
    yield "request", placed.exchange.request_digest
    if placed.exchange.response_digest:
        yield "response", placed.exchange.response_digest


def archive_rows(
    ledger: Ledger, read: Callable[[str], bytes], root: str, date: str, platform: str
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Write an archive per tenant and yield (tenant, manifest row) per archived entity.

    Raises EvidenceMissing or EvidenceCorrupt (from `read`) when an entity that the ledger names is not as it was.
    """
    for tenant, group in groupby(ledger.placed_exchanges(date, platform), key=lambda p: p.tenant):
        yield from ((tenant, row) for row in _tenant(tenant, group, read, root, date, platform))


def _tenant(
    tenant: str,
    exchanges: Iterator[PlacedExchange],
    read: Callable[[str], bytes],
    root: str,
    date: str,
    platform: str,
) -> Iterator[dict[str, Any]]:
    rows: list[dict[str, Any]] = []

    def entries() -> Iterator[Entry]:
        for placed in exchanges:
            x = placed.exchange
            for part, digest in _entries(placed):
                member = f"{x.sample_id}/{x.attempt_id}/{x.leg:03d}-{part}"
                facts = {"kind": x.kind, "http_status": x.http_status if part == "response" else None}
                rows.append(
                    {
                        "monitor": placed.monitor,
                        "sample_id": x.sample_id,
                        "attempt_id": x.attempt_id,
                        "leg": x.leg,
                        "part": part,
                        "kind": x.kind,
                        "accepted": placed.accepted,
                        "digest": digest,
                        "http_status": facts["http_status"],
                        "archive_member": member,
                        "simulated": x.simulated,
                    }
                )
                yield Entry(member, digest, facts)

    for path, size in write_archive(root, archive_folder(tenant, date, platform), entries(), read):
        yield {**rows.pop(0), "archive_path": path, "bytes": size}
