"""``logcat`` and ``log``."""

from __future__ import annotations

import asyncio
import getopt
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial

from garabench.virtual.commands.costs import CALL_MS
from garabench.virtual.os.logcat import LogEntry
from garabench.virtual.os.phone import Phone
from garabench.virtual.shell.call import Call, Command

_LEVELS = "VDIWEFS"
_FORMS = frozenset({"brief", "process", "tag", "thread", "raw", "time", "threadtime", "long"})
_MODIFIERS = frozenset(
    {"epoch", "usec", "year", "zone", "UTC", "color", "monotonic", "uid", "printable", "descriptive"}
)
_BUFFERS = ("main", "system", "crash")
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
_PATTERN_MOST = 1000
_SHELL_UID = 2000


class WrongOptionError(ValueError):
    """An option is unknown or has a wrong value."""


@dataclass(slots=True)
class Options:
    """What a call asks for.

    Attributes:
        levels: Least level by tag; ``*`` stands for all others.
        tail: The last lines only, or None.
        since: Only what was written then or later: the form of the times in the log, or seconds since 1970.
        most: End after so many lines; 0 for no limit.
        follow: Go on with what is written from now on.
        buffers: Which buffers; their names are in the messages alone.
    """

    form: str = "threadtime"
    modifiers: set[str] = field(default_factory=set)
    levels: dict[str, str] = field(default_factory=dict)
    pattern: re.Pattern[str] | None = None
    pid: int | None = None
    tail: int | None = None
    since: str = ""
    most: int = 0
    follow: bool = True
    clear: bool = False
    sizes: bool = False
    buffers: tuple[str, ...] = _BUFFERS

    def shows(self, entry: LogEntry) -> bool:
        """Whether the filters let an entry through."""
        least = self.levels.get(entry.tag, self.levels.get("*", "V"))
        if least == "S" or _LEVELS.index(entry.level) < _LEVELS.index(least):
            return False
        if self.pid is not None and entry.pid != self.pid:
            return False
        return self.pattern is None or self.pattern.search(entry.message) is not None


def parse(words: list[str]) -> Options:
    """Read the arguments.

    Raises:
        WrongOptionError: An option is unknown or has a wrong value.
    """
    try:
        pairs, rest = getopt.gnu_getopt(words, _SHORT, _LONG)
    except getopt.GetoptError as error:
        raise WrongOptionError(str(error)) from error
    options = Options()
    for name, value in pairs:
        match name:
            case "-c" | "--clear":
                options.clear = True
            case "-d":
                options.follow = False
            case "-g" | "--buffer-size":
                options.sizes = True
            case "-b" | "--buffer":
                options.buffers = _BUFFERS if value in ("all", "default") else tuple(value.split(","))
            case "-v" | "--format":
                _set_form(options, value)
            case "-s":
                options.levels.setdefault("*", "S")
            case "-e" | "--regex":
                options.pattern = _pattern(value)
            case "-m" | "--max-count":
                options.most = _number(value)
            case "--pid":
                options.pid = _number(value)
            case "-t" | "-T" | "--tail":
                options.follow = options.follow and name != "-t"
                if value.isdecimal():
                    options.tail = int(value)
                else:
                    options.since = value
    for word in rest:
        tag, _, level = word.partition(":")
        if level.upper() not in (*_LEVELS, "", "*"):
            raise WrongOptionError(f"Invalid filter expression '{word}'")
        options.levels[tag] = level.upper().replace("*", "V") or "V"
    return options


def _set_form(options: Options, value: str) -> None:
    for each in value.split(","):
        if each in _FORMS:
            options.form = each
        elif each in _MODIFIERS:
            options.modifiers.add(each)
        else:
            raise WrongOptionError(f"Invalid parameter '{each}' to -v")


def _pattern(text: str) -> re.Pattern[str]:
    try:
        return re.compile(text[:_PATTERN_MOST])
    except re.error as error:
        raise WrongOptionError(f"Invalid regex '{text}': {error}") from error


def _number(text: str) -> int:
    if not text.isdecimal():
        raise WrongOptionError(f"'{text}' is not a number")
    return int(text)


def _stamp(entry: LogEntry, modifiers: set[str]) -> str:
    fraction = (
        f"{entry.time.microsecond:06d}" if "usec" in modifiers else f"{entry.time.microsecond // 1000:03d}"
    )
    if "epoch" in modifiers:
        return f"{int(entry.time.timestamp()):>10}.{fraction}"
    year = "%Y-" if "year" in modifiers else ""
    zone = entry.time.strftime(" %z") if "zone" in modifiers else ""
    return entry.time.strftime(f"{year}%m-%d %H:%M:%S.") + fraction + zone


def line(entry: LogEntry, form: str, modifiers: set[str]) -> str:
    """An entry as it is printed."""
    stamp, level, tag, pid, tid = _stamp(entry, modifiers), entry.level, entry.tag, entry.pid, entry.tid
    match form:
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


def _chosen(options: Options, entries: tuple[LogEntry, ...]) -> list[LogEntry]:
    shown = [entry for entry in entries if options.shows(entry)]
    if options.since:
        epoch = re.fullmatch(r"\d+\.\d+", options.since) is not None
        year = options.since[:5].rstrip("-").isdecimal() and options.since[4:5] == "-"
        modifiers = {"epoch"} if epoch else {"year"} if year else set[str]()
        shown = [entry for entry in shown if _stamp(entry, modifiers).strip() >= options.since]
    return shown[-options.tail :] if options.tail else shown


async def logcat(phone: Phone, call: Call) -> int:
    """``logcat``: the log so far, and what is written from now on without ``-d``."""
    try:
        options = parse(call.argv[1:])
    except WrongOptionError as error:
        await call.complain(f"logcat: {error}\n")
        return 1
    await phone.spend(CALL_MS)
    if options.clear:
        phone.logcat.clear()
        return 0
    if options.sizes:
        held = sum(len(entry.message) for entry in phone.logcat.read()) // 1024
        said = f"ring buffer is 256 KiB ({held} KiB consumed), max entry is 5120 B, max payload is 4068 B\n"
        await call.say("".join(f"{name}: {said}" for name in options.buffers))
        return 0
    await call.say("--------- beginning of main\n")
    queue: asyncio.Queue[LogEntry] = asyncio.Queue()
    end = phone.logcat.subscribe(queue.put_nowait)
    count = 0
    try:
        for entry in _chosen(options, phone.logcat.read()):
            await call.say(line(entry, options.form, options.modifiers))
            count += 1
            if count == options.most:
                return 0
        while options.follow:
            entry = await queue.get()
            if options.shows(entry):
                await call.say(line(entry, options.form, options.modifiers))
                count += 1
                if count == options.most:
                    return 0
    finally:
        end()
    return 0


async def log(phone: Phone, call: Call) -> int:
    """``log [-t TAG] [-p LEVEL] MESSAGE``."""
    words, tag, level = call.argv[1:], "log", "I"
    while len(words) > 1 and words[0] in ("-t", "-p"):
        if words[0] == "-t":
            tag = words[1]
        else:
            level = words[1][:1].upper()
            if level not in _LEVELS:
                await call.complain(f"log: bad -p '{words[1]}'\n")
                return 1
        words = words[2:]
    phone.logcat.write("F" if level == "S" else level, tag, " ".join(words), pid=_SHELL_UID)
    return 0


def commands(phone: Phone) -> Mapping[str, Command]:
    """The commands by name."""
    return {"log": partial(log, phone), "logcat": partial(logcat, phone)}
