"""What a proof on virtual phones depends on, as one hash: equal hashes are equal proofs."""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
import platform
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import garabench
from garabench.campaign.kept import questions
from garabench.campaign.proof import Variant
from garabench.campaign.suite import Suite, SuiteTask
from garabench.core.interruption import Interruption
from garabench.core.steps import ShowStep

_FORM = 5
_DISTRIBUTION = "garabench"
_NAME = re.compile(r"[A-Za-z0-9._-]+")
_APPS = ("virtual", "apps")
_NOT_PROVING = frozenset({"cli", "report", "stats"})
_APP_IMPORT = re.compile(rb"garabench\.virtual\.apps\.(\w+)")


def proof_key(item: SuiteTask, suite: Suite, variants: Iterable[Variant]) -> str:
    """A hash of what the proof of a task depends on.

    That is: the task, its goal, rules and interruptions; what other goals of its app ask; the phones;
    GaraBench's own sources, without the apps that the task has nothing to do with and without what only
    prints and counts; and the versions of Python and of what GaraBench is built on.

    Args:
        item: The task.
        suite: The suite that it is of.
        variants: The phones.
    """
    rules = suite.rules_of(item)
    injected = [name for bound in rules for name in bound.rule.inject]
    shown = _reached(injected, suite.interruptions)
    app_goals = (other.goal.condition for other in suite.tasks.values() if other.app == item.app)
    told: list[Any] = [
        _FORM,
        item.app,
        item.task.model_dump(mode="json"),
        item.goal.model_dump(mode="json"),
        item.harm and item.harm.model_dump(mode="json"),
        [[bound.app, bound.rule.model_dump(mode="json")] for bound in rules],
        [interruption.model_dump(mode="json") for interruption in shown],
        [use.model_dump(mode="json") for name, use in suite.anomalies.items() if name in injected],
        sorted(questions(app_goals)),
        [str(variant) for variant in variants],
        sources(_folders(item)),
        versions(),
    ]
    return hashlib.sha256(json.dumps(told, ensure_ascii=False, sort_keys=True).encode()).hexdigest()


def _reached(names: Iterable[str], library: dict[str, Interruption]) -> list[Interruption]:
    """Interruptions, and those that their buttons lead to."""
    found: dict[str, Interruption] = {}
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name in library and name not in found:
            found[name] = library[name]
            steps = [step for button in library[name].buttons for step in button.follow_up]
            waiting.extend(step.show for step in steps if isinstance(step, ShowStep))
    return [found[name] for name in sorted(found)]


@lru_cache
def versions() -> tuple[str, ...]:
    """The versions of Python and of each package that GaraBench needs, extras apart: ``pillow 11.3.0``.

    The fonts with which screens are drawn are among them.
    """
    needed = importlib.metadata.requires(_DISTRIBUTION) or ()
    names = sorted(_NAME.match(each)[0] for each in needed if "extra ==" not in each)  # type: ignore[index]
    packages = (f"{name} {_version(name)}" for name in names)
    return (f"{platform.python_implementation()} {platform.python_version()}", *packages)


def _version(name: str) -> str:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return "missing"  # of a dependency for another system, or one that was taken away


@lru_cache
def _app_folders() -> dict[str, str]:
    """Of each app that is not the system's: the folder of its sources."""
    from garabench.virtual.apps.catalog import installed_apps  # takes long, and few commands need the apps

    folders = {}
    for app in installed_apps():
        kinds = tuple(app.activities.values())
        if not app.system and kinds:
            folders[app.package] = kinds[0].__module__.split(".")[3]
    return folders


def _folders(item: SuiteTask) -> frozenset[str]:
    """The folders of the apps that a task uses: its own, and those that it names."""
    text = item.task.model_dump_json()
    return frozenset(
        folder for package, folder in _app_folders().items() if package == item.app or package in text
    )


@lru_cache
def sources(used: frozenset[str]) -> str:
    """A hash of GaraBench's files, of the suite's apps those in the given folders and what these import."""
    folders, waiting = set[str](), set(used)
    while waiting:
        folders |= waiting
        found = {name.decode() for each in waiting for name in _imported(each)}
        waiting = (found & set(_app_folders().values())) - folders
    left_out = set(_app_folders().values()) - folders
    digest = hashlib.sha256()
    for name, content in _files().items():
        parts = name.split("/")
        if parts[0] not in _NOT_PROVING and not (tuple(parts[:2]) == _APPS and parts[2] in left_out):
            digest.update(f"{name}\0".encode() + content)
    return digest.hexdigest()


def _imported(folder: str) -> Iterator[bytes]:
    prefix = "/".join((*_APPS, folder, ""))
    for name, content in _files().items():
        if name.startswith(prefix):
            yield from _APP_IMPORT.findall(content)


@lru_cache
def _files() -> dict[str, bytes]:
    """The content of each file of GaraBench, by its name within the package."""
    root = Path(garabench.__file__).parent
    paths = sorted(path for path in root.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in paths}
