"""Alembic's scripts for the ledger. One file per schema revision; a released one is never edited."""
