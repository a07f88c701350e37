"""OpenAI's responses: ``POST /v1/responses``, with its tool for computer use in both of its forms."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from garabench.agents.chat.messages import Usage
from garabench.core.geometry import Size
from garabench.testing.asked import Asked, Called, Said, Seen
from garabench.testing.protocols.common import (
    COMPUTER,
    arguments_of,
    check_size,
    listed,
    named,
    parted,
    whole,
)
from garabench.testing.read import read_picture
from garabench.testing.refused import Refused
from garabench.testing.replies import CREATED, Finish, Reply

NAME = "responses"
_OWN = frozenset({"model", "input", "tools", "text", "stream"})
_PREVIEW = "computer_use_preview"


def read(body: Mapping[str, Any], number: int) -> Asked:
    """A request for a response.

    Raises:
        Refused: An endpoint would refuse it.
    """
    if body.get("stream"):
        raise Refused(400, "responses are not streamed here", param="stream")
    given = body.get("input")
    items = [{"role": "user", "content": given}] if isinstance(given, str) else listed(given, "input")
    said = tuple(_item(item, f"input[{at}]") for at, item in enumerate(items))
    tools: dict[str, Mapping[str, Any]] = {}
    for tool in body.get("tools") or ():
        if not isinstance(tool, dict):
            raise Refused(400, "a tool is an object", param="tools")
        if tool.get("type") in ("computer", _PREVIEW):
            tools[COMPUTER] = {"form": tool["type"]}
            if tool["type"] == _PREVIEW:
                sides = (
                    whole(tool.get(f"display_{side}"), f"display_{side}") for side in ("width", "height")
                )
                check_size(said, Size(*sides))
        elif tool.get("type") == "function":
            tools[named(tool.get("name"), "tools.name")] = tool.get("parameters") or {}
        else:
            raise Refused(400, f"no tool is of the type {tool.get('type')!r}", param="tools")
    form = body.get("text")
    kind = form.get("format", {}).get("type") if isinstance(form, dict) else None
    return Asked(
        number=number,
        model=named(body.get("model"), "model"),
        said=said,
        json_mode=kind in ("json_object", "json_schema"),
        tools=tools,
        parameters={name: value for name, value in body.items() if name not in _OWN},
        protocol=NAME,
    )


def _item(value: Any, where: str) -> Said:
    match value:
        case {"type": "computer_call_output", "output": {"image_url": str(url)}}:
            return Said("tool", (read_picture(url, where),))
        case {"type": "function_call_output", "output": str(text)}:
            return Said("tool", (text,))
        case {"type": "function_call", "name": str(name), "arguments": str(arguments)}:
            return Said("assistant", (), (Called(name, arguments),))
        case {"role": "system" | "developer" | "user" | "assistant" as role, "content": content}:
            role = "system" if role == "developer" else role
            if isinstance(content, str):
                return Said(role, (content,))
            return Said(role, tuple(_part(part, role, where) for part in listed(content, where)))
        case _:
            raise Refused(400, "an item is a message or what came of a call", param=where)


def _part(value: Any, role: str, where: str) -> str | Seen:
    match value:
        case {"type": "input_text", "text": str(text)} if role != "assistant":
            return text
        case {"type": "output_text", "text": str(text)} if role == "assistant":
            return text
        case {"type": "input_image", "image_url": str(url)} if role != "assistant":
            return read_picture(url, where)
        case _:
            raise Refused(400, f"no part of a message of the {role} is like that", param=where)


def write(reply: Reply, usage: Usage, asked: Asked) -> dict[str, Any]:
    """A reply as a response."""
    output: list[dict[str, Any]] = []
    if reply.reasoning:
        summary = [{"type": "summary_text", "text": reply.reasoning}]
        output.append({"type": "reasoning", "id": f"rs_{asked.number:06}", "summary": summary})
    parts: list[dict[str, Any]] = []
    if reply.refusal is not None:
        parts.append({"type": "refusal", "refusal": reply.refusal})
    elif reply.text or not reply.calls:
        parts.append({"type": "output_text", "text": reply.text, "annotations": []})
    if parts and reply.choices:
        message = {"type": "message", "id": f"msg_{asked.number:06}", "role": "assistant"}
        output.append({**message, "status": "completed", "content": parts})
    for at, call in enumerate(reply.calls):
        if (item := _call(parted(call, "type", asked.tools), asked)) is not None:
            output.append({**item, "call_id": f"call_{asked.number:06}_{at}", "status": "completed"})
    why = {Finish.LENGTH: "max_output_tokens", Finish.FILTER: "content_filter"}.get(reply.ending)
    return {
        "id": f"resp_{asked.number:06}",
        "object": "response",
        "created_at": CREATED,
        "model": asked.model,
        "status": "incomplete" if why else "completed",
        "incomplete_details": {"reason": why} if why else None,
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


def _call(call: Called, asked: Asked) -> dict[str, Any] | None:
    if call.name != COMPUTER:
        return {"type": "function_call", "name": call.name, "arguments": call.arguments}
    form = asked.tools.get(COMPUTER, {}).get("form")
    if form is None:
        return {"type": "function_call", "name": call.name, "arguments": call.arguments}
    action = arguments_of(call)
    if action is None:
        return None  # an object cannot be cut off in the middle
    told = {"action": action} if form == _PREVIEW else {"actions": [action]}
    return {"type": "computer_call", **told, "pending_safety_checks": []}
