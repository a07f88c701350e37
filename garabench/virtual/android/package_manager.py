"""The package manager: installed apps, their permissions, and intent resolution."""

from __future__ import annotations

import base64
import copy
import datetime as dt
import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from garabench.virtual.android.apk import ApkComponent
from garabench.virtual.kit.framework import App, Intent
from garabench.virtual.kit.intent_filter import DEFAULT, IntentFilter

MAIN, LAUNCHER = "android.intent.action.MAIN", "android.intent.category.LAUNCHER"
HOME = "android.intent.category.HOME"
_VIEW = "android.intent.action.VIEW"
_WEB_SCHEMES = ("http", "https")
_APP_LINKS_SDK = 23
"""First API level (Android 6) on which the verified owner of a host opens its links without a question."""
_DOMAIN_VERIFICATION_SDK = 31
"""First API level (Android 12) on which links open in an app only if it has verified their host."""
RESOLVER_PACKAGE = "android"
SUSPENDED = "com.android.internal.app.SuspendedAppActivity"
RESOLVER = "com.android.internal.app.ResolverActivity"
"""The activity that asks the user which app to open."""
_FRAMEWORK = App(
    package=RESOLVER_PACKAGE, label={"zh": "Android 系统", "en": "Android System"}, activities={}
)
"""The framework's own package on a phone that does not include it."""
LAUNCHER_FILTER = IntentFilter((MAIN,), (DEFAULT, LAUNCHER))
"""The filter of a built-in app's first screen."""
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
        instrumentations: Target packages by component of its instrumentations.
        size: Size of its APK in bytes; 0 if preinstalled.
        updates: Number of updates.
        signer: Hash of its APK's certificate; empty if preinstalled.
        locales: Comma-separated tags of its per-app languages; empty for the phone's language.
        services, receivers: The services and receivers of its APK.
        debuggable: Whether its manifest says so.
        min_sdk: The lowest API level that its manifest allows.
        first_install: Time of its installation in the phone's time zone; None if preinstalled.
        last_update: Time of the last installation of its APK; None if it is as preinstalled.
        installed: Whether it is installed for the user; a system app may be uninstalled for the user alone.
        hidden, suspended: Whether the shell has hidden it, as if it were not installed, or suspended it.
    """

    app: App
    data: dict[str, Any]
    granted: set[str]
    uid: int
    enabled: bool = True
    denials: dict[str, int] = field(default_factory=dict)
    input_methods: tuple[str, ...] = ()
    instrumentations: Mapping[str, str] = field(default_factory=dict)
    size: int = 0
    updates: int = 0
    signer: str = ""
    locales: str = ""
    services: tuple[ApkComponent, ...] = ()
    receivers: tuple[ApkComponent, ...] = ()
    debuggable: bool = False
    min_sdk: int = 19
    first_install: dt.datetime | None = None
    last_update: dt.datetime | None = None
    installed: bool = True
    hidden: bool = False
    suspended: bool = False

    @property
    def available(self) -> bool:
        """Whether its components can be found: it is enabled and installed for the user."""
        return self.enabled and self.installed and not self.hidden

    def language(self, lang: str) -> str:
        """Return the app's language, ``zh`` or ``en``, given the phone's language."""
        if not self.locales:
            return lang
        return "zh" if self.locales.split(",")[0].lower().split("-")[0] == "zh" else "en"


@dataclass(frozen=True, slots=True)
class ResolvedActivity:
    """An activity that an intent resolves to.

    Attributes:
        app, activity: The app and the activity's class name.
        match: How well its filter matches, as a ``MATCH_…`` value; 0 for an explicit intent.
        filter: The filter that matches; None for an explicit intent.
    """

    app: App
    activity: str
    match: int = 0
    filter: IntentFilter | None = None

    @property
    def is_default(self) -> bool:
        """Whether the filter has the category DEFAULT."""
        return self.filter is not None and DEFAULT in self.filter.categories

    @property
    def priority(self) -> int:
        """The filter's priority; only system apps have one other than 0."""
        return self.filter.priority if self.filter is not None and self.app.system else 0

    @property
    def rank(self) -> tuple[int, bool, int, bool, str]:
        """The sort key of Android's resolution (``ComputerEngine``'s ``RESOLVE_PRIORITY_SORTER``)."""
        return (-self.priority, not self.is_default, -self.match, not self.app.system, self.app.package)

    @property
    def component(self) -> str:
        """``package/activity``, shortened as Android does."""
        return short_component(self.app.package, self.activity)

    @staticmethod
    def full_name(package: str, activity: str) -> str:
        """Expand a class name that may be abbreviated."""
        return package + activity if activity.startswith(".") else activity


@dataclass(frozen=True, slots=True)
class PreferredActivity:
    """The user's choice between several apps (AOSP ``PreferredActivity``).

    Attributes:
        filter: The intents that it is about.
        choices: Components that the user could choose from; the choice is void when they change.
        component: The chosen one.
    """

    filter: IntentFilter
    choices: frozenset[str]
    component: str


def short_component(package: str, activity: str) -> str:
    """Return ``package/activity``, shortened as Android does."""
    short = activity[len(package) :] if activity.startswith(package + ".") else activity
    return f"{package}/{short}"


@dataclass(slots=True)
class PackageManager:
    """The installed apps, in the order of their installation.

    Attributes:
        sdk: API level of the phone.
        stopped: Called with the package before an app is replaced, cleared or removed, or loses a permission;
            its processes end.
        ops: Modes of operations by package, as ``appops`` sets them; others have their default.
        preferred: The user's choices between several apps.
    """

    sdk: int = 34
    stopped: Callable[[str], None] = field(default=lambda package: None)
    ops: dict[str, dict[str, str]] = field(default_factory=dict)
    preferred: tuple[PreferredActivity, ...] = ()
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
        self.clear_preferred(package)
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
        if app.apk_path:
            return app.apk_path
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
            if installed.app.launcher and installed.available and not _home_of(installed.app)
        )

    def home(self) -> ResolvedActivity | None:
        """Return the home screen."""
        for installed in self._apps.values():
            if name := _home_of(installed.app):
                return ResolvedActivity(installed.app, name)
        return None

    def resolve(self, intent: Intent, *, default_only: bool = True) -> ResolvedActivity | None:
        """Return the activity that an intent starts, or None (AOSP ``chooseBestActivity``).

        If several fit equally well, it is the one that the user has chosen for good, else the activity
        that asks the user.

        Args:
            intent: The intent.
            default_only: See `query`.
        """
        found = self.query(intent, default_only=default_only)
        if len(found) < 2 or _is_better(found[0], found[1]):
            return found[0] if found else None
        names = frozenset(each.component for each in found)
        for choice in self.preferred:
            if choice.choices == names and _match(choice.filter, intent):
                return next(each for each in found if each.component == choice.component)
        chooser = self._apps.get(RESOLVER_PACKAGE)
        return ResolvedActivity(chooser.app if chooser is not None else _FRAMEWORK, RESOLVER)

    def query(self, intent: Intent, *, default_only: bool = True) -> tuple[ResolvedActivity, ...]:
        """Return the activities that an intent matches, the best first (AOSP ``IntentResolver``).

        Args:
            intent: The intent.
            default_only: Only filters with the category DEFAULT, as for `startActivity`.
        """
        if intent.activity:
            return self._explicit(intent)
        if not (intent.action or intent.data or intent.mime_type):
            return ()
        if intent.action == MAIN and HOME in intent.categories:
            home = self.home()
            fits = home is not None and intent.package in ("", home.app.package)
            return (home,) if home is not None and fits else ()
        found = [
            resolved
            for installed in self._apps.values()
            if installed.available and intent.package in ("", installed.app.package)
            for resolved in _matching(installed.app, intent, default_only=default_only)
        ]
        return tuple(sorted(self._by_domain(found, intent), key=lambda each: each.rank))

    def _by_domain(self, found: list[ResolvedActivity], intent: Intent) -> list[ResolvedActivity]:
        """Return the activities that may open a link: of the verified owner, else browsers, else all."""
        is_link = intent.action == _VIEW and intent.data.partition(":")[0] in _WEB_SCHEMES
        if not is_link or self.sdk < _APP_LINKS_SDK or intent.package:
            return found
        browsers = [each for each in found if each.filter is not None and not each.filter.authorities]
        verified = [each for each in found if each.filter is not None and each.filter.verified]
        owners = [each for each in verified if each not in browsers]
        if self.sdk < _DOMAIN_VERIFICATION_SDK:
            return owners or found
        return owners or browsers or found

    def prefer(self, intent: Intent, component: str) -> None:
        """Remember the user's choice for intents like this one ("Always")."""
        found = self.query(intent)
        chosen = next((each for each in found if each.component == component), None)
        if chosen is None or chosen.filter is None:
            return
        scheme = intent.data.partition(":")[0] if ":" in intent.data else ""
        like = replace(
            chosen.filter,
            actions=(intent.action,),
            categories=tuple(sorted({*intent.categories, DEFAULT})),
            schemes=(scheme,) if scheme and chosen.filter.schemes else chosen.filter.schemes,
            types=(intent.mime_type,) if intent.mime_type else (),
        )
        names = frozenset(each.component for each in found)
        others = (each for each in self.preferred if each.filter != like)
        self.preferred = (*others, PreferredActivity(like, names, component))

    def clear_preferred(self, package: str) -> None:
        """Forget the choices of an app ("Clear defaults")."""
        prefix = f"{package}/"
        self.preferred = tuple(each for each in self.preferred if not each.component.startswith(prefix))

    def _explicit(self, intent: Intent) -> tuple[ResolvedActivity, ...]:
        found = self._apps.get(intent.package)
        if found is None or not found.available:
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
        if any(HOME in entry.categories for entry in cls.filters):
            return name
    return ""


def filters_of(app: App, activity: str) -> tuple[IntentFilter, ...]:
    """Return the intent filters of an activity, with that of a built-in app's first screen."""
    filters = app.activities[activity].filters
    if activity != app.launcher or any({LAUNCHER, HOME} & set(each.categories) for each in filters):
        return filters
    return (LAUNCHER_FILTER, *filters)


def _matching(app: App, intent: Intent, *, default_only: bool) -> Iterator[ResolvedActivity]:
    """Yield the activities of an app that match, each with its first matching filter."""
    for name in app.activities:
        for entry in filters_of(app, name):
            if default_only and DEFAULT not in entry.categories:
                continue
            if matched := _match(entry, intent):
                yield ResolvedActivity(app, name, matched, entry)
                break


def _match(entry: IntentFilter, intent: Intent) -> int:
    return entry.match(intent.action, intent.categories, intent.data, intent.mime_type)


def _is_better(first: ResolvedActivity, second: ResolvedActivity) -> bool:
    """Return whether the first activity is preferred without a question."""
    return (first.priority, first.is_default) != (second.priority, second.is_default)
