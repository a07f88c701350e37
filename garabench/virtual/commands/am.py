"""``am``: the activity manager's shell command.

In Android 4.4 it is a program (AOSP ``Am.java``), since Android 8 it runs in the system's process
(``ActivityManagerShellCommand``): other verbs, and other words when something is wrong.
"""

from __future__ import annotations

from collections.abc import Mapping

from garabench.virtual.commands import failures, stacks
from garabench.virtual.commands.am_start import start
from garabench.virtual.commands.costs import CALL_MS
from garabench.virtual.commands.intents import IntentError, Parsed, UnknownOptionError, parse_intent
from garabench.virtual.os.phone import Phone
from garabench.virtual.shell.call import Call, Command

_FROM_SHELL = 0x400000
_IN_PROCESS_SDK = 26
_QUIET = frozenset(
    {"set-debug-app", "clear-debug-app", "clear-watch-heap", "idle-maintenance", "hang"}
    | {"set-standby-bucket", "set-inactive", "unlock-user", "make-uid-idle", "send-trim-memory"}
)
_SERVICE_VERBS = {
    "startservice": "Starting",
    "start-service": "Starting",
    "startforegroundservice": "Starting",
    "start-foreground-service": "Starting",
    "stopservice": "Stopping",
    "stop-service": "Stopping",
}
_OLD_VERBS = frozenset(
    {"start", "startservice", "stopservice", "force-stop", "kill", "kill-all", "instrument", "broadcast"}
    | {"set-debug-app", "clear-debug-app", "hang", "idle-maintenance", "to-uri", "to-intent-uri"}
)
"""What Android 4.4 knows."""
_OLD_USAGE = (
    "usage: am [subcommand] [options]\n"
    "usage: am start [-D] [-W] [-P <FILE>] [--start-profiler <FILE>]\n"
    "               [--R COUNT] [-S] [--opengl-trace]\n"
    "               [--user <USER_ID> | current] <INTENT>\n"
    "       am startservice [--user <USER_ID> | current] <INTENT>\n"
    "       am force-stop [--user <USER_ID> | all | current] <PACKAGE>\n"
    "       am kill [--user <USER_ID> | all | current] <PACKAGE>\n"
    "       am kill-all\n"
    "       am broadcast [--user <USER_ID> | all | current] <INTENT>\n"
    "       am instrument [-r] [-e <NAME> <VALUE>] [-p <FILE>] [-w] <COMPONENT>\n"
    "       am to-uri [INTENT]\n"
)
_HELP = "Activity manager (activity) commands:\n  help\n      Print this help text.\n"


class ActivityCommand:
    """The verbs of ``am``."""

    def __init__(self, phone: Phone) -> None:
        self._phone = phone
        self._modern = phone.profile.sdk >= _IN_PROCESS_SDK

    async def run(self, call: Call) -> int:
        """``am VERB …``."""
        words = call.argv[1:]
        verb, rest = (words[0], words[1:]) if words else ("", [])
        await self._phone.spend(CALL_MS)
        try:
            return await self._verb(call, verb, rest)
        except IntentError as error:
            if self._modern:
                return await failures.illegal(call, verb, str(error))
            if isinstance(error, UnknownOptionError):
                # Android 4.4 goes on without an intent, and stumbles over that.
                await call.complain(f"Error: {error}\n")
                return await failures.thrown(call, "java.lang.NullPointerException")
            return await failures.misused(call, _OLD_USAGE, str(error))

    async def _verb(self, call: Call, verb: str, rest: list[str]) -> int:
        activities, sdk = self._phone.activities, self._phone.profile.sdk
        if not self._modern and verb not in _OLD_VERBS:
            return await self._unknown(call, verb)
        match verb:
            case "start" | "start-activity":
                return await start(self._phone, call, _intent(rest))
            case "broadcast":
                return await self._broadcast(call, _intent(rest))
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
                await call.say(stacks.listed(self._phone))
            case "instrument":
                return await self._instrument(call, rest)
            case _ if verb in _SERVICE_VERBS:
                stop, parsed = _SERVICE_VERBS[verb] == "Stopping", _intent(rest)
                await call.say(f"{_SERVICE_VERBS[verb]} service: {parsed.text(sdk)}\n")
                said = (
                    "Service not stopped: was not running."
                    if stop
                    else "Error: Not found; no service started."
                )
                await call.complain(said + "\n")
                return failures.FAILED if self._modern else 0
            case "get-current-user":
                await call.say("0\n")
            case "get-started-user-state":
                await call.say("RUNNING_UNLOCKED\n")
            case "get-uid-state":
                await call.say("20 (NONE)\n")
            case "wait-for-broadcast-idle":
                await call.say("All broadcast queues are idle!\n")
            case "to-uri" | "to-intent-uri":
                parsed = _intent(rest)
                await call.say((parsed.data or f"#Intent;action={parsed.action};end") + "\n")
            case _ if verb in _QUIET:
                pass
            case _:
                return await self._unknown(call, verb)
        return 0

    async def _unknown(self, call: Call, verb: str) -> int:
        if not self._modern:
            if not verb:
                await call.say(_OLD_USAGE)
            else:
                await call.complain(f"{_OLD_USAGE}\nError: unknown command '{verb}'\n")
            return 0
        if verb in ("", "help"):
            await call.say(_HELP)
            return failures.FAILED
        return await failures.unknown(call, verb)

    async def _broadcast(self, call: Call, parsed: Parsed) -> int:
        more = _FROM_SHELL if self._modern else 0
        await call.say(f"Broadcasting: {parsed.text(self._phone.profile.sdk, more)}\n")
        intent = parsed.intent
        code, data = self._phone.broadcast(
            intent.action or parsed.action, dict(intent.extras), intent.package
        )
        said = f', data="{data}"' if data else ""
        await call.say(f"Broadcast completed: result={code}{said}\n")
        return 0

    async def _instrument(self, call: Call, rest: list[str]) -> int:
        names = [word for word in rest if "/" in word]
        if not names:
            raise IntentError("No instrumentation component supplied")
        name = names[-1]
        said = (
            "INSTRUMENTATION_STATUS: Error=Unable to find instrumentation info for: "
            f"ComponentInfo{{{name}}}\nINSTRUMENTATION_STATUS: id=ActivityManagerService\n"
            "INSTRUMENTATION_STATUS_CODE: -1\n"
        )
        await call.say(said if "-w" in rest else "")
        await call.complain(f"android.util.AndroidException: INSTRUMENTATION_FAILED: {name}\n")
        return 1


def _package(verb: str, words: list[str]) -> str:
    left = list(words)
    while left:
        word = left.pop(0)
        if word == "--user":
            left = left[1:]
        elif word.startswith("-"):
            raise UnknownOptionError(f"Unknown option: {word}")
        else:
            return word
    raise IntentError(f'Argument expected after "{words[-1] if words else verb}"')


def _intent(words: list[str]) -> Parsed:
    """The intent that is wanted.

    Raises:
        IntentError: There is none, or its arguments are wrong.
    """
    parsed = parse_intent(words)
    if not parsed.supplied:
        raise IntentError("No intent supplied")
    return parsed


def commands(phone: Phone) -> Mapping[str, Command]:
    """The commands by name."""
    return {"am": ActivityCommand(phone).run}
