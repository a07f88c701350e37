"""The shell protocol (``shell_v2``): packets of an id, a length and bytes on one stream."""

from __future__ import annotations

import enum
import struct
from dataclasses import dataclass

_HEADER = struct.Struct("<BI")
_MAX_PACKET = 1 << 20


class PacketId(enum.IntEnum):
    """Packet ids (AOSP ``shell_protocol.h``)."""

    STDIN = 0
    STDOUT = 1
    STDERR = 2
    EXIT = 3
    CLOSE_STDIN = 4
    WINDOW_SIZE = 5


@dataclass(frozen=True, slots=True)
class ShellPacket:
    """A packet of the shell protocol."""

    id: PacketId
    data: bytes = b""

    def encode(self) -> bytes:
        """Encode the packet."""
        return _HEADER.pack(self.id, len(self.data)) + self.data


def exit_packet(status: int) -> bytes:
    """Encode the last packet of a shell: its exit status in one byte."""
    return ShellPacket(PacketId.EXIT, bytes([status & 0xFF])).encode()


class PacketReader:
    """Parses a stream of bytes into packets."""

    def __init__(self) -> None:
        self._buffer = bytearray()

    def feed(self, data: bytes) -> tuple[ShellPacket, ...]:
        """Receive bytes; return the packets they complete.

        Raises:
            ValueError: A packet is too large or of an unknown kind.
        """
        self._buffer += data
        packets = []
        while len(self._buffer) >= _HEADER.size:
            number, length = _HEADER.unpack_from(self._buffer)
            if length > _MAX_PACKET:
                raise ValueError(f"oversized packet of {length} bytes")
            if len(self._buffer) < _HEADER.size + length:
                break
            packets.append(
                ShellPacket(PacketId(number), bytes(self._buffer[_HEADER.size : _HEADER.size + length]))
            )
            del self._buffer[: _HEADER.size + length]
        return tuple(packets)
