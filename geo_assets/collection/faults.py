"""Named points at which a test kills the worker: between any two steps that a crash may come between.

`GEO_FAULT=after_send:3` kills the process at the third time it comes there. Nothing here runs unless that is set.
"""

import os
import signal
from collections.abc import Mapping

POINTS = ("after_claim", "after_send", "after_store", "in_settle", "after_settle")


class FaultPoints:
    """Counts how often each point is passed, and kills at the chosen one."""

    def __init__(self, setting: str | None = None) -> None:
        name, _, count = (setting or "").partition(":")
        if name and name not in POINTS:
            raise ValueError(f"GEO_FAULT={setting!r}: use one of {', '.join(POINTS)}, with :N for the N-th time")
        self._name = name
        self._left = int(count or 1)

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> "FaultPoints":
        """Read `GEO_FAULT`."""
        return cls(environment.get("GEO_FAULT"))

    def reach(self, point: str) -> None:
        """The worker is at `point`."""
        if point != self._name:
            return
        self._left -= 1
        if self._left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
