"""``ps``, ``pidof``, ``top`` and ``reboot``."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from garabench.virtual.android.phone import Phone
from garabench.virtual.commands.durations import KITKAT
from garabench.virtual.shell.call import Command, CommandCall

_OWN_PROCESSES_SDK = 26
"""First API level (Android 8) whose ``ps`` lists only the caller's processes without ``-A``."""
_SHELL_PID = 4_000
_TOOLBOX_OPTIONS = frozenset({"-t", "-x", "-Z", "-P", "-p", "-c", "-r"})


def _user(phone: Phone, package: str) -> str:
    found = phone.packages.get(package)
    return f"u0_a{found.uid % 10_000}" if found else "shell"


async def ps(phone: Phone, call: CommandCall) -> int:
    """``ps [-A] [-o COLUMNS] [NAME]``."""
    args = call.argv[1:]
    rows = [(_user(phone, name), pid, name) for pid, name in phone.processes.list()]
    programs = [("shell", program.pid, program.name) for program in phone.programs.list()]
    rows = [*programs, *rows]
    if phone.profile.sdk <= KITKAT:
        # Any word but a toolbox option is a pid or a prefix of a name.
        wanted = next((arg for arg in args if arg[:2] not in _TOOLBOX_OPTIONS), "")
        await call.print("USER     PID   PPID  VSIZE  RSS     WCHAN    PC         NAME\n")
        for user, pid, name in rows:
            if not wanted or name.startswith(wanted) or wanted == str(pid):
                await call.print(f"{user:<8} {pid:<5} 350   900000 60000 ffffffff 00000000 S {name}\n")
        return 0
    every = any(arg.startswith("-") and {"A", "e", "p"} & set(arg) for arg in args)
    if not every and phone.profile.sdk >= _OWN_PROCESSES_SDK:
        rows = [("shell", _SHELL_PID, "sh"), *programs, ("shell", _SHELL_PID + 1, "ps")]
    if "-p" in args[:-1]:
        pids = args[args.index("-p") + 1].split(",")
        rows = [row for row in rows if str(row[1]) in pids]
    if "-o" in args[:-1]:
        specs = args[args.index("-o") + 1].split(",")
        columns = [spec.partition("=")[0].upper() for spec in specs]
        heads = [spec.partition("=")[2] if "=" in spec else spec.upper() for spec in specs]
        await call.print(" ".join(heads) + "\n" if any(heads) else "")
        for user, pid, name in rows:
            state = "T" if phone.processes.frozen(name) else "S"
            row_values = {
                "USER": user,
                "PID": str(pid),
                "PPID": "350",
                "NAME": name,
                "ARGS": name,
                "CMD": name,
            }
            row_values["S"] = row_values["STAT"] = state
            await call.print(" ".join(row_values.get(column, "-") for column in columns) + "\n")
        return int(not rows)
    await call.print("USER           PID  PPID     VSZ    RSS WCHAN            ADDR S NAME\n")
    for user, pid, name in rows:
        state = "T" if phone.processes.frozen(name) else "S"
        line = f"{user:<12} {pid:>5}   350 1200000  90000 0                   0 {state} {name}\n"
        await call.print(line)
    return int(not rows)


async def pidof(phone: Phone, call: CommandCall) -> int:
    """``pidof NAME``."""
    args = [arg for arg in call.argv[1:] if not arg.startswith("-")]
    found = [str(pid) for name in args if (pid := phone.processes.pidof(name)) is not None]
    found += [str(program.pid) for program in phone.programs.list() if program.name in args]
    if found:
        await call.print(" ".join(found) + "\n")
    return int(not found)


async def top(phone: Phone, call: CommandCall) -> int:
    """``top -n 1 -b``: always prints once."""
    processes = phone.processes.list()
    await call.print(
        f"Tasks: {len(processes)} total,   0 running, {len(processes)} sleeping,   0 stopped,   0 zombie\n"
        "  Mem:  4000000K total,  2000000K used,  2000000K free\n"
        "  PID USER         PR  NI VIRT  RES  SHR S[%CPU] %MEM     TIME+ ARGS\n"
    )
    for pid, name in processes:
        await call.print(
            f"{pid:>5} {_user(phone, name):<12} 10 -10 1.2G  90M  60M S  0.0   2.3   0:00.10 {name}\n"
        )
    return 0


async def reboot(phone: Phone, call: CommandCall) -> int:
    """``reboot``: apps end, storage stays, connections drop."""
    phone.reboot()
    return 0


def commands(phone: Phone) -> Mapping[str, Command]:
    """Return the commands by name."""
    table = {"pidof": pidof, "ps": ps, "reboot": reboot, "top": top}
    return {name: partial(command, phone) for name, command in table.items()}
