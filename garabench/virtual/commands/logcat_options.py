"""The options of ``logcat`` (AOSP ``logcat.cpp``)."""

from __future__ import annotations

import getopt
import re
from dataclasses import dataclass, field

from garabench.virtual.android.log_buffer import LogEntry

LEVELS = "VDIWEFS"
_FORMATS = frozenset({"brief", "process", "tag", "thread", "raw", "time", "threadtime", "long"})
_MODIFIERS = frozenset(
    {"epoch", "usec", "year", "zone", "UTC", "color", "monotonic", "uid", "printable", "descriptive"}
)
DEFAULT_BUFFERS = ("main", "system", "crash")
READABLE_BUFFERS = ("main", "radio", "events", "system", "crash")
"""The buffers that the shell may read, in the order of their numbers."""
_KNOWN_BUFFERS = frozenset({*READABLE_BUFFERS, "kernel", "security", "stats"})
_OLD_BUFFERS = frozenset({"main", "system", "events", "radio"})
_OLD_SHORT = "cdt:gsQf:r:n:v:b:B"
_SHORT = "cdDhLt:T:gG:sQf:r:n:v:b:BSpP:m:e:"
_LONG = (
    *("binary", "buffer=", "buffer-size=", "clear", "dividers", "file=", "format=", "grep=", "head=", "help"),
    *("id=", "last", "max-count=", "pid=", "print", "prune", "proto", "regex=", "rotate-count="),
    *("rotate-kbytes=", "statistics", "tail=", "uid=", "wrap"),
)
_MAX_PATTERN = 1000
_UNITS = {"": 1, "K": 1024, "M": 1024**2, "G": 1024**3}
_DELIMITERS = re.compile(r"[,:; \t\n\r\f]")
_TIME = re.compile(r"(\d{4}-)?\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?|\d+\.\d+")
_ROTATED = 4


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
        pattern: Regular expression that a message has to match.
        print_all: Whether messages that do not match are printed too.
        pid: The only process to show.
        uids: The only users to show; empty for all.
        tail: Number of last lines to print, or None for all.
        since: Earliest time, in the format of the log or in seconds since 1970.
        max_count: Maximum number of lines; 0 for no limit.
        follow: Whether to print new entries.
        clear: Whether to clear the buffers.
        sizes, resize: Whether to print the buffers' sizes; a size to set, or 0.
        statistics, prune: Whether to print statistics; the prune list.
        set_prune: Whether to set the prune list.
        last: Whether to read the log before the last reboot.
        dividers: Whether to print a line where the buffer changes.
        binary: Whether to print entries in binary.
        help: Whether to print the help.
        file, rotate_kb, rotate_count: Output file, its size in KiB, and the number of rotated files.
        buffers: Buffers to read.
    """

    format: str = "threadtime"
    modifiers: set[str] = field(default_factory=set)
    levels: dict[str, str] = field(default_factory=dict)
    pattern: re.Pattern[str] | None = None
    print_all: bool = False
    pid: int | None = None
    uids: frozenset[int] = frozenset()
    tail: int | None = None
    since: str = ""
    max_count: int = 0
    follow: bool = True
    clear: bool = False
    sizes: bool = False
    resize: int = 0
    statistics: bool = False
    prune: bool = False
    set_prune: bool = False
    last: bool = False
    dividers: bool = False
    binary: bool = False
    help: bool = False
    file: str = ""
    rotate_kb: int = 0
    rotate_count: int = _ROTATED
    buffers: tuple[str, ...] = DEFAULT_BUFFERS

    @property
    def tags(self) -> frozenset[str] | None:
        """The only tags that are shown; None if it is not a few."""
        if self.levels.get("*") != "S":
            return None
        return frozenset(tag for tag, level in self.levels.items() if tag != "*" and level != "S")

    def shows(self, entry: LogEntry) -> bool:
        """Return whether an entry passes the filters by tag, level and process."""
        min_level = self.levels.get(entry.tag, self.levels.get("*", "V"))
        if min_level == "S" or LEVELS.index(entry.level) < LEVELS.index(min_level):
            return False
        return self.pid is None or entry.pid == self.pid

    def matches(self, entry: LogEntry) -> bool:
        """Return whether an entry's message matches the pattern."""
        return self.pattern is None or self.pattern.search(entry.message) is not None


def parse_logcat(args: list[str], *, old: bool, filters: str = "") -> LogcatOptions:
    """Parse the arguments.

    Args:
        args: The arguments.
        old: Whether it is Android 4.4's program.
        filters: The filters of ``$ANDROID_LOG_TAGS``, which apply if the arguments have none.

    Raises:
        LogcatOptionError: An option is unknown or has an invalid value.
    """
    try:
        pairs, rest = getopt.gnu_getopt(args, _OLD_SHORT if old else _SHORT, [] if old else list(_LONG))
    except getopt.GetoptError as error:
        raise _wrong_option(error, old=old) from error
    options = LogcatOptions(format="brief", buffers=("main", "system")) if old else LogcatOptions()
    buffers = list[str]()
    for name, value in pairs:
        if name in ("-b", "--buffer"):
            buffers += _parse_buffers(value, old=old)
        elif name in ("-v", "--format"):
            if old and value not in _FORMATS:
                raise LogcatOptionError("Invalid parameter to -v", 255)
            _set_format(options, value)
        else:
            _set(options, name, value)
    if buffers:
        options.buffers = tuple(dict.fromkeys(buffers))
    for arg in rest or filters.split():
        _add_filter(options, arg)
    _check(options, {name for name, _ in pairs})
    return options


def _wrong_option(error: getopt.GetoptError, *, old: bool) -> LogcatOptionError:
    if old:
        return LogcatOptionError("Unrecognized Option", 255)
    name = f"-{error.opt}" if len(error.opt) == 1 else f"--{error.opt}"
    if "requires argument" in error.msg:
        return LogcatOptionError(f"Option '{name}' needs an argument.")
    return LogcatOptionError(f"Unknown option '{name}'.")


def _set(options: LogcatOptions, name: str, value: str) -> None:
    match name:
        case "-c" | "--clear":
            options.clear = True
        case "-d":
            options.follow = False
        case "-L" | "--last":
            options.last, options.follow = True, False
        case "-g":
            options.sizes = True
        case "-G" | "--buffer-size":
            options.resize = _size(value)
        case "-S" | "--statistics":
            options.statistics = True
        case "-p" | "--prune":
            options.prune = True
        case "-P":
            options.set_prune = True
        case "-D" | "--dividers":
            options.dividers = True
        case "-B" | "--binary" | "--proto":
            options.binary = True
        case "-h" | "--help":
            options.help = True
        case "-f" | "--file":
            options.file = value
        case "-r" | "--rotate-kbytes":
            options.rotate_kb = _positive(value, f"Invalid -r '{value}'.")
        case "-n" | "--rotate-count":
            options.rotate_count = _positive(value, f"Invalid -n '{value}'.")
        case "-s":
            options.levels.setdefault("*", "S")
        case "-e" | "--regex" | "--grep":
            options.pattern = _pattern(value)
        case "-m" | "--max-count" | "--head":
            options.max_count = _positive(value, f"-m '{value}' isn't an integer greater than zero.")
        case "--print":
            options.print_all = True
        case "--pid":
            options.pid = _positive(value, f"pid '{value}' out of range.")
        case "--uid":
            options.uids = frozenset(_uid(each) for each in value.split(",") if each)
        case "-t" | "-T" | "--tail":
            options.follow = options.follow and name == "-T"
            if value.isdecimal():
                options.tail = max(1, int(value))
            elif _TIME.match(value) is None:
                raise LogcatOptionError(f"{name} '{value}' not in time format.")
            else:
                options.since = value


def _check(options: LogcatOptions, names: set[str]) -> None:
    """Check combinations of options.

    Raises:
        LogcatOptionError: Two options do not go together.
    """
    control = options.resize or options.sizes or options.statistics or options.prune or options.set_prune
    if options.max_count and "-t" in names:
        raise LogcatOptionError("Cannot use -m (--max-count) and -t together.")
    if options.rotate_kb and not options.file:
        raise LogcatOptionError("-r requires -f as well.")
    if options.last and control:
        raise LogcatOptionError("-L is incompatible with -g/-G, -S, and -p/-P.")
    if options.file and control:
        raise LogcatOptionError("-f is incompatible with -g/-G, -S, and -p/-P.")


def _add_filter(options: LogcatOptions, arg: str) -> None:
    tag, _, level = arg.partition(":")
    if level.upper() not in (*LEVELS, "", "*"):
        raise LogcatOptionError(f"Invalid filter expression '{arg}'.")
    options.levels[tag] = level.upper().replace("*", "V") or "V"


def _parse_buffers(value: str, *, old: bool) -> list[str]:
    """Return the buffers of a ``-b`` option."""
    if old:
        if value not in _OLD_BUFFERS:
            path = f"/dev/log/{value}"
            raise LogcatOptionError(f"Unable to open log device '{path}': No such file or directory")
        return [value]
    found = list[str]()
    for name in _DELIMITERS.split(value):
        if name == "all":
            found += READABLE_BUFFERS
        elif name == "default":
            found += DEFAULT_BUFFERS
        elif name in _KNOWN_BUFFERS:
            found.append(name)
        else:
            raise LogcatOptionError(f"Unknown -b buffer '{name}'.")
    return found


def _set_format(options: LogcatOptions, value: str) -> None:
    for name in _DELIMITERS.split(value):
        if name in _FORMATS:
            options.format = name
        elif name in _MODIFIERS:
            options.modifiers.add(name)
        else:
            raise LogcatOptionError(f"Invalid -v '{name}'.")


def _pattern(text: str) -> re.Pattern[str]:
    try:
        return re.compile(text[:_MAX_PATTERN])
    except re.error as error:
        raise LogcatOptionError(f"Invalid regex '{text}': {error}") from error


def _positive(text: str, message: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise LogcatOptionError(message)
    return int(text)


def _uid(text: str) -> int:
    if not text.isdecimal():
        raise LogcatOptionError(f"Unable to parse UID '{text}'")
    return int(text)


def _size(text: str) -> int:
    found = re.fullmatch(r"(\d+)([KMG]?)", text, re.IGNORECASE)
    size = int(found[1]) * _UNITS[found[2].upper()] if found else 0
    if not size:
        raise LogcatOptionError("-G must be specified as <num><multiplier>.")
    return size
