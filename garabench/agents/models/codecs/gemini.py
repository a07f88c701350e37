"""Encode requests and decode replies of Gemini's generateContent; pure and total.

Models up to Gemini 3.1 support the computer-use tool for browsers only; later models have an environment for
phones, and other names for the functions.
Source: Google's documentation of the Gemini API and of its computer-use tool
(ai.google.dev/gemini-api/docs/generate-content/computer-use); google-gemini/computer-use-preview,
``agent.py``; the types of the package google-genai 3.4.
"""

from __future__ import annotations

import base64
import re
from typing import Any

from garabench.agents.models.codecs import vendor
from garabench.agents.models.codecs.completions import InvalidPayloadError, token_count
from garabench.agents.models.messages import (
    ChatMessage,
    ChatRequest,
    ChatRole,
    ModelReply,
    ReplyForm,
    StopReason,
    TextPart,
    TokenUsage,
    ToolCall,
)

_NATIVE = "click_at"
"""A function of the vendor's tool; if the dialect offers it, the tool itself is offered."""
MOBILE, BROWSER = "ENVIRONMENT_MOBILE", "ENVIRONMENT_BROWSER"
_BROWSER_ONLY = re.compile(r"gemini-(?:2\.5|3-|3\.1)")
_EXCLUDED = ("open_web_browser", "search", "navigate", "hover_at", "go_forward")
"""Functions of earlier models that do not apply to a phone."""
_EXCLUDED_LATER = (
    *("navigate", "go_forward", "move", "mouse_down", "mouse_up", "key_down", "key_up", "middle_click"),
    "triple_click",
)
_EXCLUDED_MOBILE = ("list_apps",)
"""Functions of the phone environment that are excluded: the prompt lists the apps."""
_ADDITIONAL = ("long_press_at", "go_home", "open_app", "done", "give_up")
"""Functions that are declared in addition to the tool."""
_ADDITIONAL_MOBILE = ("go_home", "done", "give_up")
_NAMES = {
    "max_tokens": "maxOutputTokens",
    "max_completion_tokens": "maxOutputTokens",
    "top_p": "topP",
    "top_k": "topK",
}
_FILTERED = frozenset(
    {"SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "IMAGE_SAFETY", "LANGUAGE"}
)


def body(request: ChatRequest) -> dict[str, Any]:
    """Return the JSON body of a request, without the model's name."""
    given = dict(request.parameters)
    environment = str(given.pop("environment", environment_for(request.model)))
    config = {_NAMES.get(name, name): value for name, value in given.items()}
    if request.form is ReplyForm.JSON:
        config["responseMimeType"] = "application/json"
    system = [
        {"text": part.text}
        for message in request.messages
        if message.role is ChatRole.SYSTEM
        for part in message.parts
        if isinstance(part, TextPart)
    ]
    sent: dict[str, Any] = {
        "contents": [_message(message) for message in request.messages if message.role is not ChatRole.SYSTEM]
    }
    if system:
        sent["systemInstruction"] = {"parts": system}
    if config:
        sent["generationConfig"] = config
    if request.tools:
        native = vendor.offers(request, _NATIVE)
        functions = [
            {
                "name": tool.name,
                "description": tool.description,
                "parametersJsonSchema": dict(tool.parameters),
            }
            for tool in request.tools
            if not native or tool.name in (_ADDITIONAL_MOBILE if environment == MOBILE else _ADDITIONAL)
        ]
        tools: list[dict[str, Any]] = [{"functionDeclarations": functions}] if functions else []
        if native:
            excluded = list(_excluded(request.model, environment))
            tools.insert(
                0, {"computerUse": {"environment": environment, "excludedPredefinedFunctions": excluded}}
            )
        sent["tools"] = tools
    return sent


def environment_for(model: str) -> str:
    """Return the environment for the tool to control: the phone where the model supports one."""
    return BROWSER if _BROWSER_ONLY.match(model) else MOBILE


def _excluded(model: str, environment: str) -> tuple[str, ...]:
    """Return the functions of the tool that a model must not call."""
    if environment == MOBILE:
        return _EXCLUDED_MOBILE
    return _EXCLUDED if _BROWSER_ONLY.match(model) else _EXCLUDED_LATER


def _message(message: ChatMessage) -> dict[str, Any]:
    parts: list[dict[str, Any]] = []
    for part in message.parts:
        if isinstance(part, TextPart):
            parts.append({"text": part.text})
        else:
            data = base64.b64encode(part.data).decode("ascii")
            parts.append({"inlineData": {"mimeType": part.media_type, "data": data}})
    return {"role": "model" if message.role is ChatRole.ASSISTANT else "user", "parts": parts}


def read(data: object) -> ModelReply:
    """Decode a reply.

    Raises:
        InvalidPayloadError: The data is not a reply of generateContent.
    """
    reply = vendor.mapping(data)
    candidates = vendor.objects_in(reply.get("candidates"))
    blocked = vendor.text_or_empty(vendor.mapping(reply.get("promptFeedback")).get("blockReason"))
    if not candidates and not blocked:
        raise InvalidPayloadError("candidates are missing")
    first = candidates[0] if candidates else {}
    parts = vendor.objects_in(vendor.mapping(first.get("content")).get("parts"))
    reply_text = "".join(
        vendor.text_or_empty(part.get("text")) for part in parts if part.get("thought") is not True
    )
    called = [vendor.mapping(part["functionCall"]) for part in parts if part.get("functionCall")]
    calls = tuple(_call(call) for call in called)
    if not reply_text.strip() and len(called) == 1:
        reply_text = vendor.text_or_empty(
            vendor.mapping(called[0].get("args")).get("intent")
        )  # in later models
    return ModelReply(
        text=reply_text,
        calls=calls,
        stop=_stop(
            blocked or vendor.text_or_empty(first.get("finishReason")),
            blocked,
            bool(reply_text.strip() or calls),
        ),
        usage=_usage(vendor.mapping(reply.get("usageMetadata"))),
        seconds=0.0,
        model=vendor.text_or_empty(reply.get("modelVersion")),
        reasoning="".join(
            vendor.text_or_empty(part.get("text")) for part in parts if part.get("thought") is True
        ),
    )


def _call(call: Any) -> ToolCall:
    arguments = {
        name: value
        for name, value in vendor.mapping(call.get("args")).items()
        if name not in ("safety_decision", "intent")
    }
    return ToolCall(vendor.text_or_empty(call.get("name")), vendor.to_text(arguments))


def _usage(used: Any) -> TokenUsage:
    thoughts = token_count(used.get("thoughtsTokenCount"))
    pictures = sum(
        token_count(row.get("tokenCount"))
        for row in vendor.objects_in(used.get("promptTokensDetails"))
        if row.get("modality") == "IMAGE"
    )
    return TokenUsage(
        sent=token_count(used.get("promptTokenCount")),
        received=token_count(used.get("candidatesTokenCount")) + thoughts,
        cached=token_count(used.get("cachedContentTokenCount")),
        pictures=pictures,
        reasoning=thoughts,
    )


def _stop(reason: str, blocked: str, has_content: bool) -> StopReason:
    if blocked or reason in _FILTERED:
        return StopReason.FILTERED
    if reason == "MAX_TOKENS":
        return StopReason.CUT_OFF
    return StopReason.DONE if has_content else StopReason.EMPTY
