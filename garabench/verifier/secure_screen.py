"""Recognize screens that forbid screenshots.

Android draws a window with ``FLAG_SECURE`` black in screenshots, and everything else as usual: the status
bar, the navigation bar and the keyboard are visible, and so is an app below a secure dialog. The tree is
complete.
"""

from __future__ import annotations

import enum
import io
from collections.abc import Iterator

from PIL import Image, ImageChops

from garabench.core.geometry import Rect
from garabench.core.png import decode_png
from garabench.core.tree import UiTree

_LARGEST = 512 * 1024
"""Maximum size in bytes of a picture that is decoded: black compresses well, also below a keyboard."""
_MAX_PIXELS = 64_000_000
_BLACK = 8
"""Brightest value of a black pixel, in each channel."""
_BAR = 0.14
"""Largest height of a system bar as a share of the screen's shorter side: 48 of at least 360 dp."""


class BlackArea(enum.Enum):
    """What is black in a picture."""

    NONE = enum.auto()
    """Nothing that should not be."""
    ELEMENTS = enum.auto()
    """All elements of the app that have a text, while something else is visible."""
    SCREEN = enum.auto()
    """Everything except the system bars."""


def black_area(picture: bytes, tree: UiTree | None) -> BlackArea:
    """Return what an app that forbids screenshots made black.

    Args:
        picture: The encoded picture.
        tree: The tree of the same screen; None without one. Where it has texts, these decide: a text that is
            visible is on a dark screen, not on a secure one.
    """
    lit = _lit_pixels(picture)
    if lit is None:
        return BlackArea.NONE
    boxes = [] if tree is None else list(_text_boxes(tree, lit))
    if any(_is_lit(lit, box) for box in boxes):
        return BlackArea.NONE
    if not _is_lit(lit, _between_bars(lit)):
        return BlackArea.SCREEN
    return BlackArea.ELEMENTS if boxes else BlackArea.NONE


def _lit_pixels(picture: bytes) -> Image.Image | None:
    """Return which pixels are not black; None if the picture is too large or unreadable."""
    if len(picture) > _LARGEST:
        return None
    try:
        image = decode_png(picture) or _decoded(picture)
    except (OSError, SyntaxError, Image.DecompressionBombError):
        return None
    if image is None:
        return None
    red, green, blue = image.split()
    brightest = ImageChops.lighter(ImageChops.lighter(red, green), blue)
    return brightest.point([0] * (_BLACK + 1) + [255] * (255 - _BLACK))


def _decoded(picture: bytes) -> Image.Image | None:
    with Image.open(io.BytesIO(picture), formats=("PNG", "JPEG")) as image:
        return image.convert("RGB") if image.width * image.height <= _MAX_PIXELS else None


def _is_lit(lit: Image.Image, box: Rect) -> bool:
    return lit.crop((box.left, box.top, box.right, box.bottom)).getbbox() is not None


def _between_bars(lit: Image.Image) -> Rect:
    """Return the part that no system bar covers; in landscape the navigation bar is on either side."""
    bar = round(min(lit.size) * _BAR)
    side = bar if lit.width > lit.height else 0
    return Rect(side, bar, lit.width - side, lit.height - bar)


def _text_boxes(tree: UiTree, lit: Image.Image) -> Iterator[Rect]:
    """Yield the bounds of the app's texts; nothing if the picture has another scale than the tree."""
    if max((root.bounds.right for root in tree.roots), default=0) > lit.width:
        return
    for node in tree.app_nodes:
        bounds = node.bounds
        box = Rect(
            max(0, bounds.left),
            max(0, bounds.top),
            min(lit.width, bounds.right),
            min(lit.height, bounds.bottom),
        )
        if node.text.strip() and node.visible and not box.is_empty:
            yield box
