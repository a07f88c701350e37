"""``pm`` and ``cmd package``: the package manager."""

from __future__ import annotations

from collections.abc import Mapping

from garabench.virtual.apps.framework import Intent
from garabench.virtual.os.installer import InstallOptions, InstallResult, install_apk
from garabench.virtual.os.packages import LAUNCHER, MAIN, InstalledApp
from garabench.virtual.os.phone import Phone
from garabench.virtual.shell.call import Call, Command

_CALL_MS = 15
_INSTALL_MS = 900
_INSTALL_OLD_MS = 9_000
"""Android 4.4 takes 9 to 19 s."""
_WITH_VALUE = frozenset(
    {"-S", "--user", "--originating-uri", "--referrer", "--abi", "-c", "-a", "--install-location"}
)
_FEATURES = (
    "android.hardware.bluetooth",
    "android.hardware.camera",
    "android.hardware.location",
    "android.hardware.screen.portrait",
    "android.hardware.screen.landscape",
    "android.hardware.telephony",
    "android.hardware.touchscreen",
    "android.hardware.wifi",
)


class PackageService:
    """The verbs, and the installations that are under way.

    Attributes:
        sessions: Bytes by session, by the name of the part.
    """

    def __init__(self, phone: Phone) -> None:
        self._phone = phone
        self.sessions: dict[int, tuple[InstallOptions, dict[str, bytes]]] = {}
        self._last_session = 1_000

    async def run(self, call: Call) -> int:
        """``pm VERB …``."""
        words = call.argv[1:]
        verb, rest = (words[0], words[1:]) if words else ("", [])
        await self._phone.spend(_CALL_MS)
        flags, plain, values = _sorted(rest)
        match verb:
            case "path" if plain:
                return await self._path(call, plain[0])
            case "list" if plain:
                return await self._list(call, flags, plain)
            case "clear" if plain:
                self._phone.activities.force_stop(plain[0])
                done = self._phone.packages.clear(plain[0])
                await call.say("Success\n" if done else "Failed\n")
                return 0 if done else 1
            case "grant" | "revoke" if len(plain) == 2:
                return await self._permission(call, verb, *plain)
            case "install":
                return await self._install(call, flags, plain, values)
            case "install-create":
                return await self._create(call, flags)
            case "install-write" if plain and plain[0].isdecimal():
                return await self._write(call, plain, values)
            case "install-commit" if plain and plain[0].isdecimal():
                return await self._commit(call, int(plain[0]))
            case "install-abandon" if plain and plain[0].isdecimal():
                self.sessions.pop(int(plain[0]), None)
                await call.say("Success\n")
                return 0
            case "uninstall" if plain:
                return await self._uninstall(call, plain[0])
            case "resolve-activity" | "query-activities" | "query-intent-activities":
                return await self._resolve(call, verb, plain, flags, values)
            case "enable" | "disable" | "disable-user" | "default-state" if plain:
                return await self._enable(call, verb, plain[0])
            case "has-feature" if plain:
                known = plain[0] in _FEATURES
                await call.say(f"{str(known).lower()}\n")
                return 0 if known else 1
            case "get-install-location":
                await call.say("0[auto]\n")
                return 0
            case "dump" if plain:
                inner = Call(
                    ["dumpsys", "package", plain[0]],
                    call.stdin,
                    call.write,
                    call.write_error,
                    call.env,
                    call.cwd,
                    call.run,
                )
                return await call.run(inner) if call.run is not None else 1
        await call.complain(f"Unknown command: {verb}\n" if verb else "Package manager (package) commands:\n")
        return 255

    async def _path(self, call: Call, package: str) -> int:
        found = self._phone.packages.get(package)
        if found is None:
            return 1
        await call.say(f"package:{found.path}\n")
        return 0

    async def _list(self, call: Call, flags: frozenset[str], plain: list[str]) -> int:
        match plain[0]:
            case "packages" | "package":
                wanted = plain[1] if len(plain) > 1 else ""
                for each in self._phone.packages.all():
                    if wanted in each.app.package and _listed(each, flags):
                        await call.say(f"package:{_shown(each, flags)}\n")
            case "features":
                await call.say("".join(f"feature:{name}\n" for name in _FEATURES))
            case "users":
                await call.say("Users:\n\tUserInfo{0:Owner:c13} running\n")
            case "permissions" | "instrumentation" | "libraries" | "permission-groups":
                return 0
            case _:
                await call.complain(f"Error: unknown list type '{plain[0]}'\n")
                return 255
        return 0

    async def _permission(self, call: Call, verb: str, package: str, permission: str) -> int:
        packages = self._phone.packages
        if packages.get(package) is None:
            await call.complain(f"Exception occurred while executing '{verb}':\n")
            await call.complain(f"java.lang.IllegalArgumentException: Unknown package: {package}\n")
            return 255
        if not (packages.grant if verb == "grant" else packages.revoke)(package, permission):
            await call.complain(
                f"Exception occurred while executing '{verb}':\njava.lang.SecurityException: "
                f"Package {package} has not requested permission {permission}\n"
            )
            return 255
        if verb == "revoke":
            self._phone.activities.force_stop(package)
        return 0

    # Installation

    async def _install(
        self, call: Call, flags: frozenset[str], plain: list[str], values: Mapping[str, str]
    ) -> int:
        if plain:
            try:
                data = self._phone.files.read(call.path(plain[0]))
            except OSError:
                await call.say(
                    f"Error: Unable to open file: {plain[0]}\nConsider using a file under /data/local/tmp/\n"
                )
                return 1
        else:
            data = await _exactly(call, values.get("-S", ""))
            if not data:
                await call.complain("Error: must either specify a package size or an APK file\n")
                return 1
        return await self._finish(call, data, _options(flags))

    async def _finish(self, call: Call, data: bytes, options: InstallOptions) -> int:
        phone = self._phone
        slow = phone.faults.active("install-slow")
        await phone.spend(_INSTALL_OLD_MS if phone.profile.sdk < 21 else _INSTALL_MS)
        if slow is not None:
            await phone.spend(int(slow.get("ms", 20_000)))
        if phone.faults.active("no-space") is not None:
            result = InstallResult(code="INSTALL_FAILED_INSUFFICIENT_STORAGE")
        elif phone.faults.active("install-refused") is not None:
            result = InstallResult(code="INSTALL_FAILED_USER_RESTRICTED", detail="Install canceled by user")
        else:
            result = install_apk(phone.packages, data, options)
        if result.ok:
            phone.activities.force_stop(result.package)
            phone.changed()
        await call.say(f"{result}\n")
        return 0 if result.ok else 1

    async def _create(self, call: Call, flags: frozenset[str]) -> int:
        self._last_session += 1
        self.sessions[self._last_session] = (_options(flags), {})
        await call.say(f"Success: created install session [{self._last_session}]\n")
        return 0

    async def _write(self, call: Call, plain: list[str], values: Mapping[str, str]) -> int:
        session = self.sessions.get(int(plain[0]))
        if session is None:
            await call.complain(f"Error: session {plain[0]} not found\n")
            return 1
        name = plain[1] if len(plain) > 1 else "base.apk"
        source = plain[2] if len(plain) > 2 else "-"
        if source == "-":
            data = await _exactly(call, values.get("-S", ""))
        else:
            try:
                data = self._phone.files.read(call.path(source))
            except OSError as error:
                await call.complain(f"Error: failed to open {source}: {error.strerror}\n")
                return 1
        session[1][name] = data
        await call.say(f"Success: streamed {len(data)} bytes\n")
        return 0

    async def _commit(self, call: Call, number: int) -> int:
        session = self.sessions.pop(number, None)
        if session is None or not session[1]:
            await call.complain(f"Error: session {number} not found\n")
            return 1
        options, parts = session
        return await self._finish(call, next(iter(parts.values())), options)

    async def _uninstall(self, call: Call, package: str) -> int:
        found = self._phone.packages.get(package)
        if found is None:
            await call.say("Failure [DELETE_FAILED_INTERNAL_ERROR]\n")
            return 1
        self._phone.activities.force_stop(package)
        done = self._phone.packages.uninstall(package)
        self._phone.changed()
        await call.say("Success\n" if done else "Failure [DELETE_FAILED_INTERNAL_ERROR]\n")
        return 0 if done else 1

    # Components

    async def _resolve(
        self, call: Call, verb: str, plain: list[str], flags: frozenset[str], values: Mapping[str, str]
    ) -> int:
        category = values.get("-c", LAUNCHER if "-a" not in values else "")
        package = plain[-1] if plain else ""
        intent = Intent(
            action=values.get("-a", MAIN),
            package=package.partition("/")[0],
            categories=frozenset({category} if category else ()),
        )
        found = self._phone.packages.resolve(intent)
        if not found:
            await call.say("No activity found\n" if verb == "resolve-activity" else "No activities found\n")
            return 1
        if verb == "resolve-activity":
            found = found[:1]
        else:
            await call.say(f"{len(found)} activities found:\n")
        for place, each in enumerate(found):
            if "--brief" in flags or "--components" in flags:
                head = "priority=0 preferredOrder=0 match=0x108000 specificIndex=-1 isDefault=true"
                await call.say(("" if "--components" in flags else f"{head}\n") + f"{each.component}\n")
                continue
            owner, _, name = each.component.partition("/")
            name = owner + name if name.startswith(".") else name
            label = f"  Activity #{place}:\n" if verb != "resolve-activity" else ""
            await call.say(
                f"{label}priority=0 preferredOrder=0 match=0x108000 specificIndex=-1 isDefault=true\n"
                f"ActivityInfo:\n  name={name}\n  packageName={owner}\n"
            )
        return 0

    async def _enable(self, call: Call, verb: str, package: str) -> int:
        found = self._phone.packages.get(package)
        if found is None:
            await call.complain(f"Error: java.lang.IllegalArgumentException: Unknown package: {package}\n")
            return 255
        found.enabled = not verb.startswith("disable")
        if not found.enabled:
            self._phone.activities.force_stop(package)
        self._phone.changed()
        state = {"enable": "enabled", "disable": "disabled", "disable-user": "disabled-user"}.get(
            verb, "default"
        )
        await call.say(f"Package {package} new state: {state}\n")
        return 0


def _sorted(words: list[str]) -> tuple[frozenset[str], list[str], dict[str, str]]:
    """Flags, plain words, and options with a value."""
    flags: set[str] = set()
    plain: list[str] = []
    values: dict[str, str] = {}
    rest = iter(words)
    for word in rest:
        if word in _WITH_VALUE:
            values[word] = next(rest, "")
        elif word.startswith("-") and word != "-":
            flags.add(word)
        else:
            plain.append(word)
    return frozenset(flags), plain, values


def _options(flags: frozenset[str]) -> InstallOptions:
    replace = True if "-r" in flags else False if "-R" in flags else None
    return InstallOptions(
        replace=replace,
        test="-t" in flags,
        downgrade="-d" in flags,
        grant="-g" in flags,
        low_target="--bypass-low-target-sdk-block" in flags,
    )


async def _exactly(call: Call, size: str) -> bytes:
    """So many bytes of the input; all of it when the size is not given."""
    if not size.isdecimal():
        return await call.read_all()
    data = bytearray()
    if int(size):
        async for piece in call.stdin:
            data += piece
            if len(data) >= int(size):
                break
    return bytes(data)


def _listed(each: InstalledApp, flags: frozenset[str]) -> bool:
    if "-3" in flags and each.app.system:
        return False
    if "-s" in flags and not each.app.system:
        return False
    if "-d" in flags and each.enabled:
        return False
    return not ("-e" in flags and not each.enabled)


def _shown(each: InstalledApp, flags: frozenset[str]) -> str:
    text = f"{each.path}={each.app.package}" if "-f" in flags else each.app.package
    if "--show-versioncode" in flags:
        text += f" versionCode:{each.app.version_code}"
    if "-i" in flags:
        text += "  installer=null"
    if "-U" in flags:
        text += f" uid:{each.uid}"
    return text


def commands(phone: Phone) -> Mapping[str, Command]:
    """``pm``, which ``cmd package`` shares."""
    return {"pm": PackageService(phone).run}
