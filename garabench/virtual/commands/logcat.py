"""``logcat`` and ``log``.

Android 4.4 reads devices under ``/dev/log``: it has no crash buffer, fewer formats and options, and
defaults to the format ``brief``.
"""

from __future__ import annotations

import asyncio
import getopt
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial

from garabench.virtual.android.log_buffer import LogEntry
from garabench.virtual.android.phone import Phone
from garabench.virtual.commands.durations import CALL_MS, KITKAT
from garabench.virtual.shell.call import Command, CommandCall

_LEVELS = "VDIWEFS"
_FORMATS = frozenset({"brief", "process", "tag", "thread", "raw", "time", "threadtime", "long"})
_MODIFIERS = frozenset(
    {"epoch", "usec", "year", "zone", "UTC", "color", "monotonic", "uid", "printable", "descriptive"}
)
_BUFFERS = ("main", "system", "crash")
_KNOWN_BUFFERS = frozenset({"main", "system", "crash", "events", "radio", "kernel", "security", "stats"})
_OLD_BUFFERS = frozenset({"main", "system", "events", "radio"})
_OLD_SHORT = "cdt:gsQf:r:n:v:b:B"
_SHORT = "b:B:cdDe:f:gG:hLm:n:p:Pr:sSt:T:v:"
_LONG = [
    "clear",
    "buffer=",
    "format=",
    "regex=",
    "max-count=",
    "pid=",
    "dividers",
    "print",
    "tail=",
    "buffer-size",
]
_MAX_PATTERN = 1000
_SHELL_UID = 2000


class LogcatOptionError(ValueError):
    """An option is unknown or has an invalid value.

    Attributes:
        status: Exit status of the program.
    """

    def __init__(self, message: str, status: int = 1) -> None:
        super().__init__(message)
        self.status = status


@dataclass(slots=True)
class LogcatOptions:
    """The options of a call.

    Attributes:
        levels: Minimum level by tag; ``*`` for all others.
        tail: Number of last lines to print, or None for all.
        since: Earliest time, in the format of the log or in seconds since 1970.
        most: Maximum number of lines; 0 for no limit.
        follow: Whether to print new entries.
        buffers: Buffers to read.
    """

    format: str = "threadtime"
    modifiers: set[str] = field(default_factory=set)
    levels: dict[str, str] = field(default_factory=dict)
    pattern: re.Pattern[str] | None = None
    pid: int | None = None
    tail: int | None = None
    since: str = ""
    max_count: int = 0
    follow: bool = True
    clear: bool = False
    sizes: bool = False
    buffers: tuple[str, ...] = _BUFFERS

    def shows(self, entry: LogEntry) -> bool:
        """Return whether an entry passes the filters."""
        min_level = self.levels.get(entry.tag, self.levels.get("*", "V"))
        if min_level == "S" or _LEVELS.index(entry.level) < _LEVELS.index(min_level):
            return False
        if self.pid is not None and entry.pid != self.pid:
            return False
        return self.pattern is None or self.pattern.search(entry.message) is not None


def parse(args: list[str], sdk: int) -> LogcatOptions:
    """Parse the arguments.

    Raises:
        LogcatOptionError: An option is unknown or has an invalid value.
    """
    old = sdk <= KITKAT
    try:
        pairs, rest = getopt.gnu_getopt(args, _OLD_SHORT if old else _SHORT, [] if old else _LONG)
    except getopt.GetoptError as error:
        if old:
            raise LogcatOptionError("Unrecognized Option", 255) from error
        raise LogcatOptionError(str(error)) from error
    options = LogcatOptions(format="brief", buffers=("main", "system")) if old else LogcatOptions()
    buffers = list[str]()
    for name, value in pairs:
        match name:
            case "-c" | "--clear":
                options.clear = True
            case "-d":
                options.follow = False
            case "-g" | "--buffer-size":
                options.sizes = True
            case "-b" | "--buffer":
                buffers += _parse_buffers(value, old=old)
            case "-v" | "--format":
                if old and value not in _FORMATS:
                    raise LogcatOptionError("Invalid parameter to -v", 255)
                _set_format(options, value)
            case "-s":
                options.levels.setdefault("*", "S")
            case "-e" | "--regex":
                options.pattern = _pattern(value)
            case "-m" | "--max-count":
                options.max_count = _number(value)
            case "--pid":
                options.pid = _number(value)
            case "-t" | "-T" | "--tail":
                options.follow = options.follow and name != "-t"
                if value.isdecimal():
                    options.tail = int(value)
                else:
                    options.since = value
    if buffers:
        options.buffers = tuple(dict.fromkeys(buffers))
    for arg in rest:
        tag, _, level = arg.partition(":")
        if level.upper() not in (*_LEVELS, "", "*"):
            raise LogcatOptionError(f"Invalid filter expression '{arg}'")
        options.levels[tag] = level.upper().replace("*", "V") or "V"
    return options


def _parse_buffers(value: str, *, old: bool) -> list[str]:
    """Return the buffers of a ``-b`` option."""
    if old:
        if value not in _OLD_BUFFERS:
            path = f"/dev/log/{value}"
            raise LogcatOptionError(f"Unable to open log device '{path}': No such file or directory")
        return [value]
    if value == "all":
        return sorted(_KNOWN_BUFFERS)
    if value == "default":
        return list(_BUFFERS)
    names = value.split(",")
    for name in names:
        if name not in _KNOWN_BUFFERS:
            raise LogcatOptionError(f"unknown buffer {name}")
    return names


def _set_format(options: LogcatOptions, value: str) -> None:
    for name in value.split(","):
        if name in _FORMATS:
            options.format = name
        elif name in _MODIFIERS:
            options.modifiers.add(name)
        else:
            raise LogcatOptionError(f"Invalid parameter '{name}' to -v")


def _pattern(text: str) -> re.Pattern[str]:
    try:
        return re.compile(text[:_MAX_PATTERN])
    except re.error as error:
        raise LogcatOptionError(f"Invalid regex '{text}': {error}") from error


def _number(text: str) -> int:
    if not text.isdecimal():
        raise LogcatOptionError(f"'{text}' is not a number")
    return int(text)


def _timestamp(entry: LogEntry, modifiers: set[str]) -> str:
    fraction = (
        f"{entry.time.microsecond:06d}" if "usec" in modifiers else f"{entry.time.microsecond // 1000:03d}"
    )
    if "epoch" in modifiers:
        return f"{int(entry.time.timestamp()):>10}.{fraction}"
    year = "%Y-" if "year" in modifiers else ""
    zone = entry.time.strftime(" %z") if "zone" in modifiers else ""
    return entry.time.strftime(f"{year}%m-%d %H:%M:%S.") + fraction + zone


def line(entry: LogEntry, output_format: str, modifiers: set[str]) -> str:
    """Format an entry."""
    stamp, level, tag, pid, tid = _timestamp(entry, modifiers), entry.level, entry.tag, entry.pid, entry.tid
    match output_format:
        case "brief":
            return f"{level}/{tag:<8}({pid:>5}): {entry.message}\n"
        case "process":
            return f"{level}({pid:>5}) {entry.message}  ({tag})\n"
        case "tag":
            return f"{level}/{tag:<8}: {entry.message}\n"
        case "thread":
            return f"{level}({pid:>5}:{tid:>5}) {entry.message}\n"
        case "raw":
            return entry.message + "\n"
        case "time":
            return f"{stamp} {level}/{tag:<8}({pid:>5}): {entry.message}\n"
        case "long":
            return f"[ {stamp} {pid:>5}:{tid:>5} {level}/{tag:<8} ]\n{entry.message}\n\n"
    return f"{stamp} {pid:>5} {tid:>5} {level} {tag:<8}: {entry.message}\n"


class _Printer:
    """Prints entries, and a header before the first entry of each buffer, even a filtered one."""

    def __init__(self, call: CommandCall, options: LogcatOptions, *, old: bool) -> None:
        self._call = call
        self._options = options
        self._old = old
        self._announced: set[str] = set()
        self._count = 0

    def buffer(self, entry: LogEntry) -> str:
        """Return the buffer of an entry in this version of Android."""
        return "main" if self._old and entry.buffer == "crash" else entry.buffer

    def read(self, entries: tuple[LogEntry, ...]) -> list[LogEntry]:
        """Read the entries so far, before filtering: since a time, or the last ones."""
        options = self._options
        found = [entry for entry in entries if self.buffer(entry) in options.buffers]
        if options.since:
            epoch = re.fullmatch(r"\d+\.\d+", options.since) is not None
            year = options.since[:5].rstrip("-").isdecimal() and options.since[4:5] == "-"
            modifiers = {"epoch"} if epoch else {"year"} if year else set[str]()
            found = [entry for entry in found if _timestamp(entry, modifiers).strip() >= options.since]
        return found[-options.tail :] if options.tail else found

    async def announce(self) -> None:
        """Print the headers of both buffers of Android 4.4, which are never empty there."""
        if self._old and {"main", "system"} <= set(self._options.buffers):
            for buffer in ("system", "main"):
                self._announced.add(buffer)
                await self._call.print(f"--------- beginning of /dev/log/{buffer}\n")

    async def show(self, entry: LogEntry) -> bool:
        """Print an entry if it passes the filters; return whether the limit is reached."""
        options, buffer = self._options, self.buffer(entry)
        if buffer not in options.buffers:
            return False
        if buffer not in self._announced and len(options.buffers) > 1:
            self._announced.add(buffer)
            await self._call.print(f"--------- beginning of {'/dev/log/' if self._old else ''}{buffer}\n")
        if not options.shows(entry):
            return False
        await self._call.print(line(entry, options.format, options.modifiers))
        self._count += 1
        return self._count == options.max_count


async def logcat(phone: Phone, call: CommandCall) -> int:
    """``logcat``: prints the log, and new entries without ``-d``."""
    old = phone.profile.sdk <= KITKAT
    try:
        options = parse(call.argv[1:], phone.profile.sdk)
    except LogcatOptionError as error:
        await call.print_error(f"{error}\n" if old else f"logcat: {error}\n")
        return error.status
    await phone.spend(CALL_MS)
    printer = _Printer(call, options, old=old)
    if options.clear:
        phone.logcat.clear(lambda entry: printer.buffer(entry) in options.buffers)
        return 0
    if options.sizes:
        await call.print(_sizes(phone, options, printer, old=old))
        return 0
    queue: asyncio.Queue[LogEntry] = asyncio.Queue()
    end = phone.logcat.subscribe(queue.put_nowait)
    try:
        await printer.announce()
        for entry in printer.read(phone.logcat.read()):
            if await printer.show(entry):
                return 0
        while options.follow:
            entry = await queue.get()
            if await printer.show(entry):
                return 0
    finally:
        end()
    return 0


def _sizes(phone: Phone, options: LogcatOptions, printer: _Printer, *, old: bool) -> str:
    """Return the sizes of the buffers."""
    lines = []
    for name in options.buffers:
        entries = [entry for entry in phone.logcat.read() if printer.buffer(entry) == name]
        used = sum(len(entry.message) for entry in entries) // 1024
        if old:
            lines.append(
                f"/dev/log/{name}: ring buffer is 256Kb ({used}Kb consumed), max entry is 5120b, "
                "max payload is 4076b\n"
            )
        else:
            lines.append(
                f"{name}: ring buffer is 256 KiB ({used} KiB consumed), max entry is 5120 B, "
                "max payload is 4068 B\n"
            )
    return "".join(lines)


async def log(phone: Phone, call: CommandCall) -> int:
    """``log [-t TAG] [-p LEVEL] MESSAGE``."""
    args, tag, level = call.argv[1:], "log", "I"
    while len(args) > 1 and args[0] in ("-t", "-p"):
        if args[0] == "-t":
            tag = args[1]
        else:
            level = args[1][:1].upper()
            if level not in _LEVELS:
                await call.print_error(f"log: bad -p '{args[1]}'\n")
                return 1
        args = args[2:]
    phone.logcat.write("F" if level == "S" else level, tag, " ".join(args), pid=_SHELL_UID)
    return 0


def commands(phone: Phone) -> Mapping[str, Command]:
    """Return the commands by name."""
    return {"log": partial(log, phone), "logcat": partial(logcat, phone)}
