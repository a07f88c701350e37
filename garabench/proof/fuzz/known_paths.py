"""The paths of an app's tasks, from which actions of several steps are taken: in a sheet, a menu or a form.

Single taps rarely get through a sheet to its end, so some kinds of changes would never be tried. The
solutions and near misses of the app's other tasks do. A whole solution, performed from the app's first
screen, changes what its task asks for; the end of a path, performed from any page that shows its first
element, may act on the object of this page.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field

from garabench.core.expected_effects import StateChange
from garabench.core.selector import find
from garabench.core.step_planner import target_of
from garabench.core.steps import AnswerStep, GiveUpStep, OpenAppStep, RotateStep, SolutionStep
from garabench.core.tree import UiTree
from garabench.suite.suite import SuiteTask

MIN_END, MAX_END = 2, 8
"""Number of steps of the end of a path; a single one is drawn from the screen anyway."""
_OTHER = "other"
"""The group of the near misses, whose changes are not recorded."""


@dataclass(frozen=True, slots=True)
class KnownPath:
    """A path of a task.

    Attributes:
        task: The task.
        steps: Its steps.
        groups: The kinds of its changes, such as ``added like``.
    """

    task: str
    steps: tuple[SolutionStep, ...]
    groups: tuple[str, ...]


@dataclass(frozen=True)
class KnownPaths:
    """The paths of the tasks of an app.

    Attributes:
        whole: Those of solutions that change something, and that can be performed from the first screen.
        every: All of them, near misses as well.
        effects: The changes of each correct solution, by task.
    """

    whole: tuple[KnownPath, ...] = ()
    every: tuple[KnownPath, ...] = ()
    effects: dict[str, tuple[tuple[StateChange, ...], ...]] = field(default_factory=dict)

    @classmethod
    def of(cls, item: SuiteTask, others: Sequence[SuiteTask]) -> KnownPaths:
        """Return the paths of a task and of others of its app.

        Args:
            item: The task that is fuzzed; its near misses are included, its solution is not.
            others: The tasks of the suite.
        """
        mine = [each for each in others if each.app == item.app and not each.task.setup]
        whole: list[KnownPath] = []
        every: list[KnownPath] = []
        for each in mine:
            variants = each.effects.variants or ()
            groups = tuple(sorted({change.name for variant in variants for change in variant}))
            path = KnownPath(each.task.id, each.task.solution, groups)
            if each.task.id != item.task.id and _possible(path.steps, item.app) and groups:
                every.append(path)
                if each.task.infeasible is None and all(variants):
                    whole.append(path)
            for miss in each.task.near_misses:
                if _possible(miss.steps, item.app):
                    every.append(KnownPath(each.task.id, miss.steps, (_OTHER,)))
        effects = {each.task.id: each.effects.variants or () for each in mine}
        return cls(tuple(whole), tuple(every), effects)

    def draw_task(self, rng: random.Random) -> KnownPath | None:
        """Draw a whole solution, each kind of change as often as the others; None if there is none."""
        return _draw(self.whole, rng)

    def draw_end(self, tree: UiTree, path: Sequence[SolutionStep], rng: random.Random) -> KnownPath | None:
        """Draw the end of a path that begins on an element of a page; None if there is none.

        Args:
            tree: The page.
            path: The next steps of the task's path, with which it must not begin.
            rng: The generator.
        """
        upcoming = {target.model_dump_json() for step in path if (target := target_of(step)) is not None}
        shown: dict[str, bool] = {}
        ends: list[KnownPath] = []
        for each in self.every:
            for length in range(MIN_END, min(MAX_END, len(each.steps)) + 1):
                end = each.steps[-length:]
                target = target_of(end[0])
                if target is None:
                    continue
                key = target.model_dump_json()
                if key not in shown:
                    shown[key] = key not in upcoming and bool(find(tree, target))
                if shown[key]:
                    ends.append(KnownPath(each.task, end, each.groups))
                    break
        return _draw(ends, rng)


def _draw(paths: Sequence[KnownPath], rng: random.Random) -> KnownPath | None:
    groups = sorted({group for path in paths for group in path.groups})
    if not groups:
        return None
    group = rng.choice(groups)
    return rng.choice([path for path in paths if group in path.groups])


def _possible(steps: Sequence[SolutionStep], app: str) -> bool:
    """Return whether a path has only steps in the app that an agent can perform and continue from."""
    return not any(
        isinstance(step, AnswerStep | GiveUpStep | RotateStep)
        or (isinstance(step, OpenAppStep) and step.open_app != app)
        for step in steps
    )
