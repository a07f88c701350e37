"""Peak memory of this process, its descendants and the adb server while a block runs."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType

_EVERY_S = 0.5
_PROC = Path("/proc")
_PORT = "5037"


@dataclass(frozen=True, slots=True)
class Process:
    """A process.

    Attributes:
        parent: Id of the parent process.
        resident_kb: Resident memory in kB, including shared pages.
        command: The command line.
    """

    parent: int
    resident_kb: int
    command: tuple[str, ...]


def processes() -> dict[int, Process]:
    """Return all readable processes by id; skips processes that end meanwhile."""
    found = {}
    for folder in _PROC.iterdir():
        if folder.name.isdecimal():
            try:
                status = (folder / "status").read_text(encoding="utf-8", errors="replace").splitlines()
                arguments = (folder / "cmdline").read_bytes().decode("utf-8", "replace").split("\0")
            except OSError:
                continue
            fields = dict(line.split(":", 1) for line in status if ":" in line)
            resident = fields.get("VmRSS", "0 kB").split()[0]
            found[int(folder.name)] = Process(int(fields["PPid"]), int(resident), tuple(arguments))
    return found


def process_tree(running: Mapping[int, Process], root: int, adb_port: str) -> Iterator[Process]:
    """Yield a process, its descendants, and the adb server on a port."""
    tree = {root}
    while more := {pid for pid, each in running.items() if each.parent in tree and pid not in tree}:
        tree |= more
    for pid, each in running.items():
        arguments = each.command
        server = Path(arguments[0]).name == "adb" and any(word.endswith(f":{adb_port}") for word in arguments)
        if pid in tree or server:
            yield each


@dataclass
class MemoryWatch:
    """Context manager that samples memory twice a second in a thread.

    Attributes:
        peak_mb: Largest sum of resident memory, in MB.
        peak_processes: Largest number of processes.
    """

    peak_mb: float = 0
    peak_processes: int = 0
    _stop: threading.Event = field(default_factory=threading.Event)
    _thread: threading.Thread | None = None

    def sample(self) -> None:
        """Measure the memory once."""
        port = os.environ.get("ANDROID_ADB_SERVER_PORT", _PORT)
        found = list(process_tree(processes(), os.getpid(), port))
        self.peak_mb = max(self.peak_mb, sum(each.resident_kb for each in found) / 1024)
        self.peak_processes = max(self.peak_processes, len(found))

    def _watch(self) -> None:
        while not self._stop.wait(_EVERY_S):
            self.sample()

    def __enter__(self) -> MemoryWatch:
        """Start sampling."""
        self.sample()
        self._thread = threading.Thread(target=self._watch, name="memory", daemon=True)
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop sampling."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join()
