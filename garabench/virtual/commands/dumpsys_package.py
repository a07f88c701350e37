"""``dumpsys package``, in each Android version's form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from garabench.virtual.android.package_manager import (
    DANGEROUS,
    LAUNCHER,
    MAIN,
    RUNTIME_PERMISSIONS_SDK,
    InstalledApp,
    ResolvedActivity,
)
from garabench.virtual.android.phone import Phone
from garabench.virtual.commands.durations import KITKAT
from garabench.virtual.commands.identity_hash import identity_hash

_RECEIVER = "Receiver"
"""Class of every simulated app's broadcast receiver."""
_PRINTS_MIN_SDK = 24
_INSTALLED = "2024-05-20 09:41:00"


def _flag(value: bool) -> str:
    return "true" if value else "false"


def package(phone: Phone, args: list[str]) -> str:
    """``dumpsys package [PACKAGE]``."""
    names = [arg for arg in args if not arg.startswith("-")]
    if names and "resolvers".startswith(names[0]):
        return _resolvers(phone)
    if not names:
        return "Packages:\n" + "".join(_package(phone, installed) for installed in phone.packages.all())
    found = phone.packages.get(names[0])
    if found is None:
        return f"Unable to find package: {names[0]}\n"
    tables = _resolver_tables(found) if phone.profile.sdk <= KITKAT else ""
    return f"{tables}Packages:\n{_package(phone, found)}"


def _resolver_tables(found: InstalledApp) -> str:
    """Return an app's intent filters in Android 4.4's form: of activities, then of receivers."""
    app = found.app
    activities: dict[str, list[str]] = {}
    for name, cls in app.activities.items():
        component = ResolvedActivity(app, name).component
        actions = [each.action for each in cls.filters if not each.scheme]
        for action in [*([MAIN] if name == app.launcher else []), *actions]:
            activities.setdefault(action, []).append(component)
    receivers = {action: [f"{app.package}/.{_RECEIVER}"] for action in app.receivers}
    return _table("Activity", activities) + _table("Receiver", receivers)


def _table(kind: str, actions: Mapping[str, Sequence[str]]) -> str:
    if not actions:
        return ""
    lines = [f"{kind} Resolver Table:\n  Non-Data Actions:\n"]
    for action, components in actions.items():
        lines.append(f"      {action}:\n")
        lines += [_filter(each, action) for each in components]
    return "".join([*lines, "\n"])


def _filter(component: str, action: str) -> str:
    """Return a filter with its properties, which are printed when a single package is dumped."""
    named = f"{identity_hash('activity', component)} {component} filter {identity_hash(component, action)}"
    category = f'          Category: "{LAUNCHER}"\n' if action == MAIN else ""
    return f'        {named}\n          Action: "{action}"\n{category}'


def _resolvers(phone: Phone) -> str:
    """``dumpsys package resolvers``: the activities by scheme or action (AOSP ``IntentResolver.dump``).

    Disabled apps are listed too.
    """
    by_scheme: dict[str, list[str]] = {}
    by_action: dict[str, list[str]] = {}
    for installed in phone.packages.all():
        app = installed.app
        for activity, cls in app.activities.items():
            name = f"{app.package}/{activity.removeprefix(app.package)}"
            for entry in cls.filters:
                table, key = (by_scheme, entry.scheme) if entry.scheme else (by_action, entry.action)
                if name not in table.setdefault(key, []):
                    table[key].append(name)
    text = "Activity Resolver Table:\n"
    for title, table in (("Schemes", by_scheme), ("Non-Data Actions", by_action)):
        rows = "".join(
            f"      {key}:\n"
            + "".join(f"        {identity_hash('activity', name)} {name}\n" for name in names)
            for key, names in table.items()
        )
        text += f"  {title}:\n{rows}\n"
    return text


def _package(phone: Phone, found: InstalledApp) -> str:
    app, sdk = found.app, phone.profile.sdk
    flags = "SYSTEM HAS_CODE ALLOW_CLEAR_USER_DATA" if app.system else "HAS_CODE ALLOW_CLEAR_USER_DATA"
    path = phone.packages.path_of(found).removesuffix("/base.apk")
    min_sdk = "minSdk=19 " if sdk >= _PRINTS_MIN_SDK else ""
    return (
        f"  Package [{app.package}] (1a2b3c):\n    userId={found.uid}\n"
        f"    pkg=Package{{4d5e6f {app.package}}}\n    codePath={path}\n    resourcePath={path}\n"
        f"    versionCode={app.version_code} {min_sdk}targetSdk={app.target_sdk}\n"
        f"    versionName={app.version_name}\n    flags=[ {flags} ]\n"
        f"    firstInstallTime={_INSTALLED}\n    lastUpdateTime={_INSTALLED}\n"
        + (_permissions if sdk >= RUNTIME_PERMISSIONS_SDK else _install_permissions)(phone, found)
    )


def _user(phone: Phone, found: InstalledApp) -> str:
    stopped = _flag(phone.processes.pidof(found.app.package) is None)
    return f"stopped={stopped} notLaunched=false enabled={0 if found.enabled else 3}"


def _permissions(phone: Phone, found: InstalledApp) -> str:
    """Since Android 6: install permissions and runtime permissions."""
    app, manager = found.app, phone.packages
    requested = "".join(f"      {name}\n" for name in app.permissions)
    plain = "".join(f"      {name}: granted=true\n" for name in app.permissions if name not in DANGEROUS)
    granted = "".join(
        f"        {name}: granted={_flag(manager.is_granted(app.package, name))}\n"
        for name in app.permissions
        if name in DANGEROUS
    )
    return (
        (f"    requested permissions:\n{requested}" if requested else "")
        + (f"    install permissions:\n{plain}" if plain else "")
        + "    User 0: ceDataInode=1 installed=true hidden=false suspended=false "
        + f"{_user(phone, found)} instant=false virtual=false\n"
        + (f"      runtime permissions:\n{granted}" if granted else "")
    )


def _install_permissions(phone: Phone, found: InstalledApp) -> str:
    """Before Android 6: every permission is granted at installation."""
    granted = "".join(f"      {name}\n" for name in found.app.permissions)
    return f"    User 0:  installed=true blocked=false {_user(phone, found)}\n" + (
        f"    grantedPermissions:\n{granted}" if granted else ""
    )
