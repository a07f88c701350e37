"""The interface of an agent: it turns an observation into a decision."""

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
from garabench.core.usage import Usage
from garabench.errors import AgentError, AgentFault

MAX_DECISION_BYTES = 1024 * 1024
"""Limit of a decision's size, for every kind of agent."""


@dataclass(frozen=True, slots=True)
class Brief:
    """The task, as an agent receives it at the start of an episode.

    Attributes:
        instruction: What to do.
        language: Language of the instruction.
        app: Package of the app that the task is about; it is open when the episode begins.
        max_steps: Limit of actions.
        screen: Size of the screen.
        seed: Random seed for the agent.
    """

    instruction: str
    language: str
    app: str
    max_steps: int
    screen: Size
    seed: int


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision of an agent.

    Attributes:
        action: The action, in device pixels.
        thought: The agent's reasoning.
        usage: Usage of its model, if it has one and reports it.
    """

    action: Action
    thought: str = ""
    usage: Usage | None = None


@dataclass(frozen=True, slots=True)
class Turn:
    """A completed step.

    Attributes:
        decision: The decision.
        ok: Whether the action could be performed on its screen.
        detail: Why it could not; empty otherwise.
    """

    decision: Decision
    ok: bool
    detail: str = ""


class Agent(Protocol):
    """An agent.

    Attributes:
        name: Name in tables and paths.
        reference: Whether it follows the task's reference solution; every table marks such agents.
    """

    name: str
    reference: bool

    def start(self, brief: Brief) -> None:
        """Begin an episode.

        Raises:
            ModelError: Its model or service cannot be reached. This and any other exception here end the
                episode as ``error``, since the agent has not acted yet.
        """
        ...

    def decide(self, observation: Observation, history: Sequence[Turn]) -> Decision:
        """Decide on the next action.

        Args:
            observation: The settled screen.
            history: The steps so far, oldest first.

        Raises:
            ModelError: Its model failed; the episode ends as ``error``.
            AgentError: The agent itself failed; the episode ends as ``failure`` with that reason. Any other
                exception counts as ``agent_failed``.
        """
        ...

    def close(self) -> None:
        """End the episode; called in any case."""
        ...


def validate_decision(decision: object) -> Decision:
    """Return an agent's decision if every part of it is valid.

    Args:
        decision: What the agent returned, of any type.

    Raises:
        AgentError: It is not a valid decision (``unparseable``).
    """
    if not isinstance(decision, Decision):
        raise AgentError(
            AgentFault.UNPARSEABLE,
            f"the agent returned {_type(decision)}, not Decision",
        )
    if not isinstance(decision.thought, str):
        raise AgentError(
            AgentFault.UNPARSEABLE,
            f"`Decision.thought` is {_type(decision.thought)}, not str",
        )
    if len(decision.thought) > MAX_DECISION_BYTES:
        raise AgentError(
            AgentFault.UNPARSEABLE,
            f"`Decision.thought` has {len(decision.thought)} characters; the limit is {MAX_DECISION_BYTES}",
        )
    if decision.usage is not None and not isinstance(decision.usage, Usage):
        raise AgentError(
            AgentFault.UNPARSEABLE,
            f"`Decision.usage` is {_type(decision.usage)}, not Usage",
        )
    if decision.usage is not None and not math.isfinite(decision.usage.seconds + decision.usage.queued):
        raise AgentError(AgentFault.UNPARSEABLE, "`Decision.usage` has a non-finite duration")
    try:
        action = act.to_json(act.from_json(act.to_json(decision.action)))
    except (ValidationError, AttributeError, TypeError, ValueError):
        raise AgentError(
            AgentFault.UNPARSEABLE, f"`Decision.action` is {_type(decision.action)}, not a valid action"
        ) from None
    try:
        size = len(json.dumps(action, ensure_ascii=False).encode())
    except UnicodeEncodeError:
        raise AgentError(
            AgentFault.UNPARSEABLE, "the text of `Decision.action` contains an unpaired surrogate"
        ) from None
    if size > MAX_DECISION_BYTES:
        raise AgentError(
            AgentFault.UNPARSEABLE,
            f"`Decision.action` has {size} bytes; the limit is {MAX_DECISION_BYTES}",
        )
    return decision


def _type(value: object) -> str:
    return type(value).__qualname__


def is_built_in(agent: object) -> bool:
    """Return whether an agent's code is part of GaraBench, so that a bug in it is a harness error."""
    return type(agent).__module__.partition(".")[0] == "garabench"
