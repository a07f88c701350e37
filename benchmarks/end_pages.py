"""Look for end pages that a goal forgets: ``python -m benchmarks.end_pages [APP_OR_TASK…]``.

If an instruction leaves the last page open, its goal must accept each page on which the state can be seen.
For each task that changes the state of an app, the solution is performed, the app is started again, and the
pages are visited to which the paths of the app's tasks lead without changing anything. A page *shows the
state* if

- it differs from the same page, reached by the same route, after the solution up to its first change; and
- a text on it names what has changed, by the criterion of the fuzzed walks.

A page that shows the state and is refused is printed with its route. It is a mistake of the goal unless the
instruction names another page to end on, or the page does not show all that was asked for.
"""

from __future__ import annotations

import argparse
import copy
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from garabench.core.expected_effects import StateChange
from garabench.core.side_effects import deliberate_effects
from garabench.core.steps import AnswerStep, BackStep, GiveUpStep, SolutionStep
from garabench.core.tree import UiTree
from garabench.core.yaml_text import flow
from garabench.proof.findings import VARIANTS
from garabench.proof.fuzz.accepted_findings import step_data
from garabench.proof.fuzz.phone_performer import PhonePerformer, SavedPerformance
from garabench.proof.fuzz.walk_classification import contents, page_differences, trace_of
from garabench.proof.path_evaluator import PathEvaluator
from garabench.suite.suite import Suite, SuiteTask

_MAX_STEPS = 6


@dataclass
class _Route:
    """A step on the way to a page.

    Attributes:
        steps: The steps from the app's first screen.
        next: The steps that follow, by their text.
    """

    steps: tuple[SolutionStep, ...] = ()
    next: dict[str, _Route] = field(default_factory=dict)

    def add(self, steps: Sequence[SolutionStep]) -> None:
        """Add a route through this page."""
        for step in steps[:1]:
            key = json.dumps(step_data(step), ensure_ascii=False, sort_keys=True)
            self.next.setdefault(key, _Route((*self.steps, step))).add(steps[1:])


@dataclass(frozen=True)
class ForgottenPage:
    """A page that shows what a task has changed, and that its goal refuses.

    Attributes:
        task: The task.
        route: The steps from the app's first screen to the page.
        trace: Texts on the page that name what has changed.
        differences: How the page differs from what it was before the change.
        reason: Why the goal refuses it.
    """

    task: str
    route: tuple[SolutionStep, ...]
    trace: tuple[str, ...]
    differences: tuple[str, ...]
    reason: str


def _changes(performer: PhonePerformer, item: SuiteTask) -> tuple[StateChange, ...]:
    return deliberate_effects(performer.effects(), item.effects.incidental)


def _harmless_part(performer: PhonePerformer, item: SuiteTask, steps: Sequence[SolutionStep]) -> int:
    """Return how many steps of a path come before its first change, from the app's first screen."""
    performer.begin(item.app)
    for number, step in enumerate(steps):
        if isinstance(step, AnswerStep | GiveUpStep) or performer.perform(step) or _changes(performer, item):
            return number
        performer.settle()
    return len(steps)


def _restart(performer: PhonePerformer, app: str) -> None:
    performer.phone.activities.force_stop(app)
    performer._settled = False
    performer._launch(app)
    performer.settle()


def _pages(
    performer: PhonePerformer, route: _Route, saved: SavedPerformance
) -> Iterator[tuple[_Route, UiTree]]:
    for following in route.next.values():
        performer.load(saved)
        if not performer.perform(following.steps[-1]):
            tree = performer.settle()
            here = performer.save() if following.next else None
            yield following, tree
            if here is not None:
                yield from _pages(performer, following, here)


def forgotten_pages(
    performer: PhonePerformer, item: SuiteTask, routes: _Route, plain: dict[tuple[SolutionStep, ...], UiTree]
) -> Iterator[ForgottenPage]:
    """Yield the pages that show what a task has changed, and that its goal refuses.

    Args:
        performer: The phone.
        item: The task.
        routes: The routes to the app's pages.
        plain: The pages of an app in which nothing was done, by their route; only those that differ are
            looked at more closely.
    """
    performer.begin(item.app)
    evaluator = PathEvaluator(item)
    for step in item.task.solution:
        if performer.perform(step):
            return
        verdict = evaluator.observe(performer.facts(), step)
    if not verdict.holds or not (changed := _changes(performer, item)):
        return
    _restart(performer, item.app)
    found: list[ForgottenPage] = []
    shown: dict[tuple[SolutionStep, ...], UiTree] = {}
    for route, tree in _pages(performer, routes, performer.save()):
        before = plain.get(route.steps)
        trace = trace_of(changed, tree, before) if before is not None else ()
        if trace and not (verdict := copy.copy(evaluator).observe(performer.facts(), BackStep())).holds:
            found.append(ForgottenPage(item.task.id, route.steps, trace, (), verdict.reason))
            shown[route.steps] = tree
    if not found:
        return
    # again without the change: what the way to it leaves behind, such as the history, is not the state
    harmless = _harmless_part(performer, item, item.task.solution)
    performer.begin(item.app)
    for step in item.task.solution[:harmless]:
        performer.perform(step)
    _restart(performer, item.app)
    start = performer.save()
    seen: set[str] = set()
    for page in found:
        performer.load(start)
        for step in page.route:
            performer.perform(step)
        tree, before = shown[page.route], performer.settle()
        trace = trace_of(changed, tree, before)
        key = str(sorted(contents(tree).items()))
        if trace and key not in seen:
            seen.add(key)
            yield ForgottenPage(item.task.id, page.route, trace, page_differences(tree, before), page.reason)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the forgotten pages; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "tasks", nargs="*", default=["all"], help="tasks as `garabench tasks list` takes them"
    )
    suite = Suite.load()
    chosen = suite.select(",".join(parser.parse_args(arguments).tasks))
    performer = PhonePerformer.start(VARIANTS[0])
    visited = count = 0
    for app in dict.fromkeys(item.app for item in chosen):
        routes = _Route()
        for item in suite.tasks.values():
            if item.app == app and not item.task.setup:
                for path in (item.task.solution, *(each.steps or () for each in item.task.alternatives)):
                    routes.add(path[: min(_harmless_part(performer, item, path), _MAX_STEPS)])
        performer.begin(app)
        _restart(performer, app)
        plain = {route.steps: tree for route, tree in _pages(performer, routes, performer.save())}
        print(f"# {app}: {len(plain)} routes", flush=True)
        for item in chosen:
            if item.app != app or item.task.setup or not any(item.effects.variants or ()):
                continue
            visited += 1
            for page in forgotten_pages(performer, item, routes, plain):
                count += 1
                print(f"{page.task}: {item.task.instruction.get('zh', '')}")
                print(f"    route: {' > '.join(flow(step_data(step)) for step in page.route)}")
                print(f"    shows: {'; '.join(page.trace)}")
                print(f"    differs: {'; '.join(page.differences)}")
                print(f"    refused: {page.reason}", flush=True)
    print(f"# {visited} tasks, {count} refused pages that show the state")
    return 0


if __name__ == "__main__":
    sys.exit(main())
