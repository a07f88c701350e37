"""``am``: the activity manager's shell command.

In Android 4.4 it is a program (AOSP ``Am.java``), since Android 8 it runs in the system's process
(``ActivityManagerShellCommand``), with other verbs and error messages.
"""

from __future__ import annotations

from collections.abc import Mapping

from garabench.virtual.android import not_simulated
from garabench.virtual.android.not_simulated import missing_class
from garabench.virtual.android.package_manager import InstalledApp
from garabench.virtual.android.phone import Phone
from garabench.virtual.commands import am_components, framework_errors, root_tasks, usage_kitkat
from garabench.virtual.commands.am_debug import DebugVerbs
from garabench.virtual.commands.am_start import start
from garabench.virtual.commands.durations import CALL_MS
from garabench.virtual.commands.intent_arguments import (
    IntentError,
    ParsedIntent,
    UnknownOptionError,
    parse_intent,
)
from garabench.virtual.commands.intent_uri import IntentUri, IntentUriError, to_uri
from garabench.virtual.commands.service_help import HELP
from garabench.virtual.shell.call import Command, CommandCall

_IN_PROCESS_SDK = 26
_SILENT_VERBS = frozenset(
    {"set-debug-app", "clear-debug-app", "clear-watch-heap", "set-watch-heap", "idle-maintenance", "hang"}
    | {"unlock-user", "make-uid-idle", "send-trim-memory", "set-stop-user-on-switch", "clear-start-info"}
    | {"suppress-resize-config-changes", "attach-agent", "memory-factor", "set-foreground-service-delegate"}
    | {"refresh-settings-cache", "update-appinfo", "screen-compat", "write", "set-bg-abusive-uids"}
    | {"service-restart-backoff", "compact", "freeze", "unfreeze", "restart", "set-app-freezer"}
)
_OLD_VERBS = frozenset(
    {"start", "startservice", "stopservice", "force-stop", "kill", "kill-all", "instrument", "broadcast"}
    | {"set-debug-app", "clear-debug-app", "hang", "idle-maintenance", "to-uri", "to-intent-uri"}
)
"""The verbs of Android 4.4."""


class ActivityCommand:
    """The verbs of ``am``."""

    def __init__(self, phone: Phone) -> None:
        self._phone = phone
        self._modern = phone.profile.sdk >= _IN_PROCESS_SDK
        self._debug = DebugVerbs(phone)

    async def run(self, call: CommandCall) -> int:
        """``am VERB …``."""
        args = call.argv[1:]
        verb, rest = (args[0], args[1:]) if args else ("", [])
        await self._phone.spend(CALL_MS)
        try:
            return await self._verb(call, verb, rest)
        except IntentUriError as error:
            exception = f"java.lang.RuntimeException: {error}"
            if self._modern:
                return await framework_errors.report_exception(call, verb, exception)
            return await framework_errors.report_thrown(call, f"java.net.URISyntaxException: {error}")
        except IntentError as error:
            if self._modern:
                return await framework_errors.report_illegal_argument(call, verb, str(error))
            if isinstance(error, UnknownOptionError):
                # Android 4.4 continues without an intent, and fails.
                await call.print_error(f"Error: {error}\n")
                return await framework_errors.report_thrown(call, "java.lang.NullPointerException")
            return await framework_errors.report_usage_error(call, usage_kitkat.AM, str(error))

    async def _verb(self, call: CommandCall, verb: str, rest: list[str]) -> int:
        activities = self._phone.activities
        if not self._modern and verb not in _OLD_VERBS:
            return await self._unknown(call, verb)
        match verb:
            case "start" | "start-activity":
                return await start(self._phone, call, _intent(rest))
            case "broadcast":
                return await am_components.broadcast(self._phone, call, _intent(rest))
            case "force-stop" | "stop-app":
                activities.force_stop(_package(verb, rest))
            case "kill":
                activities.kill(_package(verb, rest))
            case "crash":
                activities.crash(_package(verb, rest))
            case "kill-all":
                for _, package in self._phone.processes.list():
                    activities.kill(package)
            case "stack" if rest[:1] == ["list"]:
                await call.print(root_tasks.stack_list(self._phone))
            case "instrument":
                return await self._instrument(call, rest)
            case _ if verb in am_components.SERVICE_VERBS:
                return await am_components.service(self._phone, call, verb, _intent(rest))
            case "get-current-user":
                await call.print("0\n")
            case "get-started-user-state":
                await call.print("RUNNING_UNLOCKED\n")
            case "get-uid-state":
                await call.print("20 (NONE)\n")
            case "wait-for-broadcast-idle":
                await call.print("All broadcast queues are idle!\n")
            case "to-uri" | "to-intent-uri" | "to-app-uri":
                await call.print(f"{_uri(verb, _intent(rest))}\n")
            case _ if verb in _SILENT_VERBS:
                pass
            case _:
                more = await self._debug.run(call, verb, rest) if self._modern else None
                return await self._unknown(call, verb) if more is None else more
        return 0

    async def _unknown(self, call: CommandCall, verb: str) -> int:
        if not self._modern:
            if not verb:
                await call.print(usage_kitkat.AM)
            else:
                await call.print_error(f"{usage_kitkat.AM}\nError: unknown command '{verb}'\n")
            return 0
        if verb in ("", "help", "-h"):
            await call.print(HELP["activity"])
            return framework_errors.FAILED
        return await framework_errors.report_unknown_verb(self._phone, call, verb)

    def _instrumentation(self, component: str) -> InstalledApp | None:
        """Return the installed app that declares an instrumentation."""
        package = component.partition("/")[0]
        found, full = self._phone.packages.get(package), f"{package}/{_class_of(component)}"
        return found if found is not None and full in found.instrumentations else None

    async def _missing_runner(
        self, call: CommandCall, name: str, found: InstalledApp, args: list[str]
    ) -> int:
        """Fail as the system does for a runner whose class is not in its APK."""
        reason = missing_class(_class_of(name), self._phone.packages.path_of(found))
        not_simulated.say(self._phone, f"am instrument {name}")
        if "-w" in args:
            kind = reason.partition(":")[0]
            await call.print(
                f"INSTRUMENTATION_RESULT: shortMsg={kind}\nINSTRUMENTATION_RESULT: longMsg={reason}\n"
                "INSTRUMENTATION_CODE: 0\n"
            )
        return 0

    async def _instrument(self, call: CommandCall, rest: list[str]) -> int:
        names = [arg for arg in rest if "/" in arg]
        if not names:
            raise IntentError("No instrumentation component supplied")
        name = names[-1]
        if found := self._instrumentation(name):
            return await self._missing_runner(call, name, found, rest)
        text = (
            "INSTRUMENTATION_STATUS: Error=Unable to find instrumentation info for: "
            f"ComponentInfo{{{name}}}\nINSTRUMENTATION_STATUS: id=ActivityManagerService\n"
            "INSTRUMENTATION_STATUS_CODE: -1\n"
        )
        await call.print(text if "-w" in rest else "")
        await call.print_error(f"android.util.AndroidException: INSTRUMENTATION_FAILED: {name}\n")
        return 1


def _class_of(component: str) -> str:
    package, _, name = component.partition("/")
    return package + name if name.startswith(".") else name


def _uri(verb: str, parsed: ParsedIntent) -> str:
    """Return an intent's URI (``am to-uri`` and its relatives)."""
    found = IntentUri(
        action=parsed.action,
        data=parsed.data,
        mime_type=parsed.mime_type,
        package=parsed.package,
        component=parsed.component,
        flags=parsed.flags,
        categories=parsed.categories,
        extras=parsed.extras,
    )
    if verb != "to-app-uri":
        return to_uri(found, as_intent=verb == "to-intent-uri")
    scheme, _, rest = parsed.data.partition("://")
    place = f"/{scheme}/{rest}" if parsed.data else ""
    return f"android-app://{parsed.package}{place}"


def _package(verb: str, args: list[str]) -> str:
    remaining = list(args)
    while remaining:
        arg = remaining.pop(0)
        if arg == "--user":
            remaining = remaining[1:]
        elif arg.startswith("-"):
            raise UnknownOptionError(f"Unknown option: {arg}")
        else:
            return arg
    raise IntentError(f'Argument expected after "{args[-1] if args else verb}"')


def _intent(args: list[str]) -> ParsedIntent:
    """Parse the intent.

    Raises:
        IntentError: It is missing, or its arguments are wrong.
    """
    parsed = parse_intent(args)
    if not parsed.supplied:
        raise IntentError("No intent supplied")
    return parsed


def commands(phone: Phone) -> Mapping[str, Command]:
    """Return the commands by name."""
    return {"am": ActivityCommand(phone).run}
