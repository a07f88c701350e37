"""Instructions and apps of tasks, and the suite in which they are defined, loaded on first use."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from pathlib import Path

from garabench.errors import InputError
from garabench.suite.suite import Suite, SuiteTask


class TaskTexts:
    """A suite, for what the record of a run does not contain. Its methods may be called from several threads.

    Attributes:
        problem: Why the suite could not be loaded; empty if it could.
    """

    def __init__(self, root: Path | None = None) -> None:
        """Prepare; nothing is read.

        Args:
            root: The suite's folder; default: the bundled suite.
        """
        self._root = root
        self._lock = threading.Lock()
        self._suite: Suite | None = None
        self.problem = ""

    @property
    def suite(self) -> Suite | None:
        """The suite; None if it could not be loaded."""
        with self._lock:
            if self._suite is None and not self.problem:
                try:
                    self._suite = Suite.load(self._root)
                except InputError as error:
                    self.problem = str(error)
            return self._suite

    def task(self, task: str) -> SuiteTask | None:
        """Return a task of the suite; None if it has none of this id."""
        suite = self.suite
        return None if suite is None else suite.tasks.get(task) or suite.infeasible.get(task)

    def app(self, task: str) -> str:
        """Return the short name of a task's app; the first word of the id of an unknown task."""
        found = self.task(task)
        return task.partition("-")[0] if found is None else found.group

    def data(self, tasks: Iterable[str]) -> dict[str, str]:
        """Return the instructions of tasks in all languages, by id; unknown tasks are left out."""
        found = ((task, self.task(task)) for task in sorted(tasks))
        return {task: " / ".join(item.task.instruction.values()) for task, item in found if item is not None}
