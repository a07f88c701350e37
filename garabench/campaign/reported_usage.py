"""Model usage reported by external agents, read from the record of a run."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from garabench.agents.models.catalog import ModelAgentMaker
from garabench.agents.spec import AgentSpec
from garabench.core import events as ev
from garabench.core.usage import Usage
from garabench.records.reader import Run


def reports_usage(spec: AgentSpec) -> bool:
    """Return whether an agent reports its own usage; that of GaraBench's models is counted per reply."""
    return not isinstance(spec.make, ModelAgentMaker)


def reported_usage(run: Run, agents: Collection[str]) -> Iterator[Usage]:
    """Iterate over the usage of all decisions, including those of interrupted and repeated attempts.

    Args:
        run: The run.
        agents: Names of the agents that report their own usage.

    Raises:
        InputError: A log is corrupt or has a newer version.
    """
    if not agents:
        return
    for episode in run.episodes:
        if episode.agent.name not in agents:
            continue
        for attempt in episode.attempts:
            for event in attempt.events:
                if isinstance(event, ev.Decided | ev.FaultEvent) and event.usage is not None:
                    yield event.usage
