from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from decimal import Decimal
from pathlib import Path

import pytest

from garabench.agents.dialects.catalog import DIALECTS
from garabench.agents.dialects.coordinates import ScreenView
from garabench.agents.dialects.reply import ParsedReply, ReplyFlaw, UnparsedReply
from garabench.agents.interface import Decision, Turn
from garabench.agents.models.cost import ModelPrice, PriceTable
from garabench.agents.models.endpoint_errors import EndpointServerError
from garabench.agents.models.messages import (
    ChatRequest,
    ModelReply,
    StopReason,
    TextPart,
    TokenUsage,
    ToolCall,
)
from garabench.agents.models.model_agent import ModelAgent
from garabench.agents.models.reply_parsing import parse_reply
from garabench.agents.models.transcript import TranscriptWriter, read_transcript
from garabench.agents.profile import AgentProfile
from garabench.core.action import Action, Done, Tap, Type
from garabench.core.usage import Usage
from garabench.errors import AgentError, AgentFault, DeviceError, ModelError
from tests.agents.models.screens import BRIEF, SCREEN, observation
from tests.cases import every_case

PRICES = PriceTable((ModelPrice(model="m", input=Decimal(2), output=Decimal(8)),))
TAP = '{"action": "tap", "coords": [300, 250]}'
USED = TokenUsage(1000, 100)


class ScriptedChat:
    """A chat that gives scripted answers in order, and records the requests."""

    def __init__(self, answers: Iterable[ModelReply | ModelError | str]) -> None:
        self.answers = list(answers)
        self.requests: list[ChatRequest] = []

    def ask(self, request: ChatRequest) -> ModelReply:
        self.requests.append(request)
        found = self.answers.pop(0)
        if isinstance(found, ModelError):
            raise found
        return ModelReply(found, (), StopReason.DONE, USED, 2.0) if isinstance(found, str) else found


def profile(**more: object) -> AgentProfile:
    return AgentProfile.model_validate(
        {"id": "one", "dialect": "json", "model": "m", "image": {"native": True}, **more}
    )


def agent(chat: ScriptedChat, transcript: TranscriptWriter | None = None, **more: object) -> ModelAgent:
    made = ModelAgent("one", profile(**more), chat, PRICES, transcript)
    made.start(BRIEF)
    return made


def test_a_model_decides_and_reports_its_usage() -> None:
    decision = agent(ScriptedChat([TAP])).decide(observation(), ())
    assert decision.action == Tap(x=300, y=250)
    assert decision.usage == Usage(
        requests=1, tries=1, sent=1000, received=100, seconds=2.0, cost=Decimal("0.0028")
    )


def test_an_unparseable_reply_is_repaired_and_metered() -> None:
    chat = ScriptedChat(["What a lovely screen.", TAP])
    decision = agent(chat).decide(observation(), ())
    assert decision.action == Tap(x=300, y=250)
    assert decision.usage is not None
    assert (decision.usage.requests, decision.usage.repairs, decision.usage.cost) == (2, 1, Decimal("0.0056"))
    last = chat.requests[1].messages[-1].parts[-1]
    assert isinstance(last, TextPart)
    assert "That reply is not a valid action" in last.text


@pytest.mark.parametrize("repairs", [0, 1, 3])
def test_repairs_are_limited_and_then_the_agent_fails(repairs: int) -> None:
    chat = ScriptedChat(["nonsense"] * 9)
    with pytest.raises(AgentError, match="unparseable reply") as caught:
        agent(chat, limits={"repairs": repairs}).decide(observation(), ())
    assert len(chat.requests) == repairs + 1
    assert caught.value.kind is AgentFault.UNPARSEABLE
    assert caught.value.usage is not None
    assert (caught.value.usage.requests, caught.value.usage.repairs) == (repairs + 1, repairs)


@pytest.mark.parametrize(
    ("stop", "text", "kind", "expected"),
    [
        (
            StopReason.REFUSED,
            "I cannot help",
            AgentFault.REFUSED,
            "refused after 1 repair: I",
        ),
        (StopReason.FILTERED, "", AgentFault.REFUSED, "a content filter blocked the reply"),
        (StopReason.EMPTY, "", AgentFault.UNPARSEABLE, r"\(empty\)"),
        (
            StopReason.DONE,
            "I'm sorry, but I can't assist.",
            AgentFault.UNPARSEABLE,
            "it reads like a refusal",
        ),
        (StopReason.DONE, "抱歉，我无法完成。", AgentFault.UNPARSEABLE, "it reads like a refusal"),
        (
            StopReason.DONE,
            "Tapping now.",
            AgentFault.UNPARSEABLE,
            r"unparseable reply after 1 repair \(no-action\)((?!refusal).)*$",
        ),
        (StopReason.CUT_OFF, '{"action": "ta', AgentFault.UNPARSEABLE, r"\(cut-off\).*at its length limit"),
    ],
)
def test_stop_reasons_are_distinguished(stop: StopReason, text: str, kind: AgentFault, expected: str) -> None:
    answer = ModelReply(text, (), stop, USED, 1.0)
    with pytest.raises(AgentError, match=expected) as caught:
        agent(ScriptedChat([answer, answer])).decide(observation(), ())
    assert caught.value.kind is kind


def test_a_model_error_is_not_a_failure_of_the_agent(tmp_path: Path) -> None:
    transcript = TranscriptWriter(tmp_path, "http://x/v1")
    with pytest.raises(EndpointServerError) as caught:
        agent(ScriptedChat(["nonsense", EndpointServerError("it is down")]), transcript).decide(
            observation(), ()
        )
    assert caught.value.usage is not None
    assert caught.value.usage.requests == 1, "what the first answer took is not lost"
    (step,) = read_transcript(tmp_path)
    assert [bool(exchange.answer) for exchange in step.exchanges] == [True, False]
    assert step.exchanges[1].fault == "it is down"


def test_an_unreadable_screenshot_is_a_device_error() -> None:
    with pytest.raises(DeviceError, match="screenshot"):
        agent(ScriptedChat([TAP]), image={"long_side": 500}).decide(observation(png=b"black"), ())


def test_requests_are_recorded_by_step(tmp_path: Path) -> None:
    chat = ScriptedChat(["hm", TAP, TAP])
    made = agent(chat, TranscriptWriter(tmp_path, "http://x/v1"))
    first = made.decide(observation(0), ())
    made.decide(observation(1), (Turn(first, True),))
    steps = tuple(read_transcript(tmp_path))
    assert [(step.step, len(step.exchanges)) for step in steps] == [(0, 2), (1, 1)]
    assert steps[0].view.screen == SCREEN
    assert steps[0].exchanges[0].outcome["flaw"] == "no-action"
    assert steps[0].exchanges[1].outcome["action"]["type"] == "tap"
    pictures = [
        part["picture"]
        for message in steps[0].exchanges[0].request["messages"]
        for part in message["parts"]
        if "picture" in part
    ]
    png = observation().screenshot.png
    assert [picture["sha256"] for picture in pictures] == [hashlib.sha256(png).hexdigest()]
    assert [path.read_bytes() for path in tmp_path.glob("store/*/*")] == [png]
    assert "base64" not in (tmp_path / "requests" / "000.json").read_text()


def test_a_resized_image_is_stored_once(tmp_path: Path) -> None:
    tap = TAP.replace("300, 250", "30, 25")
    made = agent(
        ScriptedChat([tap, tap]), TranscriptWriter(tmp_path, "http://x/v1"), image={"long_side": 600}
    )
    made.decide(observation(0), ())
    made.decide(observation(1), ())
    (image,) = tmp_path.glob("store/*/*.png")
    text = (tmp_path / "requests" / "001.json").read_text()
    assert image.stem in text


def test_earlier_screenshots_are_sent_again() -> None:
    chat = ScriptedChat([TAP] * 4)
    made = agent(chat, history={"form": "screenshots", "last": 2})
    turns: list[Turn] = []
    for step in range(4):
        turns.append(Turn(made.decide(observation(step), turns), True))

    def pictures(request: ChatRequest) -> int:
        return sum(not isinstance(part, TextPart) for message in request.messages for part in message.parts)

    assert [pictures(request) for request in chat.requests] == [1, 2, 3, 3]


@pytest.mark.parametrize("stop", [StopReason.FILTERED, StopReason.REFUSED])
@pytest.mark.parametrize("called", [False, True])
def test_the_rest_of_a_filtered_reply_is_not_performed(
    tmp_path: Path, stop: StopReason, called: bool
) -> None:
    calls = (ToolCall("back", "{}"),) if called else ()
    held = ModelReply("" if called else TAP, calls, stop, USED, 1.0)
    made = agent(ScriptedChat([held, held]), TranscriptWriter(tmp_path, "http://x/v1"))
    with pytest.raises(AgentError) as caught:
        made.decide(observation(), ())
    assert caught.value.kind is AgentFault.REFUSED
    assert caught.value.usage is not None and caught.value.usage.requests == 2
    (step,) = read_transcript(tmp_path)
    assert [each.outcome["flaw"] for each in step.exchanges] == [stop.value] * 2
    decided = agent(ScriptedChat([held, TAP])).decide(observation(), ())
    assert isinstance(decided.action, Tap), "asked again, it may answer"


VIEW = ScreenView(SCREEN, SCREEN)
CALLED = '{"name": "mobile_use", "arguments": {"action": "answer", "text": "a"}}'


def test_a_call_is_parsed_as_an_action() -> None:
    call = ToolCall("tap", '{"coords": [5, 6]}')
    got = parse_reply(ModelReply("so", (call,), StopReason.DONE, USED, 0), DIALECTS["json"], VIEW)
    assert got == ParsedReply(Tap(x=5, y=6), "so")


def test_two_different_calls_are_rejected() -> None:
    call, other = ToolCall("tap", '{"coords": [5, 6]}'), ToolCall("back", "{}")
    assert isinstance(
        parse_reply(ModelReply("", (call, call), StopReason.DONE, USED, 0), DIALECTS["json"], VIEW),
        ParsedReply,
    )
    got = parse_reply(ModelReply("", (call, other), StopReason.DONE, USED, 0), DIALECTS["json"], VIEW)
    assert isinstance(got, UnparsedReply)
    assert got.flaw is ReplyFlaw.SEVERAL_ACTIONS


@pytest.mark.parametrize(
    ("name", "text", "action"),
    [
        ("qwen2.5-vl", f"<tool_call>\n{CALLED}\n</tool_call>\nThen I", Done(answer="a")),
        ("ui-tars-1.5", "Thought: t\nAction: finished(content='a')\nThe ta", Done(answer="a")),
        ("autoglm-phone", '<answer>finish(message="a")</answer> and', Done(answer="a")),
        ("m3a", 'Reason: r\nAction: {"action_type": "answer", "text": "a"}\nAnd', Done(answer="a")),
        ("appagent", "Thought: t\nAction: FINISH\nSummary: I ha", Done()),
    ],
)
def test_a_complete_action_in_a_truncated_reply_counts(name: str, text: str, action: Action) -> None:
    got = parse_reply(ModelReply(text, (), StopReason.CUT_OFF, USED, 0), DIALECTS[name], VIEW)
    assert isinstance(got, ParsedReply), got
    assert got.action == action


@every_case(
    ("name", "text"),
    [
        ("json", TAP),
        ("json", TAP + " and then"),
        ("json", f"<think>The schema allows {TAP} at the end, but first I need to open the"),
        ("json", f"The schema allows {TAP} at the end, but first I need to open the"),
        ("qwen2.5-vl", f"I could call {CALLED} but the task says to"),
        ("qwen2.5-vl", f"<tool_call>\n{CALLED}"),
        ("qwen2.5-vl", f"<think>As in <tool_call>{CALLED}</tool_call> I would"),
        ("ui-tars-1.5", "Thought: t\nAction: finished(content='a')"),
        ("autoglm-phone", '<think>I would do(action="Back") if'),
        ("agentcpm-gui", '{"STATUS":"finish"} would be'),
        ("m3a", 'Reason: r\nAction: {"action_type":"navigate_back"}'),
        ("appagent", "Action: tap(1)"),
    ],
)
def test_a_truncated_action_is_rejected(name: str, text: str) -> None:
    got = parse_reply(ModelReply(text, (), StopReason.CUT_OFF, USED, 0), DIALECTS[name], VIEW)
    assert isinstance(got, UnparsedReply), got
    assert got.flaw is ReplyFlaw.CUT_OFF
    assert "cut off at its length limit" in got.reason


def test_a_complete_tool_call_in_a_truncated_reply_counts() -> None:
    call = ToolCall("tap", '{"coords": [5, 6]}')
    got = parse_reply(ModelReply("", (call,), StopReason.CUT_OFF, USED, 0), DIALECTS["json"], VIEW)
    assert got == ParsedReply(Tap(x=5, y=6), "")
    half = ToolCall("tap", '{"coords": [5, 6]')
    assert isinstance(
        parse_reply(ModelReply("", (half,), StopReason.CUT_OFF, USED, 0), DIALECTS["json"], VIEW),
        UnparsedReply,
    )


def test_reasoning_is_the_thought_if_there_is_no_other() -> None:
    answer = ModelReply('{"action": "done"}', (), StopReason.DONE, USED, 0, reasoning="It is there.")
    decision = agent(ScriptedChat([answer])).decide(observation(), ())
    assert decision == Decision(Done(), "It is there.", decision.usage)


def test_records_are_valid_json(tmp_path: Path) -> None:
    odd = '{"action": "type", "text": "“米饭”\\ud83d"}'
    decision = agent(ScriptedChat([odd]), TranscriptWriter(tmp_path, "http://x/v1")).decide(observation(), ())
    assert isinstance(decision.action, Type)
    assert decision.action.text.encode(), "half of a letter cannot be written down"
    data = json.loads((tmp_path / "requests" / "000.json").read_bytes().decode("utf-8", "surrogatepass"))
    assert data["exchanges"][0]["answer"]["text"] == odd
