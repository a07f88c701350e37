"""Requests and replies as JSON values, for records, hashes and replays; images are named by hash."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from typing import Any

from garabench.agents.models.messages import (
    ChatMessage,
    ChatRequest,
    ImagePart,
    ModelReply,
    StopReason,
    TextPart,
    TokenUsage,
    ToolCall,
)

NameImage = Callable[[ImagePart], str]
"""Returns the name of the file with an image; empty if there is none."""


class InvalidAnswerError(ValueError):
    """A recorded answer is malformed."""


def request_to_json(request: ChatRequest, name: NameImage = lambda image: "") -> dict[str, Any]:
    """Return a request as JSON values.

    Args:
        request: The request, which contains no API key.
        name: Returns the file names of its images.
    """
    data: dict[str, Any] = {
        "model": request.model,
        "messages": [_message(message, name) for message in request.messages],
        "form": request.form.value,
    }
    if request.tools:
        data["tools"] = [
            {"name": tool.name, "description": tool.description, "parameters": dict(tool.parameters)}
            for tool in request.tools
        ]
    if request.parameters:
        data["parameters"] = dict(request.parameters)
    return data


def _message(message: ChatMessage, name: NameImage) -> dict[str, Any]:
    return {"role": message.role.value, "parts": [_part(part, name) for part in message.parts]}


def _part(part: TextPart | ImagePart, name: NameImage) -> dict[str, Any]:
    if isinstance(part, TextPart):
        return {"text": part.text}
    data = {
        "sha256": part.sha256,
        "width": part.size.width,
        "height": part.size.height,
        "media_type": part.media_type,
    }
    file = name(part)
    return {"picture": {**data, "file": file} if file else data}


def without_files(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return a recorded request without the file names of its images, for comparison."""
    messages = [
        {
            "role": message["role"],
            "parts": [
                {"picture": {key: value for key, value in part["picture"].items() if key != "file"}}
                if "picture" in part
                else part
                for part in message["parts"]
            ],
        }
        for message in data["messages"]
    ]
    return {**data, "messages": messages}


def request_digest(request: ChatRequest, endpoint: str = "") -> str:
    """Return the hash of a request with its images, tools and parameters, and optionally the endpoint."""
    return digest_of(request_to_json(request), endpoint)


def digest_of(data: Mapping[str, Any], endpoint: str = "") -> str:
    """Return the hash of a request given as JSON values, without file names."""
    whole = {"endpoint": endpoint, "request": data}
    text = json.dumps(whole, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def answer_to_json(answer: ModelReply) -> dict[str, Any]:
    """Return an answer as JSON values."""
    used = answer.usage
    data: dict[str, Any] = {
        "text": answer.text,
        "calls": [{"name": call.name, "arguments": call.arguments} for call in answer.calls],
        "stop": answer.stop.value,
        "usage": {
            "sent": used.sent,
            "received": used.received,
            "cached": used.cached,
            "pictures": used.pictures,
            "reasoning": used.reasoning,
        },
        "seconds": answer.seconds,
        "queued": answer.queued,
        "tries": answer.tries,
        "model": answer.model,
    }
    if answer.reasoning:
        data["reasoning"] = answer.reasoning
    if answer.from_cache:
        data["from_cache"] = True
    return data


def answer_from_json(data: object) -> ModelReply:
    """Read a recorded answer.

    Raises:
        InvalidAnswerError: The data is not a valid answer.
    """
    if not isinstance(data, dict):
        raise InvalidAnswerError("expected an object")
    try:
        used = data.get("usage", {})
        return ModelReply(
            text=_str(data["text"]),
            calls=tuple(ToolCall(_str(call["name"]), _str(call["arguments"])) for call in data["calls"]),
            stop=StopReason(data["stop"]),
            usage=TokenUsage(**{name: int(used.get(name, 0)) for name in TokenUsage.__slots__}),
            seconds=float(data.get("seconds", 0)),
            model=_str(data.get("model", "")),
            reasoning=_str(data.get("reasoning", "")),
            tries=int(data.get("tries", 1)),
            from_cache=bool(data.get("from_cache", False)),
            queued=float(data.get("queued", 0)),
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise InvalidAnswerError(f"{type(error).__name__}: {error}") from error


def _str(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is not a string")
    return value
