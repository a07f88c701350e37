"""The cache key of a proof on virtual phones: one hash of everything that the proof depends on."""

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

from garabench.core.interruption import Interruption
from garabench.core.recorded_facts import fact_queries
from garabench.core.steps import ShowStep
from garabench.proof.findings import Variant
from garabench.suite.suite import Suite, SuiteTask

_FORMAT = 7
_DISTRIBUTION = "garabench"
_NAME = re.compile(r"[A-Za-z0-9._-]+")
_APPS = ("virtual", "apps")
_IRRELEVANT_PACKAGES = frozenset(
    {"cli", "report", "stats", "web", "graph", "verifier", "diagnosis", "authoring", "export"}
)
_APP_IMPORT = re.compile(rb"garabench\.virtual\.apps\.(\w+)")


def proof_key(item: SuiteTask, suite: Suite, variants: Iterable[Variant]) -> str:
    """Return the hash of what the proof of a task depends on.

    It covers the task, its goal, rules and interruptions; the facts that other goals of the app read; the
    phone variants; GaraBench's sources, except unrelated apps and packages that only report; and the
    versions of Python and of GaraBench's dependencies.

    Args:
        item: The task.
        suite: The suite that contains it.
        variants: The phone variants.
    """
    rules = suite.rules_of(item)
    injected = [name for bound in rules for name in bound.rule.inject]
    shown = _reachable(injected, suite.interruptions)
    app_goals = (other.goal.condition for other in suite.tasks.values() if other.app == item.app)
    inputs: list[Any] = [
        _FORMAT,
        item.app,
        item.task.model_dump(mode="json"),
        item.goal.model_dump(mode="json"),
        item.harm and item.harm.model_dump(mode="json"),
        [[effect.model_dump(mode="json") for effect in variant] for variant in item.effects.variants or ()],
        {
            app: [each.model_dump(mode="json") for each in kinds]
            for app, kinds in item.effects.incidental.items()
        },
        [[bound.app, bound.rule.model_dump(mode="json")] for bound in rules],
        [interruption.model_dump(mode="json") for interruption in shown],
        [use.model_dump(mode="json") for name, use in suite.anomalies.items() if name in injected],
        sorted(fact_queries(app_goals)),
        [str(variant) for variant in variants],
        source_hash(_folders_of(item)),
        dependency_versions(),
        *(hashlib.sha256(path.read_bytes()).hexdigest() for path in suite.app_files),
    ]
    return hashlib.sha256(json.dumps(inputs, ensure_ascii=False, sort_keys=True).encode()).hexdigest()


def _reachable(names: Iterable[str], library: dict[str, Interruption]) -> list[Interruption]:
    """Return interruptions and those that their buttons lead to."""
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
def dependency_versions() -> tuple[str, ...]:
    """Return the versions of Python and of each required dependency, such as ``pillow 11.3.0``.

    That includes the fonts with which screens are drawn; extras are left out.
    """
    needed = importlib.metadata.requires(_DISTRIBUTION) or ()
    names = sorted(_NAME.match(each)[0] for each in needed if "extra ==" not in each)  # type: ignore[index]
    packages = (f"{name} {_version(name)}" for name in names)
    return (f"{platform.python_implementation()} {platform.python_version()}", *packages)


def _version(name: str) -> str:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return "missing"  # a dependency for another system, or one that was uninstalled


@lru_cache
def _app_folders() -> dict[str, str]:
    """Return the source folder of each app of the suite, by package."""
    from garabench.virtual.apps.catalog import installed_apps  # a slow import that few commands need

    folders = {}
    for app in installed_apps():
        kinds = tuple(app.activities.values())
        if not app.system and kinds:
            folders[app.package] = kinds[0].__module__.split(".")[3]
    return folders


def _folders_of(item: SuiteTask) -> frozenset[str]:
    """Return the source folders of the apps that a task uses: its own, and those that it names."""
    text = item.task.model_dump_json()
    return frozenset(
        folder for package, folder in _app_folders().items() if package == item.app or package in text
    )


@lru_cache
def source_hash(used: frozenset[str]) -> str:
    """Return a hash of GaraBench's files; of the suite's apps only the given folders and what they import."""
    folders, waiting = set[str](), set(used)
    while waiting:
        folders |= waiting
        found = {name.decode() for each in waiting for name in _imported(each)}
        waiting = (found & set(_app_folders().values())) - folders
    left_out = set(_app_folders().values()) - folders
    digest = hashlib.sha256()
    for name, content in _files().items():
        parts = name.split("/")
        if parts[0] not in _IRRELEVANT_PACKAGES and not (tuple(parts[:2]) == _APPS and parts[2] in left_out):
            digest.update(f"{name}\0".encode() + content)
    return digest.hexdigest()


def _imported(folder: str) -> Iterator[bytes]:
    prefix = "/".join((*_APPS, folder, ""))
    for name, content in _files().items():
        if name.startswith(prefix):
            yield from _APP_IMPORT.findall(content)


@lru_cache
def _files() -> dict[str, bytes]:
    """Return the content of each file of GaraBench, by its path within the package."""
    root = Path(__file__).parents[1]
    paths = sorted(path for path in root.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in paths}
