"""Small copies of pictures."""

from __future__ import annotations

import io

import pytest
from PIL import Image

from garabench.core.thumbnail import ThumbnailFormat, thumbnail, webp_url


def picture(mode: str, width: int, height: int, form: str = "PNG") -> bytes:
    out = io.BytesIO()
    Image.new(mode, (width, height)).save(out, form)
    return out.getvalue()


@pytest.mark.parametrize(
    ("size", "small"),
    [((400, 800), (100, 200)), ((401, 799), (100, 199)), ((60, 90), (60, 90)), ((200, 3000), (27, 400))],
)
def test_a_copy_is_at_most_as_wide_as_asked_and_never_enlarged(
    size: tuple[int, int], small: tuple[int, int]
) -> None:
    for form in ThumbnailFormat:
        made = thumbnail(picture("RGB", *size), 100, 60, form)
        assert made is not None
        with Image.open(io.BytesIO(made)) as image:
            assert (image.size, image.format) == (small, form.value)


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGB", "RGBA", "I;16"])
def test_every_mode_of_png_is_read(mode: str) -> None:
    assert thumbnail(picture(mode, 40, 80), 10, 60)


@pytest.mark.parametrize("data", [b"", b"GIF89a", picture("RGB", 9, 9)[:30], picture("RGB", 9, 9, "BMP")])
def test_other_files_and_damaged_pictures_have_no_copy(data: bytes) -> None:
    assert thumbnail(data, 10, 60) is None


def test_a_copy_as_a_url() -> None:
    assert webp_url(b"abc") == "data:image/webp;base64,YWJj"
