"""Follow-ups of interruptions that the device could not perform in full.

Such an exit costs an agent less than it should: an `accept` that opens no page leaves it where it was.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from garabench.records.results import InjectedInterruption, Summary


@dataclass(frozen=True, slots=True)
class FollowUpRow:
    """One interruption, as one agent met it under one condition.

    Attributes:
        agent, condition, reference: The agent, its condition, whether it is a reference agent.
        interruption: Id of the interruption.
        shown: How often it was shown in valid episodes.
        incomplete: How often a button was pressed whose follow-up was not performed in full.
        reasons: The first step that was not performed and why, with the number of times, most frequent first.
    """

    agent: str
    condition: str
    reference: bool
    interruption: str
    shown: int
    incomplete: int
    reasons: tuple[tuple[str, int], ...]


def follow_up_rows(summaries: Iterable[Summary]) -> tuple[FollowUpRow, ...]:
    """Return a row per agent, condition and interruption with an incomplete follow-up.

    Feasible and infeasible tasks count alike; episodes that are in no rate do not count.
    """
    groups: dict[tuple[str, str, bool, str], list[InjectedInterruption]] = {}
    for item in summaries:
        if not item.counts:
            continue
        for each in item.interruptions:
            if each.shown:
                key = (item.agent, item.condition, item.reference, each.interruption)
                groups.setdefault(key, []).append(each)
    rows = (_row(*key, group) for key, group in groups.items())
    return tuple(row for row in rows if row.incomplete)


def _row(
    agent: str, condition: str, reference: bool, interruption: str, group: list[InjectedInterruption]
) -> FollowUpRow:
    reasons = Counter(each.incomplete for each in group if each.incomplete)
    return FollowUpRow(
        agent, condition, reference, interruption, len(group), reasons.total(), tuple(reasons.most_common())
    )
