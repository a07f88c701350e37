"""What an agent is: something that looks at an observation and decides on an action."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from pydantic import ValidationError

from garabench.core import action as act
from garabench.core.action import Action
from garabench.core.geometry import Size
from garabench.core.observation import Observation
from garabench.core.spending import Spent
from garabench.errors import AgentError, AgentFault

MOST_SAID = 1024 * 1024
"""What a decision may say, whatever kind of agent it comes from: more would fill the disk, not the record."""


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
        spent: What its model took for it, where it has one and knows.
    """

    action: Action
    thought: str = ""
    spent: Spent | None = None


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
            ModelError: What it needs cannot be reached; the episode ends as ``error``, as it does by any
                other exception here: the agent has taken no part yet.
        """
        ...

    def decide(self, observation: Observation, history: Sequence[Turn]) -> Decision:
        """Decide on the next action.

        Args:
            observation: The settled screen.
            history: The steps so far, oldest first.

        Raises:
            ModelError: Its model failed; the episode ends as ``error``.
            AgentError: It failed by itself; the episode ends as ``failure`` for that reason. Any other
                exception is taken for one of the kind ``agent_failed``.
        """
        ...

    def close(self) -> None:
        """End the episode; called in any case."""
        ...


def sound(decision: object) -> Decision:
    """What an agent has returned, when it is a decision on an action through and through.

    Args:
        decision: Anything: those who write agents may return what they like.

    Raises:
        AgentError: It is none (``unparseable``).
    """
    if not isinstance(decision, Decision):
        raise AgentError(
            AgentFault.UNPARSEABLE,
            f"the agent returned a value of the type {_type(decision)}, not a Decision",
        )
    if not isinstance(decision.thought, str):
        raise AgentError(
            AgentFault.UNPARSEABLE,
            f"the decision's thought is of the type {_type(decision.thought)}, not str",
        )
    if len(decision.thought) > MOST_SAID:
        raise AgentError(
            AgentFault.UNPARSEABLE,
            f"the decision's thought has {len(decision.thought)} characters; at most {MOST_SAID} are kept",
        )
    if decision.spent is not None and not isinstance(decision.spent, Spent):
        raise AgentError(
            AgentFault.UNPARSEABLE,
            f"what the decision has spent is of the type {_type(decision.spent)}, not Spent",
        )
    if decision.spent is not None and not math.isfinite(decision.spent.seconds + decision.spent.queued):
        raise AgentError(AgentFault.UNPARSEABLE, "the seconds that the decision has spent have no end")
    try:
        action = act.to_json(act.from_json(act.to_json(decision.action)))
    except (ValidationError, AttributeError, TypeError, ValueError):
        raise AgentError(
            AgentFault.UNPARSEABLE, f"the decision's action is none, but of the type {_type(decision.action)}"
        ) from None
    try:
        size = len(json.dumps(action, ensure_ascii=False).encode())
    except UnicodeEncodeError:
        raise AgentError(
            AgentFault.UNPARSEABLE, "the text of the decision's action has half a letter in it"
        ) from None
    if size > MOST_SAID:
        raise AgentError(
            AgentFault.UNPARSEABLE, f"the decision's action takes {size} bytes; at most {MOST_SAID} are kept"
        )
    return decision


def _type(value: object) -> str:
    return type(value).__qualname__


def is_ours(agent: object) -> bool:
    """Whether an agent's code came with GaraBench, so that a mistake in it is ours and not the agent's."""
    return type(agent).__module__.partition(".")[0] == "garabench"
