"""The specification of an agent: its name, its kind, and how it is made for an episode."""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from garabench.agents.agent_name import AgentName
from garabench.agents.context import AgentContext
from garabench.agents.external.autonomous import AutonomousAgent
from garabench.agents.faulty.agent_fault import FaultChoice
from garabench.agents.interface import Agent


class AgentKind(enum.StrEnum):
    """How an agent is implemented and attached; run files record the coarser `RunAgentKind`."""

    REFERENCE = "reference"
    HEURISTIC = "heuristic"
    MODEL = "model"
    CLASS = "class"
    PROCESS = "process"
    HTTP = "http"
    AUTONOMOUS = "autonomous"


Options = Mapping[str, str]
"""The options after the question mark."""
AgentMaker = Callable[[AgentContext], Agent | AutonomousAgent]
"""Makes an agent for one episode; called in the thread that performs it."""


@dataclass(frozen=True, slots=True)
class FaultySpec:
    """An agent that is given a fault.

    Attributes:
        agent: The agent.
        choice: Its fault in each task.
    """

    agent: AgentSpec
    choice: FaultChoice


@dataclass(frozen=True, slots=True)
class AgentSpec:
    """An agent that a run can use.

    Attributes:
        named: The parsed name.
        kind: Kind of agent.
        make: Makes the agent for an episode; None for a reference agent, which needs the task's solution, and
            for a faulty agent.
        faulty: The wrapped agent and its faults, if this is a faulty agent.
    """

    named: AgentName
    kind: AgentKind
    make: AgentMaker | None
    faulty: FaultySpec | None = None

    @property
    def name(self) -> str:
        """Name in tables and paths."""
        return self.named.name


@dataclass(frozen=True, slots=True)
class CatalogEntry:
    """A named agent, as ``garabench agents list`` shows it.

    Attributes:
        name: Name of the agent.
        kind: Kind of agent.
        about: Description in one line.
        build: Returns the maker for the given options; raises `InputError` for an unknown option. Expensive
            imports happen here, not when the catalog is listed.
    """

    name: str
    kind: AgentKind
    about: str
    build: Callable[[Options], AgentMaker]


@dataclass(frozen=True, slots=True)
class Scheme:
    """An address scheme: agents named ``PREFIX:REST``.

    Attributes:
        prefix: The lower-case word before the colon.
        kind: Kind of agent.
        form: Usage, such as ``process:COMMAND``.
        about: Description in one line.
        build: Returns the maker for a name; raises `InputError` if the name is invalid.
        deprecated: Former prefixes, which recorded runs contain.
    """

    prefix: str
    kind: AgentKind
    form: str
    about: str
    build: Callable[[AgentName], AgentMaker]
    deprecated: tuple[str, ...] = ()
