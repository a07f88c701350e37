"""The columns of ``ps`` (toybox ``ps.c``): names, widths, values."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from garabench.virtual.android.process_list import RunningProcess

TOTAL_KB = 4_022_164
"""The phone's memory in KiB."""


@dataclass(frozen=True, slots=True)
class ProcessRow:
    """A line of ``ps``: a process, or one of its threads.

    Attributes:
        running: The process.
        tid: Id of the thread.
        name: Name of the thread.
        uptime_ms: Uptime of the phone.
        started: Time of day at which the process started.
    """

    running: RunningProcess
    tid: int
    name: str
    uptime_ms: int
    started: str


def virtual_kb(running: RunningProcess) -> int:
    """Return the virtual memory of a process in KiB."""
    return running.virtual_kb


def command_line(running: RunningProcess) -> str:
    """Return the command line; a kernel thread's name in brackets."""
    return running.process.args or f"[{running.process.name}]"


def name(running: RunningProcess) -> str:
    """Return the name of a program without its directory; a kernel thread's in brackets."""
    if running.process.is_kernel:
        return command_line(running)
    return command_line(running).split(" ")[0].rpartition("/")[2]


def comm(running: RunningProcess) -> str:
    """Return the name that the kernel knows: the last 15 characters of an app's."""
    return running.process.name[-15:] if running.package else running.process.name[:15]


def size(kilobytes: int) -> str:
    """Return a size in four characters, as toybox's ``human_readable`` does."""
    if kilobytes < 1000:
        return f"{kilobytes}K" if kilobytes else "0"
    if kilobytes < 1_000_000:
        return f"{kilobytes // 1000}M" if kilobytes >= 10_000 else f"{kilobytes / 1000:.1f}M"
    return f"{kilobytes / 1_000_000:.1f}G" if kilobytes < 10_000_000 else f"{kilobytes // 1_000_000}G"


def sort_key(name: str, row: ProcessRow) -> tuple[float, str]:
    """Return what orders rows by a column: its number, or its text."""
    numbers = {
        "RES": row.running.process.rss,
        "VIRT": virtual_kb(row.running),
        "SHR": row.running.process.rss,
    }
    text = COLUMNS[name][2](row)
    if name in numbers:
        return float(numbers[name]), text
    return (float(text), "") if text.replace(".", "", 1).lstrip("-").isdecimal() else (0.0, text)


def _wchan(row: ProcessRow) -> str:
    if row.running.state == "R":
        return "0"
    if not row.running.process.is_kernel:
        return "do_epoll_wait"
    name = row.running.process.name
    return "kthreadd" if name == "kthreadd" else "worker_thread" if "worker" in name else "rescuer_thread"


def _minutes(row: ProcessRow) -> str:
    return "00:00:01" if not row.running.process.is_kernel else "00:00:00"


def _elapsed(row: ProcessRow) -> str:
    minutes, seconds = divmod(row.uptime_ms // 1000, 60)
    return f"{minutes:02d}:{seconds:02d}"


def _priority(row: ProcessRow) -> str:
    return "10" if row.running.package else "19"


COLUMNS: Mapping[str, tuple[int, str, Callable[[ProcessRow], str]]] = {
    "PID": (5, "PID", lambda row: str(row.running.process.pid)),
    "PPID": (5, "PPID", lambda row: str(row.running.process.ppid)),
    "TID": (5, "TID", lambda row: str(row.tid)),
    "UID": (5, "UID", lambda row: str(row.running.process.uid)),
    "GID": (8, "GID", lambda row: str(row.running.process.uid)),
    "USER": (-12, "USER", lambda row: row.running.process.user),
    "GROUP": (-12, "GROUP", lambda row: row.running.process.user),
    "VSZ": (7, "VSZ", lambda row: str(virtual_kb(row.running))),
    "VSIZE": (7, "VSIZE", lambda row: str(virtual_kb(row.running))),
    "RSS": (6, "RSS", lambda row: str(row.running.process.rss)),
    "VIRT": (4, "VIRT", lambda row: size(virtual_kb(row.running))),
    "RES": (4, "RES", lambda row: size(row.running.process.rss)),
    "SHR": (4, "SHR", lambda row: size(row.running.process.rss * 2 // 3)),
    "WCHAN": (-15, "WCHAN", _wchan),
    "ADDR": (4, "ADDR", lambda row: "0"),
    "S": (-1, "S", lambda row: row.running.state),
    "STAT": (-5, "STAT", lambda row: row.running.state),
    "NAME": (-27, "NAME", lambda row: name(row.running)),
    "COMM": (-27, "COMM", lambda row: comm(row.running)),
    "TNAME": (-27, "TNAME", lambda row: row.name),
    "CMD": (-27, "CMD", lambda row: row.name),
    "ARGS": (-27, "ARGS", lambda row: command_line(row.running)),
    "COMMAND": (-27, "COMMAND", lambda row: command_line(row.running).split(" ")[0]),
    "CMDLINE": (-27, "CMDLINE", lambda row: command_line(row.running)),
    "LABEL": (-30, "LABEL", lambda row: f"u:r:{'untrusted_app' if row.running.package else 'shell'}:s0"),
    "PRI": (3, "PRI", _priority),
    "NI": (3, "NI", lambda row: "-10" if row.running.package else "0"),
    "PR": (2, "PR", lambda row: "10" if row.running.package else "20"),
    "PCY": (-3, "PCY", lambda row: "fg" if row.running.process.adj <= 0 else "bg"),
    "TTY": (-8, "TTY", lambda row: "?"),
    "TIME": (8, "TIME", _minutes),
    "TIME+": (9, "TIME+", lambda row: "0:01.00"),
    "STIME": (5, "STIME", lambda row: row.started),
    "ELAPSED": (11, "ELAPSED", _elapsed),
    "ETIME": (11, "ELAPSED", _elapsed),
    "C": (1, "C", lambda row: "0"),
    "TCNT": (4, "TCNT", lambda row: str(row.running.threads)),
    "%CPU": (4, "%CPU", lambda row: "0.0"),
    "%MEM": (5, "%MEM", lambda row: f"{row.running.process.rss * 100 / TOTAL_KB:.1f}"),
}
"""Width (negative for alignment to the left), title and value by name."""


@dataclass(frozen=True, slots=True)
class ProcessColumn:
    """A column to print.

    Attributes:
        name: Its name.
        title: Its title.
        width: Its width; negative for alignment to the left.
    """

    name: str
    title: str
    width: int

    def text(self, row: ProcessRow) -> str:
        """Return the value in a row."""
        return COLUMNS[self.name][2](row)


def columns(specs: Sequence[str]) -> tuple[ProcessColumn, ...]:
    """Return the columns of ``-o`` options such as ``PID,NAME=name,USER:20``.

    Raises:
        KeyError: A column is unknown; the argument is its name.
    """
    found = []
    for spec in specs:
        name, equals, title = spec.partition("=")
        name, _, wide = name.upper().partition(":")
        width, default, _ = COLUMNS[name]
        if wide.isdecimal():
            width = int(wide) if width > 0 else -int(wide)
        found.append(ProcessColumn(name, title if equals else default, width))
    return tuple(found)


def line(cells: Sequence[str], shown: Sequence[ProcessColumn]) -> str:
    """Return a line with cells of their columns' widths; the last one is not filled up.

    A cell that is too wide takes the space that later ones leave, as in ``show_ps`` of toybox.
    """
    parts, extra = list[str](), 0
    for cell, column in zip(cells, shown, strict=True):
        width = abs(column.width)
        if len(cell) > width:
            extra += len(cell) - width
        else:
            taken = min(extra, width - len(cell))
            width, extra = width - taken, extra - taken
        parts.append(cell.rjust(width) if column.width > 0 else cell.ljust(width))
    if parts and shown[-1].width < 0:
        parts[-1] = cells[-1]
    return " ".join(parts) + "\n"
