"""Requests and answers as JSON values, for records, hashes and replays; pictures are told by their hash."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from typing import Any

from garabench.agents.chat.messages import Answer, Message, Picture, Request, Stop, Text, ToolCall, Usage

NamePicture = Callable[[Picture], str]
"""Names the file that a picture is kept in; empty where it is kept in none."""


class NotAnAnswer(ValueError):
    """A recorded answer cannot be read; says why."""


def request_to_json(request: Request, name: NamePicture = lambda picture: "") -> dict[str, Any]:
    """A request as JSON values.

    Args:
        request: What was sent; keys are no part of it.
        name: Names the files of its pictures.
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


def _message(message: Message, name: NamePicture) -> dict[str, Any]:
    return {"role": message.role.value, "parts": [_part(part, name) for part in message.parts]}


def _part(part: Text | Picture, name: NamePicture) -> dict[str, Any]:
    if isinstance(part, Text):
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
    """A recorded request without the names of its pictures' files: what makes it the same as another."""
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


def digest(request: Request, endpoint: str = "") -> str:
    """The hash of a whole request: text, pictures, tools, parameters, and the endpoint where it matters."""
    return digest_of(request_to_json(request), endpoint)


def digest_of(data: Mapping[str, Any], endpoint: str = "") -> str:
    """The hash of a request as JSON values, without the names of files."""
    whole = {"endpoint": endpoint, "request": data}
    text = json.dumps(whole, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def answer_to_json(answer: Answer) -> dict[str, Any]:
    """An answer as JSON values."""
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


def answer_from_json(data: object) -> Answer:
    """Read a recorded answer.

    Raises:
        NotAnAnswer: It is none.
    """
    if not isinstance(data, dict):
        raise NotAnAnswer("it is no object")
    try:
        used = data.get("usage", {})
        return Answer(
            text=_str(data["text"]),
            calls=tuple(ToolCall(_str(call["name"]), _str(call["arguments"])) for call in data["calls"]),
            stop=Stop(data["stop"]),
            usage=Usage(**{name: int(used.get(name, 0)) for name in Usage.__slots__}),
            seconds=float(data.get("seconds", 0)),
            model=_str(data.get("model", "")),
            reasoning=_str(data.get("reasoning", "")),
            tries=int(data.get("tries", 1)),
            from_cache=bool(data.get("from_cache", False)),
            queued=float(data.get("queued", 0)),
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise NotAnAnswer(f"{type(error).__name__}: {error}") from error


def _str(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is no text")
    return value
