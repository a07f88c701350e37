"""Run an agent on the target board for a few steps."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import dataclass

from garabench.agentcheck.board import PACKAGE
from garabench.agents.interface import Agent, Brief, Decision, Turn, validate_decision
from garabench.core import action as act
from garabench.core.observation import Observation
from garabench.device.device import Device
from garabench.errors import AgentError, AgentStartError, DeviceError, GaraError, ModelError

After = Callable[[Decision, Observation], bool]
"""Called after each action with the decision and the screen it was made on; True ends the episode."""


@dataclass(frozen=True, slots=True)
class BoardEpisode:
    """The result of a check.

    Attributes:
        turns: The agent's decisions and their effects.
        error: Why the agent failed; empty if it did not.
    """

    turns: tuple[Turn, ...]
    error: str = ""

    @property
    def last(self) -> act.Action | None:
        """The last action; None if there was none."""
        return self.turns[-1].decision.action if self.turns else None

    @property
    def said_done(self) -> bool:
        """Whether the agent's last action was `done`."""
        return isinstance(self.last, act.Done)


def run_board_episode(
    device: Device,
    agent: Agent,
    instruction: str,
    *,
    language: str,
    steps: int,
    seed: int,
    after: After = lambda decision, observation: False,
    raised: Callable[[BaseException], None] = lambda error: None,
) -> BoardEpisode:
    """Let an agent act until it ends the episode, the steps are used up, or `after` returns True.

    Args:
        device: A device with the board in the foreground.
        agent: A fresh agent; it is closed at the end.
        instruction: The task's instruction.
        language: Language of the instruction.
        steps: Maximum number of decisions.
        seed: The agent's random seed.
        after: Called after each action; see `After`.
        raised: Called with the exception if the agent's own code raises one.

    Returns:
        The agent's decisions. Any exception in the agent's own code ends the episode with an `error`.

    Raises:
        DeviceError: The device is gone.
        ModelError: The agent's model cannot be reached, so the agent cannot be judged.
    """
    turns: list[Turn] = []
    brief = Brief(instruction, language, PACKAGE, steps, device.info.size, seed)
    try:
        agent.start(brief)
        for step in range(steps):
            observation = device.observe(step, settled=device.settle())
            decision = validate_decision(agent.decide(observation, tuple(turns)))
            done = device.perform(decision.action, observation.screen)
            turns.append(Turn(decision, done.ok, done.detail))
            ended = isinstance(decision.action, act.Done | act.GiveUp)
            if ended or after(decision, observation):
                break
    except DeviceError:
        raise
    except GaraError as error:
        if isinstance(error, ModelError) and not isinstance(error, AgentStartError):
            raise
        if error.__cause__ is not None and isinstance(error, AgentError | AgentStartError):
            raised(error.__cause__)
        return BoardEpisode(tuple(turns), str(error))
    except Exception as error:  # noqa: BLE001  # an external agent may raise anything
        raised(error)
        return BoardEpisode(tuple(turns), f"{type(error).__name__}: {error}")
    finally:
        with contextlib.suppress(Exception):
            agent.close()
    return BoardEpisode(tuple(turns))
