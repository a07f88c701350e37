"""The native protocols: the vendors' own clients against a server on loopback."""

from __future__ import annotations

import dataclasses
import importlib
import json
import socket
from collections.abc import Callable
from typing import Any, Literal, get_args

import anthropic
import pytest
from google import genai
from hypothesis import given
from hypothesis import strategies as st

from garabench.agents.dialects.reply import ParsedReply, UnparsedReply
from garabench.agents.models.codecs import anthropic as anthropic_form
from garabench.agents.models.codecs import gemini as gemini_form
from garabench.agents.models.codecs import responses as responses_form
from garabench.agents.models.codecs.completions import InvalidPayloadError
from garabench.agents.models.messages import ChatRequest, ModelReply, StopReason, TokenUsage
from garabench.agents.models.reply_parsing import parse_reply
from garabench.agents.profiles import built_in
from garabench.agents.prompting.request import RequestBuilder
from garabench.core import action as act
from tests.agents.models.loopback import answer, playing, read_request
from tests.agents.models.screens import BRIEF, observation
from tests.agents.models.vendors import (
    AGENTS,
    KEY,
    TAPS,
    chat_at,
    claude,
    gemini,
    gpt,
    prepared,
    profile,
    used_by_claude,
)
from tests.cases import every_case

FORMS: dict[str, Callable[[object], ModelReply]] = {
    "anthropic": anthropic_form.read,
    "responses": responses_form.read,
    "gemini": gemini_form.read,
}


@pytest.mark.parametrize("protocol", AGENTS)
def test_an_image_is_sent_and_a_tap_is_returned(protocol: str) -> None:
    asked: list[tuple[str, dict[str, Any]]] = []

    def play(connection: socket.socket) -> None:
        head, _, body = read_request(connection).partition(b"\r\n\r\n")
        asked.append((head.decode().lower(), json.loads(body)))
        connection.sendall(answer(json.dumps(TAPS[protocol]).encode()))

    ready = prepared(protocol)
    with playing(play) as url:
        got = chat_at(protocol, url).ask(ready.request)
    reply = parse_reply(got, profile(protocol).tuned_dialect(), ready.view)
    assert isinstance(reply, ParsedReply), reply
    assert isinstance(reply.action, act.Tap)
    assert (reply.thought, got.reasoning, got.stop) == ("I tap.", "hm", StopReason.DONE)
    assert (got.usage.sent, got.usage.received, got.usage.cached) == (100, 7, 90)
    head, body = asked[0]
    assert KEY in head
    assert "accept-encoding: identity" in head
    paths = {"anthropic": "/v1/messages", "responses": "/v1/responses", "gemini": ":generatecontent"}
    assert paths[protocol] in head.splitlines()[0]
    expected = json.dumps(body)
    assert "Search for rice." in expected
    assert KEY not in expected
    if protocol == "anthropic":
        size = ready.view.image
        assert body["tools"][0] == {
            "type": "computer_20251124",
            "name": "computer",
            "display_width_px": size.width,
            "display_height_px": size.height,
        }
        assert "anthropic-beta: computer-use-2025-11-24" in head
        assert [tool["name"] for tool in body["tools"][1:]] == ["done", "give_up", "open_app"]
        assert body["max_tokens"] == 2000
    elif protocol == "responses":
        assert [tool["type"] for tool in body["tools"]] == ["computer", "function", "function", "function"]
        assert body["reasoning"] == {"effort": "low"}
        assert "reasoning_effort" not in body
    else:
        assert body["tools"][0]["computerUse"]["environment"] == "ENVIRONMENT_MOBILE"
        names = [each["name"] for each in body["tools"][1]["functionDeclarations"]]
        assert names == ["go_home", "done", "give_up"]
        assert body["generationConfig"] == {"maxOutputTokens": 4096}


@every_case(
    ("model", "tool"),
    [
        ("claude-sonnet-4-6", "computer_20251124"),
        ("claude-opus-4-5-20251101", "computer_20251124"),
        ("claude-opus-4-5", "computer_20251124"),
        ("claude-opus-4-7", "computer_20251124"),
        ("claude-opus-4-6", "computer_20251124"),
        ("claude-sonnet-5", "computer_20251124"),
        ("claude-sonnet-4-5", "computer_20250124"),
        ("claude-sonnet-4-5-20250929", "computer_20250124"),
        ("claude-haiku-4-5", "computer_20250124"),
        ("claude-opus-4-1", "computer_20250124"),
        ("claude-opus-4-1-20250805", "computer_20250124"),
        ("claude-sonnet-4-20250514", "computer_20250124"),
        ("claude-opus-4-0", "computer_20250124"),
        ("claude-3-7-sonnet-latest", "computer_20250124"),
    ],
)
def test_anthropics_tool_version_depends_on_the_model(model: str, tool: str) -> None:
    request = dataclasses.replace(prepared("anthropic").request, model=model)
    body, headers = anthropic_form.body(request)
    assert body["tools"][0]["type"] == tool
    date = f"{tool[9:13]}-{tool[13:15]}-{tool[15:]}"
    assert headers == {"anthropic-beta": f"computer-use-{date}"}


@pytest.mark.parametrize("version", ["20241022", "20250124", "20251124"])
def test_anthropics_package_knows_the_versions_and_their_headers(version: str) -> None:
    """Check a request against the types of the vendor's own client."""
    module = importlib.import_module(f"anthropic.types.beta.beta_tool_computer_use_{version}")
    fields = getattr(module, f"BetaToolComputerUse{version}").model_fields
    assert fields["type"].annotation == Literal[f"computer_{version}"]
    known = get_args(get_args(anthropic.types.AnthropicBetaParam)[1])
    parameters = {"computer_tool": f"computer_{version}"}
    request = dataclasses.replace(prepared("anthropic").request, parameters=parameters)
    body, headers = anthropic_form.body(request)
    assert body["tools"][0]["type"] == f"computer_{version}"
    assert headers["anthropic-beta"] in known


@pytest.mark.parametrize(
    ("model", "given", "environment", "excluded", "beside"),
    [
        ("gemini-3.5-flash", {}, "MOBILE", "list_apps", "go_home"),
        ("gemini-4-pro", {}, "MOBILE", "list_apps", "go_home"),
        ("gemini-2.5-computer-use-preview-10-2025", {}, "BROWSER", "open_web_browser", "long_press_at"),
        ("gemini-3-flash-preview", {}, "BROWSER", "hover_at", "open_app"),
        ("gemini-3.1-pro-preview", {}, "BROWSER", "search", "open_app"),
        ("gemini-3.5-flash", {"environment": "ENVIRONMENT_BROWSER"}, "BROWSER", "mouse_down", "open_app"),
    ],
)
def test_geminis_tool_is_for_phones_if_the_model_supports_them(
    model: str, given: dict[str, Any], environment: str, excluded: str, beside: str
) -> None:
    request = dataclasses.replace(prepared("gemini").request, model=model, parameters=given)
    use, functions = gemini_form.body(request)["tools"]
    assert use["computerUse"]["environment"] == f"ENVIRONMENT_{environment}"
    assert (
        genai.types.Environment(use["computerUse"]["environment"]).name in genai.types.Environment.__members__
    )
    assert excluded in use["computerUse"]["excludedPredefinedFunctions"]
    assert beside in [each["name"] for each in functions["functionDeclarations"]]


def test_geminis_intent_is_the_thought() -> None:
    call = {"name": "click", "args": {"x": 500, "y": 500, "intent": "Open it."}}
    got = parse_reply(
        gemini_form.read(gemini({"functionCall": call})),
        profile("gemini").tuned_dialect(),
        prepared("gemini").view,
    )
    assert isinstance(got, ParsedReply)
    assert got.thought == "Open it."
    assert got.action.type == "tap"


def test_the_first_effective_action_of_a_batch_is_performed() -> None:
    tap, look = {"type": "click", "x": 10, "y": 20, "button": "left"}, {"type": "screenshot"}
    dialect, view = profile("responses").tuned_dialect(), prepared("responses").view
    wait, typed = {"type": "wait"}, {"type": "type", "text": "rice"}
    hover = {"type": "move", "x": 10, "y": 20}
    for actions in ([tap], [look, tap], [tap, look], [tap, tap], [hover, tap, wait], [tap, typed, look]):
        got = parse_reply(
            responses_form.read(gpt({"type": "computer_call", "actions": actions})), dialect, view
        )
        assert isinstance(got, ParsedReply) and got.action.type == "tap", actions
    first = parse_reply(
        responses_form.read(gpt({"type": "computer_call", "actions": [wait, typed, tap]})), dialect, view
    )
    assert isinstance(first, ParsedReply) and first.action.type == "type"
    calls = [{"type": "computer_call", "actions": [one]} for one in (tap, typed)]
    assert isinstance(parse_reply(responses_form.read(gpt(*calls)), dialect, view), UnparsedReply)
    looked = parse_reply(
        responses_form.read(gpt({"type": "computer_call", "actions": [look, look]})), dialect, view
    )
    assert isinstance(looked, ParsedReply) and looked.action.type == "wait"


@pytest.mark.parametrize(
    ("protocol", "reply", "action"),
    [
        ("anthropic", claude(used_by_claude("done", answer="5")), act.Done(answer="5")),
        ("anthropic", claude(used_by_claude("give_up", reason="no")), act.GiveUp(reason="no")),
        ("anthropic", claude(used_by_claude("computer", action="key", text="back")), act.Back()),
        (
            "responses",
            gpt({"type": "function_call", "name": "done", "arguments": '{"answer": "5"}'}),
            act.Done(answer="5"),
        ),
        ("responses", gpt({"type": "function_call", "name": "done", "arguments": ""}), act.Done()),
        (
            "responses",
            gpt({"type": "computer_call", "actions": [{"type": "type", "text": "米"}]}),
            act.Type(text="米"),
        ),
        ("gemini", gemini({"functionCall": {"name": "done", "args": {"answer": "5"}}}), act.Done(answer="5")),
        ("gemini", gemini({"functionCall": {"name": "go_back", "args": {}}}), act.Back()),
    ],
)
def test_calls_are_actions_of_the_dialect(protocol: str, reply: dict[str, Any], action: act.Action) -> None:
    ready = prepared(protocol)
    got = parse_reply(FORMS[protocol](reply), profile(protocol).tuned_dialect(), ready.view)
    assert isinstance(got, ParsedReply), got
    assert got.action == action


@every_case(
    ("protocol", "reply", "stop"),
    [
        ("anthropic", claude(stop="end_turn"), StopReason.EMPTY),
        ("anthropic", claude({"type": "text", "text": "a"}, stop="max_tokens"), StopReason.CUT_OFF),
        ("anthropic", claude(stop="refusal"), StopReason.REFUSED),
        ("responses", gpt(), StopReason.EMPTY),
        ("responses", gpt(incomplete_details={"reason": "max_output_tokens"}), StopReason.CUT_OFF),
        ("responses", gpt(incomplete_details={"reason": "content_filter"}), StopReason.FILTERED),
        (
            "responses",
            gpt({"type": "message", "content": [{"type": "refusal", "refusal": "no"}]}),
            StopReason.REFUSED,
        ),
        (
            "responses",
            gpt({"type": "message", "content": [{"text": '{"type": "wait"}'}, {"refusal": "no"}]}),
            StopReason.REFUSED,
        ),
        ("gemini", gemini(), StopReason.EMPTY),
        ("gemini", gemini(finish="MAX_TOKENS"), StopReason.CUT_OFF),
        ("gemini", gemini(finish="SAFETY"), StopReason.FILTERED),
        ("gemini", {"promptFeedback": {"blockReason": "SAFETY"}}, StopReason.FILTERED),
    ],
)
def test_stop_reasons_are_distinguished(protocol: str, reply: dict[str, Any], stop: StopReason) -> None:
    assert FORMS[protocol](reply).stop is stop


WORDS = [
    "content", "type", "tool_use", "text", "input", "usage", "output", "computer_call", "action", "actions",
    "parts", "candidates", "functionCall", "args", "usageMetadata", "promptTokensDetails", "reasoning",
    "summary", "message",
]  # fmt: skip


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=6) | st.sampled_from(WORDS),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(WORDS), inner, max_size=4),
    max_leaves=25,
)


@pytest.mark.parametrize("protocol", AGENTS)
@given(data=ANYTHING)
def test_any_json_is_decoded_or_rejected(protocol: str, data: object) -> None:
    try:
        got = FORMS[protocol](data)
    except InvalidPayloadError:
        return
    assert isinstance(got.text, str)
    assert isinstance(got.usage, TokenUsage)


def test_functions_of_other_dialects_are_unchanged() -> None:
    request: ChatRequest = RequestBuilder(built_in()["gpt-5"]).prepare(BRIEF, observation(), ()).request
    (tool,) = request.tools
    body, headers = anthropic_form.body(request)
    assert ([each["name"] for each in body["tools"]], headers) == ([tool.name], {})
    assert [each["name"] for each in responses_form.body(request)["tools"]] == [tool.name]
    assert [each["name"] for each in gemini_form.body(request)["tools"][0]["functionDeclarations"]] == [
        tool.name
    ]
