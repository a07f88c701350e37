"""Progress of a run: a bar with the remaining time on a terminal, a line per 10 % otherwise."""

from __future__ import annotations

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from garabench.campaign import executor
from garabench.core.clock import Clock

_LINES = 10
"""Progress lines after the first one."""


class ProgressLines:
    """Decides after which episodes a line is printed where there is no terminal, and words it.

    Args:
        clock: For the remaining time.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._start = clock.monotonic()
        self._first = 0
        self._printed = -1

    def after(self, done: int, total: int) -> str:
        """Return the line to print after an episode; empty if none is due.

        Args:
            done: Episodes that have ended, including those of an earlier run that is resumed.
            total: Episodes of the plan.
        """
        if self._printed < 0:
            self._first = done - 1
        tenths = done * _LINES // total
        if tenths == self._printed:
            return ""
        self._printed = tenths
        text = f"{done / total:4.0%}  {done}/{total} episodes"
        return f"{text}, {self._remaining(done, total)}" if done < total else text

    def _remaining(self, done: int, total: int) -> str:
        elapsed = self._clock.monotonic() - self._start
        seconds = elapsed / (done - self._first) * (total - done)
        if seconds < 90:
            return f"about {seconds:.0f} s left"
        return (
            f"about {seconds / 60:.0f} min left" if seconds < 5400 else f"about {seconds / 3600:.1f} h left"
        )


class RunProgress:
    """Prints the progress of a run to a console; a context manager.

    Args:
        console: Where to print.
        clock: For the remaining time where there is no terminal.
        verbose: Whether to print each episode, too.
    """

    def __init__(self, console: Console, clock: Clock, *, verbose: bool = False) -> None:
        self._console = console
        self._verbose = verbose
        self._lines = ProgressLines(clock)
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        self._bar = Progress(*columns, console=console, disable=not console.is_terminal)
        self._job = self._bar.add_task("starting", total=None)

    def __enter__(self) -> RunProgress:
        self._bar.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._bar.stop()

    def message(self, text: str) -> None:
        """Print a message."""
        self._console.print(text, markup=False, highlight=False, soft_wrap=True)

    def episode_ended(self, progress: executor.Progress) -> None:
        """Print that an episode has ended."""
        s = progress.summary
        self._bar.update(self._job, total=progress.total, completed=progress.done, description=s.task)
        if self._verbose:
            name = f"{progress.done}/{progress.total} {s.task} {s.agent} {s.condition}"
            self.message(f"{name}: {s.outcome} ({s.reason}, {s.steps} steps)")
        elif not self._console.is_terminal and (line := self._lines.after(progress.done, progress.total)):
            self.message(line)
