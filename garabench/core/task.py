"""Tasks: an instruction, an app, a goal, a reference solution."""

from __future__ import annotations

import enum

from pydantic import BaseModel, ConfigDict, Field, model_validator

from garabench.core.goal import GoalUse
from garabench.core.names import KebabId, PackageName, Texts
from garabench.core.steps import DeviceStep, SolutionStep


class MissKind(enum.StrEnum):
    """By which mistake a near miss misses."""

    WRONG_OBJECT = "wrong-object"
    """The right thing was done to another object: a look-alike, the next one in the list."""
    WRONG_VALUE = "wrong-value"
    """The right object got another value: size, number, date, text."""
    WRONG_GESTURE = "wrong-gesture"
    """Something else was done to the right object: kept instead of liked."""
    WRONG_PLACE = "wrong-place"
    """The right thing was done or shown in the wrong place: as a comment instead of a message."""
    UNDONE = "undone"
    """It was done and taken back."""
    HALF_DONE = "half-done"
    """A part is missing: typed and not sent, chosen and not confirmed."""
    OVERDONE = "overdone"
    """More was done than was asked for: all of them, or something besides."""


class NearMiss(BaseModel):
    """A wrong but plausible way that the goal has to reject.

    Attributes:
        name: What is wrong about it.
        kind: By which mistake it misses.
        steps: The way, as in a solution.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: KebabId
    kind: MissKind | None = None
    steps: tuple[SolutionStep, ...] = Field(min_length=1)


class Task(BaseModel):
    """A task.

    Attributes:
        id: Its name.
        instruction: What the agent is told, by language; the app's language comes first.
        goal: The goal and its parameters.
        rules: Which rules may fire in an interrupted episode.
        max_steps: Limit of an episode's steps.
        tags: For selecting.
        setup: Device state to establish before the episode.
        solution: The reference solution, which starts on the app's first screen.
        near_misses: Wrong but plausible ways.
        also_meets: Other tasks of the app whose goals hold at the end of this one's solution, too.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: KebabId
    instruction: Texts = Field(min_length=1)
    goal: GoalUse
    rules: tuple[str, ...] = ()
    max_steps: int = Field(default=15, ge=1, le=200)
    tags: tuple[KebabId, ...] = ()
    setup: tuple[DeviceStep, ...] = ()
    solution: tuple[SolutionStep, ...] = Field(min_length=1)
    near_misses: tuple[NearMiss, ...] = ()
    also_meets: tuple[KebabId, ...] = ()

    @model_validator(mode="after")
    def _fits(self) -> Task:
        if len(self.solution) > self.max_steps:
            raise ValueError(
                f"the solution has {len(self.solution)} steps, more than max_steps {self.max_steps}"
            )
        return self


class TaskFile(BaseModel):
    """A file of tasks of one app."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    app: PackageName
    tasks: tuple[Task, ...] = Field(min_length=1)
