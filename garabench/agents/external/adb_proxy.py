"""An adb-server proxy that refuses kill and disconnect, and hides the apps' states.

Many projects begin with ``adb kill-server``, but the adb server is shared: every phone of the run and other
programs use it. So each such program gets a separate address, whose requests are forwarded to the server.
Requests that would stop the server or disconnect devices are acknowledged without being forwarded.

A state (``docs/app-state.md``) is for the measurement: an agent that reads it knows what no screen shows. Any
data of a client that contains its authority ends the connection. This tells an agent that queries it as
documented; from one that conceals the name, the lock of the states protects (`garabench.effects.state_keys`).

A request is four hexadecimal digits of length and that many bytes (``OVERVIEW.TXT`` and ``SERVICES.TXT`` of
adb's source). Only the first one of a connection can address the server itself; all later data is searched
for the authority only.
"""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Iterator
from types import TracebackType

_HOST = "127.0.0.1"
_CONNECT_SECONDS = 3.0
_REQUEST_SECONDS = 30.0
_JOIN_SECONDS = 2.0
_DRAIN_SECONDS = 1.0
_LISTEN_SECONDS = 0.5
"""Interval of checking for `close`: not every system wakes a thread that accepts on a closed socket."""
_CHUNK = 64 * 1024
_LENGTH = 4
_STATE_AUTHORITY = b"org.garabench.state"
_STATE_REFUSED = b"the states of apps are hidden from agents"
STATE_REFUSAL = b"FAIL%04x%s" % (len(_STATE_REFUSED), _STATE_REFUSED)
"""The response to a client that addresses an app's state."""
_DISCONNECTED = b"disconnected by request; the device stays connected for others"


def local_response(service: bytes) -> bytes | None:
    """Return the response to a request that is not forwarded; None for any other request.

    Args:
        service: The requested service, such as ``host:kill``.
    """
    if service == b"host:kill":
        return b"OKAY"
    if _STATE_AUTHORITY in service:
        return STATE_REFUSAL
    if service.startswith(b"host:disconnect:") or service == b"host:disconnect":
        return b"OKAY%04x%s" % (len(_DISCONNECTED), _DISCONNECTED)
    return None


class AdbProxy:
    """Forwards requests to the adb server.

    Attributes:
        host, port: The address on which it listens.
        used: Whether a client has connected yet.
    """

    def __init__(self, server: tuple[str, int]) -> None:
        """Start listening and serving in background threads.

        Args:
            server: Host and port of the adb server.

        Raises:
            OSError: No port is available.
        """
        self._server = server
        self._listener = socket.create_server((_HOST, 0))
        self._listener.settimeout(_LISTEN_SECONDS)
        self.host, self.port = _HOST, int(self._listener.getsockname()[1])
        self._lock = threading.Lock()
        self._open: set[socket.socket] = set()
        self._closed = False
        self.used = False
        self._thread = threading.Thread(target=self._accept, name="adb-proxy", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Close every connection and stop listening; idempotent."""
        with self._lock:
            self._closed = True
            connections = tuple(self._open)
        for each in (self._listener, *connections):
            _shut_down(each)
        self._listener.close()
        self._thread.join(_JOIN_SECONDS)

    def __enter__(self) -> AdbProxy:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                if self._closed:
                    return
                continue  # nobody connected, or the client left before it was accepted
            self.used = True
            threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        """Serve one connection."""
        with contextlib.suppress(OSError), self._registered(client):
            client.settimeout(_REQUEST_SECONDS)
            request = _read_request(client)
            response = local_response(request[_LENGTH:])
            if response is not None:
                client.sendall(response)
                return
            with socket.create_connection(self._server, _CONNECT_SECONDS) as server, self._registered(server):
                for each in (client, server):
                    each.settimeout(None)
                    each.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                server.sendall(request)
                refused = threading.Event()
                back = threading.Thread(target=_pump_back, args=(server, client, refused), daemon=True)
                back.start()
                if not _pump(client, server):
                    refused.set()
                    _shut_down(server)
                back.join()
                if refused.is_set():
                    _drain(client)

    @contextlib.contextmanager
    def _registered(self, connection: socket.socket) -> Iterator[None]:
        """Register a connection while it is open, so that `close` can close it."""
        with self._lock:
            if self._closed:
                connection.close()
                raise ConnectionAbortedError
            self._open.add(connection)
        try:
            yield
        finally:
            with self._lock:
                self._open.discard(connection)
            connection.close()


def _read_request(client: socket.socket) -> bytes:
    """Return the first request with its length prefix, or the received bytes if it is malformed."""
    head = _read(client, _LENGTH)
    try:
        length = int(head, 16)
    except ValueError:
        return head  # the server reports the error
    return head + _read(client, length)


def _read(client: socket.socket, length: int) -> bytes:
    data = b""
    while len(data) < length and (more := client.recv(length - len(data))):
        data += more
    return data


def _pump(client: socket.socket, server: socket.socket) -> bool:
    """Forward data of the client until its end; return False if it addresses an app's state.

    The data that completes the authority is not forwarded.
    """
    tail = b""
    try:
        while data := client.recv(_CHUNK):
            seen = tail + data
            if _STATE_AUTHORITY in seen:
                return False
            tail = seen[-len(_STATE_AUTHORITY) + 1 :]
            server.sendall(data)
        server.shutdown(socket.SHUT_WR)
    except OSError:  # one side is gone; close the other
        for each in (client, server):
            _shut_down(each)
    return True


def _pump_back(server: socket.socket, client: socket.socket, refused: threading.Event) -> None:
    """Forward data of the server until its end, then the refusal if the client was refused."""
    try:
        while data := _received(server):
            client.sendall(data)
        if refused.is_set():
            client.sendall(STATE_REFUSAL)
        client.shutdown(socket.SHUT_WR)
    except OSError:  # the client is gone; close the server's side
        for each in (client, server):
            _shut_down(each)


def _received(server: socket.socket) -> bytes:
    """Return the next data of the server; none if it has ended or is gone."""
    try:
        return server.recv(_CHUNK)
    except OSError:
        return b""


def _drain(client: socket.socket) -> None:
    """Read what the client still sends: closing a socket with unread data discards the refusal."""
    client.settimeout(_DRAIN_SECONDS)
    with contextlib.suppress(OSError):
        while client.recv(_CHUNK):
            pass


def _shut_down(connection: socket.socket) -> None:
    with contextlib.suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)
