"""``input`` and ``ime``: touches, keys, text and input methods."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from garabench.virtual.commands.costs import CALL_MS, costs, raised
from garabench.virtual.os.input import UnmappableTextError
from garabench.virtual.os.keys import code_of
from garabench.virtual.os.phone import Phone
from garabench.virtual.shell.call import Call, Command

_SOURCES = frozenset(
    {"dpad", "gamepad", "joystick", "keyboard", "mouse", "stylus", "touchnavigation", "touchpad"}
    | {"touchscreen", "trackball", "rotaryencoder"}
)
_MOTIONS = {"DOWN": 0, "UP": 1, "MOVE": 2, "CANCEL": 3}
_IN_PROCESS_SDK = 31
"""Since Android 12 ``input`` is a command of the system's process; before, it was a program of its own."""
_SWIPE_MS = 300


class InputCommand:
    """The verbs of ``input``."""

    def __init__(self, phone: Phone) -> None:
        self._phone = phone

    async def run(self, call: Call) -> int:
        """``input [SOURCE] [-d DISPLAY] VERB …``."""
        words = call.argv[1:]
        if words[:1] and words[0] in _SOURCES:
            words = words[1:]
        if words[:1] == ["-d"]:
            words = words[2:]
        verb, rest = (words[0], words[1:]) if words else ("", [])
        match verb:
            case "tap" | "swipe" | "draganddrop" | "roll" | "press":
                return await self._move(call, verb, rest)
            case "motionevent" if rest and rest[0].upper() in _MOTIONS:
                return await self._move(call, verb, rest)
            case "text" if rest:
                return await self._text(call, rest[0])
            case "keyevent" | "keycombination" if rest:
                return await self._keys(call, verb, rest)
            case "text" | "keyevent" | "keycombination" | "motionevent":
                return await self._invalid(call, verb)
        old = self._phone.profile.sdk < _IN_PROCESS_SDK
        await call.complain(f"Error: Unknown command: {verb}\n" if old else f"Unknown command: {verb}\n")
        return 255

    async def _invalid(self, call: Call, verb: str) -> int:
        if self._phone.profile.sdk >= _IN_PROCESS_SDK:
            return await raised(
                call, verb, f'java.lang.IllegalArgumentException: Argument expected after "{verb}"'
            )
        await call.complain(f"Error: Invalid arguments for command: {verb}\n")
        return 255

    async def _move(self, call: Call, verb: str, rest: list[str]) -> int:
        phone = self._phone
        try:
            numbers = [round(float(word)) for word in rest[verb == "motionevent" :]]
        except (ValueError, OverflowError):
            return await self._invalid(call, verb)
        match verb, numbers:
            case "tap", [x, y]:
                phone.input.tap(x, y)
                await phone.spend(costs(phone).tap)
            case "swipe" | "draganddrop", [x1, y1, x2, y2, *more]:
                duration = max(0, more[0]) if more else _SWIPE_MS
                act = phone.input.swipe if verb == "swipe" else phone.input.drag
                act(x1, y1, x2, y2, duration)
                await phone.spend(duration)
            case "motionevent", [x, y]:
                phone.input.motion(_MOTIONS[rest[0].upper()], x, y)
                await phone.spend(CALL_MS)
            case ("roll", [_, _]) | ("press", []):
                await phone.spend(CALL_MS)  # a trackball moves nothing on this phone
            case _:
                return await self._invalid(call, verb)
        return 0

    async def _text(self, call: Call, word: str) -> int:
        phone = self._phone
        try:
            phone.input.text(word.replace("%s", " "))
        except UnmappableTextError:
            exception = "java.lang.NullPointerException: Attempt to get length of null array"
            if phone.profile.sdk >= _IN_PROCESS_SDK:
                return await raised(call, "text", exception)
            await call.complain(exception + "\n")
            return 255
        await phone.spend(costs(phone).letter * len(word))
        return 0

    async def _keys(self, call: Call, verb: str, rest: list[str]) -> int:
        phone = self._phone
        for name in (word for word in rest if not word.startswith("--")):
            code = code_of(name)
            if code is None:
                if phone.profile.sdk < _IN_PROCESS_SDK:
                    await call.complain(f"Error: Unknown keycode: {name}\n")
                    return 255
                return await raised(
                    call, verb, f"java.lang.IllegalArgumentException: Unknown keycode: {name}"
                )
            for _ in range(2 if "--doubletap" in rest else 1):
                phone.input.key(code, longpress="--longpress" in rest)
                await phone.spend(costs(phone).key)
        return 0


async def ime(phone: Phone, call: Call) -> int:
    """``ime list|enable|disable|set|reset``."""
    match [word for word in call.argv[1:] if word != "-s"]:
        case ["list", *more]:
            every = phone.ime.list(every="-a" in more)
            if "-s" in call.argv:
                await call.say("".join(f"{each}\n" for each in every))
            else:
                await call.say(
                    "".join(f"{each}:\n  mId={each} mSettingsActivityName=null\n" for each in every)
                )
        case ["enable", identity]:
            done = phone.ime.enable(identity)
            await call.say(f"Input method {identity}: {'now enabled' if done else 'unknown'}\n")
            return 0 if done else 1
        case ["disable", identity]:
            done = phone.ime.disable(identity)
            await call.say(f"Input method {identity}: {'now disabled' if done else 'cannot be disabled'}\n")
            return 0 if done else 1
        case ["set", identity]:
            done = phone.ime.set(identity)
            await call.say(f"Input method {identity}{' selected' if done else ' cannot be selected'}\n")
            return 0 if done else 1
        case ["reset"]:
            first = phone.ime.installed[0]
            phone.settings.put("secure", "enabled_input_methods", first)
            phone.settings.put("secure", "default_input_method", first)
            await call.say(f"Reset current and enabled IMEs\nNewly selected IME:\n  {first}\n")
        case _:
            await call.complain("Error: unknown command\n")
            return 1
    return 0


def commands(phone: Phone) -> Mapping[str, Command]:
    """The commands by name."""
    return {"ime": partial(ime, phone), "input": InputCommand(phone).run}
