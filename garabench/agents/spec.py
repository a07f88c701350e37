"""The specification of an agent: its name, its kind, and how it is made for an episode."""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from garabench.agents.agent_name import AgentName
from garabench.agents.context import AgentContext
from garabench.agents.external.autonomous import AutonomousAgent
from garabench.agents.interface import Agent


class AgentKind(enum.StrEnum):
    """What an agent is."""

    REFERENCE = "reference"
    HEURISTIC = "heuristic"
    MODEL = "model"
    CLASS = "class"
    PROCESS = "process"
    HTTP = "http"
    OWNING = "owning"


Options = Mapping[str, str]
"""The options after the question mark."""
AgentMaker = Callable[[AgentContext], Agent | AutonomousAgent]
"""Makes an agent for one episode; called in the thread that performs it."""


@dataclass(frozen=True, slots=True)
class AgentSpec:
    """An agent that a run can use.

    Attributes:
        named: How it was named.
        kind: Kind of agent.
        make: Makes one; None for a reference agent, which needs the task's solution.
    """

    named: AgentName
    kind: AgentKind
    make: AgentMaker | None

    @property
    def name(self) -> str:
        """Name in tables and paths."""
        return self.named.name


@dataclass(frozen=True, slots=True)
class CatalogEntry:
    """A named agent, as ``garabench agents list`` shows it.

    Attributes:
        name: Its name.
        kind: Kind of agent.
        about: One line for a person.
        build: From its options to its maker; raises `InputError` for an option that it does not have, and
            loads what is costly to load only here.
    """

    name: str
    kind: AgentKind
    about: str
    build: Callable[[Options], AgentMaker]


@dataclass(frozen=True, slots=True)
class Scheme:
    """A form of names, ``PREFIX:REST``.

    Attributes:
        prefix: The lower-case word before the colon.
        kind: What such agents are.
        form: How it is written, for a person: ``process:COMMAND``.
        about: One line for a person.
        build: From the name to its maker; raises `InputError` for one that cannot be.
    """

    prefix: str
    kind: AgentKind
    form: str
    about: str
    build: Callable[[AgentName], AgentMaker]
