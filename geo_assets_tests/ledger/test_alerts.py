"""The outbox of alerts: raised once, handed to one deliverer at a time, tried again until taken."""

import threading

import pytest

from geo_assets.ledger import Ledger, open_ledger
from geo_assets.ledger.budgets import Budgets
from geo_assets.model.alerts import Alert, AlertKind, body, title
from geo_assets.model.transitions import Event
from geo_assets_tests.ledger import builders as b
from geo_assets_tests.ledger.databases import Clock

ALL = tuple(AlertKind)
STOPPED = Alert(AlertKind.ACCOUNT_STOPPED, "account qwen/main", b.DATE, "auth: no such key")


def test_an_alert_is_raised_once_per_kind_subject_and_date(ledger: Ledger) -> None:
    again = Alert(STOPPED.kind, STOPPED.subject, STOPPED.date, "said otherwise")
    tomorrow = Alert(STOPPED.kind, STOPPED.subject, "2026-11-30", STOPPED.detail)
    assert ledger.raise_alerts([STOPPED]) == (STOPPED,)
    assert ledger.raise_alerts([again, tomorrow]) == (tomorrow,)
    assert [row.alert for row in ledger.alerts(b.DATE)] == [STOPPED]


def test_an_alert_is_handed_out_once_until_it_is_delivered_or_failed(ledger: Ledger, clock: Clock) -> None:
    ledger.raise_alerts([STOPPED])
    assert ledger.take_alert("ops", ALL) == STOPPED
    assert ledger.take_alert("ops", ALL) is None
    assert ledger.take_alert("boss", ALL) == STOPPED, "every destination has its own"
    ledger.alert_failed(STOPPED, "ops", "HTTP 503")
    assert ledger.take_alert("ops", ALL) is None
    clock.forward(10)  # the next heartbeat
    assert ledger.take_alert("ops", ALL) == STOPPED
    ledger.alert_delivered(STOPPED, "ops")
    clock.forward(3600)
    assert ledger.take_alert("ops", ALL) is None
    [row] = ledger.alerts(b.DATE)
    assert [(d.destination, d.tries, d.delivered_at is not None, d.error) for d in row.deliveries] == [
        ("boss", 1, False, None),
        ("ops", 2, True, None),
    ]


def test_an_alert_of_a_deliverer_that_died_is_handed_out_again(ledger: Ledger, clock: Clock) -> None:
    ledger.raise_alerts([STOPPED])
    assert ledger.take_alert("ops", ALL) == STOPPED
    clock.forward(61)
    assert ledger.take_alert("ops", ALL) == STOPPED


def test_failing_deliveries_are_tried_further_and_further_apart(ledger: Ledger, clock: Clock) -> None:
    ledger.raise_alerts([STOPPED])
    waits = []
    for _ in range(10):
        waited = 0
        while ledger.take_alert("ops", ALL) is None:
            clock.forward(5)
            waited += 5
        waits.append(waited)
        ledger.alert_failed(STOPPED, "ops", "HTTP 503")
    assert waits == [0, 5, 10, 20, 40, 80, 160, 320, 600, 600]


def test_a_destination_is_told_of_its_kinds_and_of_no_old_news(ledger: Ledger, clock: Clock) -> None:
    ledger.raise_alerts([STOPPED])
    assert ledger.take_alert("money", (AlertKind.BUDGET_REACHED,)) is None
    clock.forward(48 * 3600 + 1)
    assert ledger.take_alert("new", ALL) is None


def test_of_many_processes_one_gets_an_alert(ledger_url: str) -> None:
    barrier = threading.Barrier(6)
    found: list[Alert | None] = []

    def work() -> None:
        with open_ledger(ledger_url) as mine:
            barrier.wait()
            found.append(mine.take_alert("ops", ALL))

    with open_ledger(ledger_url) as ledger:
        ledger.raise_alerts([STOPPED])
    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (len(found), found.count(STOPPED), found.count(None)) == (6, 1, 5)


def test_a_budget_alert_is_in_the_outbox_and_said_once_however_many_claims_it_holds_back(ledger: Ledger) -> None:
    b.plan(ledger, 6)
    b.worker(ledger)
    budgets = Budgets(monitors={("acme", "washers"): {"CNY": 1000}})
    first = b.claimed(ledger, 4, budgets=budgets)
    second = b.claimed(ledger, 4, budgets=budgets)
    assert [(a.kind, a.subject) for a in first.alerts] == [(AlertKind.BUDGET_REACHED, "monitor acme/washers, CNY")]
    assert (second.dropped, second.alerts) == (2, ())
    assert [row.alert for row in ledger.alerts(b.DATE)] == list(first.alerts)


def test_a_retry_budget_has_an_alert_of_its_own(ledger: Ledger, clock: Clock) -> None:
    b.plan(ledger, 1)
    b.worker(ledger)
    budgets = Budgets(retry_percent={("acme", "washers"): 0})
    [taken] = b.claim(ledger, budgets=budgets)
    ledger.settle([b.settlement(taken, Event.RETRY)])
    found = b.claimed(ledger, budgets=budgets)
    assert [a.kind for a in found.alerts] == [AlertKind.RETRY_BUDGET_USED]


def test_a_breaker_alerts_when_it_opened_five_times_in_a_row(ledger: Ledger, clock: Clock) -> None:
    b.plan(ledger, 60)
    b.worker(ledger)
    raised: list[tuple[int, Alert]] = []
    openings = 0
    for _ in range(200):
        claims = b.claim(ledger, 12)
        if not claims:
            clock.forward(15)
            continue
        report = ledger.settle(
            [b.settlement(c, Event.RETRY, sample={"due_at": 0}, signal=b.signal(failed=True)) for c in claims]
        )
        openings += any("breaker open" in note for note in report.notes)
        raised += [(openings, alert) for alert in report.alerts]
        if openings == 7:
            break
    assert [(n, a.kind, a.subject) for n, a in raised] == [(5, AlertKind.BREAKER_OPEN, "account qwen/main")]


@pytest.mark.parametrize("kind", AlertKind)
def test_every_kind_has_words_in_both_languages(kind: AlertKind) -> None:
    alert = Alert(kind, "monitor acme/washers, CNY", b.DATE, "the reason")
    assert title(alert, "en").removeprefix("GEO · ").isascii()
    assert title(alert, "both") != title(alert, "zh") != title(alert, "en")
    assert title(alert, "zh").endswith(f": {alert.subject} ({b.DATE})")
    english, chinese, both = (body(alert, language) for language in ("en", "zh", "both"))
    assert english.isascii()
    assert english.splitlines() + chinese.splitlines()[1:] == both.splitlines()
    assert english.splitlines()[0] == "the reason"
