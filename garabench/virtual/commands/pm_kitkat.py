"""``pm`` of Android 4.4, a program (AOSP ``Pm.java``): it exits with 0 and tells much as errors."""

from __future__ import annotations

from garabench.virtual.commands import pm_lists
from garabench.virtual.commands.costs import CALL_MS
from garabench.virtual.commands.pm_install import Installer, options
from garabench.virtual.os.packages import DANGEROUS
from garabench.virtual.os.phone import Phone
from garabench.virtual.shell.call import Call

USAGE = (
    "usage: pm list packages [-f] [-d] [-e] [-s] [-3] [-i] [-u] [--user USER_ID] [FILTER]\n"
    "       pm list permission-groups\n       pm list permissions [-g] [-f] [-d] [-u] [GROUP]\n"
    "       pm list instrumentation [-f] [TARGET-PACKAGE]\n       pm list features\n"
    "       pm list libraries\n       pm list users\n       pm path PACKAGE\n       pm dump PACKAGE\n"
    "       pm install [-l] [-r] [-t] [-i INSTALLER_PACKAGE_NAME] [-s] [-f]\n"
    "                  [--algo <algorithm name> --key <key-in-hex> --iv <IV-in-hex>]\n"
    "                  [--originating-uri <URI>] [--referrer <URI>] PATH\n"
    "       pm uninstall [-k] PACKAGE\n       pm clear [--user USER_ID] PACKAGE\n"
    "       pm enable [--user USER_ID] PACKAGE_OR_COMPONENT\n"
    "       pm disable [--user USER_ID] PACKAGE_OR_COMPONENT\n"
    "       pm grant PACKAGE PERMISSION\n       pm revoke PACKAGE PERMISSION\n"
    "       pm set-install-location [0/auto] [1/internal] [2/external]\n       pm get-install-location\n"
)
_STATES = {"enable": "enabled", "disable": "disabled", "disable-user": "disabled-user"}
_INSTALL_WITH_VALUE = frozenset({"-i", "--algo", "--key", "--iv", "--originating-uri", "--referrer"})


class OldPackageProgram:
    """The verbs of ``pm``."""

    def __init__(self, phone: Phone, installer: Installer) -> None:
        self._phone = phone
        self._installer = installer

    async def run(self, call: Call) -> int:
        """``pm VERB …``."""
        words = call.argv[1:]
        verb, rest = (words[0], words[1:]) if words else ("", [])
        await self._phone.spend(CALL_MS)
        if "--user" in rest:
            place = rest.index("--user")
            del rest[place : place + 2]
        match verb:
            case "":
                await call.complain(USAGE)
            case "list":
                await self._list(call, rest)
            case "path" | "-p":
                await self._path(call, rest)
            case "dump":
                return await self._dump(call, rest)
            case "install":
                await self._install(call, rest)
            case "uninstall":
                await self._uninstall(call, [word for word in rest if word != "-k"])
            case "clear" if rest:
                await call.complain("Success\n" if self._clear(rest[0]) else "Failed\n")
            case "enable" | "disable" | "disable-user" if rest:
                await self._enable(call, verb, rest[0])
            case "grant" | "revoke" if len(rest) == 2:
                await self._permission(call, *rest)
            case "clear" | "enable" | "disable" | "disable-user" | "grant" | "revoke":
                missing = "permission" if verb in ("grant", "revoke") and rest else "package"
                await call.complain(f"Error: no {missing} specified\n{USAGE}")
            case "get-install-location":
                await call.say("0[auto]\n")
            case "get-max-users":
                await call.say("Maximum supported users: 1\n")
            case _:
                await call.complain(f"Error: unknown command '{verb}'\n{USAGE}")
        return 0

    async def _list(self, call: Call, rest: list[str]) -> None:
        if not rest:
            await call.complain("Error: didn't specify type of data to list\n")
            return
        flags = [word for word in rest[1:] if word.startswith("-")]
        plain = [word for word in rest[1:] if not word.startswith("-")]
        match rest[0]:
            case "packages" | "package":
                wrong = [flag for flag in flags if flag not in pm_lists.OPTIONS]
                if wrong:
                    await call.complain(f"Error: Unknown option: {wrong[0]}\n")
                else:
                    wanted = plain[0] if plain else ""
                    await call.say(pm_lists.packages(self._phone.packages, frozenset(flags), wanted))
            case "features":
                await call.say(pm_lists.features())
            case "permissions":
                await call.say(pm_lists.permissions())
            case "users":
                await call.say("Users:\n\tUserInfo{0:Owner:13} running\n")
            case "permission-groups" | "libraries" | "instrumentation":
                return
            case _:
                await call.complain(f"Error: unknown list type '{rest[0]}'\n")

    async def _path(self, call: Call, rest: list[str]) -> None:
        if not rest:
            await call.complain("Error: no package specified\n")
            return
        found = self._phone.packages.get(rest[0])
        if found is not None:
            await call.say(f"package:{self._phone.packages.path_of(found)}\n")

    async def _dump(self, call: Call, rest: list[str]) -> int:
        if not rest or call.run is None:
            await call.complain("Error: no package specified\n")
            return 0
        words = ["dumpsys", "package", rest[0]]
        return await call.run(
            Call(words, call.stdin, call.write, call.write_error, call.env, call.cwd, call.run)
        )

    async def _install(self, call: Call, rest: list[str]) -> None:
        flags, plain, left = set[str](), list[str](), list(rest)
        while left:
            word = left.pop(0)
            if word in _INSTALL_WITH_VALUE:
                left = left[1:]
            elif word.startswith("-"):
                flags.add(word)
            else:
                plain.append(word)
        await call.complain(f"\tpkg: {plain[0] if plain else 'null'}\n")
        if not plain:
            await call.complain("Error: no package specified\n")
            return
        try:
            data = self._phone.files.read(call.path(plain[0]))
        except OSError:
            await call.complain("Failure [INSTALL_FAILED_INVALID_URI]\n")
            return
        result = await self._installer.install(data, options(frozenset(flags)))
        if result.ok:
            await call.say("Success\n")
        else:
            await call.complain(f"Failure [{result.code}]\n")

    async def _uninstall(self, call: Call, rest: list[str]) -> None:
        if not rest:
            await call.complain(f"Error: no package specified\n{USAGE}")
            return
        await call.say("Success\n" if self._installer.uninstall(rest[0]) else "Failure\n")

    def _clear(self, package: str) -> bool:
        self._phone.activities.force_stop(package)
        return self._phone.packages.clear(package)

    async def _enable(self, call: Call, verb: str, package: str) -> None:
        found = self._phone.packages.get(package)
        if found is None:
            await call.complain(f"java.lang.IllegalArgumentException: Unknown package: {package}\n")
            return
        found.enabled = verb == "enable"
        if not found.enabled:
            self._phone.activities.force_stop(package)
        self._phone.changed()
        await call.complain(f"Package {package} new state: {_STATES[verb]}\n")

    async def _permission(self, call: Call, package: str, permission: str) -> None:
        """Every permission comes with the installation: none that apps ask for can be changed."""
        found = self._phone.packages.get(package)
        if found is None:
            exception = f"java.lang.IllegalArgumentException: Unknown package: {package}"
            await call.complain(f"Bad argument: {exception}\n{USAGE}")
            return
        if permission not in DANGEROUS and permission not in found.app.permissions:
            exception = f"java.lang.IllegalArgumentException: Unknown permission: {permission}"
            await call.complain(f"Bad argument: {exception}\n{USAGE}")
            return
        said = (
            f"Permission {permission} is not a changeable permission type"
            if permission in found.app.permissions
            else f"Package {package} has not requested permission {permission}"
        )
        await call.complain(f"Operation not allowed: java.lang.SecurityException: {said}\n")
