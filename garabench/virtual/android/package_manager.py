"""The package manager: installed apps, their permissions, and intent resolution."""

from __future__ import annotations

import base64
import copy
import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from garabench.virtual.kit.framework import Activity, App, Intent

MAIN, LAUNCHER = "android.intent.action.MAIN", "android.intent.category.LAUNCHER"
HOME = "android.intent.category.HOME"
DEFAULT, BROWSABLE = "android.intent.category.DEFAULT", "android.intent.category.BROWSABLE"
RUNTIME_PERMISSIONS_SDK = 23
"""First API level (Android 6) on which the user grants dangerous permissions."""
_APP_DIRECTORY_SDK, _RANDOM_DIRECTORY_SDK = 21, 30
"""First API levels on which each app has a directory, and on which its name is random."""
DANGEROUS = frozenset(
    "android.permission." + name
    for name in (
        "ACCESS_FINE_LOCATION",
        "ACCESS_COARSE_LOCATION",
        "CAMERA",
        "RECORD_AUDIO",
        "READ_CONTACTS",
        "READ_EXTERNAL_STORAGE",
        "WRITE_EXTERNAL_STORAGE",
        "READ_MEDIA_IMAGES",
        "READ_MEDIA_VIDEO",
        "POST_NOTIFICATIONS",
        "READ_PHONE_STATE",
        "READ_CALENDAR",
        "SEND_SMS",
    )
)


@dataclass(slots=True)
class InstalledApp:
    """An installed app and its state.

    Attributes:
        app: Its manifest and code.
        data: Its persistent data.
        granted: Its granted dangerous permissions.
        enabled: Whether it is enabled.
        uid: Its user id.
        denials: Denials by permission; after two the system no longer asks.
        input_methods: Ids of its keyboards.
        size: Size of its APK in bytes; 0 if preinstalled.
        updates: Number of updates.
        signer: Hash of its APK's certificate; empty if preinstalled.
        locales: Comma-separated tags of its per-app languages; empty for the phone's language.
    """

    app: App
    data: dict[str, Any]
    granted: set[str]
    uid: int
    enabled: bool = True
    denials: dict[str, int] = field(default_factory=dict)
    input_methods: tuple[str, ...] = ()
    size: int = 0
    updates: int = 0
    signer: str = ""
    locales: str = ""

    def language(self, lang: str) -> str:
        """Return the app's language, ``zh`` or ``en``, given the phone's language."""
        if not self.locales:
            return lang
        return "zh" if self.locales.split(",")[0].lower().split("-")[0] == "zh" else "en"


@dataclass(frozen=True, slots=True)
class ResolvedActivity:
    """An activity that an intent resolves to."""

    app: App
    activity: str

    @property
    def component(self) -> str:
        """``package/activity``, shortened as Android does."""
        short = self.activity
        if short.startswith(self.app.package + "."):
            short = short[len(self.app.package) :]
        return f"{self.app.package}/{short}"

    @staticmethod
    def full_name(package: str, activity: str) -> str:
        """Expand a class name that may be abbreviated."""
        return package + activity if activity.startswith(".") else activity


@dataclass(slots=True)
class PackageManager:
    """The installed apps, in the order of their installation.

    Attributes:
        sdk: API level of the phone.
        stopped: Called with the package before an app is replaced, cleared or removed, or loses a permission;
            its processes end.
        ops: Modes of operations by package, as ``appops`` sets them; others have their default.
    """

    sdk: int = 34
    stopped: Callable[[str], None] = field(default=lambda package: None)
    ops: dict[str, dict[str, str]] = field(default_factory=dict)
    _apps: dict[str, InstalledApp] = field(default_factory=dict)
    _simulated: dict[str, App] = field(default_factory=dict)
    _next_uid: int = 10_050

    def preinstall(self, app: App) -> InstalledApp:
        """Install a built-in app; it can be reinstalled after an uninstall."""
        self._simulated[app.package] = app
        return self.install(app)

    def allows(self, package: str, op: str) -> bool:
        """Return whether an operation's mode allows an app to perform it; the default does."""
        return self.ops.get(package, {}).get(op, "default") in ("default", "allow", "foreground")

    def simulated(self, package: str) -> App | None:
        """Return the built-in app with this package name, installed or not."""
        return self._simulated.get(package)

    def install(self, app: App) -> InstalledApp:
        """Install or update an app; an update preserves its data."""
        before = self._apps.get(app.package)
        if before is not None:
            self.stopped(app.package)
            before.app = app
            before.updates += 1
            before.granted &= set(app.permissions)
            return before
        data = copy.deepcopy(app.initial_data())
        self._apps[app.package] = InstalledApp(app, data, set(app.granted), self._next_uid)
        self._next_uid += 1
        return self._apps[app.package]

    def uninstall(self, package: str) -> bool:
        """Remove an app and its data; False if it is not installed or a system app."""
        found = self._apps.get(package)
        if found is None or found.app.system:
            return False
        self.stopped(package)
        del self._apps[package]
        return True

    def replace_all(self, apps: Iterable[InstalledApp]) -> None:
        """Replace all apps with those of a snapshot."""
        self._apps = {installed.app.package: installed for installed in apps}

    def get(self, package: str) -> InstalledApp | None:
        """Return an installed app, or None."""
        return self._apps.get(package)

    def all(self) -> tuple[InstalledApp, ...]:
        """Return every installed app."""
        return tuple(self._apps.values())

    def path_of(self, installed: InstalledApp) -> str:
        """Return the path of an app's APK: a plain file up to Android 4.4, in a random directory since 11."""
        app, count = installed.app, installed.updates + 1
        if app.system:
            within = "" if self.sdk < _APP_DIRECTORY_SDK else f"/{app.package}"
            return f"/system/app{within}/{app.package}.apk"
        if self.sdk < _APP_DIRECTORY_SDK:
            return f"/data/app/{app.package}-{count}.apk"
        if self.sdk < _RANDOM_DIRECTORY_SDK:
            return f"/data/app/{app.package}-{count}/base.apk"
        first, second = (_random_name(f"{app.package} {count} {part}") for part in ("a", "b"))
        return f"/data/app/~~{first}/{app.package}-{second}/base.apk"

    def clear(self, package: str) -> bool:
        """Clear an app's data and granted permissions; False if it is not installed."""
        found = self._apps.get(package)
        if found is None:
            return False
        self.stopped(package)
        found.data.clear()
        found.data.update(copy.deepcopy(found.app.initial_data()))
        found.granted = set(found.app.granted)
        found.denials.clear()
        return True

    def is_granted(self, package: str, permission: str) -> bool:
        """Return whether an app holds a permission; normal ones are granted at installation.

        Before Android 6 all of them are.
        """
        found = self._apps.get(package)
        if found is None or permission not in found.app.permissions:
            return False
        return (
            self.sdk < RUNTIME_PERMISSIONS_SDK or permission not in DANGEROUS or permission in found.granted
        )

    def grant(self, package: str, permission: str) -> bool:
        """Grant a permission; False if the app does not declare it."""
        return self._change(package, permission, granted=True)

    def revoke(self, package: str, permission: str) -> bool:
        """Revoke a permission; False if the app does not declare it."""
        return self._change(package, permission, granted=False)

    def _change(self, package: str, permission: str, *, granted: bool) -> bool:
        found = self._apps.get(package)
        if found is None or permission not in found.app.permissions or permission not in DANGEROUS:
            return False
        if granted:
            found.granted.add(permission)
            found.denials.pop(permission, None)
        elif permission in found.granted:
            found.granted.discard(permission)
            self.stopped(package)
        return True

    def query_launcher(self) -> tuple[InstalledApp, ...]:
        """Return the launchable apps."""
        return tuple(
            installed
            for installed in self._apps.values()
            if installed.app.launcher and not _home_of(installed.app)
        )

    def home(self) -> ResolvedActivity | None:
        """Return the home screen."""
        for installed in self._apps.values():
            if name := _home_of(installed.app):
                return ResolvedActivity(installed.app, name)
        return None

    def resolve(self, intent: Intent) -> tuple[ResolvedActivity, ...]:
        """Resolve an intent to activities: explicit, launcher, or by action, data and category."""
        if intent.activity:
            return self._explicit(intent)
        found: list[ResolvedActivity] = []
        for installed in self._apps.values():
            app = installed.app
            if not installed.enabled or (intent.package and app.package != intent.package):
                continue
            if intent.action in ("", MAIN) and LAUNCHER in intent.categories:
                if app.launcher and not _home_of(app):
                    found.append(ResolvedActivity(app, app.launcher))
                continue
            if intent.action == MAIN and HOME in intent.categories:
                if name := _home_of(app):
                    found.append(ResolvedActivity(app, name))
                continue
            found += [ResolvedActivity(app, n) for n, cls in app.activities.items() if _matches(cls, intent)]
        return tuple(found)

    def _explicit(self, intent: Intent) -> tuple[ResolvedActivity, ...]:
        found = self._apps.get(intent.package)
        if found is None or not found.enabled:
            return ()
        full = intent.activity
        if full.startswith("."):
            full = intent.package + full
        return (ResolvedActivity(found.app, full),) if full in found.app.activities else ()


def _random_name(text: str) -> str:
    """16 deterministic bytes in Base64."""
    return base64.urlsafe_b64encode(hashlib.blake2b(text.encode(), digest_size=16).digest()).decode()


def _home_of(app: App) -> str:
    """Return the home activity, or empty."""
    for name, cls in app.activities.items():
        if any(entry.category == HOME for entry in cls.filters):
            return name
    return ""


def _matches(cls: type[Activity], intent: Intent) -> bool:
    scheme, _, rest = intent.data.partition(":")
    host = rest.removeprefix("//").partition("/")[0].partition("?")[0]
    matching = [
        entry
        for entry in cls.filters
        if entry.action == intent.action and entry.scheme in ("", scheme) and entry.host in ("", host)
    ]
    # A filter holds one category, so an activity's filters of one action are merged.
    categories = {entry.category for entry in matching} | {DEFAULT, BROWSABLE}
    return bool(matching) and intent.categories <= categories
