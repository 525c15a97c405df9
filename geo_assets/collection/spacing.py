"""Leaving on time: a call goes out within its own slot of the shared pace, or it gets another slot.

The ledger hands out exact slots, but a busy event loop wakes late, and several late tasks together; what leaves in a
bunch, or in another process's slot, looks to the platform like a higher rate. What belongs here: delaying, never
hastening. What does not: shared state (ledger.pace).
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from geo_assets.ledger.pace import LEAD_US

SECOND = 1_000_000
LATE_US = 40_000
"""A slot that is missed by more is another call's; platforms bear about a tenth of a second of jitter on the way."""

TRIES = 4
"""Slots reserved instead of missed ones, each twice as far ahead as the one before; what lies between is nobody's."""

LAST_LATE_US = 1_000_000
"""How late a call may use the last of them: a machine that keeps no slot at all must get on, too."""


@dataclass(slots=True)
class Spacing:
    """GCRA over the times of sending in one process, in microseconds."""

    per_second: float
    burst: int
    tat: float = 0.0

    @property
    def slack(self) -> float:
        """How much earlier than its turn a call may leave, because of the burst."""
        return (self.burst - 1) * SECOND / self.per_second

    def ready(self, now: int) -> int:
        """The first moment from `now` at which a call may leave."""
        return int(max(now, self.tat - self.slack))

    def leave(self, at: int) -> None:
        """A call leaves then."""
        self.tat = max(self.tat, at) + SECOND / self.per_second


@dataclass(slots=True)
class Departure:
    """Waiting for slots; times in ledger time.

    `wait` sleeps until a moment (not at all if it is past) and says whether to give up. `reserve` takes another slot
    that is at least so many microseconds ahead, and returns it.
    """

    spacing: Spacing
    now: Callable[[], int]
    wait: Callable[[int], Awaitable[bool]]
    reserve: Callable[[int], Awaitable[int]]

    async def leave(self, slot: int) -> bool:
        """True in the moment in which the call must be sent; False if it must not be sent now."""
        for number in range(TRIES + 1):
            if await self.wait(slot):
                return False
            late = LATE_US if number < TRIES else LAST_LATE_US
            at = self.spacing.ready(self.now())
            if at - slot < late + self.spacing.slack:
                self.spacing.leave(at)
                if await self.wait(at):
                    return False
                if self.now() - slot < late + self.spacing.slack:
                    return True
            if number < TRIES:
                slot = await self.reserve(LEAD_US << number)
        return False
