"""When nobody knows whether a call was executed: looked up, sent again with its key, asked again, or held."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from geo_assets.collection import CollectReport
from geo_assets.evidence.store import EvidenceStore
from geo_assets.ledger import Ledger, open_ledger
from geo_assets_tests.collection import settings
from geo_assets_tests.collection.fake import FakeConnector, FakePlatform
from geo_assets_tests.collection.harness import check_books
from geo_assets_tests.collection.settings import platform, today


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with open_ledger(f"sqlite:///{tmp_path / 'ledger.db'}") as opened:
        yield opened
        check_books(opened)


def collect(
    ledger: Ledger, folder: Path, fake: FakePlatform, connector: FakeConnector, count: int = 1, policy: str = "resample"
) -> CollectReport:
    of = platform()
    settings.plan(ledger, of, count)
    with fake.served() as url:
        asked = settings.request(of, url, uncertain_policy=policy)
        return settings.collect(ledger, EvidenceStore(folder / "evidence"), asked, connector)


def test_a_lost_call_that_was_executed_is_found_and_not_asked_again(ledger: Ledger, tmp_path: Path) -> None:
    fake = FakePlatform(["drop"])
    report = collect(ledger, tmp_path, fake, FakeConnector(lookup=True), policy="hold")
    assert (report.answered, report.open) == (1, 0)
    assert (list(fake.executed.values()), fake.paths) == ([1], ["submit", "lookup"])
    (attempt,) = ledger.attempts(today())
    assert attempt.state == "answered"
    (line,) = ledger.reconcile(today())
    assert (line.reserved, line.unreconciled) == (0, 0)
    assert line.charged > 0


def test_a_lost_call_that_was_not_executed_is_ruled_out_and_asked_again(ledger: Ledger, tmp_path: Path) -> None:
    fake = FakePlatform(["lose"])
    report = collect(ledger, tmp_path, fake, FakeConnector(lookup=True))
    assert (report.answered, list(fake.executed.values())) == (1, [1])
    assert fake.paths == ["submit", "lookup", "submit"]
    (line,) = ledger.reconcile(today())
    assert (line.reserved, line.unreconciled, line.attempts) == (0, 0, 2)


def test_the_same_key_is_sent_again_where_it_is_honoured(ledger: Ledger, tmp_path: Path) -> None:
    fake = FakePlatform(["drop", "answer"])
    report = collect(ledger, tmp_path, fake, FakeConnector(key=True), policy="hold")
    assert (report.answered, list(fake.executed.values())) == (1, [1])
    first, second = sorted(ledger.attempts(today()), key=lambda a: a.number)
    assert first.idempotency_key == second.idempotency_key


def test_without_either_it_is_asked_again_and_the_first_cost_stays_open(ledger: Ledger, tmp_path: Path) -> None:
    fake = FakePlatform(["drop"])
    report = collect(ledger, tmp_path, fake, FakeConnector())
    assert (report.answered, list(fake.executed.values())) == (1, [2])
    (line,) = ledger.reconcile(today())
    assert line.unreconciled == line.reserved > 0


def test_or_it_is_held(ledger: Ledger, tmp_path: Path) -> None:
    fake = FakePlatform(["drop"])
    report = collect(ledger, tmp_path, fake, FakeConnector(), policy="hold")
    assert (report.answered, list(fake.executed.values())) == (0, [1])
    assert len(ledger.uncertain(today())) == 1


def test_a_platform_that_loses_everything_is_given_up_as_uncertain(ledger: Ledger, tmp_path: Path) -> None:
    of = platform()
    settings.plan(ledger, of, 1)
    fake = FakePlatform(["drop"] * 50)
    with fake.served() as url:
        asked = settings.request(of, url, max_attempts=2)
        settings.collect(ledger, EvidenceStore(tmp_path / "evidence"), asked, FakeConnector())
    assert ledger.status(today()).outcomes == {"uncertain": 1}
    assert list(fake.executed.values()) == [2]


def test_an_attempt_of_several_exchanges_keeps_each_of_them(ledger: Ledger, tmp_path: Path) -> None:
    fake = FakePlatform(["tool"])
    report = collect(ledger, tmp_path, fake, FakeConnector())
    assert (report.answered, report.calls) == (1, 2)
    assert [(e.leg, e.kind) for e in ledger.exchanges(today())] == [(0, "submit"), (1, "submit")]
    assert len(list(ledger.attempts(today()))) == 1


@pytest.mark.parametrize("works", [True, False])
def test_further_evidence_is_fetched_and_its_lack_is_said(ledger: Ledger, tmp_path: Path, works: bool) -> None:
    fake = FakePlatform()
    fake.screenshots = works
    collect(ledger, tmp_path, fake, FakeConnector(evidence=True))
    (sample,) = ledger.samples(today())
    assert sample.state.evidence == ("stored" if works else "partial")
    answer, evidence = ledger.exchanges(today())
    assert (answer.kind, evidence.kind) == ("submit", "evidence")
    assert sample.response_digest == answer.response_digest
