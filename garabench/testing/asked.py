"""What a server was asked, as values: the messages, the pictures as they decode, the form of the reply."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from garabench.agents.chat.messages import Usage
from garabench.core.geometry import Size


@dataclass(frozen=True, slots=True)
class Seen:
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
class Called:
    """A call of a function that the model made earlier, as the client tells it again.

    Attributes:
        name: Of the function.
        arguments: The text of a JSON object.
    """

    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class Said:
    """A message.

    Attributes:
        role: ``system``, ``user``, ``assistant`` or ``tool``.
        parts: Texts and pictures, in order.
        calls: Calls, of an assistant's message.
    """

    role: str
    parts: tuple[str | Seen, ...]
    calls: tuple[Called, ...] = ()

    @property
    def text(self) -> str:
        """Its texts, one below the other."""
        return "\n".join(part for part in self.parts if isinstance(part, str))

    @property
    def pictures(self) -> tuple[Seen, ...]:
        """Its pictures, in order."""
        return tuple(part for part in self.parts if isinstance(part, Seen))


@dataclass(frozen=True, slots=True)
class Asked:
    """A request for a reply.

    Attributes:
        number: From 1, of all such requests to the server.
        model: Which model was asked.
        said: The messages.
        json_mode: Whether the reply has to be a JSON object.
        tools: The functions that may be called: name and JSON Schema of the arguments.
        stream: Whether the reply is wanted bit by bit.
        usage_in_stream: Whether a stream ends with the usage.
        parameters: All else, such as ``temperature``.
        protocol: Which of the server's forms it came in: ``chat`` or ``responses``.
        fault: The fault that was played instead of a right reply, or empty.
        answered: The reply's text and calls as they were sent, or the error's message.
        usage: The tokens that the answer told.
    """

    number: int
    model: str
    said: tuple[Said, ...]
    json_mode: bool = False
    tools: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    stream: bool = False
    usage_in_stream: bool = False
    parameters: Mapping[str, Any] = field(default_factory=dict)
    protocol: str = "chat"
    fault: str = ""
    answered: str = ""
    usage: Usage = field(default_factory=Usage)

    @property
    def text(self) -> str:
        """All texts of all messages."""
        return "\n".join(message.text for message in self.said)

    @property
    def pictures(self) -> tuple[Seen, ...]:
        """All pictures, the earliest first."""
        return tuple(picture for message in self.said for picture in message.pictures)

    def without_data(self) -> Asked:
        """The same without the pictures' bytes, to be kept."""
        said = tuple(
            dataclasses.replace(
                message,
                parts=tuple(
                    dataclasses.replace(part, data=b"") if isinstance(part, Seen) else part
                    for part in message.parts
                ),
            )
            for message in self.said
        )
        return dataclasses.replace(self, said=said)


def to_json(asked: Asked) -> dict[str, Any]:
    """A request as JSON-like values, its pictures by size and hash."""

    def part(value: str | Seen) -> str | dict[str, str]:
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
