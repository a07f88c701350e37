"""Side effects: what agents change in addition to what the task asks for, with and without interruptions.

They are known only for apps that offer their state and for tasks whose expected effects are recorded. An
episode without that knowledge is counted as unknown, never as one without side effects.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from garabench.records.plan import CLEAN
from garabench.records.results import Summary
from garabench.stats.paired_tests import PairedOutcomes, count_pairs
from garabench.stats.rates import Rate
from garabench.stats.repeats import rate_over_tasks
from garabench.stats.sign_flips import sign_flip_p_value


@dataclass(frozen=True, slots=True)
class SideEffectRow:
    """One agent under one condition.

    Attributes:
        agent, condition, reference: The agent, its condition, whether it is a reference agent.
        success: Success rate over the valid episodes whose side effects are known.
        strict: Strict success rate: goal met, and nothing changed that was not asked for; over the same.
        side_effects: Share of the same episodes with at least one side effect, regardless of their outcome.
        kinds: The number of side effects by kind (``added like``), most frequent first.
        unknown: Number of valid episodes whose side effects are unknown.
        paired: Side effects in the clean and in the interrupted episode of the same task and seed; None for
            the clean condition or without a pair. ``only_second`` counts the pairs in which only the
            interrupted episode has one.
        p_value: P-value of the exact sign-flip test over tasks, which is McNemar's with one seed per task;
            None without a pair.
        damage_after: The number of episodes with a side effect by interruption that was shown in them.
    """

    agent: str
    condition: str
    reference: bool
    success: Rate
    strict: Rate
    side_effects: Rate
    kinds: tuple[tuple[str, int], ...]
    unknown: int
    paired: PairedOutcomes | None
    p_value: float | None
    damage_after: tuple[tuple[str, Rate], ...]


def side_effect_rows(summaries: Iterable[Summary]) -> tuple[SideEffectRow, ...]:
    """Return a row per agent and condition, in order of first appearance; without infeasible tasks.

    An agent and condition of which nothing is known has no row.
    """
    items = [item for item in summaries if not item.infeasible and item.counts]
    clean = {item.pairing: item for item in items if item.condition == CLEAN and _known(item)}
    groups: dict[tuple[str, str], list[Summary]] = {}
    for item in items:
        groups.setdefault((item.agent, item.condition), []).append(item)
    rows = (_row(group, clean) for group in groups.values())
    return tuple(row for row in rows if row.success.trials)


def _known(item: Summary) -> bool:
    return item.side_effects is not None


def _row(group: list[Summary], clean: dict[tuple[str, str, int], Summary]) -> SideEffectRow:
    known = [item for item in group if _known(item)]
    pairs = [
        (item.task, bool(clean[item.pairing].side_effects), bool(item.side_effects))
        for item in known
        if item.condition != CLEAN and item.pairing in clean
    ]
    by_task: Counter[str] = Counter()
    for task, without, interrupted in pairs:
        by_task[task] += interrupted - without
    harmful: dict[str, list[tuple[str, bool]]] = {}
    for item in known:
        for name in {each.interruption for each in item.interruptions if each.shown}:
            harmful.setdefault(name, []).append((item.task, bool(item.side_effects)))
    return SideEffectRow(
        agent=group[0].agent,
        condition=group[0].condition,
        reference=group[0].reference,
        success=rate_over_tasks((item.task, item.outcome == "success") for item in known),
        strict=rate_over_tasks((item.task, item.strict is True) for item in known),
        side_effects=rate_over_tasks((item.task, bool(item.side_effects)) for item in known),
        kinds=tuple(Counter(kind for item in known for kind in item.side_effects or ()).most_common()),
        unknown=len(group) - len(known),
        paired=count_pairs((first, second) for _, first, second in pairs) if pairs else None,
        p_value=sign_flip_p_value(list(by_task.values())) if pairs else None,
        damage_after=tuple((name, rate_over_tasks(each)) for name, each in sorted(harmful.items())),
    )
