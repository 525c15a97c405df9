"""Counting what one run of the collector does, for its report and its progress."""

from dataclasses import dataclass, field

from geo_assets.collection.recovery import Recovered
from geo_assets.collection.request import Progress
from geo_assets.ledger.settle import Settlement
from geo_assets.model.alerts import Alert
from geo_assets.model.errors import ErrorClass
from geo_assets.model.states import RECEIVED
from geo_assets.model.transitions import Event


@dataclass(slots=True)
class Tally:
    """Counts of one run."""

    calls: int = 0
    answered: int = 0
    failed: int = 0
    retried: int = 0
    throttled: int = 0
    uncertain: int = 0
    given_back: int = 0
    over_budget: int = 0
    recovered: Recovered = field(default_factory=Recovered)
    peak: int = 0
    notes: list[str] = field(default_factory=list)
    alerts: list[Alert] = field(default_factory=list)

    def count(self, settlement: Settlement) -> None:
        """Count one settlement."""
        event, error = settlement.event, settlement.attempt.get("error_class")
        self.calls += len(settlement.exchanges)
        self.answered += settlement.outcome in RECEIVED
        self.failed += event is Event.FAIL
        self.retried += event is Event.RETRY
        self.throttled += error in {ErrorClass.RATE_LIMITED.value, ErrorClass.OVERLOADED.value}
        self.uncertain += event in {Event.LOSE, Event.HOLD}
        self.given_back += event is Event.GIVE_BACK

    def progress(
        self, date: str, platform: str, before: tuple[int, int], *, in_flight: int, elapsed: float
    ) -> Progress:
        """Where the run is. `before`: samples planned and done when it began."""
        planned, done = before
        finished = min(planned, done + self.answered + self.failed + self.over_budget)
        return Progress(
            date=date,
            platform=platform,
            planned=planned,
            done=finished,
            open=planned - finished,
            in_flight=in_flight,
            calls=self.calls,
            answered=self.answered,
            failed=self.failed,
            retried=self.retried,
            throttled=self.throttled,
            elapsed_seconds=elapsed,
            notes=tuple(self.notes),
        )
