"""A platform that no real one is yet: it can be asked whether it has a call, honours idempotency keys, wants several
exchanges, and serves a screenshot. Its server counts what it executed.
"""

import json
import threading
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

from geo_assets.model.answers import (
    Ask,
    CitationMode,
    Completed,
    Exchange,
    FinishReason,
    HttpRequest,
    NextLeg,
    NormalAnswer,
    Pending,
    Rejected,
    Reply,
    SearchState,
    Usage,
)
from geo_assets.model.errors import ErrorClass
from geo_assets.platforms.connector import Capabilities


class FakePlatform:
    """Executes questions. `behaviour` takes one word per submit: answer, drop (execute, then hang up), lose (hang up
    without executing), tool (wants another exchange); what is not listed answers.
    """

    def __init__(self, behaviour: Sequence[str] = ()) -> None:
        self.behaviour = list(behaviour)
        self.executed: Counter[str] = Counter()
        self.by_attempt: dict[str, str] = {}
        self.by_key: dict[str, str] = {}
        self.paths: list[str] = []
        self.screenshots = True
        self.lock = threading.Lock()

    def submit(self, body: Mapping[str, Any]) -> dict[str, Any] | None:
        with self.lock:
            if body["key"] in self.by_key:
                return {"text": self.by_key[body["key"]]}
            word = self.behaviour.pop(0) if self.behaviour else "answer"
            if word == "lose":
                return None
            if word == "tool" and not body.get("tool"):
                return {"tool": "search"}
            self.executed[body["question"]] += 1
            text = f"回答 {body['question']} #{self.executed[body['question']]}"
            self.by_attempt[body["attempt"]] = self.by_key[body["key"]] = text
            return None if word == "drop" else {"text": text}

    @contextmanager
    def served(self) -> Iterator[str]:
        platform = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_: Any) -> None:
                pass

            def _send(self, status: int, value: Any) -> None:
                body = json.dumps(value).encode()
                self.send_response(status)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                platform.paths.append("submit")
                value = platform.submit(body)
                if value is None:
                    self.close_connection = True
                    self.connection.close()
                    return
                self._send(200, value)

            def do_GET(self) -> None:
                url = urlsplit(self.path)
                platform.paths.append(url.path.strip("/"))
                if url.path == "/screenshot":
                    self._send(200 if platform.screenshots else 500, {"png": "..."})
                    return
                text = platform.by_attempt.get(parse_qs(url.query)["attempt"][0])
                self._send(404 if text is None else 200, {"error": "unknown"} if text is None else {"text": text})

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()
            server.server_close()


class FakeConnector:
    """The dialect of `FakePlatform`."""

    dialect = "fake"
    version = "1"

    def __init__(self, *, lookup: bool = False, key: bool = False, evidence: bool = False) -> None:
        self._lookup, self._key, self._evidence = lookup, key, evidence

    def capabilities(self, options: Mapping[str, Any]) -> Capabilities:
        return Capabilities(
            search=False,
            search_can_be_off=True,
            region=False,
            citation_mode=CitationMode.NONE,
            lookup=self._lookup,
            idempotency_key=self._key,
        )

    def check_options(self, model: str, search: bool, options: Mapping[str, Any]) -> list[tuple[str, str]]:
        return []

    def submit(self, ask: Ask) -> HttpRequest:
        return self._post(ask, {})

    def _post(self, ask: Ask, more: Mapping[str, Any]) -> HttpRequest:
        key = ask.idempotency_key if self._key else ask.attempt_id
        body = {"question": ask.question, "attempt": ask.attempt_id, "key": key, **more}
        return HttpRequest("POST", f"{ask.base_url}/submit", {}, json.dumps(body).encode())

    def poll(self, ask: Ask, upstream_id: str) -> HttpRequest:
        raise NotImplementedError

    def cancel(self, ask: Ask, upstream_id: str) -> HttpRequest:
        raise NotImplementedError

    def fetch_evidence(self, ask: Ask, upstream_id: str) -> HttpRequest | None:
        return HttpRequest("GET", f"{ask.base_url}/screenshot") if self._evidence else None

    def lookup(self, ask: Ask) -> HttpRequest | None:
        return HttpRequest("GET", f"{ask.base_url}/lookup?attempt={ask.attempt_id}") if self._lookup else None

    def read(self, ask: Ask, exchanges: Sequence[Exchange]) -> Reply:
        last = exchanges[-1]
        if last.response.status == 404:
            return Rejected(ErrorClass.INVALID_REQUEST, "not_found", "no such call")
        if last.response.status >= 500:
            return Rejected(ErrorClass.SERVER_ERROR, None, "trouble")
        value = json.loads(last.response.body)
        if "tool" in value:
            return NextLeg(self._post(ask, {"tool": "done"}))
        if "job" in value:
            return Pending(value["job"])
        return Completed(
            NormalAnswer(
                text=value["text"],
                citations=None,
                citation_mode=CitationMode.NONE,
                searches=(),
                search_state=SearchState.NOT_APPLICABLE,
                model_asked=ask.model,
                model_served=None,
                finish_reason=FinishReason.STOP,
                usage=Usage(input_tokens=10, output_tokens=20),
            )
        )
