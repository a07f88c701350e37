"""Pictures for models: what each rule costs, for a screen of an app and for screens like photographs."""

from __future__ import annotations

import functools
import io
from collections.abc import Sequence

from PIL import Image, ImageFilter

from benchmarks.report import Measure, worked_ms
from garabench.agents.dialects.catalog import DIALECTS
from garabench.agents.dialects.images import ImageRule
from garabench.agents.modes.marks import Mark
from garabench.agents.modes.pictures import prepare
from garabench.agents.profile import ImageOptions
from garabench.core import png
from garabench.core.geometry import Size
from garabench.core.seeds import generator

LIMIT_MS = 60
FILTERED_LIMIT_MS = 120
"""For a screen that is one photograph, as a device writes it: Pillow undoes the filters byte by byte."""


def photograph(size: Size) -> Image.Image:
    """Clouds of colour with a texture and a camera's noise over them: as a feed of photographs or a map."""
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
    """Each pixel drawn by lot: nothing can be compressed, which is the worst."""
    raw = generator(1, "static").randbytes(size.width * size.height * 3)
    return Image.frombytes("RGB", (size.width, size.height), raw)


def as_a_device_writes(image: Image.Image) -> bytes:
    """A PNG as of Android's ``screencap``: with alpha, zlib's level 6, and the filter that fits each line.

    Pillow chooses among the five filters by the same heuristic as libpng and Skia.
    """
    out = io.BytesIO()
    image.convert("RGBA").save(out, "PNG", compress_level=6)
    return out.getvalue()


def rules(screen: Size) -> dict[Size, tuple[str, ImageRule]]:
    """The rules that differ for a screen, by the size that they come to, and a dialect of each."""
    found: dict[Size, tuple[str, ImageRule]] = {}
    for dialect in DIALECTS.values():
        found.setdefault(dialect.image.size(screen), (dialect.name, dialect.image))
    return found


def preparing(app: bytes, screen: Size, marks: Sequence[Mark], *, times: int) -> list[Measure]:
    """What preparing takes of the processor: every rule, with marks and without.

    Args:
        app: A screenshot of an app.
        screen: Its size, and that of the other pictures.
        marks: Boxes to draw.
        times: How often each is measured.
    """
    photo, worst = photograph(screen), static(screen)
    seen = {"app": app, "photograph": png.encode(photo), "static": png.encode(worst)}
    measures = []
    for size, (name, rule) in rules(screen).items():
        for kind, data in seen.items():
            for boxes, told in ((), ""), (marks, f", {len(marks)} marks"):
                call = functools.partial(prepare, data, rule, ImageOptions(), boxes)
                about = f"{kind} to {size}{told}"
                measures.append(Measure(about, worked_ms(call, times), "ms", LIMIT_MS, note=f"as for {name}"))
    with Image.open(io.BytesIO(app)) as shown:
        written = {
            "app": (as_a_device_writes(shown), LIMIT_MS),
            "photograph": (as_a_device_writes(photo), FILTERED_LIMIT_MS),
        }
    measures += [
        Measure(
            f"{kind} as a device writes it to {size}, as {form}",
            worked_ms(functools.partial(prepare, data, rule, ImageOptions(format=form)), times),
            "ms",
            limit,
            note=f"as for {name}",
        )
        for size, (name, rule) in rules(screen).items()
        for kind, (data, limit) in written.items()
        for form in ("png", "jpeg")
    ]
    return measures
