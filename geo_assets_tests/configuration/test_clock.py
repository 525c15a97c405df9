from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from geo_assets.configuration.clock import (
    Bounds,
    capture_date,
    collection_bounds,
    day_bounds,
    is_due,
    is_past,
    window_of,
)
from geo_assets.configuration.loader import load_project
from geo_assets.model.configuration import Window
from geo_assets_tests.configuration.folders import MONITOR, PLATFORMS, change, write_folder

SHANGHAI, BERLIN = ZoneInfo("Asia/Shanghai"), ZoneInfo("Europe/Berlin")


def utc(*parts: int) -> datetime:
    return datetime(*parts, tzinfo=UTC)


def test_half_past_eight_in_shanghai_belongs_to_the_same_day_and_midnight_starts_the_next():
    assert capture_date(utc(2026, 11, 29, 0, 30), SHANGHAI) == "2026-11-29"
    assert capture_date(utc(2026, 11, 29, 15, 59, 59), SHANGHAI) == "2026-11-29"
    assert capture_date(utc(2026, 11, 29, 16, 0), SHANGHAI) == "2026-11-30"


def test_equal_instants_have_one_capture_date_however_written():
    instant = datetime(2026, 11, 29, 20, 0, tzinfo=timezone(timedelta(hours=4)))
    assert capture_date(instant, SHANGHAI) == capture_date(utc(2026, 11, 29, 16, 0), SHANGHAI) == "2026-11-30"


def test_an_instant_without_a_zone_is_refused():
    naive = utc(2026, 11, 29).replace(tzinfo=None)
    with pytest.raises(ValueError, match="needs its time zone"):
        capture_date(naive, SHANGHAI)
    with pytest.raises(ValueError, match="needs its time zone"):
        day_bounds("2026-11-29", SHANGHAI).contains(naive)


def test_a_day_is_past_from_local_midnight_on():
    assert not is_past("2026-11-29", utc(2026, 11, 29, 15, 59), SHANGHAI)
    assert is_past("2026-11-29", utc(2026, 11, 29, 16, 0), SHANGHAI)
    assert not is_past("2026-12-01", utc(2026, 11, 29, 16, 0), SHANGHAI)


def test_the_window_closes_at_its_end_and_a_manual_run_at_local_midnight():
    window = Window(start="02:00", end="06:00")
    assert collection_bounds("2026-11-29", window, SHANGHAI) == Bounds(utc(2026, 11, 28, 18), utc(2026, 11, 28, 22))
    assert collection_bounds("2026-11-29", None, SHANGHAI) == Bounds(utc(2026, 11, 28, 16), utc(2026, 11, 29, 16))


def test_bounds_hold_their_opening_and_not_their_closing():
    bounds = collection_bounds("2026-11-29", Window(), SHANGHAI)
    assert bounds.contains(bounds.opens)
    assert not bounds.contains(bounds.closes)
    assert bounds.contains(bounds.closes - timedelta(microseconds=1))


@pytest.mark.parametrize(
    ("zone", "day", "hours"),
    [
        ("Europe/Berlin", "2026-03-29", 23),
        ("Europe/Berlin", "2026-10-25", 25),
        ("Europe/Berlin", "2026-11-29", 24),
        ("America/New_York", "2026-03-08", 23),
        ("America/New_York", "2026-11-01", 25),
        ("Asia/Shanghai", "2026-03-29", 24),
        ("Africa/Cairo", "2026-04-24", 23),  # Midnight itself is skipped.
        ("Australia/Lord_Howe", "2026-04-05", 24.5),
    ],
)
def test_local_days_have_their_true_length(zone, day, hours):
    bounds = day_bounds(day, ZoneInfo(zone))
    assert bounds.closes - bounds.opens == timedelta(hours=hours)
    assert capture_date(bounds.opens, ZoneInfo(zone)) == day
    assert capture_date(bounds.closes, ZoneInfo(zone)) > day


def test_a_window_over_the_skipped_hour_is_an_hour_shorter():
    bounds = collection_bounds("2026-03-29", Window(start="01:00", end="04:00"), BERLIN)
    assert bounds == Bounds(utc(2026, 3, 29, 0), utc(2026, 3, 29, 2))


def test_a_window_that_opens_in_the_skipped_hour_opens_after_it():
    bounds = collection_bounds("2026-03-29", Window(start="02:30", end="06:00"), BERLIN)
    assert bounds == Bounds(utc(2026, 3, 29, 1, 30), utc(2026, 3, 29, 4))


def test_a_window_over_the_repeated_hour_covers_both_of_it():
    bounds = collection_bounds("2026-10-25", Window(start="02:00", end="02:30"), BERLIN)
    assert bounds == Bounds(utc(2026, 10, 25, 0), utc(2026, 10, 25, 1, 30))


@given(
    day=st.dates(min_value=datetime(2000, 1, 3).date(), max_value=datetime(2037, 12, 30).date()),  # noqa: DTZ001
    zone=st.sampled_from(
        ["Asia/Shanghai", "Europe/Berlin", "America/Havana", "America/Santiago", "Asia/Beirut", "UTC"]
    ),
    minutes=st.tuples(st.integers(0, 1439), st.integers(0, 1439)).filter(lambda pair: pair[0] < pair[1]),
)
def test_every_instant_of_a_window_lies_within_its_own_day_and_days_meet_without_a_gap(day, zone, minutes):
    tz = ZoneInfo(zone)
    text = day.isoformat()
    start, end = (f"{m // 60:02d}:{m % 60:02d}" for m in minutes)
    window = collection_bounds(text, Window(start=start, end=end), tz)
    whole = day_bounds(text, tz)
    assert whole.opens <= window.opens
    assert window.closes <= whole.closes
    assert window.opens <= window.closes
    assert whole.closes == day_bounds((day + timedelta(days=1)).isoformat(), tz).opens
    assert capture_date(whole.opens, tz) == text
    assert capture_date(whole.closes - timedelta(seconds=1), tz) == text


def test_a_weekly_monitor_is_due_on_its_weekday_only(tmp_path):
    text = change(MONITOR, "language: en", "language: en\nfrequency: weekly\nweekday: sunday")
    monitor = load_project(write_folder(tmp_path, monitors={"chairs": text})).monitor("chairs")
    due = [day for day in range(23, 31) if is_due(monitor, f"2026-11-{day}")]
    assert due == [29]


def test_a_daily_monitor_is_always_due(tmp_path):
    monitor = load_project(write_folder(tmp_path)).monitor("chairs")
    assert all(is_due(monitor, f"2026-11-{day}") for day in range(23, 31))


def test_a_platform_may_have_a_window_of_its_own(tmp_path):
    text = change(PLATFORMS, "    model: b-1\n", "    model: b-1\n    window: {start: 12:30, end: 14:00}\n")
    loaded = load_project(write_folder(tmp_path, platforms=text))
    assert window_of(loaded.project, loaded.platform("alpha")) == Window(start="02:00", end="06:00")
    assert window_of(loaded.project, loaded.platform("beta")) == Window(start="12:30", end="14:00")
