"""Every fault in every protocol, from the agent's side: an endpoint error, or a failure of the agent."""

from __future__ import annotations

from pathlib import Path

import pytest

from garabench.agents.context import AgentContext
from garabench.agents.interface import Brief, Decision
from garabench.agents.models.catalog import make_model_agent
from garabench.agents.options import with_options
from garabench.agents.profiles import built_in
from garabench.core.action import Tap
from garabench.errors import AgentError, ModelError
from garabench.testing.behaviour import ScriptedReplies
from garabench.testing.faults import FaultKind
from garabench.testing.replies import FakeReply
from garabench.testing.requests import FunctionCall
from garabench.testing.server import FakeModelServer
from tests.testing.test_screen_texts import SCREEN, observation

AGENTS = {
    "chat": "openai-computer-use",
    "responses": "openai-computer-use",
    "anthropic": "claude-computer-use",
    "gemini": "gemini-computer-use",
}
_ENDPOINT_ERRORS = {
    FaultKind.HANG: "ReplyTimeoutError",
    FaultKind.CLOSE: "EndpointUnreachableError",
    FaultKind.CUT: "EndpointUnreachableError",
    FaultKind.MALFORMED: "InvalidReplyError",
    FaultKind.WRONG_TYPES: "InvalidReplyError",
    FaultKind.HUGE: "ReplyTooLargeError",
    FaultKind.RATE_LIMIT: "RateLimitedError",
    FaultKind.ERROR: "EndpointServerError",
    FaultKind.BAD_GATEWAY: "EndpointServerError",
    FaultKind.OVERLOADED: "EndpointServerError",
}
_AGENT_FAULTS = {
    FaultKind.EMPTY: "unparseable",
    FaultKind.LENGTH: "unparseable",
    FaultKind.NONSENSE: "unparseable",
    FaultKind.FILTER: "refused",
    FaultKind.REFUSAL: "refused",
}
_VALUES = {FaultKind.SLOW: 0.001, FaultKind.RATE_LIMIT: 0.01, FaultKind.OVERLOADED: 0.01}


def expected(protocol: str, kind: FaultKind) -> str:
    if kind is FaultKind.NO_CHOICE:  # in two protocols an empty list is an empty reply
        return "unparseable" if protocol in ("anthropic", "responses") else "InvalidReplyError"
    if kind is FaultKind.REFUSAL and protocol == "gemini":
        return "unparseable"  # the protocol has no refusals, only text
    return _ENDPOINT_ERRORS.get(kind) or _AGENT_FAULTS.get(kind) or "Tap"


def outcome(protocol: str, kind: FaultKind, folder: Path) -> str:
    """Return the error, agent fault or action of a decision."""
    arguments = '{"type": "click", "action": "left_click", "x": 50, "y": 60, "coordinate": [50, 60]}'
    call = FunctionCall("click_at" if protocol == "gemini" else "computer", arguments)
    value = f"={_VALUES[kind]}" if kind in _VALUES else ""
    fault = f"{kind.value}{value}@all"
    name = AGENTS[protocol]
    with FakeModelServer(ScriptedReplies([FakeReply("so", (call,))], repeat=True), faults=[fault]) as server:
        options = {
            "base_url": server.base_url, "key_env": "FAKE_KEY", "protocol": protocol, "tries": "1",
            "repairs": "0", "seconds": "0.4" if kind is FaultKind.HANG else "120",
        }  # fmt: skip
        agent = make_model_agent(with_options(built_in()[name], options), AgentContext(name, folder))
        agent.start(Brief("Tap.", "en", "a.b", 5, SCREEN, 0))
        try:
            decision = agent.decide(observation(("a",)), [])
        except AgentError as error:
            return error.kind.value
        except ModelError as error:
            assert "sk-fake" not in str(error)
            return type(error).__name__
        finally:
            agent.close()
    assert isinstance(decision, Decision) and isinstance(decision.action, Tap)
    return "Tap"


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("kind", FaultKind, ids=lambda kind: str(kind.value))
@pytest.mark.parametrize("protocol", AGENTS)
def test_each_fault_has_the_expected_outcome(
    protocol: str, kind: FaultKind, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAKE_KEY", "sk-fake")
    assert outcome(protocol, kind, tmp_path) == expected(protocol, kind)
