"""Thumbnails of the suite's apps, each on its first screen on the virtual phone."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PIL import Image

from garabench.suite.suite import Suite
from garabench.virtual.android.device_profile import Profile
from garabench.virtual.android.phone import Phone
from garabench.virtual.app_files.app_loader import phone_apps
from garabench.virtual.kit.framework import App, Intent

_PROFILE = "android-34:1080x2400"
_WIDTH = 300
_COLORS = 128
_SETTLED_MS = 5000


def write_thumbnails(suite: Suite, folder: Path) -> tuple[Path, ...]:
    """Draw the first screen of each app of a suite and write the thumbnails.

    Args:
        suite: The suite; apps that are not on the virtual phone are skipped.
        folder: Output folder; created if missing.

    Raises:
        OSError: A file cannot be written.
    """
    groups = {item.app: item.group for item in suite.tasks.values()}
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    apps = phone_apps(suite.app_files)
    for app in apps:
        if app.package in groups:
            path = folder / f"{groups[app.package]}.png"
            draw_thumbnail(app, apps).save(path, optimize=True)
            written.append(path)
    return tuple(written)


def draw_thumbnail(app: App, apps: Sequence[App]) -> Image.Image:
    """Draw an app's first screen, small and with few colours.

    Args:
        app: The app.
        apps: The apps of the phone.
    """
    phone = Phone(Profile.parse(_PROFILE), apps=tuple(apps))
    phone.activities.start(Intent(package=app.package, activity=app.launcher))
    phone.clock.advance(_SETTLED_MS)
    picture = phone.frame().image
    height = round(picture.height * _WIDTH / picture.width)
    small = picture.resize((_WIDTH, height), Image.Resampling.LANCZOS)
    return small.quantize(_COLORS)
