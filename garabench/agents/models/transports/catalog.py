"""The transport of each protocol, loaded when an agent first uses it."""

from __future__ import annotations

from collections.abc import Callable

from garabench.agents.models.credentials import Secret
from garabench.agents.models.endpoint_errors import EndpointLabel
from garabench.agents.models.retrying_client import Transport
from garabench.agents.profile import AgentProfile, EndpointProtocol
from garabench.core.clock import Clock
from garabench.errors import InputError

_EXTRAS: dict[EndpointProtocol, str] = {
    EndpointProtocol.CHAT: "openai",
    EndpointProtocol.RESPONSES: "openai",
    EndpointProtocol.ANTHROPIC: "anthropic",
    EndpointProtocol.GEMINI: "gemini",
}
"""The extra of GaraBench that installs each protocol's package."""


def make_transport(profile: AgentProfile, where: EndpointLabel, key: Secret, clock: Clock) -> Transport:
    """Make the transport to an agent's endpoint; nothing is sent.

    Raises:
        InputError: The protocol's package is not installed.
    """
    protocol, limits = profile.endpoint.protocol, profile.limits
    try:
        make = _load(protocol)
    except ImportError as error:
        raise InputError(
            f"{profile.id} uses the protocol {protocol.value}, whose package is not installed ({error.name})",
            hint=f"pip install 'garabench[{_EXTRAS[protocol]}]'",
        ) from error
    streams = profile.endpoint.stream and protocol is EndpointProtocol.CHAT
    more = {"stream": True} if streams else {}
    return make(where, key, clock, seconds=limits.seconds, connections=limits.at_once, **more)


def _load(protocol: EndpointProtocol) -> Callable[..., Transport]:
    match protocol:
        case EndpointProtocol.CHAT:
            from garabench.agents.models.transports.openai import CompletionsTransport

            return CompletionsTransport
        case EndpointProtocol.RESPONSES:
            from garabench.agents.models.transports.responses import ResponsesTransport

            return ResponsesTransport
        case EndpointProtocol.ANTHROPIC:
            from garabench.agents.models.transports.anthropic import AnthropicTransport

            return AnthropicTransport
        case EndpointProtocol.GEMINI:
            from garabench.agents.models.transports.gemini import GeminiTransport

            return GeminiTransport
