"""Leaving on time, on a clock that tests move: whatever stalls, a strict platform sees no burst."""

import asyncio
import heapq
import itertools
import random
from dataclasses import dataclass, field

import pytest

from geo_assets.collection.spacing import LAST_LATE_US, LATE_US, SECOND, TRIES, Departure, Spacing
from geo_assets.ledger import pace
from geo_assets.ledger.pace import LEAD_US, LaneLimit
from geo_assets.simulator.limiter import TrueLimit


@dataclass
class World:
    """A clock in microseconds that jumps to whoever is to wake next, and wakes it late by what `stall` says."""

    stall: random.Random
    now: int = 1_000_000_000
    sleepers: list[tuple[int, int, "asyncio.Future[None]"]] = field(default_factory=list)
    numbers: "itertools.count[int]" = field(default_factory=itertools.count)

    async def until(self, moment: int) -> bool:
        if moment <= self.now:
            return False
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        late = self.stall.choice([0] * 20 + [2_000] * 5 + [30_000, 120_000, 700_000])
        heapq.heappush(self.sleepers, (max(moment, self.now) + late, next(self.numbers), future))
        await future
        return False

    async def run(self, *works: "asyncio.Task[None]") -> None:
        while not all(work.done() for work in works):
            for _ in range(20):
                await asyncio.sleep(0)
            if self.sleepers:
                self.now, _, future = heapq.heappop(self.sleepers)
                future.set_result(None)
        await asyncio.gather(*works)


@pytest.mark.parametrize("seed", range(5))
async def test_four_processes_that_stall_never_break_a_strict_limit(seed: int) -> None:
    world = World(random.Random(seed))
    limit = LaneLimit(20.0, 1, 40)
    row = {"rate": 20.0, "tat": world.now}
    platform = TrueLimit(20.0, clock=lambda: world.now / SECOND)
    arrivals: list[tuple[int, float]] = []

    def take(lead: int) -> int:
        at = pace.next_slot(row, limit, world.now, lead)
        pace.take(row, world.now, 1, lead)
        return at

    async def reserve(lead: int) -> int:
        slot = take(lead)
        await world.until(world.now + 3_000)  # the ledger's commit
        return slot

    async def process() -> None:
        spacing = Spacing(20.0, 1)
        departure = Departure(spacing, lambda: world.now, world.until, reserve)

        async def call(slot: int) -> None:
            if await departure.leave(slot):
                arrivals.append((world.now, platform.wait()))

        for _ in range(50):
            slots = [await reserve(LEAD_US) for _ in range(3)]
            await asyncio.gather(*(call(slot) for slot in slots))

    await world.run(*(asyncio.create_task(process()) for _ in range(4)))
    assert [at for at, early in arrivals if early > 0] == []
    assert len(arrivals) > 500, "hardly any call is given back"


async def leave(
    slot: int, now: int, *, burst: int = 1, reserved: list[int] | None = None
) -> tuple[bool, int, list[int]]:
    """Leave at a slot, seen by a clock that stands; returns whether, when, and the leads of slots reserved instead."""
    clock, leads, later = [now], [], list(reserved or [])

    async def wait(moment: int) -> bool:
        clock[0] = max(clock[0], moment)
        return False

    async def reserve(lead: int) -> int:
        leads.append(lead)
        return later.pop(0)

    went = await Departure(Spacing(20.0, burst), lambda: clock[0], wait, reserve).leave(slot)
    return went, clock[0], leads


async def test_a_slot_in_time_is_used_and_a_missed_one_is_not() -> None:
    assert await leave(1_000_000, 400_000) == (True, 1_000_000, [])
    assert await leave(1_000_000, 1_000_000 + LATE_US - 1) == (True, 1_000_000 + LATE_US - 1, [])
    missed = await leave(1_000_000, 1_000_000 + LATE_US, reserved=[1_200_000])
    assert missed == (True, 1_200_000, [LEAD_US])


async def test_a_call_that_misses_every_slot_is_given_back() -> None:
    went, _, leads = await leave(0, 9_000_000, reserved=[1, 2, 3, 4])
    assert (went, leads) == (False, [LEAD_US, 2 * LEAD_US, 4 * LEAD_US, 8 * LEAD_US])


async def test_a_burst_forgives_lateness_as_the_platform_does() -> None:
    assert (await leave(1_000_000, 1_080_000, burst=2))[0::2] == (True, [])


def test_calls_that_are_late_together_leave_one_by_one() -> None:
    def times(spacing: Spacing, count: int) -> list[int]:
        found = []
        for _ in range(count):
            found.append(spacing.ready(5_000_000))
            spacing.leave(found[-1])
        return found

    assert times(Spacing(10.0, 1), 3) == [5_000_000, 5_100_000, 5_200_000]
    assert times(Spacing(10.0, 3), 5) == [5_000_000, 5_000_000, 5_000_000, 5_100_000, 5_200_000]
    quiet = Spacing(10.0, 1)
    quiet.leave(5_000_000)
    assert quiet.ready(9_000_000) == 9_000_000


async def departure(lag: int, slots: list[int]) -> tuple[bool, list[int]]:
    """Leave on a machine that wakes late by `lag` each time; whether the call may be sent, and the leads asked for."""
    clock, leads = [0], list[int]()

    async def wait(moment: int) -> bool:
        if moment > clock[0]:
            clock[0] = moment + lag
        return False

    async def reserve(lead: int) -> int:
        leads.append(lead)
        slots.append(clock[0] + lead)
        return slots[-1]

    spacing = Spacing(20.0, 1)
    return await Departure(spacing, lambda: clock[0], wait, reserve).leave(slots[0]), leads


async def test_a_call_that_is_in_time_asks_for_no_other_slot() -> None:
    assert await departure(LATE_US - 1, [100_000]) == (True, [])


async def test_a_machine_that_keeps_no_slot_gets_on_with_the_last_one() -> None:
    assert await departure(300_000, [100_000]) == (True, [LEAD_US << n for n in range(TRIES)])


async def test_a_machine_that_is_late_beyond_measure_gives_the_call_back() -> None:
    sent, leads = await departure(LAST_LATE_US, [100_000])
    assert (sent, len(leads)) == (False, TRIES)
