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
_MESSAGE_OVERHEAD = 3
"""Tokens added to each message."""
MIN_CACHED_TOKENS = 1024
"""The shortest prefix that is cached, as at OpenAI."""


def text_tokens(text: str) -> int:
    """Count the tokens of a text."""
    return math.ceil(len(text.encode("utf-8", errors="replace")) / _BYTES)


def image_tokens(image: ReceivedImage) -> int:
    """Count the tokens of an image."""
    return math.ceil(image.size.width / _SQUARE) * math.ceil(image.size.height / _SQUARE)


class TokenCounter:
    """Counts tokens, and stores the prefixes of conversations to simulate a prompt cache."""

    def __init__(self) -> None:
        self._seen: set[str] = set()

    def count(self, request: ReceivedRequest, reply: FakeReply) -> TokenUsage:
        """Compute the usage of a reply.

        Args:
            request: The request, including its images.
            reply: The reply.
        """
        sent = cached = images = 0
        digest = hashlib.sha256(request.model.encode())
        for message in request.messages:
            sent += _message_tokens(message)
            images += sum(map(image_tokens, message.images))
            _update(digest, message)
            prefix = digest.hexdigest()
            if prefix in self._seen and sent >= MIN_CACHED_TOKENS:
                cached = sent
            self._seen.add(prefix)
        for name, parameters in request.tools.items():
            sent += text_tokens(f"{name}{parameters}")
        reasoning = text_tokens(reply.reasoning)
        return TokenUsage(sent, text_tokens(reply.written), cached, images, reasoning)


def _message_tokens(message: ReceivedMessage) -> int:
    calls = sum(text_tokens(call.name + call.arguments) for call in message.calls)
    return _MESSAGE_OVERHEAD + text_tokens(message.text) + sum(map(image_tokens, message.images)) + calls


def _update(digest: hashlib._Hash, message: ReceivedMessage) -> None:
    digest.update(repr((message.role, message.calls)).encode("utf-8", errors="replace"))
    for part in message.parts:
        content = part.sha256 if isinstance(part, ReceivedImage) else part
        digest.update(content.encode("utf-8", errors="replace") + b"\0")
