"""The evidence store: content-addressed entities, and the sidecars that carry an exchange until the ledger has it.

An entity's name is the sha256 of its bytes. A sidecar is written after its entities and before the ledger settles:
whoever finds one after a crash can finish the settlement without asking again. What belongs here: putting and reading.
What does not: deciding what an entity says.
"""

import base64
import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from geo_assets.evidence.files import open_files
from geo_assets.model.answers import HttpRequest
from geo_assets.model.text import canonical_json

_HEX = frozenset("0123456789abcdef")


class EvidenceMissing(LookupError):  # noqa: N818 - says what is the case
    """The store has no entity of this digest."""


class EvidenceCorrupt(RuntimeError):  # noqa: N818 - says what is the case
    """An entity's bytes are not those that its name promises, or a sidecar cannot be read."""


@dataclass(frozen=True, slots=True)
class Sidecar:
    """What is known of one exchange beside its bodies. Times in microseconds since 1970 UTC; no secret anywhere.

    `status` and `response_digest` are None where no response came; `error` then names what happened.
    """

    attempt_id: str
    sample_id: str
    date: str
    platform: str
    leg: int
    kind: str
    fencing_token: int
    request_digest: str
    sent_at: int
    received_at: int
    response_digest: str | None = None
    response_bytes: int | None = None
    status: int | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    error: str | None = None
    simulated: bool = False

    @property
    def name(self) -> str:
        """File name: attempt and leg."""
        return f"{self.attempt_id}.{self.leg:03d}.json"


class EvidenceStore:
    """Entities below `root`: a local folder or an fsspec URL (`s3://bucket/prefix`). Safe to use from threads."""

    def __init__(self, root: str | Path, storage_options: dict[str, Any] | None = None) -> None:
        self._files = open_files(root, storage_options)

    def put(self, data: bytes) -> str:
        """Store an entity durably and return its digest (sha256, hex). Putting it again changes nothing."""
        digest = digest_of(data)
        self._files.create(_entity_path(digest), data)
        return digest

    def read(self, digest: str) -> bytes:
        """The entity's bytes, verified.

        Raises:
            EvidenceMissing: there is none.
            EvidenceCorrupt: the bytes are not those of the digest.
            ValueError: `digest` is not a sha256 in hex.
        """
        path = _entity_path(digest)
        try:
            data = self._files.read(path)
        except FileNotFoundError:
            raise EvidenceMissing(f"no evidence {digest} in the store (looked for {path})") from None
        found = hashlib.sha256(data).hexdigest()
        if found != digest:
            raise EvidenceCorrupt(f"evidence {path} has the digest {found}: its {len(data)} bytes were changed")
        return data

    def exists(self, digest: str) -> bool:
        """Whether the entity is there (not whether its bytes are right; `read` says that)."""
        return self._files.exists(_entity_path(digest))

    def put_exchanges(self, exchanges: Sequence[tuple[Sidecar, Sequence[bytes]]]) -> None:
        """Write several exchanges durably at once: the entities of each, then its sidecar."""
        files = []
        for sidecar, entities in exchanges:
            files += [(_entity_path(digest_of(data)), data) for data in entities]
            content = canonical_json(asdict(sidecar)).encode()
            files.append((f"{_pending(sidecar.date, sidecar.platform)}/{sidecar.name}", content))
        self._files.create_all(files)

    def pending_sidecars(self, date: str, platform: str) -> Iterator[Sidecar]:
        """Sidecars that no settlement has finished yet, ordered by attempt and leg.

        Raises:
            EvidenceCorrupt: one of them cannot be read.
        """
        for path in self._files.list(_pending(date, platform)):
            try:
                content = self._files.read(path)
            except FileNotFoundError:
                continue  # another process finished it meanwhile
            try:
                yield Sidecar(**json.loads(content))
            except (ValueError, TypeError) as error:
                raise EvidenceCorrupt(f"sidecar {path} cannot be read ({error}); move it away to go on") from error

    def finish_sidecar(self, sidecar: Sidecar) -> None:
        """The ledger has it: the sidecar is not needed any more."""
        self._files.delete(f"{_pending(sidecar.date, sidecar.platform)}/{sidecar.name}")


def digest_of(data: bytes) -> str:
    """The name of an entity: sha256 in hex."""
    return hashlib.sha256(data).hexdigest()


def _entity_path(digest: str) -> str:
    if len(digest) != 64 or not _HEX.issuperset(digest):
        raise ValueError(f"{digest!r} is not a sha256 digest (64 hex digits)")
    return f"sha256/{digest[:2]}/{digest}"


def _pending(date: str, platform: str) -> str:
    return f"pending/{date}/{platform}"


def request_entity(request: HttpRequest) -> bytes:
    """A request as evidence: canonical JSON of method, URL, headers and body. The key's place-holder stays in it."""
    try:
        body: dict[str, str] = {"body": request.body.decode("utf-8")}
    except UnicodeDecodeError:
        body = {"body_base64": base64.b64encode(request.body).decode("ascii")}
    headers = {name.lower(): value for name, value in request.headers.items()}
    return canonical_json({"method": request.method, "url": request.url, "headers": headers, **body}).encode()


def request_from_entity(entity: bytes) -> HttpRequest:
    """The request back from its evidence."""
    content = json.loads(entity)
    body = content["body"].encode() if "body" in content else base64.b64decode(content["body_base64"])
    return HttpRequest(content["method"], content["url"], content["headers"], body)
