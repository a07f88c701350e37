"""``am`` and ``monkey``: start and stop apps, send broadcasts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial

from garabench.virtual.apps.framework import Intent
from garabench.virtual.os.packages import LAUNCHER, MAIN
from garabench.virtual.os.phone import Phone
from garabench.virtual.os.tasks import StartKind, StartResult
from garabench.virtual.shell.interpreter import Call, Command

_START_MS = 250
_FLAGS = {
    "--activity-clear-task": "CLEAR_TASK",
    "--activity-clear-top": "CLEAR_TOP",
    "--activity-single-top": "SINGLE_TOP",
    "--activity-new-task": "NEW_TASK",
}


class UsageError(ValueError):
    """The arguments are wrong."""


@dataclass(slots=True)
class Parsed:
    """An intent read from arguments, and ``am``'s own options."""

    intent: Intent
    wait: bool = False
    stop: bool = False
    rest: list[str] = field(default_factory=list)


def parse_intent(words: list[str]) -> Parsed:
    """Read the intent of ``am start`` or ``am broadcast``.

    Raises:
        UsageError: An option is unknown or lacks its value.
    """
    found: dict[str, str] = {}
    extras: dict[str, object] = {}
    flags, categories = set[str](), set[str]()
    parsed = Parsed(Intent())
    left = list(words)

    def value(option: str) -> str:
        if not left:
            raise UsageError(f'Argument expected after "{option}"')
        return left.pop(0)

    while left:
        word = left.pop(0)
        match word:
            case "-a" | "-d" | "-n" | "-p" | "-t":
                found[word] = value(word)
            case "-c":
                categories.add(value(word))
            case "-f" | "--user" | "--display" | "--windowingMode":
                value(word)
            case "-W":
                parsed.wait = True
            case "-S":
                parsed.stop = True
            case "-e" | "--es":
                key, text = value(word), value(word)
                extras[key] = text
            case "--ei" | "--el":
                key, number = value(word), value(word)
                try:
                    extras[key] = int(number)
                except ValueError as error:
                    raise UsageError(f'For input string: "{number}"') from error
            case "--ef":
                key, number = value(word), value(word)
                try:
                    extras[key] = float(number)
                except ValueError as error:
                    raise UsageError(f'For input string: "{number}"') from error
            case "--ez":
                key, text = value(word), value(word)
                extras[key] = text.lower() in ("true", "t", "1")
            case _ if word in _FLAGS:
                flags.add(_FLAGS[word])
            case _ if word.startswith("-"):
                raise UsageError(f"Unknown option: {word}")
            case _:
                parsed.rest.append(word)
    component = found.get("-n", "")
    if not component and parsed.rest and "/" in parsed.rest[0] and ":" not in parsed.rest[0]:
        component = parsed.rest[0]
    package, _, activity = component.partition("/")
    if activity.startswith("."):
        activity = package + activity
    action = found.get("-a", MAIN if component and not found.get("-d") else "")
    parsed.intent = Intent(
        action=action,
        package=package or found.get("-p", ""),
        activity=activity,
        data=found.get("-d", ""),
        extras=extras,
        flags=frozenset(flags | {"NEW_TASK"}),
        categories=frozenset(categories),
    )
    return parsed


def describe(intent: Intent) -> str:
    """The intent as ``am`` prints it."""
    parts = [f"act={intent.action}"] if intent.action else []
    if intent.categories:
        parts.append(f"cat=[{','.join(sorted(intent.categories))}]")
    if intent.data:
        parts.append(f"dat={intent.data}")
    if intent.activity:
        short = intent.activity
        if short.startswith(intent.package + "."):
            short = short[len(intent.package) :]
        parts.append(f"cmp={intent.package}/{short}")
    elif intent.package:
        parts.append(f"pkg={intent.package}")
    if intent.extras:
        parts.append("(has extras)")
    return f"Intent {{ {' '.join(parts)} }}"


async def start(phone: Phone, call: Call, words: list[str]) -> int:
    """``am start``."""
    try:
        parsed = parse_intent(words)
    except UsageError as error:
        await call.complain(f"Error: {error}\n")
        return 1
    intent = parsed.intent
    if parsed.stop and intent.package:
        phone.activities.force_stop(intent.package)
    await call.say(f"Starting: {describe(intent)}\n")
    result = phone.activities.start(intent)
    await phone.spend(_START_MS)
    tell = call.say if parsed.wait else call.complain
    if not result.ok:
        await tell(_failure(intent, result))
        return 1
    if result.kind is not StartKind.STARTED:
        await tell("Warning: Activity not started, its current task has been brought to the front\n")
    if parsed.wait and result.resolved is not None:
        await call.say(
            f"Status: ok\nLaunchState: COLD\nActivity: {result.resolved.component}\n"
            f"TotalTime: {_START_MS}\nWaitTime: {_START_MS + 12}\nComplete\n"
        )
    return 0


def _failure(intent: Intent, result: StartResult) -> str:
    if result.kind is StartKind.NO_CLASS:
        name = f"{intent.package}/{intent.activity}"
        return f"Error type 3\nError: Activity class {{{name}}} does not exist.\n"
    if result.kind is StartKind.NOT_EXPORTED:
        return "java.lang.SecurityException: Permission Denial: starting Intent not exported\n"
    return f"Error: Activity not started, unable to resolve {describe(intent)}\n"


async def am(phone: Phone, call: Call) -> int:
    """The activity manager."""
    words = call.argv[1:]
    verb, rest = (words[0], words[1:]) if words else ("", [])
    package = next((word for word in rest if not word.startswith("-") and not word.isdigit()), "")
    await phone.spend(15)
    match verb:
        case "start" | "start-activity":
            return await start(phone, call, rest)
        case "force-stop" | "kill":
            phone.activities.force_stop(package)
            return 0
        case "crash":
            phone.activities.crash(package)
            return 0
        case "broadcast":
            try:
                intent = parse_intent(rest).intent
            except UsageError as error:
                await call.complain(f"Error: {error}\n")
                return 1
            code, data = phone.broadcast(intent.action, dict(intent.extras), intent.package)
            await call.say(f"Broadcasting: {describe(intent)}\nBroadcast completed: result={code}")
            await call.say(f', data="{data}"\n' if data else "\n")
            return 0
    await call.complain(f"Error: unknown command '{verb}'\n")
    return 255


async def monkey(phone: Phone, call: Call) -> int:
    """``monkey -p PACKAGE -c LAUNCHER 1``: start an app by its icon."""
    words = call.argv[1:]
    package = words[words.index("-p") + 1] if "-p" in words[:-1] else ""
    intent = Intent(action=MAIN, package=package, categories=frozenset({LAUNCHER}))
    await call.say(f"  bash arg: -p\n  bash arg: {package}\n")
    await phone.spend(_START_MS)
    if not package or not phone.activities.start(intent).ok:
        await call.say("** No activities found to run, monkey aborted.\n")
        return 252
    await call.say("Events injected: 1\n")
    return 0


def commands(phone: Phone) -> Mapping[str, Command]:
    """The commands by name."""
    return {"am": partial(am, phone), "monkey": partial(monkey, phone)}
