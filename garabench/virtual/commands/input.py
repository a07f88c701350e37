"""``input``: touches, keys and text, in each Android version's form."""

from __future__ import annotations

import enum
from collections.abc import Mapping

from garabench.virtual.android.input_dispatcher import UnmappableTextError
from garabench.virtual.android.keycodes import KeyCode, code_of
from garabench.virtual.android.phone import Phone
from garabench.virtual.commands import framework_errors
from garabench.virtual.commands.durations import CALL_MS, durations
from garabench.virtual.shell.call import Command, CommandCall

_SOURCES = (
    *("keyboard", "dpad", "gamepad", "touchscreen", "mouse", "stylus", "trackball", "touchpad"),
    *("touchnavigation", "joystick"),
)
_MOTIONS = {"DOWN": 0, "UP": 1, "MOVE": 2, "CANCEL": 3}
_DISPLAYS_SDK = 29
"""First API level (Android 10) with ``-d`` and ``motionevent``, which ignores extra arguments."""
_IN_PROCESS_SDK = 31
"""First API level (Android 12) on which ``input`` runs in the system process."""
_SWIPE_MS = 300
_SHIFTS, _CONTROLS = frozenset({59, 60}), frozenset({113, 114})
_MODIFIERS = _SHIFTS | _CONTROLS | {57, 58, 117, 118}
_MIN_ARGUMENTS = {"tap": 2, "swipe": 4, "draganddrop": 4, "roll": 2, "press": 0, "motionevent": 3}
_NULL = "java.lang.NullPointerException: Attempt to get length of null array"


class _Form(enum.Enum):
    """Android's implementations of ``input``, by version."""

    PROGRAM = "program"
    BASE_COMMAND = "base-command"
    IN_PROCESS = "in-process"


class _ArgumentError(Exception):
    """The arguments are wrong; the text is the exception's, without its class."""


def usage(sdk: int) -> str:
    """Return the usage text of ``input``."""
    display = " [-d DISPLAY_ID]" if sdk >= _DISPLAYS_SDK else ""
    more = "      motionevent <DOWN|UP|MOVE> <x> <y> (Default: touchscreen)\n" if display else ""
    sources = "".join(f"      {name}\n" for name in _SOURCES)
    return (
        f"Usage: input [<source>]{display} <command> [<arg>...]\n\nThe sources are: \n{sources}\n"
        "The commands and default sources are:\n"
        "      text <string> (Default: touchscreen)\n"
        "      keyevent [--longpress] <key code number or name> ... (Default: keyboard)\n"
        "      tap <x> <y> (Default: touchscreen)\n"
        "      swipe <x1> <y1> <x2> <y2> [duration(ms)] (Default: touchscreen)\n"
        "      draganddrop <x1> <y1> <x2> <y2> [duration(ms)] (Default: touchscreen)\n"
        "      press (Default: trackball)\n"
        "      roll <dx> <dy> (Default: trackball)\n" + more
    )


class InputCommand:
    """The verbs of ``input``."""

    def __init__(self, phone: Phone) -> None:
        self._phone = phone
        sdk = phone.profile.sdk
        self._usage = usage(sdk)
        self._form = (
            _Form.IN_PROCESS
            if sdk >= _IN_PROCESS_SDK
            else _Form.BASE_COMMAND
            if sdk >= _DISPLAYS_SDK
            else _Form.PROGRAM
        )

    async def run(self, call: CommandCall) -> int:
        """``input [SOURCE] [-d DISPLAY] VERB …``."""
        args = call.argv[1:]
        if not args:
            return await self._help(call)
        if args[0] in _SOURCES:
            args = args[1:]
        if args[:1] == ["-d"] and self._form is not _Form.PROGRAM:
            args = args[2:]
        verb, rest = (args[0], args[1:]) if args else ("", [])
        try:
            return await self._verb(call, verb, rest)
        except _ArgumentError as error:
            match self._form:
                case _Form.PROGRAM:
                    await call.print_error(f"Error: Invalid arguments for command: {verb}\n{self._usage}")
                    return 0
                case _Form.BASE_COMMAND:
                    return await framework_errors.report_usage_error(call, self._usage, str(error))
                case _Form.IN_PROCESS:
                    return await framework_errors.report_illegal_argument(call, verb, str(error))

    async def _help(self, call: CommandCall) -> int:
        await (call.print_error if self._form is _Form.PROGRAM else call.print)(self._usage)
        return framework_errors.FAILED if self._form is _Form.IN_PROCESS else 0

    async def _verb(self, call: CommandCall, verb: str, rest: list[str]) -> int:
        modern = self._form is not _Form.PROGRAM
        match verb:
            case "tap" | "swipe" | "draganddrop" | "roll" | "press":
                return await self._move(verb, rest)
            case "motionevent" if modern:
                return await self._motion(rest)
            case "text":
                return await self._text(call, rest)
            case "keyevent":
                return await self._keys(rest)
            case "keycombination" if self._form is _Form.IN_PROCESS:
                return await self._combination(rest)
        match self._form:
            case _Form.PROGRAM:
                await call.print_error(f"Error: Unknown command: {verb}\n{self._usage}")
            case _Form.BASE_COMMAND:
                return await framework_errors.report_usage_error(
                    call, self._usage, f"Error: Unknown command: {verb}"
                )
            case _Form.IN_PROCESS:
                await framework_errors.report_unknown_verb(self._phone, call, verb)
        return 0

    def _enough(self, verb: str, args: list[str], minimum: int, maximum: int) -> None:
        """Check the number of arguments; only the old program refuses too many.

        Raises:
            _ArgumentError: There are too few, or too many for the old program.
        """
        if len(args) < minimum:
            raise _ArgumentError(f'Argument expected after "{args[-1] if args else verb}"')
        if self._form is _Form.PROGRAM and len(args) > maximum:
            raise _ArgumentError

    def _numbers(self, verb: str, args: list[str]) -> list[int]:
        try:
            return [round(float(arg)) for arg in args]
        except (ValueError, OverflowError) as error:
            raise _ArgumentError(f"Error: Invalid arguments for command: {verb}") from error

    async def _move(self, verb: str, rest: list[str]) -> int:
        phone, minimum = self._phone, _MIN_ARGUMENTS[verb]
        timed = verb in ("swipe", "draganddrop")
        self._enough(verb, rest, minimum, minimum + timed)
        numbers = self._numbers(verb, rest[: minimum + timed])
        match verb, numbers:
            case "tap", [x, y]:
                phone.input.tap(x, y)
                await phone.spend(durations(phone).tap)
            case "swipe" | "draganddrop", [x1, y1, x2, y2, *more]:
                duration = more[0] if more and more[0] >= 0 else _SWIPE_MS
                act = phone.input.swipe if verb == "swipe" else phone.input.drag
                act(x1, y1, x2, y2, duration)
                await phone.spend(duration)
            case _:
                await phone.spend(CALL_MS)  # a trackball moves nothing on this phone
        return 0

    async def _motion(self, rest: list[str]) -> int:
        self._enough("motionevent", rest, 3, 3)
        action = _MOTIONS.get(rest[0].upper())
        if action is None:
            raise _ArgumentError(f"Unknown motionevent {rest[0]}")
        x, y = self._numbers("motionevent", rest[1:3])
        self._phone.input.motion(action, x, y)
        await self._phone.spend(CALL_MS)
        return 0

    async def _text(self, call: CommandCall, rest: list[str]) -> int:
        phone = self._phone
        self._enough("text", rest, 1, 1)
        try:
            phone.input.text(rest[0].replace("%s", " "))
        except UnmappableTextError:
            match self._form:
                case _Form.PROGRAM:
                    return await framework_errors.report_killed(call)
                case _Form.BASE_COMMAND:
                    return await framework_errors.report_thrown(call, _NULL)
                case _Form.IN_PROCESS:
                    return await framework_errors.report_exception(call, "text", _NULL)
        await phone.spend(durations(phone).letter * len(rest[0]))
        return 0

    async def _keys(self, rest: list[str]) -> int:
        phone, args = self._phone, list(rest)
        options: set[str] = set()
        while args and args[0].startswith("--"):
            options.add(args.pop(0))
        self._enough("keyevent", args, 1, len(args))
        for name in args:
            for _ in range(2 if "--doubletap" in options else 1):
                # Android sends an unknown name as KEYCODE_UNKNOWN, which does nothing.
                phone.input.key(code_of(name) or 0, longpress="--longpress" in options)
                await phone.spend(durations(phone).key)
        return 0

    async def _combination(self, rest: list[str]) -> int:
        phone, args = self._phone, rest[2:] if rest[:1] == ["-t"] else rest
        codes = [code_of(arg) for arg in args]
        if None in codes:
            raise _ArgumentError(f"Unknown keycode: {args[codes.index(None)]}")
        if len(codes) < 2:
            raise _ArgumentError("keycombination requires at least 2 keycodes")
        modifiers, last = {code for code in codes[:-1] if code is not None}, codes[-1] or 0
        if modifiers & _CONTROLS and last == code_of("V"):
            phone.input.key(KeyCode.PASTE)
        elif not modifiers & (
            _MODIFIERS - _SHIFTS
        ):  # a letter with Control or Alt is a shortcut, and types nothing
            phone.input.key(last, meta=1 if modifiers & _SHIFTS else 0)
        await phone.spend(durations(phone).key)
        return 0


def commands(phone: Phone) -> Mapping[str, Command]:
    """Return the commands by name."""
    return {"input": InputCommand(phone).run}
