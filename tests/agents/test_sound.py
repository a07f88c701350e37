from __future__ import annotations

import pytest

from garabench.agents.interface import MOST_SAID, Decision, sound
from garabench.core.action import Back, Done
from garabench.errors import AgentError, AgentFault


def test_what_a_decision_says_has_an_end_whatever_agent_it_comes_from() -> None:
    assert sound(Decision(Back(), "x" * MOST_SAID)).action == Back()
    for flood in (Decision(Back(), "x" * (MOST_SAID + 1)), Decision(Done(answer="答" * MOST_SAID))):
        with pytest.raises(AgentError, match="at most 1048576 are kept") as caught:
            sound(flood)
        assert caught.value.kind is AgentFault.UNPARSEABLE
