"""``screencap`` (AOSP ``frameworks/base/cmds/screencap/screencap.cpp``)."""

from __future__ import annotations

import io
import struct

import pytest
from PIL import Image

from garabench.virtual.android.phone import Phone
from tests.virtual.android import toys
from tests.virtual.shell.harness import HOME, on_phone


@pytest.fixture
def phone() -> Phone:
    device = toys.phone()
    toys.start(device)
    return device


@pytest.mark.parametrize(
    ("line", "out", "err", "status"),
    [
        ("screencap -p s.png; head -c 4 s.png | tail -c 3", "PNG", "", 0),
        ("screencap s.png; head -c 4 s.png | tail -c 3", "PNG", "", 0),
        ("screencap -d 0 -p | head -c 4 | tail -c 3", "PNG", "", 0),
        ("screencap -p /sdcard", "", "Error opening file", 1),
        ("screencap -h", "", "usage: screencap", 0),
        ("screencap -x", "", "usage: screencap", 1),
    ],
)
def test_lines(phone: Phone, line: str, out: str, err: str, status: int) -> None:
    got_out, got_err, got_status = on_phone(line, phone=phone)
    assert (got_out, got_status) == (out, status)
    assert got_err.startswith(err)
    assert bool(got_err) == bool(err)


@pytest.mark.parametrize(
    ("profile", "header", "pixel_format", "depth"),
    [("android-34", "<4I", 1, 4), ("android-30", "<4I", 1, 4), ("android-19", "<3I", 4, 2)],
)
def test_raw_pixels_follow_a_header(profile: str, header: str, pixel_format: int, depth: int) -> None:
    device = toys.phone(profile)
    on_phone("screencap raw", phone=device)
    data = device.files.read(f"{HOME}/raw")
    size = device.display.current_size
    width, height, form, *_ = struct.unpack_from(header, data)
    assert (width, height, form) == (size.width, size.height, pixel_format)
    assert len(data) == struct.calcsize(header) + depth * size.width * size.height


def test_android_4_4_captures_16_bits_per_pixel() -> None:
    device = toys.phone("android-19")
    toys.start(device)
    on_phone("screencap raw", phone=device)
    data = device.files.read(f"{HOME}/raw")[12:]
    image = device.frame().image
    for x, y in ((0, 0), (3, 40), (image.width // 2, image.height // 2), (image.width - 1, 100)):
        (value,) = struct.unpack_from("<H", data, 2 * (y * image.width + x))
        red, green, blue = image.getpixel((x, y))
        assert value == (red >> 3) << 11 | (green >> 2) << 5 | blue >> 3


@pytest.mark.parametrize("rotation", [1, 2, 3])
@pytest.mark.parametrize(("profile", "natural"), [("android-19", True), ("android-30", False)])
def test_android_4_4_captures_the_natural_orientation(profile: str, natural: bool, rotation: int) -> None:
    device = toys.phone(profile)
    toys.start(device)
    device.settings.put("system", "user_rotation", str(rotation))
    on_phone("screencap -p s.png", phone=device)
    picture = Image.open(io.BytesIO(device.files.read(f"{HOME}/s.png"))).convert("RGB")
    upright = device.frame().image
    back = {1: Image.Transpose.ROTATE_90, 2: Image.Transpose.ROTATE_180, 3: Image.Transpose.ROTATE_270}
    assert (picture.transpose(back[rotation]) if natural else picture).tobytes() == upright.tobytes()
