"""What dialects share: defaults for what most platforms lack, request building, and the order of reading a response."""

import json
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any

from geo_assets.model.answers import Ask, Exchange, HttpRequest, HttpResponse, Reply
from geo_assets.platforms.connector import Capabilities
from geo_assets.platforms.failures import ApiError, ErrorTable, find_error, rejected, unreadable, unusable
from geo_assets.platforms.options import Options
from geo_assets.platforms.sse import Event
from geo_assets.platforms.wire import BodyKind, open_body, parse_json


class Dialect(ABC):
    """A connector that completes in `submit`. Dialects with jobs override `poll` and `cancel`."""

    dialect: str
    version: str
    errors: ErrorTable
    options_type: type[Options]

    @abstractmethod
    def capabilities(self, options: Mapping[str, Any]) -> Capabilities:
        """See `Connector.capabilities`."""

    def check_options(self, model: str, search: bool, options: Mapping[str, Any]) -> list[tuple[str, str]]:
        """Problems of a platform's options as (field, remedy) pairs; empty when all is well."""
        problems = self.options_type.problems(options)
        return problems or list(self._check(model, search, options))

    def _check(self, model: str, search: bool, options: Mapping[str, Any]) -> Sequence[tuple[str, str]]:
        """Problems between options that are each well-formed."""
        del model, search, options
        return ()

    @abstractmethod
    def submit(self, ask: Ask) -> HttpRequest:
        """See `Connector.submit`."""

    def poll(self, ask: Ask, upstream_id: str) -> HttpRequest:
        """Raise: the platform answers in `submit`."""
        raise NotImplementedError(f"{self.dialect} has no jobs to poll ({ask.platform}, {upstream_id})")

    def fetch_evidence(self, ask: Ask, upstream_id: str) -> HttpRequest | None:
        """None: an API has no page to show."""
        del ask, upstream_id
        return None

    def cancel(self, ask: Ask, upstream_id: str) -> HttpRequest:
        """Raise: the platform has nothing to cancel."""
        raise NotImplementedError(f"{self.dialect} cannot cancel ({ask.platform}, {upstream_id})")

    def lookup(self, ask: Ask) -> HttpRequest | None:
        """None: the platform finds nothing by our own id."""
        del ask
        return None

    def read(self, ask: Ask, exchanges: Sequence[Exchange]) -> Reply:
        """What the last exchange says. Never raises on a platform's bytes."""
        return self._read(ask, exchanges[-1].response)

    def _read(self, ask: Ask, response: HttpResponse) -> Reply:
        body = open_body(response)
        if body.kind is BodyKind.JSON:
            error = self._error_in(body.value)
            if error or response.status >= 300:
                return rejected(response, body.value, error, self._errors(ask))
            return self._read_answer(ask, response, body.value, body.warnings)
        if body.kind is BodyKind.EVENTS and response.status < 300:
            return self._read_events(ask, response, body.events, body.warnings)
        for frame in (parse_json(event.data) for event in body.events):
            if error := find_error(frame):
                return rejected(response, frame, error, self._errors(ask))
        return unusable(response, body)

    def _errors(self, ask: Ask) -> ErrorTable:
        """The platform's codes; a dialect that many servers speak lets the configuration correct them."""
        del ask
        return self.errors

    def _error_in(self, value: Any) -> ApiError | None:
        """The error that makes a JSON body no answer; dialects with job objects look into those themselves."""
        return find_error(value)

    @abstractmethod
    def _read_answer(self, ask: Ask, response: HttpResponse, value: Any, warnings: Sequence[str]) -> Reply:
        """Read a JSON body that is no error."""

    def _read_events(self, ask: Ask, response: HttpResponse, events: Sequence[Event], warnings: Sequence[str]) -> Reply:
        """Read an event stream that came with a good status."""
        del ask, response, warnings
        return unreadable("unexpected_stream", f"an event stream of {len(events)} events where JSON was asked for")


def json_post(ask: Ask, path: str, body: Mapping[str, Any], **headers: str) -> HttpRequest:
    """POST `body` as JSON below the platform's base URL, with the key's placeholder and our attempt id for tracing."""
    return HttpRequest(
        "POST",
        url(ask, path),
        headers={
            "Authorization": "Bearer {key}",
            "Content-Type": "application/json",
            "X-Client-Request-Id": ask.attempt_id,
            **{name.replace("_", "-"): value for name, value in headers.items()},
        },
        body=json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode(),
    )


def url(ask: Ask, path: str) -> str:
    """`path` below the base URL, which may or may not end in a slash."""
    return ask.base_url.rstrip("/") + path


def without_none(**fields: Any) -> dict[str, Any]:
    """The fields that are set: None means "do not send", so that the platform's own default holds."""
    return {name: value for name, value in fields.items() if value is not None}
