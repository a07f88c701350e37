from __future__ import annotations

import base64
import io
import struct
import zlib
from pathlib import Path

import pytest
from PIL import Image

from garabench.core.sections import Picture
from garabench.records.content_store import ContentKind, ContentStore
from garabench.report.picture_thumbnails import WIDTH, Thumbnails
from tests.report.written_runs import picture


def huge() -> bytes:
    """A small file that claims to be a picture of 60,000 x 60,000."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", 60_000, 60_000, 8, 2, 0, 0, 0)
    data = zlib.compress(bytes(1000))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", data) + chunk(b"IEND", b"")


@pytest.mark.parametrize("mode", ["RGB", "RGBA", "P", "L"])
def test_pictures_are_scaled(tmp_path: Path, mode: str) -> None:
    out = io.BytesIO()
    Image.new(mode, (1080, 2400)).save(out, "PNG")
    store = ContentStore(tmp_path)
    address = Thumbnails([ContentStore(tmp_path / "other"), store]).address(
        Picture(store.add_picture(out.getvalue()), "x")
    )
    assert address is not None
    with Image.open(io.BytesIO(base64.b64decode(address.partition(",")[2]))) as small:
        assert small.size == (WIDTH, 533)


def test_jpeg_is_found(tmp_path: Path) -> None:
    out = io.BytesIO()
    Image.new("RGB", (100, 100)).save(out, "JPEG")
    store = ContentStore(tmp_path)
    assert Thumbnails([store]).address(Picture(store.add_picture(out.getvalue(), ContentKind.JPEG), "x"))


@pytest.mark.parametrize("data", [b"no picture", picture()[:100], huge(), b""])
def test_damaged_and_huge_pictures_are_missing(tmp_path: Path, data: bytes) -> None:
    store = ContentStore(tmp_path)
    assert Thumbnails([store]).address(Picture(store.add_picture(data), "x")) is None


@pytest.mark.parametrize("name", ["0" * 64, "screens/1.png", "../../etc/passwd", ""])
def test_missing_pictures_and_paths_are_missing(tmp_path: Path, name: str) -> None:
    assert Thumbnails([ContentStore(tmp_path)]).address(Picture(name, "x")) is None
