"""``logcat`` and ``log``.

Android 4.4 reads devices under ``/dev/log``: it has no crash buffer, fewer formats and options, and
defaults to the format ``brief``.
"""

from __future__ import annotations

import asyncio
import datetime as dt
import itertools
import posixpath
import re
import struct
import zlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import partial

from garabench.virtual.android.log_buffer import DEFAULT_SIZE, LogEntry
from garabench.virtual.android.phone import Phone
from garabench.virtual.android.process_list import running, uid_of, user_of
from garabench.virtual.commands.durations import CALL_MS, KITKAT
from garabench.virtual.commands.logcat_options import (
    LEVELS,
    READABLE_BUFFERS,
    LogcatOptionError,
    LogcatOptions,
    parse_logcat,
)
from garabench.virtual.shell.call import Command, CommandCall

_READABLE_SDK = 31
_SHELL_UID = 2000
_SMALLEST, _LARGEST = 64 * 1024, 256 * 1024 * 1024
"""Limits of a buffer's size in bytes (``LogSize.h``)."""
_POLL_SECONDS = 0.5
"""Real time after which a reader that waits looks for chatter."""
_NO_PSTORE = "Logcat read failure: No such file or directory"
_PRUNE = "~! ~1000/!"
_COLORS = {"V": 37, "D": 34, "I": 32, "W": 33, "E": 31, "F": 31}
_LOG_IDS = {"main": 0, "radio": 1, "events": 2, "system": 3, "crash": 4}
_PRIORITIES = {"V": 2, "D": 3, "I": 4, "W": 5, "E": 6, "F": 7}
_HELP = """\
Usage: logcat [OPTION]... [FILTERSPEC]...

General options:
  -b, --buffer=BUFFER     Read other buffers: main system radio events crash default all.
                          Default: main,system,crash,kernel.
  -c, --clear             Clear the log and exit; with -f, its files.
  -d                      Dump the log and exit.
  -L, --last              Dump the log from before the last reboot.
  --pid=PID               Only print logs from this pid.
  --wrap                  Sleep until the buffer is about to wrap.

Formatting:
  -v, --format=FORMAT     Set the format: brief long process raw tag thread threadtime time;
                          color descriptive epoch monotonic printable uid usec UTC year zone.
  -D, --dividers          Print dividers between the buffers.
  -B, --binary            Output the log in binary.

Output files:
  -f, --file=FILE         Log to FILE instead of standard output.
  -r, --rotate-kbytes=N   Rotate the log every N KiB; requires -f.
  -n, --rotate-count=N    Maximum number of rotated logs, default 4.
  --id=ID                 Clear the files if ID changes.

Logd control:
  -g, --buffer-size       Get the sizes of the buffers.
  -G, --buffer-size=SIZE  Set the size of the buffers; may have a suffix K or M.
  -p, --prune             Get the prune rules.
  -P, --prune='LIST ...'  Set the prune rules.
  -S, --statistics        Output statistics.

Filtering:
  -s                      Set the default filter to silent, like '*:S'.
  -e, --regex=EXPR        Only print lines that match EXPR.
  -m, --max-count=N       Exit after N lines.
  --print                 With -e and -m, print all lines but count those that match.
  -t N, -t TIME           Print the last N lines, or those since TIME, and exit.
  -T N, -T TIME           The same without exiting.
  --uid=UIDS              Only print logs from these users.

A FILTERSPEC is <tag>[:priority], with a priority of V D I W E F S.
"""


def _timestamp(entry: LogEntry, modifiers: set[str], boot: dt.datetime | None = None) -> str:
    time = entry.time.astimezone(dt.UTC) if "UTC" in modifiers else entry.time
    fraction = f"{time.microsecond:06d}" if "usec" in modifiers else f"{time.microsecond // 1000:03d}"
    if "monotonic" in modifiers and boot is not None:
        return f"{int((time - boot).total_seconds()):>6}.{fraction}"
    if "epoch" in modifiers:
        return f"{int(time.timestamp()):>10}.{fraction}"
    year = "%Y-" if "year" in modifiers else ""
    zone = time.strftime(" %z") if "zone" in modifiers else ""
    return time.strftime(f"{year}%m-%d %H:%M:%S.") + fraction + zone


class _Formatter:
    """Formats entries."""

    def __init__(self, phone: Phone, options: LogcatOptions) -> None:
        self._phone = phone
        self._options = options
        self._boot = phone.clock.boot_wall()

    def line(self, entry: LogEntry) -> str:
        """Format an entry."""
        text = self._plain(entry)
        if "color" in self._options.modifiers:
            return f"\x1b[38;5;{_COLORS[entry.level]}m{text[:-1]}\x1b[0m\n"
        return text

    def _plain(self, entry: LogEntry) -> str:
        stamp = _timestamp(entry, self._options.modifiers, self._boot)
        level, tag, pid, tid = entry.level, entry.tag, entry.pid, entry.tid
        user = f"{user_of(self._phone, pid):<6} " if "uid" in self._options.modifiers else ""
        match self._options.format:
            case "brief":
                return f"{level}/{tag:<8}({user}{pid:>5}): {entry.message}\n"
            case "process":
                return f"{level}({user}{pid:>5}) {entry.message}  ({tag})\n"
            case "tag":
                return f"{level}/{tag:<8}: {entry.message}\n"
            case "thread":
                return f"{level}({user}{pid:>5}:{tid:>5}) {entry.message}\n"
            case "raw":
                return entry.message + "\n"
            case "time":
                return f"{stamp} {level}/{tag:<8}({user}{pid:>5}): {entry.message}\n"
            case "long":
                return f"[ {stamp} {user}{pid:>5}:{tid:>5} {level}/{tag:<8} ]\n{entry.message}\n\n"
        return f"{stamp} {user}{pid:>5} {tid:>5} {level} {tag:<8}: {entry.message}\n"

    def binary(self, entry: LogEntry) -> bytes:
        """Return an entry as ``struct logger_entry`` and its payload."""
        if entry.buffer == "events":
            number = zlib.crc32(entry.tag.encode()) & 0xFFFF
            text = entry.message.encode(errors="replace")
            payload = struct.pack("<IBI", number, 2, len(text)) + text
        else:
            tag, text = entry.tag.encode(), entry.message.encode(errors="replace")
            payload = bytes([_PRIORITIES[entry.level]]) + tag + b"\0" + text + b"\0"
        seconds = int(entry.time.timestamp())
        head = (len(payload), 28, entry.pid, entry.tid, seconds, entry.time.microsecond * 1000)
        ids = (_LOG_IDS.get(entry.buffer, 0), uid_of(self._phone, entry.pid))
        return struct.pack("<HHiIIIII", *head, *ids) + payload


class _Output:
    """The standard output, or a file that is rotated.

    Attributes:
        path: Path of the file; empty for the standard output.
    """

    def __init__(self, phone: Phone, call: CommandCall, options: LogcatOptions) -> None:
        self._files = phone.files
        self._call = call
        self._limit = options.rotate_kb * 1024
        self._count = options.rotate_count
        self.path = call.path(options.file) if options.file else ""
        found = self._files.stat(self.path) if self.path else None
        self._data = bytearray(self._files.read(self.path) if found is not None else b"")

    async def write(self, data: bytes) -> None:
        """Write bytes, to a file in memory until `flush`."""
        if not self.path:
            await self._call.write(data)
            return
        self._data += data
        if self._limit and len(self._data) >= self._limit:
            self._rotate()

    def flush(self) -> None:
        """Write the file.

        Raises:
            OSError: It cannot be written.
        """
        if self.path:
            self._files.write(self.path, bytes(self._data))

    def _rotate(self) -> None:
        """Move each file to the next number, and begin a new one."""
        digits = len(str(self._count))
        names = [self.path, *(f"{self.path}.{number:0{digits}d}" for number in range(1, self._count + 1))]
        self.flush()
        for newer, older in reversed(list(itertools.pairwise(names))):
            if self._files.stat(newer) is not None:
                self._files.write(older, self._files.read(newer))
        self._data.clear()

    def delete(self) -> None:
        """Delete the file and its rotated files (``-c``)."""
        directory, name = posixpath.split(self.path)
        for each in self._files.listdir(directory) or ():
            if each == name or re.fullmatch(re.escape(name) + r"\.\d+", each):
                self._files.remove(f"{directory}/{each}")


class _Printer:
    """Prints entries, and a header before the first entry of each buffer, even a filtered one."""

    def __init__(self, phone: Phone, output: _Output, options: LogcatOptions, *, old: bool) -> None:
        self._phone = phone
        self._formatter = _Formatter(phone, options)
        self._output = output
        self._options = options
        self._old = old
        self._announced: set[str] = set()
        self._last = ""
        self._count = 0

    def buffer(self, entry: LogEntry) -> str:
        """Return the buffer of an entry in this version of Android."""
        return "main" if self._old and entry.buffer == "crash" else entry.buffer

    def read(self, entries: Iterable[LogEntry]) -> list[LogEntry]:
        """Read the entries so far, before filtering: since a time, or the last ones."""
        options = self._options
        found = [entry for entry in entries if self.buffer(entry) in options.buffers]
        if options.uids:
            found = [entry for entry in found if uid_of(self._phone, entry.pid) in options.uids]
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
                await self._text(f"--------- beginning of /dev/log/{buffer}\n")

    async def _text(self, text: str) -> None:
        await self._output.write(text.encode("utf-8", errors="surrogateescape"))

    async def _divide(self, buffer: str) -> None:
        if buffer == self._last:
            return
        self._last = buffer
        known = buffer in self._announced
        self._announced.add(buffer)
        # One buffer alone has no header, except on newer versions with --dividers.
        if (not known and len(self._options.buffers) > 1) or self._options.dividers:
            place = f"{'/dev/log/' if self._old else ''}{buffer}"
            await self._text(f"--------- {'switch to' if known else 'beginning of'} {place}\n")

    async def show(self, entry: LogEntry) -> bool:
        """Print an entry if it passes the filters; return whether the limit is reached."""
        options, buffer = self._options, self.buffer(entry)
        if buffer not in options.buffers:
            return False
        if options.binary:
            if options.shows(entry):
                await self._output.write(self._formatter.binary(entry))
            return False
        await self._divide(buffer)
        if not options.shows(entry):
            return False
        matches = options.matches(entry)
        if matches or (options.print_all and options.pattern is not None and options.max_count):
            await self._text(self._formatter.line(entry))
        self._count += matches
        return matches and self._count == options.max_count


async def logcat(phone: Phone, call: CommandCall) -> int:
    """``logcat``: prints the log, and new entries without ``-d``."""
    old = phone.profile.sdk <= KITKAT
    try:
        options = parse_logcat(call.argv[1:], old=old, filters=call.env.get("ANDROID_LOG_TAGS", ""))
    except LogcatOptionError as error:
        await call.print_error(f"{error}\n" if old else f"logcat: {error}\n")
        return error.status
    await phone.spend(CALL_MS)
    if options.help:
        await call.print(_HELP)
        return 0
    output = _Output(phone, call, options)
    printer = _Printer(phone, output, options, old=old)
    if (status := await _control(phone, call, options, printer, output, old=old)) is not None:
        return status
    if options.last and phone.logcat.last is None:
        await call.print_error(f"logcat: {_NO_PSTORE}\n")
        return 1
    try:
        output.flush()
    except OSError as error:
        await call.print_error(f"logcat: couldn't open output file: {error.strerror}\n")
        return 1
    try:
        return await _print(phone, options, printer, output)
    finally:
        output.flush()


async def _print(phone: Phone, options: LogcatOptions, printer: _Printer, output: _Output) -> int:
    """Print the entries so far and, unless ``-d`` is given, new ones."""
    # A reader of a few tags sees no chatter; its output is the same in every run.
    quiet = options.tags is not None and not options.tags & phone.logcat.chatter_tags
    queue: asyncio.Queue[LogEntry] = asyncio.Queue()
    entries = phone.logcat.read() if quiet else phone.logcat.read_all()
    if options.last:
        entries = phone.logcat.last or ()
    end = phone.logcat.subscribe(queue.put_nowait)
    try:
        await printer.announce()
        for entry in printer.read(entries):
            if await printer.show(entry):
                return 0
        while options.follow:
            output.flush()
            if await printer.show(await _next(phone, queue, quiet=quiet)):
                return 0
    finally:
        end()
    return 0


async def _next(phone: Phone, queue: asyncio.Queue[LogEntry], *, quiet: bool) -> LogEntry:
    """Wait for the next entry; in a reader that sees chatter, write it when it is due."""
    while not quiet:
        try:
            return await asyncio.wait_for(queue.get(), _POLL_SECONDS)
        except TimeoutError:
            phone.logcat.catch_up()
    return await queue.get()


async def _control(
    phone: Phone,
    call: CommandCall,
    options: LogcatOptions,
    printer: _Printer,
    output: _Output,
    *,
    old: bool,
) -> int | None:
    """Perform the options that do not print the log; return the exit status, or None without them."""
    if options.clear:
        if output.path:
            output.delete()
        elif options.last:
            phone.logcat.last = None
        else:
            phone.logcat.clear(lambda entry: printer.buffer(entry) in options.buffers)
        return 0
    if options.resize:
        if not old and not _SMALLEST <= options.resize <= _LARGEST:  # logd's limits
            names, plural = ",".join(options.buffers), "s" * (len(options.buffers) > 1)
            await call.print_error(f"logcat: failed to set the '{names}' log size{plural}.\n")
            return 1
        for name in options.buffers:
            phone.logcat.resize(name, options.resize)
        return 0
    if options.sizes:
        await call.print(_sizes(phone, options, printer, old=old))
        return 0
    if options.statistics:
        await call.print(_statistics(phone, options, printer))
        return 0
    if options.set_prune:  # accepted: nothing but the age of entries decides here
        return 0
    if options.prune:
        await call.print(f"{_PRUNE}\n")
        return 0
    return None


def _scaled(size: int) -> str:
    """Return a size as ``logcat -g`` prints it, rounded down."""
    for unit in ("", "Ki", "Mi"):
        if size < 1024:
            return f"{size} {unit}B"
        size //= 1024
    return f"{size} GiB"


def _sizes(phone: Phone, options: LogcatOptions, printer: _Printer, *, old: bool) -> str:
    """Return the sizes of the buffers."""
    entries, lines = phone.logcat.read_all(), []
    for name in options.buffers:
        size = phone.logcat.sizes.get(name, DEFAULT_SIZE)
        used = min(size, sum(entry.size for entry in entries if printer.buffer(entry) == name))
        if old:
            lines.append(
                f"/dev/log/{name}: ring buffer is {size // 1024}Kb ({used // 1024}Kb consumed), "
                "max entry is 5120b, max payload is 4076b\n"
            )
            continue
        consumed = f"{_scaled(used)} consumed"
        if phone.profile.sdk >= _READABLE_SDK:
            consumed += f", {_scaled(used)} readable"
        lines.append(
            f"{name}: ring buffer is {_scaled(size)} ({consumed}), max entry is 5120 B, "
            "max payload is 4068 B\n"
        )
    return "".join(lines)


def _statistics(phone: Phone, options: LogcatOptions, printer: _Printer) -> str:
    """Return the statistics (AOSP ``LogStatistics::Format``): sizes, the chattiest users and processes."""
    names = [name for name in READABLE_BUFFERS if name in options.buffers]
    entries = {name: list[LogEntry]() for name in names}
    for entry in phone.logcat.read_all():
        if printer.buffer(entry) in entries and (options.pid is None or entry.pid == options.pid):
            entries[printer.buffer(entry)].append(entry)
    sums = [f"{sum(each.size for each in found)}/{len(found)}" for found in entries.values()]
    everything = [entry for found in entries.values() for entry in found]
    total = f"{sum(entry.size for entry in everything)}/{len(everything)}"
    lines = ["size/num " + "".join(f"{name:<19}" for name in [*names, "Total"]).rstrip()]
    lines += [
        f"{title:<9}" + "".join(f"{text:<19}" for text in [*sums, total]).rstrip()
        for title in ("Total", "Now")
    ]
    for name, found in entries.items():
        if found:
            lines += ["", *_chattiest(phone, name, found)]
    return "\n".join(lines) + "\n"


def _chattiest(phone: Phone, name: str, entries: Sequence[LogEntry]) -> list[str]:
    sizes, uids = Counter[int](), Counter[int]()
    for entry in entries:
        sizes[entry.pid] += entry.size
        uids[uid_of(phone, entry.pid)] += entry.size
    lines = [f"Chattiest UIDs in {name} log buffer:".ljust(61) + "Size", "UID   PACKAGE".ljust(60) + "BYTES"]
    lines += [f"{uid:<6}{_owner(phone, uid)}".ljust(58) + f"{size:>7}" for uid, size in uids.most_common(10)]
    lines += [
        "",
        f"Chattiest PIDs in {name} log buffer:".ljust(61) + "Size",
        "  PID/UID   COMMAND LINE".ljust(60) + "BYTES",
    ]
    for pid, size in sizes.most_common(10):
        lines.append(f"{pid:>5}/{uid_of(phone, pid):<6} {_command(phone, pid)}".ljust(58) + f"{size:>7}")
    return lines


def _owner(phone: Phone, uid: int) -> str:
    return next((app.app.package for app in phone.packages.all() if app.uid == uid), "")


def _command(phone: Phone, pid: int) -> str:
    return next((each.process.args for each in running(phone) if each.process.pid == pid), "")


async def log(phone: Phone, call: CommandCall) -> int:
    """``log [-t TAG] [-p LEVEL] MESSAGE``."""
    args, tag, level = call.argv[1:], "log", "I"
    while len(args) > 1 and args[0] in ("-t", "-p"):
        if args[0] == "-t":
            tag = args[1]
        else:
            level = args[1][:1].upper()
            if level not in LEVELS:
                await call.print_error(f"log: bad -p '{args[1]}'\n")
                return 1
        args = args[2:]
    phone.logcat.write("F" if level == "S" else level, tag, " ".join(args), pid=_SHELL_UID)
    return 0


def commands(phone: Phone) -> Mapping[str, Command]:
    """Return the commands by name."""
    return {"log": partial(log, phone), "logcat": partial(logcat, phone)}
