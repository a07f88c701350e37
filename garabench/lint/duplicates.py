"""Find duplicate near misses of a task, and duplicate interruptions of a rule."""

from __future__ import annotations

from collections.abc import Iterator

from garabench.core.steps import AnswerStep, BackStep, HomeStep, RotateStep, WaitForStep
from garabench.errors import InputError
from garabench.suite.suite import SuiteSources

_IDLE = (BackStep, HomeStep, RotateStep, WaitForStep)


def duplicates(sources: SuiteSources) -> Iterator[InputError]:
    """Find near misses with the same steps, near misses that do nothing, and interruptions injected twice.

    A near miss represents a mistake; the same steps with another kind are the same mistake.
    """
    yield from _same_steps(sources)
    yield from _nothing_done(sources)
    yield from _injected_twice(sources)


def _same_steps(sources: SuiteSources) -> Iterator[InputError]:
    for name, item in sources.own.every_task.items():
        doc, at = sources.places["task", name]
        solution = item.task.solution
        earlier = [(solution, "the solution")]
        for number, miss in enumerate(item.task.near_misses):
            steps = miss.steps or tuple(
                step.model_copy(update={"answer": miss.answer}) if isinstance(step, AnswerStep) else step
                for step in solution
            )
            same = next((what for variant, what in earlier if variant == steps), None)
            if same is not None:
                message = f"duplicate near miss {miss.name!r}: same steps as {same}"
                yield doc.error((*at, "near_misses", number), message)
            earlier.append((steps, f"the near miss {miss.name!r}"))


def _nothing_done(sources: SuiteSources) -> Iterator[InputError]:
    """Find near misses that do nothing in the app, which is not a mistake of an agent."""
    for name, item in sources.own.every_task.items():
        doc, at = sources.places["task", name]
        for number, miss in enumerate(item.task.near_misses):
            if miss.steps and all(isinstance(step, _IDLE) for step in miss.steps):
                yield doc.error(
                    (*at, "near_misses", number), f"the near miss {miss.name!r} does nothing in the app"
                )


def _injected_twice(sources: SuiteSources) -> Iterator[InputError]:
    for name, bound in sources.own.rules.items():
        doc, at = sources.places["rule", name]
        injected = bound.rule.inject
        for number, interruption in enumerate(injected):
            if interruption in injected[:number]:
                message = f"duplicate interruption {interruption!r}"
                yield doc.error((*at, "inject", number), message)
