"""A fault in the released data, its kinds, and how certain it is."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from garabench.caret import SourcePlace


class DataFaultKind(enum.StrEnum):
    """The kind of a fault."""

    MISSING_RULE = "missing-rule"
    HUMAN_VALIDATION = "human-validation"
    GOAL_OF_ANOTHER_ACTION = "goal-of-another-action"
    GOAL_OF_ANOTHER_OBJECT = "goal-of-another-object"
    GOAL_WITHOUT_OBJECT = "goal-without-object"
    BARE_CLASS = "bare-class"
    NEVER_MATCHES = "never-matches"
    WRONG_PACKAGE = "wrong-package"
    ONLY_STOPPED = "only-stopped"
    KEYWORD_OF_ANOTHER_TASK = "keyword-of-another-task"
    RULE_OF_ANOTHER_TASK = "rule-of-another-task"
    STRAY_SPACE = "stray-space"
    MISSPELT = "misspelt"
    DUPLICATE_INSTRUCTION = "duplicate-instruction"
    UNUSED_RULE = "unused-rule"
    UNUSED_GOAL = "unused-goal"
    UNUSED_INTERRUPTION = "unused-interruption"


MEANINGS = {
    DataFaultKind.MISSING_RULE: "a task names a rule that does not exist, so nothing interrupts it",
    DataFaultKind.HUMAN_VALIDATION: "a task has a placeholder as its goal, which never succeeds",
    DataFaultKind.GOAL_OF_ANOTHER_ACTION: "a goal asks for another action than the instruction",
    DataFaultKind.GOAL_OF_ANOTHER_OBJECT: "a goal names an object that the instruction does not",
    DataFaultKind.GOAL_WITHOUT_OBJECT: "a goal accepts the action on any object",
    DataFaultKind.BARE_CLASS: "a condition selects by class alone, so it tests only the first such element",
    DataFaultKind.NEVER_MATCHES: "a selector has an operator that its reader does not know",
    DataFaultKind.WRONG_PACKAGE: "a follow-up stops an app that is not the task's",
    DataFaultKind.ONLY_STOPPED: "a button restarts the app, but its follow-up only stops it",
    DataFaultKind.KEYWORD_OF_ANOTHER_TASK: "a keyword names the object of another task",
    DataFaultKind.RULE_OF_ANOTHER_TASK: "a rule was written for another task, so it does not fire on its own",
    DataFaultKind.STRAY_SPACE: "a keyword has a space before or after a Chinese character",
    DataFaultKind.MISSPELT: "a keyword is misspelt",
    DataFaultKind.DUPLICATE_INSTRUCTION: "two tasks have the same instruction",
    DataFaultKind.UNUSED_RULE: "no task uses the rule",
    DataFaultKind.UNUSED_GOAL: "no task uses the goal",
    DataFaultKind.UNUSED_INTERRUPTION: "no rule of a task injects the interruption",
}
"""What each kind means."""


@dataclass(frozen=True)
class DataFault:
    """A fault in the released data.

    Attributes:
        kind: Its kind.
        entry: The task's number, or the id of the rule, goal or interruption.
        message: What is wrong with this entry.
        place: Its location.
        tasks: The numbers of the tasks that it affects, ascending.
        suspected: Whether the data itself does not show it, so that a person must compare the real app. Such
            a fault is listed apart and not counted.
    """

    kind: DataFaultKind
    entry: str
    message: str
    place: SourcePlace
    tasks: tuple[int, ...] = ()
    suspected: bool = False
