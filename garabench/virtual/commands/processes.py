"""``ps``, ``pidof``, ``top``, ``kill``, ``pkill``, ``killall``, ``pgrep`` and ``reboot`` (toybox, mksh)."""

from __future__ import annotations

import asyncio
import getopt
import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial

from garabench.virtual.android.file_system import AS_ROOT
from garabench.virtual.android.phone import Phone
from garabench.virtual.android.process_list import RunningProcess, called_process, running, shell_process
from garabench.virtual.android.system_files import BUFFERS_KB, cached_kb, memory_kb
from garabench.virtual.android.system_processes import SHELL_UID, ZYGOTE_PID
from garabench.virtual.commands.durations import KITKAT
from garabench.virtual.commands.process_columns import (
    TOTAL_KB,
    ProcessColumn,
    ProcessRow,
    columns,
    comm,
    command_line,
    line,
    size,
    sort_key,
    virtual_kb,
)
from garabench.virtual.shell.call import Command, CommandCall
from garabench.virtual.shell.jobs import SIGNALS

_OWN_PROCESSES_SDK = 26
"""First API level (Android 8) whose ``ps`` lists only the caller's processes without ``-A``."""
_TOOLBOX_OPTIONS = frozenset({"-t", "-x", "-Z", "-P", "-p", "-c", "-r"})
_DEFAULT = ("USER:12", "PID", "PPID", "VSZ:7", "RSS", "WCHAN:10", "ADDR:10", "S", "NAME")
_FULL = ("USER:12=UID", "PID", "PPID", "C", "STIME", "TTY", "TIME", "CMD")
_THREADS = ("USER:12", "PID", "TID", "PPID", "VSZ:7", "RSS", "WCHAN:10", "ADDR:10", "S", "CMD")
_THREAD_NAMES = ("Signal Catcher", "perfetto_hprof_", "ADB-JDWP Connec", "Jit thread pool", "HeapTaskDaemon")
"""Threads of the runtime, which the zygote and its children have; others are named after their process."""


def _own() -> list[RunningProcess]:
    """Return the shell and the command that is called."""
    called = called_process()
    return [shell_process(), *([called] if called is not None else [])]


async def ps(phone: Phone, call: CommandCall) -> int:
    """``ps [-AefTlw] [-o COLUMNS] [-u USERS] [-p PIDS]``."""
    if phone.profile.sdk <= KITKAT:
        return await _ps_toolbox(phone, call)
    try:
        pairs, pids = getopt.gnu_getopt(call.argv[1:], "AadefLlnwZTMG:g:k:o:O:P:p:s:t:U:u:C:", ["sort="])
    except getopt.GetoptError as error:
        await call.print_error(f"ps: Unknown option '{error.opt}' (see \"ps --help\")\n")
        return 1
    options = dict(pairs)
    if pids:  # bare words are pids
        options["-p"] = ",".join([*options.get("-p", "").split(","), *pids]).strip(",")
    specs = [spec for name, value in pairs if name == "-o" for spec in value.split(",")]
    threads = "-T" in options
    if not specs:
        specs = list(_THREADS if threads else _FULL if "-f" in options else _DEFAULT)
        specs = (["LABEL"] if "-Z" in options else []) + specs
        specs += [spec for name, value in pairs if name == "-O" for spec in value.split(",")]
    try:
        shown = columns(specs)
        keys = _sort_keys(options.get("-k", options.get("--sort", "")))
    except KeyError as error:
        await call.print_error(f"ps: bad -o {error.args[0]}\n")
        return 1
    found = _selected(phone, [*running(phone), *_own()], options)
    for name, descending in reversed(keys):
        found.sort(key=lambda each: sort_key(name, _rows(phone, each, threads=False)[0]), reverse=descending)
    if any(column.title for column in shown):
        await call.print(line([column.title for column in shown], shown))
    for each in found:
        for row in _rows(phone, each, threads=threads):
            cells = [column.text(row) for column in shown]
            if "-f" in options:  # the whole command line, not the thread's name
                cells = _with_args(cells, shown, each)
            await call.print(line(cells, shown))
    return int(not found)


def _sort_keys(text: str) -> list[tuple[str, bool]]:
    """Return the columns to sort by, and whether from the largest down.

    Raises:
        KeyError: A column is unknown.
    """
    words = [word for word in text.split(",") if word]
    return [(columns([word.lstrip("+-")])[0].name, word.startswith("-")) for word in words]


def _with_args(cells: list[str], shown: Sequence[ProcessColumn], each: RunningProcess) -> list[str]:
    return [
        command_line(each) if column.name == "CMD" else cell
        for cell, column in zip(cells, shown, strict=True)
    ]


def _rows(phone: Phone, each: RunningProcess, *, threads: bool) -> list[ProcessRow]:
    clock, process = phone.clock, each.process
    started = clock.boot_wall().strftime("%H:%M")
    rows = [ProcessRow(each, process.pid, comm(each), clock.uptime_ms, started)]
    for number in range(1, each.threads if threads else 1):
        has_runtime = ZYGOTE_PID in (process.pid, process.ppid)
        name = _THREAD_NAMES[(number - 1) % len(_THREAD_NAMES)] if has_runtime else rows[0].name
        rows.append(ProcessRow(each, each.first_tid + number - 1, name, clock.uptime_ms, started))
    return rows


def _selected(
    phone: Phone, found: Sequence[RunningProcess], options: Mapping[str, str]
) -> list[RunningProcess]:
    """Return the processes that the options select; by default the shell's own."""
    chosen = list(found)
    users = {name for key in ("-u", "-U") for name in options.get(key, "").split(",") if name}
    pids = {pid for pid in options.get("-p", "").split(",") if pid}
    parents = {pid for pid in options.get("-P", "").split(",") if pid}
    if users:
        chosen = [each for each in chosen if users & {each.process.user, str(each.process.uid)}]
    if pids:
        chosen = [each for each in chosen if str(each.process.pid) in pids]
    names = {name for name in options.get("-C", "").split(",") if name}
    if names:
        chosen = [each for each in chosen if names & {each.process.name, comm(each)}]
    if parents:
        chosen = [each for each in chosen if str(each.process.ppid) in parents]
    every = {"-A", "-a", "-d", "-e"} & options.keys() or users or pids or parents or names
    if not every and phone.profile.sdk >= _OWN_PROCESSES_SDK:
        own = 0 if AS_ROOT.get() else SHELL_UID
        chosen = [each for each in chosen if each.process.uid == own and not each.process.is_kernel]
    return sorted(chosen, key=lambda each: each.process.pid)


async def _ps_toolbox(phone: Phone, call: CommandCall) -> int:
    """Android 4.4: any word but a toolbox option is a pid or a prefix of a name."""
    wanted = next((arg for arg in call.argv[1:] if arg[:2] not in _TOOLBOX_OPTIONS), "")
    await call.print("USER     PID   PPID  VSIZE  RSS     WCHAN    PC         NAME\n")
    for each in running(phone):
        user, pid, name = each.process.user, each.process.pid, each.process.name
        if not wanted or name.startswith(wanted) or wanted == str(pid):
            memory = f"{virtual_kb(each) // 15:<6} {each.process.rss:<5}"
            await call.print(
                f"{user:<8} {pid:<5} {each.process.ppid:<5} {memory} ffffffff 00000000 {each.state} {name}\n"
            )
    return 0


async def pidof(phone: Phone, call: CommandCall) -> int:
    """``pidof [-s] NAME…``."""
    args = [arg for arg in call.argv[1:] if not arg.startswith("-")]
    found = [
        str(each.process.pid)
        for each in reversed(running(phone))
        if not each.process.is_kernel and {each.process.name, command_line(each).split(" ")[0]} & set(args)
    ]
    found = found[:1] if "-s" in call.argv else found
    if found:
        await call.print(" ".join(found) + "\n")
    return int(not found)


async def top(phone: Phone, call: CommandCall) -> int:
    """``top [-b] [-n COUNT] [-d SECONDS] [-m LINES] [-o COLUMNS]``: once unless ``-n`` is given."""
    try:
        pairs, _ = getopt.gnu_getopt(call.argv[1:], "Hhbqn:d:m:o:O:k:p:s:u:t")
    except getopt.GetoptError as error:
        await call.print_error(f"top: Unknown option '{error.opt}' (see \"top --help\")\n")
        return 1
    options = dict(pairs)
    count, most = options.get("-n", "1"), options.get("-m", "")
    try:
        shown = columns(options["-o"].split(",")) if "-o" in options else ()
        delay = float(options.get("-d", "3"))
    except KeyError as error:
        await call.print_error(f"top: bad -o {error.args[0]}\n")
        return 1
    except ValueError:
        await call.print_error(f"top: bad -d '{options['-d']}'\n")
        return 1
    for turn in range(min(int(count), 100) if count.isdecimal() else 1):
        if turn:
            await phone.spend(int(max(0.0, min(delay, 60.0)) * 1000))
        found = [each for each in running(phone) if _is_wanted(each, options.get("-p", ""))]
        found.sort(key=lambda each: -each.process.rss)
        if "-q" not in options:
            await call.print(_summary(phone))
        await call.print(_top_head(shown))
        for each in found[: int(most)] if most.isdecimal() else found:
            row = _rows(phone, each, threads=False)[0]
            await call.print(line([c.text(row) for c in shown], shown) if shown else _top_line(each))
    return 0


def _is_wanted(each: RunningProcess, pids: str) -> bool:
    return not pids or str(each.process.pid) in pids.split(",")


def _summary(phone: Phone) -> str:
    found = running(phone)
    stopped = sum(each.state == "T" for each in found)
    used, available = memory_kb(phone)
    return (
        f"Tasks: {len(found)} total,   1 running, {len(found) - 1 - stopped} sleeping, "
        f"{stopped:>3} stopped,   0 zombie\n"
        f"  Mem:  {TOTAL_KB}K total,  {used}K used,  {available}K free,    {BUFFERS_KB}K buffers\n"
        f" Swap:  2097148K total,        0K used,  2097148K free,   {cached_kb(available)}K cached\n"
        "400%cpu   3%user   0%nice   4%sys 393%idle   0%iow   0%irq   0%sirq   0%host\n"
    )


def _top_head(shown: Sequence[ProcessColumn]) -> str:
    if shown:
        return line([column.title for column in shown], shown)
    return "  PID USER         PR  NI VIRT  RES  SHR S[%CPU] %MEM     TIME+ ARGS\n"


def _top_line(each: RunningProcess) -> str:
    process = each.process
    priority = "10 -10" if each.package else "20   0"
    share = process.rss * 100 / TOTAL_KB
    amounts = (virtual_kb(each), process.rss, process.rss * 2 // 3)
    memory = " ".join(f"{size(amount):>4}" for amount in amounts)
    times = f"{each.state}  0.0 {share:>5.1f}   0:01.00"
    return f"{process.pid:>5} {process.user:<12} {priority} {memory} {times} {command_line(each)}\n"


def signal_number(text: str) -> int | None:
    """Return the number of a signal by name or number; None if it is unknown."""
    if text.isdecimal():
        return int(text) if int(text) <= 64 else None
    return SIGNALS.get(text.upper().removeprefix("SIG"))


async def kill(phone: Phone, call: CommandCall, *, root: bool = False) -> int:
    """``kill [-SIGNAL | -s SIGNAL | -l] PID…``: processes of other users need root."""
    args, name = call.argv[1:], "TERM"
    prefix = "kill: " if root else "/system/bin/sh: kill: "  # a program, or the shell's own command
    if args[:1] == ["-l"]:
        await call.print("".join(f"{number:>2} {each}\n" for each, number in SIGNALS.items()))
        return 0
    if args[:1] == ["-s"]:
        name, args = (args[1] if len(args) > 1 else ""), args[2:]
    elif args and args[0].startswith("-") and args[0] != "--":
        name, args = args[0][1:], args[1:]
    number = signal_number(name)
    if number is None:
        wrong = f"Unknown signal '{name}'" if root else f"bad signal '{name}'"
        await call.print_error(f"{prefix}{wrong}\n")
        return 1
    targets = [arg for arg in args if arg != "--"]
    if not targets:
        await call.print_error("kill: Needs 1 argument\n")
        return 1
    status = 0
    for arg in targets:
        found = next((each for each in running(phone) if str(each.process.pid) == arg), None)
        reason = "No such process" if found is None else _signal(phone, found, number, root=root)
        if reason:
            await call.print_error(f"{prefix}{arg}: {reason}\n")
            status = 1
    await asyncio.sleep(0)
    return status


def _signal(phone: Phone, found: RunningProcess, number: int, *, root: bool) -> str:
    """Send a signal to a process; return why that is not allowed, or empty."""
    pid = found.process.pid
    program = next((each for each in phone.programs.list() if each.pid == pid), None)
    if program is None and not (root or AS_ROOT.get()):
        return "Operation not permitted"
    if number == 0:
        return ""
    if program is not None:
        if number not in (SIGNALS["CONT"], SIGNALS["CHLD"]):
            program.stop()
    elif found.package and number in (SIGNALS["STOP"], SIGNALS["CONT"]):
        phone.processes.freeze(pid, on=number == SIGNALS["STOP"])
    elif found.package:
        phone.activities.kill_by_signal(found.package)
    # Android starts its own processes again at once.
    phone.changed()
    return ""


def _matching(
    phone: Phone, call: CommandCall, pattern: str, options: Mapping[str, str]
) -> list[RunningProcess]:
    """Return the processes whose name, or command line with ``-f``, matches."""
    try:
        compiled = re.compile(pattern)
    except re.error:
        compiled = re.compile(re.escape(pattern))
    match: Callable[[str], object] = compiled.fullmatch if "-x" in options else compiled.search
    users = {name for key in ("-u", "-U") for name in options.get(key, "").split(",") if name}
    return [
        each
        for each in running(phone)
        if match(command_line(each) if "-f" in options or each.package else comm(each))
        and (not users or users & {each.process.user, str(each.process.uid)})
    ]


_PGREP = "clfnovxaL:d:s:P:g:G:t:U:u:"


async def pkill(phone: Phone, call: CommandCall) -> int:
    """``pkill [-SIGNAL] [-fx] PATTERN`` and ``killall [-SIGNAL] NAME``."""
    args, number = call.argv[1:], SIGNALS["TERM"]
    program = call.argv[0].rpartition("/")[2]
    if args and (found := re.fullmatch(r"-(\d+|[A-Z0-9]{2,})", args[0])):
        chosen = signal_number(found[1])
        if chosen is None:
            await call.print_error(f"{program}: bad -L '{found[1]}'\n")
            return 1
        number, args = chosen, args[1:]
    elif args[:1] in (["-l"], ["-s"]) and len(args) > 1:
        number, args = signal_number(args[1]) or number, args[2:]
    try:
        pairs, rest = getopt.gnu_getopt(args, "iqvw" if program == "killall" else _PGREP)
    except getopt.GetoptError as error:
        await call.print_error(f"{program}: Unknown option '{error.opt}'\n")
        return 1
    if not rest:
        await call.print_error(f"{program}: {'no process' if program == 'killall' else 'No PATTERN'}\n")
        return 1
    options = {"-x": "", **dict(pairs)} if program == "killall" else dict(pairs)
    hits = _matching(phone, call, re.escape(rest[0]) if program == "killall" else rest[0], options)
    status = int(not hits)
    for each in hits:
        if reason := _signal(phone, each, number, root=False):
            name = next((key for key, value in SIGNALS.items() if value == number), str(number))
            await call.print_error(f"{program}: {name}->{each.process.pid}: {reason}\n")
            status = 1
    await asyncio.sleep(0)
    if not hits and program == "killall":
        await call.print_error(f"killall: {rest[0]}: No such process\n")
    return status


async def pgrep(phone: Phone, call: CommandCall) -> int:
    """``pgrep [-aflxnov] [-u USERS] PATTERN``."""
    try:
        pairs, rest = getopt.gnu_getopt(call.argv[1:], _PGREP)
    except getopt.GetoptError as error:
        await call.print_error(f"pgrep: Unknown option '{error.opt}'\n")
        return 1
    options = dict(pairs)
    if not rest and not options:
        await call.print_error("pgrep: No PATTERN\n")
        return 1
    hits = _matching(phone, call, rest[0] if rest else "", options)
    hits = hits[-1:] if "-n" in options else hits[:1] if "-o" in options else hits
    if "-c" in options:
        await call.print(f"{len(hits)}\n")
        return int(not hits)
    for each in hits:
        name = f" {command_line(each)}" if {"-l", "-a"} & options.keys() else ""
        await call.print(f"{each.process.pid}{name}\n")
    return int(not hits)


async def reboot(phone: Phone, call: CommandCall) -> int:
    """``reboot``: apps end, storage stays, connections drop."""
    phone.reboot()
    return 0


def commands(phone: Phone) -> Mapping[str, Command]:
    """Return the commands by name."""
    table = {"pidof": pidof, "ps": ps, "reboot": reboot, "top": top}
    return {name: partial(command, phone) for name, command in table.items()}


def utilities(phone: Phone) -> Mapping[str, Command]:
    """Return the commands that are utilities of toybox, by name."""
    table = {"kill": kill, "killall": pkill, "pgrep": pgrep, "pkill": pkill}
    return {name: partial(command, phone) for name, command in table.items()}
