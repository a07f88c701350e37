"""Programs of the shell that run for a while, such as ``screenrecord``: listed, and ended by a signal."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

FIRST_PID = 5_000


@dataclass(frozen=True, slots=True)
class Program:
    """A running program.

    Attributes:
        pid: Its process.
        name: As in the list of processes.
        stop: Asks it to end.
    """

    pid: int
    name: str
    stop: Callable[[], None]


@dataclass(slots=True)
class Programs:
    """The running programs of the shell."""

    _running: dict[int, Program] = field(default_factory=dict)
    _next: int = FIRST_PID

    def begin(self, name: str, stop: Callable[[], None]) -> Program:
        """Note that a program runs."""
        program = Program(self._next, name, stop)
        self._running[program.pid] = program
        self._next += 1
        return program

    def end(self, program: Program) -> None:
        """Note that it has ended; harmless when that is known."""
        self._running.pop(program.pid, None)

    def list(self) -> tuple[Program, ...]:
        """Those that run, in the order of their pids."""
        return tuple(self._running.values())
