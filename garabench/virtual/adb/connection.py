"""The device's side of an ADB connection without I/O: bytes in, events out; calls in, bytes out.

Model: h11. The state of the connection and of each stream is explicit, and a call that does not fit the
state raises `LocalProtocolError`; bytes from the peer can at worst end the connection.

::

    connection:  NEW -> (AUTH) -> ONLINE -> CLOSED
    stream:      opened by the peer: OPENING -> OPEN -> CLOSED
                 opened by us:       WAITING -> OPEN -> CLOSED

At most one WRTE that we send on a stream is unacknowledged; further writes are queued here. The peer
may have a few: adb sends the rest of its client's data at once when the client closes.
"""

from __future__ import annotations

import enum
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field

from garabench.virtual.adb.messages import (
    MAX_PAYLOAD,
    VERSION_CHECKSUM,
    VERSION_NO_CHECKSUM,
    AdbCommand,
    AdbMessage,
    MessageReader,
    ProtocolError,
)

AUTH_TOKEN, AUTH_SIGNATURE, AUTH_RSAPUBLICKEY = 1, 2, 3
TOKEN_SIZE = 20
_MAX_STREAMS = 1024
_MAX_UNACKNOWLEDGED = 64
"""Maximum number of unacknowledged WRTE that the peer may send on a stream."""


class LocalProtocolError(Exception):
    """A call does not fit the state of the connection or stream: a bug on our side."""


class ConnectionState(enum.Enum):
    """State of the connection."""

    NEW = "new"
    AUTHENTICATING = "authenticating"
    ONLINE = "online"
    CLOSED = "closed"


class StreamState(enum.Enum):
    """State of a stream."""

    OPENING = "opening"
    WAITING = "waiting"
    OPEN = "open"
    CLOSED = "closed"


@dataclass(frozen=True, slots=True)
class SignatureReceived:
    """The peer signed the token; answer with `DeviceConnection.accept` or `DeviceConnection.challenge`."""

    signature: bytes


@dataclass(frozen=True, slots=True)
class PublicKeyReceived:
    """The peer offers its public key; answer with `DeviceConnection.accept`, or not at all."""

    key: bytes


@dataclass(frozen=True, slots=True)
class ConnectRequested:
    """The peer asks for a connection; answer with `accept` or `challenge`."""

    banner: str


@dataclass(frozen=True, slots=True)
class StreamRequested:
    """The peer opens a stream to a service; answer with `accept_stream` or `refuse_stream`."""

    stream: int
    service: str


@dataclass(frozen=True, slots=True)
class StreamAccepted:
    """A stream that we opened was accepted."""

    stream: int


@dataclass(frozen=True, slots=True)
class DataReceived:
    """Bytes arrived on a stream; call `acknowledge` once they are consumed."""

    stream: int
    data: bytes


@dataclass(frozen=True, slots=True)
class StreamDrained:
    """Everything written to a stream has been acknowledged."""

    stream: int


@dataclass(frozen=True, slots=True)
class StreamClosed:
    """The peer closed a stream, or refused one of ours."""

    stream: int


Event = (
    SignatureReceived
    | PublicKeyReceived
    | ConnectRequested
    | StreamRequested
    | StreamAccepted
    | DataReceived
    | StreamDrained
    | StreamClosed
)


@dataclass(slots=True)
class _Stream:
    local: int
    remote: int
    state: StreamState
    awaiting_okay: bool = False
    unacknowledged_received: int = 0
    close_after: bool = False
    queue: deque[bytes] = field(default_factory=deque)


class DeviceConnection:
    """The device's end of a connection from an adb server.

    Attributes:
        state: State of the connection.
    """

    def __init__(self, properties: Mapping[str, str], features: tuple[str, ...]) -> None:
        """Create a connection in the state NEW.

        Args:
            properties: ``ro.product.name``, ``ro.product.model``, ``ro.product.device``.
            features: Features to advertise.

        Raises:
            ValueError: A value contains a separator of the banner.
        """
        for value in (*properties.values(), *features):
            if any(char in value for char in (";=,\0" if value in features else ";=\0")):
                raise ValueError(f"the banner cannot contain {value!r}")
        pairs = [f"{key}={value}" for key, value in properties.items()]
        self._banner = "device::" + "".join(f"{pair};" for pair in [*pairs, "features=" + ",".join(features)])
        self.state = ConnectionState.NEW
        self._reader = MessageReader()
        self._checksum = True
        self._limit = MAX_PAYLOAD
        self._streams: dict[int, _Stream] = {}
        self._next = 1
        self._out = bytearray()

    def bytes_to_send(self) -> bytes:
        """Return the bytes to send to the peer now."""
        data, self._out = bytes(self._out), bytearray()
        return data

    def receive(self, data: bytes) -> tuple[Event, ...]:
        """Receive bytes from the peer.

        Returns:
            The events, in order.

        Raises:
            ProtocolError: The peer broke the protocol; the connection is closed.
        """
        if self.state is ConnectionState.CLOSED:
            return ()
        self._reader.feed(data)
        events: list[Event] = []
        try:
            while (message := self._reader.next()) is not None:
                events += self._handle(message)
        except ProtocolError:
            self.close()
            raise
        return tuple(events)

    def close(self) -> None:
        """Close the connection; every stream ends."""
        self.state = ConnectionState.CLOSED
        self._streams.clear()

    def _handle(self, message: AdbMessage) -> list[Event]:
        command = message.command
        if command is AdbCommand.CNXN:
            return self._on_connect(message)
        if command is AdbCommand.STLS:
            raise ProtocolError("the device did not request TLS")
        if self.state is ConnectionState.AUTHENTICATING and command is AdbCommand.AUTH:
            if message.arg0 == AUTH_SIGNATURE:
                return [SignatureReceived(message.data)]
            if message.arg0 == AUTH_RSAPUBLICKEY:
                return [PublicKeyReceived(message.data.rstrip(b"\0"))]
            raise ProtocolError(f"unknown AUTH type {message.arg0}")
        if self.state is not ConnectionState.ONLINE:
            raise ProtocolError(f"{command.name} before the connection is set up")
        match command:
            case AdbCommand.OPEN:
                return self._on_open(message)
            case AdbCommand.OKAY:
                return self._on_okay(message)
            case AdbCommand.WRTE:
                return self._on_write(message)
            case AdbCommand.CLSE:
                return self._on_close(message)
        return []  # AUTH and SYNC mean nothing here, as in AOSP

    def _on_connect(self, message: AdbMessage) -> list[Event]:
        self._streams.clear()
        version = min(message.arg0, VERSION_NO_CHECKSUM)
        if version < VERSION_CHECKSUM:
            raise ProtocolError(f"ADB version {message.arg0:#x} is too old")
        self._checksum = version == VERSION_CHECKSUM
        self._reader.check = self._checksum
        self._limit = max(1, min(message.arg1, MAX_PAYLOAD))
        self._reader.limit = MAX_PAYLOAD
        self.state = ConnectionState.AUTHENTICATING
        return [ConnectRequested(message.data.rstrip(b"\0").decode("utf-8", errors="replace"))]

    def challenge(self, token: bytes) -> None:
        """Ask the peer to sign a token (again).

        Args:
            token: 20 random bytes.
        """
        self._require(ConnectionState.AUTHENTICATING)
        if len(token) != TOKEN_SIZE:
            raise LocalProtocolError(f"a token must have {TOKEN_SIZE} bytes")
        self._send(AdbMessage(AdbCommand.AUTH, AUTH_TOKEN, 0, token))

    def accept(self) -> None:
        """Authorize the peer; the connection goes online."""
        self._require(ConnectionState.AUTHENTICATING)
        self.state = ConnectionState.ONLINE
        version = VERSION_CHECKSUM if self._checksum else VERSION_NO_CHECKSUM
        self._send(AdbMessage(AdbCommand.CNXN, version, MAX_PAYLOAD, self._banner.encode()))

    def _on_open(self, message: AdbMessage) -> list[Event]:
        if message.arg0 == 0:
            raise ProtocolError("OPEN without a stream id")
        service = message.data.rstrip(b"\0").decode("utf-8", errors="surrogateescape")
        if len(self._streams) >= _MAX_STREAMS:
            self._send(AdbMessage(AdbCommand.CLSE, 0, message.arg0))
            return []
        stream = self._new(message.arg0, StreamState.OPENING)
        return [StreamRequested(stream.local, service)]

    def _new(self, remote: int, state: StreamState) -> _Stream:
        stream = _Stream(self._next, remote, state)
        self._next += 1
        self._streams[stream.local] = stream
        return stream

    def accept_stream(self, number: int) -> None:
        """Accept a stream that the peer opened."""
        stream = self._stream(number, StreamState.OPENING)
        stream.state = StreamState.OPEN
        self._send(AdbMessage(AdbCommand.OKAY, stream.local, stream.remote))

    def refuse_stream(self, number: int) -> None:
        """Refuse a stream that the peer opened."""
        stream = self._stream(number, StreamState.OPENING)
        self._send(AdbMessage(AdbCommand.CLSE, 0, stream.remote))
        del self._streams[number]

    def open_stream(self, service: str) -> int:
        """Open a stream to a service of the peer (for ``reverse``); return its number."""
        self._require(ConnectionState.ONLINE)
        stream = self._new(0, StreamState.WAITING)
        self._send(AdbMessage(AdbCommand.OPEN, stream.local, 0, service.encode() + b"\0"))
        return stream.local

    def _on_okay(self, message: AdbMessage) -> list[Event]:
        stream = self._streams.get(message.arg1)
        if stream is None:
            return []
        if stream.state is StreamState.WAITING:
            stream.remote, stream.state = message.arg0, StreamState.OPEN
            return [StreamAccepted(stream.local)]
        if stream.state is not StreamState.OPEN or message.arg0 != stream.remote:
            raise ProtocolError(f"unexpected OKAY on stream {stream.local}")
        stream.awaiting_okay = False
        self._flush(stream)
        if stream.awaiting_okay:
            return []
        if stream.close_after:
            self._end(stream)
            return []
        return [StreamDrained(stream.local)]

    def _on_write(self, message: AdbMessage) -> list[Event]:
        stream = self._streams.get(message.arg1)
        if stream is None or stream.remote != message.arg0:
            # AOSP answers so for a stream that has been closed meanwhile.
            self._send(AdbMessage(AdbCommand.CLSE, 0, message.arg0))
            return []
        if stream.state is not StreamState.OPEN or stream.unacknowledged_received >= _MAX_UNACKNOWLEDGED:
            raise ProtocolError(f"WRTE on stream {stream.local} before earlier ones were acknowledged")
        stream.unacknowledged_received += 1
        return [DataReceived(stream.local, message.data)]

    def acknowledge(self, number: int) -> None:
        """Acknowledge one `DataReceived` of a stream: the peer may send more."""
        stream = self._stream(number, StreamState.OPEN)
        if not stream.unacknowledged_received:
            raise LocalProtocolError(f"stream {number} has nothing to acknowledge")
        stream.unacknowledged_received -= 1
        self._send(AdbMessage(AdbCommand.OKAY, stream.local, stream.remote))

    def _on_close(self, message: AdbMessage) -> list[Event]:
        stream = self._streams.pop(message.arg1, None)
        if stream is None:
            return []
        if stream.state is not StreamState.WAITING:
            # Without a CLSE in answer some clients wait forever.
            self._send(AdbMessage(AdbCommand.CLSE, stream.local, stream.remote))
        return [StreamClosed(stream.local)]

    def write(self, number: int, data: bytes) -> bool:
        """Send bytes on a stream; what cannot be sent now is queued.

        Args:
            number: The stream.
            data: Any number of bytes; data within the payload limit is sent as one WRTE.

        Returns:
            Whether all of it was sent; if not, wait for `StreamDrained`.
        """
        stream = self._stream(number, StreamState.OPEN)
        if stream.close_after:
            raise LocalProtocolError(f"stream {number} is being closed")
        for start in range(0, len(data), self._limit):
            stream.queue.append(data[start : start + self._limit])
        self._flush(stream)
        return not stream.queue

    def end_stream(self, number: int) -> None:
        """Close a stream once all writes are acknowledged; does nothing if it is closed."""
        stream = self._streams.get(number)
        if stream is None:
            return
        if stream.state is StreamState.OPENING:
            raise LocalProtocolError(f"stream {number} was neither accepted nor refused")
        if stream.awaiting_okay or stream.queue:
            stream.close_after = True
        else:
            self._end(stream)

    def is_open(self, number: int) -> bool:
        """Return whether a stream can be written to."""
        stream = self._streams.get(number)
        return stream is not None and stream.state is StreamState.OPEN and not stream.close_after

    def _end(self, stream: _Stream) -> None:
        self._send(AdbMessage(AdbCommand.CLSE, stream.local, stream.remote))
        del self._streams[stream.local]

    def _flush(self, stream: _Stream) -> None:
        if stream.queue and not stream.awaiting_okay:
            stream.awaiting_okay = True
            self._send(AdbMessage(AdbCommand.WRTE, stream.local, stream.remote, stream.queue.popleft()))

    def _require(self, state: ConnectionState) -> None:
        if self.state is not state:
            raise LocalProtocolError(f"the connection is {self.state.value}, not {state.value}")

    def _stream(self, number: int, state: StreamState) -> _Stream:
        stream = self._streams.get(number)
        if stream is None or stream.state is not state:
            raise LocalProtocolError(f"stream {number} is not {state.value}")
        return stream

    def _send(self, message: AdbMessage) -> None:
        self._out += message.encode(checksum=self._checksum)
