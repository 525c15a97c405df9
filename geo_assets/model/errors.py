"""What can go wrong with one call, and what each kind gets.

Connectors turn a platform's status and body into an `ErrorClass`; the engine looks it up in `POLICIES`. A code in the
body is read before the status: one platform's 429 is a rate limit, another's is an unpaid bill.
"""

from dataclasses import dataclass
from enum import StrEnum


class ErrorClass(StrEnum):
    """Why an attempt did not bring an answer."""

    INVALID_REQUEST = "invalid_request"
    CONTEXT_LENGTH = "context_length"
    AUTH = "auth"
    PERMISSION = "permission"
    QUOTA_EXHAUSTED = "quota_exhausted"
    RATE_LIMITED = "rate_limited"
    OVERLOADED = "overloaded"
    SERVER_ERROR = "server_error"
    TIMEOUT = "timeout"
    DISCONNECT = "disconnect"
    CONNECT_ERROR = "connect_error"
    POLL_FAILED = "poll_failed"
    UPSTREAM_FAILED = "upstream_failed"
    UNREADABLE = "unreadable"
    CONTENT_FILTERED = "content_filtered"
    REFUSED = "refused"


class Retry(StrEnum):
    """The kind of wait before a sample is due again."""

    NEVER = "never"
    RETRY_AFTER = "retry_after"  # the platform's own wait, else back-off; burns no server-error retry
    BACKOFF = "backoff"  # exponential with full jitter
    UNKNOWN_ACCEPTANCE = "unknown_acceptance"  # the policy for uncertain samples decides
    POLL_ON = "poll_on"  # keep the upstream id and poll again


@dataclass(frozen=True, slots=True)
class ErrorPolicy:
    """What the engine does with an error class.

    `per_pass`: tries of this class in one pass before the sample rests until the next pass. `stops_account`: no further
    call goes out on the account until a person acts. `observation`: the response is a result, not a failure.
    """

    retry: Retry
    per_pass: int = 0
    stops_account: bool = False
    observation: bool = False
    counts_for_breaker: bool = False
    counts_as_throttled: bool = False


POLICIES: dict[ErrorClass, ErrorPolicy] = {
    ErrorClass.INVALID_REQUEST: ErrorPolicy(Retry.NEVER),
    ErrorClass.CONTEXT_LENGTH: ErrorPolicy(Retry.NEVER),
    ErrorClass.AUTH: ErrorPolicy(Retry.NEVER, stops_account=True),
    ErrorClass.PERMISSION: ErrorPolicy(Retry.NEVER),
    ErrorClass.QUOTA_EXHAUSTED: ErrorPolicy(Retry.NEVER, stops_account=True),
    ErrorClass.RATE_LIMITED: ErrorPolicy(Retry.RETRY_AFTER, counts_as_throttled=True),
    ErrorClass.OVERLOADED: ErrorPolicy(Retry.BACKOFF, per_pass=3, counts_for_breaker=True, counts_as_throttled=True),
    ErrorClass.SERVER_ERROR: ErrorPolicy(Retry.BACKOFF, per_pass=3, counts_for_breaker=True),
    ErrorClass.TIMEOUT: ErrorPolicy(Retry.UNKNOWN_ACCEPTANCE, per_pass=2, counts_for_breaker=True),
    ErrorClass.DISCONNECT: ErrorPolicy(Retry.UNKNOWN_ACCEPTANCE, per_pass=2, counts_for_breaker=True),
    ErrorClass.CONNECT_ERROR: ErrorPolicy(Retry.BACKOFF, per_pass=3, counts_for_breaker=True),
    ErrorClass.POLL_FAILED: ErrorPolicy(Retry.POLL_ON),
    ErrorClass.UPSTREAM_FAILED: ErrorPolicy(Retry.BACKOFF, per_pass=2, counts_for_breaker=True),
    ErrorClass.UNREADABLE: ErrorPolicy(Retry.NEVER, observation=True),
    ErrorClass.CONTENT_FILTERED: ErrorPolicy(Retry.NEVER, observation=True),
    ErrorClass.REFUSED: ErrorPolicy(Retry.NEVER, observation=True),
}
"""The error table. Every class has a row; a test holds it complete."""
