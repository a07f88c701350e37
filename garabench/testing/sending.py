"""How an answer goes over the wire: whole or bit by bit, right or as a fault has it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from garabench.agents.chat.messages import Usage
from garabench.testing.asked import Asked, Called
from garabench.testing.faults import Fault, FaultKind
from garabench.testing.protocols.catalog import CHAT, PROTOCOLS, Wire
from garabench.testing.refused import Refused
from garabench.testing.replies import DONE, Finish, Reply, chunks, event

_PARTS = 50
_HTML = b"<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>"


@dataclass(frozen=True, slots=True)
class Sending:
    """What is sent.

    Attributes:
        parts: The body; a stream's events are sent as they come.
        status: HTTP status.
        media_type: Of the body.
        chunked: Whether the length is not told beforehand.
        pause: Seconds between two parts.
        cut_after: After how many bytes the connection is closed, or None.
        headers: Further ones.
    """

    parts: tuple[bytes, ...]
    status: int = 200
    media_type: str = "application/json"
    chunked: bool = False
    pause: float = 0
    cut_after: int | None = None
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def length(self) -> int:
        """Bytes of the body."""
        return sum(map(len, self.parts))


def json_bytes(value: Any) -> bytes:
    """JSON as it is sent."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", errors="replace")


def instead(fault: Fault | None, reply: Reply) -> Reply:
    """The reply that a fault puts in the place of the right one; others leave it as it is."""
    match fault.kind if fault else None:
        case FaultKind.NO_CHOICE:
            return Reply(choices=0)
        case FaultKind.EMPTY:
            return Reply()
        case FaultKind.FILTER:
            return Reply(finish=Finish.FILTER)
        case FaultKind.REFUSAL:
            return Reply(refusal="I'm sorry, but I can't help with that.")
        case FaultKind.NONSENSE:
            return Reply("What a lovely screen this is.")
        case FaultKind.LENGTH:
            calls = tuple(Called(c.name, c.arguments[: len(c.arguments) // 2]) for c in reply.calls)
            return Reply(reply.text[: len(reply.text) // 2], calls, Finish.LENGTH)
        case FaultKind.HUGE if fault:
            return Reply("a" * round(fault.amount * 1_000_000))
        case _:
            return reply


def needs_no_reply(fault: Fault) -> bool:
    """Whether a fault is played without asking the model."""
    return fault.kind in (
        FaultKind.HANG, FaultKind.CLOSE, FaultKind.RATE_LIMIT, FaultKind.ERROR, FaultKind.BAD_GATEWAY,
        FaultKind.OVERLOADED, FaultKind.WRONG_TYPES,
    )  # fmt: skip


def failing(fault: Fault, protocol: Wire = CHAT) -> Sending:
    """The answer of a fault that needs no reply."""
    match fault.kind:
        case FaultKind.BAD_GATEWAY:
            return Sending((_HTML,), 502, "text/html")
        case FaultKind.WRONG_TYPES:
            wrong = dict.fromkeys(("choices", "output", "content", "candidates"), "one")
            return Sending((json_bytes({"id": 1, "object": [], **wrong, "usage": "much"}),))
        case FaultKind.RATE_LIMIT:
            error = Refused(429, "Rate limit reached for requests")
        case FaultKind.OVERLOADED:
            error = Refused(503, "The engine is currently overloaded")
        case _:
            error = Refused(500, "The server had an error while processing the request")
    headers = {} if error.status == 500 else {"Retry-After": f"{fault.amount:g}"}
    return Sending((json_bytes(protocol.error(error)),), error.status, headers=headers)


def whole_or_stream(asked: Asked, reply: Reply, usage: Usage) -> Sending:
    """A reply in the form that was asked for."""
    if asked.stream:
        told = usage if asked.usage_in_stream else None
        events = (event(bit) for bit in chunks(reply, told, asked.number, asked.model))
        return Sending((*events, DONE), media_type="text/event-stream", chunked=True)
    return Sending((json_bytes(PROTOCOLS[asked.protocol].write(reply, usage, asked)),))


def spoilt(fault: Fault | None, right: Sending) -> Sending:
    """A right answer as a fault sends it; others leave it as it is."""
    body = b"".join(right.parts)
    match fault.kind if fault else None:
        case FaultKind.CUT:
            return Sending(
                right.parts, right.status, right.media_type, right.chunked, cut_after=len(body) // 2
            )
        case FaultKind.MALFORMED:
            return Sending(tuple(_broken(right)), right.status, right.media_type, right.chunked)
        case FaultKind.SLOW if fault:
            step = max(1, -(-len(body) // _PARTS))
            parts = tuple(body[at : at + step] for at in range(0, len(body), step))
            return Sending(parts, right.status, right.media_type, right.chunked, pause=fault.amount)
        case _:
            return right


def _broken(right: Sending) -> Iterator[bytes]:
    """Each document of the body without its second half."""
    for part in right.parts:
        if right.chunked and part != DONE:
            yield part[: len(part) // 2] + b"\n\n"
        else:
            yield part if right.chunked else part[: len(part) // 2]
