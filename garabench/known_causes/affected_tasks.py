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
    """Return the proven impact on each affected task, by defect and task.

    The file is written by ``garabench tasks prove --defect all --write FILE``.
    """
    text = (resources.files("garabench.known_causes") / _FILE).read_text(encoding="utf-8")
    return MappingProxyType(yaml.safe_load(text))


def defects_by_task(impacts: frozenset[str]) -> dict[str, dict[str, str]]:
    """Return the defects that break each task with one of these impacts, with the impact."""
    found: dict[str, dict[str, str]] = {}
    for defect, tasks in affected_tasks().items():
        for task, impact in tasks.items():
            if impact in impacts:
                found.setdefault(task, {})[defect] = impact
    return found
