"""The shell protocol (``shell_v2``): packets of an id, a length and bytes on one stream."""

from __future__ import annotations

import enum
import struct
from dataclasses import dataclass

_HEADER = struct.Struct("<BI")
_MOST = 1 << 20


class Id(enum.IntEnum):
    """What a packet carries (AOSP ``shell_protocol.h``)."""

    STDIN = 0
    STDOUT = 1
    STDERR = 2
    EXIT = 3
    CLOSE_STDIN = 4
    WINDOW_SIZE = 5


@dataclass(frozen=True, slots=True)
class Packet:
    """One packet."""

    id: Id
    data: bytes = b""

    def encode(self) -> bytes:
        """The packet's bytes."""
        return _HEADER.pack(self.id, len(self.data)) + self.data


def exit_packet(status: int) -> bytes:
    """The bytes that end a shell: its exit status in one byte."""
    return Packet(Id.EXIT, bytes([status & 0xFF])).encode()


class PacketReader:
    """Cuts a stream into packets."""

    def __init__(self) -> None:
        self._buffer = bytearray()

    def feed(self, data: bytes) -> tuple[Packet, ...]:
        """The packets that are whole after some more bytes.

        Raises:
            ValueError: A packet is too large or of an unknown kind.
        """
        self._buffer += data
        packets = []
        while len(self._buffer) >= _HEADER.size:
            number, length = _HEADER.unpack_from(self._buffer)
            if length > _MOST:
                raise ValueError(f"a packet of {length} bytes")
            if len(self._buffer) < _HEADER.size + length:
                break
            packets.append(Packet(Id(number), bytes(self._buffer[_HEADER.size : _HEADER.size + length])))
            del self._buffer[: _HEADER.size + length]
        return tuple(packets)
