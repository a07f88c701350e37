"""Preparing pictures for models: the cost of each image rule, for app screens and photographic screens."""

from __future__ import annotations

import functools
import io
from collections.abc import Sequence

from PIL import Image, ImageFilter

from benchmarks.report import Measure, cpu_ms
from garabench.agents.dialects.catalog import DIALECTS
from garabench.agents.dialects.image_sizes import ImageRule
from garabench.agents.profile import ImageOptions
from garabench.agents.prompting.images import prepare_image
from garabench.agents.prompting.set_of_marks import ElementMark
from garabench.core import png
from garabench.core.geometry import Size
from garabench.core.seeds import generator

LIMIT_MS = 60
FILTERED_LIMIT_MS = 120
"""For a photographic screen as a device encodes it: Pillow reverses the PNG filters byte by byte."""


def photograph(size: Size) -> Image.Image:
    """Return clouds of colour with texture and camera noise, like a feed of photographs or a map."""
    rng = generator(1, "photograph")

    def noise(width: int, height: int) -> Image.Image:
        return Image.frombytes("L", (width, height), rng.randbytes(width * height))

    bands = []
    for _ in range(3):
        clouds, texture = (
            noise(size.width // part, size.height // part).resize(
                (size.width, size.height), Image.Resampling.BICUBIC
            )
            for part in (120, 10)
        )
        grain = noise(size.width, size.height).filter(ImageFilter.GaussianBlur(1))
        bands.append(Image.blend(Image.blend(clouds, texture, 0.35), grain, 0.15))
    return Image.merge("RGB", bands)


def static(size: Size) -> Image.Image:
    """Return random pixels: incompressible, the worst case."""
    raw = generator(1, "static").randbytes(size.width * size.height * 3)
    return Image.frombytes("RGB", (size.width, size.height), raw)


def device_png(image: Image.Image) -> bytes:
    """Encode a PNG as Android's ``screencap`` does: with alpha, zlib level 6 and a filter per line.

    Pillow chooses among the five filters by the same heuristic as libpng and Skia.
    """
    out = io.BytesIO()
    image.convert("RGBA").save(out, "PNG", compress_level=6)
    return out.getvalue()


def rules(screen: Size) -> dict[Size, tuple[str, ImageRule]]:
    """Return the distinct image rules for a screen by resulting size, each with one of its dialects."""
    found: dict[Size, tuple[str, ImageRule]] = {}
    for dialect in DIALECTS.values():
        found.setdefault(dialect.image.size(screen), (dialect.name, dialect.image))
    return found


def measure_pictures(app: bytes, screen: Size, marks: Sequence[ElementMark], *, times: int) -> list[Measure]:
    """Measure the processor time of preparing a picture by every rule, with and without marks.

    Args:
        app: A screenshot of an app.
        screen: Size of the screen, and of the other pictures.
        marks: Boxes to draw.
        times: Number of repetitions.
    """
    photo, worst = photograph(screen), static(screen)
    pictures = {"app": app, "photograph": png.encode_png(photo), "static": png.encode_png(worst)}
    measures = []
    for size, (name, rule) in rules(screen).items():
        for kind, data in pictures.items():
            for boxes, suffix in ((), ""), (marks, f", {len(marks)} marks"):
                call = functools.partial(prepare_image, data, rule, ImageOptions(), boxes)
                name_of_case = f"{kind} to {size}{suffix}"
                measures.append(
                    Measure(name_of_case, cpu_ms(call, times), "ms", LIMIT_MS, note=f"as for {name}")
                )
    with Image.open(io.BytesIO(app)) as screenshot:
        encoded = {
            "app": (device_png(screenshot), LIMIT_MS),
            "photograph": (device_png(photo), FILTERED_LIMIT_MS),
        }
    measures += [
        Measure(
            f"{kind} as encoded by a device to {size}, as {form}",
            cpu_ms(functools.partial(prepare_image, data, rule, ImageOptions(format=form)), times),
            "ms",
            limit,
            note=f"as for {name}",
        )
        for size, (name, rule) in rules(screen).items()
        for kind, (data, limit) in encoded.items()
        for form in ("png", "jpeg")
    ]
    return measures
