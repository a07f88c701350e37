"""The vendors' protocols, used by the vendors' own clients."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator
from typing import Any

import anthropic
import openai
import pytest
from google import genai
from google.genai import errors, types

from garabench.core.geometry import Size
from garabench.testing.behaviour import ComputedReplies, ScriptedReplies
from garabench.testing.replies import FakeReply
from garabench.testing.requests import FunctionCall, ReceivedRequest
from garabench.testing.server import FakeModelServer
from tests.testing.images import make_image, url
from tests.waits import AMPLE

PNG = make_image(112, 252)
DATA = base64.b64encode(PNG).decode()
TAP = FunctionCall(
    "computer", '{"action": "left_click", "type": "click", "x": 5, "y": 6, "coordinate": [5, 6]}'
)


def anthropic_of(server: FakeModelServer, key: str | None = None) -> anthropic.Anthropic:
    base = server.base_url.removesuffix("/v1")
    return anthropic.Anthropic(base_url=base, api_key=key or server.key, max_retries=0, timeout=AMPLE)


def openai_of(server: FakeModelServer, key: str | None = None) -> openai.OpenAI:
    return openai.OpenAI(base_url=server.base_url, api_key=key or server.key, max_retries=0, timeout=AMPLE)


def gemini_of(server: FakeModelServer, key: str | None = None) -> genai.Client:
    options = types.HttpOptions(base_url=server.base_url.removesuffix("/v1"), timeout=int(AMPLE * 1000))
    return genai.Client(api_key=key or server.key, vertexai=False, http_options=options)


def ask_anthropic(server: FakeModelServer, key: str | None = None, **more: Any) -> Any:
    content = [
        {"type": "text", "text": "look"},
        {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": DATA}},
    ]
    given: dict[str, Any] = {"model": "m", "max_tokens": 50, "system": "Be brief."}
    with anthropic_of(server, key) as client:
        return client.messages.create(**{**given, "messages": [{"role": "user", "content": content}], **more})


def ask_responses(server: FakeModelServer, key: str | None = None, **more: Any) -> Any:
    content = [{"type": "input_text", "text": "look"}, {"type": "input_image", "image_url": url(PNG)}]
    messages = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": content}]
    with openai_of(server, key) as client:
        return client.responses.create(**{"model": "m", "input": messages, **more})


def ask_gemini(server: FakeModelServer, key: str | None = None, model: str = "m", **config: Any) -> Any:
    parts = [types.Part(text="look"), types.Part.from_bytes(data=PNG, mime_type="image/png")]
    client = gemini_of(server, key)  # closed when garbage-collected
    return client.models.generate_content(
        model=model,
        contents=[types.Content(role="user", parts=parts)],
        config=types.GenerateContentConfig(
            system_instruction="Be brief.",
            automatic_function_calling=types.AutomaticFunctionCallingConfig(disable=True),
            **config,
        ),
    )


ASKS: dict[str, Callable[..., Any]] = {
    "anthropic": ask_anthropic,
    "responses": ask_responses,
    "gemini": ask_gemini,
}


def text_of(reply: Any) -> str:
    if hasattr(reply, "content"):
        return "".join(block.text for block in reply.content if block.type == "text")
    return str(getattr(reply, "output_text", None) or getattr(reply, "text", None) or "")


@pytest.fixture
def echo() -> Iterator[FakeModelServer]:
    def describe(request: ReceivedRequest) -> str:
        return f"{request.model}: {request.text} {[str(seen.size) for seen in request.images]}"

    with FakeModelServer(ComputedReplies(describe), models=["m"]) as server:
        yield server


@pytest.mark.parametrize("name", ASKS)
def test_texts_and_images_arrive_and_the_reply_is_returned(name: str, echo: FakeModelServer) -> None:
    assert text_of(ASKS[name](echo)) == "m: Be brief.\nlook ['112x252']"
    (request,) = echo.requests
    assert request.protocol == name
    assert [message.role for message in request.messages] == ["system", "user"]
    assert [seen.size for seen in request.images] == [Size(112, 252)]


def test_each_protocol_reports_the_same_usage(echo: FakeModelServer) -> None:
    reported = []
    message = ask_anthropic(echo).usage
    reported.append((message.input_tokens + message.cache_read_input_tokens, message.output_tokens))
    response = ask_responses(echo).usage
    reported.append((response.input_tokens, response.output_tokens))
    content = ask_gemini(echo).usage_metadata
    reported.append((content.prompt_token_count, content.candidates_token_count))
    assert reported == [(request.usage.sent, request.usage.received) for request in echo.requests]
    assert len(set(reported)) == 1
    (image,) = (row for row in content.prompt_tokens_details if row.modality.value == "IMAGE")
    assert image.token_count == 4 * 9


@pytest.mark.parametrize(
    ("name", "error", "status"),
    [
        ("anthropic", anthropic.AuthenticationError, 401),
        ("responses", openai.AuthenticationError, 401),
        ("gemini", errors.ClientError, 400),
    ],
)
def test_a_wrong_key_is_rejected(
    name: str, error: type[Exception], status: int, echo: FakeModelServer
) -> None:
    with pytest.raises(error, match="API key not valid") as caught:
        ASKS[name](echo, "sk-wrong")
    assert getattr(caught.value, "status_code", getattr(caught.value, "code", None)) == status
    assert echo.requests == ()


@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("anthropic", anthropic.NotFoundError),
        ("responses", openai.NotFoundError),
        ("gemini", errors.ClientError),
    ],
)
def test_an_unknown_model_is_not_found(name: str, error: type[Exception], echo: FakeModelServer) -> None:
    with pytest.raises(error, match="does not exist"):
        ASKS[name](echo, model="other")


@pytest.mark.parametrize(
    ("fault", "name", "error"),
    [
        ("429@1", "anthropic", anthropic.RateLimitError),
        ("429@1", "responses", openai.RateLimitError),
        ("429@1", "gemini", errors.ClientError),
        ("500@1", "anthropic", anthropic.InternalServerError),
        ("503@1", "gemini", errors.ServerError),
        ("hang@1", "anthropic", anthropic.APITimeoutError),
        ("cut@1", "responses", openai.APIConnectionError),
        ("close@1", "anthropic", anthropic.APIConnectionError),
    ],
)
def test_faults_reach_the_client_in_every_protocol(fault: str, name: str, error: type[Exception]) -> None:
    more = {"timeout": 0.3} if fault == "hang@1" else {}
    with FakeModelServer(ScriptedReplies(["x"], repeat=True), faults=[fault]) as server, pytest.raises(error):
        ASKS[name](server, **more)


def test_finish_reasons_are_translated() -> None:
    faults = ["length@1", "filter@2", "refusal@3"]

    def ends(ask: Callable[..., Any], read: Callable[[Any], Any]) -> list[Any]:
        with FakeModelServer(ScriptedReplies(["a text"], repeat=True), faults=faults) as server:
            return [read(ask(server)) for _ in range(4)]

    assert ends(ask_anthropic, lambda reply: reply.stop_reason) == [
        "max_tokens",
        "refusal",
        "refusal",
        "end_turn",
    ]
    assert ends(
        ask_responses, lambda reply: (reply.status, getattr(reply.incomplete_details, "reason", None))
    ) == [
        ("incomplete", "max_output_tokens"),
        ("incomplete", "content_filter"),
        ("completed", None),
        ("completed", None),
    ]
    assert ends(ask_gemini, lambda reply: reply.candidates[0].finish_reason.value) == [
        "MAX_TOKENS",
        "SAFETY",
        "STOP",
        "STOP",
    ]


# Computer use ---------------------------------------------------------------------------------------------

COMPUTER_20250124 = {
    "type": "computer_20250124",
    "name": "computer",
    "display_width_px": 112,
    "display_height_px": 252,
}
BETA = {"anthropic-beta": "computer-use-2025-01-24"}
DONE = {"name": "done", "description": "Over.", "input_schema": {"type": "object"}}


def calling(*calls: FunctionCall) -> FakeModelServer:
    return FakeModelServer(ScriptedReplies([FakeReply("so", calls)], repeat=True))


def test_anthropics_tool_and_functions_are_called() -> None:
    tools = [COMPUTER_20250124, DONE]
    with calling(TAP, FunctionCall("computer", '{"action": "done", "answer": "4"}')) as server:
        reply = ask_anthropic(server, tools=tools, extra_headers=BETA)
        assert reply.stop_reason == "tool_use"
        tap, done = (block for block in reply.content if block.type == "tool_use")
        assert (tap.name, tap.input["action"], tap.input["coordinate"]) == ("computer", "left_click", [5, 6])
        assert (done.name, done.input) == ("done", {"answer": "4"})


@pytest.mark.parametrize(
    ("changed", "headers", "reason"),
    [
        ({"display_width_px": 1080}, BETA, "of 1080x252, but the image is 112x252"),
        ({"display_width_px": None}, BETA, "display_width_px must be a positive integer"),
        ({}, {}, "in the header anthropic-beta"),
    ],
)
def test_anthropics_tool_must_declare_the_size_of_the_image(
    changed: dict[str, Any], headers: dict[str, str], reason: str
) -> None:
    with calling(TAP) as server, pytest.raises(anthropic.BadRequestError, match=reason):
        ask_anthropic(server, tools=[COMPUTER_20250124 | changed], extra_headers=headers)


@pytest.mark.parametrize("form", ["computer", "computer_use_preview"])
def test_openais_tool_is_called_in_both_forms(form: str) -> None:
    screen = {"display_width": 112, "display_height": 252, "environment": "browser"}
    function = {"type": "function", "name": "done", "parameters": {}, "strict": False}
    tools = [{"type": form, **(screen if form != "computer" else {})}, function]
    with calling(TAP, FunctionCall("computer", '{"type": "done", "answer": "4"}')) as server:
        output = ask_responses(server, tools=tools).to_dict()["output"]
    _, call, done = output
    action = call["action"] if form == "computer_use_preview" else call["actions"][0]
    assert (call["type"], action["type"], action["x"]) == ("computer_call", "click", 5)
    assert (done["type"], done["name"], done["arguments"]) == ("function_call", "done", '{"answer": "4"}')


def test_openais_tool_must_declare_the_size_of_the_image() -> None:
    tool = {"type": "computer_use_preview", "display_width": 9, "display_height": 9, "environment": "browser"}
    with calling(TAP) as server, pytest.raises(openai.BadRequestError, match="the image is 112x252"):
        ask_responses(server, tools=[tool])


def test_excluded_gemini_functions_are_not_offered() -> None:
    use = types.ComputerUse(
        environment=types.Environment.ENVIRONMENT_BROWSER, excluded_predefined_functions=["navigate"]
    )
    tools = [types.Tool(computer_use=use)]
    with calling(FunctionCall("click_at", '{"x": 500, "y": 20}')) as server:
        (call,) = ask_gemini(server, tools=tools).function_calls
        assert (call.name, call.args) == ("click_at", {"x": 500, "y": 20})
        assert "navigate" not in server.requests[0].tools
    with (
        calling(FunctionCall("navigate", "{}")) as server,
        pytest.raises(errors.ServerError, match="does not offer"),
    ):
        ask_gemini(server, tools=tools)
