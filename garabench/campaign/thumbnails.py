"""Small pictures of the suite's apps, each on its first screen on the virtual phone."""

from __future__ import annotations

from pathlib import Path

from PIL import Image

from garabench.campaign.suite import Suite
from garabench.virtual.apps.catalog import installed_apps
from garabench.virtual.apps.framework import App, Intent
from garabench.virtual.os.phone import Phone
from garabench.virtual.os.profile import Profile

_PROFILE = "android-34:1080x2400"
_WIDTH = 300
_COLORS = 128
_SETTLED_MS = 5000


def write_thumbnails(suite: Suite, folder: Path) -> tuple[Path, ...]:
    """Draw each app of a suite, and write the pictures.

    Args:
        suite: The suite; an app that is not on the virtual phone is left out.
        folder: Where to; made when it is not there.

    Raises:
        OSError: They cannot be written.
    """
    groups = {item.app: item.group for item in suite.tasks.values()}
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for app in installed_apps():
        if app.package in groups:
            path = folder / f"{groups[app.package]}.png"
            thumbnail(app).save(path, optimize=True)
            written.append(path)
    return tuple(written)


def thumbnail(app: App) -> Image.Image:
    """An app's first screen, small and of few colours."""
    phone = Phone(Profile.parse(_PROFILE), apps=installed_apps())
    phone.activities.start(Intent(package=app.package, activity=app.launcher))
    phone.clock.advance(_SETTLED_MS)
    picture = phone.frame().image
    height = round(picture.height * _WIDTH / picture.width)
    small = picture.resize((_WIDTH, height), Image.Resampling.LANCZOS)
    return small.quantize(_COLORS)
