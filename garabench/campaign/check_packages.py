"""Check that a task, its goal, its rules and their follow-ups speak of the same app."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from difflib import get_close_matches
from typing import Any

from garabench.campaign.app_texts import stand_ins
from garabench.campaign.suite import Sources
from garabench.core.follow_ups import packages_in, packages_of
from garabench.core.steps import OpenAppStep
from garabench.core.yamldoc import Path as DocPath
from garabench.core.yamldoc import YamlDoc
from garabench.errors import InputError

_OF_THE_SYSTEM = ("android", "com.android.", "com.google.android.", "org.garabench.")
_FULL_ID = re.compile(r"^([a-zA-Z][\w]*(?:\.\w+)+|android):id/")
_ANY = "any"
_ALIKE = 0.93
"""From which likeness on a package is another one misspelt: a letter or two of twenty."""


def packages(sources: Sources) -> Iterator[InputError]:
    """What names another app than the one that it is for.

    An app is fine where it is the task's or the file's own, one that the task's solution opens, or the
    system's. An activity is of the app whose package its name begins with.
    """
    known = {item.app for item in sources.suite.every_task.values()} | stand_ins()
    yield from _of_tasks(sources, known)
    yield from _of_goals(sources, known)
    yield from _of_rules(sources, known)
    yield from _of_follow_ups(sources)
    yield from _misspelt(sources, known)


def _misspelt(sources: Sources, known: Collection[str]) -> Iterator[InputError]:
    """Packages of the system that are nearly, and not quite, those of an app that is known.

    A phone has more apps of its own than are known here: only what looks like a slip is told.
    """
    kinds = (("task", sources.suite.every_task), ("goal", sources.suite.goals), ("rule", sources.suite.rules))
    for kind, names in kinds:
        for name in names:
            doc, at = sources.places[kind, name]
            for path, package in _named(doc.value(at), at, known, opened_too=True):
                meant = None if package in known else _slip(package, known)
                if package.startswith(_OF_THE_SYSTEM) and meant:
                    yield doc.error(path, f"no app is {package}", hint=f"Did you mean {meant!r}?")


def _slip(package: str, known: Collection[str]) -> str | None:
    """The known package that another one is but for a letter or two."""
    found = get_close_matches(package, sorted(known), n=1, cutoff=_ALIKE)
    return found[0] if found else None


def _of_tasks(sources: Sources, known: Collection[str]) -> Iterator[InputError]:
    for name, item in sources.suite.every_task.items():
        doc, at = sources.places["task", name]
        fine = {item.app} | opened(sources, name)
        for key in ("solution", "other_ways", "near_misses", "setup"):
            for path, package in _named(doc.value((*at, key)), (*at, key), known):
                if not _fits(package, fine):
                    message = f"this is of {package}, the task of {item.app}, and its solution opens no other"
                    yield doc.error(path, message)
        yield from _of_setup(doc, (*at, "setup"), item.app, fine)


def _of_setup(doc: YamlDoc, at: DocPath, app: str, fine: set[str]) -> Iterator[InputError]:
    """Other apps in the commands of a set-up and in the addresses that it opens."""
    within = tuple(f"{package}." for package in fine)  # a class of theirs
    for number, step in enumerate(doc.value(at) or ()):
        told: set[DocPath] = set()
        for path, package in _acted_on(step, (*at, number)):
            if not _fits(package, fine) and not package.startswith(within) and path not in told:
                told.add(path)
                message = f"this acts on {package}, the task is of {app}, and its solution opens no other"
                yield doc.error(path, message, hint="Write {app} for the task's app.")


def _acted_on(step: Any, at: DocPath) -> Iterator[tuple[DocPath, str]]:
    """The packages that a step's command names, or the address that it opens."""
    match step:
        case {"shell": [*words]}:
            for place, package in packages_of(list(map(str, words))):
                yield (*at, "shell", place), package
        case {"start": {"data": str(data)}}:
            for package in packages_in(data):
                yield (*at, "start", "data"), package


def opened(sources: Sources, task: str) -> set[str]:
    """The apps that a task's solution opens."""
    steps = sources.suite.every_task[task].task.solution
    return {step.open_app for step in steps if isinstance(step, OpenAppStep)}


def _of_goals(sources: Sources, known: Collection[str]) -> Iterator[InputError]:
    suite = sources.suite
    for name in suite.goals:
        doc, at = sources.places["goal", name]
        app = sources.goal_apps[name]
        users = [task for task, item in suite.every_task.items() if name in item.uses]
        fine = {app} | {package for task in users for package in opened(sources, task)}
        for path, package in _named(doc.value((*at, "holds")), (*at, "holds"), known):
            if app != _ANY and not _fits(package, fine):
                yield doc.error(
                    path, f"this is of {package}, the goal of {app}, and no task of it opens another"
                )


def _of_rules(sources: Sources, known: Collection[str]) -> Iterator[InputError]:
    for name, bound in sources.suite.rules.items():
        doc, at = sources.places["rule", name]
        for path, package in _named(doc.value((*at, "when")), (*at, "when"), known):
            if bound.app != _ANY and not _fits(package, {bound.app}):
                yield doc.error(path, f"this is of {package}, the rule of {bound.app}: it never fires")


def _of_follow_ups(sources: Sources) -> Iterator[InputError]:
    """An app of the suite that a follow-up names: the interruption is then for no other."""
    suite = sources.suite
    apps = {item.app for item in suite.every_task.values()} - {""}
    for name, interruption in suite.interruptions.items():
        doc, at = sources.places["interruption", name]
        shown_in = {bound.app for bound in suite.rules.values() if name in bound.rule.inject}
        for number, button in enumerate(interruption.buttons):
            for place, step in enumerate(button.follow_up):
                text = step.model_dump_json()
                for app in sorted(package for package in apps if package in text):
                    if others := sorted(shown_in - {app}):
                        path = (*at, "buttons", number, "follow_up", place)
                        message = f"this acts on {app}, and the interruption is shown in {others[0]}, too"
                        yield doc.error(path, message, hint="Write {app} for the task's app.")


def _fits(package: str, fine: set[str]) -> bool:
    return package in fine or package.startswith(_OF_THE_SYSTEM)


def _named(
    value: Any, path: DocPath, known: Collection[str], *, opened_too: bool = False
) -> Iterator[tuple[DocPath, str]]:
    """The packages that conditions and steps name as they are written, by one or by a full id or activity.

    Args:
        value: What is written.
        path: Where.
        known: The packages of the apps that are known.
        opened_too: Those that a step opens as well.
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
    """The app of an activity, as far as its name tells: ``com.example/.Page`` or ``com.example.Page``."""
    package, slash, _ = activity.partition("/")
    if slash and package and "{" not in package:
        return package
    begun = [each for each in known if activity.startswith(f"{each}.")]
    return max(begun, key=len, default=None)
