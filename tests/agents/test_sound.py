"""Oversized decisions are rejected for every kind of agent."""

from __future__ import annotations

import pytest

from garabench.agents.interface import MAX_DECISION_BYTES, Decision, validate_decision
from garabench.core.action import Back, Done
from garabench.errors import AgentError, AgentFault


def test_oversized_decisions_are_rejected_for_every_agent() -> None:
    assert validate_decision(Decision(Back(), "x" * MAX_DECISION_BYTES)).action == Back()
    for flood in (
        Decision(Back(), "x" * (MAX_DECISION_BYTES + 1)),
        Decision(Done(answer="答" * MAX_DECISION_BYTES)),
    ):
        with pytest.raises(AgentError, match="the limit is 1048576") as caught:
            validate_decision(flood)
        assert caught.value.kind is AgentFault.UNPARSEABLE
