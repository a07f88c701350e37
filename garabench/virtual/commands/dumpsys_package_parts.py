"""The parts of ``dumpsys package`` that a keyword selects (AOSP ``DumpHelper``)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from garabench.virtual.android.package_manager import DANGEROUS
from garabench.virtual.android.phone import Phone
from garabench.virtual.commands import pm_lists
from garabench.virtual.commands.identity_hash import identity_hash

_LIBRARIES = ("android.test.base", "android.test.mock", "android.test.runner", "org.apache.http.legacy")
_VERSIONS_SDK = 21
_SHARED_USERS = {"android.uid.system": 1000, "android.uid.phone": 1001, "android.uid.shell": 2000}


def features(phone: Phone) -> str:
    """The hardware and software features."""
    return "Features:\n" + "".join(f"  {name}\n" for name in pm_lists.features_of(phone))


def libraries(phone: Phone) -> str:
    """The shared libraries."""
    return "Libraries:\n" + "".join(
        f"  {name} -> (jar) /system/framework/{name}.jar\n" for name in _LIBRARIES
    )


def permissions(phone: Phone) -> str:
    """The dangerous permissions, which the package ``android`` declares."""
    return "Permissions:\n" + "".join(
        f"  Permission [{name}] ({identity_hash('permission', name)[:7]}):\n    sourcePackage=android\n"
        f"    uid=1000 gids=[] type=0 prot=dangerous\n"
        f"    perm=PermissionInfo{{{identity_hash('info', name)[:7]} {name}}}\n    flags=0x0\n"
        for name in sorted(DANGEROUS)
    )


def preferred(phone: Phone) -> str:
    """The user's choices between several apps."""
    rows = "".join(
        f"      {action}:\n        {identity_hash('preferred', each.component)[:7]} {each.component}\n"
        for each in phone.packages.preferred
        for action in each.filter.actions
    )
    return f"Preferred Activities User 0:\n  Non-Data Actions:\n{rows}" if rows else ""


def providers(phone: Phone) -> str:
    """The content providers, by class and by authority."""
    found = [
        (each.app.package, authority, f"{each.app.package}/{provider.name}")
        for each in phone.packages.all()
        for authority, provider in each.app.providers.items()
    ]
    by_class = "".join(
        f"  {name}:\n    Provider{{{identity_hash('provider', name)[:7]} {name}}}\n" for _, _, name in found
    )
    by_authority = "".join(
        f"  [{authority}]:\n    Provider{{{identity_hash('provider', name)[:7]} {name}}}\n"
        f"      applicationInfo=ApplicationInfo{{{identity_hash('application', package)[:7]} {package}}}\n"
        for package, authority, name in found
    )
    return f"Registered ContentProviders:\n{by_class}\nContentProvider Authorities:\n{by_authority}"


def shared_users(phone: Phone) -> str:
    """The user ids that several packages share."""
    return "Shared users:\n" + "".join(
        f"  SharedUser [{name}] ({identity_hash('shared', name)[:7]}):\n    appId={number}\n"
        for name, number in _SHARED_USERS.items()
    )


def version(phone: Phone) -> str:
    """The versions of the package manager's data; before Android 5 there was no such part."""
    if phone.profile.sdk < _VERSIONS_SDK:
        return ""
    return (
        f"Database versions:\n  Internal:\n    sdkVersion={phone.profile.sdk} databaseVersion=3\n"
        f"    fingerprint={phone.profile.fingerprint}\n"
    )


_PARTS: Mapping[str, Callable[[Phone], str]] = {
    **dict.fromkeys(("l", "libraries"), libraries),
    **dict.fromkeys(("f", "features"), features),
    **dict.fromkeys(("perm", "permissions"), permissions),
    **dict.fromkeys(("pref", "preferred"), preferred),
    **dict.fromkeys(("prov", "providers"), providers),
    **dict.fromkeys(("s", "shared-users"), shared_users),
    "version": version,
}
EMPTY = frozenset(
    {"preferred-xml", "d", "domain-preferred-apps", "q", "queries", "m", "messages", "v", "verifiers", "k"}
    | {"keysets", "installs", "frozen", "volumes", "dexopt", "compiler-stats", "changes", "known-packages"}
    | {"service-permissions", "protected-broadcasts", "snapshot", "t", "i", "ifv", "dom", "domain-verifier"}
)
"""Keywords of parts that have nothing to show on this phone."""


def part(phone: Phone, keyword: str) -> str | None:
    """Return the part of a keyword; None if it has none here."""
    if keyword in EMPTY:
        return ""
    found = _PARTS.get(keyword)
    return found(phone) if found is not None else None


def check_permission(phone: Phone, args: Iterable[str]) -> str:
    """``dumpsys package check-permission PERMISSION PACKAGE [USER]``: 0 if it is granted, else -1."""
    names = [*args][:2]
    if len(names) < 2:
        missing = "permission" if not names else "package"
        return f"Error: check-permission missing {missing} argument\n"
    return "0\n" if phone.packages.is_granted(names[1], names[0]) else "-1\n"


HELP = (
    "Package manager dump options:\n  [-h] [-f] [--checkin] [--all-components] [cmd] ...\n"
    "    --checkin: dump for a checkin\n    -f: print details of intent filters\n"
    "    -h: print this help\n    --all-components: include all component names in package dump\n"
    "  cmd may be one of:\n    check-permission <permission> <package> [<user id>]: does pkg hold perm?\n"
    "    f[eatures]: list device features\n    l[ibraries]: list known shared libraries\n"
    "    perm[issions]: dump permissions\n    permission [name ...]: dump declaration and use of given "
    "permission\n    pref[erred]: print preferred package settings\n    prov[iders]: dump content providers\n"
    "    p[ackages]: dump installed packages\n    r[esolvers] [activity|service|receiver|content]: dump "
    "intent resolvers\n    s[hared-users]: dump shared user IDs\n    version: print database version info\n"
    "    <package.name>: info about given package\n"
)
