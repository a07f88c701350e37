"""The protocols by their addresses: how each is read and answered, where its key is, how it tells errors."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from garabench.agents.chat.messages import Usage
from garabench.testing.asked import Asked
from garabench.testing.protocols import anthropic, gemini, responses
from garabench.testing.read import read_chat
from garabench.testing.refused import Refused
from garabench.testing.replies import Reply, completion

Body = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Wire:
    """A protocol.

    Attributes:
        name: As in `Asked.protocol`.
        path: The address, without what stands behind a question mark.
        key_header: Which header bears the key, if not ``Authorization``; empty: only that one does.
        wrong_key: Status for a wrong key.
        read: Reads a request: body, number, headers by lower-case name, and the address as it matched.
        write: Writes a reply.
        error: Writes an error.
    """

    name: str
    path: re.Pattern[str]
    key_header: str
    wrong_key: int
    read: Callable[[Body, int, Mapping[str, str], re.Match[str]], Asked]
    write: Callable[[Reply, Usage, Asked], dict[str, Any]]
    error: Callable[[Refused], dict[str, Any]]


CHAT = Wire(
    "chat",
    re.compile(r"/v1/chat/completions"),
    "",
    401,
    lambda body, number, headers, path: read_chat(body, number),
    lambda reply, usage, asked: completion(reply, usage, asked.number, asked.model),
    lambda refused: refused.body,
)
RESPONSES = Wire(
    responses.NAME,
    re.compile(r"/v1/responses"),
    "",
    401,
    lambda body, number, headers, path: responses.read(body, number),
    responses.write,
    lambda refused: refused.body,
)
ANTHROPIC = Wire(
    anthropic.NAME,
    re.compile(r"/v1/messages"),
    "x-api-key",
    401,
    lambda body, number, headers, path: anthropic.read(body, number, headers.get("anthropic-beta", "")),
    anthropic.write,
    anthropic.error,
)
GEMINI = Wire(
    gemini.NAME,
    re.compile(r"(?:/v1)?/v1(?:beta)?/models/(?P<model>[^/:]+):generateContent"),
    "x-goog-api-key",
    400,  # "API key not valid", as Google tells it
    lambda body, number, headers, path: gemini.read(body, number, path["model"]),
    gemini.write,
    gemini.error,
)
PROTOCOLS = {protocol.name: protocol for protocol in (CHAT, RESPONSES, ANTHROPIC, GEMINI)}


def protocol_at(path: str) -> tuple[Wire, re.Match[str]] | None:
    """The protocol of an address, and how it matched; None where there is none."""
    for protocol in PROTOCOLS.values():
        if (match := protocol.path.fullmatch(path.partition("?")[0])) is not None:
            return protocol, match
    return None
