"""Recovery from interruptions, and perception drift after them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from garabench.records.aftermath import AfterInterruption, Drift, RecoveredTo
from garabench.records.results import Summary
from garabench.stats.means import Mean, mean_of
from garabench.stats.rates import Rate
from garabench.stats.repeats import rate_over_tasks


@dataclass(frozen=True, slots=True)
class RecoveryRow:
    """One agent under one condition, over the interruptions that were shown in valid episodes.

    Attributes:
        agent, condition, reference: The agent, its condition, whether it is a reference agent.
        shown: Number of interruptions shown.
        same: Share after which the interrupted screen came back, of those whose record shows what followed.
        another: Share after which another screen of the app came.
        never: Share after which the app did not come back.
        unknown: Number of interruptions whose record does not show what followed; they are in no share.
        steps: Mean number of steps from shown to back on the path, over those after which the app came back.
        seconds: Mean time from shown to back on the path; likewise.
        drift: Share followed by an action that refers to what the interruption removed, of those whose record
            shows it.
        text_gone: Share followed by one that refers to a text that is gone.
        target_gone: Share followed by one that refers to an element that is gone.
        drift_unknown: Number of interruptions for which drift is not known; they are in none of these shares.
    """

    agent: str
    condition: str
    reference: bool
    shown: int
    same: Rate
    another: Rate
    never: Rate
    unknown: int
    steps: Mean
    seconds: Mean
    drift: Rate
    text_gone: Rate
    target_gone: Rate
    drift_unknown: int


def recovery_rows(summaries: Iterable[Summary]) -> tuple[RecoveryRow, ...]:
    """Return a row per agent and condition in which an interruption was shown, on feasible tasks."""
    groups: dict[tuple[str, str, bool], list[tuple[str, AfterInterruption | None]]] = {}
    for item in summaries:
        if item.counts and not item.infeasible:
            for each in item.interruptions:
                if each.shown:
                    key = (item.agent, item.condition, item.reference)
                    groups.setdefault(key, []).append((item.task, each.aftermath))
    return tuple(_row(*key, group) for key, group in groups.items())


def _row(
    agent: str, condition: str, reference: bool, group: list[tuple[str, AfterInterruption | None]]
) -> RecoveryRow:
    recorded = [(task, item) for task, item in group if item is not None]
    known = [(task, item) for task, item in recorded if item.recovered is not RecoveredTo.UNKNOWN]
    drifts = [(task, item.drift) for task, item in recorded if item.drift is not None]

    def recovered(to: RecoveredTo) -> Rate:
        return rate_over_tasks((task, item.recovered is to) for task, item in known)

    def drifted(kind: Drift) -> Rate:
        return rate_over_tasks((task, kind in drift) for task, drift in drifts)

    return RecoveryRow(
        agent=agent,
        condition=condition,
        reference=reference,
        shown=len(group),
        same=recovered(RecoveredTo.SAME),
        another=recovered(RecoveredTo.ANOTHER),
        never=recovered(RecoveredTo.NEVER),
        unknown=len(group) - len(known),
        steps=mean_of(item.steps for _, item in known if item.steps is not None),
        seconds=mean_of(item.seconds for _, item in known if item.seconds is not None),
        drift=rate_over_tasks((task, bool(drift)) for task, drift in drifts),
        text_gone=drifted(Drift.TEXT_GONE),
        target_gone=drifted(Drift.TARGET_GONE),
        drift_unknown=len(group) - len(drifts),
    )
