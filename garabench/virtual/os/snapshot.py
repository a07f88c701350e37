"""The lasting state of a phone, taken and put back: what is installed, the apps' data, the settings."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from garabench.virtual.os.notifications import Notification
from garabench.virtual.os.packages import InstalledApp
from garabench.virtual.os.settings import NAMESPACES

if TYPE_CHECKING:
    from garabench.virtual.os.phone import Phone


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What outlives a restart.

    Attributes:
        settings: By namespace.
        apps: The installed apps with their data and permissions.
        notifications: In the shade, the newest first.
        clipboard: Its text.
        lang: The phone's language.
        lock_screen: Whether the phone has one.
    """

    settings: Mapping[str, Mapping[str, str]]
    apps: tuple[InstalledApp, ...]
    notifications: tuple[Notification, ...]
    clipboard: str | None
    lang: str
    lock_screen: bool = False


def take(phone: Phone) -> Snapshot:
    """Take a snapshot; the phone goes on as before."""
    return Snapshot(
        settings={name: dict(phone.settings.list(name)) for name in NAMESPACES},
        apps=tuple(copied(app) for app in phone.packages.all()),
        notifications=phone.notifications.active(),
        clipboard=phone.clipboard.text,
        lang=phone.lang,
        lock_screen=phone.keyguard.enabled,
    )


def put_back(phone: Phone, snapshot: Snapshot) -> None:
    """End all apps and restore what a snapshot holds; the home screen is in front afterwards."""
    for pid_package in phone.processes.list():
        phone.activities.force_stop(pid_package[1])
    for name in NAMESPACES:
        wanted = snapshot.settings[name]
        for key in phone.settings.list(name):
            if key not in wanted:
                phone.settings.delete(name, key)
        for key, value in wanted.items():
            phone.settings.put(name, key, value)
    phone.packages.replace_all(copied(app) for app in snapshot.apps)
    phone.notifications.replace_all(snapshot.notifications)
    phone.clipboard.text = snapshot.clipboard
    phone.lang = snapshot.lang
    phone.keyguard.enabled = snapshot.lock_screen
    phone.keyguard.dismiss()
    phone.press_home()


def copied(app: InstalledApp) -> InstalledApp:
    """An installed app whose data are its own; what its manifest says is shared."""
    return replace(app, data=copy.deepcopy(app.data), granted=set(app.granted), denials=dict(app.denials))
