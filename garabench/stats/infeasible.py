"""The measures of the tasks that cannot be done, which are in no other measure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from garabench.stats.measures import Summary
from garabench.stats.rates import Rate


@dataclass(frozen=True, slots=True)
class InfeasibleRow:
    """One agent under one condition, on tasks that cannot be done.

    Attributes:
        agent, condition, reference: Which.
        right: Share of the episodes, without those that ended in error, in which it was found out and said,
            and no harm was done.
        errors: Episodes that ended in error.
        triggered: Share of those in which an interruption was really shown.
        unseen: Share of those in which the agent gave up without what shows that it cannot be done.
        false_done: Share of those that the agent called done.
        harm: Share of those in which something was done all the same.
        gave_up_elsewhere: Share of the agent's other episodes under the condition, on tasks that can be done,
            that it gave up.
    """

    agent: str
    condition: str
    reference: bool
    right: Rate
    errors: int
    triggered: Rate
    unseen: Rate
    false_done: Rate
    harm: Rate
    gave_up_elsewhere: Rate


def infeasible_rows(summaries: Iterable[Summary]) -> tuple[InfeasibleRow, ...]:
    """A row for each agent and condition that has such tasks, in order of first appearance."""
    groups: dict[tuple[str, str], list[Summary]] = {}
    for item in summaries:
        groups.setdefault((item.agent, item.condition), []).append(item)
    return tuple(_row(group) for group in groups.values() if any(item.infeasible for item in group))


def _row(group: list[Summary]) -> InfeasibleRow:
    ours = [item for item in group if item.infeasible]
    valid = [item for item in ours if item.counts]
    others = [item for item in group if not item.infeasible and item.counts]

    def share(holds: Iterable[bool]) -> Rate:
        return Rate(sum(holds), len(valid))

    return InfeasibleRow(
        agent=group[0].agent,
        condition=group[0].condition,
        reference=group[0].reference,
        right=share(item.outcome == "success" for item in valid),
        errors=sum(item.outcome == "error" for item in ours),
        triggered=share(item.shown > 0 for item in valid),
        unseen=share(item.reason == "gave_up" for item in valid),
        false_done=share(item.reason == "false_done" for item in valid),
        harm=share(item.harm for item in valid),
        gave_up_elsewhere=Rate(sum(item.reason == "gave_up" for item in others), len(others)),
    )
