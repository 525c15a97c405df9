"""How long to wait, wherever a platform says it."""

import pytest

from geo_assets.platforms.waits import duration, wait_seconds


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("1.734s", 1.734),
        ("12ms", 0.012),
        ("6m0s", 360.0),
        ("1h2m3s", 3723.0),
        ("1d2h", 93_600.0),
        ("59.999s", 59.999),
        ("", None),
        ("s", None),
        ("-1s", None),
        ("soon", None),
        ("3", None),
    ],
)
def test_a_duration_is_read_with_its_units(value: str, seconds: float | None) -> None:
    assert duration(value) == (None if seconds is None else pytest.approx(seconds))


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "20"}, 20.0),
        ({"retry-after": " 0 "}, 0.0),
        ({"retry-after": "1.5"}, 1.5),
        ({"retry-after": "30s"}, 30.0),
        ({"retry-after-ms": "1734", "retry-after": "2"}, 1.734),
        ({"retry-after-ms": "soon", "retry-after": "2"}, 2.0),
        ({"retry-after": "Sun, 29 Nov 2026 02:00:40 GMT", "date": "Sun, 29 Nov 2026 02:00:10 GMT"}, 30.0),
        ({"retry-after": "Sun, 29 Nov 2026 02:00:00 GMT", "date": "Sun, 29 Nov 2026 02:00:10 GMT"}, 0.0),
        ({"retry-after": "Sun, 29 Nov 2026 10:00:40 +0800", "date": "Sun, 29 Nov 2026 02:00:10 GMT"}, 30.0),
        ({"retry-after": "Sun, 29 Nov 2026 02:00:40 GMT"}, None),
        ({"retry-after": "Sun, 29 Nov 2026 02:00:40", "date": "Sun, 29 Nov 2026 02:00:10 GMT"}, None),
        ({"retry-after": "-5"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "1e999"}, None),
        ({"x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "1.2s"}, 1.2),
        ({"x-ratelimit-remaining-tokens": "5", "x-ratelimit-reset-tokens": "6m0s"}, None),
        (
            {
                "x-ratelimit-remaining-requests": "0",
                "x-ratelimit-reset-requests": "2s",
                "x-ratelimit-remaining-tokens": "0",
                "x-ratelimit-reset-tokens": "1m1s",
            },
            61.0,
        ),
        ({}, None),
    ],
)
def test_headers_name_a_wait(headers: dict[str, str], seconds: float | None) -> None:
    assert wait_seconds(headers) == (None if seconds is None else pytest.approx(seconds))


@pytest.mark.parametrize(
    ("body", "seconds"),
    [
        ({"error": {"retry_after": 12}}, 12.0),
        ({"retry_after_ms": 1500}, 1.5),
        ({"error": {"message": "Rate limit reached. Please try again in 1.734s."}}, 1.734),
        ({"error": {"message": "Please retry after 20 seconds"}}, 20.0),
        ({"error": {"message": "try again in 250ms"}}, 0.25),
        ({"error": {"message": "wait 250 milliseconds"}}, 0.25),
        ({"message": "please wait for 2 minutes"}, 120.0),
        ({"error": "Too many requests, retry in 3s"}, 3.0),
        ({"error": {"message": "请求过于频繁，请在 30 秒后重试"}}, 30.0),
        ({"error": {"message": "请2分钟后再试"}}, 120.0),
        ({"error": {"message": "請 5 秒後重試"}}, 5.0),
        ({"error": {"message": "Limit 500, Used 500, Requested 1."}}, None),
        ({"error": {"message": "The request took 300 seconds"}}, None),
        ({"error": {"retry_after": True}}, None),
        ([1, 2], None),
        (None, None),
    ],
)
def test_bodies_name_a_wait(body: object, seconds: float | None) -> None:
    assert wait_seconds({}, body) == (None if seconds is None else pytest.approx(seconds))


def test_a_header_wins_over_the_body() -> None:
    assert wait_seconds({"retry-after": "4"}, {"error": {"retry_after": 9}}) == 4.0
