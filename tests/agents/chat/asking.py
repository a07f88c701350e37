"""One request to an endpoint on loopback."""

from __future__ import annotations

import json
from typing import Any

from garabench.agents.chat import faults as ft
from garabench.agents.chat.client import PatientChat
from garabench.agents.chat.gate import Gate
from garabench.agents.chat.messages import Message, Request, Role, Text
from garabench.agents.chat.openai_line import CompletionsLine
from garabench.agents.chat.retry import Backoff
from garabench.agents.chat.secret import NO_KEY, Secret
from garabench.core.clock import Clock, FakeClock
from garabench.core.seeds import generator
from garabench.testing.behaviour import Scripted
from garabench.testing.replies import Reply
from garabench.testing.server import FakeModelServer
from tests.waits import AMPLE

KEY = "sk-secret-0123456789"
REQUEST = Request("m", (Message(Role.USER, (Text("Go."),)),))
HELLO = json.dumps({"choices": [{"message": {"content": "hello"}, "finish_reason": "stop"}]}).encode()


def chat_at(
    url: str,
    *,
    key: str = KEY,
    clock: Clock | None = None,
    seconds: float = AMPLE,
    tries: int = 4,
    stream: bool = False,
    gate: Gate | None = None,
    at_once: int = 4,
    **more: Any,
) -> PatientChat:
    secret = Secret(key) if key else NO_KEY
    clock = clock or FakeClock()
    where = ft.Where(url, "m", "MY_KEY" if key else "")
    line = CompletionsLine(where, secret, clock, seconds=seconds, connections=4, stream=stream)
    return PatientChat(
        line,
        secret,
        gate or Gate(),
        clock,
        generator(0),
        seconds=seconds,
        at_once=at_once,
        backoff=Backoff(tries=tries),
        **more,
    )


def server(*replies: Reply | str, **more: Any) -> FakeModelServer:
    return FakeModelServer(Scripted(replies or ("hello",), again=True), **{"key": KEY, **more})
