"""The measures of a run, computed from the summaries of its episodes.

Infeasible tasks are excluded here; see `garabench.stats.infeasible`.

An episode that ended in ``error`` says nothing about the agent: it is excluded from every rate and counted
separately, and so is an episode whose outcome is unknown. Each rate carries its own denominator.

To add a measure, add what it needs to `garabench.records.results.Summary`, a field to a row here or a row in
a separate module, its line to docs/metrics.md, and its column to the tables of the command line.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from garabench.core.end_criterion import EndCriterion
from garabench.records.plan import CLEAN
from garabench.records.results import Summary
from garabench.stats.intervals import Interval
from garabench.stats.means import Mean, mean_of
from garabench.stats.paired_tests import PairedOutcomes, count_pairs
from garabench.stats.rates import NO_TRIAL, Rate
from garabench.stats.repeats import rate_over_tasks


@dataclass(frozen=True, slots=True)
class ConditionRow:
    """One agent under one condition.

    Attributes:
        agent, condition, reference: The agent, its condition, whether it is a reference agent.
        success: Success rate over the valid episodes: those without error, with a known outcome, whose
            interruptions could be shown.
        errors: Number of episodes that ended in error.
        missed: Number of episodes without error in which no interruption could be shown, by the reason of the
            first.
        unknown: Number of episodes without error whose outcome is unknown.
        interval: The 95% interval of the success rate; it allows for several seeds of one task.
        missing_done: Share of the valid episodes that reached the goal in which the agent did not say done
            while it was met. Only where an episode ends when the agent says done; without trials otherwise.
        loops: Share of the valid episodes with an action in a loop, of agents that report their actions.
        triggered: Share of the valid episodes in which an interruption was shown; without trials if the
            condition is clean.
        interruptions: Number of interruptions shown in valid episodes.
        exits: Number of interruptions by exit.
        false_done: Share of the valid episodes in which the agent wrongly reported success.
        ambiguous: Share of the valid episodes that only an ambiguous answer kept from success.
        mean_steps: Mean number of actions, over the valid episodes.
        inflation: Mean ratio of actions to steps of the reference solution, over the successes of tasks whose
            solution has a known length.
        recovery: Mean number of steps from an interruption to its end, over the interruptions that ended
            before the episode.
    """

    agent: str
    condition: str
    reference: bool
    success: Rate
    errors: int
    triggered: Rate
    interruptions: int
    exits: tuple[tuple[str, int], ...]
    false_done: Rate
    ambiguous: Rate
    mean_steps: Mean
    inflation: Mean
    recovery: Mean
    missed: tuple[tuple[str, int], ...] = ()
    unknown: int = 0
    interval: Interval | None = None
    missing_done: Rate = NO_TRIAL
    loops: Rate = NO_TRIAL


@dataclass(frozen=True, slots=True)
class DropRow:
    """One agent, clean against interrupted, on the same tasks and seeds.

    Attributes:
        agent, condition, reference: The agent, the interrupted condition, whether it is a reference agent.
        clean, interrupted: Success rates over the pairs in which both episodes are valid.
        drop: Clean success rate minus interrupted success rate; None without a pair.
        rsr: Robust success rate: share of the tasks solved clean that are also solved interrupted.
        rsr_shown: The same over the episodes in which the interruption was shown.
        paired: The pairs, with McNemar's exact test.
        drop_interval, rsr_interval, rsr_shown_interval: 95% intervals from the bootstrap over tasks; None if
            they were not computed.
        p_value: P-value of the exact sign-flip test over tasks, which is McNemar's with one seed per task;
            None without a pair, or if it was not computed.
        left_out: Number of tasks and seeds that are in no pair, by reason; empty if it was not computed.
    """

    agent: str
    condition: str
    reference: bool
    clean: Rate
    interrupted: Rate
    drop: float | None
    rsr: Rate
    rsr_shown: Rate
    paired: PairedOutcomes
    drop_interval: Interval | None = None
    rsr_interval: Interval | None = None
    rsr_shown_interval: Interval | None = None
    p_value: float | None = None
    left_out: tuple[tuple[str, int], ...] = ()


def condition_rows(summaries: Iterable[Summary]) -> tuple[ConditionRow, ...]:
    """Return a row per agent and condition, in order of first appearance."""
    groups: dict[tuple[str, str], list[Summary]] = {}
    for item in summaries:
        if not item.infeasible:
            groups.setdefault((item.agent, item.condition), []).append(item)
    return tuple(_row(group) for group in groups.values())


def _row(group: list[Summary]) -> ConditionRow:
    valid = [item for item in group if item.counts]
    missed = Counter(item.missed[0] for item in group if _not_shown(item))
    reached = [item for item in valid if item.end is EndCriterion.DONE and item.goal_reached]
    acting = [item for item in valid if item.repeated is not None]
    solved = [item for item in valid if _solved(item)]
    ratios = [item.steps / item.solution_steps for item in solved if item.solution_steps]
    exits = Counter(exit_ for item in valid for exit_ in item.exits)

    def share(holds: Callable[[Summary], bool], items: list[Summary]) -> Rate:
        return rate_over_tasks((item.task, holds(item)) for item in items)

    success = share(_solved, valid)
    return ConditionRow(
        agent=group[0].agent,
        condition=group[0].condition,
        reference=group[0].reference,
        success=success,
        errors=sum(item.outcome == "error" for item in group),
        triggered=NO_TRIAL if group[0].condition == CLEAN else share(lambda item: item.shown > 0, valid),
        interruptions=sum(item.shown for item in valid),
        exits=tuple(sorted(exits.items())),
        false_done=share(lambda item: item.reason == "false_done", valid),
        ambiguous=share(lambda item: item.reason == "ambiguous_answer", valid),
        mean_steps=mean_of(item.steps for item in valid),
        inflation=mean_of(ratios),
        recovery=mean_of(steps for item in valid for steps in item.recovery),
        missed=tuple(sorted(missed.items())),
        unknown=sum(item.outcome != "error" and bool(item.unknown) for item in group),
        interval=success.interval(),
        missing_done=share(lambda item: not _solved(item), reached),
        loops=share(lambda item: bool(item.repeated), acting),
    )


def _solved(item: Summary) -> bool:
    return item.outcome == "success"


def _not_shown(item: Summary) -> bool:
    return item.outcome != "error" and not item.unknown and not item.counts


def drop_rows(summaries: Iterable[Summary]) -> tuple[DropRow, ...]:
    """Return a row per agent and interrupted condition that has clean episodes to pair with."""
    items = [item for item in summaries if not item.infeasible]
    clean = {item.pairing: item for item in items if item.condition == CLEAN}
    groups: dict[tuple[str, str], list[tuple[Summary, Summary]]] = {}
    for item in items:
        partner = clean.get(item.pairing)
        if item.condition == CLEAN or partner is None:
            continue
        group = groups.setdefault((item.agent, item.condition), [])
        if item.counts and partner.counts:
            group.append((partner, item))
    reference = {item.agent for item in items if item.reference}
    return tuple(
        _drop(agent, condition, agent in reference, pairs) for (agent, condition), pairs in groups.items()
    )


def _drop(agent: str, condition: str, reference: bool, pairs: list[tuple[Summary, Summary]]) -> DropRow:
    outcomes = [(_solved(a), _solved(b)) for a, b in pairs]
    paired = count_pairs(outcomes)
    solved_clean = [(first, second) for first, second in pairs if _solved(first)]
    was_shown = [second for _, second in solved_clean if second.shown]
    clean = rate_over_tasks((first.task, _solved(first)) for first, _ in pairs)
    interrupted = rate_over_tasks((second.task, _solved(second)) for _, second in pairs)
    drop = (clean.value or 0) - (interrupted.value or 0) if pairs else None
    return DropRow(
        agent=agent,
        condition=condition,
        reference=reference,
        clean=clean,
        interrupted=interrupted,
        drop=drop,
        rsr=rate_over_tasks((second.task, _solved(second)) for _, second in solved_clean),
        rsr_shown=rate_over_tasks((second.task, _solved(second)) for second in was_shown),
        paired=paired,
    )
