"""``pm`` and ``cmd package``: the package manager's shell command (AOSP ``PackageManagerShellCommand``)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from garabench.virtual.android import component_queries
from garabench.virtual.android.component_queries import ResolvedComponent
from garabench.virtual.android.package_manager import DANGEROUS, ResolvedActivity
from garabench.virtual.android.phone import Phone
from garabench.virtual.commands import framework_errors, pm_lists
from garabench.virtual.commands.durations import CALL_MS
from garabench.virtual.commands.intent_arguments import IntentError, parse_intent
from garabench.virtual.commands.pm_install import Installer
from garabench.virtual.commands.pm_kitkat import KitkatPackageCommand
from garabench.virtual.commands.pm_states import PackageStates
from garabench.virtual.commands.service_help import HELP
from garabench.virtual.shell.call import Command, CommandCall

_IN_PROCESS_SDK = 24
_WITH_VALUE = frozenset(
    {"-S", "--user", "--originating-uri", "--referrer", "--abi", "--install-location", "--uid", "-i"}
)
_STATES = {"enable": "enabled", "disable": "disabled", "disable-user": "disabled-user"}
_MATCH_DEFAULT_ONLY = 0x10000
"""``PackageManager.MATCH_DEFAULT_ONLY``."""
_PLURALS = {"Activity": "activities", "Service": "services", "Receiver": "receivers"}
_COMPONENTS: Mapping[str, tuple[component_queries.Components, str]] = {
    "query-services": (component_queries.services_of, "Service"),
    "query-receivers": (component_queries.receivers_of, "Receiver"),
}


class PackageCommand:
    """The verbs of ``pm``."""

    def __init__(self, phone: Phone, installer: Installer) -> None:
        self._phone = phone
        self._installer = installer
        self._more = PackageStates(phone)

    async def run(self, call: CommandCall) -> int:
        """``pm VERB …``."""
        args = call.argv[1:]
        verb, rest = (args[0], args[1:]) if args else ("", [])
        await self._phone.spend(CALL_MS)
        flags, plain, values = _split_arguments(rest, install=verb.startswith("install"))
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
            case "query-services" | "query-receivers":
                return await self._resolve(call, verb, rest)
            case "install-write" | "install-commit" | "install-abandon":
                return await _report_no_number(call, verb, plain)
            case "install-add-session" if plain and plain[0].isdecimal():
                return await self._installer.add_sessions(call, int(plain[0]), plain[1:])
            case "" | "help" | "-h":
                await call.print(HELP["package"])
                return framework_errors.FAILED
        more = await self._more.run(call, verb, plain)
        return await self._package_verb(call, verb, plain, values) if more is None else more

    async def _package_verb(
        self, call: CommandCall, verb: str, plain: list[str], values: Mapping[str, str]
    ) -> int:
        known = {"path", "clear", "grant", "revoke", "uninstall", "has-feature", "dump", "default-state"}
        if verb not in known | _STATES.keys():
            return await framework_errors.report_unknown_verb(self._phone, call, verb)
        wanted = 2 if verb in ("grant", "revoke") else 1
        if len(plain) < wanted:
            if verb == "uninstall":
                await call.print_error("Error: package name not specified\n")
                return 1
            message = plain[-1] if plain else verb
            return await framework_errors.report_illegal_argument(
                call, verb, f'Argument expected after "{message}"'
            )
        match verb:
            case "path":
                return await self._path(call, plain[0])
            case "clear":
                self._phone.activities.force_stop(plain[0])
                if self._phone.packages.clear(plain[0]):
                    await call.print("Success\n")
                    return 0
                await call.print_error("Failed\n")
                return 1
            case "grant" | "revoke":
                return await self._permission(call, verb, *plain[:2])
            case "uninstall":
                return await self._uninstall(call, plain[0], values.get("--user", ""))
            case "has-feature":
                known_feature = plain[0] in pm_lists.features_of(self._phone)
                await call.print(f"{str(known_feature).lower()}\n")
                return 0 if known_feature else 1
            case "dump":
                return await _dump(call, plain[0])
        return await self._enable(call, verb, plain[0])

    async def _path(self, call: CommandCall, package: str) -> int:
        found = self._phone.packages.get(package)
        if found is None or not found.installed:
            return 1
        await call.print(f"package:{self._phone.packages.path_of(found)}\n")
        return 0

    async def _list(self, call: CommandCall, flags: frozenset[str], plain: list[str]) -> int:
        match plain[0] if plain else "":
            case "packages" | "package":
                wrong = sorted(flags - pm_lists.NEW_OPTIONS)
                if wrong:
                    await call.print(f"Error: Unknown option: {wrong[0]}\n")
                    return framework_errors.FAILED
                await call.print(pm_lists.packages(self._phone.packages, flags, (*plain, "")[1]))
            case "features":
                await call.print(pm_lists.features(self._phone))
            case "users":
                await call.print("Users:\n\tUserInfo{0:Owner:c13} running\n")
            case "permissions":
                await call.print(pm_lists.permissions())
            case "instrumentation":
                await call.print(pm_lists.instrumentations(self._phone.packages, flags, (*plain, "")[1]))
            case "libraries" | "permission-groups":
                return 0
            case "":
                await call.print("Error: didn't specify type of data to list\n")
                return framework_errors.FAILED
            case kind:
                await call.print(f"Error: unknown list type '{kind}'\n")
                return framework_errors.FAILED
        return 0

    async def _permission(self, call: CommandCall, verb: str, package: str, permission: str) -> int:
        packages = self._phone.packages
        found = packages.get(package)
        if found is None:
            return await framework_errors.report_illegal_argument(call, verb, f"Unknown package: {package}")
        if permission not in DANGEROUS and permission not in found.app.permissions:
            return await framework_errors.report_illegal_argument(
                call, verb, f"Unknown permission: {permission}"
            )
        if permission not in found.app.permissions:
            message = f"Package {package} has not requested permission {permission}"
            return await framework_errors.report_security_exception(call, message)
        if permission not in DANGEROUS:
            message = f"Permission {permission} requested by {package} is not a changeable permission type"
            return await framework_errors.report_security_exception(call, message)
        (packages.grant if verb == "grant" else packages.revoke)(package, permission)
        return 0

    async def _uninstall(self, call: CommandCall, package: str, user: str) -> int:
        found = self._phone.packages.get(package)
        if user and found is not None and found.app.system and found.installed:
            self._phone.activities.force_stop(package)
            found.installed = False
            self._phone.changed()
        elif not self._installer.uninstall(package):
            return await self._not_uninstalled(call, package, user)
        await call.print("Success\n")
        return 0

    async def _not_uninstalled(self, call: CommandCall, package: str, user: str) -> int:
        missing = user and self._phone.packages.get(package) is None
        reason = f"not installed for {user}" if missing else "DELETE_FAILED_INTERNAL_ERROR"
        await call.print(f"Failure [{reason}]\n")
        return 1

    async def _resolve(self, call: CommandCall, verb: str, rest: list[str]) -> int:
        shown = {arg for arg in rest if arg in ("--brief", "--components")}
        args, flags = [arg for arg in rest if arg not in ("--brief", "--components")], 0
        if "--query-flags" in args:
            index = args.index("--query-flags")
            flags = _number(args[index + 1 : index + 2])
            del args[index : index + 2]
        try:
            intent = parse_intent(args).intent
        except IntentError as error:
            return await framework_errors.report_illegal_argument(call, verb, str(error))
        packages, default_only = self._phone.packages, bool(flags & _MATCH_DEFAULT_ONLY)
        if verb in _COMPONENTS:
            one_of, kind = _COMPONENTS[verb]
            matching = component_queries.query(packages, intent, one_of)
            await call.print(
                _matches(kind, [each for each in matching if each.is_default >= default_only], shown)
            )
            return 0
        if verb == "resolve-activity":
            one = packages.resolve(intent, default_only=default_only)
            await call.print("No activity found\n" if one is None else _format(one, shown, ""))
            return 0
        found = packages.query(intent, default_only=default_only)
        await call.print(_matches("Activity", found, shown))
        return 0

    async def _enable(self, call: CommandCall, verb: str, package: str) -> int:
        found = self._phone.packages.get(package)
        if found is None:
            return await framework_errors.report_illegal_argument(call, verb, f"Unknown package: {package}")
        found.enabled = not verb.startswith("disable")
        if not found.enabled:
            self._phone.activities.force_stop(package)
        self._phone.changed()
        await call.print(f"Package {package} new state: {_STATES.get(verb, 'default')}\n")
        return 0


async def _report_no_number(call: CommandCall, verb: str, plain: list[str]) -> int:
    """Report a session that is missing or is not a number (``Integer.parseInt``)."""
    reason = f'For input string: "{plain[0]}"' if plain else "Cannot parse null string: null"
    return await framework_errors.report_exception(call, verb, f"java.lang.NumberFormatException: {reason}")


def _matches(kind: str, found: Sequence[ResolvedActivity | ResolvedComponent], shown: set[str]) -> str:
    """Format the components of a kind that match."""
    if not found:
        return f"No {_PLURALS[kind]} found\n"
    if "--components" in shown:
        return "".join(_format(each, shown, "") for each in found)
    rows = (f"  {kind} #{index}:\n{_format(each, shown, '    ')}" for index, each in enumerate(found))
    return f"{len(found)} {_PLURALS[kind]} found:\n" + "".join(rows)


def _format(found: ResolvedActivity | ResolvedComponent, shown: set[str], indent: str) -> str:
    """Format a resolved component, brief or in full (AOSP ``ResolveInfo.dump``)."""
    head = (
        f"{indent}priority={found.priority} preferredOrder=0 match={found.match:#x} specificIndex=-1 "
        f"isDefault={str(found.is_default).lower()}\n"
    )
    if "--components" in shown:
        return f"{indent}{found.component}\n"
    if "--brief" in shown:
        return f"{head}{indent}{found.component}\n"
    is_service = isinstance(found, ResolvedComponent) and found.entry in found.owner.services
    name = found.name if isinstance(found, ResolvedComponent) else found.activity
    return (
        f"{head}{indent}{'ServiceInfo' if is_service else 'ActivityInfo'}:\n{indent}  name={name}\n"
        f"{indent}  packageName={found.app.package}\n"
    )


def _number(args: list[str]) -> int:
    """Return the value of ``--query-flags``, decimal or hexadecimal; 0 if it is not a number."""
    try:
        return int(args[0], 0) if args else 0
    except ValueError:
        return 0


async def _dump(call: CommandCall, package: str) -> int:
    if call.run is None:
        return 1
    args = ["dumpsys", "package", package]
    return await call.run(
        CommandCall(args, call.stdin, call.write, call.write_error, call.env, call.cwd, call.run)
    )


def _split_arguments(args: list[str], *, install: bool) -> tuple[frozenset[str], list[str], dict[str, str]]:
    """Split arguments into flags, operands, and options with a value."""
    flags, plain, values = set[str](), list[str](), dict[str, str]()
    rest = iter(args)
    for arg in rest:
        if arg in _WITH_VALUE and (install or arg != "-i"):
            values[arg] = next(rest, "")
        elif arg.startswith("-") and arg != "-":
            flags.add(arg)
        else:
            plain.append(arg)
    return frozenset(flags), plain, values


def commands(phone: Phone) -> Mapping[str, Command]:
    """Return the command ``pm``, which ``cmd package`` shares."""
    installer = Installer(phone)
    if phone.profile.sdk < _IN_PROCESS_SDK:
        return {"pm": KitkatPackageCommand(phone, installer).run}
    return {"pm": PackageCommand(phone, installer).run}
