"""Write a recorded task as files of a suite: the task with its solution, and a proposed goal."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from garabench.authoring.recording.person_session import step_text, texts_of
from garabench.core.selector import normalize
from garabench.core.steps import AnswerStep, SolutionStep
from garabench.core.tree import UiNode, UiTree

SOLUTION_MARK = "# solution: record it with garabench tasks record"
"""Stands for the solution in a task that has none yet."""
CONDITIONS_MARK = "# FILL IN: conditions that hold only when the task is done"
"""Stands for conditions in a goal that has none yet."""
_MOST_NAMED = 3
_NO_NAME = re.compile(r"[^a-z0-9]+")
_LONGEST_TEXT = 60


@dataclass(frozen=True, slots=True)
class TaskDraft:
    """A task to complete.

    Attributes:
        task: Its id.
        app: The app's package.
        instruction: The instruction by language; a placeholder is written for a missing one.
        steps: The solution.
        first, last: The screens before the first and after the last step; None if nothing was recorded.
    """

    task: str
    app: str
    instruction: Mapping[str, str]
    steps: Sequence[SolutionStep] = ()
    first: UiTree | None = None
    last: UiTree | None = None

    @property
    def goal(self) -> str:
        """Id of the proposed goal."""
        return f"{self.task}-done"

    def task_entry(self) -> str:
        """Return the task as an item of a tasks file."""
        lines = [f"  - id: {self.task}", "    instruction:"]
        texts = self.instruction or {"zh": "FILL IN", "en": "FILL IN"}
        lines += [f"      {lang}: {_quoted(text)}" for lang, text in texts.items()]
        lines += [f"    goal: {self.goal_use()}", f"    max_steps: {max(10, 2 * len(self.steps) + 5)}"]
        if not self.steps:
            return "\n".join([*lines, f"    {SOLUTION_MARK}", ""])
        return "\n".join([*lines, *self.solution_lines(), ""])

    def solution_lines(self) -> list[str]:
        """Return the solution, and near misses to complete as comments."""
        return [
            "    solution:",
            *(f"      - {step_text(step)}" for step in self.steps),
            "    # Near misses: wrong but plausible endings that the goal must reject. Complete them.",
            "    # near_misses:",
            *self._near_misses(),
        ]

    def _near_misses(self) -> Iterator[str]:
        """Yield variants of the solution to complete, as comments."""
        named = [at for at, step in enumerate(self.steps) if texts_of([step])]
        done = len(self.steps) - isinstance(self.steps[-1], AnswerStep)
        variants: list[tuple[str, str, Sequence[SolutionStep], int]] = []
        if named:
            variants.append(("other-object", "wrong-object", self.steps, named[-1]))
        if done > 1:
            variants.append(("stopped-early", "half-done", self.steps[: done - 1], -1))
        for name, kind, steps, other in variants:
            yield f"    #   - name: {name}"
            yield f"    #     kind: {kind}"
            yield "    #     steps:"
            for at, step in enumerate(steps):
                note = "  # FILL IN: another object" if at == other else ""
                yield f"    #       - {step_text(step)}{note}"

    def goal_entry(self) -> str:
        """Return the proposed goal as an item of a goals file."""
        lines = [
            f"  - id: {self.goal}",
            "    description: FILL IN what the screen shows when the task is done",
        ]
        objects = self._objects()
        if objects:
            lines.append("    params:")
            lines += [f"      {name}: {{type: text}}" for name in objects]
            conditions: list[dict[str, Any]] = [
                {"exists": {"id": entry, "text": f"{{{name}}}"}} for name, (entry, _) in objects.items()
            ]
        else:
            lines.append("    object: FILL IN why the goal names no object")
            conditions = self._states()
        if not conditions:
            lines.append(f"    {CONDITIONS_MARK}")
            conditions = [{"package": self.app}]
        lines += ["    holds:", "      all:"]
        lines += [f"        - {_flow(each)}" for each in conditions]
        return "\n".join([*lines, ""])

    def goal_use(self) -> str:
        """Return the use of the goal, with the object's texts."""
        values = {name: text for name, (_, text) in self._objects().items()}
        return f"{{use: {self.goal}, with: {_flow(values)}}}" if values else f"{{use: {self.goal}}}"

    def _objects(self) -> dict[str, tuple[str, str]]:
        """Return the elements of the last screen that name the object or tell the screen.

        Returns:
            The id and text of each, by the name of a parameter.
        """
        nodes = self._shown()
        wanted = {normalize(text) for text in texts_of(self.steps)}
        named = [node for node in nodes if normalize(node.text) in wanted][:_MOST_NAMED]
        before = set() if self.first is None else {node.entry for node in self.first.app_nodes}
        new = [
            node
            for node in nodes
            if node.entry not in before and _short(node.text) and normalize(node.text) not in wanted
        ]
        new.sort(key=lambda node: any(char.isdigit() for char in node.text), reverse=True)
        found: dict[str, tuple[str, str]] = {}
        for node in (*named, *new[: 2 if named else _MOST_NAMED]):
            name = _NO_NAME.sub("_", node.entry.lower()).strip("_")
            if name and name[0].isalpha():
                found.setdefault(name, (node.entry, normalize(node.text)))
        return found

    def _states(self) -> list[dict[str, Any]]:
        """Return conditions on what is checked or selected on the last screen."""
        found = [node for node in self._shown() if node.checked or node.selected]
        return [{"checked" if node.checked else "selected": {"id": node.entry}} for node in found[:2]]

    def _shown(self) -> list[UiNode]:
        """Return the visible elements of the app on the last screen that have an id, without repetitions."""
        nodes = () if self.last is None else self.last.app_nodes
        shown = [node for node in nodes if node.visible and node.package == self.app and node.entry]
        return list({(node.entry, normalize(node.text)): node for node in shown}.values())


def _short(text: str) -> bool:
    return bool(text.strip()) and len(text) <= _LONGEST_TEXT and normalize(text).isprintable()


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _flow(value: Any) -> str:
    """Return a value on one line, with every text in quotes."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {_flow(each)}" for key, each in value.items()) + "}"
    return json.dumps(value, ensure_ascii=False)
