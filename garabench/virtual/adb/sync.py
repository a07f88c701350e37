"""The sync service (AOSP ``file_sync_service.h``), versions 1 and 2, without a socket.

Requests come in as bytes; replies go out as blocks of bytes, each of which must be sent in one WRTE:
adbutils reads a STAT reply with a single ``recv(12)``.
"""

from __future__ import annotations

import posixpath
import stat as mode_bits
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

_ID_AND_LENGTH = struct.Struct("<4sI")
_STAT1 = struct.Struct("<4sIII")
_STAT2 = struct.Struct("<4sIQQIIIIQqqq")
_DENT1 = struct.Struct("<4sIIII")
_DENT2 = struct.Struct("<4sIQQIIIIQqqqI")
_MAX_CHUNK = 64 * 1024
_MAX_PATH = 1024
_NO_ENTRY = 2


@dataclass(frozen=True, slots=True)
class FileStat:
    """Metadata of a file.

    Attributes:
        mode: Type and permission bits, as in ``st_mode``.
        size: Bytes.
        mtime: Seconds since 1970.
    """

    mode: int
    size: int
    mtime: int


class SyncFiles(Protocol):
    """The file system behind the service; paths are absolute or relative to the root."""

    def stat(self, path: str) -> FileStat | None:
        """Return the metadata of a file, or None if it does not exist."""
        ...

    def lstat(self, path: str) -> FileStat | None:
        """Return the metadata of a file or of the symbolic link itself, or None if it does not exist."""
        ...

    def listdir(self, path: str) -> tuple[str, ...] | None:
        """Return the names in a directory, or None if it is not one."""
        ...

    def read(self, path: str) -> bytes:
        """Return a file's bytes.

        Raises:
            OSError: It cannot be read.
        """
        ...

    def write(self, path: str, data: bytes, *, mode: int, mtime: int) -> None:
        """Write a whole file, creating its parent directories.

        Raises:
            OSError: It cannot be written.
        """
        ...


@dataclass(slots=True)
class _Receiving:
    """A file that the peer is sending."""

    path: str
    mode: int
    data: bytearray


class SyncSession:
    """A stream of the sync service.

    Attributes:
        closed: Whether the peer has sent QUIT or violated the protocol, so that the stream must be closed.
    """

    def __init__(self, files: SyncFiles) -> None:
        self._files = files
        self._buffer = bytearray()
        self._receiving: _Receiving | None = None
        self._second: str | None = None  # the path of a SND2 or RCV2 until its second half arrives
        self.closed = False

    def feed(self, data: bytes) -> Iterator[bytes]:
        """Receive bytes.

        Yields:
            Blocks to send, each in one WRTE.
        """
        self._buffer += data
        while not self.closed and len(self._buffer) >= _ID_AND_LENGTH.size:
            kind, number = _ID_AND_LENGTH.unpack_from(self._buffer)
            if self._second is not None:
                size = _SECOND_SIZES.get(kind, 0)
                body = size - _ID_AND_LENGTH.size
            else:
                body = 0 if kind in (b"DONE", b"QUIT") else number
            limit = _MAX_CHUNK if self._receiving is not None else _MAX_PATH
            if body < 0 or body > limit:
                yield from self._stop(f"a block of {number} bytes does not fit here")
                return
            end = _ID_AND_LENGTH.size + body
            if len(self._buffer) < end:
                return
            block = bytes(self._buffer[_ID_AND_LENGTH.size : end])
            del self._buffer[:end]
            yield from self._block(kind, number, block)

    def _stop(self, reason: str) -> Iterator[bytes]:
        self.closed = True
        yield fail(reason)

    def _block(self, kind: bytes, number: int, block: bytes) -> Iterator[bytes]:
        if self._receiving is not None:
            yield from self._file_block(kind, number, block)
        elif self._second is not None:
            path, self._second = self._second, None
            flags = int.from_bytes(block[-4:], "little") if kind == b"SND2" else number
            if flags:
                yield from self._stop(f"unsupported flags {flags:#x}")  # compression is not advertised
            elif kind == b"SND2":
                yield from self._begin_send(path, number)
            else:
                yield from self._send_file(path)
        else:
            yield from self._request(kind, block.decode("utf-8", errors="surrogateescape"))

    def _request(self, kind: bytes, text: str) -> Iterator[bytes]:
        match kind:
            case b"STAT":
                found = self._files.lstat(text) or FileStat(0, 0, 0)
                yield _STAT1.pack(b"STAT", found.mode, found.size & 0xFFFFFFFF, found.mtime & 0xFFFFFFFF)
            case b"STA2":
                yield stat2(kind, self._files.stat(text))
            case b"LST2":
                yield stat2(kind, self._files.lstat(text))
            case b"LIST" | b"LIS2":
                yield from self._list(kind, text)
            case b"RECV":
                yield from self._send_file(text)
            case b"SEND":
                # ``path,mode`` with the mode in decimal; a path may contain commas.
                path, comma, mode = text.rpartition(",")
                if not comma or not mode.isdigit():
                    yield from self._stop("SEND without a mode")
                else:
                    yield from self._begin_send(path, int(mode))
            case b"SND2" | b"RCV2":
                self._second = text
            case b"QUIT":
                self.closed = True
            case _:
                yield from self._stop(f"unknown command {kind!r}")

    def _list(self, kind: bytes, path: str) -> Iterator[bytes]:
        found_names = self._files.listdir(path)
        names = () if found_names is None else (".", "..", *found_names)  # as readdir gives them
        for name in names:
            raw = name.encode("utf-8", errors="surrogateescape")
            metadata = self._files.stat if name in (".", "..") else self._files.lstat
            found = metadata(posixpath.normpath(posixpath.join(path, name))) or FileStat(0, 0, 0)
            if kind == b"LIST":
                size, mtime = found.size & 0xFFFFFFFF, found.mtime & 0xFFFFFFFF
                yield _DENT1.pack(b"DENT", found.mode, size, mtime, len(raw)) + raw
            else:
                times = (found.mtime,) * 3
                yield _DENT2.pack(b"DNT2", 0, 0, 0, found.mode, 1, 0, 0, found.size, *times, len(raw)) + raw
        if kind == b"LIST":
            yield _DENT1.pack(b"DONE", 0, 0, 0, 0)
        else:
            yield _DENT2.pack(b"DONE", *(0,) * 12)

    def _send_file(self, path: str) -> Iterator[bytes]:
        found = self._files.stat(path)
        if found is None:
            yield fail("open failed: No such file or directory")
            return
        if mode_bits.S_ISDIR(found.mode):
            yield fail("read failed: Is a directory")
            return
        try:
            data = self._files.read(path)
        except OSError as error:
            yield fail(f"open failed: {error.strerror or error}")
            return
        for start in range(0, len(data), _MAX_CHUNK):
            chunk = data[start : start + _MAX_CHUNK]
            yield _ID_AND_LENGTH.pack(b"DATA", len(chunk)) + chunk
        yield _ID_AND_LENGTH.pack(b"DONE", 0)

    def _begin_send(self, path: str, mode: int) -> Iterator[bytes]:
        self._receiving = _Receiving(path, mode, bytearray())
        yield from ()

    def _file_block(self, kind: bytes, number: int, block: bytes) -> Iterator[bytes]:
        receiving = self._receiving
        if receiving is None or kind not in (b"DATA", b"DONE"):
            yield from self._stop(f"{kind!r} in the middle of a file")
            return
        if kind == b"DATA":
            receiving.data += block
            return
        self._receiving = None
        if mode_bits.S_ISLNK(receiving.mode):
            yield fail("symlink failed: Operation not permitted")  # as on shared storage
            return
        permissions = receiving.mode & 0o777 or 0o644
        try:
            self._files.write(receiving.path, bytes(receiving.data), mode=permissions, mtime=number)
        except OSError as error:
            yield fail(f"couldn't create file: {error.strerror or error}")
            return
        yield _ID_AND_LENGTH.pack(b"OKAY", 0)


_SECOND_SIZES = {b"SND2": 12, b"RCV2": 8}
"""Sizes of the second half: ``id, mode, flags`` and ``id, flags``."""


def fail(reason: str) -> bytes:
    """Encode the failure of a request."""
    raw = reason.encode("utf-8", errors="surrogateescape")
    return _ID_AND_LENGTH.pack(b"FAIL", len(raw)) + raw


def stat2(kind: bytes, found: FileStat | None) -> bytes:
    """Encode the reply of ``stat_v2``; a missing file has an errno and zeros."""
    if found is None:
        return _STAT2.pack(kind, _NO_ENTRY, *(0,) * 10)
    times = (found.mtime,) * 3
    return _STAT2.pack(kind, 0, 0, 0, found.mode, 1, 0, 0, found.size, *times)
