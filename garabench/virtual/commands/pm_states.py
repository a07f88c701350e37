"""Verbs of ``pm`` that change or show the state of packages, users and compiled code.

Source: AOSP ``PackageManagerShellCommand``.
"""

from __future__ import annotations

from garabench.virtual.android.file_system import AS_ROOT
from garabench.virtual.android.package_manager import DANGEROUS
from garabench.virtual.android.phone import Phone
from garabench.virtual.commands import framework_errors
from garabench.virtual.shell.call import CommandCall

_MANAGE_USERS = "Neither user 2000 nor current process has android.permission.MANAGE_USERS."
_HIDES = {"hide": True, "unhide": False}
_SUSPENDS = {"suspend": True, "unsuspend": False}
_UNITS = {"K": 10, "M": 20, "G": 30, "k": 10, "m": 20, "g": 30}
_SUCCESS = frozenset({"bg-dexopt-job", "compile", "reconcile-secondary-dex-files", "delete-dexopt"})
_SILENT = frozenset(
    {"set-permission-enforced", "set-app-links", "set-app-links-user-selection", "cancel-bg-dexopt-job"}
    | {
        "dump-profiles",
        "snapshot-profile",
        "set-harmful-app-warning",
        "log-visibility",
        "clear-crossprofile-apps",
    }
    | {"clear-permission-flags", "set-permission-flags", "set-app-links-allowed", "verify-app-links"}
)
_FACTS = {
    "get-install-location": "0[auto]",
    "get-max-users": "Maximum supported users: 4",
    "get-max-running-users": "Maximum supported running users: 3",
    "is-headless-system-user-mode": "false",
    "get-instantapp-resolver": "No resolver found",
}


class PackageStates:
    """The verbs."""

    def __init__(self, phone: Phone) -> None:
        self._phone = phone

    async def run(self, call: CommandCall, verb: str, plain: list[str]) -> int | None:
        """Run a verb; None if it is not one of these."""
        if verb in _HIDES or verb in _SUSPENDS:
            return await self._change(call, verb, plain)
        match verb:
            case "install-existing":
                return await self._install_existing(call, plain)
            case "trim-caches":
                return await self._trim(call, plain)
            case "create-user":
                await call.print_error("Error: couldn't create User.\n")
                return 1
            case "remove-user":
                await call.print_error(f"Error: couldn't remove user id {(*plain, '')[0]}\n")
                return 1
            case "set-install-location":
                return 0
            case "reset-permissions":
                for each in self._phone.packages.all():
                    for permission in sorted(each.granted & DANGEROUS):
                        self._phone.packages.revoke(each.app.package, permission)
                return 0
            case "set-home-activity":
                await call.print("Success\n")
                return 0
            case "get-app-links" | "get-privapp-permissions" | "get-harmful-app-warning":
                return await self._named(call, plain)
            case _ if verb in _FACTS:
                await call.print(f"{_FACTS[verb]}\n")
                return 0
            case _ if verb in _SUCCESS:
                return await self._compile(call, plain)
            case _ if verb in _SILENT:
                return 0
        return None

    async def _change(self, call: CommandCall, verb: str, plain: list[str]) -> int:
        if not plain:
            text = "no package specified" if verb in _HIDES else "package name not specified"
            await call.print_error(f"Error: {text}\n")
            return 1
        if verb in _HIDES and not AS_ROOT.get():
            return await framework_errors.report_exception(
                call, verb, f"java.lang.SecurityException: {_MANAGE_USERS}"
            )
        for name in plain if verb in _SUSPENDS else plain[:1]:
            found = self._phone.packages.get(name)
            if found is None:
                if verb in _SUSPENDS:
                    await call.print(f"java.lang.IllegalArgumentException: Unknown target package: {name}\n")
                    return 1
                await call.print(f"Package {name} new hidden state: false\n")
                continue
            home = self._phone.packages.home()
            if verb in _SUSPENDS:  # the launcher cannot be suspended
                found.suspended = _SUSPENDS[verb] and (home is None or home.app.package != name)
                state = f"suspended state: {str(found.suspended).lower()}"
            else:
                found.hidden = _HIDES[verb]
                state = f"hidden state: {str(found.hidden).lower()}"
            if found.hidden or found.suspended:
                self._phone.activities.force_stop(name)
            await call.print(f"Package {name} new {state}\n")
        self._phone.changed()
        return 0

    async def _install_existing(self, call: CommandCall, plain: list[str]) -> int:
        if not plain:
            await call.print("Error: package name not specified\n")
            return 1
        found = self._phone.packages.get(plain[0])
        if found is None:
            await call.print(
                f"android.content.pm.PackageManager$NameNotFoundException: Package {plain[0]} doesn't exist\n"
            )
            return 1
        found.installed = True
        self._phone.changed()
        await call.print(f"Package {plain[0]} installed for user: 0\n")
        return 0

    async def _trim(self, call: CommandCall, plain: list[str]) -> int:
        if not plain:
            return await framework_errors.report_illegal_argument(
                call, "trim-caches", 'Argument expected after "trim-caches"'
            )
        size = plain[0]
        if size[-1:] in _UNITS:
            size = size[:-1]
        elif not size[-1:].isdecimal():
            await call.print_error(f"Invalid suffix: {size[-1:]}\n")
            return 1
        if not size.isdecimal():
            await call.print_error(f"Error: expected number at: {size}\n")
            return 1
        return 0  # the phone's apps have no caches

    async def _named(self, call: CommandCall, plain: list[str]) -> int:
        if plain and self._phone.packages.get(plain[0]) is None:
            await call.print_error(f"Failed to find package {plain[0]}\n")
            return 1
        return 0

    async def _compile(self, call: CommandCall, plain: list[str]) -> int:
        names = [name for name in plain if "." in name]
        if names and self._phone.packages.get(names[0]) is None:
            await call.print_error(f"Failure: package {names[0]} not found\n")
            return 1
        await call.print("Success\n")
        return 0
