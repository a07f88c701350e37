"""Serve an application on 127.0.0.1."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Callable, Iterator

import uvicorn
from starlette.types import ASGIApp

from garabench.errors import HarnessError, InputError

HOST = "127.0.0.1"
_END_SECONDS = 1
"""Time for open requests to end; those that watch for changes never do by themselves."""
_START_SECONDS = 30.0


class _Server(uvicorn.Server):
    """Server that reports when it accepts connections."""

    def __init__(self, config: uvicorn.Config, on_ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._on_ready = on_ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._on_ready()


def _listen(port: int) -> socket.socket:
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((HOST, port))
    except (OSError, OverflowError) as error:
        listener.close()
        reason = getattr(error, "strerror", None) or error
        raise InputError(
            f"cannot listen on {HOST}:{port}: {reason}", hint="Use another port, or 0 for a free one."
        ) from error
    return listener


def _config(app: ASGIApp) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        log_config=None,
        log_level="critical",  # bugs are logged by the application; the rest is about connections
        access_log=False,
        server_header=False,
        date_header=False,
        lifespan="off",
        ws="none",
        timeout_graceful_shutdown=_END_SECONDS,
        timeout_keep_alive=30,
    )


def serve(
    app: ASGIApp, *, port: int = 0, on_ready: Callable[[str], None], stop_after: float | None = None
) -> None:
    """Serve an application until Ctrl-C or SIGTERM.

    Args:
        app: The application.
        port: Port on 127.0.0.1; 0 for a free one.
        on_ready: Called with the address once connections are accepted.
        stop_after: Seconds after which it ends by itself; None for never.

    Raises:
        InputError: The port cannot be used.
    """
    listener = _listen(port)
    address = f"http://{HOST}:{listener.getsockname()[1]}/"
    server = _Server(_config(app), lambda: on_ready(address))
    timer = threading.Timer(stop_after or 0, lambda: setattr(server, "should_exit", True))
    timer.daemon = True
    if stop_after is not None:
        timer.start()
    try:
        # Uvicorn ends in order on Ctrl-C and raises the signal again afterwards.
        with contextlib.suppress(KeyboardInterrupt):
            server.run([listener])
    finally:
        timer.cancel()
        listener.close()


@contextlib.contextmanager
def serving(app: ASGIApp, *, port: int = 0) -> Iterator[str]:
    """Serve an application from a thread while the context is open, and yield its address.

    Args:
        app: The application.
        port: Port on 127.0.0.1; 0 for a free one.

    Raises:
        InputError: The port cannot be used.
        HarnessError: The server did not start.
    """
    listener = _listen(port)
    ready = threading.Event()
    server = _Server(_config(app), ready.set)
    thread = threading.Thread(target=server.run, args=([listener],), name="garabench-web", daemon=True)
    thread.start()
    try:
        if not ready.wait(_START_SECONDS):
            raise HarnessError("the web server did not start")
        yield f"http://{HOST}:{listener.getsockname()[1]}/"
    finally:
        server.should_exit = True
        thread.join(_START_SECONDS)
        listener.close()
