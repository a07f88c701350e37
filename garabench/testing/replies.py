"""Fake replies, and their JSON as chat completions."""

from __future__ import annotations

import enum
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from garabench.agents.models.messages import TokenUsage
from garabench.testing.requests import FunctionCall

CREATED = 1_716_169_260
"""The fixed creation time of replies, so that equal runs have equal replies."""
_CHUNK_LENGTH = 12
"""Characters per chunk of a stream."""


class FinishReason(enum.StrEnum):
    """Why a reply ends, in OpenAI's terms."""

    STOP = "stop"
    LENGTH = "length"
    FILTER = "content_filter"
    CALLS = "tool_calls"


@dataclass(frozen=True, slots=True)
class FakeReply:
    """A reply.

    Attributes:
        text: Text of the reply.
        calls: Function calls.
        finish: Why the reply ends; None for ``tool_calls`` if it has calls and ``stop`` otherwise.
        refusal: Text of a refusal, or None.
        reasoning: Reasoning text, separate from the reply; empty for none.
        choices: Number of choices: 1, or 0 to simulate a faulty endpoint.
    """

    text: str = ""
    calls: tuple[FunctionCall, ...] = ()
    finish: FinishReason | None = None
    refusal: str | None = None
    reasoning: str = ""
    choices: int = 1

    @property
    def ending(self) -> FinishReason:
        """Why the reply ends."""
        return self.finish or (FinishReason.CALLS if self.calls else FinishReason.STOP)

    @property
    def written(self) -> str:
        """The whole content as one text, for counting and logging."""
        calls = (f"{call.name}({call.arguments})" for call in self.calls)
        return "\n".join(part for part in (self.reasoning, self.text, self.refusal or "", *calls) if part)


def usage_json(usage: TokenUsage) -> dict[str, Any]:
    """Return the usage in the form of a chat completion."""
    return {
        "prompt_tokens": usage.sent,
        "completion_tokens": usage.received,
        "total_tokens": usage.sent + usage.received,
        "prompt_tokens_details": {"cached_tokens": usage.cached, "image_tokens": usage.pictures},
        "completion_tokens_details": {"reasoning_tokens": usage.reasoning},
    }


def _head(number: int, model: str, kind: str) -> dict[str, Any]:
    return {"id": f"chatcmpl-{number:06}", "object": kind, "created": CREATED, "model": model}


def _calls(reply: FakeReply, number: int) -> list[dict[str, Any]]:
    return [
        {
            "id": f"call_{number:06}_{at}",
            "type": "function",
            "function": {"name": call.name, "arguments": call.arguments},
        }
        for at, call in enumerate(reply.calls)
    ]


def completion(reply: FakeReply, usage: TokenUsage, number: int, model: str) -> dict[str, Any]:
    """Return a reply as a chat completion.

    Args:
        reply: The reply.
        usage: Token usage.
        number: Number of the request.
        model: Name of the model.
    """
    message: dict[str, Any] = {
        "role": "assistant",
        "content": reply.text or (None if reply.calls or reply.refusal else ""),
        "refusal": reply.refusal,
    }
    if reply.reasoning:
        message["reasoning_content"] = reply.reasoning
    if reply.calls:
        message["tool_calls"] = _calls(reply, number)
    choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": reply.ending.value}
    return {
        **_head(number, model, "chat.completion"),
        "choices": [choice] * reply.choices,
        "usage": usage_json(usage),
    }


def stream_chunks(
    reply: FakeReply, usage: TokenUsage | None, number: int, model: str
) -> Iterator[dict[str, Any]]:
    """Yield a reply as the chunks of a stream, without the final ``[DONE]``.

    Args:
        reply: The reply.
        usage: Token usage; None if the stream does not report it.
        number: Number of the request.
        model: Name of the model.
    """
    head = _head(number, model, "chat.completion.chunk")

    def chunk(delta: dict[str, Any], finish: str | None = None) -> dict[str, Any]:
        choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}
        return {**head, "choices": [choice] * reply.choices}

    yield chunk({"role": "assistant", "content": ""})
    for part in _split(reply.reasoning):
        yield chunk({"reasoning_content": part})
    for part in _split(reply.text):
        yield chunk({"content": part})
    if reply.refusal is not None:
        for part in _split(reply.refusal):
            yield chunk({"refusal": part})
    for at, call in enumerate(_calls(reply, number)):
        function = {"name": call["function"]["name"], "arguments": ""}
        yield chunk({"tool_calls": [{"index": at, **call, "function": function}]})
        for part in _split(call["function"]["arguments"]):
            yield chunk({"tool_calls": [{"index": at, "function": {"arguments": part}}]})
    yield chunk({}, reply.ending.value)
    if usage is not None:
        yield {**head, "choices": [], "usage": usage_json(usage)}


def _split(text: str) -> Iterator[str]:
    return (text[at : at + _CHUNK_LENGTH] for at in range(0, len(text), _CHUNK_LENGTH))


def event(data: dict[str, Any], name: str = "") -> bytes:
    """Encode a server-sent event."""
    head = f"event: {name}\n" if name else ""
    return f"{head}data: {json.dumps(data, ensure_ascii=False, separators=(',', ':'))}\n\n".encode()


DONE = b"data: [DONE]\n\n"
