"""Encode requests and decode replies of OpenAI's chat completions; pure functions.

Nearly every server implements this protocol, with deviations: fields that are missing, null or of another
type. Everything readable is read; anything that is not a reply raises `InvalidPayloadError`.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable, Mapping
from typing import Any

from garabench.agents.models.messages import (
    ChatMessage,
    ChatRequest,
    ImagePart,
    ModelReply,
    ReplyForm,
    StopReason,
    TextPart,
    TokenUsage,
    ToolCall,
)


class InvalidPayloadError(Exception):
    """A reply violates the protocol."""


def body(request: ChatRequest, *, stream: bool = False) -> dict[str, Any]:
    """Encode a request as a JSON object."""
    sent: dict[str, Any] = {
        "model": request.model,
        "messages": [_message(message) for message in request.messages],
    }
    if request.form is ReplyForm.JSON:
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


def _message(message: ChatMessage) -> dict[str, Any]:
    texts = [part.text for part in message.parts if isinstance(part, TextPart)]
    if len(texts) == len(message.parts) == 1:
        # Servers with a text-only chat template reject a list of parts.
        return {"role": message.role.value, "content": texts[0]}
    return {"role": message.role.value, "content": [_part(part) for part in message.parts]}


def _part(part: TextPart | ImagePart) -> dict[str, Any]:
    if isinstance(part, TextPart):
        return {"type": "text", "text": part.text}
    return {"type": "image_url", "image_url": {"url": data_url(part)}}


def data_url(image: ImagePart) -> str:
    """Encode an image as a ``data:`` URL."""
    return f"data:{image.media_type};base64,{base64.b64encode(image.data).decode('ascii')}"


def read(data: object, seconds: float) -> ModelReply:
    """Decode a reply.

    Args:
        data: The decoded JSON.
        seconds: Duration of the request, recorded in the answer.

    Raises:
        InvalidPayloadError: The data is not a completion.
    """
    reply = _mapping(data)
    if isinstance(reply.get("error"), (dict, str)) and not reply.get("choices"):
        raise InvalidPayloadError(f"an error with status 200: {reply['error']}")
    choices = reply.get("choices")
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
        raise InvalidPayloadError("choices are missing")
    message = choices[0].get("message") or {}  # a filter may have removed it
    if not isinstance(message, dict):
        raise InvalidPayloadError("the message is not an object")
    for name, kinds in _PARTS.items():
        if not isinstance(message.get(name), (*kinds, type(None))):
            raise InvalidPayloadError(f"{name} of the message has the type {type(message[name]).__name__}")
    finish = _text(choices[0].get("finish_reason"))
    if finish in _FAILED:
        raise InvalidPayloadError(f"the inference failed: finish_reason is {finish!r}")
    text = _content(message.get("content"))
    refusal = _text(message.get("refusal"))
    calls = tuple(_calls(message))
    return ModelReply(
        text="\n".join(part for part in (text, refusal) if part),
        calls=calls,
        stop=_stop(finish, text=text, refusal=refusal, called=bool(calls)),
        usage=usage(reply.get("usage")),
        seconds=seconds,
        model=_text(reply.get("model")),
        reasoning=_text(message.get("reasoning_content")) or _text(message.get("reasoning")),
    )


_PARTS: Mapping[str, tuple[type, ...]] = {"content": (str, list), "tool_calls": (list,), "refusal": (str,)}
"""Fields of a message: if they are malformed, the server has failed, not the model."""
_FILTERED = ("content_filter", "sensitive")
"""Finish reasons of a content filter: OpenAI's, and Zhipu's (docs.bigmodel.cn, chat completions)."""
_FAILED = ("network_error", "error")
"""Zhipu's and OpenRouter's finish reasons for a failed inference, which is not the model's fault."""


def merge_chunks(chunks: Iterable[object]) -> dict[str, Any]:
    """Merge the chunks of a streamed reply into the equivalent unstreamed reply.

    Args:
        chunks: The decoded JSON of each chunk.

    Raises:
        InvalidPayloadError: There are no chunks, or none has a finish reason: the reply is incomplete.
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
            _merge_calls(delta.get("tool_calls"), calls)
    if not finish:
        raise InvalidPayloadError("the stream ended before the reply was complete")
    message["tool_calls"] = [calls[number] for number in sorted(calls)]
    return {"model": model, "usage": counted, "choices": [{"message": message, "finish_reason": finish}]}


def _merge_calls(pieces: object, calls: dict[int, dict[str, Any]]) -> None:
    for place, piece in enumerate(pieces if isinstance(pieces, list) else ()):
        given = _mapping(piece)
        number = given.get("index")
        call = calls.setdefault(
            number if isinstance(number, int) else place, {"function": {"name": "", "arguments": ""}}
        )
        function = _mapping(given.get("function"))
        call["function"]["name"] += _text(function.get("name"))
        call["function"]["arguments"] += _arguments(function.get("arguments"))


def usage(data: object) -> TokenUsage:
    """Decode the usage of a reply; zeros if it reports none."""
    usage_data = _mapping(data)
    sent, received = (
        _mapping(usage_data.get("prompt_tokens_details")),
        _mapping(usage_data.get("completion_tokens_details")),
    )
    return TokenUsage(
        sent=token_count(usage_data.get("prompt_tokens")),
        received=token_count(usage_data.get("completion_tokens")),
        cached=token_count(sent.get("cached_tokens")),
        pictures=token_count(sent.get("image_tokens")),
        reasoning=token_count(received.get("reasoning_tokens")),
    )


def token_count(value: object) -> int:
    """Return a number of tokens; 0 if the value is not one."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0


def _calls(message: Mapping[str, Any]) -> Iterable[ToolCall]:
    tool_calls = message.get("tool_calls")
    listed = list(tool_calls) if isinstance(tool_calls, list) else []
    if not listed and isinstance(message.get("function_call"), dict):
        listed = [{"function": message["function_call"]}]  # the format before tools
    for item in listed:
        function = _mapping(_mapping(item).get("function"))
        if name := _text(function.get("name")).removeprefix("functions."):
            yield ToolCall(name, _arguments(function.get("arguments")))


def _arguments(value: object) -> str:
    """Read a call's arguments, which some servers send as an object instead of a string."""
    if isinstance(value, dict):
        return json.dumps(value, ensure_ascii=False)
    if not isinstance(value, (str, type(None))):
        raise InvalidPayloadError(f"the arguments of a call have the type {type(value).__name__}")
    return value or ""


def _stop(finish: str, *, text: str, refusal: str, called: bool) -> StopReason:
    if finish in _FILTERED:
        return StopReason.FILTERED
    if refusal:  # overrides any text
        return StopReason.REFUSED
    if finish in ("length", "max_tokens", "model_length"):
        return StopReason.CUT_OFF
    return StopReason.DONE if text.strip() or called else StopReason.EMPTY


def _content(value: object) -> str:
    """Read a message's text, which some servers send as a list of parts."""
    if isinstance(value, list):
        return "".join(_text(_mapping(part).get("text")) for part in value)
    return _text(value)


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}
