"""ADB's messages: a header of 24 bytes and a payload (AOSP ``packages/modules/adb/protocol.txt``)."""

from __future__ import annotations

import enum
import struct
from dataclasses import dataclass

VERSION_CHECKSUM = 0x01000000
"""The version whose messages carry a checksum; the virtual phone advertises it."""
VERSION_NO_CHECKSUM = 0x01000001
MAX_PAYLOAD_BEFORE_CNXN = 4096
MAX_PAYLOAD = 1024 * 1024
_HEADER = struct.Struct("<6I")
HEADER_SIZE = _HEADER.size


class AdbCommand(enum.IntEnum):
    """The commands, each its four letters as a little-endian number."""

    CNXN = 0x4E584E43
    AUTH = 0x48545541
    OPEN = 0x4E45504F
    OKAY = 0x59414B4F
    WRTE = 0x45545257
    CLSE = 0x45534C43
    STLS = 0x534C5453
    SYNC = 0x434E5953


class ProtocolError(Exception):
    """The peer violated the protocol; the connection must be closed."""


@dataclass(frozen=True, slots=True)
class AdbMessage:
    """An ADB message.

    Attributes:
        command: Its command.
        arg0, arg1: Its arguments; for streams the sender's and the receiver's ids.
        data: The payload.
    """

    command: AdbCommand
    arg0: int
    arg1: int
    data: bytes = b""

    def __post_init__(self) -> None:
        if not (0 <= self.arg0 < 1 << 32 and 0 <= self.arg1 < 1 << 32):
            raise ValueError("an argument must fit 32 bits")
        if len(self.data) > MAX_PAYLOAD:
            raise ValueError(f"a payload of {len(self.data)} bytes is over the limit of {MAX_PAYLOAD}")

    def encode(self, *, checksum: bool) -> bytes:
        """Encode the message.

        Args:
            checksum: Whether the peer expects a checksum (its version is 0x01000000).
        """
        total = sum(self.data) & 0xFFFFFFFF if checksum else 0
        magic = self.command ^ 0xFFFFFFFF
        header = _HEADER.pack(self.command, self.arg0, self.arg1, len(self.data), total, magic)
        return header + self.data


class MessageReader:
    """Parses a stream of bytes into messages.

    Attributes:
        limit: Largest accepted payload; 4 KiB until the connection is set up.
        check: Whether checksums are verified where the sender sends one.
    """

    def __init__(self) -> None:
        self.limit = MAX_PAYLOAD_BEFORE_CNXN
        self.check = True
        self._buffer = bytearray()

    def feed(self, data: bytes) -> None:
        """Receive bytes from the transport."""
        self._buffer += data

    def next(self) -> AdbMessage | None:
        """Return the next complete message, or None while more bytes are needed.

        Raises:
            ProtocolError: The bytes are not a message.
        """
        if len(self._buffer) < HEADER_SIZE:
            return None
        number, arg0, arg1, length, total, magic = _HEADER.unpack_from(self._buffer)
        if magic != number ^ 0xFFFFFFFF:
            raise ProtocolError(f"the header's magic does not match its command {number:#010x}")
        try:
            command = AdbCommand(number)
        except ValueError as error:
            raise ProtocolError(f"unknown command {number:#010x}") from error
        if length > self.limit:
            raise ProtocolError(f"a payload of {length} bytes is over the limit of {self.limit}")
        if len(self._buffer) < HEADER_SIZE + length:
            return None
        data = bytes(self._buffer[HEADER_SIZE : HEADER_SIZE + length])
        del self._buffer[: HEADER_SIZE + length]
        if self.check and total and total != sum(data) & 0xFFFFFFFF:
            raise ProtocolError("the payload's checksum is wrong")
        return AdbMessage(command, arg0, arg1, data)
