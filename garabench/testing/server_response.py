"""HTTP responses of the fake server: whole or streamed, correct or faulty."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from garabench.agents.models.messages import TokenUsage
from garabench.testing.faults import FaultKind, PlannedFault
from garabench.testing.http_error import ApiError
from garabench.testing.protocols.catalog import CHAT, PROTOCOLS, ServerProtocol
from garabench.testing.replies import DONE, FakeReply, FinishReason, event, stream_chunks
from garabench.testing.requests import FunctionCall, ReceivedRequest

_SLOW_PARTS = 50
_HTML = b"<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>"


@dataclass(frozen=True, slots=True)
class ServerResponse:
    """An HTTP response.

    Attributes:
        parts: The body, in the parts in which it is sent.
        status: HTTP status.
        media_type: Media type of the body.
        chunked: Whether to send the body in chunks, without a Content-Length.
        pause: Seconds between two parts.
        cut_after: Number of bytes after which the connection is closed; None to send all.
        headers: Additional headers.
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
        """Length of the body in bytes."""
        return sum(map(len, self.parts))


def json_bytes(value: Any) -> bytes:
    """Encode a value as compact JSON."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", errors="replace")


def apply_to_reply(fault: PlannedFault | None, reply: FakeReply) -> FakeReply:
    """Return the reply that a fault substitutes; other faults leave the reply unchanged."""
    match fault.kind if fault else None:
        case FaultKind.NO_CHOICE:
            return FakeReply(choices=0)
        case FaultKind.EMPTY:
            return FakeReply()
        case FaultKind.FILTER:
            return FakeReply(finish=FinishReason.FILTER)
        case FaultKind.REFUSAL:
            return FakeReply(refusal="I'm sorry, but I can't help with that.")
        case FaultKind.NONSENSE:
            return FakeReply("What a lovely screen this is.")
        case FaultKind.LENGTH:
            calls = tuple(FunctionCall(c.name, c.arguments[: len(c.arguments) // 2]) for c in reply.calls)
            return FakeReply(reply.text[: len(reply.text) // 2], calls, FinishReason.LENGTH)
        case FaultKind.HUGE if fault:
            return FakeReply("a" * round(fault.amount * 1_000_000))
        case _:
            return reply


def needs_no_reply(fault: PlannedFault) -> bool:
    """Return whether a fault replaces the model's reply."""
    return fault.kind in (
        FaultKind.HANG, FaultKind.CLOSE, FaultKind.RATE_LIMIT, FaultKind.ERROR, FaultKind.BAD_GATEWAY,
        FaultKind.OVERLOADED, FaultKind.WRONG_TYPES,
    )  # fmt: skip


def error_response(fault: PlannedFault, protocol: ServerProtocol = CHAT) -> ServerResponse:
    """Return the response of a fault that needs no reply."""
    match fault.kind:
        case FaultKind.BAD_GATEWAY:
            return ServerResponse((_HTML,), 502, "text/html")
        case FaultKind.WRONG_TYPES:
            wrong = dict.fromkeys(("choices", "output", "content", "candidates"), "one")
            return ServerResponse((json_bytes({"id": 1, "object": [], **wrong, "usage": "much"}),))
        case FaultKind.RATE_LIMIT:
            error = ApiError(429, "Rate limit reached for requests")
        case FaultKind.OVERLOADED:
            error = ApiError(503, "The engine is currently overloaded")
        case _:
            error = ApiError(500, "The server had an error while processing the request")
    headers = {} if error.status == 500 else {"Retry-After": f"{fault.amount:g}"}
    return ServerResponse((json_bytes(protocol.error(error)),), error.status, headers=headers)


def reply_response(request: ReceivedRequest, reply: FakeReply, usage: TokenUsage) -> ServerResponse:
    """Return a reply in the requested form."""
    if request.stream:
        reported = usage if request.usage_in_stream else None
        events = (event(chunk) for chunk in stream_chunks(reply, reported, request.number, request.model))
        return ServerResponse((*events, DONE), media_type="text/event-stream", chunked=True)
    return ServerResponse((json_bytes(PROTOCOLS[request.protocol].write(reply, usage, request)),))


def apply_to_response(fault: PlannedFault | None, response: ServerResponse) -> ServerResponse:
    """Apply a fault to a valid response; other faults leave it unchanged."""
    body = b"".join(response.parts)
    match fault.kind if fault else None:
        case FaultKind.CUT:
            return ServerResponse(
                response.parts,
                response.status,
                response.media_type,
                response.chunked,
                cut_after=len(body) // 2,
            )
        case FaultKind.MALFORMED:
            return ServerResponse(
                tuple(_truncated(response)), response.status, response.media_type, response.chunked
            )
        case FaultKind.SLOW if fault:
            step = max(1, -(-len(body) // _SLOW_PARTS))
            parts = tuple(body[at : at + step] for at in range(0, len(body), step))
            return ServerResponse(
                parts, response.status, response.media_type, response.chunked, pause=fault.amount
            )
        case _:
            return response


def _truncated(response: ServerResponse) -> Iterator[bytes]:
    """Yield the parts of the body, each JSON document without its second half."""
    for part in response.parts:
        if response.chunked and part != DONE:
            yield part[: len(part) // 2] + b"\n\n"
        else:
            yield part if response.chunked else part[: len(part) // 2]
