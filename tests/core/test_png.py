from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from garabench.core.png import encode


@given(st.integers(1, 40), st.integers(1, 40), st.randoms(use_true_random=False))
def test_pillow_reads_back_every_pixel(width, height, source) -> None:
    image = Image.frombytes("RGB", (width, height), source.randbytes(width * height * 3))
    with Image.open(io.BytesIO(encode(image))) as read:
        read.load()
        assert (read.format, read.mode, read.size) == ("PNG", "RGB", image.size)
        assert read.tobytes() == image.tobytes()


def test_another_mode_is_refused() -> None:
    with pytest.raises(ValueError, match="mode RGBA"):
        encode(Image.new("RGBA", (2, 2)))
