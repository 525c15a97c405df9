"""How long a sample rests after each kind of error, and how often a job is polled. Pure; randomness is passed in.

Back-off is exponential with full jitter (Brooker, "Exponential Backoff And Jitter", AWS Architecture Blog 2015). All
values are seconds.
"""

from random import Random

BACKOFF_FIRST = 1.0
BACKOFF_CAP = 60.0
THROTTLE_FIRST = 2.0
THROTTLE_CAP = 120.0
REST_FIRST = 10.0
REST_CAP = 600.0
POLL_FIRST = 1.0
POLL_SHARE = 0.15
POLL_CAP = 30.0
RETRY_AFTER_CAP = 24 * 3600.0
TIMEOUT_GROWTH = 1.5


def backoff(tries: int, random: Random) -> float:
    """Wait after the `tries`-th error of a kind in a pass (1 = the first)."""
    return random.uniform(0.0, min(BACKOFF_CAP, BACKOFF_FIRST * 2 ** min(tries, 20)))


def throttle(throttles: int, retry_after: float | None, random: Random) -> float:
    """Wait after a rate limit: what the platform asked for, else back-off.

    A little more than it asked for, so that not all come at once.
    """
    if retry_after is not None:
        return min(RETRY_AFTER_CAP, max(0.0, retry_after)) + random.uniform(0.0, 0.5)
    bound = min(THROTTLE_CAP, THROTTLE_FIRST * 2 ** min(throttles, 20))
    return random.uniform(bound / 4, bound)


def rest(passes: int, random: Random) -> float:
    """Rest between passes, after the `passes`-th pass (1 = the first)."""
    return random.uniform(0.5, 1.0) * min(REST_CAP, REST_FIRST * 2.0 ** min(passes - 1, 20))


def poll_interval(age: float, poll_after: float | None) -> float:
    """Wait before the next poll of a job of this age: grows with it; the platform's own wish goes first."""
    if poll_after is not None:
        return min(max(0.2, poll_after), 600.0)
    return min(POLL_CAP, max(POLL_FIRST, age * POLL_SHARE))


def stretched(seconds: float, timeouts: int) -> float:
    """A time-out after `timeouts` time-outs in this pass: somewhat longer each time."""
    return float(seconds * min(4.0, TIMEOUT_GROWTH**timeouts))
