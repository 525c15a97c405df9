"""The lake, archives and reports on S3: the same rows, replaced whole, nothing cached."""

import zipfile
from pathlib import Path
from typing import Any

import fsspec
import pytest

from geo_assets.evidence.archive import Entry, write_archive
from geo_assets.lake.contracts import SPEND
from geo_assets.lake.store import Lake, MissingPartitionError, stage
from geo_assets_tests.lake.test_store import DAY, spend


def put(lake: Lake, rows: list[tuple[str, dict[str, object]]]) -> None:
    staged = stage(SPEND, DAY, rows)
    lake.publish(staged)
    staged.close()


def test_partitions_are_written_read_and_replaced_and_other_processes_see_it_at_once(
    s3_options: dict[str, Any], tmp_path: Path
) -> None:
    root = f"s3://evidence-bucket/lake-{tmp_path.name}"
    writer, reader = Lake(root, s3_options), Lake(root, s3_options)
    with pytest.raises(MissingPartitionError):
        reader.read("spend", DAY)
    rows = [("acme", spend("a", charged_micros=7)), ("zeta", spend("b"))]
    put(writer, rows)
    assert list(reader.read("spend", DAY).rows()) == rows
    put(writer, [("acme", spend("a", charged_micros=8))])
    assert list(reader.read("spend", DAY).rows()) == [("acme", spend("a", charged_micros=8))]
    assert reader.tenants("spend", DAY) == ["acme"]


def test_the_same_rows_give_the_same_bytes_on_disk_and_on_s3(s3_options: dict[str, Any], tmp_path: Path) -> None:
    rows = [("acme", spend(f"m{n:04d}")) for n in range(3000)]
    remote, local = Lake(f"s3://evidence-bucket/bytes-{tmp_path.name}", s3_options), Lake(str(tmp_path / "lake"))
    put(remote, rows)
    put(local, rows)
    assert remote.read("spend", DAY).digests() == local.read("spend", DAY).digests()


def test_an_archive_is_whole_has_a_manifest_and_the_same_bytes_every_time(tmp_path: Path) -> None:
    bodies = {"d1": b'{"a": 1}', "d2": "答案".encode() * 1000}
    entries = [
        Entry("s1/a1/000-request", "d1", {"kind": "submit"}),
        Entry("s1/a1/000-response", "d2", {"kind": "submit"}),
    ]
    contents = []
    for n in range(2):
        root = tmp_path / str(n)
        name = "tenant=t/evidence-000.zip"
        assert list(write_archive(str(root), "tenant=t", entries, bodies.__getitem__)) == [(name, 8), (name, 6000)]
        contents.append((root / name).read_bytes())
    assert contents[0] == contents[1]
    with zipfile.ZipFile(tmp_path / "0/tenant=t/evidence-000.zip") as archive:
        assert archive.namelist() == ["s1/a1/000-request", "s1/a1/000-response", "manifest.jsonl"]
        assert archive.read("s1/a1/000-response") == bodies["d2"]
        lines = archive.read("manifest.jsonl").decode().splitlines()
    assert lines[0] == '{"bytes":8,"digest":"d1","kind":"submit","member":"s1/a1/000-request"}'


def test_an_archive_that_fails_half_way_leaves_the_old_one(tmp_path: Path) -> None:
    def read(digest: str) -> bytes:
        if digest == "lost":
            raise FileNotFoundError(digest)
        return b"x"

    list(write_archive(str(tmp_path), "a", [Entry("one", "d", {})], read))
    old = (tmp_path / "a/evidence-000.zip").read_bytes()
    with pytest.raises(FileNotFoundError):
        list(write_archive(str(tmp_path), "a", [Entry("one", "d", {}), Entry("two", "lost", {})], read))
    assert (tmp_path / "a/evidence-000.zip").read_bytes() == old
    assert [path.name for path in tmp_path.rglob("*.*")] == ["evidence-000.zip"]


@pytest.mark.parametrize("remote", [False, True])
def test_a_large_archive_has_parts_that_do_not_tear_a_sample_apart(
    tmp_path: Path, s3_options: dict[str, Any], monkeypatch: pytest.MonkeyPatch, remote: bool
) -> None:
    monkeypatch.setattr("geo_assets.evidence.archive.PART_MEMBERS", 5)
    root = str(tmp_path)
    if remote:
        fsspec.config.conf["s3"] = s3_options
        root = f"s3://evidence-bucket/archive-{tmp_path.name}"
    fs, base = fsspec.core.url_to_fs(root)

    def write(samples: int) -> list[str]:
        members = [f"s{n}/a/00{leg}-response" for n in range(samples) for leg in range(2)]
        written = write_archive(root, "t", [Entry(m, "d", {}) for m in members], lambda _: b"x")
        return [f"{path} {m}" for m, (path, _) in zip(members, written, strict=True)]

    try:
        assert [line.split()[0] for line in write(7)] == ["t/evidence-000.zip"] * 6 + ["t/evidence-001.zip"] * 6 + [
            "t/evidence-002.zip"
        ] * 2
        for line in write(7):
            path, member = line.split()
            with fs.open(f"{base}/{path}", "rb") as raw, zipfile.ZipFile(raw) as archive:
                assert member in archive.namelist()
                assert len(archive.read("manifest.jsonl").splitlines()) == len(archive.namelist()) - 1
        write(2)
        assert [str(f).rsplit("/", 1)[-1] for f in fs.ls(f"{base}/t", detail=False)] == ["evidence-000.zip"]
    finally:
        fsspec.config.conf.pop("s3", None)
