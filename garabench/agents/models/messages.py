"""Requests to a model and its replies as values, independent of the endpoint's protocol."""

from __future__ import annotations

import enum
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from garabench.core.geometry import Size


class ChatRole(enum.StrEnum):
    """Who speaks."""

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
    """A part of a message that is a picture.

    Attributes:
        data: PNG or JPEG.
        size: Its size in pixels, which the reply's coordinates may refer to.
        media_type: ``image/png`` or ``image/jpeg``.
    """

    data: bytes
    size: Size
    media_type: str = "image/png"

    @property
    def sha256(self) -> str:
        """Its hash, by which records name it."""
        return hashlib.sha256(self.data).hexdigest()


ContentPart = TextPart | ImagePart


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """A message.

    Attributes:
        role: Who speaks.
        parts: Content, in order.
    """

    role: ChatRole
    parts: tuple[ContentPart, ...]

    def __post_init__(self) -> None:
        if not self.parts:
            raise ValueError("a message says something")


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
    """All that is sent for one reply.

    Attributes:
        model: The model's name at its endpoint.
        messages: In order.
        form: How the reply is requested.
        tools: What may be called; empty unless the form is `ReplyForm.TOOLS`.
        parameters: Additional parameters of the endpoint, such as ``temperature`` or ``reasoning_effort``.
    """

    model: str
    messages: tuple[ChatMessage, ...]
    form: ReplyForm = ReplyForm.TEXT
    tools: tuple[Tool, ...] = ()
    parameters: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if bool(self.tools) != (self.form is ReplyForm.TOOLS):
            raise ValueError("tools are sent when calls are asked for, and only then")


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
        sent: Of the prompt, cached ones and pictures among them.
        received: Of the reply, thoughts among them.
        cached: Of those sent, how many were read from the endpoint's cache.
        pictures: Of those sent, how many the endpoint says were pictures.
        reasoning: Of those received, how many were hidden thoughts.
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
    """A call that a model made.

    Attributes:
        name: Name of the function.
        arguments: As the model wrote them: the text of a JSON object, or what should be one.
    """

    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class ModelReply:
    """What a model answered.

    Attributes:
        text: What it wrote.
        calls: The calls that it made.
        stop: Why it ended.
        usage: Tokens used.
        seconds: From sending to the last byte, retries and waiting for them included.
        model: The model as the endpoint names it, which may be more exact than what was asked for.
        reasoning: Thoughts that the endpoint gives apart from the text.
        tries: Requests that were made, the last one included.
        from_cache: Whether it was read from the response cache and cost nothing.
        queued: Seconds of waiting for a place at the endpoint, before anything was sent.
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
    """Something that answers."""

    def ask(self, request: ChatRequest) -> ModelReply:
        """Ask for a reply.

        Raises:
            ModelError: The endpoint cannot be reached, rejects the key, does not know the model, or still
                fails after the last retry.
        """
        ...
