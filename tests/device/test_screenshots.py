"""Screenshots are turned to the screen's orientation."""

from __future__ import annotations

import io

import pytest
from PIL import Image

from garabench.core import png
from garabench.core.geometry import Size
from garabench.core.observation import Screenshot
from garabench.device.screenshots import is_natural, upright
from garabench.errors import CommandError

TALL, WIDE, SQUARE = Size(60, 80), Size(80, 60), Size(50, 50)


@pytest.mark.parametrize(
    ("picture", "rotation", "screen", "sdk", "natural"),
    [
        (TALL, 0, TALL, 19, False),
        (TALL, 1, WIDE, 19, True),
        (TALL, 3, WIDE, 34, True),
        (WIDE, 1, WIDE, 19, False),
        (WIDE, 1, WIDE, 34, False),
        (TALL, 2, TALL, 19, True),
        (TALL, 2, TALL, 21, False),
        (SQUARE, 1, SQUARE, 19, True),
        (SQUARE, 1, SQUARE, 34, False),
        (Size(30, 40), 1, WIDE, 34, True),
    ],
)
def test_natural_orientation_is_recognized(
    picture: Size, rotation: int, screen: Size, sdk: int, natural: bool
) -> None:
    assert is_natural(picture, rotation=rotation, screen=screen, sdk=sdk) is natural


def drawn(size: Size) -> Image.Image:
    image = Image.new("RGB", (size.width, size.height))
    image.putdata(
        [(x * 3 % 256, y * 3 % 256, x * y % 256) for y in range(size.height) for x in range(size.width)]
    )
    return image


@pytest.mark.parametrize(("rotation", "screen"), [(1, WIDE), (2, TALL), (3, WIDE)])
def test_turning_loses_nothing(rotation: int, screen: Size) -> None:
    image = drawn(TALL)
    turned = upright(Screenshot(png.encode_png(image), TALL), rotation=rotation, screen=screen, sdk=19)
    picture = Image.open(io.BytesIO(turned.png))
    assert turned.size == screen == Size(*picture.size)
    assert picture.tobytes() == image.rotate(90 * rotation, expand=True).tobytes()


def test_an_upright_picture_is_not_encoded_again() -> None:
    screenshot = Screenshot(b"any bytes", WIDE)
    assert upright(screenshot, rotation=1, screen=WIDE, sdk=34) is screenshot


def test_a_picture_of_another_resolution_is_scaled() -> None:
    scaled = upright(Screenshot(png.encode_png(drawn(TALL)), TALL), rotation=0, screen=Size(30, 40), sdk=34)
    assert scaled.size == Size(30, 40) == Size(*Image.open(io.BytesIO(scaled.png)).size)


def test_a_corrupt_picture_is_an_error() -> None:
    with pytest.raises(CommandError, match="cannot be decoded"):
        upright(Screenshot(b"\x89PNG\r\n\x1a\nrest", TALL), rotation=1, screen=WIDE, sdk=19)
