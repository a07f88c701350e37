"""Find out what the virtual phone's apps show: go through each, and along the ways of a suite's tasks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context

from garabench.agents.reference.agent import plan_step
from garabench.campaign.suite import Suite
from garabench.core import action as act
from garabench.core.selector import find
from garabench.core.steps import ScrollStep, SolutionStep, TypeStep
from garabench.virtual.apps.catalog import installed_apps
from garabench.virtual.apps.framework import App
from garabench.virtual.tour import Manner, Tour

LANGUAGES = ("zh", "en")
"""In the first, which new phones have, more is looked at: all ways of tasks, not the solutions alone."""
_OUR_OWN = "org.garabench."
_MOST_SCROLLS = 12
_MOST_TOUCHES = 300
_ON_EACH_OBJECT = 150
_WITHOUT_NETWORK = 30
_AFTER_A_WAY = 3
_WORDS = 5
_REACH = 500


@dataclass(frozen=True, slots=True)
class _Job:
    """An app to be gone through in one language, with the ways of the tasks that are for it."""

    package: str
    lang: str
    ways: tuple[tuple[SolutionStep, ...], ...]


def all_apps() -> tuple[App, ...]:
    """The apps that may be in front of an agent: the system's, and the stand-ins of the suite's apps."""
    return tuple(app for app in installed_apps() if not app.package.startswith(_OUR_OWN))


def shown_texts(suite: Suite, *, jobs: int = 1, packages: Sequence[str] = ()) -> dict[str, frozenset[str]]:
    """What the apps of the virtual phone show, by package.

    It is the same each time for the same apps and suite.

    Args:
        suite: Its tasks' solutions, other ways and near misses are performed, and from where they end
            everything that has not been touched yet is touched.
        jobs: Processes at once.
        packages: The apps that are gone through; all that can be unless given.
    """
    asked = packages or tuple(app.package for app in all_apps() if app.launcher)
    todo = [
        _Job(package, lang, tuple(_ways(suite, package, solutions=lang != LANGUAGES[0])))
        for package in asked
        for lang in LANGUAGES
    ]
    shown: dict[str, set[str]] = {}
    for found in _performed(todo, jobs):
        for package, texts in found.items():
            shown.setdefault(package, set()).update(texts)
    known = {app.package for app in all_apps()}
    return {package: frozenset(texts) for package, texts in shown.items() if package in known}


def _performed(todo: Sequence[_Job], jobs: int) -> Iterator[dict[str, set[str]]]:
    if jobs == 1:
        yield from map(_gone_through, todo)
        return
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        running: list[Future[dict[str, set[str]]]] = [pool.submit(_gone_through, job) for job in todo]
        for each in running:
            yield each.result()


def _ways(suite: Suite, package: str, *, solutions: bool) -> Iterator[tuple[SolutionStep, ...]]:
    """The ways of an app's tasks, each once; or their solutions alone."""
    told: dict[tuple[SolutionStep, ...], None] = {}
    for task in (item.task for item in suite.every_task.values() if item.app == package):
        beside = () if solutions else (*task.other_ways, *task.near_misses)
        told |= dict.fromkeys((task.solution, *(way.steps for way in beside)))
    return (steps for steps in told if steps)


def _gone_through(job: _Job) -> dict[str, set[str]]:
    """What is shown in one language."""
    app = next(each for each in installed_apps() if each.package == job.package)
    words = tuple(
        dict.fromkeys(step.type.text for way in job.ways for step in way if isinstance(step, TypeStep))
    )
    tour = Tour(app, job.lang)
    rounds = [(_MOST_TOUCHES, Manner(words=words[:_WORDS]))]
    if job.lang == LANGUAGES[0]:
        rounds += [
            (_MOST_TOUCHES, Manner(seed=1)),
            (_ON_EACH_OBJECT, Manner(again=True)),
            (_WITHOUT_NETWORK, Manner(online=False)),
        ]
    for most, manner in rounds:
        tour.forget()
        tour.renew()
        tour.explore(most, manner)
    for way in job.ways:
        tour.renew()
        for step in way:
            _follow(tour, step)
        tour.explore(_AFTER_A_WAY, Manner(again=True))
    return tour.shown


def _follow(tour: Tour, step: SolutionStep) -> None:
    """Perform a step as far as that can be done on this screen."""
    if isinstance(step, ScrollStep) and step.scroll.until is not None:
        for _ in range(_MOST_SCROLLS):
            if find(tour.look(), step.scroll.until):
                return
            _perform(tour, plan_step(step, tour.look(), tour.phone.display.current_size))
    else:
        _perform(tour, plan_step(step, tour.look(), tour.phone.display.current_size))


def _perform(tour: Tour, action: act.Action | None) -> None:
    touch = tour.phone.input
    match action:
        case act.Tap():
            touch.tap(action.x, action.y)
        case act.DoubleTap():
            touch.double_tap(action.x, action.y)
        case act.LongPress():
            touch.long_press(action.x, action.y)
        case act.Type():
            if action.at is not None:
                touch.tap(*action.at)
                tour.settle()
            tour.write(action.text, clear=action.clear, submit=action.submit)
        case act.Scroll():
            middle = tour.phone.display.current_size
            x, y = action.x or middle.width // 2, action.y or middle.height // 2
            touch.swipe(x, y + _REACH, x, y - _REACH, 500)
        case act.Swipe():
            touch.swipe(action.x1, action.y1, action.x2, action.y2)
        case act.Back():
            tour.back()
        case act.Home():
            tour.phone.press_home()
        case act.OpenApp():
            tour.launch(action.package)
        case _:
            return
    tour.settle()
    tour.look()
