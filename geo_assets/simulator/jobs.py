"""Background jobs: accepted at once, done after their time, cancelled on request, alive across restarts."""

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from geo_assets.simulator.dialects.base import Asked, Ids, JobStatus
from geo_assets.simulator.faults import FaultKind

_QUEUED_SHARE = 0.25


@dataclass(slots=True)
class Job:
    """An accepted question that can be fetched by its id. Times in seconds since 1970.

    `effect` is the fault that shapes the answer itself: job_failed, search_skipped or content_filter.
    """

    platform: str
    asked: Asked
    ids: Ids
    seed: str
    day: str
    accepted_at: float
    seconds: float
    effect: str | None = None
    cancelled: bool = False

    def status(self, now: float) -> JobStatus:
        """What the platform says of it now."""
        if self.cancelled:
            return "cancelled"
        age = now - self.accepted_at
        if age < self.seconds * _QUEUED_SHARE:
            return "queued"
        if age < self.seconds:
            return "in_progress"
        return "failed" if self.effect == FaultKind.JOB_FAILED else "completed"

    def cancel(self, now: float) -> None:
        """Cancel it if it is not over; what is over stays as it is."""
        if self.status(now) in {"queued", "in_progress"}:
            self.cancelled = True

    def row(self) -> Mapping[str, Any]:
        """What the call log keeps of it."""
        return {
            "body": self.asked.body,
            "protocol": self.asked.protocol,
            "token": self.ids.token,
            "created": self.ids.created,
            "seed": self.seed,
            "seconds": self.seconds,
            "effect": self.effect,
        }


class JobStore:
    """Jobs by (platform, upstream id). Of finished blocking answers only the last ones are kept."""

    def __init__(self, keep_finished: int = 2000) -> None:
        self._background: dict[tuple[str, str], Job] = {}
        self._finished: OrderedDict[tuple[str, str], Job] = OrderedDict()
        self._keep = keep_finished

    def add(self, upstream_id: str, job: Job) -> None:
        """Keep a job for later fetching."""
        if job.asked.background:
            self._background[job.platform, upstream_id] = job
            return
        self._finished[job.platform, upstream_id] = job
        while len(self._finished) > self._keep:
            self._finished.popitem(last=False)

    def find(self, platform: str, upstream_id: str) -> Job | None:
        """The job, None where there is none of that id."""
        key = platform, upstream_id
        return self._background.get(key) or self._finished.get(key)

    def delete(self, platform: str, upstream_id: str) -> bool:
        """Forget a job; False where there was none."""
        key = platform, upstream_id
        return bool(self._background.pop(key, None) or self._finished.pop(key, None))

    def clear(self) -> None:
        """Forget all jobs."""
        self._background.clear()
        self._finished.clear()
