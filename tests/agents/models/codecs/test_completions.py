from __future__ import annotations

import base64
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from garabench.agents.models.codecs.completions import InvalidPayloadError, body, merge_chunks, read
from garabench.agents.models.messages import (
    ChatMessage,
    ChatRequest,
    ChatRole,
    ImagePart,
    ReplyForm,
    StopReason,
    TextPart,
    TokenUsage,
    Tool,
    ToolCall,
)
from garabench.core.geometry import Size
from tests.cases import every_case

PICTURE = ImagePart(b"\x89PNG...", Size(2, 3))
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    "choices",
                    "message",
                    "content",
                    "tool_calls",
                    "function",
                    "usage",
                    "finish_reason",
                    "delta",
                    "error",
                ]
            ),
            inner,
            max_size=5,
        )
    ),
    max_leaves=25,
)


def request(**more: Any) -> ChatRequest:
    system = ChatMessage(ChatRole.SYSTEM, (TextPart("You use a phone."),))
    return ChatRequest("m", (system, ChatMessage(ChatRole.USER, (TextPart("Go."), PICTURE))), **more)


def test_text_and_images_are_encoded() -> None:
    sent = body(request(parameters={"temperature": 0, "reasoning_effort": "low", "max_completion_tokens": 5}))
    url = "data:image/png;base64," + base64.b64encode(PICTURE.data).decode()
    assert sent == {
        "model": "m",
        "messages": [
            {"role": "system", "content": "You use a phone."},
            {
                "role": "user",
                "content": [
                    {"type": "text", "text": "Go."},
                    {"type": "image_url", "image_url": {"url": url}},
                ],
            },
        ],
        "temperature": 0,
        "reasoning_effort": "low",
        "max_completion_tokens": 5,
    }
    assert json.loads(json.dumps(sent)) == sent


def test_json_tools_and_streams_are_requested() -> None:
    assert body(request(form=ReplyForm.JSON))["response_format"] == {"type": "json_object"}
    tool = Tool("tap", "Tap.", {"type": "object"})
    assert body(request(form=ReplyForm.TOOLS, tools=(tool,)))["tools"] == [
        {
            "type": "function",
            "function": {"name": "tap", "description": "Tap.", "parameters": {"type": "object"}},
        }
    ]
    streamed = body(request(), stream=True)
    assert (streamed["stream"], streamed["stream_options"]) == (True, {"include_usage": True})


def reply(message: dict[str, Any], finish: str | None = "stop", **more: Any) -> dict[str, Any]:
    return {"choices": [{"message": message, "finish_reason": finish}], **more}


def test_a_reply_is_decoded() -> None:
    used = {
        "prompt_tokens": 100,
        "completion_tokens": 20,
        "prompt_tokens_details": {"cached_tokens": 64, "image_tokens": 30},
        "completion_tokens_details": {"reasoning_tokens": 9},
    }
    answer = read(reply({"content": "hi", "reasoning_content": "hm"}, usage=used, model="m-2024-08-06"), 1.5)
    assert (answer.text, answer.reasoning, answer.stop, answer.seconds) == ("hi", "hm", StopReason.DONE, 1.5)
    assert answer.usage == TokenUsage(100, 20, 64, 30, 9)
    assert answer.model == "m-2024-08-06"


CALL = {"function": {"name": "tap", "arguments": '{"x": 1}'}}


@every_case(
    ("message", "finish", "text", "stop", "calls"),
    [
        ({"content": "a"}, "stop", "a", StopReason.DONE, 0),
        ({"content": "a"}, None, "a", StopReason.DONE, 0),
        ({"content": [{"type": "text", "text": "a"}, {"text": "b"}]}, "stop", "ab", StopReason.DONE, 0),
        ({"content": "a"}, "length", "a", StopReason.CUT_OFF, 0),
        ({"content": ""}, "length", "", StopReason.CUT_OFF, 0),
        ({"content": "a"}, "content_filter", "a", StopReason.FILTERED, 0),
        ({"content": None}, "content_filter", "", StopReason.FILTERED, 0),
        ({"content": '{"action": "back"}'}, "sensitive", '{"action": "back"}', StopReason.FILTERED, 0),
        ({"content": None, "refusal": "I cannot"}, "stop", "I cannot", StopReason.REFUSED, 0),
        ({"content": "a", "refusal": "I cannot"}, "stop", "a\nI cannot", StopReason.REFUSED, 0),
        ({"content": "a", "refusal": "no"}, "content_filter", "a\nno", StopReason.FILTERED, 0),
        ({"content": "a", "refusal": ""}, "stop", "a", StopReason.DONE, 0),
        ({"tool_calls": [CALL], "refusal": "I cannot"}, "stop", "I cannot", StopReason.REFUSED, 1),
        ({"content": None}, "stop", "", StopReason.EMPTY, 0),
        ({"content": " \n"}, "stop", " \n", StopReason.EMPTY, 0),
        ({}, "stop", "", StopReason.EMPTY, 0),
        ({"content": None, "tool_calls": [CALL]}, "tool_calls", "", StopReason.DONE, 1),
        ({"content": "so", "tool_calls": [CALL, CALL]}, "tool_calls", "so", StopReason.DONE, 2),
        ({"content": None, "function_call": CALL["function"]}, "function_call", "", StopReason.DONE, 1),
        ({"tool_calls": [{"function": {"name": ""}}, 3]}, "stop", "", StopReason.EMPTY, 0),
        (
            {"tool_calls": [{"function": {"name": "tap", "arguments": {"x": 1}}}]},
            "stop",
            "",
            StopReason.DONE,
            1,
        ),
        (
            {"tool_calls": [{"function": {**CALL["function"], "name": "functions.tap"}}]},
            "stop",
            "",
            StopReason.DONE,
            1,
        ),
    ],
)
def test_stop_reasons_are_distinguished(
    message: dict[str, Any], finish: str | None, text: str, stop: StopReason, calls: int
) -> None:
    answer = read(reply(message, finish), 0)
    assert (answer.text, answer.stop, len(answer.calls)) == (text, stop, calls)
    assert all(call == ToolCall("tap", '{"x": 1}') for call in answer.calls)


@pytest.mark.parametrize(
    "data", [None, [], 3, "x", {}, {"choices": []}, {"choices": "one"}, {"choices": [1]}, {"error": "busy"}]
)
def test_an_invalid_completion_is_rejected(data: object) -> None:
    with pytest.raises(InvalidPayloadError):
        read(data, 0)


@pytest.mark.parametrize(
    "message", ["hello", [{"content": "a"}], {"content": 7}, {"content": {"text": "a"}}, {"content": True},
                {"content": "a", "tool_calls": "tap"}, {"content": "a", "refusal": 1}],
)  # fmt: skip
def test_wrong_types_in_a_message_are_rejected(message: Any) -> None:
    with pytest.raises(InvalidPayloadError, match="message"):
        read(reply(message, "stop"), 0)


@pytest.mark.parametrize("finish", ["network_error", "error"])
def test_a_failed_inference_is_rejected(finish: str) -> None:
    with pytest.raises(InvalidPayloadError, match=f"finish_reason is '{finish}'"):
        read(reply({"content": "Tap "}, finish), 0)


@pytest.mark.parametrize("arguments", [[1], 7, True])
def test_wrong_types_of_arguments_are_rejected(arguments: object) -> None:
    with pytest.raises(InvalidPayloadError, match="the arguments of a call have the type"):
        read(reply({"tool_calls": [{"function": {"name": "tap", "arguments": arguments}}]}), 0)


def test_arguments_may_be_an_object_in_a_stream_too() -> None:
    call = {"index": 0, "function": {"name": "tap", "arguments": {"text": "米"}}}
    whole = merge_chunks([{"choices": [{"delta": {"tool_calls": [call]}, "finish_reason": "stop"}]}])
    assert read(whole, 0).calls == (ToolCall("tap", '{"text": "米"}'),)


@given(ANYTHING)
def test_any_json_is_decoded_or_rejected(data: object) -> None:
    try:
        answer = read(data, 0)
    except InvalidPayloadError:
        return
    assert isinstance(answer.text, str)
    assert min(answer.usage.sent, answer.usage.received) >= 0


@given(st.lists(ANYTHING, max_size=4))
def test_any_chunks_are_merged_or_rejected(pieces: list[object]) -> None:
    try:
        whole = merge_chunks(pieces)
    except InvalidPayloadError:
        return
    assert isinstance(read(whole, 0).text, str)


def test_a_stream_is_merged() -> None:
    def piece(delta: dict[str, Any], finish: str | None = None) -> dict[str, Any]:
        return {"model": "m", "choices": [{"delta": delta, "finish_reason": finish}]}

    def call(**function: str) -> dict[str, Any]:
        return {"tool_calls": [{"index": 0, "function": function}]}

    pieces = [
        piece({"role": "assistant", "content": "so "}),
        piece({"content": "be it"}),
        piece(call(name="tap", arguments="")),
        piece(call(arguments='{"x"')),
        piece(call(arguments=": 1}")),
        piece({}, "tool_calls"),
        {"choices": [], "usage": {"prompt_tokens": 5, "completion_tokens": 2}},
    ]
    answer = read(merge_chunks(pieces), 0)
    assert answer.text == "so be it"
    assert answer.calls == (ToolCall("tap", '{"x": 1}'),)
    assert answer.usage == TokenUsage(5, 2)
    with pytest.raises(InvalidPayloadError, match="ended before"):
        merge_chunks(pieces[:3])
