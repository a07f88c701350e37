"""Encode and decode screenshots as PNG, faster than Pillow.

Pillow tries every filter on every line and then deflates: 40 ms for a screen of 1080x2400, and more for
photographs. A screen drawn in flat colours needs no filter, and ISA-L deflates it in 2 ms to about the same
size. Smooth content is stored as differences to the line above and then deflated; content that hardly
compresses, such as a photograph's grain, is stored uncompressed. Decoding inflates with ISA-L as well and
leaves the rest to Pillow: undoing the filters, and every kind of PNG that is not a screenshot.
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
"""The filter is applied if it shrinks a sample to less than this share, as for gradients. A photograph's
grain does not shrink, and filtering it slows down both deflating and reading."""
_WORTH_DEFLATING = 0.85
"""An image is deflated if that shrinks a sample to less than this share. A smaller gain is not worth it:
deflating takes as long as resizing the image, and reading it then takes five times as long."""
_SAMPLES, _SAMPLE = 8, 4
"""Number of samples of an image, and lines per sample."""
_BAND = 64
"""Number of lines encoded at a time."""
_LARGEST = 1 << 29
"""Maximum size of the decoded lines in bytes; a small file can claim to be a huge image."""
_LONGEST_BLOCK = 65_535
"""Maximum length of a stored block in bytes (RFC 1951, 3.2.4)."""
_LAYOUTS = {3: "RGB", 4: "RGBX"}
"""Pillow's raw mode by bytes per pixel; a fourth byte is ignored."""
_BYTES_OF_COLOUR = {2: 3, 6: 4}
"""Bytes per pixel by colour type, for those of screenshots: truecolour without and with alpha."""


class _CorruptDataError(Exception):
    """The compressed data does not match the header."""


@dataclass(frozen=True, slots=True)
class _Packed:
    """The compressed lines of an image, each preceded by its filter byte."""

    data: memoryview
    width: int
    height: int
    depth: int

    @property
    def stride(self) -> int:
        return self.width * self.depth + 1

    def bands(self) -> Iterator[bytes]:
        """Inflate in bands: allocating memory for a whole image costs more than inflating it in pieces."""
        inflater = igzip_lib.IgzipDecompressor(igzip_lib.DECOMP_ZLIB)
        chunk: memoryview | bytes = self.data
        try:
            for top in range(0, self.height, _BAND):
                missing = min(_BAND, self.height - top) * self.stride
                parts: list[bytes] = []
                while missing:
                    if inflater.eof or not (part := inflater.decompress(chunk, missing)):
                        raise _CorruptDataError
                    chunk, missing = b"", missing - len(part)
                    parts.append(part)
                band = b"".join(parts)
                if max(band[:: self.stride]) > _LAST_FILTER:
                    raise _CorruptDataError
                yield band
            if not inflater.eof and (inflater.decompress(b"", 1) or not inflater.eof):
                raise _CorruptDataError
        except igzip_lib.IsalError as error:  # type: ignore[misc]  # its stub calls the class an instance
            raise _CorruptDataError from error


class _Encoding(enum.Enum):
    """How the lines of an image are encoded."""

    STORED = enum.auto()
    DEFLATED = enum.auto()
    FILTERED = enum.auto()


def encode_png(image: Image.Image) -> bytes:
    """Encode an image (PNG specification, third edition: 8-bit truecolour, filter method 0).

    Args:
        image: An image in mode RGB.

    Returns:
        The whole file.

    Raises:
        ValueError: The image has another mode.
    """
    if image.mode != "RGB":
        raise ValueError(f"expected an image in mode RGB, found {image.mode}")
    header = struct.pack(">IIBBBBB", image.width, image.height, 8, 2, 0, 0, 0)
    encoding = _best_encoding(image)
    lines = _filtered_up if encoding is _Encoding.FILTERED else _unfiltered
    bands = (lines(image, top, top + _BAND) for top in range(0, image.height, _BAND))
    data: Iterable[bytes | memoryview] = _stored(bands) if encoding is _Encoding.STORED else _deflated(bands)
    return b"".join((_SIGNATURE, *_chunk(b"IHDR", header), *_chunk(b"IDAT", *data), *_chunk(b"IEND")))


def decode_png(data: bytes) -> Image.Image | None:
    """Decode a screenshot: 8-bit truecolour, not interlaced.

    Returns:
        The image in mode RGB, without alpha; None if the data is another kind of image, not an image, or
        corrupt: Pillow then reads it or reports what is wrong.
    """
    packed = _packed(data)
    if packed is None:
        return None
    try:
        return _read(packed)
    except _CorruptDataError:
        return None


def is_whole(data: bytes) -> bool:
    """Return whether data is a complete image that `decode_png` supports, without undoing its filters."""
    packed = _packed(data)
    try:
        return packed is not None and all(packed.bands())
    except _CorruptDataError:
        return False


def _read(packed: _Packed) -> Image.Image:
    """Decode an image band by band, so that each band stays in the CPU cache."""
    image = Image.new("RGB", (packed.width, packed.height))
    top = 0
    for band in packed.bands():
        if any(band[:: packed.stride]):
            image.paste(_unfiltering(packed, image, top, band), (0, top - 1))
        else:
            image.paste(_raw_lines(packed, band), (0, top))
        top += len(band) // packed.stride
    return image


def _raw_lines(packed: _Packed, band: bytes) -> Image.Image:
    """Read lines without filters."""
    size = packed.width, len(band) // packed.stride
    layout = _LAYOUTS[packed.depth]
    return Image.frombytes("RGB", size, memoryview(band)[1:], "raw", layout, packed.stride, 1)


def _unfiltering(packed: _Packed, image: Image.Image, top: int, band: bytes) -> Image.Image:
    """Read filtered lines and the one above them, which the filters refer to.

    Pillow undoes the filters; it gets the lines as stored blocks, so that it has nothing to inflate. No
    filter mixes the bytes of a pixel, so the loss of alpha does not matter.
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
        elif not kind[0] & 0x20 or kind == b"tRNS":  # a critical chunk, or transparency
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


def _best_encoding(image: Image.Image) -> _Encoding:
    """Return the encoding that suits a sample of the image best."""
    step = max(image.height // _SAMPLES, _SAMPLE)
    plain, filtered = (
        b"".join(lines(image, top, top + _SAMPLE) for top in range(0, image.height, step))
        for lines in (_unfiltered, _filtered_up)
    )
    deflated = len(isal_zlib.compress(plain, _LEVEL))
    if len(isal_zlib.compress(filtered, _LEVEL)) < deflated * _WORTH_FILTERING:
        return _Encoding.FILTERED
    return _Encoding.DEFLATED if deflated < len(plain) * _WORTH_DEFLATING else _Encoding.STORED


def _deflated(bands: Iterable[bytes]) -> Iterator[bytes]:
    """Deflate in bands: allocating memory for a whole image costs more than its filter."""
    deflater = isal_zlib.compressobj(_LEVEL)
    for band in bands:
        yield deflater.compress(band)
    yield deflater.flush()


def _stored(bands: Iterable[bytes]) -> Iterator[bytes | memoryview]:
    """Write lines as a zlib stream of stored blocks (RFC 1950; RFC 1951, 3.2.4)."""
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
    """Return some lines, each preceded by the filter byte 0, which is the padding of the previous line."""
    band = image.crop((0, top, image.width, min(bottom, image.height)))
    return bytes((_NONE,)) + band.tobytes("raw", "RGB", image.width * 3 + 1)[:-1]


def _filtered_up(image: Image.Image, top: int, bottom: int) -> bytes:
    """Return some lines as differences to the line above, each preceded by that filter's byte."""
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
