"""Check that a task, its goal, its rules and their follow-ups refer to the same app."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from difflib import get_close_matches
from typing import Any

from garabench.core.follow_up_packages import packages_in, packages_of
from garabench.core.steps import OpenAppStep
from garabench.core.yamldoc import Path as DocPath
from garabench.core.yamldoc import YamlDoc
from garabench.errors import InputError
from garabench.lint.screen_texts import stand_in_packages
from garabench.suite.suite import SuiteSources

_SYSTEM_PREFIXES = ("android", "com.android.", "com.google.android.", "org.garabench.")
_FULL_ID = re.compile(r"^([a-zA-Z][\w]*(?:\.\w+)+|android):id/")
_ANY = "any"
_MIN_SIMILARITY = 0.93
"""Minimum similarity of a misspelled package name: one or two letters of twenty differ."""


def foreign_packages(sources: SuiteSources) -> Iterator[InputError]:
    """Find references to other apps.

    The app of the task or the file is allowed, as are the apps that the task's solution opens and those of
    the system. An activity belongs to the app whose package is the prefix of its name.
    """
    known = {item.app for item in sources.suite.every_task.values()} | stand_in_packages()
    yield from _of_tasks(sources, known)
    yield from _of_goals(sources, known)
    yield from _of_rules(sources, known)
    yield from _of_follow_ups(sources)
    yield from _misspelled(sources, known)


def _misspelled(sources: SuiteSources, known: Collection[str]) -> Iterator[InputError]:
    """Find package names of the system that are misspellings of a known app's.

    A phone has more system apps than are known here, so that only likely misspellings are reported.
    """
    kinds = (("task", sources.own.every_task), ("goal", sources.own.goals), ("rule", sources.own.rules))
    for kind, names in kinds:
        for name in names:
            doc, at = sources.places[kind, name]
            for path, package in _named(doc.value(at), at, known, opened_too=True):
                intended = None if package in known else _intended(package, known)
                if package.startswith(_SYSTEM_PREFIXES) and intended:
                    yield doc.error(path, f"unknown app {package}", hint=f"Did you mean {intended!r}?")


def _intended(package: str, known: Collection[str]) -> str | None:
    """Return the known package that differs from a package in one or two letters."""
    found = get_close_matches(package, sorted(known), n=1, cutoff=_MIN_SIMILARITY)
    return found[0] if found else None


def _of_tasks(sources: SuiteSources, known: Collection[str]) -> Iterator[InputError]:
    for name, item in sources.own.every_task.items():
        doc, at = sources.places["task", name]
        allowed = {item.app} | opened(sources, name)
        for key in ("solution", "alternatives", "near_misses", "setup"):
            for path, package in _named(doc.value((*at, key)), (*at, key), known):
                if not _fits(package, allowed):
                    owner = f"this belongs to {package}, but the task is for {item.app}"
                    yield doc.error(path, f"{owner} and its solution opens no other app")
        yield from _of_setup(doc, (*at, "setup"), item.app, allowed)


def _of_setup(doc: YamlDoc, at: DocPath, app: str, allowed: set[str]) -> Iterator[InputError]:
    """Find other apps in the commands of a set-up and in the URIs that it opens."""
    within = tuple(f"{package}." for package in allowed)  # a class of these apps
    for number, step in enumerate(doc.value(at) or ()):
        reported: set[DocPath] = set()
        for path, package in _acted_on(step, (*at, number)):
            if not _fits(package, allowed) and not package.startswith(within) and path not in reported:
                reported.add(path)
                message = (
                    f"this acts on {package}, but the task is for {app} and its solution opens no other app"
                )
                yield doc.error(path, message, hint="Write {app} for the task's app.")


def _acted_on(step: Any, at: DocPath) -> Iterator[tuple[DocPath, str]]:
    """Iterate over the packages in a step's command or in the URI that it opens."""
    match step:
        case {"shell": [*words]}:
            for place, package in packages_of(list(map(str, words))):
                yield (*at, "shell", place), package
        case {"start": {"data": str(data)}}:
            for package in packages_in(data):
                yield (*at, "start", "data"), package


def opened(sources: SuiteSources, task: str) -> set[str]:
    """Return the apps that a task's solution opens."""
    steps = sources.suite.every_task[task].task.solution
    return {step.open_app for step in steps if isinstance(step, OpenAppStep)}


def _of_goals(sources: SuiteSources, known: Collection[str]) -> Iterator[InputError]:
    suite = sources.suite
    for name in sources.own.goals:
        doc, at = sources.places["goal", name]
        app = sources.goal_apps[name]
        users = [task for task, item in suite.every_task.items() if name in item.uses]
        allowed = {app} | {package for task in users for package in opened(sources, task)}
        for path, package in _named(doc.value((*at, "holds")), (*at, "holds"), known):
            if app != _ANY and not _fits(package, allowed):
                owner = f"this belongs to {package}, but the goal is for {app}"
                yield doc.error(path, f"{owner} and none of its tasks opens another app")


def _of_rules(sources: SuiteSources, known: Collection[str]) -> Iterator[InputError]:
    for name, bound in sources.own.rules.items():
        doc, at = sources.places["rule", name]
        for path, package in _named(doc.value((*at, "when")), (*at, "when"), known):
            if bound.app != _ANY and not _fits(package, {bound.app}):
                yield doc.error(
                    path, f"this belongs to {package}, but the rule is for {bound.app}: it can never fire"
                )


def _of_follow_ups(sources: SuiteSources) -> Iterator[InputError]:
    """Find follow-ups that name one app of the suite, although rules of another one inject them."""
    suite = sources.suite
    apps = {item.app for item in suite.every_task.values()} - {""}
    for name, interruption in sources.own.interruptions.items():
        doc, at = sources.places["interruption", name]
        shown_in = {bound.app for bound in suite.rules.values() if name in bound.rule.inject}
        for number, button in enumerate(interruption.buttons):
            for place, step in enumerate(button.follow_up):
                text = step.model_dump_json()
                for app in sorted(package for package in apps if package in text):
                    if others := sorted(shown_in - {app}):
                        path = (*at, "buttons", number, "follow_up", place)
                        message = f"this acts on {app}, but the interruption is also used in {others[0]}"
                        yield doc.error(path, message, hint="Write {app} for the task's app.")


def _fits(package: str, allowed: set[str]) -> bool:
    return package in allowed or package.startswith(_SYSTEM_PREFIXES)


def _named(
    value: Any, path: DocPath, known: Collection[str], *, opened_too: bool = False
) -> Iterator[tuple[DocPath, str]]:
    """Iterate over the packages in conditions and steps as written: plain, in a full id or in an activity.

    Args:
        value: The conditions or steps.
        path: Their location.
        known: The packages of the known apps.
        opened_too: Include the packages of ``open_app`` steps.
    """
    keys = ("package", "open_app") if opened_too else ("package",)
    if isinstance(value, dict):
        for key, part in value.items():
            here = (*path, key)
            if key in keys and isinstance(part, str) and "{" not in part:
                yield here, part
            elif key == "activity" and isinstance(part, str) and (owner := _owner(part, known)):
                yield here, owner
            elif key == "id" and isinstance(part, str) and (match := _FULL_ID.match(part)):
                yield here, match[1]
            else:
                yield from _named(part, here, known, opened_too=opened_too)
    elif isinstance(value, list):
        for number, part in enumerate(value):
            yield from _named(part, (*path, number), known, opened_too=opened_too)


def _owner(activity: str, known: Collection[str]) -> str | None:
    """Return the app of an activity, by its name: ``com.example/.Page`` or ``com.example.Page``."""
    package, slash, _ = activity.partition("/")
    if slash and package and "{" not in package:
        return package
    begun = [each for each in known if activity.startswith(f"{each}.")]
    return max(begun, key=len, default=None)
