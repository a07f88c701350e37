"""adbd's sockets: performs the I/O for the state machines of this package."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import socket
from collections.abc import Awaitable, Callable, Sequence
from functools import partial

from garabench.virtual.adb import connection as c
from garabench.virtual.adb.auth import AdbKey, InvalidKeyError
from garabench.virtual.adb.backend import DeviceBackend
from garabench.virtual.adb.messages import MAX_PAYLOAD, ProtocolError
from garabench.virtual.adb.services import service_handler

_READ_SIZE = 1 << 18
_SLOW_MS = 50
_CUT_AFTER_BYTES = 100_000
_CLOSE_GRACE_S = 5.0
"""Seconds that a service may still process its input after the peer has closed the stream."""


class AdbStream:
    """An ADB stream, as the services use it."""

    def __init__(self, link: HostConnection, number: int) -> None:
        self._link = link
        self.number = number
        self._incoming: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._drained = asyncio.Event()
        self._drained.set()
        self.ready: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self.task: asyncio.Task[None] | None = None
        self._readers = 0

    @property
    def has_reader(self) -> bool:
        """Whether its service waits for bytes, or has unread bytes left."""
        return self._readers > 0 or not self._incoming.empty()

    async def read(self) -> bytes:
        """Read the next bytes from the peer; empty at the end."""
        self._readers += 1
        try:
            data = await self._incoming.get()
        finally:
            self._readers -= 1
        if data is None:
            self._incoming.put_nowait(None)
            return b""
        self._link.acknowledge(self.number)
        return data

    async def write(self, data: bytes) -> None:
        """Send bytes and wait until the peer has acknowledged them.

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

    def on_data(self, data: bytes | None) -> None:
        """Handle received bytes, or with None the end of the stream."""
        self._incoming.put_nowait(data)
        if data is None:
            self._drained.set()
            if not self.ready.done():
                self.ready.set_result(False)

    def on_drained(self) -> None:
        """Handle the acknowledgement of everything written."""
        self._drained.set()


class HostConnection:
    """A connection from an adb server.

    Attributes:
        closed: Whether it has ended or is about to.
    """

    def __init__(
        self,
        backend: DeviceBackend,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        *,
        silent: bool = False,
    ) -> None:
        self._backend = backend
        self._reader = reader
        self._writer = writer
        self._silent = silent
        self._token = b""
        self._key: AdbKey | None = None
        self._transferred = 0
        self.closed = False
        self.core = c.DeviceConnection(backend.properties, backend.features)
        self._streams: dict[int, AdbStream] = {}

    async def run(self) -> None:
        """Serve the connection to its end."""
        try:
            while data := await self._reader.read(_READ_SIZE):
                if slow := self._backend.fault("slow-transport"):
                    await asyncio.sleep(float(slow.get("ms", _SLOW_MS)) / 1000)
                if self._silent or self._backend.fault("mute") is not None:
                    self._silent = True  # after missed bytes the connection cannot be used
                    continue
                self._count_bytes(len(data))
                for event in self.core.receive(data):
                    self._handle(event)
                self.flush()
        except (ProtocolError, ConnectionError):
            pass  # the peer is gone or broken: only the cleanup is left
        finally:
            self.closed = True
            self.core.close()
            self._backend.reverses.remove_listeners(self)
            for stream in list(self._streams.values()):
                self._end_stream(stream)
            self._writer.close()
            with contextlib.suppress(ConnectionError):
                await self._writer.wait_closed()

    def drop(self) -> None:
        """Drop the connection at once, as pulling the cable does."""
        self.closed = True
        self._writer.transport.abort()

    @property
    def out_of_sync(self) -> bool:
        """Whether it has missed bytes, so that the peer must reconnect."""
        return self._silent

    def retry_authorization(self) -> None:
        """Authorize a waiting peer if its key has been accepted."""
        if (
            self._key is not None
            and self.core.state is c.ConnectionState.AUTHENTICATING
            and self._is_authorized(self._key)
        ):
            self._key = None
            self.core.accept()
            self.flush()

    def _is_authorized(self, key: AdbKey) -> bool:
        return self._backend.fault("unauthorized") is None or self._backend.keys.accepts(key)

    def _challenge(self) -> None:
        self._token = secrets.token_bytes(c.TOKEN_SIZE)
        self.core.challenge(self._token)

    def _on_public_key(self, text: bytes) -> None:
        try:
            key = AdbKey.parse(text)
        except InvalidKeyError:
            return  # adbd, too, ignores an unreadable key
        self._key = key
        if not self._is_authorized(key):
            self._backend.keys.waiting.add(key)
        self.retry_authorization()

    def _count_bytes(self, size: int) -> None:
        cut = self._backend.fault("cut-mid-transfer")
        self._transferred = 0 if cut is None else self._transferred + size
        if cut is not None and self._transferred > int(cut.get("bytes", _CUT_AFTER_BYTES)):
            self.drop()

    async def open_remote(self, service: str) -> AdbStream | None:
        """Open a stream to a service of the adb server's machine; None if it is refused."""
        if self.core.state is not c.ConnectionState.ONLINE:
            return None
        number = self.core.open_stream(service)
        stream = self._streams[number] = AdbStream(self, number)
        self.flush()
        if await stream.ready:
            return stream
        return None

    def flush(self) -> None:
        """Write the core's bytes to the socket."""
        data = self.core.bytes_to_send()
        if data and not self._writer.is_closing() and not self._silent:
            self._writer.write(data)
            self._count_bytes(len(data))

    def acknowledge(self, number: int) -> None:
        """Acknowledge the last bytes of a stream."""
        if self.core.is_open(number):
            self.core.acknowledge(number)
            self.flush()

    def _handle(self, event: c.Event) -> None:
        match event:
            case c.ConnectRequested():
                if self._backend.fault("unauthorized") is None:
                    self.core.accept()
                else:
                    self._challenge()
            case c.SignatureReceived():
                if self._backend.keys.verify(self._token, event.signature):
                    self.core.accept()
                else:
                    self._challenge()
            case c.PublicKeyReceived():
                self._on_public_key(event.key)
            case c.StreamRequested():
                self._open(event.stream, event.service)
            case c.StreamAccepted():
                if stream := self._streams.get(event.stream):
                    stream.ready.set_result(True)
            case c.DataReceived():
                if stream := self._streams.get(event.stream):
                    stream.on_data(event.data)
                else:
                    self.core.acknowledge(event.stream)  # its service has ended; the last bytes are in flight
            case c.StreamDrained():
                if stream := self._streams.get(event.stream):
                    stream.on_drained()
            case c.StreamClosed():
                if stream := self._streams.get(event.stream):
                    self._end_stream(stream)

    def _open(self, number: int, service: str) -> None:
        if service.startswith("reverse:"):
            reply = self._backend.reverses.request(self, service.removeprefix("reverse:"), self.open_remote)
            self.core.accept_stream(number)
            self._start(number, lambda stream: stream.write(reply))
            return
        if service.startswith("reboot:"):
            self.core.accept_stream(number)
            self._start(number, self._reboot)
            return
        if service in ("root:", "unroot:"):
            self.core.accept_stream(number)
            self._start(number, partial(self._switch_user, service == "root:"))
            return
        handler = service_handler(self._backend, service)
        if handler is None:
            self.core.refuse_stream(number)
            return
        self.core.accept_stream(number)
        self._start(number, handler)

    async def _reboot(self, stream: AdbStream) -> None:
        await stream.close()  # adb reads this as consent
        self._backend.reboot()  # drops this connection as well

    async def _switch_user(self, root: bool, stream: AdbStream) -> None:
        reply, restarts = self._backend.switch_user(root=root)
        await stream.write(reply.encode())
        await stream.close()
        if restarts:
            self._backend.restart_adbd()  # drops this connection as well

    def _start(self, number: int, handler: Callable[[AdbStream], Awaitable[None]]) -> None:
        stream = self._streams[number] = AdbStream(self, number)
        stream.task = asyncio.create_task(self._run(stream, handler))

    async def _run(self, stream: AdbStream, handler: Callable[[AdbStream], Awaitable[None]]) -> None:
        try:
            if self._backend.fault("hang") is not None:
                await asyncio.Event().wait()  # until the peer closes the stream
            await handler(stream)
        except (ConnectionError, asyncio.CancelledError):
            pass  # the peer has closed the stream: its service ends
        finally:
            await stream.close()
            self._streams.pop(stream.number, None)

    def _end_stream(self, stream: AdbStream) -> None:
        """End a stream that the peer closed: a service that reads sees the end and may finish."""
        self._streams.pop(stream.number, None)
        reading = stream.has_reader
        stream.on_data(None)
        if stream.task is not None and reading:
            asyncio.get_running_loop().call_later(_CLOSE_GRACE_S, stream.task.cancel)
        elif stream.task is not None:
            stream.task.cancel()


class AdbListener:
    """The listening port of adbd, and its connections.

    Attributes:
        port: Port on loopback.
    """

    def __init__(self, backend: DeviceBackend, port: int) -> None:
        self._backend = backend
        self.port = port
        self._links: set[HostConnection] = set()
        self._server: asyncio.Server | None = None
        self._opening: asyncio.Task[None] | None = None

    def observe(self) -> None:
        """Observe the phone's faults and accepted keys."""
        self._backend.watch(self._on_fault)
        self._backend.keys.watch(self._retry_authorization)

    @property
    def sockets(self) -> Sequence[socket.socket]:
        """The listening sockets; empty while connections are refused."""
        return self._server.sockets if self._server is not None else ()

    async def open(self) -> None:
        """Listen.

        Raises:
            OSError: The port is in use.
        """
        self._server = await asyncio.start_server(self._on_connection, "127.0.0.1", self.port)
        self.port = int(self._server.sockets[0].getsockname()[1])

    def close(self) -> None:
        """Stop listening; open connections continue."""
        if self._server is not None:
            self._server.close()
            self._server = None

    async def _on_connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        fault = self._backend.fault
        surplus = fault("single-connection") is not None and not all(link.closed for link in self._links)
        silent = surplus or fault("offline") is not None
        link = HostConnection(self._backend, reader, writer, silent=silent)
        self._links.add(link)
        try:
            with contextlib.suppress(asyncio.CancelledError):  # the phone is shutting down
                await link.run()
        finally:
            self._links.discard(link)

    def _retry_authorization(self) -> None:
        for link in tuple(self._links):
            link.retry_authorization()

    def _on_fault(self, name: str, on: bool) -> None:
        """Handle a switched fault."""
        drops = (
            name in ("disconnect", "offline", "refuse", "unauthorized", "single-connection") if on else False
        )
        for link in tuple(self._links):
            if drops or (not on and link.out_of_sync):
                link.drop()
            else:
                link.retry_authorization()
        if name == "refuse" and on:
            self.close()
        elif name == "refuse" and self._server is None:
            self._opening = asyncio.get_running_loop().create_task(self.open())


async def listen(backend: DeviceBackend, port: int = 0) -> AdbListener:
    """Listen for adb servers on loopback.

    Args:
        backend: The phone.
        port: TCP port; 0 chooses a free one.

    Raises:
        OSError: The port is in use.
    """
    listener = AdbListener(backend, port)
    await listener.open()
    listener.observe()
    return listener
