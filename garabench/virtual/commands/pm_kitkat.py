"""``pm`` of Android 4.4, a program (AOSP ``Pm.java``) that exits with 0 and prints much to standard error."""

from __future__ import annotations

from garabench.virtual.android.package_manager import DANGEROUS
from garabench.virtual.android.phone import Phone
from garabench.virtual.commands import pm_lists, usage_kitkat
from garabench.virtual.commands.durations import CALL_MS
from garabench.virtual.commands.pm_install import Installer, options
from garabench.virtual.shell.call import CommandCall

_STATES = {"enable": "enabled", "disable": "disabled", "disable-user": "disabled-user"}
_INSTALL_WITH_VALUE = frozenset({"-i", "--algo", "--key", "--iv", "--originating-uri", "--referrer"})


class KitkatPackageCommand:
    """The verbs of ``pm``."""

    def __init__(self, phone: Phone, installer: Installer) -> None:
        self._phone = phone
        self._installer = installer

    async def run(self, call: CommandCall) -> int:
        """``pm VERB …``."""
        args = call.argv[1:]
        verb, rest = (args[0], args[1:]) if args else ("", [])
        await self._phone.spend(CALL_MS)
        if "--user" in rest:
            index = rest.index("--user")
            del rest[index : index + 2]
        match verb:
            case "":
                await call.print_error(usage_kitkat.PM)
            case "list":
                await self._list(call, rest)
            case "path" | "-p":
                await self._path(call, rest)
            case "dump":
                return await self._dump(call, rest)
            case "install":
                await self._install(call, rest)
            case "uninstall":
                await self._uninstall(call, [arg for arg in rest if arg != "-k"])
            case "clear" if rest:
                await call.print_error("Success\n" if self._clear(rest[0]) else "Failed\n")
            case "enable" | "disable" | "disable-user" if rest:
                await self._enable(call, verb, rest[0])
            case "grant" | "revoke" if len(rest) == 2:
                await self._permission(call, *rest)
            case "clear" | "enable" | "disable" | "disable-user" | "grant" | "revoke":
                missing = "permission" if verb in ("grant", "revoke") and rest else "package"
                await call.print_error(f"Error: no {missing} specified\n{usage_kitkat.PM}")
            case "get-install-location":
                await call.print("0[auto]\n")
            case "get-max-users":
                await call.print("Maximum supported users: 1\n")
            case _:
                await call.print_error(f"Error: unknown command '{verb}'\n{usage_kitkat.PM}")
        return 0

    async def _list(self, call: CommandCall, rest: list[str]) -> None:
        if not rest:
            await call.print_error("Error: didn't specify type of data to list\n")
            return
        flags = [arg for arg in rest[1:] if arg.startswith("-")]
        plain = [arg for arg in rest[1:] if not arg.startswith("-")]
        match rest[0]:
            case "packages" | "package":
                wrong = [flag for flag in flags if flag not in pm_lists.OPTIONS]
                if wrong:
                    await call.print_error(f"Error: Unknown option: {wrong[0]}\n")
                else:
                    wanted = plain[0] if plain else ""
                    await call.print(pm_lists.packages(self._phone.packages, frozenset(flags), wanted))
            case "features":
                await call.print(pm_lists.features(self._phone))
            case "permissions":
                await call.print(pm_lists.permissions())
            case "users":
                await call.print("Users:\n\tUserInfo{0:Owner:13} running\n")
            case "instrumentation":
                options = frozenset(each for each in rest[1:] if each.startswith("-"))
                target = next((each for each in rest[1:] if not each.startswith("-")), "")
                await call.print(pm_lists.instrumentations(self._phone.packages, options, target))
            case "permission-groups" | "libraries":
                return
            case _:
                await call.print_error(f"Error: unknown list type '{rest[0]}'\n")

    async def _path(self, call: CommandCall, rest: list[str]) -> None:
        if not rest:
            await call.print_error("Error: no package specified\n")
            return
        found = self._phone.packages.get(rest[0])
        if found is not None:
            await call.print(f"package:{self._phone.packages.path_of(found)}\n")

    async def _dump(self, call: CommandCall, rest: list[str]) -> int:
        if not rest or call.run is None:
            await call.print_error("Error: no package specified\n")
            return 0
        args = ["dumpsys", "package", rest[0]]
        return await call.run(
            CommandCall(args, call.stdin, call.write, call.write_error, call.env, call.cwd, call.run)
        )

    async def _install(self, call: CommandCall, rest: list[str]) -> None:
        flags, plain, remaining = set[str](), list[str](), list(rest)
        while remaining:
            arg = remaining.pop(0)
            if arg in _INSTALL_WITH_VALUE:
                remaining = remaining[1:]
            elif arg.startswith("-"):
                flags.add(arg)
            else:
                plain.append(arg)
        await call.print_error(f"\tpkg: {plain[0] if plain else 'null'}\n")
        if not plain:
            await call.print_error("Error: no package specified\n")
            return
        try:
            data = self._phone.files.read(call.path(plain[0]))
        except OSError:
            await call.print_error("Failure [INSTALL_FAILED_INVALID_URI]\n")
            return
        result = await self._installer.install(data, options(frozenset(flags)))
        if result.ok:
            await call.print("Success\n")
        else:
            await call.print_error(f"Failure [{result.code}]\n")

    async def _uninstall(self, call: CommandCall, rest: list[str]) -> None:
        if not rest:
            await call.print_error(f"Error: no package specified\n{usage_kitkat.PM}")
            return
        await call.print("Success\n" if self._installer.uninstall(rest[0]) else "Failure\n")

    def _clear(self, package: str) -> bool:
        self._phone.activities.force_stop(package)
        return self._phone.packages.clear(package)

    async def _enable(self, call: CommandCall, verb: str, package: str) -> None:
        found = self._phone.packages.get(package)
        if found is None:
            await call.print_error(f"java.lang.IllegalArgumentException: Unknown package: {package}\n")
            return
        found.enabled = verb == "enable"
        if not found.enabled:
            self._phone.activities.force_stop(package)
        self._phone.changed()
        await call.print_error(f"Package {package} new state: {_STATES[verb]}\n")

    async def _permission(self, call: CommandCall, package: str, permission: str) -> None:
        """Refuse to change a permission: all are granted at installation."""
        found = self._phone.packages.get(package)
        if found is None:
            exception = f"java.lang.IllegalArgumentException: Unknown package: {package}"
            await call.print_error(f"Bad argument: {exception}\n{usage_kitkat.PM}")
            return
        if permission not in DANGEROUS and permission not in found.app.permissions:
            exception = f"java.lang.IllegalArgumentException: Unknown permission: {permission}"
            await call.print_error(f"Bad argument: {exception}\n{usage_kitkat.PM}")
            return
        message = (
            f"Permission {permission} is not a changeable permission type"
            if permission in found.app.permissions
            else f"Package {package} has not requested permission {permission}"
        )
        await call.print_error(f"Operation not allowed: java.lang.SecurityException: {message}\n")
