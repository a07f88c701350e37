"""The device's side of an ADB connection, without a socket: bytes in, events out; calls in, bytes out.

Model: h11. The state of the connection and of each stream is explicit, and a call that does not fit the
state raises `LocalError`; nothing that the peer sends does more than end the connection.

::

    connection:  NEW -> (AUTH) -> ONLINE -> CLOSED
    stream:      opened by the peer: OPENING -> OPEN -> CLOSED
                 opened by us:       WAITING -> OPEN -> CLOSED

At most one WRTE of a stream that we send is unacknowledged; what is written beyond is queued here. The peer
is held to a few: adb sends the rest of what its client wrote at once when the client closes.
"""

from __future__ import annotations

import enum
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field

from garabench.virtual.adb.message import (
    MAX_PAYLOAD,
    VERSION_CHECKSUM,
    VERSION_NO_CHECKSUM,
    Command,
    Message,
    MessageReader,
    ProtocolError,
)

AUTH_TOKEN, AUTH_SIGNATURE, AUTH_RSAPUBLICKEY = 1, 2, 3
TOKEN_SIZE = 20
_MAX_STREAMS = 1024
_MOST_OWED = 64
"""Unacknowledged WRTE of a stream that the peer may have under way."""


class LocalError(Exception):
    """A call does not fit the connection's or the stream's state: our own mistake."""


class State(enum.Enum):
    """Where the connection stands."""

    NEW = "new"
    AUTHENTICATING = "authenticating"
    ONLINE = "online"
    CLOSED = "closed"


class StreamState(enum.Enum):
    """Where a stream stands."""

    OPENING = "opening"
    WAITING = "waiting"
    OPEN = "open"
    CLOSED = "closed"


@dataclass(frozen=True, slots=True)
class Signature:
    """The peer signed the token; answer with `DeviceConnection.accept` or `DeviceConnection.challenge`."""

    signature: bytes


@dataclass(frozen=True, slots=True)
class PublicKey:
    """The peer offers its public key; answer with `DeviceConnection.accept`, or not at all."""

    key: bytes


@dataclass(frozen=True, slots=True)
class Hello:
    """The peer asks for a connection; answer with `accept` or `challenge`."""

    banner: str


@dataclass(frozen=True, slots=True)
class Opened:
    """The peer opens a stream to a service; answer with `accept_stream` or `refuse_stream`."""

    stream: int
    service: str


@dataclass(frozen=True, slots=True)
class StreamReady:
    """A stream that we opened was accepted."""

    stream: int


@dataclass(frozen=True, slots=True)
class Data:
    """Bytes of a stream; call `acknowledge` when they have been taken in."""

    stream: int
    data: bytes


@dataclass(frozen=True, slots=True)
class Drained:
    """Everything that was written to a stream has been acknowledged."""

    stream: int


@dataclass(frozen=True, slots=True)
class StreamClosed:
    """The peer closed a stream, or refused one of ours."""

    stream: int


Event = Signature | PublicKey | Hello | Opened | StreamReady | Data | Drained | StreamClosed


@dataclass(slots=True)
class _Stream:
    local: int
    remote: int
    state: StreamState
    unacknowledged: bool = False
    owed: int = 0
    close_after: bool = False
    queue: deque[bytes] = field(default_factory=deque)


class DeviceConnection:
    """One connection from an adb server.

    Attributes:
        state: Where it stands.
    """

    def __init__(self, properties: Mapping[str, str], features: tuple[str, ...]) -> None:
        """Prepare.

        Args:
            properties: ``ro.product.name``, ``ro.product.model``, ``ro.product.device``.
            features: What to advertise.

        Raises:
            ValueError: A value would break the banner.
        """
        for value in (*properties.values(), *features):
            if any(letter in value for letter in ";=,\0"):
                raise ValueError(f"the banner cannot hold {value!r}")
        pairs = [f"{key}={value}" for key, value in properties.items()]
        self._banner = "device::" + "".join(f"{pair};" for pair in [*pairs, "features=" + ",".join(features)])
        self.state = State.NEW
        self._reader = MessageReader()
        self._checksum = True
        self._limit = MAX_PAYLOAD
        self._streams: dict[int, _Stream] = {}
        self._next = 1
        self._out = bytearray()

    def bytes_to_send(self) -> bytes:
        """What has to go to the peer now."""
        data, self._out = bytes(self._out), bytearray()
        return data

    def receive(self, data: bytes) -> tuple[Event, ...]:
        """Take in bytes from the peer.

        Returns:
            What happened, in order.

        Raises:
            ProtocolError: The peer broke the protocol; the connection is closed.
        """
        if self.state is State.CLOSED:
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
        """The transport is gone (or has to go): every stream ends."""
        self.state = State.CLOSED
        self._streams.clear()

    def _handle(self, message: Message) -> list[Event]:
        command = message.command
        if command is Command.CNXN:
            return self._on_connect(message)
        if command is Command.STLS:
            raise ProtocolError("the device did not ask for TLS")
        if self.state is State.AUTHENTICATING and command is Command.AUTH:
            if message.arg0 == AUTH_SIGNATURE:
                return [Signature(message.data)]
            if message.arg0 == AUTH_RSAPUBLICKEY:
                return [PublicKey(message.data.rstrip(b"\0"))]
            raise ProtocolError(f"AUTH of kind {message.arg0}")
        if self.state is not State.ONLINE:
            raise ProtocolError(f"{command.name} before the connection is set up")
        match command:
            case Command.OPEN:
                return self._on_open(message)
            case Command.OKAY:
                return self._on_okay(message)
            case Command.WRTE:
                return self._on_write(message)
            case Command.CLSE:
                return self._on_close(message)
        return []  # AUTH and SYNC mean nothing here, as in AOSP

    def _on_connect(self, message: Message) -> list[Event]:
        self._streams.clear()
        version = min(message.arg0, VERSION_NO_CHECKSUM)
        if version < VERSION_CHECKSUM:
            raise ProtocolError(f"ADB version {message.arg0:#x} is too old")
        self._checksum = version == VERSION_CHECKSUM
        self._reader.check = self._checksum
        self._limit = max(1, min(message.arg1, MAX_PAYLOAD))
        self._reader.limit = MAX_PAYLOAD
        self.state = State.AUTHENTICATING
        return [Hello(message.data.rstrip(b"\0").decode("utf-8", errors="replace"))]

    def challenge(self, token: bytes) -> None:
        """Ask the peer to sign a token (again).

        Args:
            token: 20 random bytes.
        """
        self._require(State.AUTHENTICATING)
        if len(token) != TOKEN_SIZE:
            raise LocalError(f"a token has {TOKEN_SIZE} bytes")
        self._send(Message(Command.AUTH, AUTH_TOKEN, 0, token))

    def accept(self) -> None:
        """Let the peer in: the connection is online."""
        self._require(State.AUTHENTICATING)
        self.state = State.ONLINE
        version = VERSION_CHECKSUM if self._checksum else VERSION_NO_CHECKSUM
        self._send(Message(Command.CNXN, version, MAX_PAYLOAD, self._banner.encode()))

    def _on_open(self, message: Message) -> list[Event]:
        if message.arg0 == 0:
            raise ProtocolError("OPEN without a stream id")
        service = message.data.rstrip(b"\0").decode("utf-8", errors="surrogateescape")
        if len(self._streams) >= _MAX_STREAMS:
            self._send(Message(Command.CLSE, 0, message.arg0))
            return []
        stream = self._new(message.arg0, StreamState.OPENING)
        return [Opened(stream.local, service)]

    def _new(self, remote: int, state: StreamState) -> _Stream:
        stream = _Stream(self._next, remote, state)
        self._next += 1
        self._streams[stream.local] = stream
        return stream

    def accept_stream(self, number: int) -> None:
        """Accept a stream that the peer opened."""
        stream = self._stream(number, StreamState.OPENING)
        stream.state = StreamState.OPEN
        self._send(Message(Command.OKAY, stream.local, stream.remote))

    def refuse_stream(self, number: int) -> None:
        """Refuse a stream that the peer opened."""
        stream = self._stream(number, StreamState.OPENING)
        self._send(Message(Command.CLSE, 0, stream.remote))
        del self._streams[number]

    def open_stream(self, service: str) -> int:
        """Open a stream to a service of the peer (for ``reverse``); its number."""
        self._require(State.ONLINE)
        stream = self._new(0, StreamState.WAITING)
        self._send(Message(Command.OPEN, stream.local, 0, service.encode() + b"\0"))
        return stream.local

    def _on_okay(self, message: Message) -> list[Event]:
        stream = self._streams.get(message.arg1)
        if stream is None:
            return []
        if stream.state is StreamState.WAITING:
            stream.remote, stream.state = message.arg0, StreamState.OPEN
            return [StreamReady(stream.local)]
        if stream.state is not StreamState.OPEN or message.arg0 != stream.remote:
            raise ProtocolError(f"OKAY does not fit stream {stream.local}")
        stream.unacknowledged = False
        self._flush(stream)
        if stream.unacknowledged:
            return []
        if stream.close_after:
            self._end(stream)
            return []
        return [Drained(stream.local)]

    def _on_write(self, message: Message) -> list[Event]:
        stream = self._streams.get(message.arg1)
        if stream is None or stream.remote != message.arg0:
            # As AOSP does for a stream that has gone meanwhile.
            self._send(Message(Command.CLSE, 0, message.arg0))
            return []
        if stream.state is not StreamState.OPEN or stream.owed >= _MOST_OWED:
            raise ProtocolError(f"WRTE on stream {stream.local} before earlier ones were acknowledged")
        stream.owed += 1
        return [Data(stream.local, message.data)]

    def acknowledge(self, number: int) -> None:
        """One more `Data` of a stream was taken in: the peer may send more."""
        stream = self._stream(number, StreamState.OPEN)
        if not stream.owed:
            raise LocalError(f"stream {number} has nothing to acknowledge")
        stream.owed -= 1
        self._send(Message(Command.OKAY, stream.local, stream.remote))

    def _on_close(self, message: Message) -> list[Event]:
        stream = self._streams.pop(message.arg1, None)
        if stream is None:
            return []
        if stream.state is not StreamState.WAITING:
            # Without an answering CLSE some clients wait for ever.
            self._send(Message(Command.CLSE, stream.local, stream.remote))
        return [StreamClosed(stream.local)]

    def write(self, number: int, data: bytes) -> bool:
        """Send bytes on a stream; what cannot go now is queued.

        Args:
            number: The stream.
            data: Any number of bytes; what fits the payload limit leaves in one WRTE.

        Returns:
            Whether all of it has left; when not, wait for `Drained`.
        """
        stream = self._stream(number, StreamState.OPEN)
        if stream.close_after:
            raise LocalError(f"stream {number} is being closed")
        for start in range(0, len(data), self._limit):
            stream.queue.append(data[start : start + self._limit])
        self._flush(stream)
        return not stream.queue

    def end_stream(self, number: int) -> None:
        """Close a stream once everything that was written has been acknowledged; harmless when gone."""
        stream = self._streams.get(number)
        if stream is None:
            return
        if stream.state is StreamState.OPENING:
            raise LocalError(f"stream {number} was neither accepted nor refused")
        if stream.unacknowledged or stream.queue:
            stream.close_after = True
        else:
            self._end(stream)

    def is_open(self, number: int) -> bool:
        """Whether a stream can be written to."""
        stream = self._streams.get(number)
        return stream is not None and stream.state is StreamState.OPEN and not stream.close_after

    def _end(self, stream: _Stream) -> None:
        self._send(Message(Command.CLSE, stream.local, stream.remote))
        del self._streams[stream.local]

    def _flush(self, stream: _Stream) -> None:
        if stream.queue and not stream.unacknowledged:
            stream.unacknowledged = True
            self._send(Message(Command.WRTE, stream.local, stream.remote, stream.queue.popleft()))

    def _require(self, state: State) -> None:
        if self.state is not state:
            raise LocalError(f"the connection is {self.state.value}, not {state.value}")

    def _stream(self, number: int, state: StreamState) -> _Stream:
        stream = self._streams.get(number)
        if stream is None or stream.state is not state:
            raise LocalError(f"stream {number} is not {state.value}")
        return stream

    def _send(self, message: Message) -> None:
        self._out += message.encode(checksum=self._checksum)
