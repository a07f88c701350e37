"""What an agent is: something that looks at an observation and decides on an action."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from garabench.core.action import Action
from garabench.core.geometry import Size
from garabench.core.observation import Observation


@dataclass(frozen=True, slots=True)
class Brief:
    """What an agent is told at the start of an episode.

    Attributes:
        instruction: What to do.
        language: Language of the instruction.
        app: Package of the app that the task is about; it is open when the episode begins.
        max_steps: Limit of actions.
        screen: Size of the screen.
        seed: For whatever the agent draws.
    """

    instruction: str
    language: str
    app: str
    max_steps: int
    screen: Size
    seed: int


@dataclass(frozen=True, slots=True)
class Decision:
    """What an agent decided.

    Attributes:
        action: What to do, in device pixels.
        thought: Why, in the agent's own words.
    """

    action: Action
    thought: str = ""


@dataclass(frozen=True, slots=True)
class Turn:
    """A step that is over: what was decided and how it went.

    Attributes:
        decision: The decision.
        ok: Whether the action made sense on its screen.
        detail: Why not.
    """

    decision: Decision
    ok: bool
    detail: str = ""


class Agent(Protocol):
    """An agent.

    Attributes:
        name: As in tables and paths.
        reference: Whether it follows the task's reference solution; marked in every table.
    """

    name: str
    reference: bool

    def start(self, brief: Brief) -> None:
        """Begin an episode.

        Raises:
            ModelError: What it needs cannot be reached.
        """
        ...

    def decide(self, observation: Observation, history: Sequence[Turn]) -> Decision:
        """Decide on the next action.

        Args:
            observation: The settled screen.
            history: The steps so far, oldest first.

        Raises:
            ModelError: Its model failed; the episode ends as ``error``.
        """
        ...

    def close(self) -> None:
        """End the episode; called in any case."""
        ...
