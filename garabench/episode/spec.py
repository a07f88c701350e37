"""What an episode is: one agent, one task, one condition, one seed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from garabench.agents.setting import DECISION_SECONDS, START_SECONDS
from garabench.core.goal import Goal
from garabench.core.interruption import Interruption, Mode, SystemInterruption
from garabench.core.task import Task
from garabench.episode.machine import Limits
from garabench.rules.engine import BoundRule

CLEAN = "clean"
MORE_STEPS = 3
"""To leave an interruption and come back from where that leads, beside doing the solution over again."""


@dataclass(frozen=True, slots=True)
class EpisodeSpec:
    """An episode to perform.

    Attributes:
        task, app, goal: The task, its package, its goal.
        harm: What must never hold, of a task that cannot be done; None where it can.
        rules: Which rules may fire; none under ``clean``.
        interruptions: The library.
        agent: The agent's name, as in tables and paths.
        agent_text: The agent as the plan names it; its name unless given.
        decision_seconds: How long the agent may take for a decision.
        start_seconds: How long it may take to get ready.
        condition: ``clean``, ``dual`` or ``forced``.
        seed: The run's seed for this repetition.
        suite_hash: Of the suite's files.
        seconds: Time limit.
        anomalies: The library's interruptions by the system itself.
        wanted: How many interruptions are asked for; None where the rules alone decide.
        further: Rules that may fire too, once one of `rules` has, until so many were shown.
    """

    task: Task
    app: str
    goal: Goal
    rules: tuple[BoundRule, ...]
    interruptions: dict[str, Interruption]
    agent: str
    condition: str
    seed: int
    suite_hash: str
    seconds: float = 600
    agent_text: str = ""
    decision_seconds: float = DECISION_SECONDS
    start_seconds: float = START_SECONDS
    harm: Goal | None = None
    anomalies: Mapping[str, SystemInterruption] = field(default_factory=dict)
    wanted: int | None = None
    further: tuple[BoundRule, ...] = ()

    @property
    def agent_named(self) -> str:
        """The agent as `garabench.agents.registry.resolve` finds it."""
        return self.agent_text or self.agent

    @property
    def mode(self) -> Mode | None:
        """How interruptions are shown; None under ``clean``."""
        return None if self.condition == CLEAN else Mode(self.condition)

    @property
    def limits(self) -> Limits:
        """When it ends by itself.

        The task's limit of steps allows for the interruptions of its own rules. Where more are asked for,
        each that comes beside them is given the steps to leave it, and to begin again where it ended the app.
        """
        if self.wanted is None:
            return Limits(self.task.max_steps, self.seconds)
        usual = sum(len(bound.rule.inject) for bound in self.rules)
        return Limits(self.task.max_steps, self.seconds, usual, len(self.task.solution) + MORE_STEPS)

    @property
    def name(self) -> str:
        """What tells it from the run's others, without the agent: what a rule's draw depends on."""
        return f"{self.task.id}/{self.condition}/{self.seed}"

    @property
    def folder(self) -> PurePosixPath:
        """Its place within the run's folder; every part is a checked id."""
        return PurePosixPath("episodes", self.task.id, self.agent, self.condition, str(self.seed))
