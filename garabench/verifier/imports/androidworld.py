"""Import AndroidWorld's episodes: its checkpoints (``*.pkl.gz``), or the same episodes as JSON.

A checkpoint is a compressed pickle, which is read as plain data: nothing in it is run. In JSON, pictures are
files or in Base64. The keys are those of its episodes; ``episode_data`` may be a list of steps, or one list
for each key of a step. The elements of a screen become a flat UI tree.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from PIL import Image

from garabench.agents.dialects.android_world import M3A
from garabench.agents.dialects.coordinates import ScreenView
from garabench.agents.dialects.reply import ParsedReply
from garabench.core.action import Action
from garabench.core.geometry import Rect, Size
from garabench.core.png import encode_png
from garabench.core.tree import UiNode, UiTree, is_system
from garabench.errors import InputError
from garabench.verifier.imports.imported_trajectory import (
    Frames,
    ImportedTrajectory,
    bounded_text,
    digest_of_files,
    first_text,
    pixel,
    read_json,
)
from garabench.verifier.imports.inert_pickle import PickledArray, read_inert_pickle
from garabench.verifier.trajectory import Ending, Trajectory, TrajectorySource, TrajectoryStep

_PICKLES = (".pkl", ".pkl.gz", ".pickle")
_FLAGS = ("checked", "checkable", "clickable", "enabled", "focused", "focusable", "scrollable", "selected")
_ELEMENTS = ("before_ui_elements", "before_element_list", "ui_elements")
_AFTER_ELEMENTS = ("after_ui_elements", "after_element_list")
_PICTURES = ("before_screenshot", "raw_screenshot", "screenshot")
_AFTER_PICTURES = ("after_screenshot", "after_screenshot_with_som")
_MODES = {1: "L", 3: "RGB", 4: "RGBA"}
_STATUS = {"complete": Ending.DONE, "infeasible": Ending.GAVE_UP}


def find_files(folder: Path) -> Iterator[Path]:
    """Iterate over the episodes' files in a folder.

    Args:
        folder: The folder.
    """
    names = (".json", *_PICKLES)
    yield from sorted(path for path in folder.rglob("*") if path.name.endswith(names) and path.is_file())


def read(file: Path, root: Path, pictures: Path) -> Iterator[ImportedTrajectory]:
    """Read the episodes of a file.

    Args:
        file: The file.
        root: The folder that was searched.
        pictures: Where encoded pictures are written.

    Raises:
        InputError: It is malformed.
    """
    is_json = file.name.endswith(".json")
    data = read_json(file) if is_json else read_inert_pickle(file)
    episodes = data if isinstance(data, list) else [data]
    for number, episode in enumerate(episodes):
        if not isinstance(episode, dict) or "goal" not in episode:
            raise InputError(f"{file}: episode {number} has no goal")
        if "episode_data" not in episode and not episode.get("exception_info"):
            raise InputError(f"{file}: episode {number} has no episode_data, so it has no steps to read")
        name = file.relative_to(root).with_name(file.name.partition(".")[0]).as_posix()
        yield _episode(episode, file, name if len(episodes) == 1 else f"{name}/{number}", pictures)


def _episode(episode: Mapping[str, Any], file: Path, key: str, pictures: Path) -> ImportedTrajectory:
    rows = _steps(episode.get("episode_data"), file)
    frames = Frames(file.parent, pictures)
    steps: list[TrajectoryStep] = []
    ending, answer = Ending.STOPPED, None
    for number, row in enumerate(rows):
        last = number == len(rows) - 1
        action = _action(row)
        kind = str(action.get("action_type", "")).casefold()
        has_after = any(row.get(name) is not None for name in (*_AFTER_ELEMENTS, *_AFTER_PICTURES))
        tree, bounds = _tree(row, _ELEMENTS)
        before = frames.add(
            number,
            _picture(row, _PICTURES),
            tree=tree,
            text=first_text(row, *_ELEMENTS),
            package=_package(tree),
            final=last and not has_after and kind == "status",  # nothing was performed after it
        )
        after = None
        if last and has_after:
            then, _ = _tree(row, _AFTER_ELEMENTS)
            package = _package(then)
            after = frames.add(
                number + 1, _picture(row, _AFTER_PICTURES), tree=then, package=package, final=True
            )
        if kind == "status":
            ending = _STATUS.get(str(action.get("goal_status", "")).casefold(), ending)
        elif kind == "answer":
            answer = bounded_text(action.get("text")) or None
        steps.append(
            TrajectoryStep(
                number=number,
                action=_performed(row, action, tree, bounds),
                text=bounded_text(action) if action else first_text(row, "action_output", "action"),
                thought=first_text(row, "action_reason", "summary"),
                before=before,
                after=after,
            )
        )
    steps = _linked(steps)
    done = episode.get("is_successful")
    return ImportedTrajectory(
        Trajectory(
            key=key,
            source=TrajectorySource.ANDROIDWORLD,
            digest=digest_of_files(file),
            instruction=bounded_text(episode["goal"]),
            task=first_text(episode, "task_template"),
            frames=frames.frames,
            steps=tuple(steps),
            ending=Ending.BROKEN if episode.get("exception_info") else ending,
            answer=answer,
            final_message=steps[-1].thought if steps else "",
        ),
        float(done) >= 1 if isinstance(done, bool | int | float) and math.isfinite(done) else None,
        first_text(episode, "agent_name"),
    )


def _picture(row: Mapping[str, Any], names: Sequence[str]) -> str | bytes | None:
    """Return the first of a step's pictures: a path, Base64, or the PNG of an array of pixels."""
    value = next((row[name] for name in names if row.get(name) is not None), None)
    if not isinstance(value, PickledArray):
        return value if isinstance(value, str | bytes) else None
    if value.kind != "u1" or len(value.shape) != 3 or value.shape[2] not in _MODES:
        return None
    height, width, channels = value.shape
    if not height or not width:
        return None
    return encode_png(Image.frombytes(_MODES[channels], (width, height), value.data).convert("RGB"))


def _tree(row: Mapping[str, Any], names: Sequence[str]) -> tuple[UiTree | None, tuple[Rect, ...]]:
    """Return the elements of a screen as a tree, and the bounds of each; None if they are not recorded."""
    elements: list[Any] = next((row[name] for name in names if isinstance(row.get(name), list)), [])
    nodes = tuple(_node(each) for each in elements if isinstance(each, dict))
    if not nodes or len(nodes) != len(elements):
        return None, ()
    right = max(node.bounds.right for node in nodes)
    bottom = max(node.bounds.bottom for node in nodes)
    packages = Counter(node.package for node in nodes if node.package and not is_system(node.package))
    package = next((name for name, _ in packages.most_common(1)), "")
    root = UiNode(package=package, bounds=Rect(0, 0, right, bottom), children=nodes)
    return UiTree((root,)), tuple(node.bounds for node in nodes)


def _node(element: Mapping[str, Any]) -> UiNode:
    box = element.get("bbox_pixels")
    box = box if isinstance(box, dict) else {}
    left, top, right, bottom = (pixel(box.get(name)) or 0 for name in ("x_min", "y_min", "x_max", "y_max"))
    flags: dict[str, Any] = {name: element.get(f"is_{name}") is True for name in _FLAGS}
    return UiNode(
        text=first_text(element, "text"),
        resource_id=first_text(element, "resource_name", "resource_id"),
        cls=first_text(element, "class_name"),
        package=first_text(element, "package_name"),
        desc=first_text(element, "content_description"),
        hint=first_text(element, "hint_text"),
        bounds=Rect(left, top, max(left, right), max(top, bottom)),
        long_clickable=element.get("is_long_clickable") is True,
        visible=element.get("is_visible") is not False,
        **(flags | {"enabled": element.get("is_enabled") is not False}),
    )


def _package(tree: UiTree | None) -> str:
    return "" if tree is None else tree.roots[0].package


def _performed(
    row: Mapping[str, Any], action: Mapping[str, Any], tree: UiTree | None, bounds: tuple[Rect, ...]
) -> Action | None:
    """Return a step's action; None if it is not recorded, or has no counterpart here."""
    given = {name: value for name, value in action.items() if value is not None}
    text = f"Action: {json.dumps(given, default=str)}" if given else first_text(row, "action_output")
    if not text:
        return None
    size = tree.roots[0].bounds.size if tree is not None else Size(1080, 2400)
    parsed = M3A.parse(text, ScreenView(size, size, bounds))
    return parsed.action if isinstance(parsed, ParsedReply) else None


def _linked(steps: list[TrajectoryStep]) -> list[TrajectoryStep]:
    """Return the steps, each with the next step's frame after its action."""
    following = [step.before for step in steps[1:]] + [None] * bool(steps)
    return [
        TrajectoryStep(
            step.number,
            step.action,
            step.text,
            step.thought,
            step.ok,
            step.detail,
            step.before,
            step.after if step.after is not None else after,
        )
        for step, after in zip(steps, following, strict=True)
    ]


def _steps(data: object, file: Path) -> list[Mapping[str, Any]]:
    if data is None or isinstance(data, float):  # an episode that broke off has NaN there
        return []
    if isinstance(data, list) and all(isinstance(row, dict) for row in data):
        return data
    if isinstance(data, dict) and all(isinstance(column, list) for column in data.values()):
        length = max((len(column) for column in data.values()), default=0)
        return [
            {name: column[at] for name, column in data.items() if at < len(column)} for at in range(length)
        ]
    raise InputError(f"{file}: episode_data is neither a list of steps nor one list for each key")


def _action(row: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the action as an object; empty if it is not recorded as one."""
    for name in ("action_output_json", "converted_action", "action"):
        value = row.get(name)
        if isinstance(value, str):
            try:
                value = json.loads(value)
            except ValueError:
                continue
        if isinstance(value, dict):
            return value
    return {}
