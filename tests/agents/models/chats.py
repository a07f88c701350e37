"""Clients for an endpoint on loopback, and a request to send."""

from __future__ import annotations

import json
from typing import Any

from garabench.agents.models import endpoint_errors as ft
from garabench.agents.models.credentials import NO_KEY, Secret
from garabench.agents.models.limiter import EndpointLimiter
from garabench.agents.models.messages import ChatMessage, ChatRequest, ChatRole, TextPart
from garabench.agents.models.retry_policy import Backoff
from garabench.agents.models.retrying_client import RetryingChat
from garabench.agents.models.transports.openai import CompletionsTransport
from garabench.core.clock import Clock, FakeClock
from garabench.core.seeds import generator
from garabench.testing.behaviour import ScriptedReplies
from garabench.testing.replies import FakeReply
from garabench.testing.server import FakeModelServer
from tests.waits import AMPLE

KEY = "sk-secret-0123456789"
REQUEST = ChatRequest("m", (ChatMessage(ChatRole.USER, (TextPart("Go."),)),))
HELLO = json.dumps({"choices": [{"message": {"content": "hello"}, "finish_reason": "stop"}]}).encode()


def chat_at(
    url: str,
    *,
    key: str = KEY,
    clock: Clock | None = None,
    seconds: float = AMPLE,
    tries: int = 4,
    stream: bool = False,
    limiter: EndpointLimiter | None = None,
    at_once: int = 4,
    **more: Any,
) -> RetryingChat:
    secret = Secret(key) if key else NO_KEY
    clock = clock or FakeClock()
    where = ft.EndpointLabel(url, "m", "MY_KEY" if key else "")
    transport = CompletionsTransport(where, secret, clock, seconds=seconds, connections=4, stream=stream)
    return RetryingChat(
        transport,
        secret,
        limiter or EndpointLimiter(),
        clock,
        generator(0),
        seconds=seconds,
        at_once=at_once,
        backoff=Backoff(tries=tries),
        **more,
    )


def server(*replies: FakeReply | str, **more: Any) -> FakeModelServer:
    return FakeModelServer(ScriptedReplies(replies or ("hello",), repeat=True), **{"key": KEY, **more})
