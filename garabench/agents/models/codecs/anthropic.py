"""Encode requests and decode replies of Anthropic's Messages API; pure and total.

Source: Anthropic's documentation of the Messages API and of its computer-use tool
(platform.claude.com/docs/en/agents-and-tools/tool-use/computer-use-tool); the types of the package anthropic
2.12, ``beta_tool_computer_use_20251124.py`` and ``anthropic_beta_param.py``.
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
    ImagePart,
    ModelReply,
    StopReason,
    TextPart,
    TokenUsage,
    ToolCall,
)

DEFAULT_MAX_TOKENS = 4096
"""Default limit of a reply's tokens; the protocol requires one."""
COMPUTER_TOOL = "computer_20251124"
"""Version of the tool from Opus 4.5 and Sonnet 4.6 on; the parameter ``computer_tool`` overrides it."""
_OLDER_TOOL = "computer_20250124"
_OLDER_MODELS = re.compile(
    r"claude-(?:3-7-|(?:sonnet|opus)-4(?:-0|-1|-20\d{6})?(?:-20\d{6})?$|(?:sonnet|haiku)-4-5)"
)
"""Models that support only the older version: Sonnet 3.7, 4 and 4.5, Opus 4 and 4.1, Haiku 4.5."""
_BETAS = {
    "computer_20241022": "computer-use-2024-10-22",
    "computer_20250124": "computer-use-2025-01-24",
    "computer_20251124": "computer-use-2025-11-24",
}
_VERB = "action"


def body(request: ChatRequest) -> tuple[dict[str, Any], dict[str, str]]:
    """Return the JSON body of a request, and its additional headers."""
    given = dict(request.parameters)
    version = str(given.pop("computer_tool", tool_version(request.model)))
    given.setdefault("max_tokens", given.pop("max_completion_tokens", DEFAULT_MAX_TOKENS))
    system = [
        part.text
        for message in request.messages
        if message.role is ChatRole.SYSTEM
        for part in message.parts
        if isinstance(part, TextPart)
    ]
    sent: dict[str, Any] = {
        "model": request.model,
        "messages": [
            _message(message) for message in request.messages if message.role is not ChatRole.SYSTEM
        ],
        **given,
    }
    if system:
        sent["system"] = "\n\n".join(system)
    if not request.tools:
        return sent, {}
    if not vendor.offers(request, vendor.COMPUTER):
        sent["tools"] = [
            {"name": tool.name, "description": tool.description, "input_schema": dict(tool.parameters)}
            for tool in request.tools
        ]
        return sent, {}
    size = vendor.latest_image_size(request)
    screen = {"display_width_px": size.width, "display_height_px": size.height}
    sent["tools"] = [
        {"type": version, "name": vendor.COMPUTER, **screen},
        *(
            {"name": name, "description": about, "input_schema": vendor.schema(argument)}
            for name, (argument, about) in vendor.EXTRA_FUNCTIONS.items()
        ),
    ]
    beta = _BETAS.get(version)
    return sent, {"anthropic-beta": beta} if beta else {}


def tool_version(model: str) -> str:
    """Return the version of the computer-use tool that a model supports, by its name."""
    return _OLDER_TOOL if _OLDER_MODELS.match(model) else COMPUTER_TOOL


def _message(message: ChatMessage) -> dict[str, Any]:
    return {"role": message.role.value, "content": [_part(part) for part in message.parts]}


def _part(part: TextPart | ImagePart) -> dict[str, Any]:
    if isinstance(part, TextPart):
        return {"type": "text", "text": part.text}
    data = base64.b64encode(part.data).decode("ascii")
    return {"type": "image", "source": {"type": "base64", "media_type": part.media_type, "data": data}}


def read(data: object) -> ModelReply:
    """Decode a reply.

    Raises:
        InvalidPayloadError: The data is not a message.
    """
    reply = vendor.mapping(data)
    if not isinstance(reply.get("content"), list):
        raise InvalidPayloadError("content is missing or not a list")
    blocks = vendor.objects_in(reply["content"])
    reply_text = "".join(
        vendor.text_or_empty(block.get("text")) for block in blocks if block.get("type") == "text"
    )
    thought = "".join(
        vendor.text_or_empty(block.get("thinking")) for block in blocks if block.get("type") == "thinking"
    )
    calls = tuple(
        _call(vendor.text_or_empty(block.get("name")), block.get("input"))
        for block in blocks
        if block.get("type") == "tool_use"
    )
    used = vendor.mapping(reply.get("usage"))
    cached, written = (
        token_count(used.get("cache_read_input_tokens")),
        token_count(used.get("cache_creation_input_tokens")),
    )
    return ModelReply(
        text=reply_text,
        calls=calls,
        stop=_stop(vendor.text_or_empty(reply.get("stop_reason")), bool(reply_text.strip() or calls)),
        # input_tokens does not include cached tokens.
        usage=TokenUsage(
            token_count(used.get("input_tokens")) + cached + written,
            token_count(used.get("output_tokens")),
            cached,
        ),
        seconds=0.0,
        model=vendor.text_or_empty(reply.get("model")),
        reasoning=thought,
    )


def _call(name: str, arguments: object) -> ToolCall:
    return vendor.as_dialect(name, vendor.mapping(arguments), _VERB)


def _stop(reason: str, has_content: bool) -> StopReason:
    match reason:
        case "refusal":
            return StopReason.REFUSED
        case "max_tokens" | "model_context_window_exceeded":
            return StopReason.CUT_OFF
        case _:
            return StopReason.DONE if has_content else StopReason.EMPTY
