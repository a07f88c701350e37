"""Progress of a run: a live table of its devices on a terminal, otherwise a line per 10%."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from rich import progress as bars
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.text import Text

from garabench.campaign.live_state import LiveState, after
from garabench.cli.live_table import device_table, duration, progress_line
from garabench.cli.runs_watch import event_lines
from garabench.core.campaign_events import CampaignEvent, DevicePaused, DeviceRetired, TaskBudgetSpent
from garabench.core.clock import Clock
from garabench.core.progress import Progress
from garabench.records.results import Summary

_LINES = 10
"""Progress lines after the first one."""


class ProgressLines:
    """Progress lines for output that is not a terminal.

    Args:
        clock: Measures the elapsed time, from which the remaining time is estimated.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._start = clock.monotonic()
        self._first = 0
        self._printed = -1

    def after(self, done: int, total: int) -> str:
        """Return the line to print after an episode; empty if none is due.

        Args:
            done: Number of ended episodes, including those that ended before the run was resumed.
            total: Number of planned episodes.
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
        return f"about {duration(seconds)} left"


class RunProgress:
    """Prints the progress of a run to a console; a context manager.

    Args:
        console: Receives the output.
        clock: Measures the elapsed time if the console is not a terminal.
        print_episodes: Whether to print a line per episode.
        shows_table: Whether to draw the table if the console is a terminal.
    """

    def __init__(
        self, console: Console, clock: Clock, *, print_episodes: bool = False, shows_table: bool = True
    ) -> None:
        self._console = console
        self._print_episodes = print_episodes
        self._shows_table = shows_table and console.is_terminal
        self._lines = ProgressLines(clock)
        self._clock = clock
        self._state = LiveState()
        columns = (bars.TextColumn("{task.description}"), bars.BarColumn(), bars.MofNCompleteColumn())
        self._bar = bars.Progress(*columns, console=console)
        self._bar_task = self._bar.add_task("starting", total=None)
        # The table is drawn twice a second, since it shows how long each device has been at its episode.
        self._live = Live(console=console, get_renderable=self._render, refresh_per_second=2, transient=True)

    def _render(self) -> RenderableType:
        state = self._state
        return Group(self._bar, Text(progress_line(state)), device_table(state, self._clock.now()))

    @property
    def state(self) -> LiveState:
        """The present state of the run."""
        return self._state

    def __enter__(self) -> RunProgress:
        self._start()
        return self

    def __exit__(self, *error: object) -> None:
        self._live.stop()

    def _start(self) -> None:
        if self._shows_table:
            self._live.start()

    def event(self, event: CampaignEvent) -> None:
        """Process an event of the campaign; print measures of device recovery, since they need attention."""
        self._state = after(self._state, event)
        if isinstance(event, DevicePaused | DeviceRetired | TaskBudgetSpent):
            for line in event_lines(event):
                self.message(line)

    @contextlib.contextmanager
    def paused(self) -> Iterator[None]:
        """Hide the bar, so that the user can be asked something."""
        self._live.stop()
        try:
            yield
        finally:
            self._start()

    def message(self, text: str) -> None:
        """Print a message."""
        self._console.print(text, markup=False, highlight=False, soft_wrap=True)

    def episode_ended(self, progress: Progress[Summary]) -> None:
        """Print that an episode has ended."""
        summary = progress.result
        self._bar.update(
            self._bar_task, total=progress.total, completed=progress.done, description=summary.task
        )
        if self._print_episodes:
            name = f"{progress.done}/{progress.total} {summary.task} {summary.agent} {summary.condition}"
            self.message(f"{name}: {summary.known_outcome} ({summary.reason}, {summary.steps} steps)")
        elif not self._shows_table and (line := self._lines.after(progress.done, progress.total)):
            self.message(line)
