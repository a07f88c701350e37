"""Memory of this process, of those that it has started and of the adb server, while something runs."""

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
        parent: The process that has started it.
        resident_kb: Its resident memory, shared pages included.
        command: Its words.
    """

    parent: int
    resident_kb: int
    command: tuple[str, ...]


def processes() -> dict[int, Process]:
    """All processes that can be looked at, by number; those that end meanwhile are left out."""
    found = {}
    for folder in _PROC.iterdir():
        if folder.name.isdecimal():
            try:
                status = (folder / "status").read_text(encoding="utf-8", errors="replace").splitlines()
                words = (folder / "cmdline").read_bytes().decode("utf-8", "replace").split("\0")
            except OSError:
                continue
            fields = dict(line.split(":", 1) for line in status if ":" in line)
            resident = fields.get("VmRSS", "0 kB").split()[0]
            found[int(folder.name)] = Process(int(fields["PPid"]), int(resident), tuple(words))
    return found


def ours(all_of_them: Mapping[int, Process], root: int, adb_port: str) -> Iterator[Process]:
    """A process, all that it and they have started, and the adb server of a port."""
    mine = {root}
    while more := {pid for pid, each in all_of_them.items() if each.parent in mine and pid not in mine}:
        mine |= more
    for pid, each in all_of_them.items():
        words = each.command
        server = Path(words[0]).name == "adb" and any(word.endswith(f":{adb_port}") for word in words)
        if pid in mine or server:
            yield each


@dataclass
class Watch:
    """Looks at the memory twice a second, in a thread of its own, as long as it is entered.

    Attributes:
        most_mb: The largest sum of resident memory that was seen, in megabytes.
        most_processes: The largest number of processes that was seen.
    """

    most_mb: float = 0
    most_processes: int = 0
    _over: threading.Event = field(default_factory=threading.Event)
    _thread: threading.Thread | None = None

    def look(self) -> None:
        """Look once."""
        port = os.environ.get("ANDROID_ADB_SERVER_PORT", _PORT)
        found = list(ours(processes(), os.getpid(), port))
        self.most_mb = max(self.most_mb, sum(each.resident_kb for each in found) / 1024)
        self.most_processes = max(self.most_processes, len(found))

    def _watch(self) -> None:
        while not self._over.wait(_EVERY_S):
            self.look()

    def __enter__(self) -> Watch:
        """Begin."""
        self.look()
        self._thread = threading.Thread(target=self._watch, name="memory", daemon=True)
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End."""
        self._over.set()
        if self._thread is not None:
            self._thread.join()
