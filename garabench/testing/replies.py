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
"""The moment that every reply bears, so that equal runs have equal replies."""
_A_BIT = 12
"""Characters of a bit of a stream."""


class FinishReason(enum.StrEnum):
    """Why a reply ends, as OpenAI names it."""

    STOP = "stop"
    LENGTH = "length"
    FILTER = "content_filter"
    CALLS = "tool_calls"


@dataclass(frozen=True, slots=True)
class FakeReply:
    """A reply.

    Attributes:
        text: What the model writes.
        calls: The functions that it calls.
        finish: Why it ends; None: because it is over, by calls where there are some.
        refusal: In which words it refuses, or None.
        reasoning: Thoughts apart from the text, or empty.
        choices: How many choices there are: 1, or 0 of an endpoint that misbehaves.
    """

    text: str = ""
    calls: tuple[FunctionCall, ...] = ()
    finish: FinishReason | None = None
    refusal: str | None = None
    reasoning: str = ""
    choices: int = 1

    @property
    def ending(self) -> FinishReason:
        """Why it ends."""
        return self.finish or (FinishReason.CALLS if self.calls else FinishReason.STOP)

    @property
    def written(self) -> str:
        """Return the whole content as one text, for counting and logging."""
        calls = (f"{call.name}({call.arguments})" for call in self.calls)
        return "\n".join(part for part in (self.reasoning, self.text, self.refusal or "", *calls) if part)


def usage_json(usage: TokenUsage) -> dict[str, Any]:
    """The usage of a chat completion."""
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
    """A reply as a chat completion.

    Args:
        reply: The reply.
        usage: Tokens used.
        number: Of the request.
        model: As it is named.
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


def chunks(reply: FakeReply, usage: TokenUsage | None, number: int, model: str) -> Iterator[dict[str, Any]]:
    """A reply as the bits of a stream, without the ``[DONE]`` at its end.

    Args:
        reply: The reply.
        usage: Token usage, where the stream reports it.
        number: Of the request.
        model: As it is named.
    """
    head = _head(number, model, "chat.completion.chunk")

    def bit(delta: dict[str, Any], finish: str | None = None) -> dict[str, Any]:
        choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}
        return {**head, "choices": [choice] * reply.choices}

    yield bit({"role": "assistant", "content": ""})
    for part in _bits(reply.reasoning):
        yield bit({"reasoning_content": part})
    for part in _bits(reply.text):
        yield bit({"content": part})
    if reply.refusal is not None:
        for part in _bits(reply.refusal):
            yield bit({"refusal": part})
    for at, call in enumerate(_calls(reply, number)):
        function = {"name": call["function"]["name"], "arguments": ""}
        yield bit({"tool_calls": [{"index": at, **call, "function": function}]})
        for part in _bits(call["function"]["arguments"]):
            yield bit({"tool_calls": [{"index": at, "function": {"arguments": part}}]})
    yield bit({}, reply.ending.value)
    if usage is not None:
        yield {**head, "choices": [], "usage": usage_json(usage)}


def _bits(text: str) -> Iterator[str]:
    return (text[at : at + _A_BIT] for at in range(0, len(text), _A_BIT))


def event(data: dict[str, Any], name: str = "") -> bytes:
    """A server-sent event."""
    head = f"event: {name}\n" if name else ""
    return f"{head}data: {json.dumps(data, ensure_ascii=False, separators=(',', ':'))}\n\n".encode()


DONE = b"data: [DONE]\n\n"
