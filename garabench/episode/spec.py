"""The specification of an episode: one agent, one task, one condition, one seed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from garabench.core.end_criterion import EndCriterion
from garabench.core.expected_effects import NO_EXPECTATION, EffectExpectation
from garabench.core.goal import Goal
from garabench.core.interruption import Interruption, Mode, SystemInterruption
from garabench.core.rule import BoundRule
from garabench.core.task import Task
from garabench.episode.machine import EpisodeLimits
from garabench.records.plan import CLEAN, DECISION_SECONDS, START_SECONDS
from garabench.records.run_layout import EpisodeKey

RETURN_STEPS = 3
"""Steps allowed to leave an interruption and return to the app, before the solution is repeated."""


@dataclass(frozen=True, slots=True)
class EpisodeSpec:
    """An episode to perform.

    Attributes:
        task, app, goal: The task, its app's package, its goal.
        harm: The condition that must never hold; None for a feasible task.
        rules: The rules that may fire; empty under ``clean``.
        interruptions: The library of interruptions.
        agent: The agent's name, as in tables and paths.
        decision_seconds: Time limit of a decision.
        start_seconds: Time limit of the agent's start.
        condition: ``clean``, ``dual`` or ``forced``.
        seed: The run's seed for this repetition.
        suite_hash: Hash of the suite's files.
        seconds: Time limit of the episode.
        anomalies: The library's system anomalies.
        stress_level: Requested number of interruptions; None if the rules alone decide.
        additional_rules: Rules that may fire once one of `rules` has, until that number is reached.
        end: When the episode ends.
        effects: What the task may change.
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
    decision_seconds: float = DECISION_SECONDS
    start_seconds: float = START_SECONDS
    harm: Goal | None = None
    anomalies: Mapping[str, SystemInterruption] = field(default_factory=dict)
    stress_level: int | None = None
    additional_rules: tuple[BoundRule, ...] = ()
    end: EndCriterion = EndCriterion.GOAL
    effects: EffectExpectation = NO_EXPECTATION

    @property
    def key(self) -> EpisodeKey:
        """The key that identifies it within its run."""
        return EpisodeKey(self.task.id, self.agent, self.condition, self.seed)

    @property
    def mode(self) -> Mode | None:
        """The mode of interruptions; None under ``clean``."""
        return None if self.condition == CLEAN else Mode(self.condition)

    @property
    def limits(self) -> EpisodeLimits:
        """The step and time limits.

        The task's step limit allows for the interruptions of its own rules. Each additional interruption adds
        the steps to leave it and to repeat the solution, since it may have closed the app.
        """
        if self.stress_level is None:
            return EpisodeLimits(self.task.max_steps, self.seconds)
        expected = sum(len(bound.rule.inject) for bound in self.rules)
        extra = len(self.task.solution) + RETURN_STEPS
        return EpisodeLimits(self.task.max_steps, self.seconds, expected, extra)

    @property
    def name(self) -> str:
        """Name within the run without the agent, from which the random draws of the rules are seeded."""
        return f"{self.task.id}/{self.condition}/{self.seed}"

    @property
    def folder(self) -> PurePosixPath:
        """Its folder, relative to the run's."""
        return self.key.folder
