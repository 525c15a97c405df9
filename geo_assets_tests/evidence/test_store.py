"""The evidence store on a local disk and on S3."""

import hashlib
import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from geo_assets.evidence import files
from geo_assets.evidence.files import LocalFiles
from geo_assets.evidence.store import (
    EvidenceCorrupt,
    EvidenceMissing,
    EvidenceStore,
    Sidecar,
    request_entity,
    request_from_entity,
)
from geo_assets.model.answers import HttpRequest

SIDECAR = Sidecar(
    attempt_id="a1",
    sample_id="s1",
    date="2026-11-29",
    platform="qwen",
    leg=0,
    kind="submit",
    fencing_token=1,
    request_digest="0" * 64,
    sent_at=1,
    received_at=2,
    response_digest="1" * 64,
    response_bytes=3,
    status=200,
    headers={"content-type": "application/json"},
    simulated=True,
)


@pytest.fixture(params=["local", "s3"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> EvidenceStore:
    if request.param == "local":
        return EvidenceStore(tmp_path / "evidence")
    options = request.getfixturevalue("s3_options")
    return EvidenceStore(f"s3://evidence-bucket/{tmp_path.name}", options)


def test_an_entity_is_named_by_its_digest_and_read_back(store: EvidenceStore) -> None:
    body = "海尔洗衣机 🧺".encode()
    digest = store.put(body)
    assert digest == hashlib.sha256(body).hexdigest()
    assert store.put(body) == digest
    assert store.read(digest) == body
    assert store.exists(digest)
    assert store.read(store.put(b"")) == b""


def test_a_missing_entity_is_said_to_be_missing(store: EvidenceStore) -> None:
    assert not store.exists("a" * 64)
    with pytest.raises(EvidenceMissing, match=r"no evidence a{64} in the store"):
        store.read("a" * 64)


@pytest.mark.parametrize("wrong", ["", "../../etc/passwd", "A" * 64, "a" * 63])
def test_what_is_no_digest_is_refused(tmp_path: Path, wrong: str) -> None:
    with pytest.raises(ValueError, match="is not a sha256 digest"):
        EvidenceStore(tmp_path).read(wrong)


def test_changed_bytes_are_noticed(tmp_path: Path) -> None:
    store = EvidenceStore(tmp_path)
    digest = store.put(b"answer")
    (tmp_path / "sha256" / digest[:2] / digest).write_bytes(b"another")
    with pytest.raises(EvidenceCorrupt, match="its 7 bytes were changed"):
        store.read(digest)


def test_sidecars_are_pending_until_they_are_finished(store: EvidenceStore) -> None:
    second = replace(SIDECAR, leg=1, kind="poll")
    other = replace(SIDECAR, platform="kimi")
    for sidecar in (second, SIDECAR, other):
        store.put_exchanges([(sidecar, ())])
    store.put_exchanges([(SIDECAR, ())])
    assert list(store.pending_sidecars("2026-11-29", "qwen")) == [SIDECAR, second]
    store.finish_sidecar(SIDECAR)
    store.finish_sidecar(SIDECAR)
    assert list(store.pending_sidecars("2026-11-29", "qwen")) == [second]
    assert list(store.pending_sidecars("2026-11-29", "kimi")) == [other]
    assert list(store.pending_sidecars("2026-11-30", "qwen")) == []


def test_a_broken_sidecar_is_named(tmp_path: Path) -> None:
    store = EvidenceStore(tmp_path)
    store.put_exchanges([(SIDECAR, ())])
    (tmp_path / "pending/2026-11-29/qwen/a1.000.json").write_text("{")
    with pytest.raises(EvidenceCorrupt, match=r"pending/2026-11-29/qwen/a1\.000\.json cannot be read"):
        list(store.pending_sidecars("2026-11-29", "qwen"))


def test_many_writers_of_one_entity_leave_one_whole_file(store: EvidenceStore) -> None:
    body = os.urandom(50_000)
    with ThreadPoolExecutor(8) as pool:
        digests = set(pool.map(lambda _: store.put(body), range(24)))
    assert digests == {hashlib.sha256(body).hexdigest()}
    assert store.read(digests.pop()) == body


def test_a_write_that_fails_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    local = LocalFiles(tmp_path)

    def full(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        local.create("a/b", b"x")
    monkeypatch.undo()
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_everything_is_synchronised_before_put_returns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[str] = []
    real = os.fsync

    def note(descriptor: int) -> None:
        synced.append(str(Path(f"/proc/self/fd/{descriptor}").readlink()))
        real(descriptor)

    if not Path("/proc/self/fd").is_dir():
        pytest.skip("this system does not show open files below /proc")
    monkeypatch.setattr(os, "fsync", note)
    digest = EvidenceStore(tmp_path).put(b"answer")
    folder = tmp_path / "sha256" / digest[:2]
    assert any(name.endswith(".tmp") for name in synced)
    assert {str(folder), str(folder.parent), str(tmp_path)} <= set(synced)
    assert synced[-1] == str(folder)


@given(st.binary(max_size=200), st.dictionaries(st.sampled_from(["accept", "x-id"]), st.text(max_size=20)))
def test_a_request_comes_back_from_its_evidence(body: bytes, headers: dict[str, str]) -> None:
    request = HttpRequest("POST", "https://platform.example/v1?q=洗衣机", headers, body)
    assert request_from_entity(request_entity(request)) == request


def test_exchanges_are_stored_together(store: EvidenceStore) -> None:
    exchanges = [
        (replace(SIDECAR, attempt_id=f"a{number}"), (b"the same request", f"answer {number}".encode()))
        for number in range(20)
    ]
    store.put_exchanges(exchanges)
    store.put_exchanges(exchanges[:1])
    for sidecar, entities in exchanges:
        for data in entities:
            assert store.read(hashlib.sha256(data).hexdigest()) == data
        assert sidecar in store.pending_sidecars("2026-11-29", "qwen")


@pytest.mark.parametrize("synced", [True, False])
def test_a_batch_that_cannot_be_synchronised_is_not_reported_as_stored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, synced: bool
) -> None:
    store = EvidenceStore(tmp_path)
    batch = [(replace(SIDECAR, attempt_id=f"a{n}"), (b"q", str(n).encode())) for n in range(5)]
    if synced:
        monkeypatch.setattr(files, "_syncfs", None)
        store.put_exchanges(batch)
        assert len(list(store.pending_sidecars("2026-11-29", "qwen"))) == 5
        return
    monkeypatch.setattr(files, "_syncfs", lambda _descriptor: -1)
    with pytest.raises(OSError):
        store.put_exchanges(batch)
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []
