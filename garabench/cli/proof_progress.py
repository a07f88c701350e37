"""Progress of proofs: a bar with the current step on a terminal, otherwise a line per task and per step."""

from __future__ import annotations

from rich import progress as bars
from rich.console import Console
from rich.markup import escape

from garabench.core.progress import Progress
from garabench.proof.findings import Proof
from garabench.proof.step_progress import ProofStep


class ProofProgress:
    """Prints the progress of proofs to a console; a context manager.

    Args:
        console: Receives the output.
        by_step: Whether to print a line per path and per step if the console is not a terminal: a step takes
            seconds on a real device, and is fast on the virtual phones of several proofs at once.
    """

    def __init__(self, console: Console, *, by_step: bool) -> None:
        self._console = console
        self._by_step = by_step
        columns = (
            bars.BarColumn(),
            bars.MofNCompleteColumn(),
            bars.TimeElapsedColumn(),
            bars.TextColumn("{task.description}"),
        )
        self._bar = bars.Progress(*columns, console=console, disable=not console.is_terminal)
        self._bar_task = self._bar.add_task("", total=None)

    def __enter__(self) -> ProofProgress:
        return self  # the bar appears with the first step: cached proofs have none

    def __exit__(self, *error: object) -> None:
        self._bar.stop()

    def step_begins(self, step: ProofStep) -> None:
        """Show the step that begins."""
        self._bar.start()
        text = f"{step.task}: path {step.path} of {step.paths}"
        at_step = f"{text}, step {step.step}"
        self._bar.update(
            self._bar_task,
            total=step.paths,
            completed=step.path - 1,
            description=f"{at_step}: {escape(step.description)}",
        )
        if self._by_step and not self._console.is_terminal:
            self._print(f"{at_step if step.step else text}: {step.description}")

    def task_ended(self, progress: Progress[Proof]) -> None:
        """Print that a task was performed."""
        self._print(f"[{progress.done}/{progress.total}] {progress.result.task}")

    def _print(self, text: str) -> None:
        self._console.print(text, markup=False, highlight=False, soft_wrap=True)
