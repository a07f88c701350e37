"""Let an agent act on the board for a few steps."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import dataclass

from garabench.agents.interface import Agent, Brief, Decision, Turn, sound
from garabench.campaign.agentcheck.board import PACKAGE
from garabench.core import action as act
from garabench.core.observation import Observation
from garabench.device.device import Device
from garabench.errors import AgentError, AgentFailed, DeviceError, GaraError, ModelError

After = Callable[[Decision, Observation], bool]
"""Called after each action with the decision and the screen it was made on; True ends the episode."""


@dataclass(frozen=True, slots=True)
class Played:
    """How an episode went.

    Attributes:
        turns: The decisions.
        error: Why the agent could not go on; empty when it could.
    """

    turns: tuple[Turn, ...]
    error: str = ""

    @property
    def last(self) -> act.Action | None:
        """The last action."""
        return self.turns[-1].decision.action if self.turns else None

    @property
    def said_done(self) -> bool:
        """Whether the agent ended by saying that it is done."""
        return isinstance(self.last, act.Done)


def play(
    device: Device,
    agent: Agent,
    instruction: str,
    *,
    language: str,
    steps: int,
    seed: int,
    after: After = lambda decision, observation: False,
    raised: Callable[[BaseException], None] = lambda error: None,
) -> Played:
    """Let an agent act until it ends, the steps are used up, or `after` says so.

    Args:
        device: With the board in front.
        agent: A fresh one.
        instruction: What it is told to do.
        language: Of the instruction.
        steps: How many decisions it has.
        seed: For whatever it draws.
        after: Called after each action.
        raised: Called with what the agent's own code raised, if it did.

    Returns:
        What it decided. An agent that fails by itself ends the episode, whatever it raised.

    Raises:
        DeviceError: The device is gone.
        ModelError: The agent's model cannot be reached, so that nothing can be found out.
    """
    turns: list[Turn] = []
    brief = Brief(instruction, language, PACKAGE, steps, device.info.size, seed)
    try:
        agent.start(brief)
        for step in range(steps):
            observation = device.observe(step, settled=device.settle())
            decision = sound(agent.decide(observation, tuple(turns)))
            done = device.perform(decision.action, observation.screen)
            turns.append(Turn(decision, done.ok, done.detail))
            ended = isinstance(decision.action, act.Done | act.GiveUp)
            if ended or after(decision, observation):
                break
    except DeviceError:
        raise
    except GaraError as error:
        if isinstance(error, ModelError) and not isinstance(error, AgentFailed):
            raise
        if error.__cause__ is not None and isinstance(error, AgentError | AgentFailed):
            raised(error.__cause__)
        return Played(tuple(turns), str(error))
    except Exception as error:  # noqa: BLE001  # anyone may write an agent
        raised(error)
        return Played(tuple(turns), f"{type(error).__name__}: {error}")
    finally:
        with contextlib.suppress(Exception):
            agent.close()
    return Played(tuple(turns))
