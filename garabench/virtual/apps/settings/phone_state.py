"""The phone state that Settings reads and changes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from garabench.virtual.kit.framework import App, Context

if TYPE_CHECKING:
    from garabench.virtual.android.phone import Phone

DANGEROUS: dict[str, tuple[str, str, str]] = {
    "ACCESS_FINE_LOCATION": ("位置信息", "Location", "location"),
    "ACCESS_COARSE_LOCATION": ("大致位置", "Approximate location", "location"),
    "CAMERA": ("相机", "Camera", "camera"),
    "RECORD_AUDIO": ("麦克风", "Microphone", "mic"),
    "READ_CONTACTS": ("通讯录", "Contacts", "user"),
    "READ_EXTERNAL_STORAGE": ("存储空间", "Files", "folder"),
    "WRITE_EXTERNAL_STORAGE": ("修改存储空间", "Write files", "folder"),
    "READ_MEDIA_IMAGES": ("照片和视频", "Photos and videos", "image"),
    "READ_MEDIA_VIDEO": ("视频", "Videos", "image"),
    "POST_NOTIFICATIONS": ("通知", "Notifications", "bell"),
    "READ_PHONE_STATE": ("电话", "Phone", "phone"),
    "READ_CALENDAR": ("日历", "Calendar", "calendar"),
    "SEND_SMS": ("短信", "SMS", "message"),
}
"""Names (zh, en) and icon of the dangerous permissions, by the last part of their name."""


class PhoneState:
    """The phone's state, as far as Settings needs it."""

    def __init__(self, ctx: Context) -> None:
        self._ctx = ctx

    @property
    def phone(self) -> Phone:
        """The phone itself."""
        phone: Phone = self._ctx.system
        return phone

    def number(self, namespace: str, key: str, default: float) -> float:
        """Return a numeric setting; the default if it is missing or not a number."""
        text = self.phone.settings.get(namespace, key)
        try:
            return float(text) if text is not None else default
        except ValueError:
            return default

    def flag(self, namespace: str, key: str, *, default: bool = False) -> bool:
        """Return a setting that is ``1`` or ``0``."""
        return self.number(namespace, key, 1.0 if default else 0.0) != 0

    def put(self, namespace: str, key: str, value: str) -> None:
        """Write a setting."""
        self.phone.settings.put(namespace, key, value)

    def toggle(self, namespace: str, key: str, *, default: bool = False) -> None:
        """Invert a flag."""
        self.put(namespace, key, "0" if self.flag(namespace, key, default=default) else "1")

    def app(self, package: str) -> App | None:
        """Return an installed app."""
        installed = self.phone.packages.get(package)
        return None if installed is None else installed.app

    def apps(self) -> list[App]:
        """Return the installed apps with an icon, sorted by name."""
        found: Iterable[Any] = self.phone.packages.query_launcher()
        return sorted((each.app for each in found), key=self.label)

    def label(self, app: App) -> str:
        """Return the app's name in the phone's language."""
        return app.label.get(self._ctx.lang, app.label["en"])

    def running(self, package: str) -> bool:
        """Return whether the app has a process."""
        return bool(self.phone.processes.pidof(package))

    def mode(self, app: App, op: str) -> str:
        """Return the mode of an app's operation, as ``appops get`` shows it."""
        return self.phone.packages.ops.get(app.package, {}).get(op, "default")

    def toggle_mode(self, app: App, op: str, *, denied: str) -> None:
        """Allow an app's operation, or set its mode to ``denied`` if it is allowed."""
        modes = self.phone.packages.ops.setdefault(app.package, {})
        modes[op] = denied if modes.get(op) == "allow" else "allow"
        self.phone.changed()

    def permissions(self, app: App) -> list[tuple[str, str, str]]:
        """Return the app's dangerous permissions: (full name, display name, icon)."""
        named = []
        for permission in app.permissions:
            entry = DANGEROUS.get(permission.rsplit(".", 1)[-1])
            if entry is not None:
                named.append((permission, self._ctx.t(entry[0], entry[1]), entry[2]))
        return named
