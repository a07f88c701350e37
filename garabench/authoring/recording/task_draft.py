"""Write a recorded task as files of a suite: the task with its solution, and a proposed goal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from garabench.authoring.goal_proposal import GoalProposal, propose_goal
from garabench.authoring.recording.gesture_steps import StepOnScreen
from garabench.authoring.recording.person_session import step_text, texts_of
from garabench.core.recorded_facts import RecordedFacts
from garabench.core.selector import find, normalize
from garabench.core.step_planner import target_of
from garabench.core.steps import AnswerStep, SolutionStep
from garabench.core.yaml_text import flow
from garabench.errors import InputError
from garabench.rules.engine import foreground

SOLUTION_MARK = "# solution: record it with garabench tasks record"
"""Stands for the solution in a task that has none yet."""
CONDITIONS_MARK = "# FILL IN: conditions that hold only when the task is done"
"""Stands for conditions in a goal that has none yet."""
_MOST_NAMED = 3


@dataclass(frozen=True, slots=True)
class TaskDraft:
    """A task to complete.

    Attributes:
        task: Its id.
        app: The app's package.
        instruction: The instruction by language; a placeholder is written for a missing one.
        steps: The solution.
        proposal: The proposed goal; None if nothing was recorded, or nothing tells the screens apart.
    """

    task: str
    app: str
    instruction: Mapping[str, str]
    steps: Sequence[SolutionStep] = ()
    proposal: GoalProposal | None = None

    @property
    def goal(self) -> str:
        """Id of the proposed goal."""
        return f"{self.task}-done"

    def task_entry(self) -> str:
        """Return the task as an item of a tasks file."""
        lines = [f"  - id: {self.task}", "    instruction:"]
        texts = self.instruction or {"zh": "FILL IN", "en": "FILL IN"}
        lines += [f"      {lang}: {flow(text)}" for lang, text in texts.items()]
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
        if self.proposal is not None:
            return self.proposal.text
        lines = [
            f"  - id: {self.goal}",
            "    description: FILL IN what the screen shows when the task is done",
            "    object: FILL IN why the goal names no object",
            f"    {CONDITIONS_MARK}",
            "    holds:",
            "      all:",
            f"        - package: {self.app}",
        ]
        return "\n".join([*lines, ""])

    def goal_use(self) -> str:
        """Return the use of the goal, with the values of its parameters."""
        use: dict[str, object] = {"use": self.goal}
        if self.proposal is not None and self.proposal.values:
            use["with"] = dict(self.proposal.values)
        return flow(use)


def propose_recorded_goal(
    draft: TaskDraft, before: RecordedFacts, after: RecordedFacts, recorded: Sequence[StepOnScreen]
) -> TaskDraft:
    """Return a draft with a goal that holds at the end of a recording and not at its beginning.

    What the person touched or typed names the objects, if the last screen shows it.

    Args:
        draft: The draft.
        before: The first screen.
        after: The last screen.
        recorded: The steps.

    Returns:
        The draft; without a proposal if nothing tells the screens apart.
    """
    app = foreground(after)
    shown = {
        normalize(text)
        for node in after.tree.app_nodes
        if node.visible and node.package == app
        for text in (node.text, node.desc)
    }
    names = (next(filter(shown.__contains__, _touched_texts(each)), "") for each in recorded)
    named = [text for text in dict.fromkeys(names) if text]
    try:
        proposal = propose_goal(before, after, goal=draft.goal, named=named[-_MOST_NAMED:])
    except InputError:
        return draft
    return replace(draft, proposal=proposal)


def _touched_texts(recorded: StepOnScreen) -> Iterator[str]:
    """Yield the texts that a step names or types, and those of the element that it touches and contains."""
    yield from map(normalize, texts_of([recorded.step]))
    target = target_of(recorded.step)
    for node in [] if target is None else find(recorded.tree, target)[:1]:
        for below in node.walk():
            yield from filter(None, (normalize(below.text), normalize(below.desc)))
