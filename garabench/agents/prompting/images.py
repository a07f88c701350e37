"""Prepare the image for a model: resize the screenshot, draw marks, encode."""

from __future__ import annotations

import io
from collections.abc import Sequence

from PIL import Image

from garabench.agents.dialects.image_sizes import ImageRule
from garabench.agents.models.messages import ImagePart
from garabench.agents.profile import ImageOptions
from garabench.agents.prompting.set_of_marks import ElementMark, draw_marks
from garabench.core import png as png_file
from garabench.core.geometry import Size
from garabench.errors import DeviceError

_MAX_PIXELS = 64_000_000
"""More than any phone's screen has; a small file can declare a huge image."""
_MAX_REPEATED = 1 / 32
"""Largest enlargement without interpolation: at most every 32nd line is repeated."""


class InvalidScreenshotError(DeviceError):
    """A screenshot cannot be read; a black image in its place would mislead the model."""


def prepare_image(
    screenshot: bytes, rule: ImageRule, options: ImageOptions, marks: Sequence[ElementMark] = ()
) -> ImagePart:
    """Resize a screenshot, draw marks on it, and encode it.

    Args:
        screenshot: The device's screenshot, as PNG or JPEG.
        rule: The rule for the size of the image.
        options: The encoding.
        marks: Boxes to draw, in screen pixels.

    Raises:
        InvalidScreenshotError: The screenshot cannot be read.
    """
    try:
        with Image.open(io.BytesIO(screenshot), formats=("PNG", "JPEG")) as image:
            screen = Size(image.width, image.height)
            if not 0 < screen.width * screen.height <= _MAX_PIXELS:
                raise InvalidScreenshotError(f"implausible screenshot size {screen}")
            size = rule.size(screen)
            if size == screen and not marks and (image.format or "").lower() == options.format == "png":
                if not png_file.is_whole(screenshot):
                    image.load()  # detect a corrupt file here rather than at the model
                return ImagePart(screenshot, size)
            drawn = _resized(_decoded(image, screenshot), screen, size)
            return _encoded(draw_marks(drawn, marks, screen) if marks else drawn, size, options)
    except (OSError, SyntaxError, Image.DecompressionBombError) as error:
        raise InvalidScreenshotError(f"the screenshot cannot be read: {error}") from error


def _decoded(image: Image.Image, screenshot: bytes) -> Image.Image:
    decoded = png_file.decode_png(screenshot) if image.format == "PNG" else None
    if decoded is not None:
        return decoded
    image.load()
    return image if image.mode == "RGB" else image.convert("RGB")


def _resized(image: Image.Image, screen: Size, size: Size) -> Image.Image:
    """Resize an image; a minimal enlargement repeats lines instead of interpolating.

    Rounding sides up to a multiple of a factor adds a few lines in a thousand. Interpolation would then blur
    half of all letters, in stripes, for coordinates that are at most half a pixel more precise.
    """
    if size == screen:
        return image
    limit = screen.width * _MAX_REPEATED, screen.height * _MAX_REPEATED
    if 0 <= size.width - screen.width <= limit[0] and 0 <= size.height - screen.height <= limit[1]:
        return image.resize((size.width, size.height), Image.Resampling.NEAREST)
    # when shrinking, as sharp as bicubic in half the time
    return image.resize((size.width, size.height), Image.Resampling.HAMMING)


def _encoded(image: Image.Image, size: Size, options: ImageOptions) -> ImagePart:
    if options.format == "png":
        return ImagePart(png_file.encode_png(image), size)
    out = io.BytesIO()
    image.save(out, "JPEG", quality=options.quality)
    return ImagePart(out.getvalue(), size, "image/jpeg")
