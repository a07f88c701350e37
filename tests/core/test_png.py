"""PNG files, encoded and decoded: Pillow and our own decoder agree on every pixel."""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from garabench.core.png import decode_png, encode_png, is_whole
from garabench.core.seeds import generator
from tests.cases import every_case

SIDES = st.integers(1, 90)


def smooth(width: int, height: int) -> Image.Image:
    """Return an image whose rows differ little from the row above."""
    rows = [
        bytes((37 * x * x + y + band) % 256 for x in range(width) for band in range(3)) for y in range(height)
    ]
    return Image.frombytes("RGB", (width, height), b"".join(rows))


def noise(size: tuple[int, int], mode: str = "RGB") -> Image.Image:
    count = size[0] * size[1] * len(mode)
    return Image.frombytes(mode, size, generator(3, "noise").randbytes(count))


def as_pillow_writes(image: Image.Image) -> bytes:
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def written(
    lines: bytes, *, size: tuple[int, int] = (2, 2), kinds: bytes = b"\x08\x02\0\0\0", more: bytes = b""
) -> bytes:
    """Return a hand-made file: uncompressed lines, the header's last bytes, chunks after the header."""
    return compressed(zlib.compress(lines), size=size, kinds=kinds, more=more)


def compressed(
    data: bytes, *, size: tuple[int, int] = (2, 2), kinds: bytes = b"\x08\x02\0\0\0", more: bytes = b""
) -> bytes:
    """Return a hand-made file with compressed or invalid lines."""
    header = chunk(b"IHDR", struct.pack(">II", *size) + kinds)
    return b"\x89PNG\r\n\x1a\n" + header + more + chunk(b"IDAT", data) + chunk(b"IEND", b"")


WHOLE = b"".join(bytes((kind, *range(6))) for kind in (0, 4))
"""Two lines of two pixels, of which the second is filtered."""


@settings(max_examples=40)
@given(SIDES, SIDES, st.randoms(use_true_random=False))
def test_pillow_reads_back_every_pixel(width, height, source) -> None:
    image = Image.frombytes("RGB", (width, height), source.randbytes(width * height * 3))
    with Image.open(io.BytesIO(encode_png(image))) as read:
        read.load()
        assert (read.format, read.mode, read.size) == ("PNG", "RGB", image.size)
        assert read.tobytes() == image.tobytes()


@pytest.mark.parametrize("size", [(1, 1), (300, 63), (300, 64), (300, 65), (300, 129)])
def test_smooth_pictures_are_filtered_and_round_trip(size) -> None:
    image = smooth(*size)
    with Image.open(io.BytesIO(data := encode_png(image))) as read:
        assert read.tobytes() == image.tobytes()
    assert decode_png(data).tobytes() == image.tobytes()


def test_a_filter_makes_a_smooth_picture_smaller() -> None:
    image = smooth(300, 400)
    lines = b"".join(b"\0" + image.crop((0, y, 300, y + 1)).tobytes() for y in range(400))
    assert len(encode_png(image)) < len(zlib.compress(lines, 1)) / 4


@pytest.mark.parametrize("size", [(1, 1), (300, 64), (300, 129), (30_000, 2)])
def test_incompressible_pictures_are_stored(size) -> None:
    image = noise(size)
    data = encode_png(image)
    lines = (size[0] * 3 + 1) * size[1]
    assert lines < len(data) <= lines + 100 + 5 * (lines // 65_535 + size[1] // 64)
    with Image.open(io.BytesIO(data)) as read:
        assert read.tobytes() == image.tobytes()
    assert decode_png(data).tobytes() == image.tobytes()
    assert is_whole(data) and not is_whole(data[:-30] + b"\x07" + data[-29:])


def test_another_mode_is_refused() -> None:
    with pytest.raises(ValueError, match="found RGBA"):
        encode_png(Image.new("RGBA", (2, 2)))


@settings(max_examples=40)
@given(SIDES, SIDES, st.randoms(use_true_random=False), st.sampled_from([encode_png, as_pillow_writes]))
def test_encoded_pictures_are_decoded(width, height, source, write: Callable[[Image.Image], bytes]) -> None:
    small = Image.frombytes("RGB", (3, 3), source.randbytes(27))
    image = small.resize((width, height), Image.Resampling.BICUBIC)
    data = write(image)
    read = decode_png(data)
    assert read is not None and read.mode == "RGB" and read.size == image.size
    assert read.tobytes() == image.tobytes()
    assert is_whole(data)


@pytest.mark.parametrize("filtered", [False, True])
def test_alpha_is_dropped(filtered) -> None:
    image = smooth(40, 50).convert("RGBA")
    image.putalpha(100)
    lines = b"".join(b"\0" + image.crop((0, y, 40, y + 1)).tobytes() for y in range(50))
    data = as_pillow_writes(image) if filtered else written(lines, size=(40, 50), kinds=b"\x08\x06\0\0\0")
    assert decode_png(data).tobytes() == image.convert("RGB").tobytes()


@pytest.mark.parametrize("mode", ["RGB", "RGBA"])
@pytest.mark.parametrize("height", [1, 63, 64, 65, 200])
def test_every_filter_is_undone(mode: str, height: int) -> None:
    """Any bytes are valid filtered lines; Pillow, which decodes them at once, is the reference."""
    rows = noise((50, height), mode).tobytes()
    stride = 50 * len(mode)
    kinds = [0 if 70 < y < 140 else (y * y // 3 + 4) % 5 for y in range(height)]
    lines = b"".join(bytes((kind,)) + rows[y * stride :][:stride] for y, kind in enumerate(kinds))
    data = written(lines, size=(50, height), kinds=bytes((8, 2 if mode == "RGB" else 6, 0, 0, 0)))
    with Image.open(io.BytesIO(data)) as whole:
        assert decode_png(data).tobytes() == whole.convert("RGB").tobytes()


@pytest.mark.parametrize(
    "data",
    [
        as_pillow_writes(Image.new("L", (3, 3))),
        as_pillow_writes(Image.new("P", (3, 3))),
        written(WHOLE, more=chunk(b"tRNS", bytes(6))),
        written(WHOLE, more=chunk(b"ABCD", b"")),
        written(WHOLE, kinds=b"\x08\x02\0\0\1"),
        written(bytes(26), kinds=b"\x10\x02\0\0\0"),
    ],
    ids=["grey", "palette", "one colour is clear", "a chunk that must be known", "interlaced", "16 bits"],
)
def test_other_formats_are_left_to_pillow(data) -> None:
    assert decode_png(data) is None
    assert not is_whole(data)


@every_case(
    "data",
    [
        b"",
        b"\x89PNG\r\n\x1a\n",
        b"JFIF" + written(WHOLE),
        written(WHOLE)[:-1],
        written(WHOLE)[:-12],
        written(WHOLE)[:40],
        written(WHOLE).replace(b"IDAT", b"IDAX"),
        written(WHOLE[:-1]),
        written(WHOLE + b"\0"),
        written(WHOLE * 1000),
        written(bytes((5,)) + WHOLE[1:]),
        written(WHOLE, size=(0, 2)),
        written(WHOLE, size=(2**31, 2**31)),
        written(WHOLE)[:-20] + b"\7" + written(WHOLE)[-19:],
        compressed(b"no deflate"),
        compressed(zlib.compress(WHOLE)[:-1]),
        compressed(zlib.compress(WHOLE)[:-1] + b"\7"),
        chunk(b"IEND", b""),
        b"\x89PNG\r\n\x1a\n" + chunk(b"IEND", b""),
        b"\x89PNG\r\n\x1a\n" + chunk(b"IDAT", zlib.compress(WHOLE)) + chunk(b"IEND", b""),
    ],
)
def test_broken_files_are_left_to_pillow(data) -> None:
    assert decode_png(data) is None
    assert not is_whole(data)


def test_a_hand_made_file_is_read() -> None:
    with Image.open(io.BytesIO(written(WHOLE))) as image:
        assert decode_png(written(WHOLE)).tobytes() == image.tobytes()
    assert is_whole(written(WHOLE, more=chunk(b"tEXt", b"a\0b")))


@settings(max_examples=40)
@given(st.data())
def test_no_damage_raises(data) -> None:
    whole = bytearray(encode_png(smooth(9, 9)))
    place = data.draw(st.integers(0, len(whole) - 1))
    whole[place] ^= data.draw(st.integers(1, 255))
    assert decode_png(bytes(whole)) is None
