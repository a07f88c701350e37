"""The client of each protocol, loaded only when an agent speaks it."""

from __future__ import annotations

from garabench.agents.chat.client import Line
from garabench.agents.chat.faults import Where
from garabench.agents.chat.secret import Secret
from garabench.agents.profile import AgentProfile
from garabench.core.clock import Clock


def make_line(profile: AgentProfile, where: Where, key: Secret, clock: Clock) -> Line:
    """The client for an agent's endpoint; nothing is sent.

    Raises:
        InputError: The protocol's package is not installed.
    """
    seconds, connections = profile.limits.seconds, profile.limits.at_once
    from garabench.agents.chat.openai_line import CompletionsLine  # costly to load

    return CompletionsLine(where, key, clock, seconds=seconds, connections=connections)
