"""The protocols by their addresses: requests, replies, authentication and errors of each."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from garabench.agents.models.messages import TokenUsage
from garabench.testing.http_error import ApiError
from garabench.testing.protocols import anthropic, gemini, responses
from garabench.testing.replies import FakeReply, completion
from garabench.testing.requests import ReceivedRequest
from garabench.testing.validation import read_chat

Body = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ServerProtocol:
    """A protocol.

    Attributes:
        name: Value of `ReceivedRequest.protocol`.
        path: Path of requests, without the query.
        key_header: Header with the key, besides ``Authorization``; empty for none.
        wrong_key: HTTP status for a wrong key.
        read: Validates a request; arguments: body, number, headers by lower-case name, match of `path`.
        write: Returns the JSON of a reply.
        error: Returns the JSON of an error.
    """

    name: str
    path: re.Pattern[str]
    key_header: str
    wrong_key: int
    read: Callable[[Body, int, Mapping[str, str], re.Match[str]], ReceivedRequest]
    write: Callable[[FakeReply, TokenUsage, ReceivedRequest], dict[str, Any]]
    error: Callable[[ApiError], dict[str, Any]]


CHAT = ServerProtocol(
    "chat",
    re.compile(r"/v1/chat/completions"),
    "",
    401,
    lambda body, number, headers, path: read_chat(body, number),
    lambda reply, usage, request: completion(reply, usage, request.number, request.model),
    lambda error: error.body,
)
RESPONSES = ServerProtocol(
    responses.NAME,
    re.compile(r"/v1/responses"),
    "",
    401,
    lambda body, number, headers, path: responses.read(body, number),
    responses.write,
    lambda error: error.body,
)
ANTHROPIC = ServerProtocol(
    anthropic.NAME,
    re.compile(r"/v1/messages"),
    "x-api-key",
    401,
    lambda body, number, headers, path: anthropic.read(body, number, headers.get("anthropic-beta", "")),
    anthropic.write,
    anthropic.error,
)
GEMINI = ServerProtocol(
    gemini.NAME,
    re.compile(r"(?:/v1)?/v1(?:beta)?/models/(?P<model>[^/:]+):generateContent"),
    "x-goog-api-key",
    400,  # Google's status for "API key not valid"
    lambda body, number, headers, path: gemini.read(body, number, path["model"]),
    gemini.write,
    gemini.error,
)
PROTOCOLS = {protocol.name: protocol for protocol in (CHAT, RESPONSES, ANTHROPIC, GEMINI)}


def protocol_at(path: str) -> tuple[ServerProtocol, re.Match[str]] | None:
    """Return the protocol of an address and the match; None for an unknown address."""
    for protocol in PROTOCOLS.values():
        if (match := protocol.path.fullmatch(path.partition("?")[0])) is not None:
            return protocol, match
    return None
