"""Agents all of whose episodes ended in error because their model or device was unreachable."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from garabench.errors import Fault
from garabench.records.results import Summary

_NOT_REACHED = frozenset({Fault.MODEL.value, Fault.DEVICE.value})


def never_reached_agents(summaries: Iterable[Summary]) -> Mapping[str, str]:
    """Return the agents all of whose episodes ended in error because of their model or device.

    Args:
        summaries: All ended episodes of a run.

    Returns:
        For each such agent the fault of its last episode: who is at fault, and the message.
    """
    faults: dict[str, str] = {}
    reached: set[str] = set()
    for each in summaries:
        if each.outcome == "error" and each.fault.partition(":")[0] in _NOT_REACHED:
            faults[each.agent] = each.fault
        else:
            reached.add(each.agent)
    return {agent: fault for agent, fault in faults.items() if agent not in reached}
