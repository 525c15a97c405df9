"""The ledger: what was planned, tried, received and paid, in SQLite or Postgres.

What belongs here: tables and their migrations, and every transaction on them, one concern per module. What does not:
bodies (evidence), sockets (collection), and decisions about what an answer means.
"""

from geo_assets.ledger.actions import Decision
from geo_assets.ledger.ledger import Ledger, LedgerTooNew, LedgerUnavailable, open_ledger
from geo_assets.ledger.queries import NoSuchSample

__all__ = ["Decision", "Ledger", "LedgerTooNew", "LedgerUnavailable", "NoSuchSample", "open_ledger"]
