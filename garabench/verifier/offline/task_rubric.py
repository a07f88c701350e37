"""The rubric of a task, from its typed goal and its reference solution alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from garabench.core import steps
from garabench.core.selector import Selector, normalize
from garabench.core.step_planner import target_of
from garabench.core.steps import SolutionStep
from garabench.suite.suite import SuiteTask
from garabench.verifier.offline.expectations import (
    ExpectationKind,
    GoalExpectation,
    GoalExpectations,
    expectations_of,
)
from garabench.verifier.offline.selector_words import selector_words
from garabench.verifier.rubric import Criterion, Rubric

STEP_POINTS = 8.0
"""Points for each step of the solution. A side effect costs one point, as the least published penalty, so
that it does not hide how far the agent got."""
RESULT_SHARE = 0.05
"""Points for the result, as a share of those for the steps: the process score says how far the agent got, and
the outcome whether it arrived."""
STEP_DESCRIPTION = (
    "A step of the reference solution, in its order. Another route to the result counts as well."
)
EXPECTATION_DESCRIPTION = "What the last screen that says something about it shows, and no other object."
_CONNECTING = (steps.BackStep, steps.HomeStep, steps.ScrollStep, steps.SwipeStep, steps.WaitForStep)
"""Steps that only lead to the next one; they have no separate criterion."""


@dataclass(frozen=True, slots=True)
class Milestone:
    """A step of the reference solution that has a criterion.

    Attributes:
        number: Its index in the solution.
        step: The step.
        text: What it does, in words.
    """

    number: int
    step: SolutionStep
    text: str


@dataclass(frozen=True, slots=True)
class TaskRubric:
    """What the judge looks for in an episode of a task.

    Attributes:
        task: The task's id.
        app: The package of its app.
        milestones: The steps of the solution with a criterion, in order.
        expectations: What must be seen.
        harm: What must not be seen, for an infeasible task.
        infeasible: Whether the task cannot be done, so that giving up is right.
        effectful: Whether the task changes the data of an app; one that only opens or answers does not.
        places: The packages in which the solution acts.
        switches: The controls by which the solution changes what no screen of the app shows.
        rubric: The criteria: those of the milestones, then those of the expectations.
    """

    task: str
    app: str
    milestones: tuple[Milestone, ...]
    expectations: GoalExpectations
    harm: GoalExpectations | None
    infeasible: bool
    effectful: bool
    places: frozenset[str]
    switches: tuple[Selector, ...]
    rubric: Rubric

    def expectation_criterion(self, expectation: int) -> int:
        """Return the index of an expectation's criterion."""
        return len(self.milestones) + expectation


def make_rubric(item: SuiteTask, instruction: str) -> TaskRubric:
    """Make the rubric of a task.

    Args:
        item: The task.
        instruction: The instruction as the agent got it, whose words the criteria cite.
    """
    task = item.task
    milestones = tuple(
        Milestone(number, step, describe_step(step))
        for number, step in enumerate(task.solution)
        if not isinstance(step, _CONNECTING)
    )
    expectations = expectations_of(item.goal.condition, _names(task.goal.with_.values()))
    criteria = [
        Criterion(
            criterion=milestone.text,
            description=STEP_DESCRIPTION,
            max_points=STEP_POINTS,
            cites=_cites(instruction, tuple(_texts_of_step(milestone.step))),
        )
        for milestone in milestones
    ]
    points = RESULT_SHARE * STEP_POINTS * max(1, len(milestones))
    common = expectations.common
    longest = max((len(branch) for branch in expectations.branches), default=1)
    for number, expectation in enumerate(expectations.items):
        criteria.append(
            Criterion(
                criterion=expectation.text,
                description=EXPECTATION_DESCRIPTION,
                max_points=round(points / max(1, longest), 4),
                condition="" if number in common else _alternative(expectations, number),
                cites=_cites(instruction, _texts_of_expectation(expectation)),
            )
        )
    return TaskRubric(
        task=task.id,
        app=item.app,
        milestones=milestones,
        expectations=expectations,
        harm=None if item.harm is None else expectations_of(item.harm.condition),
        infeasible=task.infeasible is not None,
        effectful=any(item.effects.variants or ()),
        places=frozenset(
            {item.app, *(step.open_app for step in task.solution if isinstance(step, steps.OpenAppStep))}
        ),
        switches=tuple(_foreign_switches(task.solution, item.app)) if _needs_device(expectations) else (),
        rubric=Rubric(items=tuple(criteria)),
    )


def _names(values: Iterable[object]) -> tuple[str, ...]:
    """Return the parameters of a goal that name an object: texts, but no numbers and single letters."""
    texts = (str(value) for value in values)
    return tuple(text for text in texts if len(text) > 1 and not text.isdigit())


def _needs_device(expectations: GoalExpectations) -> bool:
    return any(expectation.kind is ExpectationKind.DEVICE for expectation in expectations.items)


def _foreign_switches(solution: Sequence[SolutionStep], app: str) -> Iterator[Selector]:
    """Yield the last control that the solution presses in each other app before it returns."""
    place, last = app, None
    for step in solution:
        if isinstance(step, steps.OpenAppStep):
            if place != app and last is not None:
                yield last
            place, last = step.open_app, None
        elif place != app and (target := target_of(step)) is not None and isinstance(step, steps.TapStep):
            last = target
    if place != app and last is not None:
        yield last


def _alternative(expectations: GoalExpectations, number: int) -> str:
    """Return the condition of an expectation that only some alternatives need."""
    using = [str(at) for at, branch in enumerate(expectations.branches, start=1) if number in branch]
    return f"The result is shown by alternative {' or '.join(using[:5])} of {len(expectations.branches)}"


def describe_step(step: SolutionStep) -> str:
    """Return what a step of a solution does, in words."""
    match step:
        case steps.TypeStep():
            return f"Type {step.type.text!r}" + (" and submit it" if step.type.submit else "")
        case steps.AnswerStep():
            return f"Answer {step.answer!r}"
        case steps.GiveUpStep():
            return "Report that the task cannot be done"
        case steps.OpenAppStep():
            return f"Open {step.open_app}"
        case steps.KeyStep():
            return f"Press the key {step.key}"
        case steps.LongPressStep():
            return f"Long-press {selector_words(step.long_press)}"
        case steps.DoubleTapStep():
            return f"Double-tap {selector_words(step.double_tap)}"
        case steps.TapStep():
            return f"Press {selector_words(step.tap)}"
        case _:
            return type(step).__name__.removesuffix("Step").lower()


def _cites(instruction: str, texts: Sequence[str]) -> tuple[str, ...]:
    """Return the words of the instruction that a criterion rests on: its texts, or else the whole."""
    plain = "".join(instruction.casefold().split())
    found = [text for text in texts if (short := "".join(text.casefold().split())) and short in plain]
    return tuple(dict.fromkeys(found)) or (instruction,)


def _texts_of_step(step: SolutionStep) -> Iterator[str]:
    if isinstance(step, steps.TypeStep):
        yield step.type.text
        return
    if isinstance(step, steps.AnswerStep):
        return
    if (target := target_of(step)) is not None:
        yield from selector_texts(target)


def _texts_of_expectation(expectation: GoalExpectation) -> tuple[str, ...]:
    selectors = [
        value for value in _values(expectation.part.model_dump(exclude_none=True)) if isinstance(value, str)
    ]
    return tuple(text for text in selectors if len(text) > 1)


def _values(data: object) -> Iterator[object]:
    if isinstance(data, dict):
        for value in data.values():
            yield from _values(value)
    elif isinstance(data, list | tuple):
        for value in data:
            yield from _values(value)
    else:
        yield data


def selector_texts(selector: Selector) -> Iterator[str]:
    """Yield the texts that a selector names, those of related elements included."""
    for text in (selector.text, selector.text_contains, selector.desc, selector.desc_contains, selector.near):
        if text:
            yield normalize(text)
    for related in (selector.inside, selector.has, selector.sibling):
        if related is not None:
            yield from selector_texts(related)
