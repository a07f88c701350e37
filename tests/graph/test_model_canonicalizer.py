from __future__ import annotations

import json
from pathlib import Path

import pytest

from garabench.agents.models.messages import ChatRequest, ModelReply, StopReason, TokenUsage
from garabench.errors import InputError
from garabench.graph.analysis import build_graphs
from garabench.graph.canonical_action import CanonicalAction
from garabench.graph.model_canonicalizer import ModelCanonicalizer, model_namer
from garabench.graph.web_actions import canonical_web_action
from garabench.graph.web_trajectories import read_web_trajectories
from garabench.testing.behaviour import ScriptedReplies
from garabench.testing.server import FakeModelServer
from tests.graph.recorded_run import record_run

TEXT = "Submitting the order form now via 'Place order'"
URL = "http://shop.example/pay"


class CannedChat:
    """A chat that always replies the same, and counts."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.requests: list[ChatRequest] = []

    def ask(self, request: ChatRequest) -> ModelReply:
        self.requests.append(request)
        return ModelReply(self.text, (), StopReason.DONE, TokenUsage(), 0.0)


def reply(name: str = "click", confidence: float = 0.9, **named: str) -> str:
    return json.dumps({"functionName": name, "namedParameters": named, "confidence": confidence})


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            reply(text="Place order", element="button"),
            CanonicalAction("click", "shop.example/pay", "button[place order]"),
        ),
        (
            f"Sure: {reply(text='place ORDER')} ok",
            CanonicalAction("click", "shop.example/pay", "place order"),
        ),
        (reply(text="Cancel order"), None),  # not in the text
        (reply(confidence=0.3, text="Place order"), None),
        (reply("erase", text="Place order"), None),
        ("no idea", None),
        ("{" * 5000, None),
    ],
)
def test_a_reply_is_used_only_if_it_fits_the_text(text: str, expected: CanonicalAction | None) -> None:
    action = canonical_web_action(TEXT, URL)
    chat = CannedChat(text)
    namer = ModelCanonicalizer(chat, "m")
    assert namer.name(action, TEXT) == (expected or action)
    namer.name(action, TEXT)
    assert len(chat.requests) == 1
    assert TEXT in json.loads(chat.requests[0].messages[1].parts[0].text)["description"]  # type: ignore[union-attr]


def test_understood_actions_are_not_sent() -> None:
    chat = CannedChat("")
    action = canonical_web_action("click the big blue thing", URL)
    assert ModelCanonicalizer(chat, "m").name(action, "click the big blue thing") == action
    assert not chat.requests


def test_a_touch_without_a_tree_is_named_by_what_the_agent_said(tmp_path: Path) -> None:
    record_run(tmp_path / "run", thought="Now I tap ‘Like this’")
    for tree in (tmp_path / "run").glob("store/**/*.xml*"):
        tree.unlink()
    chat = CannedChat(reply(text="like this", element="button"))
    plain = build_graphs(tmp_path / "run")
    assert "reach an unknown element" in " ".join(plain.tasks[0].limits)
    name = ModelCanonicalizer(chat, "m").name
    for _ in range(2):  # from the records, and from the stored trajectories
        named = build_graphs(tmp_path / "run", name_action=name)
        actions = {(step.action.kind, step.action.target) for step in named.trajectories[0].steps}
        assert actions == {("tap", "like this")}
    assert len(chat.requests) == 1
    invented = ModelCanonicalizer(CannedChat(reply(text="Delete")), "m").name
    assert build_graphs(tmp_path / "run", name_action=invented).tasks[0].limits == plain.tasks[0].limits


def test_the_model_of_an_agent_is_asked_once_and_cached(tmp_path: Path) -> None:
    file = tmp_path / "web.jsonl"
    step = {"action": TEXT, "url": URL}
    file.write_text(json.dumps({"task": "1", "agent": "a", "success": True, "steps": [step, step]}))
    with FakeModelServer(ScriptedReplies([reply(text="Place order")]), key="") as server:
        name = f"ui-tars?base_url={server.base_url}"
        for _ in range(2):
            (found,) = read_web_trajectories([file], model_namer(name, tmp_path / "cache"))
            assert [each.action.target for each in found.steps] == ["place order"] * 2
        assert len(server.requests) == 1


def test_an_agent_without_a_model_is_refused() -> None:
    with pytest.raises(InputError):
        model_namer("dismiss")
