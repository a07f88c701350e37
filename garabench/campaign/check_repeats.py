"""Find near misses that are none of their own, and interruptions that stand twice in one rule."""

from __future__ import annotations

from collections.abc import Iterator

from garabench.campaign.suite import Sources
from garabench.core.steps import BackStep, HomeStep, WaitForStep
from garabench.errors import InputError

_IDLE = (BackStep, HomeStep, WaitForStep)


def repeats(sources: Sources) -> Iterator[InputError]:
    """Near misses that are one way under two names, and interruptions that a rule injects twice.

    A near miss stands for a mistake: the same steps under another kind are the same mistake again.
    """
    yield from _same_ways(sources)
    yield from _nothing_done(sources)
    yield from _injected_twice(sources)


def _same_ways(sources: Sources) -> Iterator[InputError]:
    for name, item in sources.suite.every_task.items():
        doc, at = sources.places["task", name]
        solution = item.task.solution
        told = [(solution, "the solution")]
        for number, miss in enumerate(item.task.near_misses):
            last = solution[-1].model_copy(update={"answer": miss.answer})
            steps = miss.steps or (*solution[:-1], last)
            same = next((what for way, what in told if way == steps), None)
            if same is not None:
                message = f"the near miss {miss.name!r} takes the same steps as {same}"
                yield doc.error((*at, "near_misses", number), message)
            told.append((steps, f"the near miss {miss.name!r}"))


def _nothing_done(sources: Sources) -> Iterator[InputError]:
    """Near misses that do nothing in the app: the start, which no goal takes, is no mistake of an agent's."""
    for name, item in sources.suite.every_task.items():
        doc, at = sources.places["task", name]
        for number, miss in enumerate(item.task.near_misses):
            if miss.steps and all(isinstance(step, _IDLE) for step in miss.steps):
                yield doc.error(
                    (*at, "near_misses", number), f"the near miss {miss.name!r} does nothing in the app"
                )


def _injected_twice(sources: Sources) -> Iterator[InputError]:
    for name, bound in sources.suite.rules.items():
        doc, at = sources.places["rule", name]
        injected = bound.rule.inject
        for number, interruption in enumerate(injected):
            if interruption in injected[:number]:
                message = f"the interruption {interruption!r} is injected twice by one rule"
                yield doc.error((*at, "inject", number), message)
