"""Anthropic's messages: ``POST /v1/messages``, with its tool for computer use."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from garabench.agents.models.messages import TokenUsage
from garabench.core.geometry import Size
from garabench.testing.http_error import ApiError
from garabench.testing.protocols.request_values import (
    COMPUTER,
    arguments_of,
    as_separate_function,
    check_size,
    non_empty_list,
    non_empty_text,
    positive_integer,
)
from garabench.testing.replies import FakeReply, FinishReason
from garabench.testing.requests import FunctionCall, ReceivedImage, ReceivedMessage, ReceivedRequest
from garabench.testing.validation import read_image

NAME = "anthropic"
_HANDLED = frozenset({"model", "messages", "system", "tools", "stream"})
_STOPS = {
    FinishReason.LENGTH: "max_tokens",
    FinishReason.FILTER: "refusal",
    FinishReason.CALLS: "tool_use",
    FinishReason.STOP: "end_turn",
}
_KINDS = {401: "authentication_error", 404: "not_found_error", 413: "request_too_large"}


def read(body: Mapping[str, Any], number: int, beta: str = "") -> ReceivedRequest:
    """Validate a request for a message.

    Args:
        body: The request's JSON object.
        number: Number of the request.
        beta: The header ``anthropic-beta``, which the tool for computer use needs.

    Raises:
        ApiError: A real endpoint would reject it.
    """
    if body.get("stream"):
        raise ApiError(400, "streaming is not supported")
    positive_integer(body.get("max_tokens"), "max_tokens")
    messages = [_message(one, at) for at, one in enumerate(non_empty_list(body.get("messages"), "messages"))]
    if messages[0].role != "user":
        raise ApiError(400, 'messages: first message must use the "user" role')
    if body.get("system"):
        messages.insert(0, ReceivedMessage("system", tuple(_texts(body["system"]))))
    tools: dict[str, Mapping[str, Any]] = {}
    for tool in body.get("tools") or ():
        name = non_empty_text(tool.get("name") if isinstance(tool, dict) else None, "tools.name")
        kind = str(tool.get("type", "custom"))
        if kind.startswith("computer_"):
            if "computer-use" not in beta:
                raise ApiError(
                    400, f"tools: the tool {kind} requires a computer-use beta in the header anthropic-beta"
                )
            sides = (
                positive_integer(tool.get(f"display_{side}_px"), f"display_{side}_px")
                for side in ("width", "height")
            )
            check_size(messages, Size(*sides))
            tools[COMPUTER] = {"form": kind}
        elif isinstance(tool.get("input_schema"), dict):
            tools[name] = tool["input_schema"]
        else:
            raise ApiError(400, f"tools: {name} has no input_schema")
    return ReceivedRequest(
        number=number,
        model=non_empty_text(body.get("model"), "model"),
        messages=tuple(messages),
        tools=tools,
        parameters={name: value for name, value in body.items() if name not in _HANDLED},
        protocol=NAME,
    )


def _texts(value: Any) -> list[str]:
    blocks = [{"text": value}] if isinstance(value, str) else non_empty_list(value, "system")
    return [non_empty_text(block.get("text"), "system") for block in blocks]


def _message(value: Any, at: int) -> ReceivedMessage:
    where = f"messages.{at}"
    if not isinstance(value, dict) or value.get("role") not in ("user", "assistant"):
        raise ApiError(400, f"{where}.role must be user or assistant")
    content = value.get("content")
    if isinstance(content, str):
        return ReceivedMessage(value["role"], (non_empty_text(content, where),))
    parts: list[str | ReceivedImage] = []
    calls: list[FunctionCall] = []
    for block in non_empty_list(content, where):
        match block:
            case {"type": "text", "text": str(text)} if text.strip():
                parts.append(text)
            case {"type": "image", "source": source} if value["role"] == "user":
                parts.append(_image(source, where))
            case {"type": "tool_use", "name": str(name)} if value["role"] == "assistant":
                calls.append(FunctionCall(name, ""))
            case {"type": "tool_result", "content": list(inner)}:
                parts += [one["text"] for one in inner if one.get("type") == "text"]
                parts += [_image(one["source"], where) for one in inner if one.get("type") == "image"]
            case _:
                raise ApiError(400, f"{where}.content: invalid block in a message of role {value['role']}")
    return ReceivedMessage(value["role"], tuple(parts), tuple(calls))


def _image(source: Any, where: str) -> ReceivedImage:
    match source:
        case {"type": "base64", "media_type": str(kind), "data": str(data)}:
            return read_image(f"data:{kind};base64,{data}", where)
        case _:
            raise ApiError(400, f"{where}: an image must be base64; URLs are not fetched")


def write(reply: FakeReply, usage: TokenUsage, request: ReceivedRequest) -> dict[str, Any]:
    """Return a reply as a message."""
    content: list[dict[str, Any]] = []
    if reply.reasoning:
        content.append({"type": "thinking", "thinking": reply.reasoning, "signature": ""})
    if text := reply.refusal or reply.text:
        content.append({"type": "text", "text": text})
    for at, call in enumerate(reply.calls):
        made = as_separate_function(call, "action", request.tools)
        if (given := arguments_of(made)) is not None:  # an object cannot be truncated
            name = {"type": "tool_use", "id": f"toolu_{request.number:06}_{at}", "name": made.name}
            content.append({**name, "input": given})
    return {
        "id": f"msg_{request.number:06}",
        "type": "message",
        "role": "assistant",
        "model": request.model,
        "content": content if reply.choices else [],
        "stop_reason": "refusal" if reply.refusal is not None else _STOPS[reply.ending],
        "stop_sequence": None,
        # input_tokens does not include cached tokens
        "usage": {
            "input_tokens": usage.sent - usage.cached,
            "cache_read_input_tokens": usage.cached,
            "cache_creation_input_tokens": 0,
            "output_tokens": usage.received,
        },
    }


def error(error: ApiError) -> dict[str, Any]:
    """Return the JSON body of an error."""
    kind = _KINDS.get(error.status, "api_error" if error.status >= 500 else "invalid_request_error")
    return {"type": "error", "error": {"type": kind, "message": error.message}}
