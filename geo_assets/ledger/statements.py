"""Statements that both databases share but SQLAlchemy Core writes apart: upserts, updates by key, row locks.

SQLAlchemy compiles an upsert anew at every use and checks every value of every row; for rows that come by the dozen in
each transaction that was half of the ledger's time. Here a statement is compiled once per shape, and its rows go to the
driver as they are. What belongs here: writing and locking rows. What does not: which rows.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import Connection

_Shape = tuple[str, str, str, tuple[str, ...]]
_compiled: dict[_Shape, tuple[str, tuple[str, ...] | None]] = {}
"""(database, kind, table, columns) → SQL text, and the order of its parameters where the driver wants them by place."""


def _run_many(
    connection: Connection, kind: str, table: sa.Table, rows: Sequence[Mapping[str, Any]], make: Callable[[], Any]
) -> None:
    """Execute `make()` for each of these rows, which all have the columns of the first."""
    names = tuple(rows[0])
    shape = (connection.dialect.name, kind, table.name, names)
    if shape not in _compiled:
        made = make().compile(dialect=connection.dialect, column_keys=list(names))
        _compiled[shape] = (str(made), tuple(made.positiontup) if made.positional else None)
    text, order = _compiled[shape]
    if order is None:
        connection.exec_driver_sql(text, [dict(row) for row in rows])
    else:
        connection.exec_driver_sql(text, [tuple(row[name] for name in order) for row in rows])


def _insert(connection: Connection, table: sa.Table) -> Any:
    return postgresql.insert(table) if connection.dialect.name == "postgresql" else sqlite.insert(table)


def insert_rows(connection: Connection, table: sa.Table, rows: Sequence[Mapping[str, Any]]) -> None:
    """Insert rows whose keys are new."""
    if rows:
        _run_many(connection, "insert", table, rows, lambda: sa.insert(table))


def insert_missing(connection: Connection, table: sa.Table, rows: Sequence[Mapping[str, Any]]) -> None:
    """Insert rows, leaving alone those whose key is there already."""
    if rows:
        _run_many(connection, "missing", table, rows, lambda: _insert(connection, table).on_conflict_do_nothing())


def add_to(connection: Connection, table: sa.Table, keys: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> None:
    """Insert rows of counters, or add their numbers to the row of the same key. Rows in one order avoid deadlocks."""
    if not rows:
        return

    def upsert() -> Any:
        statement = _insert(connection, table)
        added = {name: table.c[name] + statement.excluded[name] for name in rows[0] if name not in keys}
        return statement.on_conflict_do_update(index_elements=list(keys), set_=added)

    _run_many(connection, "add", table, sorted(rows, key=lambda row: tuple(row[key] for key in keys)), upsert)


def update_rows(connection: Connection, table: sa.Table, key: str, rows: Mapping[str, Mapping[str, Any]]) -> None:
    """Set columns of rows by key, in the order of the keys; rows that set the same columns go together."""
    groups: dict[tuple[str, ...], list[dict[str, Any]]] = {}
    for value, columns in sorted(rows.items()):
        if columns:
            names = tuple(sorted(columns))
            groups.setdefault(names, []).append({name: columns[name] for name in names} | {f"b_{key}": value})
    for names, group in groups.items():
        _run_many(connection, "update", table, group, lambda n=names: _update(table, key, n))  # type: ignore[misc]


def _update(table: sa.Table, key: str, names: Sequence[str]) -> Any:
    values = {name: sa.bindparam(name, type_=table.c[name].type) for name in names}
    return sa.update(table).where(table.c[key] == sa.bindparam(f"b_{key}", type_=table.c[key].type)).values(values)


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
