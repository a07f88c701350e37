from __future__ import annotations

import pytest

from garabench.agents.interface import MAX_DECISION_BYTES, Decision, validate_decision
from garabench.core.action import Back, Done
from garabench.errors import AgentError, AgentFault


def test_what_a_decision_says_has_an_end_whatever_agent_it_comes_from() -> None:
    assert validate_decision(Decision(Back(), "x" * MAX_DECISION_BYTES)).action == Back()
    for flood in (
        Decision(Back(), "x" * (MAX_DECISION_BYTES + 1)),
        Decision(Done(answer="答" * MAX_DECISION_BYTES)),
    ):
        with pytest.raises(AgentError, match="the limit is 1048576") as caught:
            validate_decision(flood)
        assert caught.value.kind is AgentFault.UNPARSEABLE
