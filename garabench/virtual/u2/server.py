"""uiautomator2's on-device HTTP server: the connection loop around `http`, `rpc` and the calls."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from garabench.virtual.adb.duplex import Duplex
from garabench.virtual.http import (
    CONTINUE,
    HttpError,
    HttpRequest,
    HttpResponse,
    RequestParser,
    encode_response,
)
from garabench.virtual.u2 import rpc
from garabench.virtual.u2.device_calls import DeviceCalls
from garabench.virtual.u2.object_calls import ObjectCalls
from garabench.virtual.u2.scroll_calls import ScrollCalls
from garabench.virtual.u2.server_session import Calls, ServerSession
from garabench.virtual.u2.shell_calls import Run, ShellCalls
from garabench.virtual.u2.touch_calls import TouchCalls
from garabench.virtual.u2.watcher_calls import WatcherCalls

if TYPE_CHECKING:
    from garabench.virtual.android.phone import Phone

CONTINUE_AFTER = 0.002
"""Seconds without a body after which the server sends ``100 Continue``.

The client sends headers and body in two writes; Nagle's algorithm delays the second until the first one is
acknowledged, up to 40 ms, unless a response carries the acknowledgement.
"""


class UiautomatorServer:
    """A run of the server; its connections share the stored objects, the watchers and the toast.

    Its process serves connections by `handle` until `stopped`.
    """

    def __init__(self, phone: Phone, run: Run) -> None:
        """Start the server.

        Args:
            phone: The phone it runs on.
            run: Runs a shell line.
        """
        self._phone = phone
        self._session = ServerSession(phone)
        self._device = DeviceCalls(self._session)
        self._calls = _all_calls(self._session, self._device) | ShellCalls(run).calls()

    @property
    def methods(self) -> frozenset[str]:
        """Names of the supported calls."""
        return frozenset(self._calls)

    @property
    def memory(self) -> ServerSession:
        """What its process remembers between calls."""
        return self._session

    @property
    def stopped(self) -> bool:
        """Whether ``/stop`` was called."""
        return self._session.stopped

    def stop(self) -> None:
        """Stop the server."""
        self._session.stopped = True

    async def handle(self, duplex: Duplex) -> None:
        """Serve one connection until either side closes it.

        Faults: ``u2-dead`` closes without an answer, ``u2-hang`` reads the request and never answers.
        """
        try:
            await self._serve(duplex)
        except (ConnectionError, EOFError):
            return  # the client has disconnected
        finally:
            await duplex.close()

    async def _serve(self, duplex: Duplex) -> None:
        parser = RequestParser()
        while not self._session.stopped:
            try:
                request = await _read_request(duplex, parser)
            except HttpError as error:
                answer = HttpResponse(str(error).encode(), error.status, "text/plain")
                await duplex.write(encode_response(answer, keep_alive=False))
                return
            if request is None or self._phone.faults.active("u2-dead") is not None:
                return
            if self._phone.faults.active("u2-hang") is not None:
                await _wait_for_close(duplex)
                return
            response = await self._respond(request)
            keep_open = request.keep_alive and not self._session.stopped
            await duplex.write(encode_response(response, keep_alive=keep_open))
            if not keep_open:
                return

    async def _respond(self, request: HttpRequest) -> HttpResponse:
        match request.path:
            case "/ping":
                return HttpResponse(b"pong")
            case "/stop":
                self._session.stopped = True
                return HttpResponse(b"Server stopped!!!")
            case "/screenshot/0":
                return HttpResponse(
                    await self._device.png(_scale(request.query.get("scale", ""))), content_type="image/png"
                )
            case "/jsonrpc/0" if request.body:
                body = await rpc.dispatch(self._calls, request.body)
                return HttpResponse(body, content_type="application/json")
            case "/jsonrpc/0":
                return HttpResponse(b"Invalid http post data!", 500, "text/plain")
            case _:
                return HttpResponse(b"Not Found!!!", 404, "text/plain")


def _all_calls(session: ServerSession, device: DeviceCalls) -> Calls:
    touch = TouchCalls(session)
    calls: Calls = {}
    calls |= device.calls() | touch.calls() | ObjectCalls(session, touch).calls()
    calls |= ScrollCalls(session).calls() | WatcherCalls(session, device).calls()
    return calls


async def _read_request(duplex: Duplex, parser: RequestParser) -> HttpRequest | None:
    """Read one request; None if the client closes the connection first."""
    continued = False
    request = parser.next_request()
    while request is None:
        if parser.awaits_body and not continued:
            data = await _read_or_continue(duplex)
            continued = True
        else:
            data = await duplex.read()
        if not data:
            return None
        parser.receive(data)
        request = parser.next_request()
    return request


async def _read_or_continue(duplex: Duplex) -> bytes:
    reading = asyncio.ensure_future(duplex.read())
    try:
        done, _ = await asyncio.wait({reading}, timeout=CONTINUE_AFTER)
        if not done:
            await duplex.write(CONTINUE)
        return await reading
    finally:
        reading.cancel()


async def _wait_for_close(duplex: Duplex) -> None:
    while await duplex.read():
        continue


def _scale(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return 1.0
