"""The tasks that each defect breaks, as they were proven."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from importlib import resources
from types import MappingProxyType

import yaml

_FILE = "affected_tasks.yaml"


@functools.cache
def affected_tasks() -> Mapping[str, Mapping[str, str]]:
    """Return the proven effect on each affected task, by defect and task.

    The file is written by ``garabench tasks prove --defect all --write FILE``.
    """
    text = (resources.files("garabench.known_causes") / _FILE).read_text(encoding="utf-8")
    return MappingProxyType(yaml.safe_load(text))


def defects_by_task(effects: frozenset[str]) -> dict[str, dict[str, str]]:
    """Return the defects that break each task with one of these effects, with the effect."""
    found: dict[str, dict[str, str]] = {}
    for defect, tasks in affected_tasks().items():
        for task, effect in tasks.items():
            if effect in effects:
                found.setdefault(task, {})[defect] = effect
    return found
