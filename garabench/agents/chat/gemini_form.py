"""Gemini's generateContent as values: what is sent for a request, and what a reply says; pure and total.

Source: Google's documentation of the Gemini API and of its tool for computer use.
"""

from __future__ import annotations

import base64
from typing import Any

from garabench.agents.chat import vendor
from garabench.agents.chat.completions import Unreadable, count
from garabench.agents.chat.messages import (
    Answer,
    Form,
    Message,
    Request,
    Role,
    Stop,
    Text,
    ToolCall,
    Usage,
)

_NATIVE = "click_at"
"""A function of the vendor's tool: where the dialect offers it, the tool itself is."""
ENVIRONMENT = "ENVIRONMENT_BROWSER"
"""What the tool is told to control; the parameter ``environment`` takes another, as newer models know."""
_NOT_OF_A_PHONE = ("open_web_browser", "search", "navigate", "hover_at", "go_forward")
_OF_A_PHONE = ("long_press_at", "go_home", "open_app", "done", "give_up")
"""Functions that are declared beside the tool."""
_NAMES = {
    "max_tokens": "maxOutputTokens",
    "max_completion_tokens": "maxOutputTokens",
    "top_p": "topP",
    "top_k": "topK",
}
_FILTERED = frozenset(
    {"SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "IMAGE_SAFETY", "LANGUAGE"}
)


def body(request: Request) -> dict[str, Any]:
    """What is sent for a request, as a JSON object, but for the model's name."""
    given = dict(request.parameters)
    environment = str(given.pop("environment", ENVIRONMENT))
    config = {_NAMES.get(name, name): value for name, value in given.items()}
    if request.form is Form.JSON:
        config["responseMimeType"] = "application/json"
    system = [
        {"text": part.text}
        for message in request.messages
        if message.role is Role.SYSTEM
        for part in message.parts
        if isinstance(part, Text)
    ]
    sent: dict[str, Any] = {
        "contents": [_message(message) for message in request.messages if message.role is not Role.SYSTEM]
    }
    if system:
        sent["systemInstruction"] = {"parts": system}
    if config:
        sent["generationConfig"] = config
    if request.tools:
        native = vendor.wants(request, _NATIVE)
        functions = [
            {
                "name": tool.name,
                "description": tool.description,
                "parametersJsonSchema": dict(tool.parameters),
            }
            for tool in request.tools
            if not native or tool.name in _OF_A_PHONE
        ]
        tools: list[dict[str, Any]] = [{"functionDeclarations": functions}] if functions else []
        if native:
            excluded = list(_NOT_OF_A_PHONE)
            tools.insert(
                0, {"computerUse": {"environment": environment, "excludedPredefinedFunctions": excluded}}
            )
        sent["tools"] = tools
    return sent


def _message(message: Message) -> dict[str, Any]:
    parts: list[dict[str, Any]] = []
    for part in message.parts:
        if isinstance(part, Text):
            parts.append({"text": part.text})
        else:
            data = base64.b64encode(part.data).decode("ascii")
            parts.append({"inlineData": {"mimeType": part.media_type, "data": data}})
    return {"role": "model" if message.role is Role.ASSISTANT else "user", "parts": parts}


def read(data: object) -> Answer:
    """Read a reply.

    Raises:
        Unreadable: It is no reply of generateContent.
    """
    reply = vendor.mapping(data)
    candidates = vendor.rows(reply.get("candidates"))
    blocked = vendor.text(vendor.mapping(reply.get("promptFeedback")).get("blockReason"))
    if not candidates and not blocked:
        raise Unreadable("it has no candidates")
    first = candidates[0] if candidates else {}
    parts = vendor.rows(vendor.mapping(first.get("content")).get("parts"))
    said = "".join(vendor.text(part.get("text")) for part in parts if part.get("thought") is not True)
    calls = tuple(_call(vendor.mapping(part["functionCall"])) for part in parts if part.get("functionCall"))
    return Answer(
        text=said,
        calls=calls,
        stop=_stop(blocked or vendor.text(first.get("finishReason")), blocked, bool(said.strip() or calls)),
        usage=_usage(vendor.mapping(reply.get("usageMetadata"))),
        seconds=0.0,
        model=vendor.text(reply.get("modelVersion")),
        reasoning="".join(vendor.text(part.get("text")) for part in parts if part.get("thought") is True),
    )


def _call(call: Any) -> ToolCall:
    arguments = {
        name: value for name, value in vendor.mapping(call.get("args")).items() if name != "safety_decision"
    }
    return ToolCall(vendor.text(call.get("name")), vendor.to_text(arguments))


def _usage(used: Any) -> Usage:
    thoughts = count(used.get("thoughtsTokenCount"))
    pictures = sum(
        count(row.get("tokenCount"))
        for row in vendor.rows(used.get("promptTokensDetails"))
        if row.get("modality") == "IMAGE"
    )
    return Usage(
        sent=count(used.get("promptTokenCount")),
        received=count(used.get("candidatesTokenCount")) + thoughts,
        cached=count(used.get("cachedContentTokenCount")),
        pictures=pictures,
        reasoning=thoughts,
    )


def _stop(reason: str, blocked: str, has_said: bool) -> Stop:
    if blocked or reason in _FILTERED:
        return Stop.FILTERED
    if reason == "MAX_TOKENS":
        return Stop.CUT_OFF
    return Stop.DONE if has_said else Stop.EMPTY
