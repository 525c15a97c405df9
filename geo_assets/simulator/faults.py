"""Faults on request: which call goes wrong, and how. What the wire then shows is the app's and the dialects' matter.

Two ways to ask for one: a plan (rates, decided by seed, sample and attempt number, so that a run can be repeated) and a
queue (exactly the next matching calls).
"""

from collections import deque
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field

from geo_assets.model.configuration import Slug, Strict
from geo_assets.simulator.draws import unit


class FaultKind(StrEnum):
    """What goes wrong with a call."""

    RATE_LIMITED = "rate_limited"
    SERVER_ERROR = "server_error"
    SLOW = "slow"
    HANG = "hang"
    RESET_BEFORE = "reset_before"  # the connection is reset, the question was not taken
    RESET_AFTER = "reset_after"  # the question was taken, then the connection is reset
    TRUNCATED_BODY = "truncated_body"  # the connection closes in the middle of the body
    UNREADABLE = "unreadable"  # a complete response that is half a JSON document
    HTML_ERROR = "html_error"
    LOGIN_PAGE = "login_page"
    CONTENT_FILTER = "content_filter"
    QUOTA_EXHAUSTED = "quota_exhausted"
    AUTH = "auth"
    DUPLICATE = "duplicate"  # something on the way sends the request twice; both are taken, one is answered
    SEARCH_SKIPPED = "search_skipped"
    JOB_FAILED = "job_failed"  # a background job ends as failed


ACCEPTING: frozenset[FaultKind] = frozenset(
    {
        FaultKind.SLOW,
        FaultKind.HANG,
        FaultKind.RESET_AFTER,
        FaultKind.TRUNCATED_BODY,
        FaultKind.UNREADABLE,
        FaultKind.DUPLICATE,
        FaultKind.SEARCH_SKIPPED,
        FaultKind.JOB_FAILED,
    }
)
"""Faults with which the platform has taken the question all the same."""

LASTING: frozenset[FaultKind] = frozenset(
    {FaultKind.CONTENT_FILTER, FaultKind.QUOTA_EXHAUSTED, FaultKind.AUTH, FaultKind.SEARCH_SKIPPED, FaultKind.SLOW}
)
"""Faults that asking again does not cure, or that are no failure: `max_per_sample` does not count them."""


class Fault(Strict):
    """One fault. `seconds`: the wait asked for, the extra delay, or how long it hangs; `status` for server errors.

    `wait_as`: how a rate limit tells its wait; `native` is what the platform itself does.
    """

    kind: FaultKind
    seconds: Annotated[float, Field(ge=0, le=3600)] = 1.0
    status: Literal[500, 502, 503] = 500
    wait_as: Literal["native", "seconds", "date", "body", "none"] = "native"


class FaultRule(Strict):
    """A fault with its share of calls. No platforms named = all of them. `on` is the kind of call it strikes."""

    fault: Fault
    rate: Annotated[float, Field(ge=0, le=1)]
    platforms: tuple[Slug, ...] = ()
    on: Literal["submit", "poll", "cancel"] = "submit"


class FaultPlan(Strict):
    """Faults by rate. `max_per_sample` bounds how many transient faults one sample can meet; None = no bound."""

    rules: tuple[FaultRule, ...] = ()
    seed: int = 0
    max_per_sample: Annotated[int, Field(ge=0)] | None = 2


def transient_faults(
    share: float,
    *,
    hang_seconds: float = 40.0,
    retry_after: float = 2.0,
    max_per_sample: int | None = None,
    seed: int = 0,
) -> FaultPlan:
    """`share` of all submits failing for a while, in five equal parts: 500, 503, 429 with Retry-After, reset, hang.

    The reset comes after the platform took the question: the case that a client cannot tell from one not taken.
    """
    faults = (
        Fault(kind=FaultKind.SERVER_ERROR, status=500),
        Fault(kind=FaultKind.SERVER_ERROR, status=503),
        Fault(kind=FaultKind.RATE_LIMITED, seconds=retry_after, wait_as="seconds"),
        Fault(kind=FaultKind.RESET_AFTER),
        Fault(kind=FaultKind.HANG, seconds=hang_seconds),
    )
    rules = tuple(FaultRule(fault=fault, rate=share / len(faults)) for fault in faults)
    return FaultPlan(rules=rules, seed=seed, max_per_sample=max_per_sample)


class QueuedFault(Strict):
    """A fault for exactly the next `count` matching calls."""

    fault: Fault
    platform: Slug | None = None
    on: Literal["submit", "poll", "cancel"] = "submit"
    count: Annotated[int, Field(ge=1)] = 1


class FaultInjector:
    """Decides the fault of each call. Queued faults go first, then the plan."""

    def __init__(self, plan: FaultPlan) -> None:
        self.plan = plan
        self._queue: deque[tuple[QueuedFault, int]] = deque()
        self._calls: dict[tuple[str, str, str], int] = {}
        self._met: dict[tuple[str, str], int] = {}

    def enqueue(self, queued: QueuedFault) -> None:
        """Add a fault for the next matching calls."""
        self._queue.append((queued, queued.count))

    def clear(self) -> None:
        """Forget the queue and what samples have met."""
        self._queue.clear()
        self._calls.clear()
        self._met.clear()

    def remember(self, platform: str, on: str, sample: str, kind: str | None) -> None:
        """Take over one call of an earlier life from the log, so that a restart changes no decision."""
        self._calls[platform, on, sample] = self._calls.get((platform, on, sample), 0) + 1
        if kind is not None and kind not in LASTING:
            self._met[platform, sample] = self._met.get((platform, sample), 0) + 1

    def draw(self, platform: str, on: str, sample: str) -> Fault | None:
        """The fault of this call, None for none. `sample` may be any string that names what is asked."""
        if not self._queue and not self.plan.rules:
            return None
        fault = self._queued(platform, on) or self._planned(platform, on, sample)
        self.remember(platform, on, sample, fault.kind if fault else None)
        return fault

    def _queued(self, platform: str, on: str) -> Fault | None:
        for position, (queued, left) in enumerate(self._queue):
            if queued.on == on and queued.platform in {None, platform}:
                if left == 1:
                    del self._queue[position]
                else:
                    self._queue[position] = (queued, left - 1)
                return queued.fault
        return None

    def _planned(self, platform: str, on: str, sample: str) -> Fault | None:
        plan = self.plan
        if not plan.rules:
            return None
        spent = plan.max_per_sample is not None and self._met.get((platform, sample), 0) >= plan.max_per_sample
        number = self._calls.get((platform, on, sample), 0)
        point = unit(plan.seed, platform, on, sample, number)
        for rule in plan.rules:
            if rule.on != on or (rule.platforms and platform not in rule.platforms):
                continue
            if point < rule.rate:
                return None if spent and rule.fault.kind not in LASTING else rule.fault
            point -= rule.rate
        return None
