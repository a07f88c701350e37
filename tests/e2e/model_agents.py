"""Agents of models on the virtual phone, with a fake server in the place of all endpoints."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from garabench.agents.profiles import built_in
from garabench.suite.suite import Suite
from garabench.testing.faults import PlannedFault
from garabench.testing.follower import Follower
from garabench.testing.screen_index import ScreenIndex
from garabench.testing.server import FakeModelServer

KEY = "sk-a-key-that-nobody-may-find"
KEY_ENV = "GARABENCH_FAKE_KEY"
AGENTS = tuple(built_in())
VENDORS = {
    "claude-computer-use": "anthropic",
    "openai-computer-use": "responses",
    "gemini-computer-use": "gemini",
}
"""Agents that can be asked over their vendors' own protocols, too."""
TASK = "amap-drive-summer-palace"
"""The shortest task of the suite: a tap, a text, a tap."""


def server_for(suite: Suite, run: Path, *, faults: Iterable[PlannedFault | str] = ()) -> FakeModelServer:
    """A server that plays every model in a run."""
    follower = Follower(suite, ScreenIndex([run]), built_in())
    return FakeModelServer(follower, models=follower.models, key=KEY, faults=faults)


def at(server: FakeModelServer, name: str, **options: object) -> str:
    """An agent as a run names it, at a server, labelled by its name and by the protocol that is given."""
    given = {"base_url": server.base_url, "key_env": KEY_ENV, **options}
    label = "-".join((name, *([str(options["protocol"])] if "protocol" in options else []), "there"))
    return f"{label}={name}?" + "&".join(f"{key}={value}" for key, value in given.items())
