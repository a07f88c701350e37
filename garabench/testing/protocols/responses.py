"""OpenAI's responses: ``POST /v1/responses``, with its tool for computer use in both of its forms."""

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
from garabench.testing.replies import CREATED, FakeReply, FinishReason
from garabench.testing.requests import FunctionCall, ReceivedImage, ReceivedMessage, ReceivedRequest
from garabench.testing.validation import read_image

NAME = "responses"
_HANDLED = frozenset({"model", "input", "tools", "text", "stream"})
_PREVIEW = "computer_use_preview"


def read(body: Mapping[str, Any], number: int) -> ReceivedRequest:
    """Validate a request for a response.

    Raises:
        ApiError: A real endpoint would reject it.
    """
    if body.get("stream"):
        raise ApiError(400, "streaming is not supported", param="stream")
    given = body.get("input")
    items = [{"role": "user", "content": given}] if isinstance(given, str) else non_empty_list(given, "input")
    messages = tuple(_item(item, f"input[{at}]") for at, item in enumerate(items))
    tools: dict[str, Mapping[str, Any]] = {}
    for tool in body.get("tools") or ():
        if not isinstance(tool, dict):
            raise ApiError(400, "a tool must be an object", param="tools")
        if tool.get("type") in ("computer", _PREVIEW):
            tools[COMPUTER] = {"form": tool["type"]}
            if tool["type"] == _PREVIEW:
                sides = (
                    positive_integer(tool.get(f"display_{side}"), f"display_{side}")
                    for side in ("width", "height")
                )
                check_size(messages, Size(*sides))
        elif tool.get("type") == "function":
            tools[non_empty_text(tool.get("name"), "tools.name")] = tool.get("parameters") or {}
        else:
            raise ApiError(400, f"unknown tool type {tool.get('type')!r}", param="tools")
    form = body.get("text")
    kind = form.get("format", {}).get("type") if isinstance(form, dict) else None
    return ReceivedRequest(
        number=number,
        model=non_empty_text(body.get("model"), "model"),
        messages=messages,
        json_mode=kind in ("json_object", "json_schema"),
        tools=tools,
        parameters={name: value for name, value in body.items() if name not in _HANDLED},
        protocol=NAME,
    )


def _item(value: Any, where: str) -> ReceivedMessage:
    match value:
        case {"type": "computer_call_output", "output": {"image_url": str(url)}}:
            return ReceivedMessage("tool", (read_image(url, where),))
        case {"type": "function_call_output", "output": str(text)}:
            return ReceivedMessage("tool", (text,))
        case {"type": "function_call", "name": str(name), "arguments": str(arguments)}:
            return ReceivedMessage("assistant", (), (FunctionCall(name, arguments),))
        case {"role": "system" | "developer" | "user" | "assistant" as role, "content": content}:
            role = "system" if role == "developer" else role
            if isinstance(content, str):
                return ReceivedMessage(role, (content,))
            return ReceivedMessage(
                role, tuple(_part(part, role, where) for part in non_empty_list(content, where))
            )
        case _:
            raise ApiError(
                400, "an item must be a message, a function call or the output of a call", param=where
            )


def _part(value: Any, role: str, where: str) -> str | ReceivedImage:
    match value:
        case {"type": "input_text", "text": str(text)} if role != "assistant":
            return text
        case {"type": "output_text", "text": str(text)} if role == "assistant":
            return text
        case {"type": "input_image", "image_url": str(url)} if role != "assistant":
            return read_image(url, where)
        case _:
            raise ApiError(400, f"invalid part in a message of role {role}", param=where)


def write(reply: FakeReply, usage: TokenUsage, request: ReceivedRequest) -> dict[str, Any]:
    """Return a reply as a response."""
    output: list[dict[str, Any]] = []
    if reply.reasoning:
        summary = [{"type": "summary_text", "text": reply.reasoning}]
        output.append({"type": "reasoning", "id": f"rs_{request.number:06}", "summary": summary})
    parts: list[dict[str, Any]] = []
    if reply.refusal is not None:
        parts.append({"type": "refusal", "refusal": reply.refusal})
    elif reply.text or not reply.calls:
        parts.append({"type": "output_text", "text": reply.text, "annotations": []})
    if parts and reply.choices:
        message = {"type": "message", "id": f"msg_{request.number:06}", "role": "assistant"}
        output.append({**message, "status": "completed", "content": parts})
    for at, call in enumerate(reply.calls):
        if (item := _call(as_separate_function(call, "type", request.tools), request)) is not None:
            output.append({**item, "call_id": f"call_{request.number:06}_{at}", "status": "completed"})
    reason = {FinishReason.LENGTH: "max_output_tokens", FinishReason.FILTER: "content_filter"}.get(
        reply.ending
    )
    return {
        "id": f"resp_{request.number:06}",
        "object": "response",
        "created_at": CREATED,
        "model": request.model,
        "status": "incomplete" if reason else "completed",
        "incomplete_details": {"reason": reason} if reason else None,
        "error": None,
        "output": output,
        "usage": {
            "input_tokens": usage.sent,
            "input_tokens_details": {"cached_tokens": usage.cached},
            "output_tokens": usage.received,
            "output_tokens_details": {"reasoning_tokens": usage.reasoning},
            "total_tokens": usage.sent + usage.received,
        },
    }


def _call(call: FunctionCall, request: ReceivedRequest) -> dict[str, Any] | None:
    if call.name != COMPUTER:
        return {"type": "function_call", "name": call.name, "arguments": call.arguments}
    form = request.tools.get(COMPUTER, {}).get("form")
    if form is None:
        return {"type": "function_call", "name": call.name, "arguments": call.arguments}
    action = arguments_of(call)
    if action is None:
        return None  # an object cannot be truncated
    actions = {"action": action} if form == _PREVIEW else {"actions": [action]}
    return {"type": "computer_call", **actions, "pending_safety_checks": []}
