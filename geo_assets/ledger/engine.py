"""Opening the database: drivers, pools, transactions, the clock. The only place that knows SQLite from Postgres.

What belongs here: what makes both databases behave alike. What does not: tables and statements.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine, make_url

Clock = Callable[[], int]
"""Microseconds since 1970 UTC."""

T = TypeVar("T")

LOCK_TIMEOUT_S = 30
MAX_TRIES = 6
POOL_SIZE = 4

SQLITE_PRAGMAS = (
    "journal_mode=WAL",
    "synchronous=FULL",
    "foreign_keys=ON",
    "cache_size=-16384",  # 16 MB for each connection of the pool
    # A settlement changes a hundred pages, the same ones again and again: written back to the file every 1,000 pages
    # (SQLite's default) they cost twice the time. The log is synchronised at every commit all the same.
    "wal_autocheckpoint=8000",
    "journal_size_limit=67108864",
)


class LedgerUnavailable(RuntimeError):  # noqa: N818 - says what is the case
    """The database could not be reached. Whatever was to be written is written nowhere."""


def create_engine(url: str) -> Engine:
    """An engine with a bounded pool and time-outs.

    `sqlite:////abs/path` opens in WAL mode with full synchronisation: a commit that returned survives a power cut.
    A bare `postgresql://` means psycopg 3.
    """
    parsed = make_url(url)
    if parsed.drivername in {"postgresql", "postgres"}:
        parsed = parsed.set(drivername="postgresql+psycopg")
    if parsed.get_backend_name() == "postgresql":
        options = (
            f"-c lock_timeout={LOCK_TIMEOUT_S}s -c statement_timeout=120s -c idle_in_transaction_session_timeout=60s"
        )
        return sa.create_engine(
            parsed,
            pool_size=POOL_SIZE,
            max_overflow=POOL_SIZE,
            pool_timeout=LOCK_TIMEOUT_S,
            pool_pre_ping=True,
            connect_args={"connect_timeout": 10, "options": options, "application_name": "geo-assets"},
        )
    if parsed.get_backend_name() != "sqlite" or not parsed.database:
        raise ValueError(f"ledger URL {parsed.render_as_string()}: use sqlite:////path/to/file or postgresql://...")
    engine = sa.create_engine(
        parsed,
        poolclass=sa.pool.QueuePool,
        pool_size=POOL_SIZE,
        max_overflow=POOL_SIZE,
        pool_timeout=LOCK_TIMEOUT_S,
        connect_args={"timeout": LOCK_TIMEOUT_S, "check_same_thread": False},
    )

    @sa.event.listens_for(engine, "connect")
    def _prepare(connection: Any, _record: Any) -> None:
        connection.isolation_level = None  # we say BEGIN ourselves, see below
        for pragma in SQLITE_PRAGMAS:
            connection.execute(f"PRAGMA {pragma}")

    @sa.event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        # A deferred transaction that reads and then writes fails under concurrency; a reader must not take the lock.
        reading = connection.get_execution_options().get("reading", False)
        connection.exec_driver_sql("BEGIN" if reading else "BEGIN IMMEDIATE")

    return engine


_RETRY_STATES = frozenset({"40001", "40P01"})  # serialization failure, deadlock


def is_transient(error: Exception) -> bool:
    """Whether the same transaction may succeed when tried again at once: a deadlock or serialization failure."""
    return getattr(getattr(error, "orig", None), "sqlstate", None) in _RETRY_STATES


class Database:
    """An engine, its transactions and its clock."""

    def __init__(self, url: str, clock: Clock | None = None) -> None:
        self.engine = create_engine(url)
        self.is_postgres = self.engine.dialect.name == "postgresql"
        self._fixed_clock = clock
        self._offset_us = 0

    def close(self) -> None:
        """Close all connections."""
        self.engine.dispose()

    def now(self) -> int:
        """The ledger's time in microseconds: the database's clock on Postgres, shared by machines; else the system's.

        On Postgres it is carried by the monotonic clock between comparisons, so a step of a worker's own clock moves
        nothing.
        """
        if self._fixed_clock is not None:
            return self._fixed_clock()
        if not self.is_postgres:
            return time.time_ns() // 1000
        if not self._offset_us:
            self.refresh_clock()
        return self._offset_us + time.monotonic_ns() // 1000

    def refresh_clock(self) -> None:
        """Compare with the database's clock again; long-running callers do so at each heartbeat.

        Raises:
            LedgerUnavailable: it could not be reached; the last comparison stays.
        """
        if not self.is_postgres or self._fixed_clock is not None:
            return
        with self.reading() as connection:
            before = time.monotonic_ns()
            seconds = connection.execute(sa.text("SELECT extract(epoch FROM clock_timestamp())")).scalar_one()
            middle = (before + time.monotonic_ns()) // 2
        self._offset_us = int(seconds * 1_000_000) - middle // 1000

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A consistent read that takes no lock.

        Raises:
            LedgerUnavailable: the database could not be reached.
        """
        try:
            with self.engine.connect() as raw:
                isolation = {"isolation_level": "REPEATABLE READ"} if self.is_postgres else {}
                connection = raw.execution_options(reading=True, **isolation)
                with connection.begin():
                    yield connection
        except (sa.exc.OperationalError, sa.exc.TimeoutError) as error:
            raise LedgerUnavailable(str(error)) from error

    def write(self, work: Callable[[Connection], T]) -> T:
        """Run `work` in one write transaction; run it again when the database asks for that (deadlock).

        Raises:
            LedgerUnavailable: the database could not be reached or stayed locked; nothing was written.
        """
        for attempt in range(MAX_TRIES):
            try:
                with self.engine.begin() as connection:
                    return work(connection)
            except (sa.exc.OperationalError, sa.exc.InterfaceError, sa.exc.TimeoutError) as error:
                if not is_transient(error):
                    raise LedgerUnavailable(str(error)) from error
                if attempt == MAX_TRIES - 1:
                    raise LedgerUnavailable(str(error)) from error
                time.sleep(0.01 * 2**attempt)
        raise AssertionError("unreachable")
