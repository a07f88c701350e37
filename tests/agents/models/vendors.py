"""Agents and replies of the native protocols."""

from __future__ import annotations

from typing import Any

from garabench.agents.models import endpoint_errors as ft
from garabench.agents.models.credentials import NO_KEY, Secret
from garabench.agents.models.limiter import EndpointLimiter
from garabench.agents.models.retry_policy import Backoff
from garabench.agents.models.retrying_client import RetryingChat
from garabench.agents.models.transports.catalog import make_transport
from garabench.agents.profile import AgentProfile
from garabench.agents.profiles import built_in
from garabench.agents.prompting.request import PreparedRequest, RequestBuilder
from garabench.core.clock import FakeClock
from garabench.core.seeds import generator
from tests.agents.models.screens import BRIEF, observation
from tests.waits import AMPLE

KEY = "sk-secret-0123456789"
AGENTS = {
    "anthropic": "claude-computer-use",
    "responses": "openai-computer-use",
    "gemini": "gemini-computer-use",
}


def profile(protocol: str, url: str = "http://127.0.0.1:9/v1") -> AgentProfile:
    data = built_in()[AGENTS[protocol]].model_dump(exclude_unset=True)
    data["endpoint"] = {"base_url": url, "protocol": protocol}
    data["model"] = "m"
    return AgentProfile.model_validate(data)


def prepared(protocol: str) -> PreparedRequest:
    return RequestBuilder(profile(protocol)).prepare(BRIEF, observation(), ())


def chat_at(protocol: str, url: str, *, key: str = KEY, tries: int = 1) -> RetryingChat:
    secret, clock = (Secret(key) if key else NO_KEY), FakeClock()
    line = make_transport(profile(protocol, url), ft.EndpointLabel(url, "m", "MY_KEY"), secret, clock)
    backoff = Backoff(tries=tries)
    return RetryingChat(
        line, secret, EndpointLimiter(), clock, generator(0), seconds=AMPLE, at_once=2, backoff=backoff
    )


def claude(*blocks: dict[str, Any], stop: str = "tool_use") -> dict[str, Any]:
    used = {"input_tokens": 10, "cache_read_input_tokens": 90, "output_tokens": 7}
    return {
        "type": "message",
        "model": "claude-x",
        "content": list(blocks),
        "stop_reason": stop,
        "usage": used,
    }


def gpt(*items: dict[str, Any], **more: Any) -> dict[str, Any]:
    used = {"input_tokens": 100, "output_tokens": 7, "input_tokens_details": {"cached_tokens": 90}}
    return {
        "object": "response",
        "status": "completed",
        "model": "gpt-x",
        "output": list(items),
        "usage": used,
        **more,
    }


def gemini(*parts: dict[str, Any], finish: str = "STOP") -> dict[str, Any]:
    used = {"promptTokenCount": 100, "candidatesTokenCount": 7, "cachedContentTokenCount": 90}
    candidate = {"content": {"role": "model", "parts": list(parts)}, "finishReason": finish}
    return {"candidates": [candidate], "usageMetadata": used, "modelVersion": "gemini-x"}


def used_by_claude(name: str, **arguments: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": "t1", "name": name, "input": arguments}


CLAUDE_TAP = claude(
    {"type": "thinking", "thinking": "hm", "signature": "s"},
    {"type": "text", "text": "I tap."},
    used_by_claude("computer", action="left_click", coordinate=[10, 20]),
)


GPT_TAP = gpt(
    {"type": "reasoning", "summary": [{"type": "summary_text", "text": "hm"}]},
    {"type": "message", "content": [{"type": "output_text", "text": "I tap."}]},
    {
        "type": "computer_call",
        "call_id": "c",
        "action": {"type": "click", "x": 10, "y": 20, "button": "left"},
    },
)


GEMINI_TAP = gemini(
    {"text": "hm", "thought": True},
    {"text": "I tap."},
    {"functionCall": {"name": "click_at", "args": {"x": 10, "y": 20, "safety_decision": {}}}},
)


TAPS = {"anthropic": CLAUDE_TAP, "responses": GPT_TAP, "gemini": GEMINI_TAP}
