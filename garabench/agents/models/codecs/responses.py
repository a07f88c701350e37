"""Encode requests and decode replies of OpenAI's Responses API; pure and total.

The tool is named ``computer`` from GPT-5.4 on, and ``computer_use_preview`` for the model
computer-use-preview.
Source: OpenAI's documentation of the Responses API and of its computer-use tool
(developers.openai.com/api/docs/guides/tools-computer-use); the types of the package openai 3.52,
``computer_tool.py``, ``computer_use_preview_tool.py`` and ``response_computer_tool_call.py``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from garabench.agents.models.codecs import vendor
from garabench.agents.models.codecs.completions import InvalidPayloadError, data_url, token_count
from garabench.agents.models.messages import (
    ChatMessage,
    ChatRequest,
    ChatRole,
    ImagePart,
    ModelReply,
    ReplyForm,
    StopReason,
    TextPart,
    TokenUsage,
    ToolCall,
)

_VERB = "type"
_NEUTRAL = ("screenshot", "wait", "move")
"""Actions that change nothing by themselves."""
_PREVIEW = "computer-use-preview"
"""The model with the first version of the tool."""


def body(request: ChatRequest) -> dict[str, Any]:
    """Return the JSON body of a request."""
    given = dict(request.parameters)
    sent: dict[str, Any] = {
        "model": request.model,
        "input": [_message(message) for message in request.messages],
        "store": False,
    }
    if effort := given.pop("reasoning_effort", None):
        sent["reasoning"] = {"effort": effort}
    if limit := given.pop("max_completion_tokens", given.pop("max_tokens", None)):
        sent["max_output_tokens"] = limit
    if request.form is ReplyForm.JSON:
        sent["text"] = {"format": {"type": "json_object"}}
    if request.tools:
        sent["tools"] = list(_tools(request))
    if request.model.startswith(_PREVIEW):
        sent["truncation"] = "auto"  # required by this model
    return {**sent, **given}


def _tools(request: ChatRequest) -> Iterator[dict[str, Any]]:
    if not vendor.offers(request, vendor.COMPUTER):
        for tool in request.tools:
            parameters = dict(tool.parameters)
            yield _function(tool.name, tool.description, parameters)
        return
    if request.model.startswith(_PREVIEW):
        size = vendor.latest_image_size(request)
        screen = {"display_width": size.width, "display_height": size.height, "environment": "browser"}
        yield {"type": "computer_use_preview", **screen}
    else:
        yield {"type": "computer"}
    for name, (argument, about) in vendor.EXTRA_FUNCTIONS.items():
        yield _function(name, about, vendor.schema(argument))


def _function(name: str, about: str, parameters: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "function", "name": name, "description": about, "parameters": parameters, "strict": False}


def _message(message: ChatMessage) -> dict[str, Any]:
    if message.role is ChatRole.ASSISTANT:
        text = "\n".join(part.text for part in message.parts if isinstance(part, TextPart))
        return {"role": "assistant", "content": text}
    return {"role": message.role.value, "content": [_part(part) for part in message.parts]}


def _part(part: TextPart | ImagePart) -> dict[str, Any]:
    if isinstance(part, TextPart):
        return {"type": "input_text", "text": part.text}
    return {"type": "input_image", "image_url": data_url(part), "detail": "high"}


def read(data: object) -> ModelReply:
    """Decode a reply.

    Raises:
        InvalidPayloadError: The data is not a response.
    """
    reply = vendor.mapping(data)
    if reply.get("status") == "failed" or not isinstance(reply.get("output"), list):
        message = vendor.text_or_empty(vendor.mapping(reply.get("error")).get("message"))
        raise InvalidPayloadError(message or "output is missing or not a list")
    items = vendor.objects_in(reply["output"])
    parts = [
        part
        for item in items
        if item.get("type") == "message"
        for part in vendor.objects_in(item.get("content"))
    ]
    reply_text = "".join(vendor.text_or_empty(part.get("text")) for part in parts)
    refusal = "".join(vendor.text_or_empty(part.get("refusal")) for part in parts)
    calls = tuple(call for item in items for call in _calls(item))
    used = vendor.mapping(reply.get("usage"))
    sent, received = (
        vendor.mapping(used.get("input_tokens_details")),
        vendor.mapping(used.get("output_tokens_details")),
    )
    return ModelReply(
        text="\n".join(part for part in (reply_text, refusal) if part),
        calls=calls,
        stop=_stop(reply, text=reply_text, refusal=refusal, called=bool(calls)),
        usage=TokenUsage(
            sent=token_count(used.get("input_tokens")),
            received=token_count(used.get("output_tokens")),
            cached=token_count(sent.get("cached_tokens")),
            reasoning=token_count(received.get("reasoning_tokens")),
        ),
        seconds=0.0,
        model=vendor.text_or_empty(reply.get("model")),
        reasoning="\n".join(
            vendor.text_or_empty(part.get("text"))
            for item in items
            if item.get("type") == "reasoning"
            for part in vendor.objects_in(item.get("summary"))
        ),
    )


def _calls(item: Mapping[str, Any]) -> Iterator[ToolCall]:
    match item.get("type"):
        case "computer_call":
            actions = vendor.objects_in(item.get("actions")) or vendor.objects_in([item.get("action")])
            # An image is sent after each action, so that the model sees the effect of the first action of a
            # batch before it continues. Screenshots, waits and hovers do not count next to another action.
            acting = [one for one in actions if one.get("type") not in _NEUTRAL]
            for action in (acting or actions)[:1]:
                yield ToolCall(vendor.COMPUTER, vendor.to_text(_without_nulls(action)))
        case "function_call":
            name, arguments = (
                vendor.text_or_empty(item.get("name")),
                vendor.text_or_empty(item.get("arguments")),
            )
            yield (
                _extra_call(name, arguments) if name in vendor.EXTRA_FUNCTIONS else ToolCall(name, arguments)
            )


def _without_nulls(action: Mapping[str, Any]) -> dict[str, Any]:
    """Return an action without its null fields."""
    return {name: value for name, value in action.items() if value is not None}


def _extra_call(name: str, arguments: str) -> ToolCall:
    given = arguments.strip()
    inner = given[1:-1].strip() if given.startswith("{") and given.endswith("}") else ""
    # The text stays as the model wrote it; the dialect decides whether it is valid JSON.
    return ToolCall(vendor.COMPUTER, f'{{"{_VERB}": "{name}"' + (f", {inner}" if inner else "") + "}")


def _stop(reply: Mapping[str, Any], *, text: str, refusal: str, called: bool) -> StopReason:
    reason = vendor.text_or_empty(vendor.mapping(reply.get("incomplete_details")).get("reason"))
    if reason == "content_filter":
        return StopReason.FILTERED
    if refusal:  # overrides any text
        return StopReason.REFUSED
    if reason or reply.get("status") == "incomplete":
        return StopReason.CUT_OFF
    return StopReason.DONE if text.strip() or called else StopReason.EMPTY
