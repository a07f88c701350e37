"""Crawl the virtual phone's apps for the texts on their screens, also along the paths of a suite's tasks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context

from garabench.core import action as act
from garabench.core.selector import find
from garabench.core.step_planner import plan_step
from garabench.core.steps import ScrollStep, SolutionStep, TypeStep
from garabench.screens.app_crawler import AppCrawler, CrawlOptions
from garabench.suite.suite import Suite
from garabench.virtual.apps.catalog import installed_apps
from garabench.virtual.kit.framework import App

LANGUAGES = ("zh", "en")
"""Languages to crawl in. The first, the default of new phones, follows all paths, not only solutions."""
_OWN_PACKAGES = "org.garabench."
_MAX_SCROLLS = 12
_MAX_TOUCHES = 300
_MAX_TOUCHES_PER_OBJECT = 150
_MAX_TOUCHES_OFFLINE = 30
_MAX_TOUCHES_AFTER_PATH = 3
_MAX_INPUTS = 5
_SCROLL_DISTANCE = 500


@dataclass(frozen=True, slots=True)
class _Job:
    """An app to crawl in one language, with the paths of its tasks."""

    package: str
    lang: str
    paths: tuple[tuple[SolutionStep, ...], ...]


def all_apps() -> tuple[App, ...]:
    """Return the apps that an agent may see: system apps and the stand-ins of the suite's apps."""
    return tuple(
        app for app in installed_apps() if app.activities and not app.package.startswith(_OWN_PACKAGES)
    )


def crawl_texts(suite: Suite, *, jobs: int = 1, packages: Sequence[str] = ()) -> dict[str, frozenset[str]]:
    """Return the texts on the screens of the virtual phone's apps, by package.

    The result is the same for the same apps and suite.

    Args:
        suite: The suite whose solutions, alternatives and near misses are performed; each crawl continues
            where they end.
        jobs: Number of processes.
        packages: Packages of the apps to crawl; all launchable apps by default.
    """
    selected = packages or tuple(app.package for app in all_apps() if app.launcher)
    todo = [
        _Job(package, lang, tuple(_paths(suite, package, solutions=lang != LANGUAGES[0])))
        for package in selected
        for lang in LANGUAGES
    ]
    texts_of: dict[str, set[str]] = {}
    for found in _crawl_all(todo, jobs):
        for package, texts in found.items():
            texts_of.setdefault(package, set()).update(texts)
    visible = {app.package for app in all_apps()}
    return {package: frozenset(texts) for package, texts in texts_of.items() if package in visible}


def _crawl_all(todo: Sequence[_Job], jobs: int) -> Iterator[dict[str, set[str]]]:
    if jobs == 1:
        yield from map(_crawl, todo)
        return
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        futures: list[Future[dict[str, set[str]]]] = [pool.submit(_crawl, job) for job in todo]
        for future in futures:
            yield future.result()


def _paths(suite: Suite, package: str, *, solutions: bool) -> Iterator[tuple[SolutionStep, ...]]:
    """Yield the distinct paths of an app's tasks, or only their solutions."""
    paths: dict[tuple[SolutionStep, ...], None] = {}
    for task in (item.task for item in suite.every_task.values() if item.app == package):
        others = () if solutions else (*task.alternatives, *task.near_misses)
        paths |= dict.fromkeys((task.solution, *(path.steps for path in others)))
    return (steps for steps in paths if steps)


def _crawl(job: _Job) -> dict[str, set[str]]:
    """Return the texts in one language."""
    app = next(each for each in installed_apps() if each.package == job.package)
    inputs = tuple(
        dict.fromkeys(step.type.text for path in job.paths for step in path if isinstance(step, TypeStep))
    )
    crawler = AppCrawler(app, job.lang)
    passes = [(_MAX_TOUCHES, CrawlOptions(inputs=inputs[:_MAX_INPUTS]))]
    if job.lang == LANGUAGES[0]:
        passes += [
            (_MAX_TOUCHES, CrawlOptions(seed=1)),
            (_MAX_TOUCHES_PER_OBJECT, CrawlOptions(per_object=True)),
            (_MAX_TOUCHES_OFFLINE, CrawlOptions(online=False)),
        ]
    for max_touches, options in passes:
        crawler.forget_touches()
        crawler.restart()
        crawler.explore(max_touches, options)
    for path in job.paths:
        crawler.restart()
        for step in path:
            _follow(crawler, step)
        crawler.explore(_MAX_TOUCHES_AFTER_PATH, CrawlOptions(per_object=True))
    return crawler.texts


def _follow(crawler: AppCrawler, step: SolutionStep) -> None:
    """Perform a step as far as this screen allows."""
    if isinstance(step, ScrollStep) and step.scroll.until is not None:
        for _ in range(_MAX_SCROLLS):
            if find(crawler.collect_texts(), step.scroll.until):
                return
            _perform(crawler, plan_step(step, crawler.collect_texts(), crawler.phone.display.current_size))
    else:
        _perform(crawler, plan_step(step, crawler.collect_texts(), crawler.phone.display.current_size))


def _perform(crawler: AppCrawler, action: act.Action | None) -> None:
    touch = crawler.phone.input
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
                crawler.settle()
            crawler.type_text(action.text, clear=action.clear, submit=action.submit)
        case act.Scroll():
            size = crawler.phone.display.current_size
            x, y = action.x or size.width // 2, action.y or size.height // 2
            touch.swipe(x, y + _SCROLL_DISTANCE, x, y - _SCROLL_DISTANCE, 500)
        case act.Swipe():
            touch.swipe(action.x1, action.y1, action.x2, action.y2)
        case act.Back():
            crawler.back()
        case act.Home():
            crawler.phone.press_home()
        case act.OpenApp():
            crawler.launch(action.package)
        case _:
            return
    crawler.settle()
    crawler.collect_texts()
