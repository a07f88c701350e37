"""Agents by name."""

from __future__ import annotations

from garabench.agents.interface import Agent
from garabench.agents.reference.agent import ReferenceAgent
from garabench.agents.reference.policy import Policy
from garabench.core.names import did_you_mean
from garabench.core.task import Task
from garabench.errors import InputError

REFERENCE = tuple(policy.value for policy in Policy)


def is_reference(name: str) -> bool:
    """Whether an agent follows the tasks' solutions."""
    return name in REFERENCE


def parse_agents(text: str) -> tuple[str, ...]:
    """Read a comma list of agents; ``reference`` stands for all reference agents.

    Raises:
        InputError: One is unknown.
    """
    names: list[str] = []
    for part in (piece.strip() for piece in text.split(",")):
        if part == "reference":
            names += REFERENCE
        elif is_reference(part):
            names.append(part)
        else:
            raise InputError(
                f"no agent is called {part!r}", hint=did_you_mean(part, (*REFERENCE, "reference"))
            )
    return tuple(dict.fromkeys(names))


def make_agent(name: str, task: Task) -> Agent:
    """Make an agent for one episode.

    Args:
        name: Its name.
        task: The task, whose solution a reference agent follows.

    Raises:
        InputError: It is unknown.
    """
    (name,) = parse_agents(name)
    return ReferenceAgent(task.solution, Policy(name))
