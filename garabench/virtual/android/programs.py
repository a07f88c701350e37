"""Long-running programs of the shell, such as ``screenrecord``, which ``ps`` lists and signals end."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

FIRST_PID = 5_000


@dataclass(frozen=True, slots=True)
class ShellProgram:
    """A running program.

    Attributes:
        pid: Process id.
        name: Name in the process list.
        stop: Asks it to stop.
        args: Its command line; empty for its name.
        threads: Number of its threads.
    """

    pid: int
    name: str
    stop: Callable[[], None]
    args: str = ""
    threads: int = 1


@dataclass(slots=True)
class ShellPrograms:
    """The running programs of the shell."""

    _running: dict[int, ShellProgram] = field(default_factory=dict)
    _next: int = FIRST_PID

    def begin(
        self,
        name: str,
        stop: Callable[[], None],
        *,
        args: str = "",
        threads: int = 1,
        pid: int | None = None,
    ) -> ShellProgram:
        """Register a program.

        Args:
            name: Name in the process list.
            stop: Asks it to stop.
            args: Its command line; empty for its name.
            threads: Number of its threads.
            pid: Its process id, unless a running program has it; by default the next one.
        """
        if pid is None or pid in self._running:
            pid = self.next_pid()
        program = ShellProgram(pid, name, stop, args, threads)
        self._running[program.pid] = program
        return program

    def next_pid(self) -> int:
        """Return the pid of a program that ends at once."""
        self._next += 1
        return self._next - 1

    def end(self, program: ShellProgram) -> None:
        """Unregister a program, if it is registered."""
        self._running.pop(program.pid, None)

    def list(self) -> tuple[ShellProgram, ...]:
        """Return the running programs by pid."""
        return tuple(self._running.values())
