"""Illustrations of advertisements and puzzles, each a list of shapes on a canvas of 320 by 160 units.

``r`` is a rectangle with rounded corners (left, top, width, height, radius), ``c`` a circle (centre, radius),
``p`` a polygon (its corners); the colour comes last. The real app draws the same shapes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from PIL import Image, ImageDraw

CANVAS_SIZE = (320, 160)
ILLUSTRATIONS: Mapping[str, str] = {
    "coupon": (
        "r,0,0,320,160,0,FF7A59;c,40,20,46,FF8F73;c,300,150,60,FF6440;r,48,34,224,92,12,FFF4E6;"
        "r,190,34,3,92,0,FFC9A8;c,191,34,9,FF7A59;c,191,126,9,FF7A59;c,92,66,11,E5342B;c,92,66,5,FFF4E6;"
        "c,134,96,11,E5342B;c,134,96,5,FFF4E6;p,136,54,142,58,90,108,84,104,E5342B;"
        "r,208,58,46,10,5,E5342B;r,208,76,46,8,4,F7B58F;r,208,92,30,8,4,F7B58F"
    ),
    "gift": (
        "r,0,0,320,160,0,6C5CE7;c,48,40,5,FFEAA7;c,268,36,7,FFEAA7;c,84,112,4,FFFFFF;c,250,110,5,FFFFFF;"
        "c,222,24,4,FD79A8;c,108,28,5,FD79A8;r,110,72,100,70,8,E84393;r,102,56,116,24,6,FD79A8;"
        "r,152,56,16,86,0,FFEAA7;c,144,46,15,FFEAA7;c,176,46,15,FFEAA7;c,144,46,8,6C5CE7;c,176,46,8,6C5CE7"
    ),
    "game": (
        "r,0,0,320,160,0,0F3460;c,258,36,22,F5D76E;p,0,160,70,80,130,160,16537E;p,90,160,180,64,270,160,1B6CA8;"
        "p,220,160,290,90,320,116,320,160,16537E;r,84,78,152,62,31,E8EEF4;r,112,96,12,28,3,0F3460;"
        "r,104,104,28,12,3,0F3460;c,196,118,8,E94560;c,212,102,8,2ECC71;c,150,126,6,8FA3B8;c,170,126,6,8FA3B8"
    ),
    "travel": (
        "r,0,0,320,160,0,8FD3F4;c,262,38,20,FFE082;c,70,36,14,FFFFFF;c,90,32,18,FFFFFF;c,112,38,12,FFFFFF;"
        "p,0,120,60,62,112,120,5FA777;p,76,124,158,44,232,124,3E8E63;p,196,122,270,70,320,116,320,130,5FA777;"
        "p,158,44,142,62,158,58,172,64,FFFFFF;r,0,116,320,44,0,3B8EA5;r,36,132,60,3,1,A8DCE8;"
        "r,190,142,74,3,1,A8DCE8;p,130,132,190,132,178,146,142,146,B5533C;p,158,92,158,128,186,128,FFF4E6"
    ),
}
_SUPERSAMPLING = 2


def shapes(name: str) -> Iterator[tuple[str, tuple[int, ...], str]]:
    """Yield the shapes of an illustration, lowest first: kind, numbers, colour as ``#RRGGBB``."""
    for shape in ILLUSTRATIONS[name].split(";"):
        kind, *numbers, color = shape.split(",")
        yield kind, tuple(int(number) for number in numbers), f"#{color}"


def draw(name: str, width: int, height: int) -> Image.Image:
    """Draw an illustration in RGB that covers `width` by `height` pixels, cropped evenly on both sides."""
    scale = max(width / CANVAS_SIZE[0], height / CANVAS_SIZE[1]) * _SUPERSAMPLING
    left = (width * _SUPERSAMPLING - CANVAS_SIZE[0] * scale) / 2
    top = (height * _SUPERSAMPLING - CANVAS_SIZE[1] * scale) / 2
    image = Image.new("RGB", (width * _SUPERSAMPLING, height * _SUPERSAMPLING))
    pen = ImageDraw.Draw(image)
    for kind, numbers, color in shapes(name):
        if kind == "c":
            x, y, radius = numbers
            box = (x - radius, y - radius, x + radius, y + radius)
            pen.ellipse([_scaled(n, i, scale, left, top) for i, n in enumerate(box)], fill=color)
        elif kind == "r":
            x, y, rect_width, rect_height, radius = numbers
            corners = (x, y, x + rect_width, y + rect_height)
            scaled = [_scaled(n, i, scale, left, top) for i, n in enumerate(corners)]
            pen.rounded_rectangle(scaled, radius * scale, fill=color)
        else:
            pen.polygon([_scaled(n, i, scale, left, top) for i, n in enumerate(numbers)], fill=color)
    return image.resize((width, height), Image.Resampling.BOX)


def _scaled(number: int, index: int, scale: float, left: float, top: float) -> float:
    return number * scale + (top if index % 2 else left)


PIECE_WIDTH = 0.15
"""Width of the puzzle piece as a fraction of the picture's width."""
TOLERANCE = 0.04
"""How far from the gap the knob may be released."""


def puzzle(gap: float, knob: float, width: int, height: int) -> Image.Image:
    """Draw the picture of a slider captcha: a dark gap, and the piece at the position of the knob."""
    image = draw("travel", width, height)
    size = round(width * PIECE_WIDTH)
    top = max(0, (height - size) // 2)
    travel = width - size
    gap_left, piece_left = round(travel * gap), round(travel * knob)
    piece = image.crop((gap_left, top, gap_left + size, top + size))
    pen = ImageDraw.Draw(image)
    border = max(1, width // 160)
    gap_box = (gap_left, top, gap_left + size - 1, top + size - 1)
    pen.rectangle(gap_box, fill="#2B3A42", outline="#FFFFFF", width=border)
    image.paste(piece, (piece_left, top))
    piece_box = (piece_left, top, piece_left + size - 1, top + size - 1)
    pen.rectangle(piece_box, outline="#FFFFFF", width=border * 2)
    return image
