"""Read and write pictures as PNG, quickly.

Pillow tries every filter on every line and then deflates: 40 ms for a screen of 1080x2400, and more for
photographs. A screen drawn from flat colours needs no filter, and ISA-L deflates it in 2 ms to about the same
size. Where the content is smooth instead, the difference to the line above is deflated; where deflating is of
hardly any use, as for a photograph's grain, it is left. Reading inflates by ISA-L, too, and leaves to Pillow
what is left: undoing the filters, and every kind of PNG that is no screen.
"""

from __future__ import annotations

import enum
import struct
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from isal import igzip_lib, isal_zlib
from PIL import Image, ImageChops

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_LEVEL = 1
_NONE, _UP = 0, 2
_LAST_FILTER = 4
_WORTH_FILTERING = 0.5
"""A filter is applied where a sample becomes that much smaller by it: gradients do. A photograph's grain does
not, and takes longer to be deflated and read the better it is filtered."""
_WORTH_DEFLATING = 0.85
"""A picture is deflated where a sample becomes that much smaller by it. To save less takes as long as to
resize the picture, and to read it then takes five times as long."""
_SAMPLES, _SAMPLE = 8, 4
"""So many samples of the picture, of so many lines."""
_BAND = 64
"""Lines that are encoded at once."""
_LARGEST = 1 << 29
"""Bytes of lines; a small file can claim to be a huge picture."""
_LONGEST_BLOCK = 65_535
"""Bytes of a stored block (RFC 1951, 3.2.4)."""
_LAYOUTS = {3: "RGB", 4: "RGBX"}
"""How Pillow calls lines of so many bytes a pixel, of which three are taken."""
_BYTES_OF_COLOUR = {2: 3, 6: 4}
"""Bytes of a pixel by the colour types that screens have: truecolour, without and with alpha."""


class _Broken(Exception):
    """What is compressed is not the lines that the header tells of."""


@dataclass(frozen=True, slots=True)
class _Packed:
    """The compressed lines of a picture, each of which stands behind the byte of its filter."""

    data: memoryview
    width: int
    height: int
    depth: int

    @property
    def stride(self) -> int:
        return self.width * self.depth + 1

    def bands(self) -> Iterator[bytes]:
        """Some lines at a time: fresh memory for a whole picture costs more than inflating it in pieces."""
        inflater = igzip_lib.IgzipDecompressor(igzip_lib.DECOMP_ZLIB)
        fed: memoryview | bytes = self.data
        try:
            for top in range(0, self.height, _BAND):
                missing = min(_BAND, self.height - top) * self.stride
                parts: list[bytes] = []
                while missing:
                    if inflater.eof or not (part := inflater.decompress(fed, missing)):
                        raise _Broken
                    fed, missing = b"", missing - len(part)
                    parts.append(part)
                band = b"".join(parts)
                if max(band[:: self.stride]) > _LAST_FILTER:
                    raise _Broken
                yield band
            if not inflater.eof and (inflater.decompress(b"", 1) or not inflater.eof):
                raise _Broken
        except igzip_lib.IsalError as error:  # type: ignore[misc]  # its stub calls the class an instance
            raise _Broken from error


class _Way(enum.Enum):
    """How a picture's lines are written."""

    STORED = enum.auto()
    DEFLATED = enum.auto()
    FILTERED = enum.auto()


def encode(image: Image.Image) -> bytes:
    """Encode a picture (PNG specification, third edition: 8-bit truecolour, filter method 0).

    Args:
        image: In mode RGB.

    Returns:
        The whole file.

    Raises:
        ValueError: The picture has another mode.
    """
    if image.mode != "RGB":
        raise ValueError(f"a picture in mode {image.mode}, not RGB")
    header = struct.pack(">IIBBBBB", image.width, image.height, 8, 2, 0, 0, 0)
    way = _way(image)
    lines = _filtered_up if way is _Way.FILTERED else _unfiltered
    bands = (lines(image, top, top + _BAND) for top in range(0, image.height, _BAND))
    data: Iterable[bytes | memoryview] = _stored(bands) if way is _Way.STORED else _deflated(bands)
    return b"".join((_SIGNATURE, *_chunk(b"IHDR", header), *_chunk(b"IDAT", *data), *_chunk(b"IEND")))


def decode(data: bytes) -> Image.Image | None:
    """Read a picture such as a screen is: 8-bit truecolour, not interlaced.

    Returns:
        The picture in mode RGB, its alpha dropped; None where it is another kind of picture, is none at all,
        or is broken: Pillow reads it, or tells what is wrong with it.
    """
    packed = _packed(data)
    if packed is None:
        return None
    try:
        return _read(packed)
    except _Broken:
        return None


def is_whole(data: bytes) -> bool:
    """Whether data is a whole picture such as `decode` reads; found out without undoing its filters."""
    packed = _packed(data)
    try:
        return packed is not None and all(packed.bands())
    except _Broken:
        return False


def _read(packed: _Packed) -> Image.Image:
    """The picture, read band by band: a band stays in the processor's cache from step to step."""
    image = Image.new("RGB", (packed.width, packed.height))
    top = 0
    for band in packed.bands():
        if any(band[:: packed.stride]):
            image.paste(_unfiltering(packed, image, top, band), (0, top - 1))
        else:
            image.paste(_as_it_stands(packed, band), (0, top))
        top += len(band) // packed.stride
    return image


def _as_it_stands(packed: _Packed, band: bytes) -> Image.Image:
    """Lines of which none is filtered."""
    size = packed.width, len(band) // packed.stride
    layout = _LAYOUTS[packed.depth]
    return Image.frombytes("RGB", size, memoryview(band)[1:], "raw", layout, packed.stride, 1)


def _unfiltering(packed: _Packed, image: Image.Image, top: int, band: bytes) -> Image.Image:
    """Lines and the one above them, by Pillow, which is given them stored: it has nothing to inflate.

    Filters count from the line above. None mixes the bytes of a pixel: it does not matter that alpha is lost.
    """
    layout = _LAYOUTS[packed.depth]
    above = image.crop((0, top - 1, packed.width, top))  # above the first line all is 0
    lines = b"".join((bytes((_NONE,)), above.tobytes("raw", layout), band))
    size = packed.width, len(lines) // packed.stride
    return Image.frombytes("RGB", size, b"".join(_stored((lines,))), "zip", layout, 0)


def _packed(data: bytes) -> _Packed | None:
    parts: list[memoryview] = []
    header, at = b"", len(_SIGNATURE)
    if not data.startswith(_SIGNATURE):
        return None
    view = memoryview(data)
    while True:
        if at + 12 > len(data):
            return None
        length, kind = struct.unpack_from(">I4s", data, at)
        body = view[at + 8 : at + 8 + length]
        end = at + 12 + length
        if end > len(data) or struct.unpack_from(">I", data, end - 4)[0] != isal_zlib.crc32(
            view[at + 4 : end - 4]
        ):
            return None
        if kind == b"IEND":
            break
        if kind == b"IHDR":
            header = bytes(body)
        elif kind == b"IDAT":
            parts.append(body)
        elif not kind[0] & 0x20 or kind == b"tRNS":  # a kind that has to be understood
            return None
        at = end
    if len(header) != 13:
        return None
    width, height, bits, colour, *methods = struct.unpack(">IIBBBBB", header)
    depth = _BYTES_OF_COLOUR.get(colour, 0)
    length = (width * depth + 1) * height
    if bits != 8 or not depth or any(methods) or not width or not height or length > _LARGEST:
        return None
    compressed = parts[0] if len(parts) == 1 else memoryview(b"".join(parts))
    return _Packed(compressed, width, height, depth)


def _way(image: Image.Image) -> _Way:
    """How a sample of the picture is best written: as it is or as differences to the lines above."""
    step = max(image.height // _SAMPLES, _SAMPLE)
    plain, filtered = (
        b"".join(lines(image, top, top + _SAMPLE) for top in range(0, image.height, step))
        for lines in (_unfiltered, _filtered_up)
    )
    deflated = len(isal_zlib.compress(plain, _LEVEL))
    if len(isal_zlib.compress(filtered, _LEVEL)) < deflated * _WORTH_FILTERING:
        return _Way.FILTERED
    return _Way.DEFLATED if deflated < len(plain) * _WORTH_DEFLATING else _Way.STORED


def _deflated(bands: Iterable[bytes]) -> Iterator[bytes]:
    """Lines compressed band by band: fresh memory for a whole picture costs more than its filter."""
    deflater = isal_zlib.compressobj(_LEVEL)
    for band in bands:
        yield deflater.compress(band)
    yield deflater.flush()


def _stored(bands: Iterable[bytes]) -> Iterator[bytes | memoryview]:
    """Lines in the form of compressed ones, as they are (RFC 1950; RFC 1951, 3.2.4)."""
    yield b"\x78\x01"
    checksum = 1
    for band in bands:
        checksum = isal_zlib.adler32(band, checksum)
        for at in range(0, len(band), _LONGEST_BLOCK):
            block = memoryview(band)[at : at + _LONGEST_BLOCK]
            yield struct.pack("<BHH", 0, len(block), len(block) ^ 0xFFFF)
            yield block
    yield struct.pack("<BHH", 1, 0, 0xFFFF)
    yield struct.pack(">I", checksum)


def _unfiltered(image: Image.Image, top: int, bottom: int) -> bytes:
    """Some lines, each behind the byte of no filter: the padding of the line before it."""
    band = image.crop((0, top, image.width, min(bottom, image.height)))
    return bytes((_NONE,)) + band.tobytes("raw", "RGB", image.width * 3 + 1)[:-1]


def _filtered_up(image: Image.Image, top: int, bottom: int) -> bytes:
    """Some lines as their differences to the line above, each behind that filter's byte."""
    bottom = min(bottom, image.height)
    stride, count = image.width * 3 + 1, bottom - top
    lines = _unfiltered(image, top - 1, bottom)  # above the first line all is 0: a crop beyond the edge
    shape = (stride, count)
    below = Image.frombytes("L", shape, memoryview(lines)[stride:])
    above = Image.frombytes("L", shape, memoryview(lines)[:-stride])
    above.paste(256 - _UP, (0, 0, 1, count))
    return ImageChops.subtract_modulo(below, above).tobytes()


def _chunk(kind: bytes, *data: bytes | memoryview) -> Iterator[bytes | memoryview]:
    checksum = isal_zlib.crc32(kind)
    for part in data:
        checksum = isal_zlib.crc32(part, checksum)
    yield struct.pack(">I", sum(map(len, data)))
    yield kind
    yield from data
    yield struct.pack(">I", checksum)
