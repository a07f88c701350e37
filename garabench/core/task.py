"""Tasks: an instruction, an app, a goal, a reference solution."""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from garabench.core.goal import GoalUse
from garabench.core.misfits import Fitting, Misfit, refuse
from garabench.core.names import KebabId, PackageName, Texts
from garabench.core.selector import ScreenText
from garabench.core.steps import AnswerStep, DeviceStep, GiveUpStep, SolutionStep

INFEASIBLE = "infeasible"
"""The tag of the tasks that cannot be done, which no other selector but their names selects."""


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
    FAKED = "faked"
    """It is called done though it cannot be done: only of tasks that cannot."""


class WayBeside(BaseModel):
    """A way beside the solution.

    Attributes:
        name: What is different about it.
        steps: The way, as in a solution.
        answer: Instead of steps: the solution with another answer.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: KebabId
    steps: tuple[SolutionStep, ...] = ()
    answer: ScreenText | None = None

    @model_validator(mode="after")
    def _one(self) -> Self:
        if bool(self.steps) is (self.answer is not None):
            said = "a way beside the solution has either steps or another answer"
            refuse(type(self).__name__, [((), said)])
        return self


class NearMiss(WayBeside):
    """A wrong but plausible way that the goal has to reject.

    Attributes:
        kind: By which mistake it misses.
    """

    kind: MissKind | None = None


class OtherWay(WayBeside):
    """Another right way, which the goal has to accept."""


class Infeasible(BaseModel):
    """That a task cannot be done as it is asked, so that the right ending is to say so.

    Attributes:
        because: Why not, by language: for people, never for the agent.
        harm: The goal that holds when something was done all the same: the look-alike was bought, the nearest
            one was liked. It must hold on no screen of the episode: what was done is not undone by taking it
            back.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    because: Texts = Field(min_length=1)
    harm: GoalUse


class Task(Fitting):
    """A task.

    Attributes:
        id: Its name.
        instruction: What the agent is told, by language; the app's language comes first.
        goal: The goal and its parameters; of a task that cannot be done, the screen that shows it.
        rules: Which rules may fire in an interrupted episode.
        max_steps: Limit of an episode's steps.
        tags: For selecting.
        setup: Device state to establish before the episode.
        solution: The reference solution, which starts on the app's first screen.
        other_ways: Other right ways, which end in another state, on another screen or with another answer.
        near_misses: Wrong but plausible ways.
        also_meets: Other tasks of the app whose goals hold at the end of this one's solution, too.
        infeasible: That it cannot be done, and what must not be done instead; None where it can.
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
    other_ways: tuple[OtherWay, ...] = ()
    near_misses: tuple[NearMiss, ...] = ()
    also_meets: tuple[KebabId, ...] = ()
    infeasible: Infeasible | None = None

    def misfits(self) -> tuple[Callable[[], Iterable[Misfit]], ...]:
        """What does not fit with whether it can be done, a limit that is too low, and what stands twice."""
        return (self._misfits, self._too_long, self._twice)

    def _twice(self) -> Iterator[Misfit]:
        """What is named twice; of what is in order, whatever else is not."""
        has = self.__dict__
        for key, what in (("rules", "rule"), ("also_meets", "task")):
            yield from _repeated(key, (), what, has.get(key, ()))
        for key, what in (("other_ways", "other way"), ("near_misses", "near miss")):
            yield from _repeated(key, ("name",), what, [way.name for way in has.get(key, ())])

    def _too_long(self) -> Iterator[Misfit]:
        """A solution of more steps than the episode has."""
        if len(self.solution) > self.max_steps:
            said = f"the solution has {len(self.solution)} steps, more than max_steps {self.max_steps}"
            yield ("max_steps" if "max_steps" in self.model_fields_set else "solution",), said

    def _misfits(self) -> Iterator[Misfit]:
        """Where it is not clear whether it can be done."""
        beside: tuple[tuple[str, tuple[WayBeside, ...]], ...] = (
            ("other_ways", self.other_ways),
            ("near_misses", self.near_misses),
        )
        for key, listed in beside:
            for place, way in enumerate(listed):
                if way.answer is not None and not isinstance(self.solution[-1], AnswerStep):
                    said = "there is no other answer: the solution does not end with one"
                    yield (key, place, "answer"), said
        ways = (self.solution, *(way.steps for _, listed in beside for way in listed if way.steps))
        given_up = [isinstance(step, GiveUpStep) for way in ways for step in way[:-1]]
        last = [isinstance(way[-1], GiveUpStep) for way in ways]
        tags: tuple[str, ...] = ("tags",) if self.tags else ()
        if self.infeasible is not None and INFEASIBLE not in self.tags:
            yield tags, f"a task that cannot be done has the tag {INFEASIBLE!r}"
        if any(given_up):
            yield ("solution",), "give_up ends the task: it is the last step"
        if self.infeasible is None:
            if INFEASIBLE in self.tags:
                yield (
                    tags,
                    f"the tag {INFEASIBLE!r} is of tasks that say infeasible: why, and what harm would be",
                )
            if any(last):
                yield ("solution",), "give_up is a step of tasks that cannot be done: those with infeasible"
            if any(miss.kind is MissKind.FAKED for miss in self.near_misses):
                yield ("near_misses",), "what can be done is not faked: that kind is of tasks with infeasible"
            return
        if not last[0]:
            yield ("solution",), "the solution of a task that cannot be done ends with give_up"
        for place, way in enumerate(self.other_ways):
            if way.steps and not isinstance(way.steps[-1], GiveUpStep):
                yield ("other_ways", place), "each right way of a task that cannot be done ends with give_up"


def _repeated(key: str, within: tuple[str, ...], what: str, names: Sequence[str]) -> Iterator[Misfit]:
    """Each name in a list that stands before it, too."""
    for place, name in enumerate(names):
        if name in names[:place]:
            yield (key, place, *within), f"the {what} {name!r} stands twice"


class TaskFile(BaseModel):
    """A file of tasks of one app."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    app: PackageName
    tasks: tuple[Task, ...] = Field(min_length=1)
