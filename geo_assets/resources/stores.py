"""Ledger and evidence store as resources. Opened when a run first needs them, closed with it."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import dagster as dg

from geo_assets.resources.project import ProjectResource

if TYPE_CHECKING:
    from geo_assets.evidence.store import EvidenceStore
    from geo_assets.ledger import Ledger


class LedgerResource(dg.ConfigurableResource["LedgerResource"]):
    """The ledger: what was planned, tried, received and paid. Migrations run by themselves when it is opened."""

    project: ProjectResource
    url: str = ""
    """SQLAlchemy URL; empty = as the environment says (`GEO_LEDGER_URL`), else SQLite in the profile's folder."""

    @contextmanager
    def open(self) -> Iterator["Ledger"]:
        """An open ledger, closed at the end of the block."""
        from geo_assets.ledger import open_ledger

        ledger = open_ledger(self.url or self.project.settings.ledger_url)
        try:
            yield ledger
        finally:
            ledger.close()


class EvidenceResource(dg.ConfigurableResource["EvidenceResource"]):
    """The evidence store: response and request entities by digest, on disk or S3."""

    project: ProjectResource
    root: str = ""
    """Path or URL; empty = as the environment says (`GEO_EVIDENCE_ROOT`), else in the profile's folder."""

    def store(self) -> "EvidenceStore":
        """The store; opening it writes nothing."""
        from geo_assets.evidence.store import EvidenceStore

        return EvidenceStore(self.root or self.project.settings.evidence_root)
