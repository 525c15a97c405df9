"""What every dialect offers: capabilities, and pure functions from asks to requests and from exchanges to replies."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from geo_assets.model.answers import Ask, CitationMode, Exchange, HttpRequest, Reply


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What a dialect can do, so that planning refuses what it cannot.

    `option_names` are the keys allowed under a platform's `options:`. `idempotency_key`: the platform answers a
    repeated key with the first job. `lookup`: a job can be found again by our own request id.
    """

    search: bool
    search_can_be_off: bool
    region: bool
    citation_mode: CitationMode
    background: bool = False
    cancel: bool = False
    idempotency_key: bool = False
    lookup: bool = False
    modes: frozenset[str] = frozenset()
    option_names: frozenset[str] = frozenset()


class Connector(Protocol):
    """One wire format. Stateless; `version` changes when reading the same bytes could give another normal form."""

    dialect: str
    version: str

    def capabilities(self, options: Mapping[str, Any]) -> Capabilities:
        """What the dialect can do under these platform options."""
        ...

    def check_options(self, model: str, search: bool, options: Mapping[str, Any]) -> list[tuple[str, str]]:
        """Problems of a platform's options as (field, remedy) pairs; empty when all is well."""
        ...

    def submit(self, ask: Ask) -> HttpRequest:
        """The request that asks the question."""
        ...

    def poll(self, ask: Ask, upstream_id: str) -> HttpRequest:
        """The request that fetches an accepted job; raises NotImplementedError where `background` is False."""
        ...

    def fetch_evidence(self, ask: Ask, upstream_id: str) -> HttpRequest | None:
        """The request for further evidence of a completed job (HTML, screenshot), None where there is none."""
        ...

    def cancel(self, ask: Ask, upstream_id: str) -> HttpRequest:
        """The request that cancels an accepted job; raises NotImplementedError where `cancel` is False."""
        ...

    def lookup(self, ask: Ask) -> HttpRequest | None:
        """The request that finds a job by our own id, None where the platform has no such thing."""
        ...

    def read(self, ask: Ask, exchanges: Sequence[Exchange]) -> Reply:
        """What the exchanges of one attempt say so far; the last one decides. Never raises on a platform's bytes."""
        ...
