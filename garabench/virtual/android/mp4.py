"""Write JPEG frames as an MP4 file (ISO/IEC 14496-12 and -14), which needs no video encoder."""

from __future__ import annotations

import struct
from collections.abc import Sequence

from garabench.core.geometry import Size

_JPEG_OBJECT_TYPE = 0x6C
"""The object type of ISO/IEC 10918-1 (JPEG) in an elementary stream's descriptor."""
_VISUAL = 0x11
_MATRIX = struct.pack(">9i", 1 << 16, 0, 0, 0, 1 << 16, 0, 0, 0, 1 << 30)
_SCALE = 1000
"""Ticks per second: durations are in milliseconds."""


def _box(kind: bytes, *parts: bytes) -> bytes:
    body = b"".join(parts)
    return struct.pack(">I4s", 8 + len(body), kind) + body


def _full(kind: bytes, flags: int, *parts: bytes) -> bytes:
    return _box(kind, struct.pack(">I", flags), *parts)


def _descriptor(tag: int, *parts: bytes) -> bytes:
    body = b"".join(parts)
    return bytes([tag, len(body)]) + body


def encode_mp4(size: Size, frames: Sequence[tuple[bytes, int]]) -> bytes:
    """Encode an MP4 file.

    Args:
        size: Size of every frame, in pixels.
        frames: JPEG data and duration in ms of each frame.

    Raises:
        ValueError: There is no frame.
    """
    if not frames:
        raise ValueError("a recording needs at least one frame")
    head = _box(b"ftyp", b"isom", struct.pack(">I", 512), b"isomiso2mp41")
    data = b"".join(picture for picture, _ in frames)
    first = len(head) + 8
    return head + _box(b"mdat", data) + _movie(size, frames, first)


def _movie(size: Size, frames: Sequence[tuple[bytes, int]], first: int) -> bytes:
    length = sum(duration for _, duration in frames)
    header = _full(
        b"mvhd",
        0,
        struct.pack(">IIIIIH10x", 0, 0, _SCALE, length, 1 << 16, 1 << 8),
        _MATRIX,
        struct.pack(">24xI", 2),
    )
    track = _full(
        b"tkhd",
        3,
        struct.pack(">IIIIIIIHHHH", 0, 0, 1, 0, length, 0, 0, 0, 0, 0, 0),
        _MATRIX,
        struct.pack(">II", size.width << 16, size.height << 16),
    )
    media = _box(
        b"mdia",
        _full(b"mdhd", 0, struct.pack(">IIIIHH", 0, 0, _SCALE, length, 0x55C4, 0)),
        _full(b"hdlr", 0, struct.pack(">I4s12x", 0, b"vide"), b"screen\0"),
        _box(
            b"minf",
            _full(b"vmhd", 1, struct.pack(">8x")),
            _box(b"dinf", _full(b"dref", 0, struct.pack(">I", 1), _full(b"url ", 1))),
            _table(size, frames, first),
        ),
    )
    return _box(b"moov", header, _box(b"trak", track, media))


def _table(size: Size, frames: Sequence[tuple[bytes, int]], first: int) -> bytes:
    """Return the sample table: offset and duration of each frame."""
    count = len(frames)
    config = _descriptor(4, struct.pack(">BBxHII", _JPEG_OBJECT_TYPE, _VISUAL, 0, 0, 0))
    stream = _full(b"esds", 0, _descriptor(3, struct.pack(">HB", 1, 0), config, _descriptor(6, b"\x02")))
    entry = _box(
        b"mp4v",
        struct.pack(">6xH16x", 1),
        struct.pack(">HHIIIH32sHh", size.width, size.height, 72 << 16, 72 << 16, 0, 1, b"", 24, -1),
        stream,
    )
    return _box(
        b"stbl",
        _full(b"stsd", 0, struct.pack(">I", 1), entry),
        _full(
            b"stts",
            0,
            struct.pack(">I", count),
            *(struct.pack(">II", 1, duration) for _, duration in frames),
        ),
        _full(b"stsc", 0, struct.pack(">IIII", 1, 1, count, 1)),
        _full(
            b"stsz", 0, struct.pack(">II", 0, count), *(struct.pack(">I", len(data)) for data, _ in frames)
        ),
        _full(b"stco", 0, struct.pack(">II", 1, first)),
    )
