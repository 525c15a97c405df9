"""Statements that both databases share but SQLAlchemy Core writes apart: upserts and row locks."""

from collections.abc import Mapping, Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import Connection


def _insert(connection: Connection, table: sa.Table) -> Any:
    return postgresql.insert(table) if connection.dialect.name == "postgresql" else sqlite.insert(table)


def insert_missing(connection: Connection, table: sa.Table, rows: Sequence[Mapping[str, Any]]) -> None:
    """Insert rows, leaving alone those whose key is there already."""
    if rows:
        connection.execute(_insert(connection, table).on_conflict_do_nothing(), list(rows))


def add_to(connection: Connection, table: sa.Table, keys: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> None:
    """Insert rows of counters, or add their numbers to the row of the same key. Rows in one order avoid deadlocks."""
    if not rows:
        return
    statement = _insert(connection, table)
    names = [name for name in rows[0] if name not in keys]
    added = {name: table.c[name] + statement.excluded[name] for name in names}
    statement = statement.on_conflict_do_update(index_elements=list(keys), set_=added)
    connection.execute(statement, sorted(rows, key=lambda row: tuple(row[key] for key in keys)))


def locked_row(
    connection: Connection, table: sa.Table, keys: Mapping[str, Any], fresh: Mapping[str, Any]
) -> dict[str, Any]:
    """The row of `keys`, locked until the transaction ends; made from `fresh` if there is none."""
    where = sa.and_(*(table.c[name] == value for name, value in keys.items()))
    select = sa.select(table).where(where).with_for_update()
    found = connection.execute(select).mappings().first()
    if found is None:
        insert_missing(connection, table, [{**keys, **fresh}])
        found = connection.execute(select).mappings().one()
    return dict(found)


def store_row(connection: Connection, table: sa.Table, keys: Sequence[str], row: Mapping[str, Any]) -> None:
    """Write back a row that was locked and changed."""
    where = sa.and_(*(table.c[name] == row[name] for name in keys))
    values = {name: value for name, value in row.items() if name not in keys}
    connection.execute(sa.update(table).where(where).values(values))
