"""One sample read again from its stored evidence, for people who look at it."""

from collections.abc import Callable

from geo_assets.ledger import Ledger
from geo_assets.ledger.projections import PlacedExchange
from geo_assets.ledger.queries import SampleHistory
from geo_assets.model.answers import Reply
from geo_assets.platforms.registry import connector
from geo_assets.projection.answers import reparse
from geo_assets.projection.asking import AskBuilder


def read_sample(ledger: Ledger, read: Callable[[str], bytes], history: SampleHistory) -> Reply | None:
    """What the evidence of the accepted attempt (else the last one with evidence) says; None without evidence."""
    sample, p = history.sample, history.sample.planned
    wanted = sample.accepted_attempt
    if wanted is None:
        answered = [x.attempt_id for x in history.exchanges if x.response_digest]
        wanted = answered[-1] if answered else None
    placed = [
        PlacedExchange(p.tenant, p.monitor, x.attempt_id == sample.accepted_attempt, x)
        for x in history.exchanges
        if x.attempt_id == wanted
    ]
    if wanted is None or not placed:
        return None
    plan = {
        "snapshot_hash": sample.snapshot_hash,
        "model_asked": p.model,
        "question_text": p.question_text,
        "language": p.language,
        "search_asked": p.search,
        "region": p.region,
        "device": p.device,
        "mode": p.mode,
    }
    ask, dialect = AskBuilder(ledger.snapshot, connector).ask(plan, p.platform, wanted)
    return reparse(ask, dialect, placed, read, sample.response_digest).reply
