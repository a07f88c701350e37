"""The agents of a recorded run, each resolved once and then carried as a value."""

from __future__ import annotations

import threading

from garabench.agents.registry import resolve
from garabench.agents.spec import AgentSpec
from garabench.errors import InputError
from garabench.records.reader import Run


class RecordedAgents:
    """The agents of a run by name, for any number of threads.

    An agent is resolved when it is first needed: what it needs, such as a module, may be missing where
    only the records of other agents are used.
    """

    def __init__(self, run: Run) -> None:
        """Resolve nothing yet.

        Args:
            run: The run.
        """
        self._run = run
        self._specs: dict[str, AgentSpec] = {}
        self._lock = threading.Lock()

    def spec(self, name: str) -> AgentSpec:
        """Return the agent of this name.

        Raises:
            InputError: The run has no such agent, or it is unusable here.
        """
        with self._lock:
            if name not in self._specs:
                recorded = self._run.file.agent(name)
                if recorded is None:
                    raise InputError(f"{self._run.folder} has no agent {name!r}")
                self._specs[name] = resolve(recorded.text)
            return self._specs[name]
