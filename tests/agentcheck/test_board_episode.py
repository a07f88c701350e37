"""The result of a check whose agent fails."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from garabench.agentcheck.board_episode import run_board_episode
from garabench.core.geometry import Size
from garabench.errors import AgentError, AgentFault, AgentStartError, ModelError

DEVICE = SimpleNamespace(
    info=SimpleNamespace(size=Size(10, 20)), settle=lambda: None, observe=lambda step, settled: None
)


class Failing:
    name, reference = "failing", False

    def __init__(self, error: Exception) -> None:
        self.error = error
        self.closed = 0

    def start(self, brief: object) -> None:
        """Do nothing."""

    def decide(self, observation: object, history: object) -> None:
        raise self.error

    def close(self) -> None:
        self.closed += 1


def played(agent: Failing) -> str:
    return run_board_episode(DEVICE, agent, "go", language="en", steps=3, seed=0).error  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (AgentError(AgentFault.TIMEOUT, "it did not answer"), "it did not answer"),
        (AgentStartError("it was not ready"), "it was not ready"),
        (KeyError("x"), "KeyError: 'x'"),
    ],
)
def test_a_failing_agent_is_reported(error: Exception, expected: str) -> None:
    agent = Failing(error)
    assert (played(agent), agent.closed) == (expected, 1)


def test_exceptions_of_an_agent_are_passed_on() -> None:
    raised: list[BaseException] = []
    cause = KeyError("x")
    wrapped = AgentError(AgentFault.FAILED, "it raised an exception")
    wrapped.__cause__ = cause
    for error in (cause, wrapped, AgentError(AgentFault.TIMEOUT, "late")):
        run_board_episode(DEVICE, Failing(error), "go", language="en", steps=3, seed=0, raised=raised.append)  # type: ignore[arg-type]
    assert raised == [cause, cause]


def test_an_unreachable_model_ends_the_check() -> None:
    agent = Failing(ModelError("connection refused there"))
    with pytest.raises(ModelError, match="connection refused there"):
        played(agent)
    assert agent.closed == 1
