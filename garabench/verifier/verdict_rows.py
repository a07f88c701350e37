"""Verdicts summarized by agent and condition."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from statistics import fmean

from garabench.stats.rates import Rate
from garabench.verifier.rubric import PROCESS_THRESHOLD
from garabench.verifier.verdict import TrajectoryVerdict, VerdictState


@dataclass(frozen=True, slots=True)
class VerdictRow:
    """The verdicts on an agent under a condition. Failed and undecided ones are in no mean and no rate.

    Attributes:
        agent, condition: The agent and the condition; empty for an imported trajectory.
        reference: Whether it is a reference agent.
        verdicts: Number of verdicts.
        process: Mean process score, 0 to 1; None without a score.
        process_passed: Share of the process scores that reach the threshold.
        done: Share of the outcomes that are done in the user's eyes.
        failed: Number of verdicts that were not reached because a stage failed.
        undecided: Number of verdicts without sufficient evidence.
    """

    agent: str
    condition: str
    reference: bool
    verdicts: int
    process: float | None
    process_passed: Rate
    done: Rate
    failed: int
    undecided: int


def verdict_rows(
    verdicts: Iterable[TrajectoryVerdict], references: Collection[str] = ()
) -> tuple[VerdictRow, ...]:
    """Return a row for each agent and condition, in alphabetical order.

    Args:
        verdicts: The verdicts.
        references: Names of the reference agents.
    """
    groups: dict[tuple[str, str], list[TrajectoryVerdict]] = {}
    for verdict in verdicts:
        groups.setdefault(agent_and_condition(verdict), []).append(verdict)
    return tuple(
        _row(agent, condition, agent in references, group)
        for (agent, condition), group in sorted(groups.items())
    )


def agent_and_condition(verdict: TrajectoryVerdict) -> tuple[str, str]:
    """Return the agent and the condition of a judged episode; empty for an imported trajectory."""
    parts = verdict.trajectory.split("/")
    return (parts[1], parts[2]) if len(parts) == 4 else ("", "")


def _row(agent: str, condition: str, reference: bool, group: list[TrajectoryVerdict]) -> VerdictRow:
    reached = [verdict for verdict in group if verdict.state is VerdictState.COMPLETE]
    scores = [verdict.process_score for verdict in reached if verdict.process_score is not None]
    outcomes = [verdict.outcome for verdict in reached if verdict.outcome is not None]
    return VerdictRow(
        agent,
        condition,
        reference,
        len(group),
        fmean(scores) if scores else None,
        Rate(sum(score >= PROCESS_THRESHOLD for score in scores), len(scores)),
        Rate(sum(outcomes), len(outcomes)),
        sum(verdict.state is VerdictState.FAILED for verdict in group),
        sum(verdict.state is VerdictState.UNDECIDED for verdict in group),
    )
