"""How pace and breaker adapt, as pure functions of their rows."""

from random import Random
from typing import Any

import pytest

from geo_assets.ledger import breaker, pace
from geo_assets.ledger.pace import SECOND, LaneLimit

LIMIT = LaneLimit(20, 1, 50)


def row(rate: float = 20.0) -> dict[str, Any]:
    return {
        "tat": 0,
        "rate": rate,
        "configured_rate": rate,
        "good_rate": 0.0,
        "window_start": 0,
        "window_calls": 0,
        "window_throttled": 0,
        "steady_until": 0,
    }


def test_a_single_throttled_call_slows_nobody() -> None:
    lane = row()
    for second in range(1, 60):
        assert pace.observe(lane, second * SECOND, 20, int(second == 7)) is None
    assert lane["rate"] == 20.0


def test_a_tenth_of_random_throttles_slows_nobody() -> None:
    lane, random = row(), Random(3)
    for second in range(1, 600):
        pace.observe(lane, second * SECOND, 20, sum(random.random() < 0.10 for _ in range(20)))
    assert lane["rate"] == 20.0


def simulate(true_rate: float, seconds: int, burst: float = 1.0) -> tuple[float, float, dict[str, Any]]:
    """A platform whose token bucket fills at `true_rate`: share of it used, share throttled, after the first minute."""
    lane, random = row(), Random(1)
    now, tokens, passed, throttled, calls = 0.0, burst, 0, 0, 0
    while now < seconds:
        gap = pace.interval_us(lane) / SECOND
        now += gap
        tokens = min(burst, tokens + gap * true_rate * random.uniform(0.9, 1.1))
        refused = tokens < 1.0
        tokens -= 0.0 if refused else 1.0
        if now > 60:
            calls, throttled, passed = calls + 1, throttled + refused, passed + (not refused)
        pace.observe(lane, int(now * SECOND), 1, int(refused))
    return passed / ((seconds - 60) * true_rate), throttled / calls, lane


def test_a_true_limit_of_half_the_configured_one_is_found_and_kept() -> None:
    used, throttled, lane = simulate(10.0, 600)
    assert used >= 0.85
    assert throttled <= 0.10
    assert 8.0 <= lane["rate"] <= 13.0


def test_quiet_speeds_the_pace_up_again() -> None:
    lane = row()
    for second in range(1, 12):
        pace.observe(lane, second * SECOND, 20, 12)
    slow = lane["rate"]
    assert slow < 10
    for second in range(12, 900):
        pace.observe(lane, second * SECOND, 10, 0)
    assert lane["rate"] == 20.0


def test_the_pace_never_stops_altogether() -> None:
    lane = row()
    for second in range(1, 2000):
        pace.observe(lane, second * SECOND, 50, 50)
    assert lane["rate"] == pytest.approx(20.0 * pace.FLOOR)


def test_a_burst_may_leave_at_once_and_then_the_rate_holds() -> None:
    limit = LaneLimit(10, 4, 50)
    lane = row(10.0)
    times = pace.slots(lane, limit, SECOND, 10, SECOND // 4)
    step = SECOND / (10 * pace.MARGIN)
    first = SECOND + pace.LEAD_US
    assert times[:4] == [first] * 4
    assert times[4:] == [pytest.approx(first + (i + 1) * step, abs=1) for i in range(len(times) - 4)]
    pace.take(lane, SECOND, len(times))
    assert pace.next_slot(lane, limit, SECOND) > times[-1]


def fresh() -> dict[str, Any]:
    return {
        "state": "closed",
        "recent": "",
        "opened_at": 0,
        "open_until": 0,
        "openings": 0,
        "probes_passed": 0,
        "stopped_reason": None,
        "stopped_date": None,
        "key_fingerprint": None,
    }


def test_the_breaker_opens_on_a_share_of_failures_and_closes_after_probes() -> None:
    line = fresh()
    for _ in range(11):
        assert breaker.observe(line, 0, failed=True) is None
    assert "breaker open for 30 s" in (breaker.observe(line, 0, failed=True) or "")
    shut = breaker.gate(line, SECOND, "d", None)
    assert (shut.limit, shut.until) == (0, 30 * SECOND)
    assert breaker.gate(line, 31 * SECOND, "d", None).limit == 1
    assert breaker.observe(line, 31 * SECOND, failed=False) is None
    assert "closed" in (breaker.observe(line, 32 * SECOND, failed=False) or "")
    assert breaker.gate(line, 33 * SECOND, "d", None).limit is None


def test_a_failed_probe_opens_it_for_longer() -> None:
    line = fresh()
    for _ in range(12):
        breaker.observe(line, 0, failed=True)
    breaker.gate(line, 31 * SECOND, "d", None)
    assert "open for 60 s" in (breaker.observe(line, 31 * SECOND, failed=True) or "")


def test_a_quarter_of_random_failures_hardly_ever_opens_it() -> None:
    random, line = Random(5), fresh()
    opened = sum(breaker.observe(line, 0, failed=random.random() < 0.2) is not None for _ in range(2000))
    assert opened == 0


def test_a_stop_holds_until_another_key_another_day_or_a_person() -> None:
    line = fresh()
    breaker.stop(line, 0, "2026-11-29", "auth: wrong key", "key-1")
    assert breaker.gate(dict(line), 10**15, "2026-11-29", "key-1").reason == "auth: wrong key"
    assert breaker.gate(dict(line), 0, "2026-11-29", "key-1").until is None
    assert breaker.gate(dict(line), 0, "2026-11-29", "key-2").limit == 1
    assert breaker.gate(dict(line), 0, "2026-11-30", "key-1").limit == 1
    breaker.lift(line)
    assert breaker.gate(line, 0, "2026-11-29", "key-1").limit is None
