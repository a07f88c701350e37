"""The builtins for jobs, signals and limits: ``jobs``, ``wait``, ``kill``, ``trap``, ``ulimit``."""

from __future__ import annotations

import asyncio

from garabench.virtual.shell.call import Streams
from garabench.virtual.shell.execution import Execution
from garabench.virtual.shell.printing import print_error, print_text, quote
from garabench.virtual.shell.shell_state import ShellError, ShellJumpError

_KILLED, _NO_CHILD = 130, 127
_FATAL = 128
SIGNALS = {
    **{"HUP": 1, "INT": 2, "QUIT": 3, "ILL": 4, "TRAP": 5, "ABRT": 6, "BUS": 7, "FPE": 8, "KILL": 9},
    **{"USR1": 10, "SEGV": 11, "USR2": 12, "PIPE": 13, "ALRM": 14, "TERM": 15, "CHLD": 17, "CONT": 18},
    **{"STOP": 19, "TSTP": 20, "TTIN": 21, "TTOU": 22},
}
"""The signals by name."""
_HARMLESS = frozenset({0, SIGNALS["CHLD"], SIGNALS["CONT"]})
_LIMITS = {
    "c": ("coredump(blocks)", "0"),
    "d": ("data(KiB)", "unlimited"),
    "f": ("file(blocks)", "unlimited"),
    "l": ("lockedmem(KiB)", "64"),
    "n": ("nofiles(descriptors)", "32768"),
    "p": ("processes", "13823"),
    "s": ("stack(KiB)", "8192"),
    "t": ("time(cpu-seconds)", "unlimited"),
    "v": ("address-space(KiB)", "unlimited"),
}


def signal_name(text: str) -> str:
    """Return the name of a signal given by name or number, or ``EXIT`` or ``ERR``.

    Raises:
        KeyError: It is unknown.
    """
    if text in ("0", "EXIT"):
        return "EXIT"
    if text == "ERR":
        return text
    if text.isdecimal():
        return next(name for name, number in SIGNALS.items() if number == int(text))
    name = text.upper().removeprefix("SIG")
    return name if SIGNALS[name] else ""


async def trap(sh: Execution, argv: list[str], streams: Streams) -> int:
    """``trap [COMMAND SIGNAL …]``: set a command to run at signals, errors or the end, or print them."""
    words = [word for word in argv[1:] if word != "--"]
    if not words:
        for name, command in sh.traps.items():
            await print_text(streams, f"trap -- {quote(command)} {name}\n")
        return 0
    resets = words[0] == "-" or words[0].isdecimal()
    status = 0
    for word in words if words[0].isdecimal() else words[1:]:
        try:
            name = signal_name(word)
        except (KeyError, StopIteration):
            await print_error(streams, f"trap: bad signal: '{word}'")
            status = 1
            continue
        if resets:
            sh.traps.pop(name, None)
        else:
            sh.traps[name] = words[0]
    return status


async def jobs(sh: Execution, argv: list[str], streams: Streams) -> int:
    """``jobs [-lnp] [JOB …]``: the background jobs that run."""
    running = [task for task in sh.state.children if not task.done()]
    for number, task in enumerate(running, 1):
        pid = task.get_name()
        mark = "+" if number == len(running) else "-" if number == len(running) - 1 else " "
        text = sh.state.job_texts.get(int(pid), "")
        if "-p" in argv:
            await print_text(streams, f"{pid}\n")
        else:
            shown = f"{pid} " if "-l" in argv else ""
            await print_text(streams, f"[{number}] {mark} {shown}{'Running':<20} {text}\n")
    return 0


def _pid_of(sh: Execution, word: str) -> str:
    """Return the pid of a job such as ``%1``, or the word."""
    if not word.startswith("%"):
        return word
    running = [task for task in sh.state.children if not task.done()]
    number = int(word[1:]) if word[1:].isdecimal() else len(running)
    return running[number - 1].get_name() if 0 < number <= len(running) else word


async def wait(sh: Execution, argv: list[str], streams: Streams) -> int:
    """Wait for all background jobs of this shell, or for those with these pids."""
    wanted = [_pid_of(sh, word) for word in argv[1:]]
    waited = [task for task in sh.state.children if not wanted or task.get_name() in wanted]
    if waited:
        await asyncio.wait(waited)
    known = {task.get_name(): _KILLED if task.cancelled() else task.result() for task in waited}
    return known.get(wanted[-1], _NO_CHILD) if wanted else 0


async def kill(sh: Execution, argv: list[str], streams: Streams) -> int:
    """Signal this shell or background jobs by pid; the phone's ``kill`` handles other processes."""
    words = [_pid_of(sh, word) for word in argv[1:]]
    number = _signal(words)
    found = {task.get_name(): task for task in sh.jobs}
    own = str(sh.state.pid)
    rest = [word for word in words if word not in found and word != own]
    for word in words:
        if word in found and number not in _HARMLESS:
            found[word].cancel()
    await asyncio.sleep(0)
    status = 0
    if any(word.isdecimal() for word in rest[1:]) or rest[:1] == ["-l"] or len(rest) == len(words):
        status = await sh.external([argv[0], *rest], streams, {})
    if own in words and number not in _HARMLESS:
        name = next((name for name, each in SIGNALS.items() if each == number), "")
        if number == SIGNALS["KILL"] or not await sh.trapped(name, streams):
            sh.traps.clear()
            raise ShellJumpError("exit", _FATAL + number)
    return status


def _signal(words: list[str]) -> int:
    """Return the number of the signal to send."""
    option = words[0] if words else ""
    if option == "-s" and len(words) > 1:
        option = f"-{words[1]}"
    if not option.startswith("-"):
        return SIGNALS["TERM"]
    text = option[1:]
    return int(text) if text.isdecimal() else SIGNALS.get(text.upper().removeprefix("SIG"), SIGNALS["TERM"])


async def times(sh: Execution, argv: list[str], streams: Streams) -> int:
    """``times``: the processor time of the shell and of its children, of which the phone counts none."""
    await print_text(streams, "0m00.00s 0m00.00s\n" * 2)
    return 0


async def ulimit(sh: Execution, argv: list[str], streams: Streams) -> int:
    """``ulimit [-aHS] [-cdflnpstv [LIMIT]]``: print limits; setting one has no effect."""
    letters = [char for word in argv[1:] if word.startswith("-") for char in word[1:] if char not in "HS"]
    if "a" in letters:
        for letter, (name, value) in _LIMITS.items():
            await print_text(streams, f"{f'-{letter}: {name}':<25} {value}\n")
        return 0
    unknown = [letter for letter in letters if letter not in _LIMITS]
    if unknown:
        raise ShellError(f"ulimit: -{unknown[0]}: unknown option")
    if not any(not word.startswith("-") for word in argv[1:]):
        for letter in letters or ["f"]:
            await print_text(streams, f"{_LIMITS[letter][1]}\n")
    return 0
