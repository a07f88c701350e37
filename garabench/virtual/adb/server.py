"""The one file of the ADB side that touches sockets: performs what the state machines ask for."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections.abc import Awaitable, Callable

from garabench.virtual.adb import connection as c
from garabench.virtual.adb.host import Host
from garabench.virtual.adb.message import MAX_PAYLOAD, ProtocolError
from garabench.virtual.adb.services import serve

_READ = 1 << 18


class Stream:
    """One ADB stream, as the services use it."""

    def __init__(self, link: Link, number: int) -> None:
        self._link = link
        self.number = number
        self._incoming: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._drained = asyncio.Event()
        self._drained.set()
        self.ready: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self.task: asyncio.Task[None] | None = None

    async def read(self) -> bytes:
        """The next bytes from the peer; none at the end."""
        data = await self._incoming.get()
        if data is None:
            self._incoming.put_nowait(None)
            return b""
        self._link.acknowledge(self.number)
        return data

    async def write(self, data: bytes) -> None:
        """Send bytes and wait until the peer has taken them in.

        Raises:
            ConnectionResetError: The stream is closed.
        """
        for start in range(0, len(data), MAX_PAYLOAD):
            if not self._link.core.is_open(self.number):
                raise ConnectionResetError("the stream is closed")
            self._drained.clear()
            self._link.core.write(self.number, data[start : start + MAX_PAYLOAD])
            self._link.flush()
            await self._drained.wait()

    async def close(self) -> None:
        """End the stream."""
        self._link.core.end_stream(self.number)
        self._link.flush()

    def arrived(self, data: bytes | None) -> None:
        """Bytes have come, or with None the end."""
        self._incoming.put_nowait(data)
        if data is None:
            self._drained.set()
            if not self.ready.done():
                self.ready.set_result(False)

    def drained(self) -> None:
        """Everything written has been acknowledged."""
        self._drained.set()


class Link:
    """One connection of an adb server."""

    def __init__(self, host: Host, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._host = host
        self._reader = reader
        self._writer = writer
        self.core = c.DeviceConnection(host.properties, host.features)
        self._streams: dict[int, Stream] = {}

    async def run(self) -> None:
        """Serve the connection to its end."""
        try:
            while data := await self._reader.read(_READ):
                for event in self.core.receive(data):
                    self._handle(event)
                self.flush()
        except (ProtocolError, ConnectionError):
            pass  # the peer is gone or broken: what remains is to clean up
        finally:
            self.core.close()
            for stream in list(self._streams.values()):
                self._gone(stream)
            self._writer.close()
            with contextlib.suppress(ConnectionError):
                await self._writer.wait_closed()

    def flush(self) -> None:
        """Hand the core's bytes to the socket."""
        data = self.core.bytes_to_send()
        if data and not self._writer.is_closing():
            self._writer.write(data)

    def acknowledge(self, number: int) -> None:
        """The last bytes of a stream were taken in."""
        if self.core.is_open(number):
            self.core.acknowledge(number)
            self.flush()

    def _handle(self, event: c.Event) -> None:
        match event:
            case c.Hello():
                if self._host.authorized(None):
                    self.core.accept()
                else:
                    self.core.challenge(secrets.token_bytes(c.TOKEN_SIZE))
            case c.Signature():
                self.core.challenge(secrets.token_bytes(c.TOKEN_SIZE))
            case c.PublicKey():
                if self._host.authorized(event.key):
                    self.core.accept()
            case c.Opened():
                self._open(event.stream, event.service)
            case c.StreamReady():
                self._streams[event.stream].ready.set_result(True)
            case c.Data():
                self._streams[event.stream].arrived(event.data)
            case c.Drained():
                if stream := self._streams.get(event.stream):
                    stream.drained()
            case c.StreamClosed():
                if stream := self._streams.get(event.stream):
                    self._gone(stream)

    def _open(self, number: int, service: str) -> None:
        job = serve(self._host, service)
        if job is None:
            self.core.refuse_stream(number)
            return
        self.core.accept_stream(number)
        self._start(number, job)

    def _start(self, number: int, job: Callable[[Stream], Awaitable[None]]) -> None:
        stream = self._streams[number] = Stream(self, number)
        stream.task = asyncio.create_task(self._serve(stream, job))

    async def _serve(self, stream: Stream, job: Callable[[Stream], Awaitable[None]]) -> None:
        try:
            await job(stream)
        except (ConnectionError, asyncio.CancelledError):
            pass  # the peer has closed the stream: its service ends
        finally:
            await stream.close()
            self._streams.pop(stream.number, None)

    def _gone(self, stream: Stream) -> None:
        stream.arrived(None)
        if stream.task is not None:
            stream.task.cancel()


async def listen(host: Host, port: int = 0) -> asyncio.Server:
    """Listen for adb servers on loopback.

    Args:
        host: The phone.
        port: TCP port; 0 takes a free one.
    """

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(asyncio.CancelledError):  # the phone is switched off
            await Link(host, reader, writer).run()

    return await asyncio.start_server(connected, "127.0.0.1", port)
