"""Telling people, against a real HTTP server: once, in the right words, again after a failure, and in nobody's way."""

import json
import logging
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from geo_assets.collection import Ended
from geo_assets.collection.alerts import Courier, Destination, deliver, destinations_of
from geo_assets.ledger import Ledger, open_ledger
from geo_assets.ledger.budgets import Budgets
from geo_assets.model.alerts import Alert, AlertKind
from geo_assets.model.configuration import AlertDestination, Project
from geo_assets_tests.collection import settings
from geo_assets_tests.collection.settings import base_url, platform, today
from geo_assets_tests.ledger.databases import Clock

BUDGET = Alert(AlertKind.BUDGET_REACHED, "monitor acme/washers, CNY", "2026-11-29", "daily budget reached (CNY 5)")


class Hook:
    """A server that keeps what was posted; `status` is what it answers, `delay` how long it takes."""

    def __init__(self) -> None:
        self.status, self.delay, self.got = 200, 0.0, []
        hook = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                time.sleep(hook.delay)
                if hook.status == 200:
                    hook.got.append((self.path, json.loads(body)))
                self.send_response(hook.status)
                self.end_headers()

            def log_message(self, *_: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.address = f"127.0.0.1:{self.server.server_port}/secret-token"

    got: list[tuple[str, Any]]

    def destination(self, scheme: str = "http", **changes: Any) -> Destination:
        return Destination("ops", f"{scheme}://{self.address}", **changes)


@pytest.fixture
def hook(monkeypatch: pytest.MonkeyPatch) -> Iterator[Hook]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    made = Hook()
    yield made
    made.server.shutdown()
    made.server.server_close()


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with open_ledger(f"sqlite:///{tmp_path / 'ledger.db'}", clock=Clock()) as opened:
        opened.raise_alerts([BUDGET])
        yield opened


def forward(ledger: Ledger, seconds: float) -> None:
    clock = ledger.database._fixed_clock
    assert isinstance(clock, Clock)
    clock.forward(seconds)


def test_a_web_hook_gets_a_document_once(hook: Hook, ledger: Ledger) -> None:
    assert deliver(ledger, [hook.destination()]).sent == 1
    assert deliver(ledger, [hook.destination()]).sent == 0
    assert hook.got == [
        (
            "/secret-token",
            {
                "kind": "budget_reached",
                "subject": "monitor acme/washers, CNY",
                "date": "2026-11-29",
                "detail": "daily budget reached (CNY 5)",
                "title": "GEO · Daily budget reached / 当日预算已用完: monitor acme/washers, CNY (2026-11-29)",
                "text": "daily budget reached (CNY 5)\n"
                "What was not asked yet is over_budget for the rest of the day.\n"
                "当日尚未提问的问题记为 over_budget，不再提问。",
                "simulated": False,
            },
        )
    ]


def test_other_services_are_reached_through_apprise_in_the_language_asked_for(hook: Hook, ledger: Ledger) -> None:
    assert deliver(ledger, [hook.destination("json", language="zh", simulated=True)]).sent == 1
    [(path, document)] = hook.got
    assert path.rstrip("/") == "/secret-token"
    assert document["title"] == "【模拟】GEO · 当日预算已用完: monitor acme/washers, CNY (2026-11-29)"
    assert "不再提问" in document["message"]


@pytest.mark.parametrize("scheme", ["http", "json"])
def test_what_could_not_be_delivered_is_tried_again_at_the_next_heartbeat(
    hook: Hook, ledger: Ledger, scheme: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    hook.status = 503
    failed = deliver(ledger, [hook.destination(scheme)])
    assert (failed.sent, len(failed.errors)) == (0, 1)
    hook.status = 200
    forward(ledger, 10)
    assert deliver(ledger, [hook.destination(scheme)]).sent == 1
    [row] = ledger.alerts("2026-11-29")
    assert [(d.tries, d.error) for d in row.deliveries] == [(2, None)]
    assert "secret-token" not in caplog.text + str(failed), "an address is a secret"


def test_a_destination_that_cannot_be_reached_or_understood_raises_nothing_and_shows_no_secret(ledger: Ledger) -> None:
    addresses = ["http://127.0.0.1:9/secret-token", "nonsense-secret-token", "https://[secret-token"]
    for number, address in enumerate(addresses):
        [said] = deliver(ledger, [Destination(f"d{number}", address)]).errors
        assert said.startswith(f"d{number}: ")
        assert "secret-token" not in said
    assert "secret" not in repr(Destination("ops", "http://secret"))


def test_one_failing_destination_keeps_none_from_the_others(hook: Hook, ledger: Ledger) -> None:
    done = deliver(ledger, [Destination("away", "http://127.0.0.1:9/"), hook.destination()])
    assert (done.sent, len(done.errors), len(hook.got)) == (1, 1, 1)


def test_addresses_come_from_the_environment_and_an_unset_one_waits(ledger: Ledger) -> None:
    project = Project(
        start_date="2026-11-01",
        alerts=(
            AlertDestination(id="ops", url_env="GEO_OPS"),
            AlertDestination(id="boss", url_env="GEO_BOSS", kinds=(AlertKind.BUDGET_REACHED,), language="zh"),
        ),
    )
    ops, boss = destinations_of(project, simulated=True, environment={"GEO_BOSS": " https://hook "})
    assert (ops.url, boss.url, boss.kinds, boss.language) == (None, "https://hook", (AlertKind.BUDGET_REACHED,), "zh")
    assert deliver(ledger, [ops]).errors == ()
    assert ledger.take_alert("ops", tuple(AlertKind)) == BUDGET, "it is still to be had"


def test_a_run_that_uses_up_its_budget_has_told_of_it_when_it_ends(hook: Hook, tmp_path: Path) -> None:
    of = platform()
    with settings.simulator(tmp_path, of) as process, open_ledger(f"sqlite:///{tmp_path / 'ledger.db'}") as ledger:
        settings.plan(ledger, of, 20)
        asked = settings.request(
            of,
            base_url(process, of),
            budgets=Budgets(monitors={("acme", "washers"): {"CNY": 500_000}}),
            destinations=(hook.destination(simulated=True),),
        )
        evidence = settings.EvidenceStore(tmp_path / "evidence")
        report = settings.collect(ledger, evidence, asked)
        settings.collect(ledger, evidence, asked)
    assert [a.kind for a in report.alerts] == [AlertKind.BUDGET_REACHED]
    [(_, document)] = hook.got
    assert (document["kind"], document["date"], document["simulated"]) == ("budget_reached", today(), True)


def test_a_destination_that_hangs_delays_no_answer_and_the_end_of_a_run_only_by_so_much(
    hook: Hook, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("geo_assets.collection.alerts.LAST_ROUND_SECONDS", 1.0)
    hook.delay = 6.0
    of = platform()
    with settings.simulator(tmp_path, of) as process, open_ledger(f"sqlite:///{tmp_path / 'ledger.db'}") as ledger:
        settings.plan(ledger, of, 200)
        asked = settings.request(of, base_url(process, of), keys={"main": "wrong"}, destinations=(hook.destination(),))
        report = settings.collect(ledger, settings.EvidenceStore(tmp_path / "evidence"), asked)
        assert report.ended is Ended.BLOCKED
        assert report.elapsed_seconds < 8
        time.sleep(6)  # the server's handler, before its folder goes


def test_a_courier_without_anybody_to_tell_starts_no_thread(ledger: Ledger) -> None:
    before = threading.active_count()
    with Courier(ledger, [Destination("ops", None)]):
        assert threading.active_count() == before
