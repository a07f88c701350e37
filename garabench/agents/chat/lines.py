"""The client of each protocol, loaded only when an agent speaks it."""

from __future__ import annotations

import importlib
from collections.abc import Callable

from garabench.agents.chat.client import Line
from garabench.agents.chat.faults import Where
from garabench.agents.chat.secret import Secret
from garabench.agents.profile import AgentProfile, Protocol
from garabench.core.clock import Clock
from garabench.errors import InputError

_LINES: dict[Protocol, tuple[str, str, str]] = {
    Protocol.CHAT: ("openai_line", "CompletionsLine", "openai"),
    Protocol.RESPONSES: ("responses_line", "ResponsesLine", "openai"),
    Protocol.ANTHROPIC: ("anthropic_line", "AnthropicLine", "anthropic"),
    Protocol.GEMINI: ("gemini_line", "GeminiLine", "gemini"),
}
"""Module, class, and the extra that brings the package."""


def make_line(profile: AgentProfile, where: Where, key: Secret, clock: Clock) -> Line:
    """The client for an agent's endpoint; nothing is sent.

    Raises:
        InputError: The protocol's package is not installed.
    """
    module, name, extra = _LINES[profile.endpoint.protocol]
    try:
        make: Callable[..., Line] = getattr(importlib.import_module(f"garabench.agents.chat.{module}"), name)
    except ImportError as error:
        raise InputError(
            f"{profile.id} speaks the protocol {profile.endpoint.protocol.value}, "
            f"and the package of it is not installed ({error.name})",
            hint=f"pip install 'garabench[{extra}]'",
        ) from error
    limits = profile.limits
    streams = profile.endpoint.stream and profile.endpoint.protocol is Protocol.CHAT
    more = {"stream": True} if streams else {}
    return make(where, key, clock, seconds=limits.seconds, connections=limits.at_once, **more)
