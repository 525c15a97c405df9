"""The state machine of a sample: which event may happen in which state, and where it leads. Pure.

What belongs here: the one table that every change of a sample's state goes through. What does not: flags (late,
superseded), due times and counters, which are not states, and the decision *which* event happened (the ledger's).
"""

from dataclasses import dataclass, replace
from enum import StrEnum

from geo_assets.model.states import RECEIVED, Collection, Evidence, Outcome, Submission


class TransitionRefused(ValueError):  # noqa: N818 - a refusal, in the field's words
    """An event arrived in a state that does not allow it. Nothing was changed."""


@dataclass(frozen=True, slots=True)
class State:
    """The stored layers of one sample. Analysis is derived from the reading and not among them."""

    submission: Submission
    collection: Collection
    evidence: Evidence
    outcome: Outcome

    @property
    def is_open(self) -> bool:
        """Queued or running: the sample's day is not final."""
        return self.outcome is Outcome.OPEN

    @property
    def key(self) -> tuple[Submission, Collection]:
        """The part of the state that decides what may happen next."""
        return self.submission, self.collection


class Event(StrEnum):
    """What can happen to a sample."""

    CLAIM = "claim"  # a worker takes it to submit it
    CLAIM_JOB = "claim_job"  # a worker takes an accepted job to poll it
    CLAIM_LOOKUP = "claim_lookup"  # a worker takes an uncertain one to look it up by our own id
    GIVE_BACK = "give_back"  # claimed, never sent
    GIVE_BACK_UNCERTAIN = "give_back_uncertain"  # the same, and an earlier attempt is still uncertain
    ACCEPT = "accept"  # the platform took the job; its id is recorded
    POLL_AGAIN = "poll_again"  # the job runs on, or its status could not be had
    ANSWER = "answer"  # an answer was stored
    ANSWER_PARTLY = "answer_partly"  # an answer was stored, further evidence could not be fetched
    RETRY = "retry"  # no answer, the platform did not execute it (or says it failed); due again
    FAIL = "fail"  # no answer, and it is not asked again
    LOSE = "lose"  # nobody knows whether the platform executed it; due again
    HOLD = "hold"  # nobody knows, and it is not asked again
    LATE_ANSWER = "late_answer"  # an answer of an attempt that was given up for lost
    RULED_OUT = "ruled_out"  # an uncertain attempt turns out not to have been executed
    WITHDRAW = "withdraw"
    CANCEL = "cancel"
    OVER_BUDGET = "over_budget"
    CLOSE = "close"  # the window closed before it was asked
    REOPEN = "reopen"  # a person has a missed sample asked after all, on its capture date
    ASK_AGAIN = "ask_again"  # a person decides an uncertain sample
    GIVE_UP = "give_up"  # a person decides an uncertain sample


_P, _S, _A, _U = Submission.PLANNED, Submission.SUBMITTING, Submission.ACCEPTED, Submission.UNCERTAIN
_Q, _R, _C, _F = Collection.QUEUED, Collection.RUNNING, Collection.COMPLETED, Collection.FAILED

INITIAL = State(_P, _Q, Evidence.PENDING, Outcome.OPEN)

TABLE: dict[tuple[Event, Submission, Collection], tuple[Submission, Collection]] = {
    (Event.CLAIM, _P, _Q): (_S, _R),
    (Event.CLAIM, _U, _Q): (_S, _R),
    (Event.CLAIM_JOB, _A, _Q): (_A, _R),
    (Event.CLAIM_LOOKUP, _U, _Q): (_U, _R),
    (Event.GIVE_BACK, _S, _R): (_P, _Q),
    (Event.GIVE_BACK, _A, _R): (_A, _Q),
    (Event.GIVE_BACK, _U, _R): (_U, _Q),
    (Event.GIVE_BACK_UNCERTAIN, _S, _R): (_U, _Q),
    (Event.ACCEPT, _S, _R): (_A, _Q),
    (Event.ACCEPT, _U, _R): (_A, _Q),
    (Event.ACCEPT, _U, _Q): (_A, _Q),
    (Event.POLL_AGAIN, _A, _R): (_A, _Q),
    (Event.ANSWER, _S, _R): (_A, _C),
    (Event.ANSWER, _A, _R): (_A, _C),
    (Event.ANSWER, _A, _Q): (_A, _C),
    (Event.ANSWER, _U, _R): (_A, _C),
    (Event.RETRY, _S, _R): (_P, _Q),
    (Event.RETRY, _A, _R): (_P, _Q),
    (Event.RETRY, _A, _Q): (_P, _Q),
    (Event.RETRY, _U, _R): (_P, _Q),
    (Event.FAIL, _S, _R): (_P, _F),
    (Event.FAIL, _A, _R): (_A, _F),
    (Event.FAIL, _A, _Q): (_A, _F),
    (Event.FAIL, _U, _R): (_P, _F),
    (Event.FAIL, _P, _Q): (_P, _F),
    (Event.LOSE, _S, _R): (_U, _Q),
    (Event.LOSE, _U, _R): (_U, _Q),
    (Event.HOLD, _S, _R): (_U, _F),
    (Event.HOLD, _U, _R): (_U, _F),
    (Event.HOLD, _U, _Q): (_U, _F),
    (Event.LATE_ANSWER, _U, _Q): (_A, _C),
    (Event.LATE_ANSWER, _U, _F): (_A, _C),
    (Event.RULED_OUT, _U, _Q): (_P, _Q),
    (Event.WITHDRAW, _P, _Q): (_P, _F),
    (Event.CANCEL, _P, _Q): (_P, _F),
    (Event.CANCEL, _S, _R): (_U, _F),
    (Event.CANCEL, _A, _Q): (_A, _F),
    (Event.CANCEL, _A, _R): (_A, _F),
    (Event.CANCEL, _U, _Q): (_U, _F),
    (Event.CANCEL, _U, _R): (_U, _F),
    (Event.OVER_BUDGET, _P, _Q): (_P, _F),
    (Event.CLOSE, _P, _Q): (_P, _F),
    (Event.REOPEN, _P, _F): (_P, _Q),
    (Event.ASK_AGAIN, _U, _F): (_P, _Q),
    (Event.GIVE_UP, _U, _F): (_U, _F),
}
"""(event, submission, collection) → (submission, collection). Whatever is not listed is refused."""

_OUTCOMES: dict[Event, Outcome] = {
    Event.FAIL: Outcome.FAILED,
    Event.HOLD: Outcome.UNCERTAIN,
    Event.WITHDRAW: Outcome.WITHDRAWN,
    Event.CANCEL: Outcome.CANCELLED,
    Event.OVER_BUDGET: Outcome.OVER_BUDGET,
    Event.CLOSE: Outcome.NOT_CAPTURED,
    Event.GIVE_UP: Outcome.FAILED,
}
_ANSWERS = frozenset({Event.ANSWER, Event.ANSWER_PARTLY, Event.LATE_ANSWER})
_FROM: dict[Event, Outcome] = {
    Event.REOPEN: Outcome.NOT_CAPTURED,
    Event.ASK_AGAIN: Outcome.UNCERTAIN,
    Event.GIVE_UP: Outcome.UNCERTAIN,
}
"""Events that leave a terminal outcome, and the only one that they may leave."""


def advance(state: State, event: Event, outcome: Outcome | None = None) -> State:
    """The state after `event`.

    `outcome` names which kind of observation an answer is (a member of `RECEIVED`); other events fix their own outcome.
    Terminal outcomes stay, but for two that say that the end is not known: UNCERTAIN ends with a late answer or a
    person's decision, NOT_CAPTURED with a person's `REOPEN`.

    Raises:
        TransitionRefused: the table has no such transition.
    """
    looked_up = Event.ANSWER if event is Event.ANSWER_PARTLY else event
    target = TABLE.get((looked_up, *state.key))
    leaves = _FROM.get(event)
    if event is Event.LATE_ANSWER and state.outcome is Outcome.UNCERTAIN:
        leaves = Outcome.UNCERTAIN
    expected = leaves or Outcome.OPEN
    if target is None or state.outcome is not expected:
        raise TransitionRefused(f"{event} is not possible for a sample that is {describe(state)}")
    if event in _ANSWERS:
        if outcome not in RECEIVED:
            raise TransitionRefused(f"{event} needs an observation, not {outcome}")
        evidence = Evidence.PARTIAL if event is Event.ANSWER_PARTLY else Evidence.STORED
        return State(*target, evidence, outcome)
    result = State(*target, state.evidence, _OUTCOMES.get(event, Outcome.OPEN))
    if event is Event.ACCEPT:
        return replace(result, evidence=Evidence.PARTIAL)
    if event in {Event.FAIL, Event.GIVE_UP, Event.HOLD}:
        return replace(result, evidence=Evidence.FAILED)
    if event in {Event.RETRY, Event.ASK_AGAIN}:
        return replace(result, evidence=Evidence.PENDING)
    return result


def describe(state: State) -> str:
    """The layers in one line, for messages."""
    return f"{state.submission}/{state.collection}/{state.evidence} ({state.outcome})"


def possible(state: State) -> bool:
    """Whether the layers fit together: what property tests hold of every stored sample."""
    if state.is_open:
        return state.collection in {_Q, _R} and state.key not in {(_P, _R), (_S, _Q)}
    if state.outcome in RECEIVED:
        stored = state.evidence in {Evidence.STORED, Evidence.PARTIAL}
        return state.key == (_A, _C) and stored
    if state.collection is not _F:
        return False
    if state.outcome in {Outcome.WITHDRAWN, Outcome.OVER_BUDGET, Outcome.NOT_CAPTURED}:
        return state.submission is _P
    return state.outcome is not Outcome.UNCERTAIN or state.submission is _U
