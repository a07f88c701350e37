"""Snapshots of a phone's persistent state: installed apps, their data, the settings."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import dataclass, replace

from garabench.virtual.android.notifications import Notification
from garabench.virtual.android.package_manager import InstalledApp, PreferredActivity
from garabench.virtual.android.phone_interface import PhoneInterface
from garabench.virtual.android.settings import NAMESPACES


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The persistent state of a phone.

    Attributes:
        settings: Settings by namespace.
        apps: The installed apps with their data and permissions.
        notifications: The newest first.
        clipboard: Text of the clipboard.
        lang: The phone's language.
        lock_screen: Whether the lock screen is enabled.
        preferred: The user's choices between several apps.
    """

    settings: Mapping[str, Mapping[str, str]]
    apps: tuple[InstalledApp, ...]
    notifications: tuple[Notification, ...]
    clipboard: str | None
    lang: str
    lock_screen: bool = False
    preferred: tuple[PreferredActivity, ...] = ()


def take_snapshot(phone: PhoneInterface) -> Snapshot:
    """Take a snapshot without affecting the phone."""
    return Snapshot(
        settings={name: dict(phone.settings.list(name)) for name in NAMESPACES},
        apps=tuple(copy_app(app) for app in phone.packages.all()),
        notifications=phone.notifications.active(),
        clipboard=phone.clipboard.text,
        lang=phone.lang,
        lock_screen=phone.keyguard.enabled,
        preferred=phone.packages.preferred,
    )


def restore_snapshot(phone: PhoneInterface, snapshot: Snapshot) -> None:
    """End all apps and restore a snapshot; the home screen is in the foreground afterwards."""
    for process in phone.processes.list():
        phone.activities.force_stop(process[1])
    for name in NAMESPACES:
        values = snapshot.settings[name]
        for key in phone.settings.list(name):
            if key not in values:
                phone.settings.delete(name, key)
        for key, value in values.items():
            phone.settings.put(name, key, value)
    phone.packages.replace_all(copy_app(app) for app in snapshot.apps)
    phone.packages.preferred = snapshot.preferred
    phone.notifications.replace_all(snapshot.notifications)
    phone.clipboard.text = snapshot.clipboard
    phone.lang = snapshot.lang
    phone.keyguard.enabled = snapshot.lock_screen
    phone.keyguard.dismiss()
    phone.press_home()


def copy_app(app: InstalledApp) -> InstalledApp:
    """Copy an installed app with its data; the manifest is shared."""
    return replace(app, data=copy.deepcopy(app.data), granted=set(app.granted), denials=dict(app.denials))
