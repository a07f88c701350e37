"""MP4 files by ISO/IEC 14496-12 and -14."""

from __future__ import annotations

import struct
from collections.abc import Iterator

import pytest

from garabench.core.geometry import Size
from garabench.virtual.android.mp4 import encode_mp4

CONTAINERS = {b"moov", b"trak", b"mdia", b"minf", b"dinf", b"stbl"}


def boxes(
    data: bytes, start: int = 0, end: int | None = None, path: str = ""
) -> Iterator[tuple[str, int, bytes]]:
    """Path, place of the content and content of every box."""
    at = start
    while at < (len(data) if end is None else end):
        length, kind = struct.unpack_from(">I4s", data, at)
        assert length >= 8
        name = f"{path}/{kind.decode()}"
        yield name, at + 8, data[at + 8 : at + length]
        if kind in CONTAINERS:
            yield from boxes(data, at + 8, at + length, name)
        at += length
    assert at == (len(data) if end is None else end)


def frames_of(data: bytes) -> list[tuple[bytes, int]]:
    """Parse a recording: its frames and their durations."""
    found = {name: content for name, _, content in boxes(data)}
    table = "/moov/trak/mdia/minf/stbl"
    sizes, times, places = found[f"{table}/stsz"], found[f"{table}/stts"], found[f"{table}/stco"]
    count = struct.unpack_from(">I", sizes, 8)[0]
    (at,) = struct.unpack_from(">I", places, 8)
    read = []
    for number in range(count):
        (size,) = struct.unpack_from(">I", sizes, 12 + 4 * number)
        repeated, duration = struct.unpack_from(">II", times, 8 + 8 * number)
        assert repeated == 1
        read.append((data[at : at + size], duration))
        at += size
    return read


def test_a_recording_can_be_parsed() -> None:
    frames = [(b"first" * 30, 40), (b"second", 1000), (b"3", 1)]
    data = encode_mp4(Size(720, 1280), frames)
    assert data[4:8] == b"ftyp"
    assert frames_of(data) == frames
    found = {name: content for name, _, content in boxes(data)}
    assert struct.unpack_from(">II", found["/moov/mvhd"], 12) == (1000, 1041)
    assert struct.unpack_from(">II", found["/moov/trak/tkhd"], 76) == (720 << 16, 1280 << 16)
    assert len(found["/moov/mvhd"]) == 100
    assert len(found["/moov/trak/tkhd"]) == 84
    entry = found["/moov/trak/mdia/minf/stbl/stsd"][8:]
    assert entry[4:8] == b"mp4v"
    assert struct.unpack_from(">HH", entry, 32) == (720, 1280)
    assert entry[86 + 4 : 86 + 8] == b"esds"
    assert entry[86 + 8 + 4 + 5 + 2] == 0x6C  # the codec is JPEG


def test_a_recording_needs_a_frame() -> None:
    with pytest.raises(ValueError, match="at least one frame"):
        encode_mp4(Size(1, 1), [])
