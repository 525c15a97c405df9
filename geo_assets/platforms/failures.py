"""From a status and a body to an error class. The code in the body is read before the status.

What belongs here: the shapes in which errors come and the rules that hold everywhere. What does not: the codes of one
platform, which stand as an `ErrorTable` in its dialect (the same word means opposite things on two platforms).
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from geo_assets.model.answers import HttpResponse, Rejected, Usage
from geo_assets.model.errors import ErrorClass
from geo_assets.platforms.waits import wait_seconds
from geo_assets.platforms.wire import Body, BodyKind, label, mapping, one_line, text

_BY_STATUS: Mapping[int, ErrorClass] = {
    401: ErrorClass.AUTH,
    402: ErrorClass.QUOTA_EXHAUSTED,
    403: ErrorClass.PERMISSION,
    407: ErrorClass.AUTH,
    408: ErrorClass.SERVER_ERROR,  # the server stopped waiting for our request: it did not run
    425: ErrorClass.SERVER_ERROR,
    429: ErrorClass.RATE_LIMITED,
    451: ErrorClass.CONTENT_FILTERED,
    503: ErrorClass.OVERLOADED,
    529: ErrorClass.OVERLOADED,
}
_WAITS = frozenset({ErrorClass.RATE_LIMITED, ErrorClass.OVERLOADED, ErrorClass.SERVER_ERROR, ErrorClass.POLL_FAILED})
_SECRET = re.compile(r"\b(sk-|ak-|Bearer\s+|bce-v3/)[\w./=+-]{12,}")
_STATUS_CODE = re.compile(r"[45]\d\d")


@dataclass(frozen=True, slots=True)
class ApiError:
    """An error as a body states it. `kind` is its `type`; codes that come as numbers are text here."""

    code: str | None
    kind: str | None
    message: str


@dataclass(frozen=True, slots=True)
class ErrorTable:
    """One platform's codes. A dotted code also stands for its sub-codes (`Throttling` for `Throttling.BurstRate`).

    `messages` sharpen what would be an invalid request by its code, where the code does not tell. `unknown_429` is the
    class of a 429 whose code is not in the table.
    """

    codes: Mapping[str, ErrorClass]
    messages: tuple[tuple[re.Pattern[str], ErrorClass], ...] = ()
    unknown_429: ErrorClass = ErrorClass.RATE_LIMITED

    def classify(self, status: int, error: ApiError | None) -> ErrorClass:
        """The class of an error that came with this HTTP status."""
        found = self._by_code(error, status) or by_status(status)
        if error and found is ErrorClass.INVALID_REQUEST:
            return next((kind for pattern, kind in self.messages if pattern.search(error.message)), found)
        return found

    def _by_code(self, error: ApiError | None, status: int) -> ErrorClass | None:
        if error is None:
            return None
        for name in (error.code, error.kind):
            parts = name.split(".") if name else []
            for end in range(len(parts), 0, -1):
                if found := self.codes.get(".".join(parts[:end])):
                    return found
        if status == 429 and (error.code or error.kind):
            return self.unknown_429
        # Servers that put the HTTP status into `code` also do so in streams, where the real status is 200.
        if status < 400 and error.code and _STATUS_CODE.fullmatch(error.code):
            return by_status(int(error.code))
        return None


def by_status(status: int) -> ErrorClass:
    """The class of a status without a known code. A 3xx is a wrong base URL; an error under 2xx, a failed job."""
    if status in _BY_STATUS:
        return _BY_STATUS[status]
    if status >= 500:
        return ErrorClass.SERVER_ERROR
    return ErrorClass.INVALID_REQUEST if status >= 300 else ErrorClass.UPSTREAM_FAILED


def find_error(value: Any) -> ApiError | None:
    """The error in a JSON body: `{"error": {…}}`, `{"error": "text"}`, flat `{"code", "message"}`, `{"detail": …}`."""
    body = mapping(value)
    nested = body.get("error")
    if isinstance(nested, str) and nested.strip():
        return ApiError(label(body.get("code")), None, one_line(nested))
    if isinstance(nested, dict) and nested:
        return _api_error(nested)
    flat = body.get("object") == "error" or ("message" in body and ("code" in body or "type" in body))
    if flat and not {"choices", "output", "status"} & body.keys():
        return _api_error(body)
    if body.get("detail"):
        return ApiError(None, None, one_line(text(body["detail"]) or repr(body["detail"])[:1000]))
    return None


def _api_error(fields: Mapping[str, Any]) -> ApiError:
    # Some gateways quote the key that they refuse.
    message = _SECRET.sub(r"\1…", text(fields.get("message")))
    return ApiError(label(fields.get("code")), label(fields.get("type")), one_line(message))


def rejected(
    response: HttpResponse,
    value: Any,
    error: ApiError | None,
    table: ErrorTable,
    *,
    accepted: bool = False,
    usage: Usage | None = None,
) -> Rejected:
    """The reply for an error in a JSON body (or in one frame of a stream, with that frame's status)."""
    kind = table.classify(response.status, error)
    code = (error.code or error.kind) if error else None
    if error and error.kind and code and _STATUS_CODE.fullmatch(code):
        code = error.kind  # the status once more says nothing
    message = (error.message if error else "") or f"HTTP {response.status}"
    return Rejected(
        kind,
        code,
        message,
        retry_after=wait_seconds(response.headers, value) if kind in _WAITS else None,
        usage=usage,
        accepted=accepted,
    )


def unusable(response: HttpResponse, body: Body) -> Rejected:
    """The reply for a body that is no JSON: by status where that is an error, else kept as unreadable."""
    status = response.status
    if 300 <= status < 400:
        target = one_line(response.headers.get("location", "")).partition("?")[0]
        return Rejected(
            ErrorClass.INVALID_REQUEST, "redirect", f"HTTP {status} to {target or 'nowhere'}; check base_url"
        )
    if status < 400:
        return Rejected(ErrorClass.UNREADABLE, body.kind.value, body.excerpt)
    kind = by_status(status)
    if status >= 500 and body.kind in {BodyKind.ERROR_PAGE, BodyKind.LOGIN_PAGE}:
        kind = ErrorClass.SERVER_ERROR  # a gateway's page; the platform itself says "overloaded" in JSON
    wait = wait_seconds(response.headers, {"message": body.excerpt}) if kind in _WAITS else None
    return Rejected(kind, body.kind.value, f"HTTP {status}: {body.excerpt}", retry_after=wait)


def unreadable(code: str, message: str, usage: Usage | None = None) -> Rejected:
    """The reply for a body that parses and is not what the platform documents: kept for review, never asked again.

    Stated tokens prove that the platform ran the job, whatever became of its answer.
    """
    ran = usage is not None and usage.output_tokens is not None
    return Rejected(ErrorClass.UNREADABLE, code, message, usage=usage, accepted=ran)
