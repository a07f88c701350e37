"""The usage that an external agent reports is counted with each decision."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import cast

import pytest

from garabench.agents.interface import Brief, Decision, Turn
from garabench.agents.metered import MeteredAgent
from garabench.core.action import Back
from garabench.core.observation import Observation
from garabench.core.usage import Usage
from garabench.errors import AgentError, AgentFault, ModelError
from tests.agents.models.screens import BRIEF, observation


class ScriptedAgent:
    """An agent that returns scripted decisions, or raises scripted errors."""

    reference = False

    def __init__(self, *answers: object) -> None:
        self.name = "scripted"
        self.calls: list[str] = []
        self._answers = list(answers)

    def start(self, brief: Brief) -> None:
        self.calls.append(f"start {brief.app}")

    def decide(self, observation: Observation, history: Sequence[Turn]) -> Decision:
        found = self._answers.pop(0)
        if isinstance(found, Exception):
            raise found
        return cast(Decision, found)

    def close(self) -> None:
        self.calls.append("close")


def test_each_decision_is_metered_and_returned() -> None:
    counted: list[Usage] = []
    odd = Decision(Back(), usage=cast(Usage, 7))
    decisions = [Decision(Back(), usage=Usage(sent=3)), Decision(Back()), "nonsense", odd]
    inner = ScriptedAgent(*decisions)
    agent = MeteredAgent(inner, counted.append)
    agent.start(BRIEF)
    assert [agent.decide(observation(), ()) for _ in decisions] == decisions
    agent.close()
    assert counted == [Usage(sent=3)]
    assert inner.calls == [f"start {BRIEF.app}", "close"]
    assert (agent.name, agent.reference) == ("scripted", False)


@pytest.mark.parametrize("make", [lambda: AgentError(AgentFault.REFUSED, "no"), lambda: ModelError("down")])
def test_the_usage_of_a_failure_is_metered(make: Callable[[], AgentError | ModelError]) -> None:
    counted: list[Usage] = []
    expected, silent = make(), make()
    expected.usage = Usage(sent=5)
    agent = MeteredAgent(ScriptedAgent(expected, silent, KeyError()), counted.append)
    for kind in (type(expected), type(silent), KeyError):
        with pytest.raises(kind):
            agent.decide(observation(), ())
    assert counted == [Usage(sent=5)]
