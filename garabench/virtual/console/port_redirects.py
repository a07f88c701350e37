"""The emulator console's redirections of ports of this machine to ports of the phone (``redir``)."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from garabench.virtual.phone_backend import PhoneBackend

_LOOPBACK = "127.0.0.1"
_READ_SIZE = 1 << 16


class RedirectError(ValueError):
    """A redirection is refused; the text is the console's."""


@dataclass(frozen=True, slots=True)
class Redirect:
    """A redirection.

    Attributes:
        protocol: ``tcp`` or ``udp``.
        host_port: Port of this machine.
        phone_port: Port of the phone.
    """

    protocol: str
    host_port: int
    phone_port: int


@dataclass(slots=True)
class _Listener:
    """An open port of this machine."""

    redirect: Redirect
    port: socket.socket
    server: asyncio.Server | None = None
    starting: asyncio.Task[None] | None = None

    def close(self) -> None:
        if self.server is not None:
            self.server.close()
        elif self.starting is not None:
            self.starting.cancel()
        self.port.close()


class _SocketStream:
    """A connection as the phone's services use it; see `garabench.virtual.adb.duplex.Duplex`."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer

    async def read(self) -> bytes:
        return await self._reader.read(_READ_SIZE)

    async def write(self, data: bytes) -> None:
        self._writer.write(data)
        await self._writer.drain()

    async def close(self) -> None:
        self._writer.close()


class PortRedirects:
    """The redirections of a phone; they listen on loopback only, and nothing on the phone listens on UDP."""

    def __init__(self, backend: PhoneBackend) -> None:
        self._backend = backend
        self._listeners: dict[tuple[str, int], _Listener] = {}

    def __iter__(self) -> Iterator[Redirect]:
        """Iterate over the redirections, the oldest first."""
        return iter([each.redirect for each in self._listeners.values()])

    def add(self, redirect: Redirect) -> None:
        """Add a redirection, and accept connections while an event loop runs.

        Raises:
            RedirectError: The port of this machine is redirected already or cannot be opened.
        """
        key = redirect.protocol, redirect.host_port
        if key in self._listeners:
            raise RedirectError("host port already active, use 'redir del' to remove first")
        kind = socket.SOCK_STREAM if redirect.protocol == "tcp" else socket.SOCK_DGRAM
        port = socket.socket(socket.AF_INET, kind)
        try:
            if kind is socket.SOCK_STREAM:
                port.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            port.bind((_LOOPBACK, redirect.host_port))
            if kind is socket.SOCK_STREAM:
                port.listen()  # clients that connect at once wait until the server has started
            port.setblocking(False)
        except (OSError, OverflowError) as error:
            port.close()
            raise RedirectError(
                "can't setup redirection, port probably used by another program on host"
            ) from error
        listener = self._listeners[key] = _Listener(redirect, port)
        if kind is socket.SOCK_STREAM:
            with contextlib.suppress(RuntimeError):  # without an event loop nobody can connect
                listener.starting = asyncio.get_running_loop().create_task(self._start(listener))

    def remove(self, protocol: str, host_port: int) -> None:
        """Remove a redirection; its connections stay.

        Raises:
            RedirectError: There is no such redirection.
        """
        found = self._listeners.pop((protocol, host_port), None)
        if found is None:
            raise RedirectError(f"can't remove unknown redirection ({protocol}:{host_port})")
        found.close()

    def close(self) -> None:
        """Remove all redirections."""
        for redirect in self:
            self.remove(redirect.protocol, redirect.host_port)

    async def _start(self, listener: _Listener) -> None:
        serve = partial(self._serve, listener.redirect)
        listener.server = await asyncio.start_server(serve, sock=listener.port)

    async def _serve(
        self, redirect: Redirect, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        """Connect a client to the phone; it is closed at once if nothing listens on the phone's port."""
        with contextlib.suppress(ConnectionError), contextlib.closing(writer):
            handle = self._backend.local_service(f"tcp:{redirect.phone_port}")
            if handle is not None:
                await handle(_SocketStream(reader, writer))
