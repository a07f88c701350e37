"""The faults that an agent can be given, and the names of agents that have one."""

from __future__ import annotations

import enum
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from garabench.core.file_errors import unreadable
from garabench.core.suggestions import did_you_mean
from garabench.errors import InputError

SCHEME = "faulty"
FORM = "faulty:FAULT:AGENT"


class AgentFaultKind(enum.StrEnum):
    """A mistake that agents make, repeated whenever its occasion returns."""

    WRONG_TARGET = "wrong-target"
    OFF_BY_ONE = "off-by-one"
    WRONG_ROW = "wrong-row"
    GIVES_UP_EARLY = "gives-up-early"
    CLAIMS_DONE = "claims-done"
    NO_SCROLL = "no-scroll"
    WRONG_TEXT = "wrong-text"
    LOOPS = "loops"
    FORGETS_SUBMIT = "forgets-submit"
    TAPS_THROUGH = "taps-through"
    WRONG_APP = "wrong-app"
    IGNORES_KEYBOARD = "ignores-keyboard"
    WRONG_ANSWER = "wrong-answer"
    STALE_SCREEN = "stale-screen"


ABOUT: Mapping[AgentFaultKind, str] = {
    AgentFaultKind.WRONG_TARGET: "presses another element instead of the one it wants",
    AgentFaultKind.OFF_BY_ONE: "presses the element after the one it wants",
    AgentFaultKind.WRONG_ROW: "presses the right control in the next row",
    AgentFaultKind.GIVES_UP_EARLY: "gives up after a few steps",
    AgentFaultKind.CLAIMS_DONE: "reports the task done after a few steps",
    AgentFaultKind.NO_SCROLL: "does not scroll, and gives up on what is out of view",
    AgentFaultKind.WRONG_TEXT: "types a text with a mistake",
    AgentFaultKind.LOOPS: "repeats two actions until its steps run out",
    AgentFaultKind.FORGETS_SUBMIT: "types without submitting, and reports the task done before confirming",
    AgentFaultKind.TAPS_THROUGH: "continues blindly while something covers the app",
    AgentFaultKind.WRONG_APP: "switches to another app and continues there",
    AgentFaultKind.IGNORES_KEYBOARD: "opens the keyboard, but types nothing",
    AgentFaultKind.WRONG_ANSWER: "answers with another value on the screen",
    AgentFaultKind.STALE_SCREEN: "does not see that the screen has changed",
}
"""What an agent with the fault does."""


@dataclass(frozen=True, slots=True)
class FaultChoice:
    """Which fault an agent has in which task.

    Attributes:
        fault: The fault in every task that `by_task` does not name; None for no fault.
        by_task: The faults of single tasks; None for no fault.
    """

    fault: AgentFaultKind | None
    by_task: Mapping[str, AgentFaultKind | None]

    def in_task(self, task: str) -> AgentFaultKind | None:
        """Return the fault in a task."""
        return self.by_task.get(task, self.fault)


def parse_fault(text: str) -> FaultChoice:
    """Parse the fault in an agent's name: a fault, or ``@FILE`` with a fault for each task.

    The file is a JSON object: task ids with the name of a fault, or null for none. It keeps the faults out of
    the run's records.

    Raises:
        InputError: The fault is unknown, or the file cannot be read.
    """
    if not text.startswith("@"):
        return FaultChoice(_fault(text), {})
    path = Path(text[1:])
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except json.JSONDecodeError as error:
        raise InputError(f"{path} is not JSON: {error}") from error
    except (OSError, UnicodeError) as error:
        raise unreadable(path, error) from error
    if not isinstance(data, dict) or not all(isinstance(name, str | None) for name in data.values()):
        raise InputError(f"{path} is not an object of tasks and faults")
    return FaultChoice(None, {task: None if name is None else _fault(name) for task, name in data.items()})


def _fault(name: str) -> AgentFaultKind:
    if name not in set(AgentFaultKind):
        raise InputError(f"unknown agent fault {name!r}", hint=did_you_mean(name, list(AgentFaultKind)))
    return AgentFaultKind(name)
