"""Bringing a database to the newest schema when it is opened; safe when several processes open it at once."""

from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from geo_assets.ledger.engine import Database

VERSION_TABLE = "geo_alembic_version"
HEAD = "0002"
"""The newest revision; kept here so that opening a current database need not import Alembic. A test holds it right."""

_ADVISORY_LOCK = 0x67656F  # "geo"


class LedgerTooNew(RuntimeError):  # noqa: N818 - says what is the case
    """The database was written by a newer version of this program."""


def current_revision(connection: Connection) -> str | None:
    """The revision that the database is at, None for an empty one."""
    if not sa.inspect(connection).has_table(VERSION_TABLE):
        return None
    found: str | None = connection.execute(sa.text(f"SELECT version_num FROM {VERSION_TABLE}")).scalar()  # noqa: S608
    return found


def migrate(database: Database) -> None:
    """Upgrade to `HEAD`, once, whoever comes first.

    Raises:
        LedgerTooNew: the database is at a revision that this program does not know.
    """
    with database.reading() as connection:
        if current_revision(connection) == HEAD:
            return

    def upgrade(connection: Connection) -> None:
        # SQLite: BEGIN IMMEDIATE already keeps others out. Both databases roll back DDL with the transaction.
        if database.is_postgres:
            connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_ADVISORY_LOCK)))
        if current_revision(connection) != HEAD:
            _run_alembic(connection)

    database.write(upgrade)


def alembic_config(connection: Connection) -> Any:
    """Alembic's configuration for our packaged scripts, bound to an open connection."""
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations").replace("%", "%%"))
    config.attributes["connection"] = connection
    return config


def _run_alembic(connection: Connection) -> None:
    from alembic import command
    from alembic.util import CommandError

    try:
        command.upgrade(alembic_config(connection), "head")
    except CommandError as error:
        raise LedgerTooNew(f"{error}; update the program, or point it to another data folder") from error
