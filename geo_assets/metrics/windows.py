"""Windows of days and the sums in them: which days, how much of the plan was counted, and who is incomplete."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date as calendar_date
from datetime import timedelta

from geo_assets.metrics.tally import Tally

WINDOWS: Mapping[str, int] = {"date": 1, "7d": 7, "28d": 28}
"""Windows and their days; each ends on the day itself."""
COMPLETE = 0.8
"""Share of planned samples that a platform must have counted to take part in a number over all platforms."""


@dataclass(slots=True)
class Window:
    """One platform in one window: the sum of its days, and per day (plan in force, counted).

    The tally of a first day is taken as it is, so that windows of one day share it; it is not changed.
    """

    counts: Tally = field(default_factory=Tally)
    days: dict[str, tuple[int, int]] = field(default_factory=dict)
    _own: bool = field(default=False, repr=False)  # whether `counts` is this window's to change

    def add(self, day: str, counts: Tally) -> None:
        """Add the sums of a day."""
        if not self.days:
            self.counts = counts
        else:
            if not self._own:
                shared, self.counts, self._own = self.counts, Tally(), True
                self.counts.add(shared)
            self.counts.add(counts)
        planned, counted = self.days.get(day, (0, 0))
        self.days[day] = (planned + counts.in_force, counted + counts.counted)

    @property
    def answered_days(self) -> int:
        """Days with at least one counted answer."""
        return sum(1 for _, counted in self.days.values() if counted)


def window_dates(date: str, days: int) -> list[str]:
    """The `days` dates that end on `date` (YYYY-MM-DD), oldest first."""
    last = calendar_date.fromisoformat(date)
    return [(last - timedelta(days=n)).isoformat() for n in range(days - 1, -1, -1)]


def incomplete_platforms(windows: Mapping[str, Window]) -> list[str]:
    """Platforms that counted less than 80 % of their plan in a window.

    A platform without a plan on a day on which another had one is measured against its own largest day, so that an
    outage of the planner on one platform does not pass for a complete week.
    """
    busy = {d for w in windows.values() for d, (planned, _) in w.days.items() if planned}
    result = []
    for platform, window in windows.items():
        usual = max((planned for planned, _ in window.days.values()), default=0) or 1
        expected = sum(window.days.get(d, (0, 0))[0] or usual for d in busy)
        counted = sum(n for _, n in window.days.values())
        if not busy or counted < COMPLETE * expected:
            result.append(platform)
    return sorted(result)
