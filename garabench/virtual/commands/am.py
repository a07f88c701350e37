"""``am``: the activity manager's shell command (AOSP ``ActivityManagerShellCommand``)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from garabench.virtual.apps.framework import Intent
from garabench.virtual.commands import failures
from garabench.virtual.commands.costs import CALL_MS, costs
from garabench.virtual.commands.intents import NEW_TASK, IntentError, Parsed, parse_intent
from garabench.virtual.os.packages import LAUNCHER, MAIN
from garabench.virtual.os.phone import Phone
from garabench.virtual.os.tasks import ActivityRecord, StartKind, StartResult, Task
from garabench.virtual.shell.call import Call, Command

_FROM_SHELL = 0x400000
_IN_PROCESS_SDK = 26
"""Since Android 8 ``am`` runs in the system's process; before, it was a program of its own."""
_LAUNCH_STATE_SDK = 29
_ROOT_TASK_SDK = 31
_WARNINGS = {
    StartKind.BROUGHT_TO_FRONT: "its current task has been brought to the front",
    StartKind.DELIVERED: "intent has been delivered to currently running top-most instance.",
}
_QUIET = frozenset(
    {"kill-all", "set-debug-app", "clear-debug-app", "clear-watch-heap", "idle-maintenance", "hang"}
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


class ActivityCommand:
    """The verbs of ``am``."""

    def __init__(self, phone: Phone) -> None:
        self._phone = phone

    async def run(self, call: Call) -> int:
        """``am VERB …``."""
        words = call.argv[1:]
        verb, rest = (words[0], words[1:]) if words else ("", [])
        await self._phone.spend(CALL_MS)
        try:
            return await self._verb(call, verb, rest)
        except IntentError as error:
            if self._phone.profile.sdk >= _IN_PROCESS_SDK:
                return await failures.raised(call, verb, f"java.lang.IllegalArgumentException: {error}")
            await call.complain(f"Error: {error}\n")
            return 1

    async def _verb(self, call: Call, verb: str, rest: list[str]) -> int:
        activities = self._phone.activities
        match verb:
            case "start" | "start-activity":
                return await self._start(call, parse_intent(rest))
            case "broadcast":
                return await self._broadcast(call, parse_intent(rest))
            case "force-stop" | "kill" | "crash" | "stop-app":
                package = _package(rest)
                if package == "all" and verb == "kill":
                    package = ""
                match verb:
                    case "kill":
                        activities.kill(package)
                    case "crash":
                        activities.crash(package)
                    case _:
                        activities.force_stop(package)
            case "stack" if rest[:1] == ["list"]:
                await call.say("".join(self._stack(task) for task in activities.tasks if task.stack))
            case "instrument":
                return await self._instrument(call, rest)
            case _ if verb in _SERVICE_VERBS:
                parsed = parse_intent(rest)
                await call.say(f"{_SERVICE_VERBS[verb]} service: {parsed.text()}\n")
                stop = _SERVICE_VERBS[verb] == "Stopping"
                said = "Error stopping service" if stop else "Error: Not found; no service started."
                await call.complain(said + "\n")
                return 255
            case "get-current-user":
                await call.say("0\n")
            case "get-started-user-state":
                await call.say("RUNNING_UNLOCKED\n")
            case "get-uid-state":
                await call.say("20 (NONE)\n")
            case "wait-for-broadcast-idle":
                await call.say("All broadcast queues are idle!\n")
            case "to-uri" | "to-intent-uri":
                parsed = parse_intent(rest)
                await call.say((parsed.data or f"#Intent;action={parsed.action};end") + "\n")
            case _ if verb in _QUIET:
                pass
            case "" | "help":
                await call.say("Activity manager (activity) commands:\n  help\n      Print this help text.\n")
                return 255 if not verb else 0
            case _:
                return await self._unknown(call, verb)
        return 0

    async def _unknown(self, call: Call, verb: str) -> int:
        if self._phone.profile.sdk >= _IN_PROCESS_SDK:
            await call.complain(f"Unknown command: {verb}\n")
        else:
            await call.complain(f"Error: unknown command '{verb}'\n")
        return 255

    async def _start(self, call: Call, parsed: Parsed) -> int:
        phone, intent = self._phone, parsed.intent
        wait = "-W" in parsed.switches
        if "-S" in parsed.switches and (package := self._target(intent)):
            await call.say(f"Stopping: {package}\n")
            phone.activities.force_stop(package)
        await call.say(f"Starting: {parsed.text()}\n")
        target = self._target(intent)
        cold = phone.processes.pidof(target) is None
        spent = costs(phone).start
        result = phone.activities.start(intent)
        await phone.spend(spent)
        tell = call.say if wait else call.complain
        if not result.ok:
            await tell(_failure(parsed, result))
            return 1
        if result.kind in _WARNINGS:
            await tell(f"Warning: Activity not started, {_WARNINGS[result.kind]}\n")
        if wait and result.resolved is not None:
            state = "COLD" if cold else "WARM" if result.kind is StartKind.STARTED else "HOT"
            total = 0 if result.kind is StartKind.DELIVERED else spent
            await call.say(self._waited(result.resolved.component, state, total))
        return 0

    def _target(self, intent: Intent) -> str:
        if intent.package:
            return intent.package
        found = self._phone.packages.resolve(intent)
        return found[0].app.package if found else ""

    def _waited(self, component: str, state: str, total: int) -> str:
        lines = ["Status: ok"]
        modern = self._phone.profile.sdk >= _LAUNCH_STATE_SDK
        lines += [f"LaunchState: {state}"] if modern else []
        lines += [f"Activity: {component}"]
        lines += [] if modern else [f"ThisTime: {total}"]
        lines += [f"TotalTime: {total}", f"WaitTime: {total + 12}", "Complete"]
        return "\n".join(lines) + "\n"

    async def _broadcast(self, call: Call, parsed: Parsed) -> int:
        more = _FROM_SHELL if self._phone.profile.sdk >= _IN_PROCESS_SDK else 0
        await call.say(f"Broadcasting: {parsed.text(more)}\n")
        intent = parsed.intent
        code, data = self._phone.broadcast(
            intent.action or parsed.action, dict(intent.extras), intent.package
        )
        said = f', data="{data}"' if data else ""
        await call.say(f"Broadcast completed: result={code}{said}\n")
        return 0

    def _stack(self, task: Task) -> str:
        """One task of ``am stack list``, whose form changed with Android 12."""
        phone = self._phone
        top = task.top
        if top is None:
            return ""
        size = phone.display.current_size
        bounds = f"[0,0][{size.width},{size.height}]"
        name = "RootTask" if phone.profile.sdk >= _ROOT_TASK_SDK else "Stack"
        seen = str(top.visible).lower()
        return (
            f"{name} id={task.number} bounds={bounds} displayId=0 userId=0\n"
            f"  taskId={task.number}: {_component(task.stack[0])} bounds={bounds} userId=0 visible={seen} "
            f"topActivity=ComponentInfo{{{_component(top)}}}\n\n"
        )

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


def _component(record: ActivityRecord) -> str:
    return f"{record.app.package}/{record.name}"


def _package(words: list[str]) -> str:
    left = list(words)
    while left:
        word = left.pop(0)
        if word == "--user":
            left = left[1:]
        elif not word.startswith("-"):
            return word
    raise IntentError("Argument expected after command")


def _failure(parsed: Parsed, result: StartResult) -> str:
    if result.kind is StartKind.NO_CLASS:
        return f"Error type 3\nError: Activity class {{{parsed.component}}} does not exist.\n"
    if result.kind is StartKind.NOT_EXPORTED:
        return f"java.lang.SecurityException: Permission Denial: starting {parsed.text(NEW_TASK)}\n"
    return f"Error: Activity not started, unable to resolve {parsed.text(NEW_TASK)}\n"


async def monkey(phone: Phone, call: Call) -> int:
    """``monkey -p PACKAGE -c LAUNCHER 1``: start an app by its icon."""
    words = call.argv[1:]
    package = words[words.index("-p") + 1] if "-p" in words[:-1] else ""
    intent = Intent(action=MAIN, package=package, categories=frozenset({LAUNCHER}))
    await call.complain("".join(f"  bash arg: {word}\n" for word in words))
    await phone.spend(costs(phone).start)
    if not package or not phone.activities.start(intent).ok:
        await call.say("** No activities found to run, monkey aborted.\n")
        return 252
    await call.say("Events injected: 1\n## Network stats: elapsed time=17ms (0ms mobile, 0ms wifi, 17ms not ")
    await call.say("connected)\n")
    return 0


def commands(phone: Phone) -> Mapping[str, Command]:
    """The commands by name."""
    return {"am": ActivityCommand(phone).run, "monkey": partial(monkey, phone)}
