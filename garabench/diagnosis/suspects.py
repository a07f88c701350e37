"""Tasks and rules that several diagnoses blame: their keepers should look at them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from garabench.diagnosis.case_diagnosis import Diagnosis
from garabench.diagnosis.loop import AttributedTo
from garabench.records.plan import CLEAN
from garabench.records.run_layout import EpisodeKey

MIN_AGENTS = 2
"""Number of agents that must have failed at the environment before its task is suspected."""


@dataclass(frozen=True, slots=True)
class Suspect:
    """A task that is suspected, because several agents failed at its environment.

    Attributes:
        task: The task.
        agents: The agents.
        conditions: The conditions.
        kind: ``task`` if it also happens without interruptions, else ``rule``: the interruption or its
            consequences may make the task impossible.
        reason: The reason of the clearest diagnosis.
    """

    task: str
    agents: tuple[str, ...]
    conditions: tuple[str, ...]
    kind: str
    reason: str


def suspects(diagnoses: Iterable[tuple[EpisodeKey, Diagnosis]]) -> tuple[Suspect, ...]:
    """Return the tasks at whose environment several agents failed, in order."""
    blamed: dict[str, list[tuple[EpisodeKey, Diagnosis]]] = {}
    for key, diagnosis in diagnoses:
        if diagnosis.attributed_to is AttributedTo.ENVIRONMENT:
            blamed.setdefault(key.task, []).append((key, diagnosis))
    found = []
    for task, each in blamed.items():
        agents = tuple(dict.fromkeys(key.agent for key, _ in each))
        if len(agents) < MIN_AGENTS:
            continue
        conditions = tuple(dict.fromkeys(key.condition for key, _ in each))
        clearest = max(each, key=lambda pair: pair[1].p)[1]
        kind = "task" if CLEAN in conditions else "rule"
        found.append(Suspect(task, agents, conditions, kind, clearest.reason))
    return tuple(found)
