"""Received requests: messages, decoded images, the requested form of the reply."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from garabench.agents.models.messages import TokenUsage
from garabench.core.geometry import Size


@dataclass(frozen=True, slots=True)
class ReceivedImage:
    """An image in a request.

    Attributes:
        size: Size of the decoded image, which the prompt may misstate.
        media_type: Type of the encoded bytes, such as ``image/png``.
        sha256: Hash of the encoded bytes.
        data: The encoded bytes; empty in recorded requests.
    """

    size: Size
    media_type: str
    sha256: str
    data: bytes = field(default=b"", repr=False)


@dataclass(frozen=True, slots=True)
class FunctionCall:
    """A function call of the model: in a reply, or repeated by the client in a later request.

    Attributes:
        name: Name of the function.
        arguments: A JSON object as text.
    """

    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class ReceivedMessage:
    """A message.

    Attributes:
        role: ``system``, ``user``, ``assistant`` or ``tool``.
        parts: Texts and images, in order.
        calls: Function calls in a message of the assistant.
    """

    role: str
    parts: tuple[str | ReceivedImage, ...]
    calls: tuple[FunctionCall, ...] = ()

    @property
    def text(self) -> str:
        """The texts, joined by newlines."""
        return "\n".join(part for part in self.parts if isinstance(part, str))

    @property
    def images(self) -> tuple[ReceivedImage, ...]:
        """The images, in order."""
        return tuple(part for part in self.parts if isinstance(part, ReceivedImage))


@dataclass(frozen=True, slots=True)
class ReceivedRequest:
    """A request to a model.

    Attributes:
        number: Number of the request since the server's start, from 1.
        model: The requested model.
        messages: The messages.
        json_mode: Whether the reply must be a JSON object.
        tools: The functions that may be called: JSON Schema of the arguments by name.
        stream: Whether the reply is streamed.
        usage_in_stream: Whether the stream ends with the usage.
        parameters: All other parameters, such as ``temperature``.
        protocol: Protocol of the request: ``chat``, ``responses``, ``anthropic`` or ``gemini``.
        fault: The injected fault; empty for none.
        answered: Text and calls of the reply, or the message of the error.
        usage: The reported usage.
    """

    number: int
    model: str
    messages: tuple[ReceivedMessage, ...]
    json_mode: bool = False
    tools: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    stream: bool = False
    usage_in_stream: bool = False
    parameters: Mapping[str, Any] = field(default_factory=dict)
    protocol: str = "chat"
    fault: str = ""
    answered: str = ""
    usage: TokenUsage = field(default_factory=TokenUsage)

    @property
    def text(self) -> str:
        """The texts of all messages."""
        return "\n".join(message.text for message in self.messages)

    @property
    def images(self) -> tuple[ReceivedImage, ...]:
        """The images of all messages, earliest first."""
        return tuple(image for message in self.messages for image in message.images)

    def without_data(self) -> ReceivedRequest:
        """Return a copy without the images' bytes, for the log."""
        messages = tuple(
            dataclasses.replace(
                message,
                parts=tuple(
                    dataclasses.replace(part, data=b"") if isinstance(part, ReceivedImage) else part
                    for part in message.parts
                ),
            )
            for message in self.messages
        )
        return dataclasses.replace(self, messages=messages)


def request_data(request: ReceivedRequest) -> dict[str, Any]:
    """Return a request as JSON-like values, with size and hash of each image."""

    def part(value: str | ReceivedImage) -> str | dict[str, str]:
        if isinstance(value, str):
            return value
        return {"image": str(value.size), "media_type": value.media_type, "sha256": value.sha256}

    messages = [
        {
            "role": message.role,
            "parts": [part(one) for one in message.parts],
            **({"calls": [dataclasses.asdict(call) for call in message.calls]} if message.calls else {}),
        }
        for message in request.messages
    ]
    values = {name: getattr(request, name) for name in ("number", "protocol", "model", "fault", "answered")}
    options: dict[str, Any] = {
        "json_mode": request.json_mode,
        "stream": request.stream,
        "tools": sorted(request.tools),
    }
    options["usage"] = dataclasses.asdict(request.usage)
    return {**values, **options, "parameters": dict(request.parameters), "messages": messages}
