"""The vendors' own protocols: their real clients against a server on loopback that speaks them."""

from __future__ import annotations

import builtins
import dataclasses
import importlib
import json
import socket
import sys
from collections.abc import Callable
from typing import Any, Literal, get_args

import anthropic
import pytest
from google import genai
from hypothesis import given
from hypothesis import strategies as st

from garabench.agents.chat import anthropic_form, gemini_form, responses_form
from garabench.agents.chat import faults as ft
from garabench.agents.chat.client import PatientChat
from garabench.agents.chat.completions import Unreadable
from garabench.agents.chat.gate import Gate
from garabench.agents.chat.lines import make_line
from garabench.agents.chat.messages import Answer, Request, Stop, Usage
from garabench.agents.chat.reading import read
from garabench.agents.chat.retry import Backoff
from garabench.agents.chat.secret import NO_KEY, Secret
from garabench.agents.dialects.reply import Parsed, Unparsed
from garabench.agents.modes.prompting import Prepared, Prompter
from garabench.agents.profile import AgentProfile
from garabench.agents.profiles import built_in
from garabench.core import action as act
from garabench.core.clock import FakeClock
from garabench.core.seeds import generator
from garabench.errors import InputError
from tests.agents.chat.loopback import answer, playing, read_request
from tests.agents.chat.screens import BRIEF, observation
from tests.waits import AMPLE

KEY = "sk-secret-0123456789"
AGENTS = {
    "anthropic": "claude-computer-use",
    "responses": "openai-computer-use",
    "gemini": "gemini-computer-use",
}
FORMS: dict[str, Callable[[object], Answer]] = {
    "anthropic": anthropic_form.read,
    "responses": responses_form.read,
    "gemini": gemini_form.read,
}


def profile(protocol: str, url: str = "http://127.0.0.1:9/v1") -> AgentProfile:
    data = built_in()[AGENTS[protocol]].model_dump(exclude_unset=True)
    data["endpoint"] = {"base_url": url, "protocol": protocol}
    data["model"] = "m"
    return AgentProfile.model_validate(data)


def prepared(protocol: str) -> Prepared:
    return Prompter(profile(protocol)).prepare(BRIEF, observation(), ())


def chat_at(protocol: str, url: str, *, key: str = KEY, tries: int = 1) -> PatientChat:
    secret, clock = (Secret(key) if key else NO_KEY), FakeClock()
    line = make_line(profile(protocol, url), ft.Where(url, "m", "MY_KEY"), secret, clock)
    backoff = Backoff(tries=tries)
    return PatientChat(line, secret, Gate(), clock, generator(0), seconds=AMPLE, at_once=2, backoff=backoff)


def claude(*blocks: dict[str, Any], stop: str = "tool_use") -> dict[str, Any]:
    used = {"input_tokens": 10, "cache_read_input_tokens": 90, "output_tokens": 7}
    return {
        "type": "message",
        "model": "claude-x",
        "content": list(blocks),
        "stop_reason": stop,
        "usage": used,
    }


def gpt(*items: dict[str, Any], **more: Any) -> dict[str, Any]:
    used = {"input_tokens": 100, "output_tokens": 7, "input_tokens_details": {"cached_tokens": 90}}
    return {
        "object": "response",
        "status": "completed",
        "model": "gpt-x",
        "output": list(items),
        "usage": used,
        **more,
    }


def gemini(*parts: dict[str, Any], finish: str = "STOP") -> dict[str, Any]:
    used = {"promptTokenCount": 100, "candidatesTokenCount": 7, "cachedContentTokenCount": 90}
    candidate = {"content": {"role": "model", "parts": list(parts)}, "finishReason": finish}
    return {"candidates": [candidate], "usageMetadata": used, "modelVersion": "gemini-x"}


def used_by_claude(name: str, **arguments: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": "t1", "name": name, "input": arguments}


CLAUDE_TAP = claude(
    {"type": "thinking", "thinking": "hm", "signature": "s"},
    {"type": "text", "text": "I tap."},
    used_by_claude("computer", action="left_click", coordinate=[10, 20]),
)
GPT_TAP = gpt(
    {"type": "reasoning", "summary": [{"type": "summary_text", "text": "hm"}]},
    {"type": "message", "content": [{"type": "output_text", "text": "I tap."}]},
    {
        "type": "computer_call",
        "call_id": "c",
        "action": {"type": "click", "x": 10, "y": 20, "button": "left"},
    },
)
GEMINI_TAP = gemini(
    {"text": "hm", "thought": True},
    {"text": "I tap."},
    {"functionCall": {"name": "click_at", "args": {"x": 10, "y": 20, "safety_decision": {}}}},
)
TAPS = {"anthropic": CLAUDE_TAP, "responses": GPT_TAP, "gemini": GEMINI_TAP}


@pytest.mark.parametrize("protocol", AGENTS)
def test_a_picture_goes_and_a_tap_comes_back(protocol: str) -> None:
    asked: list[tuple[str, dict[str, Any]]] = []

    def play(connection: socket.socket) -> None:
        head, _, body = read_request(connection).partition(b"\r\n\r\n")
        asked.append((head.decode().lower(), json.loads(body)))
        connection.sendall(answer(json.dumps(TAPS[protocol]).encode()))

    ready = prepared(protocol)
    with playing(play) as url:
        got = chat_at(protocol, url).ask(ready.request)
    reply = read(got, profile(protocol).spoken(), ready.view)
    assert isinstance(reply, Parsed), reply
    assert isinstance(reply.action, act.Tap)
    assert (reply.thought, got.reasoning, got.stop) == ("I tap.", "hm", Stop.DONE)
    assert (got.usage.sent, got.usage.received, got.usage.cached) == (100, 7, 90)
    head, body = asked[0]
    assert KEY in head
    assert "accept-encoding: identity" in head
    paths = {"anthropic": "/v1/messages", "responses": "/v1/responses", "gemini": ":generatecontent"}
    assert paths[protocol] in head.splitlines()[0]
    told = json.dumps(body)
    assert "Search for rice." in told
    assert KEY not in told
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


@pytest.mark.parametrize(
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
def test_anthropics_tool_has_the_models_version(model: str, tool: str) -> None:
    request = dataclasses.replace(prepared("anthropic").request, model=model)
    body, headers = anthropic_form.body(request)
    assert body["tools"][0]["type"] == tool
    date = f"{tool[9:13]}-{tool[13:15]}-{tool[15:]}"
    assert headers == {"anthropic-beta": f"computer-use-{date}"}


@pytest.mark.parametrize("version", ["20241022", "20250124", "20251124"])
def test_anthropics_package_knows_the_versions_and_their_headers(version: str) -> None:
    """What is sent is what the vendor's own client has types for."""
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
def test_geminis_tool_is_for_phones_where_the_model_knows_them(
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
    got = read(
        gemini_form.read(gemini({"functionCall": call})), profile("gemini").spoken(), prepared("gemini").view
    )
    assert isinstance(got, Parsed)
    assert got.thought == "Open it."
    assert got.action.type == "tap"


def test_a_batch_of_openais_actions_is_one_where_the_others_only_look() -> None:
    tap, look = {"type": "click", "x": 10, "y": 20, "button": "left"}, {"type": "screenshot"}
    dialect, view = profile("responses").spoken(), prepared("responses").view
    for actions in ([tap], [look, tap], [tap, look], [tap, tap]):
        got = read(responses_form.read(gpt({"type": "computer_call", "actions": actions})), dialect, view)
        assert isinstance(got, Parsed) and got.action.type == "tap", actions
    several = responses_form.read(gpt({"type": "computer_call", "actions": [tap, {"type": "wait"}]}))
    assert isinstance(read(several, dialect, view), Unparsed)
    looked = read(responses_form.read(gpt({"type": "computer_call", "actions": [look, look]})), dialect, view)
    assert isinstance(looked, Parsed) and looked.action.type == "wait"


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
    got = read(FORMS[protocol](reply), profile(protocol).spoken(), ready.view)
    assert isinstance(got, Parsed), got
    assert got.action == action


@pytest.mark.parametrize(
    ("protocol", "reply", "stop"),
    [
        ("anthropic", claude(stop="end_turn"), Stop.EMPTY),
        ("anthropic", claude({"type": "text", "text": "a"}, stop="max_tokens"), Stop.CUT_OFF),
        ("anthropic", claude(stop="refusal"), Stop.REFUSED),
        ("responses", gpt(), Stop.EMPTY),
        ("responses", gpt(incomplete_details={"reason": "max_output_tokens"}), Stop.CUT_OFF),
        ("responses", gpt(incomplete_details={"reason": "content_filter"}), Stop.FILTERED),
        (
            "responses",
            gpt({"type": "message", "content": [{"type": "refusal", "refusal": "no"}]}),
            Stop.REFUSED,
        ),
        (
            "responses",
            gpt({"type": "message", "content": [{"text": '{"type": "wait"}'}, {"refusal": "no"}]}),
            Stop.REFUSED,
        ),
        ("gemini", gemini(), Stop.EMPTY),
        ("gemini", gemini(finish="MAX_TOKENS"), Stop.CUT_OFF),
        ("gemini", gemini(finish="SAFETY"), Stop.FILTERED),
        ("gemini", {"promptFeedback": {"blockReason": "SAFETY"}}, Stop.FILTERED),
    ],
)
def test_endings_are_told_apart(protocol: str, reply: dict[str, Any], stop: Stop) -> None:
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
def test_any_json_is_read_or_told(protocol: str, data: object) -> None:
    try:
        got = FORMS[protocol](data)
    except Unreadable:
        return
    assert isinstance(got.text, str)
    assert isinstance(got.usage, Usage)


REFUSALS = {
    "anthropic": {"type": "error", "error": {"type": "authentication_error", "message": f"bad {KEY}"}},
    "responses": {"error": {"message": f"bad {KEY}", "code": "invalid_api_key"}},
    "gemini": {"error": {"code": 401, "message": f"bad {KEY}", "status": "UNAUTHENTICATED"}},
}


@pytest.mark.parametrize("protocol", AGENTS)
def test_a_refused_key_is_told_without_it(protocol: str) -> None:
    def play(connection: socket.socket) -> None:
        read_request(connection)
        connection.sendall(answer(json.dumps(REFUSALS[protocol]).encode(), status="401 No"))

    with playing(play) as url, pytest.raises(ft.KeyRefused, match=r"bad \[key\]\. Put a valid key") as caught:
        chat_at(protocol, url, tries=3).ask(prepared(protocol).request)
    assert KEY not in str(caught.value)


@pytest.mark.parametrize("protocol", AGENTS)
def test_what_passes_is_tried_again(protocol: str) -> None:
    replies = [
        answer(b'{"error": {"message": "busy"}}', status="529 Busy", headers="Retry-After: 3\r\n"),
        answer(b"<html>bad gateway</html>", status="502 Bad"),
        answer(b"{"),
        answer(json.dumps(TAPS[protocol]).encode()),
    ]

    def play(connection: socket.socket) -> None:
        read_request(connection)
        connection.sendall(replies.pop(0))

    with playing(play) as url:
        got = chat_at(protocol, url, tries=4).ask(prepared(protocol).request)
    assert got.tries == 4


@pytest.mark.parametrize("protocol", AGENTS)
def test_faults_of_the_network_are_told_apart(protocol: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    with pytest.raises(ft.EndpointUnreachable, match="nobody listens"):
        chat_at(protocol, f"http://127.0.0.1:{port}/v1").ask(prepared(protocol).request)

    def play(connection: socket.socket) -> None:
        read_request(connection)
        connection.sendall(answer(b" " * 10_000_001))

    with playing(play) as url, pytest.raises(ft.ReplyTooLarge):
        chat_at(protocol, url).ask(prepared(protocol).request)


@pytest.mark.parametrize("protocol", AGENTS)
def test_no_key_is_sent_where_there_is_none(protocol: str) -> None:
    heads: list[str] = []

    def play(connection: socket.socket) -> None:
        heads.append(read_request(connection).partition(b"\r\n\r\n")[0].decode().lower())
        connection.sendall(answer(json.dumps(TAPS[protocol]).encode()))

    with playing(play) as url:
        chat_at(protocol, url, key="").ask(prepared(protocol).request)
    assert not [name for name in ("authorization:", "x-api-key:", "x-goog-api-key:") if name in heads[0]]


@pytest.mark.parametrize(("protocol", "package"), [("anthropic", "anthropic"), ("gemini", "google")])
def test_a_missing_package_is_told_with_its_extra(
    protocol: str, package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = builtins.__import__

    def without(name: str, *args: Any, **more: Any) -> Any:
        if name.split(".")[0] == package:
            raise ImportError(f"No module named {name!r}", name=name)
        return real(name, *args, **more)

    monkeypatch.delitem(sys.modules, f"garabench.agents.chat.{protocol}_line", raising=False)
    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(InputError, match="is not installed") as caught:
        chat_at(protocol, "http://127.0.0.1:9/v1")
    assert f"pip install 'garabench[{protocol}]'" in str(caught.value)


def test_functions_of_other_dialects_stay_functions() -> None:
    request: Request = Prompter(built_in()["gpt-5"]).prepare(BRIEF, observation(), ()).request
    (tool,) = request.tools
    body, headers = anthropic_form.body(request)
    assert ([each["name"] for each in body["tools"]], headers) == ([tool.name], {})
    assert [each["name"] for each in responses_form.body(request)["tools"]] == [tool.name]
    assert [each["name"] for each in gemini_form.body(request)["tools"][0]["functionDeclarations"]] == [
        tool.name
    ]


@pytest.mark.parametrize("protocol", ["gemini", "chat"])
def test_the_wait_that_google_asks_for_in_the_reply_is_kept_to(protocol: str) -> None:
    info = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "34s"}
    told = {"error": {"code": 429, "message": "slow", "status": "RESOURCE_EXHAUSTED", "details": [info]}}

    def play(connection: socket.socket) -> None:
        read_request(connection)
        connection.sendall(answer(json.dumps([told]).encode(), status="429 Slow"))

    with playing(play) as url, pytest.raises(ft.EndpointFault) as caught:
        where, clock = ft.Where(url, "m", "MY_KEY"), FakeClock()
        data = profile("gemini", url).model_dump(exclude_unset=True)
        data["endpoint"] = {"base_url": url, "protocol": protocol}
        make_line(AgentProfile.model_validate(data), where, NO_KEY, clock).send(prepared("gemini").request)
    assert caught.value.retry_after == 34.0
