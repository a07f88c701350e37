"""The plan of a run: its tasks, agents, conditions, seeds and limits."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field, field_validator

from garabench.core.end_criterion import EndCriterion

CLEAN = "clean"
"""The condition without interruptions."""
CONDITIONS = (CLEAN, "dual", "forced")
MAX_INTERRUPTIONS = 5
"""The highest stress level."""
DECISION_SECONDS = 120.0
"""Default time limit of a decision."""
START_SECONDS = 300.0
"""Default time limit of an agent's start; an agent may load a model."""

RETRIES = 2
"""Default maximum number of repetitions of an episode that ended in ``error``."""


class Plan(BaseModel):
    """The plan of a run, as stored in its ``run.json``.

    Attributes:
        tasks: Ids of the tasks, in the order of execution.
        agents: The agents as the user wrote them, see `garabench.agents.agent_name`.
        conditions: One or more of ``clean``, ``dual`` and ``forced``.
        seeds: Number of repetitions of each episode, each with its own seed.
        seed: The run's seed.
        shuffle: Whether the tasks were shuffled by the seed.
        seconds: Time limit of an episode.
        decision_seconds: Time limit of a decision.
        start_seconds: Time limit of an agent's start.
        retries: Maximum number of retries of an episode that ended in ``error``.
        interruptions: The stress level: requested number of interruptions per episode; None if the rules
            alone decide.
        end: When an episode ends.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    tasks: tuple[str, ...] = Field(min_length=1)
    agents: tuple[str, ...] = Field(min_length=1)
    conditions: tuple[str, ...] = CONDITIONS
    seeds: int = Field(default=1, ge=1, le=1000)
    seed: int = 0
    shuffle: bool = False
    seconds: float = Field(default=600, gt=0)
    decision_seconds: float = Field(default=DECISION_SECONDS, gt=0)
    start_seconds: float = Field(default=START_SECONDS, gt=0)
    retries: int = Field(default=RETRIES, ge=0, le=10)
    interruptions: int | None = Field(default=None, ge=1, le=MAX_INTERRUPTIONS)
    end: EndCriterion = EndCriterion.GOAL

    @field_validator("conditions")
    @classmethod
    def _check_conditions(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        if not value:
            raise ValueError("a run needs a condition")
        if len(set(value)) != len(value):
            raise ValueError("duplicate condition")
        return value
