"""Agents that never took part: each of their episodes was ended by a fault of the model, or of the device."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from garabench.errors import Fault
from garabench.stats.measures import Summary

_NOT_REACHED = frozenset({Fault.MODEL.value, Fault.DEVICE.value})


def unreached(summaries: Iterable[Summary]) -> Mapping[str, str]:
    """The agents all of whose episodes ended in error since their model, or the device, could not be reached.

    Args:
        summaries: All ended episodes of a run.

    Returns:
        Of each such agent the fault of its last episode: who is at fault, and the message.
    """
    faults: dict[str, str] = {}
    reached: set[str] = set()
    for each in summaries:
        if each.outcome == "error" and each.fault.partition(":")[0] in _NOT_REACHED:
            faults[each.agent] = each.fault
        else:
            reached.add(each.agent)
    return {agent: fault for agent, fault in faults.items() if agent not in reached}
