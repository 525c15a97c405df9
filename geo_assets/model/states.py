"""States of a sample: four layers, one terminal outcome, and the flags that are not states.

The outcome values are also the exclusion states of the metrics: one enumeration, so that the ledger's books and the
published denominators cannot drift apart.
"""

from enum import StrEnum


class Submission(StrEnum):
    """Has the platform got the question? `uncertain`: perhaps; the connection or the worker was lost."""

    PLANNED = "planned"
    SUBMITTING = "submitting"
    ACCEPTED = "accepted"
    UNCERTAIN = "uncertain"


class Collection(StrEnum):
    """Is anybody working on it? `completed` and `failed` are terminal."""

    QUEUED = "queued"
    RUNNING = "running"
    COMPLETED = "completed"
    FAILED = "failed"


class Evidence(StrEnum):
    """What of the answer is in the evidence store. Set when an attempt is settled."""

    PENDING = "pending"
    STORED = "stored"
    PARTIAL = "partial"
    FAILED = "failed"


class Analysis(StrEnum):
    """Derived from the reading; the ledger never stores it."""

    PENDING = "pending"
    ACCEPTED = "accepted"
    REVIEW = "review"
    FAILED = "failed"


class Outcome(StrEnum):
    """Exactly one per planned sample; in a partition they sum to the plan. Order = precedence (first match wins)."""

    WITHDRAWN = "withdrawn"  # a later plan dropped it before it was ever submitted
    CANCELLED = "cancelled"  # a person cancelled it
    OVER_BUDGET = "over_budget"  # a budget's cap was reached before it was asked
    NOT_CAPTURED = "not_captured"  # the window closed before it was asked
    OPEN = "open"  # queued or running: the day is not final
    FAILED = "failed"  # asked, and the platform gave no answer (dead letter with a reason)
    UNCERTAIN = "uncertain"  # perhaps executed, never confirmed, and the policy does not ask again
    UNREADABLE = "unreadable"  # a response that does not parse; kept for review
    ERROR_PAGE = "error_page"
    LOGIN_PAGE = "login_page"
    EMPTY = "empty"
    FILTERED = "filtered"  # blocked by the platform's content filter
    REFUSED = "refused"
    TRUNCATED = "truncated"
    OFF_TOPIC = "off_topic"
    UNSEARCHED = "unsearched"  # a search was asked for and did not run
    COUNTED = "counted"  # a usable answer: what denominators count


RECEIVED: frozenset[Outcome] = frozenset(
    {
        Outcome.ERROR_PAGE,
        Outcome.LOGIN_PAGE,
        Outcome.EMPTY,
        Outcome.FILTERED,
        Outcome.REFUSED,
        Outcome.TRUNCATED,
        Outcome.OFF_TOPIC,
        Outcome.UNSEARCHED,
        Outcome.UNREADABLE,
        Outcome.COUNTED,
    }
)
"""Outcomes for which the platform sent something back that stands as an observation."""


class Validity(StrEnum):
    """What kind of text an answer is. Only `ok` counts in denominators."""

    OK = "ok"
    EMPTY = "empty"
    REFUSED = "refused"
    TRUNCATED = "truncated"
    ERROR_PAGE = "error_page"
    LOGIN_PAGE = "login_page"
    OFF_TOPIC = "off_topic"


def reading_outcome(collected: Outcome, validity: Validity | None) -> Outcome:
    """The exclusion state of a sample once its answer has been read.

    `collected` is the ledger's outcome, which knows finish reasons and search state but not the text; `validity` is
    the reading of the text, or None where there is no text. The earlier of the two in the order of `Outcome` wins.
    """
    if validity is None or validity is Validity.OK:
        return collected
    order = list(Outcome)
    return min(collected, Outcome(validity.value), key=order.index)
