"""What is known of an agent before a run begins: its name, its kind, and how one is made for an episode."""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from garabench.agents.interface import Agent
from garabench.agents.naming import Named
from garabench.agents.own.owner import Owner
from garabench.agents.setting import Setting


class Kind(enum.StrEnum):
    """What an agent is."""

    REFERENCE = "reference"
    HEURISTIC = "heuristic"
    MODEL = "model"
    CLASS = "class"
    PROCESS = "process"
    HTTP = "http"
    OWNING = "owning"


Options = Mapping[str, str]
"""What stood after the question mark."""
Maker = Callable[[Setting], Agent | Owner]
"""Makes an agent for one episode; called in the thread that performs it."""


@dataclass(frozen=True, slots=True)
class AgentSpec:
    """An agent that a run can use.

    Attributes:
        named: How it was named.
        kind: What it is.
        make: Makes one; None for a reference agent, which needs the task's solution.
    """

    named: Named
    kind: Kind
    make: Maker | None

    @property
    def name(self) -> str:
        """As in tables and paths."""
        return self.named.name


@dataclass(frozen=True, slots=True)
class Entry:
    """An agent with a name of its own, as ``garabench agents list`` shows it.

    Attributes:
        name: Its name.
        kind: What it is.
        about: One line for a person.
        build: From its options to its maker; raises `InputError` for an option that it does not have, and
            loads what is costly to load only here.
    """

    name: str
    kind: Kind
    about: str
    build: Callable[[Options], Maker]


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
    kind: Kind
    form: str
    about: str
    build: Callable[[Named], Maker]
