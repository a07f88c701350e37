"""The plan of a run as a value: which tasks, agents, conditions and seeds, and within which limits."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field, field_validator

CLEAN = "clean"
"""The condition without interruptions."""
CONDITIONS = (CLEAN, "dual", "forced")
MAX_INTERRUPTIONS = 5
"""The highest stress level."""
DECISION_SECONDS = 120.0
"""Time limit of a decision, unless a run sets another."""
START_SECONDS = 300.0
"""Time limit of an agent's start, unless a run sets another: an agent may load a model."""


class Plan(BaseModel):
    """What a run does, as written to its ``run.json``.

    Attributes:
        tasks: Ids, in the order in which they are performed.
        agents: As the person wrote them, see `garabench.agents.agent_name`.
        conditions: Of ``clean``, ``dual``, ``forced``.
        seeds: How often each episode is repeated, each time from another seed.
        seed: The run's seed.
        shuffle: Whether the order of the tasks was drawn from the seed.
        seconds: Time limit of an episode.
        decision_seconds: Time limit of a decision.
        start_seconds: Time limit of an agent's start.
        retries: How often an episode that ended in ``error`` is retried.
        interruptions: How many interruptions an episode is to have, the stress level; None where the rules
            alone decide, which is the default.
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
    retries: int = Field(default=1, ge=0, le=10)
    interruptions: int | None = Field(default=None, ge=1, le=MAX_INTERRUPTIONS)

    @field_validator("conditions")
    @classmethod
    def _check_conditions(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        if not value:
            raise ValueError("a run needs a condition")
        if len(set(value)) != len(value):
            raise ValueError("duplicate condition")
        return value
