"""Tokens, counted from what was really sent, by rules that stay the same.

No tokenizer is asked: a token is four bytes of UTF-8, and a picture has one for each square of 28 pixels, as
with Qwen's models. Endpoints count otherwise; what is tested is that a client adds up what it is told.
"""

from __future__ import annotations

import hashlib
import math

from garabench.agents.chat.messages import Usage
from garabench.testing.asked import Asked, Said, Seen
from garabench.testing.replies import Reply

_BYTES = 4
_SQUARE = 28
_A_MESSAGE = 3
"""What each message takes beside what it says."""
LEAST_CACHED = 1024
"""A shorter beginning is not cached, as at OpenAI."""


def text_tokens(text: str) -> int:
    """The tokens of a text."""
    return math.ceil(len(text.encode("utf-8", errors="replace")) / _BYTES)


def picture_tokens(picture: Seen) -> int:
    """The tokens of a picture."""
    return math.ceil(picture.size.width / _SQUARE) * math.ceil(picture.size.height / _SQUARE)


class Counter:
    """Counts, and knows which beginnings of conversations it has seen."""

    def __init__(self) -> None:
        self._seen: set[str] = set()

    def count(self, asked: Asked, reply: Reply) -> Usage:
        """What a reply takes.

        Args:
            asked: The request, its pictures among it.
            reply: The reply.
        """
        sent = cached = pictures = 0
        digest = hashlib.sha256(asked.model.encode())
        for message in asked.said:
            sent += _message_tokens(message)
            pictures += sum(map(picture_tokens, message.pictures))
            _update(digest, message)
            beginning = digest.hexdigest()
            if beginning in self._seen and sent >= LEAST_CACHED:
                cached = sent
            self._seen.add(beginning)
        for name, parameters in asked.tools.items():
            sent += text_tokens(f"{name}{parameters}")
        reasoning = text_tokens(reply.reasoning)
        return Usage(sent, text_tokens(reply.written), cached, pictures, reasoning)


def _message_tokens(message: Said) -> int:
    calls = sum(text_tokens(call.name + call.arguments) for call in message.calls)
    return _A_MESSAGE + text_tokens(message.text) + sum(map(picture_tokens, message.pictures)) + calls


def _update(digest: hashlib._Hash, message: Said) -> None:
    digest.update(repr((message.role, message.calls)).encode("utf-8", errors="replace"))
    for part in message.parts:
        said = part.sha256 if isinstance(part, Seen) else part
        digest.update(said.encode("utf-8", errors="replace") + b"\0")
