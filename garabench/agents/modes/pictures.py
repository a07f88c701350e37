"""The picture that a model is sent: the screenshot at the dialect's size, with boxes where asked for."""

from __future__ import annotations

import io
from collections.abc import Sequence

from PIL import Image

from garabench.agents.chat.messages import Picture
from garabench.agents.dialects.images import ImageRule
from garabench.agents.modes.marks import Mark, draw
from garabench.agents.profile import ImageOptions
from garabench.core import png as png_file
from garabench.core.geometry import Size
from garabench.errors import DeviceError

_MOST_PIXELS = 64_000_000
"""More than any phone's screen has; a small file can claim to be a huge picture."""
_HAIR = 1 / 32
"""An enlargement by which a line in 32 stands twice at most."""


class NotAPicture(DeviceError):
    """A screenshot that cannot be read. A black picture in its place would be a lie."""


def prepare(screenshot: bytes, rule: ImageRule, options: ImageOptions, marks: Sequence[Mark] = ()) -> Picture:
    """Bring a screenshot to the size that is sent, draw marks at that size, and encode it.

    Args:
        screenshot: PNG or JPEG, as the device gave it.
        rule: The size that is sent.
        options: How it is encoded.
        marks: Boxes to draw, in pixels of the screen.

    Raises:
        NotAPicture: The screenshot cannot be read.
    """
    try:
        with Image.open(io.BytesIO(screenshot), formats=("PNG", "JPEG")) as image:
            screen = Size(image.width, image.height)
            if not 0 < screen.width * screen.height <= _MOST_PIXELS:
                raise NotAPicture(f"no screen has {screen} pixels")
            size = rule.size(screen)
            if size == screen and not marks and (image.format or "").lower() == options.format == "png":
                if not png_file.is_whole(screenshot):
                    image.load()  # a broken one is found out here, not by the model
                return Picture(screenshot, size)
            drawn = _resized(_decoded(image, screenshot), screen, size)
            return _encoded(draw(drawn, marks, screen) if marks else drawn, size, options)
    except (OSError, SyntaxError, Image.DecompressionBombError) as error:
        raise NotAPicture(f"the screenshot cannot be read: {error}") from error


def _decoded(image: Image.Image, screenshot: bytes) -> Image.Image:
    read = png_file.decode(screenshot) if image.format == "PNG" else None
    if read is not None:
        return read
    image.load()
    return image if image.mode == "RGB" else image.convert("RGB")


def _resized(image: Image.Image, screen: Size, size: Size) -> Image.Image:
    """A picture at the size that is sent; an enlargement by a hair's breadth leaves every pixel as it is.

    To become multiples of a factor, sides grow by a few lines of a thousand. To blend neighbours then blurs
    half of all letters, in stripes, for places that are at most half a pixel more exact.
    """
    if size == screen:
        return image
    most = screen.width * _HAIR, screen.height * _HAIR
    if 0 <= size.width - screen.width <= most[0] and 0 <= size.height - screen.height <= most[1]:
        return image.resize((size.width, size.height), Image.Resampling.NEAREST)
    # as sharp as bicubic for a smaller picture, in half the time
    return image.resize((size.width, size.height), Image.Resampling.HAMMING)


def _encoded(image: Image.Image, size: Size, options: ImageOptions) -> Picture:
    if options.format == "png":
        return Picture(png_file.encode(image), size)
    out = io.BytesIO()
    image.save(out, "JPEG", quality=options.quality)
    return Picture(out.getvalue(), size, "image/jpeg")
