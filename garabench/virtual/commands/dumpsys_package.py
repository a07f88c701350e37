"""``dumpsys package``, in each Android version's form."""

from __future__ import annotations

import datetime as dt

from garabench.virtual.android.package_manager import (
    DANGEROUS,
    RUNTIME_PERMISSIONS_SDK,
    InstalledApp,
)
from garabench.virtual.android.phone import Phone
from garabench.virtual.commands import dumpsys_package_parts as parts
from garabench.virtual.commands import resolver_tables

_PRINTS_MIN_SDK = 24
_PREINSTALLED = "2024-05-20 09:41:00"


def _flag(value: bool) -> str:
    return "true" if value else "false"


def _time(installed: dt.datetime | None) -> str:
    return f"{installed:%Y-%m-%d %H:%M:%S}" if installed is not None else _PREINSTALLED


def package(phone: Phone, args: list[str]) -> str:
    """``dumpsys package [KEYWORD | PACKAGE]``."""
    if "-h" in args:
        return parts.HELP
    names = [arg for arg in args if not arg.startswith("-")]
    match names:
        case []:
            return _everything(phone)
        case ["r" | "resolvers", *kinds]:
            return resolver_tables.of_phone(phone, kinds or resolver_tables.KINDS)
        case ["p" | "packages", *_]:
            return _packages(phone)
        case ["check-permission", *rest]:
            return parts.check_permission(phone, rest)
        case [keyword, *_] if (shown := parts.part(phone, keyword)) is not None:
            return shown
        case [keyword, *_] if "." not in keyword and keyword != "android":
            return _everything(phone)  # as Android does with an unknown keyword
    found = phone.packages.get(names[0])
    if found is None:
        return f"Unable to find package: {names[0]}\n"
    return f"{resolver_tables.of_package(found)}Packages:\n{_package(phone, found)}"


def _packages(phone: Phone) -> str:
    return "Packages:\n" + "".join(_package(phone, installed) for installed in phone.packages.all())


def _everything(phone: Phone) -> str:
    """Return all parts in Android's order."""
    heads = (parts.version, parts.libraries, parts.features)
    return (
        "\n".join(text for head in heads if (text := head(phone)))
        + "\n"
        + resolver_tables.of_phone(phone)
        + parts.preferred(phone)
        + "\n".join((parts.permissions(phone), parts.providers(phone), _packages(phone)))
        + "\n"
        + parts.shared_users(phone)
    )


def _package(phone: Phone, found: InstalledApp) -> str:
    app, sdk = found.app, phone.profile.sdk
    flags = "SYSTEM HAS_CODE ALLOW_CLEAR_USER_DATA" if app.system else "HAS_CODE ALLOW_CLEAR_USER_DATA"
    if found.debuggable:
        flags = f"DEBUGGABLE {flags}" if not app.system else flags.replace("SYSTEM", "SYSTEM DEBUGGABLE")
    path = phone.packages.path_of(found).removesuffix("/base.apk")
    min_sdk = f"minSdk={found.min_sdk} " if sdk >= _PRINTS_MIN_SDK else ""
    return (
        f"  Package [{app.package}] (1a2b3c):\n    userId={found.uid}\n"
        f"    pkg=Package{{4d5e6f {app.package}}}\n    codePath={path}\n    resourcePath={path}\n"
        f"    versionCode={app.version_code} {min_sdk}targetSdk={app.target_sdk}\n"
        f"    versionName={app.version_name}\n    flags=[ {flags} ]\n"
        f"    firstInstallTime={_time(found.first_install)}\n    lastUpdateTime={_time(found.last_update)}\n"
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
        + f"    User 0: ceDataInode=1 installed={_flag(found.installed)} hidden={_flag(found.hidden)} "
        + f"suspended={_flag(found.suspended)} "
        + f"{_user(phone, found)} instant=false virtual=false\n"
        + (f"      runtime permissions:\n{granted}" if granted else "")
    )


def _install_permissions(phone: Phone, found: InstalledApp) -> str:
    """Before Android 6: every permission is granted at installation."""
    granted = "".join(f"      {name}\n" for name in found.app.permissions)
    return f"    User 0:  installed=true blocked=false {_user(phone, found)}\n" + (
        f"    grantedPermissions:\n{granted}" if granted else ""
    )
