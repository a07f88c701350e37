"""Success broken down by app, by what interrupted, how deep in the task, and how it was left."""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from garabench.records.aftermath import RecoveredTo
from garabench.records.plan import CLEAN
from garabench.records.results import InjectedInterruption, Summary
from garabench.stats.rates import Rate
from garabench.stats.repeats import rate_over_tasks

UNRECORDED = "not recorded"
"""The group of what an older result does not say."""


class GroupedBy(enum.StrEnum):
    """What success is broken down by."""

    APP = "app"
    CATEGORY = "category"
    MODE = "mode"
    DEPTH = "depth"
    INTERRUPTION = "interruption"
    EXIT = "exit"


@dataclass(frozen=True, slots=True)
class BreakdownRow:
    """One agent under one condition, in one group of episodes.

    An episode with interruptions of several groups is in each of them, so the groups do not add up.

    Attributes:
        agent, condition, reference: The agent, its condition, whether it is a reference agent.
        dimension: What the group is of.
        group: The group: an app's package, a category, a depth and so on.
        success: Success rate over the valid episodes of the group.
        rsr: Share of the tasks solved clean that are also solved in the group, over pairs of the same task
            and seed; clean episodes have none.
        interruptions: Number of interruptions of the group that were shown.
        recovered: Share of them after which the app came back, of those whose record shows what followed.
    """

    agent: str
    condition: str
    reference: bool
    dimension: GroupedBy
    group: str
    success: Rate
    rsr: Rate
    interruptions: int
    recovered: Rate


def breakdown_rows(summaries: Iterable[Summary], dimension: GroupedBy) -> tuple[BreakdownRow, ...]:
    """Return a row per agent, condition and group, on feasible tasks.

    Without an interruption that was shown, an episode is only in the groups of its app.
    """
    items = [item for item in summaries if item.counts and not item.infeasible]
    clean = {item.pairing: item.outcome == "success" for item in items if item.condition == CLEAN}
    groups: dict[tuple[str, str, bool, str], list[tuple[Summary, list[InjectedInterruption]]]] = {}
    for item in items:
        for group, interruptions in _groups(item, dimension).items():
            key = (item.agent, item.condition, item.reference, group)
            groups.setdefault(key, []).append((item, interruptions))
    rows = [
        _row(agent, condition, reference, dimension, group, members, clean)
        for (agent, condition, reference, group), members in groups.items()
    ]
    order = {key: number for number, key in enumerate(dict.fromkeys((r.agent, r.condition) for r in rows))}
    return tuple(sorted(rows, key=lambda row: (order[row.agent, row.condition], row.group)))


def _groups(item: Summary, dimension: GroupedBy) -> Mapping[str, list[InjectedInterruption]]:
    shown = [each for each in item.interruptions if each.shown]
    if dimension is GroupedBy.APP:
        return {item.app or UNRECORDED: shown}
    found: dict[str, list[InjectedInterruption]] = {}
    for each in shown:
        found.setdefault(_GROUPS[dimension](item, each) or UNRECORDED, []).append(each)
    return found


_DEPTHS = ("1: first third", "2: second third", "3: last third", "4: later")


def depth_of(item: Summary, each: InjectedInterruption) -> str:
    """Return how deep in the task an interruption came, by the length of the reference solution."""
    if each.step is None or not item.solution_steps:
        return ""
    third = 3 * each.step // item.solution_steps
    return _DEPTHS[min(third, len(_DEPTHS) - 1)]


_GROUPS: Mapping[GroupedBy, Callable[[Summary, InjectedInterruption], str]] = {
    GroupedBy.CATEGORY: lambda _, each: each.category,
    GroupedBy.MODE: lambda _, each: each.mode,
    GroupedBy.DEPTH: depth_of,
    GroupedBy.INTERRUPTION: lambda _, each: each.interruption,
    GroupedBy.EXIT: lambda _, each: each.exit,
}


def _row(
    agent: str,
    condition: str,
    reference: bool,
    dimension: GroupedBy,
    group: str,
    members: list[tuple[Summary, list[InjectedInterruption]]],
    clean: Mapping[tuple[str, str, int], bool],
) -> BreakdownRow:
    solved = [(item.task, item.outcome == "success") for item, _ in members]
    also = [
        (item.task, item.outcome == "success")
        for item, _ in members
        if condition != CLEAN and clean.get(item.pairing, False)
    ]
    after = [
        (item.task, each.aftermath.recovered is not RecoveredTo.NEVER)
        for item, interruptions in members
        for each in interruptions
        if each.aftermath is not None and each.aftermath.recovered is not RecoveredTo.UNKNOWN
    ]
    return BreakdownRow(
        agent=agent,
        condition=condition,
        reference=reference,
        dimension=dimension,
        group=group,
        success=rate_over_tasks(solved),
        rsr=rate_over_tasks(also),
        interruptions=sum(len(interruptions) for _, interruptions in members),
        recovered=rate_over_tasks(after),
    )
