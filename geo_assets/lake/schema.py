"""Contracts → Arrow schemas, and the check that rows fit them before anything is written.

`pa.Table.from_pylist` drops unknown keys and fills missing ones with null, so names are checked first.
"""

from collections.abc import Sequence
from functools import cache
from itertools import chain
from typing import Any

import pyarrow as pa

from geo_assets.lake.block import Block
from geo_assets.lake.contracts import TABLES, ContractError, Table

_SCALARS: dict[str, pa.DataType] = {
    "string": pa.string(),
    "bool": pa.bool_(),
    "int32": pa.int32(),
    "int64": pa.int64(),
    "float64": pa.float64(),
    "timestamp": pa.timestamp("us", "UTC"),
}


def _split_fields(text: str) -> list[str]:
    parts, depth, start = [], 0, 0
    for i, char in enumerate(text):
        depth += (char == "<") - (char == ">")
        if char == "," and depth == 0:
            parts.append(text[start:i])
            start = i + 1
    return [*parts, text[start:]]


def arrow_type(notation: str) -> pa.DataType:
    """The Arrow type of a contract's notation: scalars, `list<T>`, `struct<name:T,…>`. KeyError on an unknown one."""
    if notation.startswith("list<"):
        return pa.list_(arrow_type(notation[5:-1]))
    if notation.startswith("struct<"):
        fields = (f.split(":", 1) for f in _split_fields(notation[7:-1]))
        return pa.struct([pa.field(name, arrow_type(kind)) for name, kind in fields])
    return _SCALARS[notation]


@cache
def arrow_schema(table_name: str) -> pa.Schema:
    """The file schema of a table; column descriptions and units travel in the field metadata."""
    table = TABLES[table_name]
    return pa.schema(
        [
            pa.field(
                c.name,
                arrow_type(c.type),
                nullable=c.nullable,
                metadata={"description": c.description, **({"unit": c.unit} if c.unit else {})},
            )
            for c in table.columns
        ],
        metadata={"table": table.name, "description": table.description},
    )


def record_batch(table: Table, rows: list[dict[str, Any]]) -> pa.RecordBatch:
    """Rows as one record batch. Raises ContractError on a wrong column set, type, or a null where none may be."""
    expected = set(table.names)
    for row in rows:
        if row.keys() != expected:
            odd = sorted(row.keys() ^ expected)
            msg = f"{table.name}: row {_key(table, row)} has wrong columns: {', '.join(odd)}"
            raise ContractError(msg)
    schema = arrow_schema(table.name)
    arrays = []
    for field in schema:
        values = [row[field.name] for row in rows]
        if not field.nullable and any(v is None for v in values):
            at = next(r for r in rows if r[field.name] is None)
            msg = f"{table.name}.{field.name}: null in row {_key(table, at)}, and the column is never null"
            raise ContractError(msg)
        try:
            arrays.append(pa.array(values, type=field.type))
        except (pa.ArrowInvalid, pa.ArrowTypeError, OverflowError) as error:
            msg = f"{table.name}.{field.name}: {error}"
            raise ContractError(msg) from error
    return pa.RecordBatch.from_arrays(arrays, schema=schema)


def block_batch(table: Table, blocks: Sequence[Block]) -> pa.RecordBatch:
    """Blocks as one record batch, column by column. Raises ContractError as `record_batch` does."""
    import numpy as np

    names = set(table.names)
    for block in blocks:
        if block.shared.keys() | block.columns.keys() != names or block.shared.keys() & block.columns.keys():
            odd = sorted((block.shared.keys() ^ block.columns.keys()) ^ names)
            msg = f"{table.name}: row {_key(table, next(block.rows()))} has wrong columns: {', '.join(odd)}"
            raise ContractError(msg)
    schema = arrow_schema(table.name)
    places = pa.array(np.repeat(np.arange(len(blocks)), [block.size for block in blocks]))
    arrays = []
    for field in schema:
        name = field.name
        shared = all(name in block.shared for block in blocks)
        try:
            if shared:
                array = pa.array([block.shared[name] for block in blocks], type=field.type).take(places)
            else:
                values = chain.from_iterable(block.column(name) for block in blocks)
                array = pa.array(list(values), type=field.type)
        except (pa.ArrowInvalid, pa.ArrowTypeError, OverflowError) as error:
            msg = f"{table.name}.{name}: {error}"
            raise ContractError(msg) from error
        if array.null_count and not field.nullable:
            at = next(row for block in blocks for row in block.rows() if row[name] is None)
            msg = f"{table.name}.{name}: null in row {_key(table, at)}, and the column is never null"
            raise ContractError(msg)
        arrays.append(array)
    return pa.RecordBatch.from_arrays(arrays, schema=schema)


def _key(table: Table, row: dict[str, Any]) -> str:
    return "/".join(str(row.get(k)) for k in table.key)
