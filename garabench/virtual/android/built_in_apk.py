"""The APK file of a built-in app: its manifest, and an empty ``classes.dex``, as its code is the phone's.

`garabench.virtual.android.apk` reads it like any other.
"""

from __future__ import annotations

import io
import zipfile

from garabench.virtual.android.axml_writer import Element, Value, write_axml
from garabench.virtual.android.package_manager import HOME, LAUNCHER, LAUNCHER_FILTER, MAIN, filters_of
from garabench.virtual.kit.framework import App
from garabench.virtual.kit.intent_filter import IntentFilter

_MIN_SDK = 19
_TIME = (2009, 1, 1, 0, 0, 0)
"""The time of all entries, as in AOSP's reproducible builds."""
_DEX = b"dex\n035\0" + bytes(104)


def built_in_apk(app: App) -> bytes:
    """Return the APK file of a built-in app."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, content in (("AndroidManifest.xml", write_axml(_manifest(app))), ("classes.dex", _DEX)):
            archive.writestr(zipfile.ZipInfo(name, _TIME), content)
    return out.getvalue()


def _manifest(app: App) -> Element:
    label = app.label.get("en") or next(iter(app.label.values()), app.package)
    activities = tuple(
        Element(
            "activity",
            {"name": name, "exported": cls.exported},
            tuple(_filter(entry) for entry in _filters(app, name)),
        )
        for name, cls in app.activities.items()
    )
    providers = tuple(
        Element("provider", {"name": provider.name, "authorities": authority, "exported": True})
        for authority, provider in app.providers.items()
    )
    return Element(
        "manifest",
        {"package": app.package, "versionCode": app.version_code, "versionName": app.version_name},
        (
            Element("uses-sdk", {"minSdkVersion": _MIN_SDK, "targetSdkVersion": app.target_sdk}),
            *(Element("uses-permission", {"name": name}) for name in app.permissions),
            Element("application", {"label": label}, (*activities, *providers)),
        ),
    )


def _filters(app: App, activity: str) -> tuple[IntentFilter, ...]:
    found = filters_of(app, activity)
    shown = any(MAIN in entry.actions and {LAUNCHER, HOME} & set(entry.categories) for entry in found)
    if activity == app.launcher and not shown:
        return (*found, LAUNCHER_FILTER)
    return found


def _filter(entry: IntentFilter) -> Element:
    data: list[dict[str, Value]] = [{"scheme": scheme} for scheme in entry.schemes]
    data += [{"host": authority.host} for authority in entry.authorities]
    data += [{"mimeType": kind} for kind in entry.types]
    return Element(
        "intent-filter",
        {},
        (
            *(Element("action", {"name": action}) for action in entry.actions),
            *(Element("category", {"name": category}) for category in entry.categories),
            *(Element("data", attributes) for attributes in data),
        ),
    )
