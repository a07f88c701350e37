"""Read recorded UI trees from a single file or an episode's folder."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path

from garabench.core.events import ActionObserved, Decided, InterruptionInjected, Observed, PerformedEvent
from garabench.core.file_errors import missing_path
from garabench.core.tree import UiTree
from garabench.errors import InputError
from garabench.records.content_store import ContentStore
from garabench.records.episode import Attempt, RecordedObservation
from garabench.records.recorded_screen import RecordedScreen, read_tree_screen
from garabench.records.run_layout import EVENTS

OpenTree = Callable[[RecordedObservation], UiTree]
"""Opens the tree of an observation."""


def _open_tree(observation: RecordedObservation) -> UiTree:
    return observation.open_tree(allow_empty=True)


def read_screens(path: Path, open_tree: OpenTree = _open_tree) -> tuple[RecordedScreen, ...]:
    """Read a tree file (``.xml`` or ``.xml.gz``), or every tree of an episode's folder.

    A screen without elements has an empty tree.

    Args:
        path: The file or folder.
        open_tree: Opens a tree of an episode.

    Raises:
        InputError: The path is neither, or a file is damaged.
    """
    if path.is_file():
        return (read_tree_screen(path),)
    if not path.is_dir():
        raise missing_path(path)
    if not (path / EVENTS).is_file():
        raise InputError(
            f"{path} is not a recorded episode: {EVENTS} is missing",
            hint="The folder of an episode is runs/NAME/episodes/TASK/AGENT/CONDITION/SEED.",
        )
    attempt = Attempt(path, ContentStore.of_episode(path))
    observations = iter(attempt.observations)
    screens: list[RecordedScreen] = []
    fired: frozenset[str] = frozenset()
    performed: Counter[str] = Counter()
    marks: dict[str, Mapping[str, int]] = {}
    kind = ""
    for event in attempt.events:
        match event:
            case Observed():
                screen = _screen(next(observations), open_tree)
                screens.append(
                    dataclasses.replace(screen, fired=fired, actions=dict(performed), marks=dict(marks))
                )
            case InterruptionInjected() if screens and event.sequence < 2 and event.rule:
                screens[-1] = dataclasses.replace(screens[-1], injected=event.rule)
                fired |= {event.rule}
                marks[event.rule] = dict(performed)
            case Decided():
                kind = str(event.action.get("type", ""))
            case PerformedEvent() if event.ok:
                performed[kind] += 1
            case ActionObserved():
                performed["seen"] += 1
    return tuple(screens)


def _screen(observation: RecordedObservation, open_tree: OpenTree) -> RecordedScreen:
    return RecordedScreen(observation.event.tree, open_tree(observation), observation.focus, observation.step)
