"""``monkey --port N``: events by lines of text over a connection (AOSP ``MonkeySourceNetwork.java``)."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence

from garabench.virtual.adb.duplex import Duplex
from garabench.virtual.android.input_dispatcher import UnmappableTextError
from garabench.virtual.android.keycodes import code_of
from garabench.virtual.android.phone import Phone
from garabench.virtual.android.system_properties import system_properties
from garabench.virtual.commands.durations import CALL_MS, durations

OK, ERROR = "OK", "ERROR"
INVALID = "ERROR:Invalid Argument"
_NO_VARIABLE = "ERROR:unknown var"
_MOTIONS = {"down": 0, "up": 1, "move": 2}
_PROPERTIES = {
    **{
        f"build.{name}": f"ro.product.{name}"
        for name in ("board", "brand", "device", "model", "manufacturer")
    },
    **{f"build.{name}": f"ro.build.{name}" for name in ("fingerprint", "host", "id", "tags", "type", "user")},
    "build.product": "ro.product.name",
    "build.display": "ro.build.display.id",
    "build.cpu_abi": "ro.product.cpu.abi",
    **{
        f"build.version.{name}": f"ro.build.version.{name}"
        for name in ("incremental", "release", "sdk", "codename")
    },
}
_MAX_SLEEP_MS = 60_000
_WITH_ARGUMENTS = frozenset({"getvar", "sleep", "deferreturn"})
_MAX_LINE = 64 * 1024


def split_words(line: str) -> tuple[str, ...]:
    r"""Split a line into words; ``"a b"`` is one word, and ``\"`` a quotation mark."""
    words = shlex.shlex(line, posix=True, punctuation_chars=False)
    words.whitespace_split, words.commenters, words.quotes = True, "", '"'
    try:
        return tuple(words)
    except ValueError:  # a quotation that does not end
        return tuple(line.split())


class MonkeyNetwork:
    """The commands of a program that is connected to ``monkey``.

    ``flip`` and ``trackball`` have no effect: the phone has neither. ``listviews``, ``queryview`` and
    ``getrootview`` need Monkey's own accessibility service, which is not simulated.
    """

    def __init__(self, phone: Phone) -> None:
        self._phone = phone
        self.injected = 0
        self._variables = _variables(phone)

    async def serve(self, stream: Duplex) -> bool:
        """Answer lines until ``done``, ``quit`` or the end of the stream; return whether it was ``quit``."""
        received = b""
        while data := await stream.read():
            received += data
            *lines, received = received[-_MAX_LINE:].split(b"\n")
            for line in lines:
                text = line.decode(errors="replace").strip()
                if not text or text.startswith("#"):
                    continue
                ended = text in ("done", "quit")
                await stream.write(f"{OK if ended else await self.perform(text)}\n".encode())
                if ended:
                    return text == "quit"
        return False

    async def perform(self, line: str) -> str:
        """Perform a line other than ``done`` and ``quit``; return the reply."""
        words = split_words(line)
        match words:
            case ["getvar", name]:
                found = self._variables.get(name)
                return _NO_VARIABLE if found is None else f"{OK}:{found()}"
            case ["listvar"]:
                return f"{OK}:{' '.join(sorted(self._variables))}"
            case ["sleep", time] if time.isdecimal():
                await self._phone.spend(min(int(time), _MAX_SLEEP_MS))
            case ["wake"]:
                self._phone.input.key(code_of("WAKEUP") or 0)
            case ["deferreturn", _, time, *rest] if time.isdecimal() and rest:
                return await self.perform(shlex.join(rest))
            case ["touch" | "tap" | "press" | "key" | "type" | "trackball" | "flip", *arguments]:
                return await self._inject(words[0], arguments)
            case _:
                return INVALID if words and words[0] in _WITH_ARGUMENTS else ERROR
        return OK

    async def _inject(self, verb: str, arguments: Sequence[str]) -> str:
        phone, spent = self._phone, CALL_MS
        match verb, arguments:
            case "touch", [("down" | "up" | "move") as action, x, y] if _are_numbers(x, y):
                phone.input.motion(_MOTIONS[action], int(x), int(y))
            case "tap", [x, y] if _are_numbers(x, y):
                phone.input.tap(int(x), int(y))
                spent = durations(phone).tap
            case ("press", [key]) | ("key", ["up", key]):
                # a key acts when it is released: the phone has no state between the two
                code = code_of(key.upper())
                if code is None:
                    return ERROR
                phone.input.key(code)
                spent = durations(phone).key
            case "key", ["down", key]:
                if code_of(key.upper()) is None:
                    return ERROR
            case "type", [text]:
                try:
                    phone.input.text(text)
                except UnmappableTextError:
                    return ERROR
                spent = durations(phone).letter * len(text)
            case ("trackball", [dx, dy]) if _are_numbers(dx, dy):
                pass
            case "flip", ["open" | "close"]:
                pass
            case _:
                return INVALID
        self.injected += 1
        await phone.spend(spent)
        return OK


def _are_numbers(*words: str) -> bool:
    return all(word.removeprefix("-").isdecimal() for word in words)


def _variables(phone: Phone) -> Mapping[str, Callable[[], str]]:
    """Return the variables of ``getvar`` (AOSP ``MonkeySourceNetworkVars.java``)."""

    def of_property(name: str) -> Callable[[], str]:
        return lambda: system_properties(phone).get(name, "")

    def resumed(part: str) -> Callable[[], str]:
        def read() -> str:
            record = phone.activities.resumed
            if record is None:
                return ""
            return record.name if part == "comp.class" else record.app.package

        return read

    display, clock = phone.display, phone.clock
    return {
        **{name: of_property(key) for name, key in _PROPERTIES.items()},
        "display.width": lambda: str(display.current_size.width),
        "display.height": lambda: str(display.current_size.height),
        "display.density": lambda: str(display.density / 160),
        **{f"am.current.{part}": resumed(part) for part in ("package", "comp.package", "comp.class")},
        "clock.realtime": lambda: str(clock.uptime_ms),
        "clock.uptime": lambda: str(clock.uptime_ms),
        "clock.millis": lambda: str(int(clock.wall().timestamp() * 1000)),
        "monkey.version": lambda: "2",
    }
