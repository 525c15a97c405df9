"""Serving the application: uvicorn without an access log, with keep-alive, on a given or a free port."""

import asyncio
import os
import socket
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import uvicorn

from geo_assets.simulator.app import create_app
from geo_assets.simulator.settings import SimulatorConfig

if TYPE_CHECKING:
    from uvicorn.protocols.http.h11_impl import H11Protocol as _HttpProtocol
else:
    try:
        from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol as _HttpProtocol
    except ImportError:  # httptools is optional in uvicorn
        from uvicorn.protocols.http.h11_impl import H11Protocol as _HttpProtocol

_PARENT_CHECK_SECONDS = 0.5


class _OpenProtocol(_HttpProtocol):
    """Hands the connection's transport to the application, in `scope["state"]["transport"]`."""

    def connection_made(self, transport: Any) -> None:
        self.app_state = {**self.app_state, "transport": transport}
        super().connection_made(transport)


class _Server(uvicorn.Server):
    """Says when it listens, and stops when its parent process is gone."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None], parent_pid: int | None) -> None:
        super().__init__(config)
        self._ready = ready
        self._parent_pid = parent_pid
        self._watch: asyncio.Task[None] | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self._parent_pid is not None:
            self._watch = asyncio.create_task(self._stop_with_parent(self._parent_pid))
        self._ready()

    async def _stop_with_parent(self, parent_pid: int) -> None:
        while os.getppid() == parent_pid:  # noqa: ASYNC110 - nobody tells us of it
            await asyncio.sleep(_PARENT_CHECK_SECONDS)
        self.should_exit = True


def serve(
    config: SimulatorConfig,
    host: str = "127.0.0.1",
    port: int = 0,
    ready_callback: Callable[[str], None] | None = None,
    *,
    parent_pid: int | None = None,
) -> None:
    """Serve until SIGINT or SIGTERM; `port` 0 takes a free one. `ready_callback` gets the URL once it listens.

    With `parent_pid` the server also stops when that process is no longer its parent.
    """
    listener = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    with listener:
        listener.bind((host, port))
        url = f"http://{f'[{host}]' if ':' in host else host}:{listener.getsockname()[1]}"
        settings = uvicorn.Config(
            create_app(config),
            http=_OpenProtocol,
            lifespan="on",
            access_log=False,
            log_level="warning",
            server_header=False,
            timeout_keep_alive=120,
            timeout_graceful_shutdown=1,
            backlog=2048,
        )
        server = _Server(settings, lambda: ready_callback(url) if ready_callback else None, parent_pid)
        server.run(sockets=[listener])
