"""uiautomator2's on-device HTTP server: the connection loop around `http`, `rpc` and the calls."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from garabench.virtual.adb.host import Duplex
from garabench.virtual.u2 import rpc
from garabench.virtual.u2.device import DeviceCalls
from garabench.virtual.u2.gestures import Touch
from garabench.virtual.u2.http import CONTINUE, HttpError, Request, RequestParser, Response, encode
from garabench.virtual.u2.objects import ObjectCalls
from garabench.virtual.u2.scrolling import ScrollCalls
from garabench.virtual.u2.session import Calls, Session
from garabench.virtual.u2.shell import Run, ShellCalls
from garabench.virtual.u2.watchers import WatcherCalls

if TYPE_CHECKING:
    from garabench.virtual.os.phone import Phone

CONTINUE_AFTER = 0.002
"""Seconds without a body after which the client is told to go on.

The stock client sends headers and body in two writes; the second waits in Nagle's algorithm for the first
one's acknowledgement, up to 40 ms, unless an answer carries it.
"""


class U2Server:
    """One run of the server; all its connections share the kept objects, the watchers and the toast.

    Its process serves connections with `handle` until `stopped`.
    """

    def __init__(self, phone: Phone, run: Run) -> None:
        """Start.

        Args:
            phone: The phone it runs on.
            run: Runs a shell line.
        """
        self._phone = phone
        self._session = Session(phone)
        self._device = DeviceCalls(self._session)
        self._calls = _all_calls(self._session, self._device) | ShellCalls(run).calls()

    @property
    def methods(self) -> frozenset[str]:
        """Names of the calls that it answers."""
        return frozenset(self._calls)

    @property
    def stopped(self) -> bool:
        """Whether ``/stop`` was called."""
        return self._session.stopped

    def stop(self) -> None:
        """End the server."""
        self._session.stopped = True

    async def handle(self, duplex: Duplex) -> None:
        """Serve one connection until either side closes it.

        Faults: ``u2-dead`` closes without an answer, ``u2-hang`` takes the request and never answers.
        """
        try:
            await self._serve(duplex)
        except (ConnectionError, EOFError):
            return  # the client has gone; nobody is left to answer
        finally:
            await duplex.close()

    async def _serve(self, duplex: Duplex) -> None:
        parser = RequestParser()
        while not self._session.stopped:
            try:
                request = await _read_request(duplex, parser)
            except HttpError as error:
                answer = Response(str(error).encode(), error.status, "text/plain")
                await duplex.write(encode(answer, keep_alive=False))
                return
            if request is None or self._phone.faults.active("u2-dead") is not None:
                return
            if self._phone.faults.active("u2-hang") is not None:
                await _wait_for_close(duplex)
                return
            response = await self._respond(request)
            keep = request.keep_alive and not self._session.stopped
            await duplex.write(encode(response, keep_alive=keep))
            if not keep:
                return

    async def _respond(self, request: Request) -> Response:
        match request.path:
            case "/ping":
                return Response(b"pong")
            case "/stop":
                self._session.stopped = True
                return Response(b"Server stopped!!!")
            case "/screenshot/0":
                return Response(
                    await self._device.png(_scale(request.query.get("scale", ""))), content_type="image/png"
                )
            case "/jsonrpc/0" if request.body:
                body = await rpc.dispatch(self._calls, request.body)
                return Response(body, content_type="application/json")
            case "/jsonrpc/0":
                return Response(b"Invalid http post data!", 500, "text/plain")
            case _:
                return Response(b"Not Found!!!", 404, "text/plain")


def _all_calls(session: Session, device: DeviceCalls) -> Calls:
    touch = Touch(session)
    calls: Calls = {}
    calls |= device.calls() | touch.calls() | ObjectCalls(session, touch).calls()
    calls |= ScrollCalls(session).calls() | WatcherCalls(session, device).calls()
    return calls


async def _read_request(duplex: Duplex, parser: RequestParser) -> Request | None:
    """Read one request; None when the client closes before one has begun or ended."""
    told = False
    request = parser.next_request()
    while request is None:
        if parser.awaits_body and not told:
            data = await _read_or_continue(duplex)
            told = True
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
