"""Retrying steps for faults of our own surroundings (disk, database), not for what platforms do.

`RetryPolicy` treats Terminate like any other failure and starts the step again. Short steps may; the step that asks
must end when it is told to, so it asks for its retries itself.
"""

from collections.abc import Iterator
from contextlib import contextmanager

import dagster as dg

MAX_RETRIES = 2
FIRST_WAIT = 5.0

STEP_RETRY = dg.RetryPolicy(
    max_retries=MAX_RETRIES, delay=FIRST_WAIT, backoff=dg.Backoff.EXPONENTIAL, jitter=dg.Jitter.PLUS_MINUS
)
"""For steps of seconds."""


@contextmanager
def retried_unless_terminated(context: dg.AssetExecutionContext) -> Iterator[None]:
    """Retry on any error of the block but an interrupt or a `Failure`, on the same schedule as `STEP_RETRY`."""
    try:
        yield
    except (dg.DagsterExecutionInterruptedError, dg.Failure):
        raise
    except Exception as error:
        wait = FIRST_WAIT * (2 ** (context.retry_number + 1) - 1)
        raise dg.RetryRequested(max_retries=MAX_RETRIES, seconds_to_wait=wait) from error
