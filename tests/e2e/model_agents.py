"""Run model agents on virtual phones against a fake server that serves every model."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from garabench.agents.profiles import built_in
from garabench.suite.suite import Suite
from garabench.testing.faults import PlannedFault
from garabench.testing.follower import Follower
from garabench.testing.screen_index import ScreenIndex
from garabench.testing.server import FakeModelServer

KEY = "sk-a-key-that-must-not-leak"
KEY_ENV = "GARABENCH_FAKE_KEY"
AGENTS = tuple(built_in())
VENDORS = {
    "claude-computer-use": "anthropic",
    "openai-computer-use": "responses",
    "gemini-computer-use": "gemini",
}
"""Agents that also speak their vendor's own protocol, by agent."""
TASK = "amap-drive-summer-palace"
"""The shortest task of the suite: tap, type, tap."""


def serve_models(suite: Suite, run: Path, *, faults: Iterable[PlannedFault | str] = ()) -> FakeModelServer:
    """Start a server that replies for every model of a run."""
    follower = Follower(suite, ScreenIndex([run]), built_in())
    return FakeModelServer(follower, models=follower.models, key=KEY, faults=faults)


def agent_at(server: FakeModelServer, name: str, **options: object) -> str:
    """Return the agent option that connects an agent to a server, labelled with its name and protocol."""
    settings = {"base_url": server.base_url, "key_env": KEY_ENV, **options}
    label = "-".join((name, *([str(options["protocol"])] if "protocol" in options else []), "fake"))
    return f"{label}={name}?" + "&".join(f"{key}={value}" for key, value in settings.items())
