"""Keeping calls of one process apart at the very moment of sending.

The ledger hands out exact slots, but a busy event loop wakes several late tasks together; what leaves in a bunch looks
to the platform like a higher rate. What belongs here: delaying, never hastening. What does not: shared state.
"""

from dataclasses import dataclass


@dataclass(slots=True)
class Spacing:
    """GCRA over the times of sending, in seconds of a monotonic clock."""

    per_second: float
    burst: int
    tat: float = 0.0

    def delay(self, now: float) -> float:
        """How much later than `now` the next call must leave; reserves that moment."""
        step = 1.0 / self.per_second
        at = max(now, self.tat - (self.burst - 1) * step)
        self.tat = max(self.tat, now) + step
        return at - now
