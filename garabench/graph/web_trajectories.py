"""Read web trajectories from JSON files: a list, an object with one, or one object per line.

Each trajectory has a task, an agent, an outcome and steps; the names of WebArena, BrowserGym and AgentLab are
accepted for each, see docs/graphs.md.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from garabench.core.file_errors import unreadable
from garabench.errors import InputError
from garabench.graph.action_trajectory import ActionStep, ActionTrajectory
from garabench.graph.canonical_action import CanonicalAction, normalize_literal
from garabench.graph.slots import slots_of
from garabench.graph.web_actions import canonical_web_action, parse_elements, place_of, split_calls

MAX_BYTES = 1 << 30
_TASK = ("task_id", "task", "task_name", "id")
_AGENT = ("agent", "agent_name", "model", "framework")
_STEPS = ("steps", "trajectory", "actions", "history")
_OUTCOME = ("success", "reward", "cum_reward", "score", "result", "outcome")
_INSTRUCTION = ("intent", "goal", "instruction", "objective")
_ACTION = ("action", "action_str", "parsed_action", "raw_action", "description", "desc")
_TREE = ("axtree", "axtree_txt", "accessibility_tree", "observation", "obs")
_WON = {"success": True, "pass": True, "passed": True, "true": True, "1": True}
_FAILED = {"failure": False, "fail": False, "failed": False, "false": False, "0": False}

Namer = Callable[[CanonicalAction, str], CanonicalAction]
"""Completes an action that no rule understood, by its words."""


def read_web_trajectories(
    files: Iterable[Path], name_action: Namer | None = None
) -> tuple[ActionTrajectory, ...]:
    """Read the trajectories of files.

    Args:
        files: The files, JSON or JSON Lines.
        name_action: Completes an action that no rule understood; without it, such actions keep their words.

    Raises:
        InputError: A file cannot be read or is given twice, or a trajectory lacks its task, outcome or steps.
    """
    found: list[ActionTrajectory] = []
    attempts: dict[tuple[str, str], int] = {}
    for source, file in _named_files(files):
        for number, entry in enumerate(_entries(file)):
            found.append(_trajectory(entry, file, source, number, attempts, name_action))
    return tuple(found)


def _named_files(files: Iterable[Path]) -> list[tuple[str, Path]]:
    """Return the files, each with the shortest end of its path that no other file has."""
    paths: dict[Path, Path] = {}
    for file in files:
        path = file.absolute()
        if path in paths:
            raise InputError(f"{file} is given twice", hint="Give each file once.")
        paths[path] = file
    ends = Counter(path.parts[at:] for path in paths for at in range(len(path.parts)))
    named = []
    for path, file in paths.items():
        parts = path.parts
        end = next((parts[at:] for at in reversed(range(len(parts))) if ends[parts[at:]] == 1), parts)
        named.append((str(Path(*end)), file))
    return named


def _entries(file: Path) -> Sequence[Any]:
    try:
        if file.stat().st_size > MAX_BYTES:
            raise InputError(f"{file} is larger than {MAX_BYTES} bytes")
        text = file.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{file} is not UTF-8 text") from error
    except OSError as error:
        raise unreadable(file, error) from error
    if not text.strip():
        raise InputError(f"{file} is empty", hint="Give a file with at least one trajectory.")
    try:
        data = json.loads(text)
    except (json.JSONDecodeError, RecursionError):
        return tuple(_lines(text, file))
    if isinstance(data, Mapping) and isinstance(data.get("trajectories"), list):
        data = data["trajectories"]
    if isinstance(data, Mapping) and not any(name in data for name in _STEPS):
        data = next((value for value in data.values() if isinstance(value, list)), data)
    return data if isinstance(data, list) else (data,)


def _lines(text: str, file: Path) -> Iterator[Any]:
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip():
            try:
                yield json.loads(line)
            except (json.JSONDecodeError, RecursionError) as error:
                column = getattr(error, "colno", 1)
                raise InputError(f"{file}:{number}:{column}: not JSON") from error


def _trajectory(
    entry: Any,
    file: Path,
    source: str,
    number: int,
    attempts: dict[tuple[str, str], int],
    namer: Namer | None,
) -> ActionTrajectory:
    where = f"{file}: trajectory {number + 1}"
    if not isinstance(entry, Mapping):
        raise InputError(f"{where} is not an object")
    task, agent = _text(entry, _TASK), _text(entry, _AGENT) or "unknown"
    steps = next((entry[name] for name in _STEPS if isinstance(entry.get(name), list)), None)
    if not task:
        raise InputError(f"{where} names no task", hint=f"Expected one of the keys {', '.join(_TASK)}.")
    if steps is None:
        raise InputError(f"{where} has no steps", hint=f"Expected a list under one of {', '.join(_STEPS)}.")
    success = _success(entry)
    if success is None:
        given = next((f": {name} is {str(entry[name])[:40]!r}" for name in _OUTCOME if name in entry), "")
        raise InputError(
            f"{where} has no outcome{given}",
            hint=f"Expected true, false, a number, or a word such as pass or fail "
            f"under one of the keys {', '.join(_OUTCOME)}.",
        )
    attempts[task, agent] = attempt = attempts.get((task, agent), 0) + 1
    slots = slots_of(_text(entry, _INSTRUCTION))
    made = []
    for index, step in enumerate(steps):
        text, url, tree = _step(step)
        if not text:
            continue
        elements, state = parse_elements(tree), _state(url, tree)
        for call, part in enumerate(split_calls(text)):
            action = canonical_web_action(part, url, elements, slots)
            if namer is not None and action.wording:
                action = namer(action, part)
            # The page between two calls of one action is not recorded; it is not the page before them.
            made.append(ActionStep(action, index, f"{state} call {call + 1}" if state and call else state))
    return ActionTrajectory(
        id=f"{source}/{number:06}",
        task=task,
        agent=agent,
        success=success,
        steps=tuple(made),
        condition=_text(entry, ("condition",)),
        attempt=attempt,
        source=source,
    )


def _text(entry: Mapping[str, Any], names: Sequence[str]) -> str:
    value = next((entry[name] for name in names if isinstance(entry.get(name), str | int)), "")
    return str(value)


def _success(entry: Mapping[str, Any]) -> bool | None:
    for name in _OUTCOME:
        value = entry.get(name)
        if isinstance(value, bool):
            return value
        if isinstance(value, str):
            word = normalize_literal(value)
            if word in _WON or word in _FAILED:
                return word in _WON
            value = _float(word)
        if isinstance(value, int | float) and math.isfinite(value):
            return value >= 1
    return None


def _float(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _step(step: Any) -> tuple[str, str, str]:
    """Return the action of a step, the address of its page, and its accessibility tree."""
    if isinstance(step, str):
        return step, "", ""
    if not isinstance(step, Mapping):
        return "", "", ""
    nested_pages = (step[name] for name in ("obs", "observation") if isinstance(step.get(name), Mapping))
    observed: Mapping[str, Any] = next(nested_pages, {})
    action = next((step[name] for name in _ACTION if isinstance(step.get(name), str)), "")
    nested = step.get("action")
    if not action and isinstance(nested, Mapping):
        action = _text(nested, _ACTION)
    url = _text(step, ("url",)) or _text(observed, ("url",))
    tree = _text(step, _TREE) or _text(observed, (*_TREE, "text"))
    return action, url, tree


def _state(url: str, tree: str) -> str:
    """Return the state of a page; empty if only its address is known, which many states share."""
    if not tree:
        return ""
    digest = hashlib.sha256(tree.encode("utf-8", "replace")).hexdigest()[:16]
    return f"{place_of(url)} {digest}"
