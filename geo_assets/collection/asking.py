"""Sending one request and getting its response, or saying what happened instead. No retry, no redirect, no cookie.

What belongs here: the HTTP clients and the naming of transport errors. What does not: what a response says.
"""

import asyncio
import importlib.util
import ssl
import sys
from dataclasses import dataclass, field
from http.cookiejar import CookieJar, DefaultCookiePolicy
from types import TracebackType
from typing import Self

import anyio.lowlevel
import httpx

from geo_assets.collection.judge import Failure
from geo_assets.model.answers import HttpRequest, HttpResponse
from geo_assets.model.errors import ErrorClass

if importlib.util.find_spec("sniffio") is None:
    # httpcore tries to import it at every lock it makes; a failed search of the path costs more than the request.
    sys.modules.setdefault("sniffio", None)  # type: ignore[arg-type]

POOL_SIZE = 25
"""Connections per client: httpx's pool costs time quadratic in its size, so more calls get more clients."""

_NOT_SENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)
_UNSENDABLE = (httpx.InvalidURL, httpx.UnsupportedProtocol, httpx.LocalProtocolError)
SECRET_HEADERS = frozenset({"set-cookie", "authorization", "proxy-authorization", "x-api-key", "api-key"})


@dataclass(slots=True)
class _Client:
    http: httpx.AsyncClient
    in_flight: int = field(default=0)


class Asker:
    """HTTP clients for one platform. Use as an async context manager."""

    def __init__(self, concurrency: int, connect: float, *, trust_env: bool = False) -> None:
        context = ssl.create_default_context()
        limits = httpx.Limits(max_connections=POOL_SIZE, max_keepalive_connections=POOL_SIZE, keepalive_expiry=30)
        self._connect = connect
        self._clients = [
            _Client(
                httpx.AsyncClient(
                    verify=context,
                    limits=limits,
                    trust_env=trust_env,
                    follow_redirects=False,
                    timeout=httpx.Timeout(connect),
                    cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])),
                )
            )
            for _ in range(-(-max(1, concurrency) // POOL_SIZE))
        ]

    async def __aenter__(self) -> Self:
        await anyio.lowlevel.checkpoint()  # loads what the first call would load in the middle of its slot
        return self

    async def __aexit__(
        self, _t: type[BaseException] | None, _e: BaseException | None, _b: TracebackType | None
    ) -> None:
        for client in self._clients:
            await client.http.aclose()

    async def send(self, request: HttpRequest, key: str | None, *, read: float, total: float) -> HttpResponse | Failure:
        """One exchange. `read` bounds the wait between bytes, `total` the whole; both in seconds."""
        client = min(self._clients, key=lambda c: c.in_flight)
        timeout = httpx.Timeout(connect=self._connect, read=read, write=read, pool=self._connect)
        headers = {name: value.replace("{key}", key or "") for name, value in request.headers.items()}
        client.in_flight += 1
        try:
            async with asyncio.timeout(total):
                response = await client.http.request(
                    request.method, request.url, headers=headers, content=request.body, timeout=timeout
                )
        except _UNSENDABLE as error:
            return Failure(ErrorClass.INVALID_REQUEST, _said(error), sent=False)
        except _NOT_SENT as error:
            return Failure(ErrorClass.CONNECT_ERROR, _said(error), sent=False)
        except TimeoutError:
            return Failure(ErrorClass.TIMEOUT, f"no complete response within {total:.0f} s", sent=True)
        except httpx.TimeoutException:
            return Failure(ErrorClass.TIMEOUT, f"nothing received for {read:.0f} s", sent=True)
        except httpx.HTTPError as error:
            return Failure(ErrorClass.DISCONNECT, _said(error), sent=True)
        except UnicodeEncodeError:
            return Failure(
                ErrorClass.INVALID_REQUEST, "the key or a header holds characters HTTP cannot carry", sent=False
            )
        finally:
            client.in_flight -= 1
        return HttpResponse(response.status_code, _headers(response), response.content)


def _said(error: Exception) -> str:
    return f"{type(error).__name__}: {error}".rstrip(": ")


def _headers(response: httpx.Response) -> dict[str, str]:
    """Lower-case names, repeated ones joined, secrets left out."""
    found: dict[str, str] = {}
    for name, value in response.headers.multi_items():
        lower = name.lower()
        if lower not in SECRET_HEADERS:
            found[lower] = f"{found[lower]}, {value}" if lower in found else value
    return found
