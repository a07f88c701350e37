"""Count the tokens of requests and replies by fixed rules.

There is no tokenizer: a token is four bytes of UTF-8, and an image has one token per square of 28 pixels, as
in Qwen's models. Real endpoints count differently; tests only need a client to add up the reported usage.
"""

from __future__ import annotations

import hashlib
import math

from garabench.agents.models.messages import TokenUsage
from garabench.testing.replies import FakeReply
from garabench.testing.requests import ReceivedImage, ReceivedMessage, ReceivedRequest

_BYTES = 4
_SQUARE = 28
_A_MESSAGE = 3
"""Overhead of each message."""
MIN_CACHED_TOKENS = 1024
"""The shortest prefix that is cached, as at OpenAI."""


def text_tokens(text: str) -> int:
    """Count the tokens of a text."""
    return math.ceil(len(text.encode("utf-8", errors="replace")) / _BYTES)


def image_tokens(picture: ReceivedImage) -> int:
    """Count the tokens of an image."""
    return math.ceil(picture.size.width / _SQUARE) * math.ceil(picture.size.height / _SQUARE)


class TokenCounter:
    """Counts tokens, and remembers the conversation prefixes that it has seen."""

    def __init__(self) -> None:
        self._seen: set[str] = set()

    def count(self, asked: ReceivedRequest, reply: FakeReply) -> TokenUsage:
        """Compute the usage of a reply.

        Args:
            asked: The request, including its images.
            reply: The reply.
        """
        sent = cached = pictures = 0
        digest = hashlib.sha256(asked.model.encode())
        for message in asked.said:
            sent += _message_tokens(message)
            pictures += sum(map(image_tokens, message.pictures))
            _update(digest, message)
            beginning = digest.hexdigest()
            if beginning in self._seen and sent >= MIN_CACHED_TOKENS:
                cached = sent
            self._seen.add(beginning)
        for name, parameters in asked.tools.items():
            sent += text_tokens(f"{name}{parameters}")
        reasoning = text_tokens(reply.reasoning)
        return TokenUsage(sent, text_tokens(reply.written), cached, pictures, reasoning)


def _message_tokens(message: ReceivedMessage) -> int:
    calls = sum(text_tokens(call.name + call.arguments) for call in message.calls)
    return _A_MESSAGE + text_tokens(message.text) + sum(map(image_tokens, message.pictures)) + calls


def _update(digest: hashlib._Hash, message: ReceivedMessage) -> None:
    digest.update(repr((message.role, message.calls)).encode("utf-8", errors="replace"))
    for part in message.parts:
        said = part.sha256 if isinstance(part, ReceivedImage) else part
        digest.update(said.encode("utf-8", errors="replace") + b"\0")
