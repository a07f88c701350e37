"""Received requests as values: messages, decoded images, the form of the reply."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from garabench.agents.models.messages import TokenUsage
from garabench.core.geometry import Size


@dataclass(frozen=True, slots=True)
class ReceivedImage:
    """A picture that was sent.

    Attributes:
        size: Its size as it decodes, whatever the prompt says of it.
        media_type: By its bytes, such as ``image/png``.
        sha256: Of its bytes.
        data: The bytes; empty in what a server keeps.
    """

    size: Size
    media_type: str
    sha256: str
    data: bytes = field(default=b"", repr=False)


@dataclass(frozen=True, slots=True)
class FunctionCall:
    """An earlier function call of the model, repeated by the client.

    Attributes:
        name: Name of the function.
        arguments: The text of a JSON object.
    """

    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class ReceivedMessage:
    """A message.

    Attributes:
        role: ``system``, ``user``, ``assistant`` or ``tool``.
        parts: Texts and pictures, in order.
        calls: Calls, of an assistant's message.
    """

    role: str
    parts: tuple[str | ReceivedImage, ...]
    calls: tuple[FunctionCall, ...] = ()

    @property
    def text(self) -> str:
        """Its texts, one below the other."""
        return "\n".join(part for part in self.parts if isinstance(part, str))

    @property
    def pictures(self) -> tuple[ReceivedImage, ...]:
        """Its pictures, in order."""
        return tuple(part for part in self.parts if isinstance(part, ReceivedImage))


@dataclass(frozen=True, slots=True)
class ReceivedRequest:
    """A request for a reply.

    Attributes:
        number: From 1, of all such requests to the server.
        model: Which model was asked.
        said: The messages.
        json_mode: Whether the reply must be a JSON object.
        tools: The functions that may be called: name and JSON Schema of the arguments.
        stream: Whether the reply is wanted bit by bit.
        usage_in_stream: Whether a stream ends with the usage.
        parameters: All else, such as ``temperature``.
        protocol: Which of the server's forms it came in: ``chat`` or ``responses``.
        fault: The fault that was played instead of a right reply, or empty.
        answered: The reply's text and calls as they were sent, or the error's message.
        usage: The tokens that the answer reported.
    """

    number: int
    model: str
    said: tuple[ReceivedMessage, ...]
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
        """All texts of all messages."""
        return "\n".join(message.text for message in self.said)

    @property
    def pictures(self) -> tuple[ReceivedImage, ...]:
        """All pictures, the earliest first."""
        return tuple(picture for message in self.said for picture in message.pictures)

    def without_data(self) -> ReceivedRequest:
        """Return a copy without the pictures' bytes, for the log."""
        said = tuple(
            dataclasses.replace(
                message,
                parts=tuple(
                    dataclasses.replace(part, data=b"") if isinstance(part, ReceivedImage) else part
                    for part in message.parts
                ),
            )
            for message in self.said
        )
        return dataclasses.replace(self, said=said)


def to_json(asked: ReceivedRequest) -> dict[str, Any]:
    """A request as JSON-like values, its pictures by size and hash."""

    def part(value: str | ReceivedImage) -> str | dict[str, str]:
        if isinstance(value, str):
            return value
        return {"picture": str(value.size), "media_type": value.media_type, "sha256": value.sha256}

    said = [
        {
            "role": message.role,
            "parts": [part(one) for one in message.parts],
            **({"calls": [dataclasses.asdict(call) for call in message.calls]} if message.calls else {}),
        }
        for message in asked.said
    ]
    values = {name: getattr(asked, name) for name in ("number", "protocol", "model", "fault", "answered")}
    options: dict[str, Any] = {
        "json_mode": asked.json_mode,
        "stream": asked.stream,
        "tools": sorted(asked.tools),
    }
    options["usage"] = dataclasses.asdict(asked.usage)
    return {**values, **options, "parameters": dict(asked.parameters), "said": said}
