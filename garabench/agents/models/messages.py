"""Requests to a model and its replies as values, independent of the endpoint's protocol."""

from __future__ import annotations

import enum
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from garabench.core.geometry import Size


class ChatRole(enum.StrEnum):
    """The author of a message."""

    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"


@dataclass(frozen=True, slots=True)
class TextPart:
    """A part of a message that is text.

    Attributes:
        text: The text. Texts from a screen stay data: they are in a separate part, marked as such.
    """

    text: str


@dataclass(frozen=True, slots=True)
class ImagePart:
    """A part of a message that is an image.

    Attributes:
        data: The encoded image, PNG or JPEG.
        size: Size in pixels, to which coordinates in the reply may refer.
        media_type: ``image/png`` or ``image/jpeg``.
    """

    data: bytes
    size: Size
    media_type: str = "image/png"

    @property
    def sha256(self) -> str:
        """Hash of the data, by which records refer to it."""
        return hashlib.sha256(self.data).hexdigest()


ContentPart = TextPart | ImagePart


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """A message.

    Attributes:
        role: Author of the message.
        parts: The content, in order.
    """

    role: ChatRole
    parts: tuple[ContentPart, ...]

    def __post_init__(self) -> None:
        if not self.parts:
            raise ValueError("a message must not be empty")


@dataclass(frozen=True, slots=True)
class Tool:
    """A function that the model may call.

    Attributes:
        name: Name of the function.
        description: Description for the model.
        parameters: JSON Schema of its arguments.
    """

    name: str
    description: str
    parameters: Mapping[str, Any]


class ReplyForm(enum.StrEnum):
    """How the reply is requested."""

    TEXT = "text"
    JSON = "json"
    TOOLS = "tools"


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """A request for a reply.

    Attributes:
        model: The model's name at its endpoint.
        messages: The messages, in order.
        form: How the reply is requested.
        tools: Functions that may be called; empty unless the form is `ReplyForm.TOOLS`.
        parameters: Additional parameters of the endpoint, such as ``temperature`` or ``reasoning_effort``.
    """

    model: str
    messages: tuple[ChatMessage, ...]
    form: ReplyForm = ReplyForm.TEXT
    tools: tuple[Tool, ...] = ()
    parameters: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if bool(self.tools) != (self.form is ReplyForm.TOOLS):
            raise ValueError("tools must be given if and only if the form is tools")


class StopReason(enum.StrEnum):
    """Why a reply ended."""

    DONE = "done"
    CUT_OFF = "cut-off"
    FILTERED = "filtered"
    REFUSED = "refused"
    EMPTY = "empty"


@dataclass(frozen=True, slots=True)
class TokenUsage:
    """Tokens of a reply, as the endpoint counts them.

    Attributes:
        sent: Tokens of the prompt, including cached ones and images.
        received: Tokens of the reply, including reasoning.
        cached: Tokens sent that the endpoint read from its cache.
        pictures: Tokens sent that the endpoint reports as images.
        reasoning: Tokens received that are hidden reasoning.
    """

    sent: int = 0
    received: int = 0
    cached: int = 0
    pictures: int = 0
    reasoning: int = 0

    def __add__(self, other: TokenUsage) -> TokenUsage:
        return TokenUsage(
            self.sent + other.sent,
            self.received + other.received,
            self.cached + other.cached,
            self.pictures + other.pictures,
            self.reasoning + other.reasoning,
        )


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A function call of a model.

    Attributes:
        name: Name of the function.
        arguments: The arguments as the model wrote them; normally a JSON object.
    """

    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class ModelReply:
    """A model's reply.

    Attributes:
        text: The text.
        calls: The function calls.
        stop: Why the reply ended.
        usage: Token usage.
        seconds: Time from sending to the last byte, including retries and their pauses.
        model: The model's name in the reply, which may be more specific than the requested one.
        reasoning: Reasoning that the endpoint returns separately from the text.
        tries: Number of requests, including the last one.
        from_cache: Whether it was read from the reply cache and cost nothing.
        queued: Seconds of waiting for a slot at the endpoint before sending.
    """

    text: str
    calls: tuple[ToolCall, ...]
    stop: StopReason
    usage: TokenUsage
    seconds: float
    model: str = ""
    reasoning: str = ""
    tries: int = 1
    from_cache: bool = False
    queued: float = 0.0


class Chat(Protocol):
    """Returns the replies of a model."""

    def ask(self, request: ChatRequest) -> ModelReply:
        """Request a reply.

        Raises:
            ModelError: The endpoint cannot be reached, rejects the key, has no such model, or still fails
                after the last retry.
        """
        ...
