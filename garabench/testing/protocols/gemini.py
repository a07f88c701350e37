"""Gemini's generateContent: ``POST /v1beta/models/NAME:generateContent``, with its tool for computer use."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from garabench.agents.models.messages import TokenUsage
from garabench.testing.http_error import ApiError
from garabench.testing.protocols.request_values import arguments_of, non_empty_list, non_empty_text
from garabench.testing.replies import FakeReply, FinishReason
from garabench.testing.requests import FunctionCall, ReceivedImage, ReceivedMessage, ReceivedRequest
from garabench.testing.validation import read_image

NAME = "gemini"
PREDEFINED = (
    "open_web_browser", "wait_5_seconds", "go_back", "go_forward", "search", "navigate", "click_at",
    "hover_at", "type_text_at", "key_combination", "scroll_document", "scroll_at", "drag_and_drop",
)  # fmt: skip
"""Predefined functions of the computer-use tool for browsers."""
MOBILE = "ENVIRONMENT_MOBILE"
PREDEFINED_MOBILE = (
    "click", "long_press", "type", "scroll", "drag_and_drop", "press_key", "go_back", "wait", "open_app",
    "list_apps", "take_screenshot",
)  # fmt: skip
"""Predefined functions for phones, which later models support."""
_LATER_NAMES = {
    "click_at": "click",
    "long_press_at": "long_press",
    "type_text_at": "type",
    "scroll_at": "scroll",
    "scroll_document": "scroll",
    "key_combination": "press_key",
    "wait_5_seconds": "wait",
}
_NEW_NAME = "new-name"
"""Marks a function that has another name for the requested model."""
_UNDERSCORE = re.compile(r"_([a-z])")
_USER_DATA = frozenset({"args", "parameters", "parametersJsonSchema", "parameters_json_schema", "response"})
"""Values whose keys are defined by the user, not by the protocol."""
_STANDARD_BASE64 = str.maketrans("-_", "+/")
"""Google's clients use URL-safe base64."""
_HANDLED = frozenset({"contents", "systemInstruction", "tools"})
_FINISHES = {
    FinishReason.STOP: "STOP",
    FinishReason.CALLS: "STOP",
    FinishReason.LENGTH: "MAX_TOKENS",
    FinishReason.FILTER: "SAFETY",
}
_STATUSES = {
    400: "INVALID_ARGUMENT", 401: "UNAUTHENTICATED", 404: "NOT_FOUND", 429: "RESOURCE_EXHAUSTED",
    500: "INTERNAL", 503: "UNAVAILABLE",
}  # fmt: skip


def read(body: Mapping[str, Any], number: int, model: str) -> ReceivedRequest:
    """Validate a request for content.

    Args:
        body: The request's JSON object.
        number: Number of the request.
        model: The model's name in the URL.

    Raises:
        ApiError: A real endpoint would reject it.
    """
    body = {name: _camel(value) for name, value in body.items()}
    messages = [
        _content(one, f"contents[{at}]")
        for at, one in enumerate(non_empty_list(body.get("contents"), "contents"))
    ]
    if isinstance(system := body.get("systemInstruction"), dict):
        messages.insert(
            0, ReceivedMessage("system", _content({**system, "role": "user"}, "systemInstruction").parts)
        )
    config = body.get("generationConfig")
    form = config.get("responseMimeType") if isinstance(config, dict) else None
    return ReceivedRequest(
        number=number,
        model=model,
        messages=tuple(messages),
        json_mode=form == "application/json",
        tools=_tools(body.get("tools") or []),
        parameters={name: value for name, value in body.items() if name not in _HANDLED},
        protocol=NAME,
    )


def _camel(value: Any) -> Any:
    """Convert keys to camel case: Google also accepts ``mime_type`` for ``mimeType``."""
    if isinstance(value, list):
        return [_camel(each) for each in value]
    if not isinstance(value, dict):
        return value
    return {
        _UNDERSCORE.sub(lambda match: match[1].upper(), name): each if name in _USER_DATA else _camel(each)
        for name, each in value.items()
    }


def _tools(value: Any) -> dict[str, Mapping[str, Any]]:
    found: dict[str, Mapping[str, Any]] = {}
    for tool in non_empty_list(value, "tools") if value else ():
        match tool:
            case {"computerUse": dict(given)}:
                excluded = given.get("excludedPredefinedFunctions") or ()
                mobile = given.get("environment") == MOBILE
                names = PREDEFINED_MOBILE if mobile else PREDEFINED
                found |= {name: {} for name in names if name not in excluded}
                if mobile:
                    found |= {old: {_NEW_NAME: new} for old, new in _LATER_NAMES.items() if new in found}
            case {"functionDeclarations": list(functions)}:
                for function in functions:
                    schema = function.get("parametersJsonSchema") or function.get("parameters") or {}
                    found[non_empty_text(function.get("name"), "functionDeclarations.name")] = schema
            case _:
                raise ApiError(400, "Invalid JSON payload received. Unknown name in tools", param="tools")
    return found


def _content(value: Any, where: str) -> ReceivedMessage:
    if not isinstance(value, dict) or value.get("role", "user") not in ("user", "model"):
        raise ApiError(400, f"{where}: please use a valid role: user, model")
    role = "assistant" if value.get("role") == "model" else "user"
    parts: list[str | ReceivedImage] = []
    calls: list[FunctionCall] = []
    for part in non_empty_list(value.get("parts"), f"{where}.parts"):
        match part:
            case {"text": str(text)}:
                parts.append(text)
            case {"inlineData": {"mimeType": str(kind), "data": str(data)}}:
                plain = data.translate(_STANDARD_BASE64)
                parts.append(read_image(f"data:{kind};base64,{plain}", where))
            case {"functionCall": {"name": str(name), **rest}}:
                calls.append(FunctionCall(name, json.dumps(rest.get("args") or {}, ensure_ascii=False)))
            case {"functionResponse": {"name": str(name)}}:
                parts.append(f"{name}: done")
            case _:
                raise ApiError(400, f"{where}.parts: invalid part")
    return ReceivedMessage(role, tuple(parts), tuple(calls))


def write(reply: FakeReply, usage: TokenUsage, request: ReceivedRequest) -> dict[str, Any]:
    """Return a reply as content."""
    parts: list[dict[str, Any]] = []
    if reply.reasoning:
        parts.append({"text": reply.reasoning, "thought": True})
    if text := reply.refusal or reply.text:
        parts.append({"text": text})
    for call in reply.calls:
        if (given := arguments_of(call)) is not None:  # an object cannot be truncated
            parts.append({"functionCall": _renamed(call.name, given, request)})
    candidate = {
        "content": {"role": "model", "parts": parts},
        "finishReason": _FINISHES[reply.ending],
        "index": 0,
    }
    return {
        "candidates": [candidate] * reply.choices,
        "modelVersion": request.model,
        "responseId": f"r{request.number:06}",
        "usageMetadata": {
            "promptTokenCount": usage.sent,
            "cachedContentTokenCount": usage.cached,
            "candidatesTokenCount": usage.received - usage.reasoning,
            "thoughtsTokenCount": usage.reasoning,
            "totalTokenCount": usage.sent + usage.received,
            "promptTokensDetails": [
                {"modality": "TEXT", "tokenCount": usage.sent - usage.pictures},
                {"modality": "IMAGE", "tokenCount": usage.pictures},
            ],
        },
    }


def _renamed(name: str, given: Mapping[str, Any], request: ReceivedRequest) -> dict[str, Any]:
    """Return a call under the name that the requested model uses: later models renamed functions."""
    now = request.tools.get(name, {}).get(_NEW_NAME)
    if now is None:
        return {"name": name, "args": given}
    if now == "press_key":
        given = {"key": given.get("keys")}
    elif now == "wait":
        given = {"seconds": 5}
    return {"name": now, "args": {**given, "intent": f"I {now}."}}


def error(error: ApiError) -> dict[str, Any]:
    """Return the JSON body of an error."""
    status = _STATUSES.get(error.status, "UNKNOWN")
    return {"error": {"code": error.status, "message": error.message, "status": status}}
