"""``pm`` and ``cmd package``: the package manager's shell command (AOSP ``PackageManagerShellCommand``)."""

from __future__ import annotations

from collections.abc import Mapping

from garabench.virtual.commands import failures, pm_lists
from garabench.virtual.commands.costs import CALL_MS
from garabench.virtual.commands.intents import IntentError, parse_intent
from garabench.virtual.commands.pm_install import Installer
from garabench.virtual.commands.pm_kitkat import OldPackageProgram
from garabench.virtual.os.packages import DANGEROUS, Resolved
from garabench.virtual.os.phone import Phone
from garabench.virtual.shell.call import Call, Command

_IN_PROCESS_SDK = 24
_WITH_VALUE = frozenset(
    {"-S", "--user", "--originating-uri", "--referrer", "--abi", "--install-location", "--uid", "-i"}
)
_STATES = {"enable": "enabled", "disable": "disabled", "disable-user": "disabled-user"}
_RESOLVER = "android/com.android.internal.app.ResolverActivity"
"""What answers an intent that several activities can take: the user is asked."""
_HELP = "Package manager (package) commands:\n  help\n    Print this help text.\n"


class PackageService:
    """The verbs."""

    def __init__(self, phone: Phone, installer: Installer) -> None:
        self._phone = phone
        self._installer = installer

    async def run(self, call: Call) -> int:
        """``pm VERB …``."""
        words = call.argv[1:]
        verb, rest = (words[0], words[1:]) if words else ("", [])
        await self._phone.spend(CALL_MS)
        flags, plain, values = _sorted(rest, install=verb.startswith("install"))
        match verb:
            case "list":
                return await self._list(call, flags, plain)
            case "install":
                return await self._installer.command(call, flags, plain, values)
            case "install-create":
                return await self._installer.create(call, flags)
            case "install-write" if plain and plain[0].isdecimal():
                return await self._installer.write(call, plain, values)
            case "install-commit" if plain and plain[0].isdecimal():
                return await self._installer.commit(call, int(plain[0]))
            case "install-abandon" if plain and plain[0].isdecimal():
                return await self._installer.abandon(call, int(plain[0]))
            case "resolve-activity" | "query-activities" | "query-intent-activities":
                return await self._resolve(call, verb, rest)
            case "get-install-location":
                await call.say("0[auto]\n")
                return 0
            case "" | "help":
                await call.say(_HELP)
                return failures.FAILED
        return await self._of_a_package(call, verb, plain, values)

    async def _of_a_package(self, call: Call, verb: str, plain: list[str], values: Mapping[str, str]) -> int:
        known = {"path", "clear", "grant", "revoke", "uninstall", "has-feature", "dump", "default-state"}
        if verb not in known | _STATES.keys():
            return await failures.unknown(call, verb)
        wanted = 2 if verb in ("grant", "revoke") else 1
        if len(plain) < wanted:
            if verb == "uninstall":
                await call.complain("Error: package name not specified\n")
                return 1
            said = plain[-1] if plain else verb
            return await failures.illegal(call, verb, f'Argument expected after "{said}"')
        match verb:
            case "path":
                return await self._path(call, plain[0])
            case "clear":
                self._phone.activities.force_stop(plain[0])
                if self._phone.packages.clear(plain[0]):
                    await call.say("Success\n")
                    return 0
                await call.complain("Failed\n")
                return 1
            case "grant" | "revoke":
                return await self._permission(call, verb, *plain[:2])
            case "uninstall":
                return await self._uninstall(call, plain[0], values.get("--user", ""))
            case "has-feature":
                known_feature = plain[0] in pm_lists.FEATURES
                await call.say(f"{str(known_feature).lower()}\n")
                return 0 if known_feature else 1
            case "dump":
                return await _dump(call, plain[0])
        return await self._enable(call, verb, plain[0])

    async def _path(self, call: Call, package: str) -> int:
        found = self._phone.packages.get(package)
        if found is None:
            return 1
        await call.say(f"package:{self._phone.packages.path_of(found)}\n")
        return 0

    async def _list(self, call: Call, flags: frozenset[str], plain: list[str]) -> int:
        match plain[0] if plain else "":
            case "packages" | "package":
                wrong = sorted(flags - pm_lists.NEW_OPTIONS)
                if wrong:
                    await call.say(f"Error: Unknown option: {wrong[0]}\n")
                    return failures.FAILED
                await call.say(pm_lists.packages(self._phone.packages, flags, (*plain, "")[1]))
            case "features":
                await call.say(pm_lists.features())
            case "users":
                await call.say("Users:\n\tUserInfo{0:Owner:c13} running\n")
            case "permissions":
                await call.say(pm_lists.permissions())
            case "instrumentation" | "libraries" | "permission-groups":
                return 0
            case "":
                await call.say("Error: didn't specify type of data to list\n")
                return failures.FAILED
            case kind:
                await call.say(f"Error: unknown list type '{kind}'\n")
                return failures.FAILED
        return 0

    async def _permission(self, call: Call, verb: str, package: str, permission: str) -> int:
        packages = self._phone.packages
        found = packages.get(package)
        if found is None:
            return await failures.illegal(call, verb, f"Unknown package: {package}")
        if permission not in DANGEROUS and permission not in found.app.permissions:
            return await failures.illegal(call, verb, f"Unknown permission: {permission}")
        if permission not in found.app.permissions:
            said = f"Package {package} has not requested permission {permission}"
            return await failures.forbidden(call, said)
        if permission not in DANGEROUS:
            said = f"Permission {permission} requested by {package} is not a changeable permission type"
            return await failures.forbidden(call, said)
        (packages.grant if verb == "grant" else packages.revoke)(package, permission)
        return 0

    async def _uninstall(self, call: Call, package: str, user: str) -> int:
        if self._installer.uninstall(package):
            await call.say("Success\n")
            return 0
        missing = user and self._phone.packages.get(package) is None
        reason = f"not installed for {user}" if missing else "DELETE_FAILED_INTERNAL_ERROR"
        await call.say(f"Failure [{reason}]\n")
        return 1

    async def _resolve(self, call: Call, verb: str, rest: list[str]) -> int:
        shown = {word for word in rest if word in ("--brief", "--components")}
        words = [word for word in rest if word not in ("--brief", "--components")]
        if "--query-flags" in words:
            place = words.index("--query-flags")
            del words[place : place + 2]
        try:
            intent = parse_intent(words).intent
        except IntentError as error:
            return await failures.illegal(call, verb, str(error))
        found = [each.component for each in self._phone.packages.resolve(intent)]
        if verb == "resolve-activity":
            if not found:
                await call.say("No activity found\n")
            else:
                one = found[0] if len(found) == 1 else _RESOLVER
                await call.say(_told(one, shown, ""))
            return 0
        if not found:
            await call.say("No activities found\n")
        elif "--components" in shown:
            await call.say("".join(_told(each, shown, "") for each in found))
        else:
            await call.say(f"{len(found)} activities found:\n")
            for place, each in enumerate(found):
                await call.say(f"  Activity #{place}:\n{_told(each, shown, '    ')}")
        return 0

    async def _enable(self, call: Call, verb: str, package: str) -> int:
        found = self._phone.packages.get(package)
        if found is None:
            return await failures.illegal(call, verb, f"Unknown package: {package}")
        found.enabled = not verb.startswith("disable")
        if not found.enabled:
            self._phone.activities.force_stop(package)
        self._phone.changed()
        await call.say(f"Package {package} new state: {_STATES.get(verb, 'default')}\n")
        return 0


def _told(component: str, shown: set[str], indent: str) -> str:
    """An activity that answers an intent, in the wanted length."""
    head = f"{indent}priority=0 preferredOrder=0 match=0x108000 specificIndex=-1 isDefault=true\n"
    if "--components" in shown:
        return f"{indent}{component}\n"
    if "--brief" in shown:
        return f"{head}{indent}{component}\n"
    owner, _, name = component.partition("/")
    name = Resolved.full_name(owner, name)
    return f"{head}{indent}ActivityInfo:\n{indent}  name={name}\n{indent}  packageName={owner}\n"


async def _dump(call: Call, package: str) -> int:
    if call.run is None:
        return 1
    words = ["dumpsys", "package", package]
    return await call.run(Call(words, call.stdin, call.write, call.write_error, call.env, call.cwd, call.run))


def _sorted(words: list[str], *, install: bool) -> tuple[frozenset[str], list[str], dict[str, str]]:
    """Flags, plain words, and options with a value."""
    flags, plain, values = set[str](), list[str](), dict[str, str]()
    rest = iter(words)
    for word in rest:
        if word in _WITH_VALUE and (install or word != "-i"):
            values[word] = next(rest, "")
        elif word.startswith("-") and word != "-":
            flags.add(word)
        else:
            plain.append(word)
    return frozenset(flags), plain, values


def commands(phone: Phone) -> Mapping[str, Command]:
    """``pm``, which ``cmd package`` shares."""
    installer = Installer(phone)
    if phone.profile.sdk < _IN_PROCESS_SDK:
        return {"pm": OldPackageProgram(phone, installer).run}
    return {"pm": PackageService(phone, installer).run}
