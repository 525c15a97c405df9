"""The platform's true rate limit, kept strictly at the server: the judge of our own pacing."""

import time
from collections.abc import Callable


class TrueLimit:
    """GCRA over arrival times: `per_second` in the long run, `burst` calls at once, `tolerance` seconds of jitter.

    A refused call takes nothing from the limit. Source of the algorithm: ATM Forum TM 4.0, virtual scheduling.
    """

    def __init__(
        self,
        per_second: float,
        burst: int = 1,
        tolerance: float = 0.1,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._interval = 1.0 / per_second
        self._allowance = (burst - 1) * self._interval + tolerance
        self._clock = clock
        self._theoretical = float("-inf")

    def wait(self) -> float:
        """0.0 if the call conforms (and is counted), else the seconds until one would."""
        now = self._clock()
        early = self._theoretical - now - self._allowance
        if early > 0:
            return early
        self._theoretical = max(now, self._theoretical) + self._interval
        return 0.0
