"""Adopt a finding: write its walk into the task's file as a near miss or as an alternative.

The file is edited as text, so that its comments, order and style stay.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from garabench.core.yaml_text import flow
from garabench.core.yamldoc import Path as DocPath
from garabench.core.yamldoc import YamlDoc, parse_yaml
from garabench.errors import InputError
from garabench.proof.fuzz.accepted_findings import step_data
from garabench.proof.fuzz.walk import FuzzFinding, WalkVerdict
from garabench.suite.suite import SuiteTask

NOTE = "Found by `garabench tasks fuzz`: review its name, its kind and whether each step is needed."
_NOT_IN_NAMES = re.compile(r"[^a-z0-9]+")


@dataclass(frozen=True, slots=True)
class Adopted:
    """An adopted finding.

    Attributes:
        key: ``near_misses`` or ``alternatives``.
        name: The new entry's name.
        text: The whole text of the file with it.
    """

    key: str
    name: str
    text: str


def adopt(text: str, file: str, item: SuiteTask, finding: FuzzFinding) -> Adopted:
    """Return a task file with a finding as a new near miss, or as a new alternative.

    What is accepted although it did something unasked becomes a near miss, which the goal must refuse. What
    is refused although it is right becomes an alternative, which the goal must accept.

    Args:
        text: The text of the file.
        file: Its path, for messages.
        item: The task.
        finding: The finding.

    Raises:
        InputError: It is not a mistake of the goal, or the task is not in the file.
    """
    walk, verdict = finding.result.walk, finding.result.verdict
    if verdict is WalkVerdict.HARMLESS_CHANGES:
        raise InputError(
            f"{finding.id} changes something although all its actions are harmless",
            hint="Fix the app's state, or declare the kind as incidental at the head of the tasks' file.",
        )
    key = "near_misses" if verdict is WalkVerdict.ACCEPTED_SEEN else "alternatives"
    doc = parse_yaml(text, file)
    place = _place_of(doc, item.task.id, file)
    names = {each.name for each in (*item.task.near_misses, *item.task.alternatives)}
    name = _free_name(finding, names)
    steps = next(
        (each.steps for each in item.task.alternatives if each.name == walk.path), item.task.solution
    )
    entry = [
        f"      # {NOTE}",
        f"      - name: {name}",
        *(["        kind: overdone"] if key == "near_misses" else []),
        "        steps:",
        *(f"          - {_step_text(step_data(step))}" for step in walk.steps(steps)),
    ]
    lines = text.split("\n")
    at = ("tasks", place, key)
    if isinstance(doc.value(at), list) and doc.value(at):
        end = _end_of(doc, at, lines)
    else:
        entry.insert(0, f"    {key}:")
        near = ("tasks", place, "near_misses")
        end = doc.key_marks[near][0] if near in doc.key_marks else _end_of(doc, ("tasks", place), lines)
    return Adopted(key, name, "\n".join([*lines[:end], *entry, *lines[end:]]))


def _place_of(doc: YamlDoc, task: str, file: str) -> int:
    tasks = doc.value(("tasks",))
    for place, each in enumerate(tasks if isinstance(tasks, list) else ()):
        if isinstance(each, dict) and each.get("id") == task:
            return place
    raise InputError(f"{file} has no task {task}")


def _end_of(doc: YamlDoc, path: DocPath, lines: list[str]) -> int:
    """Return the line after the last line of a value, without the empty lines and comments that follow it."""
    start = doc.key_marks.get(path, doc.marks[path])
    later = [
        mark
        for table in (doc.marks, doc.key_marks)
        for other, mark in table.items()
        if other[: len(path)] != path and mark > start
    ]
    end = min(later)[0] if later else len(lines)
    while end > 0 and (not lines[end - 1].strip() or lines[end - 1].lstrip().startswith("#")):
        end -= 1
    return end


def _free_name(finding: FuzzFinding, taken: set[str]) -> str:
    """Return a name for the entry that the task does not have yet."""
    kinds = [each.kind.value for each in finding.result.walk.inserted if each.kind.value != "return"]
    words = [*finding.changes, "too"] if finding.changes else ["after", *dict.fromkeys(kinds)]
    name = _NOT_IN_NAMES.sub("-", " ".join(words).lower()).strip("-")
    candidates = [name, *(f"{name}-{number}" for number in range(2, len(taken) + 3))]
    return next(each for each in candidates if each not in taken)


def _step_text(data: object) -> str:
    """Return a step as the suite's files write it: ``tap: {id: frame_like}``."""
    if isinstance(data, dict):
        ((name, value),) = data.items()
        return name if value is None else f"{name}: {flow(value)}"
    return str(data)
