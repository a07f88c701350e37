"""Tasks: an instruction, a goal, a reference solution, and variants of it that are right or wrong."""

from __future__ import annotations

import enum
from collections.abc import Iterator, Sequence
from typing import Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from garabench.core.cross_field import CrossFieldCheck, CrossFieldModel, Violation, raise_violations
from garabench.core.expected_effects import IncidentalKind
from garabench.core.goal import GoalUse
from garabench.core.identifiers import KebabId, PackageName, Texts
from garabench.core.selector import ScreenText
from garabench.core.steps import AnswerStep, DeviceStep, GiveUpStep, RotateStep, SolutionStep

INFEASIBLE = "infeasible"
"""The tag of infeasible tasks; only this tag and their own names select them."""


class NearMissKind(enum.StrEnum):
    """The mistake that a near miss makes."""

    WRONG_OBJECT = "wrong-object"
    """The right action on another object: a look-alike, the next one in the list."""
    WRONG_VALUE = "wrong-value"
    """The right object with another value: size, number, date, text."""
    WRONG_GESTURE = "wrong-gesture"
    """Another action on the right object: saved instead of liked."""
    WRONG_PLACE = "wrong-place"
    """The right thing in the wrong place: a comment instead of a message."""
    UNDONE = "undone"
    """Done, then reverted."""
    HALF_DONE = "half-done"
    """Incomplete: typed but not sent, chosen but not confirmed."""
    SKIPPED = "skipped"
    """Reached without a step that the instruction demands."""
    OVERDONE = "overdone"
    """More than the task asks for: all of them, or something in addition."""
    FAKED = "faked"
    """Reported as done although it cannot be done; only for infeasible tasks."""


class SolutionVariant(BaseModel):
    """A variant of the reference solution.

    Attributes:
        name: How it differs from the solution.
        steps: Its steps.
        answer: An answer instead of steps: the steps are the solution's, with this answer.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: KebabId
    steps: tuple[SolutionStep, ...] = ()
    answer: ScreenText | None = None

    @model_validator(mode="after")
    def _one(self) -> Self:
        if bool(self.steps) is (self.answer is not None):
            message = "give either steps or an answer"
            raise_violations(type(self).__name__, [((), message)])
        return self


class NearMiss(SolutionVariant):
    """A wrong but plausible variant, which the goal must reject.

    Attributes:
        kind: The mistake that it makes.
    """

    kind: NearMissKind | None = None


class AlternativeSolution(SolutionVariant):
    """Another correct solution, which the goal must accept."""


class Infeasible(BaseModel):
    """What makes a task infeasible; the correct ending of such a task is to give up.

    Attributes:
        because: Why it cannot be done, by language; for people, never shown to the agent.
        harm: A goal that holds if the agent did something else instead: bought the look-alike, liked the
            nearest one. It must not hold on any screen of the episode; reverting the harm does not count.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    because: Texts = Field(min_length=1)
    harm: GoalUse


class Task(CrossFieldModel):
    """A task and its reference solution.

    Attributes:
        id: Its id.
        instruction: The instruction for the agent, by language; the app's own language comes first.
        goal: The goal and its parameters; for an infeasible task, the screen that shows why.
        earlier: Goals that must have held on earlier screens: the steps that the instruction demands.
        rules: Ids of the rules that may fire in an interrupted episode.
        max_steps: The step limit of an episode.
        min_height_dp: The lowest screen, in density-independent pixels, on which everything that the goal
            names is in view at once; None if no limit is known.
        tags: Tags for selecting tasks.
        setup: Steps that prepare the device before the episode.
        solution: The reference solution, which starts on the app's first screen; empty while nobody has
            recorded one: such a task can be run, but not proven.
        alternatives: Alternative solutions, which end in another state, on another screen or with another
            answer.
        near_misses: Wrong but plausible variants.
        also_meets: Other tasks of the app whose goals also hold after this task's solution.
        infeasible: Why the task cannot be done, and what must not be done instead; None for a feasible task.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: KebabId
    instruction: Texts = Field(min_length=1)
    goal: GoalUse
    earlier: tuple[GoalUse, ...] = ()
    rules: tuple[str, ...] = ()
    max_steps: int = Field(default=15, ge=1, le=200)
    min_height_dp: int | None = Field(default=None, ge=1, le=2000)
    tags: tuple[KebabId, ...] = ()
    setup: tuple[DeviceStep, ...] = ()
    solution: tuple[SolutionStep, ...] = ()
    alternatives: tuple[AlternativeSolution, ...] = ()
    near_misses: tuple[NearMiss, ...] = ()
    also_meets: tuple[KebabId, ...] = ()
    infeasible: Infeasible | None = None

    def instruction_language(self, device_language: str) -> str:
        """Return the language in which an agent gets the instruction: the device's, or else the app's own.

        Args:
            device_language: Language of the device's locale.
        """
        return device_language if device_language in self.instruction else next(iter(self.instruction))

    def cross_field_checks(self) -> tuple[CrossFieldCheck, ...]:
        """Return the checks for feasibility, the step limit and duplicates."""
        return (self._feasibility, self._step_limit, self._agents_cannot_rotate, self._duplicates)

    def _duplicates(self) -> Iterator[Violation]:
        """Find duplicates in the valid fields, even if something is wrong with the others."""
        valid = self.__dict__
        for key, what in (("rules", "rule"), ("also_meets", "task")):
            yield from _repeated(key, (), what, valid.get(key, ()))
        for key, what in (("alternatives", "alternative solution"), ("near_misses", "near miss")):
            yield from _repeated(key, ("name",), what, [variant.name for variant in valid.get(key, ())])

    def _step_limit(self) -> Iterator[Violation]:
        """Check that the solution fits into the step limit."""
        if len(self.solution) > self.max_steps:
            message = f"the solution has {len(self.solution)} steps, more than max_steps {self.max_steps}"
            yield ("max_steps" if "max_steps" in self.model_fields_set else "solution",), message

    def _agents_cannot_rotate(self) -> Iterator[Violation]:
        """Find steps of the solution that no action of an agent corresponds to."""
        for place, step in enumerate(self.solution):
            if isinstance(step, RotateStep):
                message = "rotate is only for alternatives and near misses: agents cannot turn the phone"
                yield ("solution", place), message

    def _feasibility(self) -> Iterator[Violation]:
        """Find contradictions about whether the task can be done."""
        variants: tuple[tuple[str, tuple[SolutionVariant, ...]], ...] = (
            ("alternatives", self.alternatives),
            ("near_misses", self.near_misses),
        )
        last_step = self.solution[-1] if self.solution else None
        for key, listed in variants:
            for place, variant in enumerate(listed):
                if variant.answer is not None and not isinstance(last_step, AnswerStep):
                    message = "answer is not allowed here: the solution does not end with an answer"
                    yield (key, place, "answer"), message
        paths = (
            self.solution,
            *(variant.steps for _, listed in variants for variant in listed if variant.steps),
        )
        given_up = [isinstance(step, GiveUpStep) for path in paths for step in path[:-1]]
        last = [bool(path) and isinstance(path[-1], GiveUpStep) for path in paths]
        tags: tuple[str, ...] = ("tags",) if self.tags else ()
        if self.infeasible is not None and INFEASIBLE not in self.tags:
            yield tags, f"an infeasible task needs the tag {INFEASIBLE!r}"
        if any(given_up):
            yield ("solution",), "give_up must be the last step"
        if self.infeasible is None:
            if INFEASIBLE in self.tags:
                yield (
                    tags,
                    f"the tag {INFEASIBLE!r} is only for tasks with infeasible:",
                )
            if any(last):
                yield ("solution",), "give_up is only for tasks with infeasible:"
            if any(miss.kind is NearMissKind.FAKED for miss in self.near_misses):
                yield ("near_misses",), "kind faked is only for tasks with infeasible:"
            return
        if not last[0]:
            yield ("solution",), "the solution of an infeasible task must end with give_up"
        for place, alternative in enumerate(self.alternatives):
            if alternative.steps and not isinstance(alternative.steps[-1], GiveUpStep):
                yield (
                    ("alternatives", place),
                    "each alternative solution of an infeasible task must end with give_up",
                )


def _repeated(key: str, within: tuple[str, ...], what: str, names: Sequence[str]) -> Iterator[Violation]:
    """Find the names that occur earlier in the list."""
    for place, name in enumerate(names):
        if name in names[:place]:
            yield (key, place, *within), f"duplicate {what} {name!r}"


class TaskFile(BaseModel):
    """A file with the tasks of one app.

    Attributes:
        app: The app's package.
        incidental: Kinds of records that any use of the app changes; they are not side effects.
        tasks: The tasks.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    app: PackageName
    incidental: tuple[IncidentalKind, ...] = ()
    tasks: tuple[Task, ...] = Field(min_length=1)
