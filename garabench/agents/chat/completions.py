"""OpenAI's chat completions as values: what is sent for a request, and what a reply says; pure and total.

The protocol is spoken by nearly every server, with liberties: fields that are missing, null or of another
type. Whatever can be read is read; what is no reply at all is told as `Unreadable`.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable, Mapping
from typing import Any

from garabench.agents.chat.messages import (
    Answer,
    Form,
    Message,
    Picture,
    Request,
    Stop,
    Text,
    ToolCall,
    Usage,
)


class Unreadable(Exception):
    """A reply is none of the protocol; says why."""


def body(request: Request, *, stream: bool = False) -> dict[str, Any]:
    """What is sent for a request, as a JSON object."""
    sent: dict[str, Any] = {
        "model": request.model,
        "messages": [_message(message) for message in request.messages],
    }
    if request.form is Form.JSON:
        sent["response_format"] = {"type": "json_object"}
    if request.tools:
        sent["tools"] = [
            {
                "type": "function",
                "function": {
                    "name": tool.name,
                    "description": tool.description,
                    "parameters": dict(tool.parameters),
                },
            }
            for tool in request.tools
        ]
    if stream:
        sent["stream"] = True
        sent["stream_options"] = {"include_usage": True}
    return {**sent, **request.parameters}


def _message(message: Message) -> dict[str, Any]:
    texts = [part.text for part in message.parts if isinstance(part, Text)]
    if len(texts) == len(message.parts) == 1:
        # Servers with a chat template for texts alone take no list of parts.
        return {"role": message.role.value, "content": texts[0]}
    return {"role": message.role.value, "content": [_part(part) for part in message.parts]}


def _part(part: Text | Picture) -> dict[str, Any]:
    if isinstance(part, Text):
        return {"type": "text", "text": part.text}
    return {"type": "image_url", "image_url": {"url": data_url(part)}}


def data_url(picture: Picture) -> str:
    """A picture as a ``data:`` URL."""
    return f"data:{picture.media_type};base64,{base64.b64encode(picture.data).decode('ascii')}"


def read(data: object, seconds: float) -> Answer:
    """Read a reply.

    Args:
        data: The decoded JSON.
        seconds: What it took, for the answer.

    Raises:
        Unreadable: It is no completion.
    """
    reply = _mapping(data)
    if isinstance(reply.get("error"), (dict, str)) and not reply.get("choices"):
        raise Unreadable(f"an error in a reply of status 200: {reply['error']}")
    choices = reply.get("choices")
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
        raise Unreadable("it has no choices")
    message = choices[0].get("message") or {}  # none where a filter has taken it
    if not isinstance(message, dict):
        raise Unreadable("its message is no object")
    for name, kinds in _PARTS.items():
        if not isinstance(message.get(name), (*kinds, type(None))):
            raise Unreadable(f"its message's {name} is of the type {type(message[name]).__name__}")
    finish = _text(choices[0].get("finish_reason"))
    if finish in _BROKEN_OFF:
        raise Unreadable(f"it ended by a fault of the endpoint: its finish_reason is {finish!r}")
    text = _content(message.get("content"))
    refusal = _text(message.get("refusal"))
    calls = tuple(_calls(message))
    return Answer(
        text="\n".join(part for part in (text, refusal) if part),
        calls=calls,
        stop=_stop(finish, text=text, refusal=refusal, called=bool(calls)),
        usage=usage(reply.get("usage")),
        seconds=seconds,
        model=_text(reply.get("model")),
        reasoning=_text(message.get("reasoning_content")) or _text(message.get("reasoning")),
    )


_PARTS: Mapping[str, tuple[type, ...]] = {"content": (str, list), "tool_calls": (list,), "refusal": (str,)}
"""Of a message: a server that fills them otherwise has failed, not the model."""
_FILTERED = ("content_filter", "sensitive")
"""OpenAI's word, and Zhipu's (docs.bigmodel.cn, chat completions: what was held back by its review)."""
_BROKEN_OFF = ("network_error", "error")
"""Zhipu's and OpenRouter's words for an inference that failed: nothing that the model did."""


def merge(chunks: Iterable[object]) -> dict[str, Any]:
    """Put the pieces of a streamed reply together to the reply that it would be unstreamed.

    Args:
        chunks: The decoded JSON of each.

    Raises:
        Unreadable: They end without saying why, so that something is missing; or there are none.
    """
    message: dict[str, Any] = {"content": "", "refusal": "", "reasoning_content": "", "reasoning": ""}
    calls: dict[int, dict[str, Any]] = {}
    model, finish, counted = "", "", None
    for chunk in chunks:
        piece = _mapping(chunk)
        model = _text(piece.get("model")) or model
        counted = piece.get("usage") or counted
        choices = piece.get("choices")
        for choice in choices if isinstance(choices, list) else ():
            finish = _text(_mapping(choice).get("finish_reason")) or finish
            delta = _mapping(_mapping(choice).get("delta"))
            for name in message:
                message[name] += _text(delta.get(name))
            _take_calls(delta.get("tool_calls"), calls)
    if not finish:
        raise Unreadable("the stream ended before the reply did")
    message["tool_calls"] = [calls[number] for number in sorted(calls)]
    return {"model": model, "usage": counted, "choices": [{"message": message, "finish_reason": finish}]}


def _take_calls(pieces: object, calls: dict[int, dict[str, Any]]) -> None:
    for place, piece in enumerate(pieces if isinstance(pieces, list) else ()):
        given = _mapping(piece)
        number = given.get("index")
        call = calls.setdefault(
            number if isinstance(number, int) else place, {"function": {"name": "", "arguments": ""}}
        )
        function = _mapping(given.get("function"))
        call["function"]["name"] += _text(function.get("name"))
        call["function"]["arguments"] += _arguments(function.get("arguments"))


def usage(data: object) -> Usage:
    """The tokens that a reply tells; zeros where it tells none."""
    told = _mapping(data)
    sent, received = (
        _mapping(told.get("prompt_tokens_details")),
        _mapping(told.get("completion_tokens_details")),
    )
    return Usage(
        sent=count(told.get("prompt_tokens")),
        received=count(told.get("completion_tokens")),
        cached=count(sent.get("cached_tokens")),
        pictures=count(sent.get("image_tokens")),
        reasoning=count(received.get("reasoning_tokens")),
    )


def count(value: object) -> int:
    """A number of tokens, 0 for what is none."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0


def _calls(message: Mapping[str, Any]) -> Iterable[ToolCall]:
    told = message.get("tool_calls")
    listed = list(told) if isinstance(told, list) else []
    if not listed and isinstance(message.get("function_call"), dict):
        listed = [{"function": message["function_call"]}]  # the form before tools
    for item in listed:
        function = _mapping(_mapping(item).get("function"))
        if name := _text(function.get("name")).removeprefix("functions."):
            yield ToolCall(name, _arguments(function.get("arguments")))


def _arguments(value: object) -> str:
    """A call's arguments, which some servers give as the object itself and not as its text."""
    if isinstance(value, dict):
        return json.dumps(value, ensure_ascii=False)
    if not isinstance(value, (str, type(None))):
        raise Unreadable(f"a call's arguments are of the type {type(value).__name__}")
    return value or ""


def _stop(finish: str, *, text: str, refusal: str, called: bool) -> Stop:
    if finish in _FILTERED:
        return Stop.FILTERED
    if refusal:  # also beside a text: it denies whatever that says
        return Stop.REFUSED
    if finish in ("length", "max_tokens", "model_length"):
        return Stop.CUT_OFF
    return Stop.DONE if text.strip() or called else Stop.EMPTY


def _content(value: object) -> str:
    """A message's text, which some servers give as a list of parts."""
    if isinstance(value, list):
        return "".join(_text(_mapping(part).get("text")) for part in value)
    return _text(value)


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}
