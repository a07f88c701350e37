"""The image that is sent: its size, format and marks; a broken screenshot is never replaced."""

from __future__ import annotations

import io

import pytest
from PIL import Image

from garabench.agents.dialects.image_sizes import LongSide, NativeSize, SmartResize
from garabench.agents.profile import ImageOptions
from garabench.agents.prompting.images import InvalidScreenshotError, prepare_image
from garabench.agents.prompting.set_of_marks import ElementMark
from garabench.core.geometry import Rect, Size
from garabench.core.seeds import generator
from garabench.errors import Fault
from tests.agents.prompting.samples import png

PLAIN = ImageOptions()


def opened(data: bytes) -> Image.Image:
    image = Image.open(io.BytesIO(data))
    image.load()
    return image


def test_a_screenshot_that_fits_is_sent_byte_for_byte() -> None:
    data = png(Size(300, 600))
    assert prepare_image(data, LongSide(1120), PLAIN).data == data


def test_a_larger_one_is_brought_down() -> None:
    picture = prepare_image(png(Size(1080, 2400), "red"), LongSide(1120), PLAIN)
    assert picture.size == Size(504, 1120)
    assert picture.media_type == "image/png"
    image = opened(picture.data)
    assert image.size == (504, 1120) and image.getpixel((250, 500)) == (255, 0, 0)


def test_the_profile_may_select_jpeg() -> None:
    picture = prepare_image(png(Size(300, 600)), NativeSize(), ImageOptions(format="jpeg", quality=70))
    assert picture.media_type == "image/jpeg"
    assert opened(picture.data).format == "JPEG"


def noise(size: Size) -> Image.Image:
    return Image.frombytes(
        "RGB", (size.width, size.height), generator(7, "noise").randbytes(size.width * size.height * 3)
    )


def test_a_minimal_enlargement_keeps_every_pixel() -> None:
    image = noise(Size(270, 600))
    out = io.BytesIO()
    image.save(out, "PNG")
    sent = opened(prepare_image(out.getvalue(), SmartResize(28, 1, 10**9), PLAIN).data)
    assert sent.size == (280, 588)  # one side grows and one shrinks: neighbours are blended
    sent = opened(prepare_image(out.getvalue(), SmartResize(16, 1, 10**9), PLAIN).data)
    assert sent.size == (272, 608)
    before, after = image.load(), sent.load()
    assert before is not None and after is not None
    for x in range(0, 270, 7):
        for y in range(0, 600, 7):
            near = {after[x + right, y + below] for right in (0, 1, 2) for below in range(9)}
            assert before[x, y] in near


def test_a_larger_enlargement_is_blended() -> None:
    image = noise(Size(60, 100))
    out = io.BytesIO()
    image.save(out, "PNG")
    sent = opened(prepare_image(out.getvalue(), SmartResize(28, 224 * 448, 10**9), PLAIN).data)
    assert sent.width > 200 and set(sent.getcolors(1 << 20) or ()) - set(image.getcolors(1 << 20) or ())


@pytest.mark.parametrize("form", ["RGB", "RGBA", "L", "P"])
def test_every_kind_of_screenshot_is_sent_alike(form: str) -> None:
    image = noise(Size(300, 600)).convert(form)
    out = io.BytesIO()
    image.save(out, "PNG")
    sent = opened(prepare_image(out.getvalue(), LongSide(200), PLAIN).data)
    expected = image.convert("RGB").resize((100, 200), Image.Resampling.HAMMING)
    assert sent.tobytes() == expected.tobytes()


def test_other_modes_become_rgb() -> None:
    out = io.BytesIO()
    Image.new("RGBA", (2000, 100), (0, 0, 255, 255)).save(out, "PNG")
    assert opened(prepare_image(out.getvalue(), LongSide(1000), PLAIN).data).mode == "RGB"


def test_marks_are_drawn_at_the_size_that_is_sent() -> None:
    data = png(Size(1080, 2400))
    marked = opened(
        prepare_image(data, LongSide(1120), PLAIN, [ElementMark(3, Rect(540, 1200, 1080, 2400))]).data
    )
    assert marked.size == (504, 1120)
    assert marked.getpixel((252, 800)) != (255, 255, 255)  # the box's left edge
    assert marked.getpixel((100, 800)) == (255, 255, 255)


def test_a_screenshot_that_fits_is_not_drawn_into() -> None:
    data = png(Size(300, 600))
    prepare_image(data, NativeSize(), PLAIN, [ElementMark(3, Rect(0, 0, 100, 100))])
    assert prepare_image(data, NativeSize(), PLAIN).data == data


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"no picture",
        png(Size(300, 600))[:200],
        png(Size(1080, 2400))[:-9000],
        png(Size(300, 600)).replace(b"IDAT", b"IDAX"),
        b"GIF89a\x01\x00\x01\x00\x00\x00\x00;",
    ],
)
def test_an_invalid_screenshot_is_a_device_error(data: bytes) -> None:
    for rule in (NativeSize(), LongSide(100)):
        with pytest.raises(InvalidScreenshotError) as raised:
            prepare_image(data, rule, PLAIN)
        assert raised.value.fault is Fault.DEVICE


def test_a_decompression_bomb_is_rejected() -> None:
    header = png(Size(300, 600))
    huge = header[:16] + (60_000).to_bytes(4, "big") * 2 + header[24:]
    with pytest.raises(InvalidScreenshotError):
        prepare_image(huge, LongSide(100), PLAIN)
