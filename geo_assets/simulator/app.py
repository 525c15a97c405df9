"""The ASGI application: paths, reading, waiting, and every way in which a connection can end.

It needs a server that hands over the connection's transport in `scope["state"]["transport"]` (see `server`), because
ASGI itself has no way to reset a connection or to stop in the middle of a body.
"""

import asyncio
import socket
import struct
from collections.abc import Awaitable, Callable, MutableMapping
from datetime import date
from typing import Any

from geo_assets.simulator.admin import handle_admin
from geo_assets.simulator.dialects.base import Reply, json_reply
from geo_assets.simulator.settings import SimulatorConfig
from geo_assets.simulator.world import DATE_HEADER, Decision, World

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

_LINGER_ZERO = struct.pack("ii", 1, 0)


def create_app(config: SimulatorConfig) -> App:
    """The application for a configuration. Raises ValueError where it names an unknown dialect."""
    world = World(config)

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await _lifespan(world, receive, send)
        elif scope["type"] == "http":
            await _http(world, scope, receive, send)

    return app


async def _lifespan(world: World, receive: Receive, send: Send) -> None:
    while True:
        message = await receive()
        await send({"type": f"{message['type']}.complete"})
        if message["type"] == "lifespan.shutdown":
            world.log.close()
            return


async def _http(world: World, scope: Scope, receive: Receive, send: Send) -> None:
    body = await _read_body(receive)
    if body is None:
        return
    path: str = scope["path"]
    if path.startswith("/_admin/"):
        await _send(send, handle_admin(world, scope["method"], path.removeprefix("/_admin/"), body))
        return
    prefix, _, rest = path.removeprefix("/p/").partition("/")
    state = world.states.get(prefix) if path.startswith("/p/") else None
    if state is None:
        known = ", ".join(f"/p/{name}" for name in world.states)
        await _send(send, json_reply(404, {"detail": f"no simulated platform at {path}; served are {known}"}))
        return
    headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
    if not _is_date(headers.get(DATE_HEADER)):
        await _send(send, json_reply(400, {"detail": f"{DATE_HEADER}: give an ISO date such as 2026-11-29"}))
        return
    state.in_flight += 1
    state.counts["max_in_flight"] = max(state.counts["max_in_flight"], state.in_flight)
    try:
        decision = world.handle(prefix, scope["method"], f"/{rest}", headers, body)
        await _carry_out(decision, scope, receive, send)
    finally:
        state.in_flight -= 1


def _is_date(text: str | None) -> bool:
    """Whether the header is absent or an ISO date."""
    try:
        return text is None or (len(text) == 10 and date.fromisoformat(text) is not None)
    except ValueError:
        return False


async def _read_body(receive: Receive) -> bytes | None:
    """The whole request body, None where the client is gone before its end."""
    parts: list[bytes] = []
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return None
        parts.append(message.get("body", b""))
        if not message.get("more_body"):
            return b"".join(parts)


async def _carry_out(decision: Decision, scope: Scope, receive: Receive, send: Send) -> None:
    if decision.ending == "hang":
        await _until_gone(receive, decision.delay)
    elif decision.delay:
        await asyncio.sleep(decision.delay)
    if decision.ending == "cut" and decision.reply is not None:
        await _send(send, decision.reply, part=len(decision.reply.body) // 2)
        await _close(scope, receive, reset=False)
    elif decision.ending in {"reset", "hang"} or decision.reply is None:
        await _close(scope, receive, reset=True)
    else:
        await _send(send, decision.reply)


async def _until_gone(receive: Receive, seconds: float) -> None:
    """Wait until the client leaves, at most `seconds`."""
    try:
        async with asyncio.timeout(seconds):
            while (await receive())["type"] != "http.disconnect":
                pass
    except TimeoutError:
        return


async def _close(scope: Scope, receive: Receive, *, reset: bool) -> None:
    """Take the connection down: with a TCP reset, or in order but in the middle of a body."""
    transport: asyncio.Transport = scope["state"]["transport"]
    connection = transport.get_extra_info("socket")
    if reset and connection is not None:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _LINGER_ZERO)
        transport.abort()
    else:
        transport.close()
    await _until_gone(receive, 5.0)


async def _send(send: Send, reply: Reply, part: int | None = None) -> None:
    """Send a reply; with `part`, only that many bytes of a body announced in full."""
    headers = [(name.encode(), value.encode()) for name, value in reply.headers.items()]
    headers.append((b"content-length", str(len(reply.body)).encode()))
    await send({"type": "http.response.start", "status": reply.status, "headers": headers})
    body = reply.body if part is None else reply.body[:part]
    await send({"type": "http.response.body", "body": body, "more_body": part is not None})
