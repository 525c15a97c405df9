"""Staging, publishing and reading lake partitions, on local disk."""

import datetime as dt
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pyarrow.parquet as pq
import pytest

from geo_assets.lake.block import Block
from geo_assets.lake.contracts import CITATIONS, SPEND, TABLES, ContractError, Table
from geo_assets.lake.schema import arrow_schema
from geo_assets.lake.store import Lake, MissingPartitionError, Partition, StagedTable, stage

DAY = Partition("2026-11-29", "qwen")
_FILL = {"string": "x", "bool": False, "int32": 1, "int64": 1, "float64": 0.5}


def row(table: Table, **values: object) -> dict[str, object]:
    def value(kind: str) -> object:
        if kind.startswith("list"):
            return []
        if kind == "timestamp":
            return dt.datetime(2026, 11, 29, 1, 2, 3, tzinfo=dt.UTC)
        return _FILL[kind]

    return {c.name: None if c.nullable else value(c.type) for c in table.columns} | values


def spend(monitor: str, **values: object) -> dict[str, object]:
    return row(SPEND, monitor=monitor, currency="CNY", **values)


def put(lake: Lake, rows: list[tuple[str, dict[str, object]]], tenants: tuple[str, ...] = ()) -> StagedTable:
    staged = stage(SPEND, DAY, rows, tenants=tenants)
    lake.publish(staged)
    staged.close()
    return staged


def test_rows_come_back_as_they_were_written_tenant_by_tenant(tmp_path: Path) -> None:
    lake = Lake(str(tmp_path))
    rows = [("acme", spend("a", charged_micros=7)), ("acme", spend("b")), ("zeta", spend("c"))]
    assert put(lake, rows).rows == 3
    reader = lake.read("spend", DAY)
    assert list(reader.rows()) == rows
    assert reader.count() == 3
    assert (tmp_path / "spend/tenant=acme/date=2026-11-29/platform=qwen/part-0.parquet").is_file()


@pytest.mark.parametrize("name", sorted(TABLES))
def test_every_contract_can_be_written_and_keeps_its_types(name: str, tmp_path: Path) -> None:
    table = TABLES[name]
    lake = Lake(str(tmp_path))
    partition = Partition("2026-11-29", "qwen" if "platform" in table.partition else None)
    staged = stage(table, partition, [("acme", row(table))])
    lake.publish(staged)
    staged.close()
    [file] = tmp_path.rglob("*.parquet")
    assert pq.ParquetFile(file).schema_arrow.equals(arrow_schema(name))
    assert not set(table.partition) & set(table.names) - ({"platform"} if name == "daily_visibility" else set())


def test_writing_the_same_rows_again_gives_the_same_bytes(tmp_path: Path) -> None:
    contents = []
    for n in range(2):
        lake = Lake(str(tmp_path / str(n)))
        put(lake, [("acme", spend(f"m{i:05d}")) for i in range(5000)])
        contents.append(next((tmp_path / str(n)).rglob("*.parquet")).read_bytes())
    assert contents[0] == contents[1]


def test_a_tenant_without_rows_gets_an_empty_file_and_one_that_left_loses_its_file(tmp_path: Path) -> None:
    lake = Lake(str(tmp_path))
    put(lake, [("acme", spend("a")), ("old", spend("b"))])
    put(lake, [("acme", spend("a"))], tenants=("quiet",))
    assert lake.tenants("spend", DAY) == ["acme", "quiet"]
    assert lake.read("spend", DAY).count() == 1


def test_a_producer_that_fails_half_way_leaves_the_old_partition(tmp_path: Path) -> None:
    lake = Lake(str(tmp_path))
    put(lake, [("acme", spend("a"))])

    def broken():
        yield "acme", spend("a")
        raise RuntimeError("source went away")

    with pytest.raises(RuntimeError, match="went away"):
        stage(SPEND, DAY, broken())
    assert lake.read("spend", DAY).count() == 1


def test_a_partition_that_was_never_written_says_so(tmp_path: Path) -> None:
    with pytest.raises(MissingPartitionError, match=r"spend 2026-11-29\|qwen is not in the lake"):
        Lake(str(tmp_path)).read("spend", DAY)
    assert list(Lake(str(tmp_path)).read_or_empty("spend", DAY).rows()) == []


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ([spend("a"), spend("a")], "key a/CNY stands twice"),
        ([spend("b"), spend("a")], "key a/CNY stands out of order"),
        ([{k: v for k, v in spend("a").items() if k != "attempts"}], "wrong columns: attempts"),
        ([spend("a", surprise=1)], "wrong columns: surprise"),
        ([spend("a", attempts=None)], "spend.attempts: null in row a/CNY"),
        ([spend("a", attempts="many")], "spend.attempts"),
        ([spend("a", attempts=2**63)], "spend.attempts"),
    ],
)
def test_rows_that_break_the_contract_are_refused_with_table_column_and_key(bad, message, tmp_path: Path) -> None:
    with pytest.raises(ContractError, match=message):
        stage(SPEND, DAY, [("acme", r) for r in bad])


def test_rows_of_one_tenant_must_stand_together() -> None:
    with pytest.raises(ContractError, match="tenant acme are not together"):
        stage(SPEND, DAY, [("acme", spend("a")), ("zeta", spend("a")), ("acme", spend("b"))])


def test_duckdb_pandas_and_polars_read_the_folder_directly(tmp_path: Path) -> None:
    lake = Lake(str(tmp_path))
    put(lake, [("acme", spend("a", charged_micros=3))])
    staged = stage(SPEND, Partition("2026-11-30", "kimi"), [("acme", spend("a", charged_micros=4))])
    lake.publish(staged)
    staged.close()
    glob = f"{tmp_path}/spend/**/*.parquet"
    sql = f"select date, platform, sum(charged_micros) from read_parquet('{glob}', hive_partitioning=true) group by all"
    assert sorted(duckdb.sql(sql).fetchall()) == [
        (dt.date(2026, 11, 29), "qwen", 3),
        (dt.date(2026, 11, 30), "kimi", 4),
    ]
    frame = pd.read_parquet(tmp_path / "spend", filters=[("platform", "==", "kimi")])
    assert frame["charged_micros"].tolist() == [4]
    assert pl.read_parquet(glob, hive_partitioning=True)["charged_micros"].sort().to_list() == [3, 4]


def test_nested_columns_survive(tmp_path: Path) -> None:
    lake = Lake(str(tmp_path))
    full = row(CITATIONS, order=1, supports=["a", "b"])
    staged = stage(CITATIONS, DAY, [("acme", full)])
    lake.publish(staged)
    staged.close()
    assert list(lake.read("citations", DAY).rows()) == [("acme", full)]


def test_a_reader_of_some_monitors_gives_their_rows_and_reads_only_their_row_groups(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("geo_assets.lake.store.BATCH_ROWS", 10)
    monkeypatch.setattr("geo_assets.lake.store.GROUP_BYTES", 1)
    lake = Lake(str(tmp_path))
    rows = [("acme", spend(f"m{n:03d}", charged_micros=n)) for n in range(100)]
    rows += [("zeta", spend("m050", charged_micros=7))]
    put(lake, rows)
    reader = lake.read("spend", DAY).only(["m005", "m050"])
    assert [(t, r["monitor"], r["charged_micros"]) for t, r in reader.rows()] == [
        ("acme", "m005", 5), ("acme", "m050", 50), ("zeta", "m050", 7)
    ]  # fmt: skip
    assert list(reader.rows(["charged_micros"])) == [(t, {"charged_micros": n}) for t, n in
                                                     [("acme", 5), ("acme", 50), ("zeta", 7)]]  # fmt: skip
    assert list(lake.read("spend", DAY).only([]).rows()) == []
    groups: list[int] = []
    plain = pq.ParquetFile.iter_batches

    def noting(file: pq.ParquetFile, *args: object, row_groups: list[int], **options: object) -> object:
        groups.extend(row_groups)
        return plain(file, *args, row_groups=row_groups, **options)

    monkeypatch.setattr(pq.ParquetFile, "iter_batches", noting)
    list(lake.read("spend", DAY).only(["m005", "m050"]).rows())
    assert groups == [0, 5, 0]


def test_row_groups_are_as_large_as_the_writer_may_hold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("geo_assets.lake.store.BATCH_ROWS", 10)
    monkeypatch.setattr("geo_assets.lake.store.GROUP_BYTES", 20_000)
    rows = [("acme", spend(f"m{n:03d}", charged_micros=n)) for n in range(500)]
    staged = stage(TABLES["spend"], DAY, rows)
    metadata = pq.ParquetFile(staged.files["acme"]).metadata
    sizes = [metadata.row_group(i).num_rows for i in range(metadata.num_row_groups)]
    found = [r["monitor"] for _, r in staged.reader().rows()]
    staged.close()
    assert sum(sizes) == 500
    assert 1 < len(sizes) < 50
    assert len(set(sizes[:-1])) == 1
    assert found == [r["monitor"] for _, r in rows]


def test_statistics_are_found_where_lists_of_structs_stand_before_the_column(tmp_path: Path) -> None:
    lake = Lake(str(tmp_path))
    named = [{"start": 1, "end": 2, "alias": "x"}]
    values = {"occurrences": named, "sample_id": "s", "brand": "b"}
    rows = [("acme", row(TABLES["brand_mentions"], monitor=m, **values)) for m in ("a", "b")]
    staged = stage(TABLES["brand_mentions"], DAY, rows)
    lake.publish(staged)
    staged.close()
    found = lake.read("brand_mentions", DAY).only(["b"])
    assert [(r["monitor"], r["occurrences"]) for _, r in found.rows()] == [("b", named)]


def mention_block(sample: str, brands: list[str], named: set[str]) -> tuple[Block, list[dict[str, object]]]:
    table = TABLES["brand_mentions"]
    rows = [
        row(table, monitor="m", sample_id=sample, brand=b, mentioned=b in named, count=int(b in named),
            occurrences=[{"start": 1, "end": 2, "alias": b}] if b in named else [])
        for b in brands
    ]  # fmt: skip
    varying = ("brand", "mentioned", "count", "occurrences")
    shared = {k: v for k, v in rows[0].items() if k not in varying}
    return Block(shared, {k: [r[k] for r in rows] for k in varying}, len(rows)), rows


@pytest.mark.parametrize("size", [1, 3, 7, 2_000])
def test_blocks_are_written_as_their_rows_would_be(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    monkeypatch.setattr("geo_assets.lake.store.BATCH_ROWS", size)
    lake, table = Lake(str(tmp_path)), TABLES["brand_mentions"]
    made = [mention_block(f"s{n}", [f"b{i}" for i in range(n + 1)], {f"b{n}"}) for n in range(6)]
    blocks, rows = [b for b, _ in made], [r for _, rs in made for r in rs]
    assert [r for b in blocks for r in b.rows()] == rows
    mixed: list[tuple[str, Any]] = [("acme", b) for b in blocks[:3]]
    mixed += [("acme", r) for r in made[3][1]] + [("acme", b) for b in blocks[4:]]
    for items in ([("acme", b) for b in blocks], mixed):
        staged = stage(table, DAY, items)
        lake.publish(staged)
        assert (staged.rows, staged.preview) == (21, [{"tenant": "acme", **r} for r in rows[:5]])
        staged.close()
        assert [r for _, r in lake.read("brand_mentions", DAY).rows()] == rows


def test_blocks_are_held_to_the_contract_like_rows() -> None:
    table = TABLES["brand_mentions"]
    good, _ = mention_block("s1", ["a", "b"], set())

    def fails(block: Block, *before: Block) -> str:
        with pytest.raises(ContractError) as caught:
            stage(table, DAY, [("acme", b) for b in (*before, block)])
        return str(caught.value)

    assert "key m/s1/a stands out of order" in fails(good, mention_block("s1", ["b"], set())[0])
    assert "key m/s1/b stands twice" in fails(mention_block("s1", ["b"], set())[0], good)
    assert "wrong columns: odd" in fails(Block({**good.shared, "odd": 1}, good.columns, 2))
    assert "wrong columns: count" in fails(
        Block(good.shared, {k: v for k, v in good.columns.items() if k != "count"}, 2)
    )
    assert "null in row m/s1/b" in fails(Block(good.shared, {**good.columns, "count": [1, None]}, 2))
    assert "brand_mentions.count" in fails(Block(good.shared, {**good.columns, "count": [1, "x"]}, 2))
