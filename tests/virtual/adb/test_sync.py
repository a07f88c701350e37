"""The sync service (AOSP ``file_sync_protocol.h``, ``file_sync_service.cpp``)."""

from __future__ import annotations

import stat
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from garabench.virtual.adb.sync import FileStat, SyncSession


class Files:
    """A flat set of files below /sdcard."""

    def __init__(self) -> None:
        self.files: dict[str, tuple[bytes, int, int]] = {"/sdcard/a.txt": (b"hello", 0o644, 1000)}

    def stat(self, path: str) -> FileStat | None:
        if path.rstrip("/") == "/sdcard":
            return FileStat(stat.S_IFDIR | 0o771, 0, 5)
        if path not in self.files:
            return None
        data, mode, mtime = self.files[path]
        return FileStat(stat.S_IFREG | mode, len(data), mtime)

    def lstat(self, path: str) -> FileStat | None:
        return self.stat(path)

    def listdir(self, path: str) -> tuple[str, ...] | None:
        if path.rstrip("/") != "/sdcard":
            return None
        return tuple(name.rpartition("/")[2] for name in self.files)

    def read(self, path: str) -> bytes:
        return self.files[path][0]

    def write(self, path: str, data: bytes, *, mode: int, mtime: int) -> None:
        if path.startswith("/system"):
            raise PermissionError(30, "Read-only file system")
        self.files[path] = (data, mode, mtime)


def request_block(kind: bytes, text: str) -> bytes:
    raw = text.encode()
    return struct.pack("<4sI", kind, len(raw)) + raw


def exchange(
    data: bytes, *, cut: int = 1 << 20, files: Files | None = None
) -> tuple[list[bytes], SyncSession]:
    session = SyncSession(files or Files())
    blocks = [b for at in range(0, len(data), cut) for b in session.feed(data[at : at + cut])]
    return blocks, session


def test_a_stat_reply_is_one_block() -> None:
    blocks, _ = exchange(request_block(b"STAT", "/sdcard/a.txt") + request_block(b"STAT", "/nowhere"))
    assert blocks == [
        struct.pack("<4sIII", b"STAT", stat.S_IFREG | 0o644, 5, 1000),
        struct.pack("<4sIII", b"STAT", 0, 0, 0),
    ]


def test_stat_v2_has_an_errno() -> None:
    (present, absent), _ = exchange(
        request_block(b"LST2", "/sdcard/a.txt") + request_block(b"STA2", "/nowhere")
    )
    assert len(present) == len(absent) == 72
    assert struct.unpack_from("<4sI", present) == (b"LST2", 0)
    assert struct.unpack_from("<Q", present, 40) == (5,)
    assert struct.unpack_from("<4sI", absent) == (b"STA2", 2)


def test_a_file_is_read_in_chunks() -> None:
    files = Files()
    files.files["/sdcard/big"] = (bytes(200_000), 0o644, 0)
    blocks, _ = exchange(request_block(b"RECV", "/sdcard/big"), files=files)
    assert [block[:4] for block in blocks] == [b"DATA"] * 4 + [b"DONE"]
    assert sum(len(block) - 8 for block in blocks[:-1]) == 200_000


def test_a_missing_file_fails_and_the_stream_continues() -> None:
    blocks, session = exchange(
        request_block(b"RECV", "/no") + request_block(b"RECV", "/sdcard") + request_block(b"STAT", "/no")
    )
    assert blocks[0] == request_block(b"FAIL", "open failed: No such file or directory")
    assert b"Is a directory" in blocks[1]
    assert blocks[2][:4] == b"STAT"
    assert not session.closed


def test_a_listing_ends_with_done() -> None:
    first, second = (exchange(request_block(kind, "/sdcard"))[0] for kind in (b"LIST", b"LIS2"))
    assert [block[20:] for block in first[:-1]] == [b".", b"..", b"a.txt"]
    assert first[-1] == struct.pack("<4sIIII", b"DONE", 0, 0, 0, 0)
    assert [block[76:] for block in second[:-1]] == [b".", b"..", b"a.txt"]
    assert len(second[-1]) == 76
    assert exchange(request_block(b"LIST", "/nowhere"))[0] == [first[-1]]


@given(st.binary(max_size=3000), st.integers(1, 200), st.booleans())
def test_a_file_arrives_for_any_chunking(data: bytes, cut: int, version_2: bool) -> None:
    files = Files()
    path = "/sdcard/x,y.bin"
    if version_2:
        request = request_block(b"SND2", path) + struct.pack("<4sII", b"SND2", 0o100600, 0)
    else:
        request = request_block(b"SEND", f"{path},{0o100600}")
    for start in range(0, len(data), 1000):
        chunk = data[start : start + 1000]
        request += struct.pack("<4sI", b"DATA", len(chunk)) + chunk
    request += struct.pack("<4sI", b"DONE", 1234) + request_block(b"QUIT", "")
    blocks, session = exchange(request, cut=cut, files=files)
    assert blocks == [struct.pack("<4sI", b"OKAY", 0)]
    assert files.files[path] == (data, 0o600, 1234)
    assert session.closed


def test_a_failed_write_reports_the_reason() -> None:
    request = request_block(b"SEND", "/system/x,420") + struct.pack("<4sI", b"DONE", 0)
    assert exchange(request)[0] == [request_block(b"FAIL", "couldn't create file: Read-only file system")]


@given(st.binary(max_size=200))
def test_any_bytes_are_answered_or_end_the_stream(data: bytes) -> None:
    blocks, _ = exchange(data)
    assert all(block[:4] in (b"STAT", b"FAIL", b"DONE", b"DENT", b"OKAY") for block in blocks)


@pytest.mark.parametrize(
    ("request_", "reason"),
    [
        (
            request_block(b"SND2", "/sdcard/x") + struct.pack("<4sII", b"SND2", 0o100644, 2),
            "unsupported flags 0x2",
        ),
        (request_block(b"RCV2", "/sdcard/a.txt") + struct.pack("<4sI", b"RCV2", 1), "unsupported flags 0x1"),
        (request_block(b"SEND", "/sdcard/x"), "SEND without a mode"),
        (request_block(b"WHAT", "/sdcard/x"), "unknown command b'WHAT'"),
        (struct.pack("<4sI", b"STAT", 5000), "a block of 5000 bytes does not fit here"),
        (
            request_block(b"SEND", "/sdcard/x,420") + struct.pack("<4sI", b"DATA", 70_000),
            "a block of 70000 bytes",
        ),
        (request_block(b"SEND", "/sdcard/x,420") + request_block(b"STAT", "/"), "in the middle of a file"),
        (request_block(b"SND2", "/sdcard/x") + request_block(b"STAT", "/sdcard"), "does not fit here"),
    ],
)
def test_a_protocol_violation_is_reported_and_ends_the_stream(request_: bytes, reason: str) -> None:
    files = Files()
    blocks, session = exchange(request_ + request_block(b"STAT", "/sdcard"), files=files)
    assert [block[:4] for block in blocks] == [b"FAIL"]
    assert reason.encode() in blocks[0]
    assert session.closed
    assert list(files.files) == ["/sdcard/a.txt"]


def test_a_symbolic_link_is_refused_and_the_stream_continues() -> None:
    target = b"a.txt"
    request = request_block(b"SEND", f"/sdcard/link,{stat.S_IFLNK | 0o777}") + struct.pack(
        "<4sI", b"DATA", len(target)
    )
    blocks, session = exchange(
        request + target + struct.pack("<4sI", b"DONE", 0) + request_block(b"STAT", "/sdcard/link")
    )
    assert blocks[0] == request_block(b"FAIL", "symlink failed: Operation not permitted")
    assert blocks[1] == struct.pack("<4sIII", b"STAT", 0, 0, 0)
    assert not session.closed


def test_a_failed_read_reports_the_reason() -> None:
    class Locked(Files):
        def read(self, path: str) -> bytes:
            raise PermissionError(13, "Permission denied")

    blocks, _ = exchange(request_block(b"RECV", "/sdcard/a.txt"), files=Locked())
    assert blocks == [request_block(b"FAIL", "open failed: Permission denied")]


def test_version_2_lists_names_sizes_and_modes() -> None:
    (*_, entry, done), _ = exchange(request_block(b"LIS2", "/sdcard"))
    fields = struct.unpack_from("<4sIQQIIIIQqqqI", entry)
    assert fields[0] == b"DNT2"
    assert (fields[1], fields[4], fields[8], fields[10]) == (0, stat.S_IFREG | 0o644, 5, 1000)
    assert entry[-fields[12] :] == b"a.txt"
    assert done[:4] == b"DONE"
