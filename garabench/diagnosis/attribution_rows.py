"""Success rates without the environment's failures, by agent and condition."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from garabench.diagnosis.case_diagnosis import Diagnosis
from garabench.diagnosis.loop import AttributedTo
from garabench.records.results import Summary
from garabench.records.run_layout import EpisodeKey
from garabench.stats.rates import Rate

Diagnosed = tuple[EpisodeKey, Diagnosis]
_FAILURE, _SUCCESS = "failure", "success"


@dataclass(frozen=True, slots=True)
class AttributionRow:
    """The failures of an agent under a condition, by whom they are attributed to.

    Attributes:
        agent, condition: The agent and the condition.
        solved: Number of successful episodes.
        agent_failed: Number of failures attributed to the agent.
        environment_failed: Number of failures attributed to the environment.
        inconclusive: Number of failures whose probes showed too little.
        undiagnosed: Number of failures that are not diagnosed yet.
        reference: Whether it is a reference agent.
    """

    agent: str
    condition: str
    solved: int
    agent_failed: int
    environment_failed: int
    inconclusive: int
    undiagnosed: int
    reference: bool = False

    @property
    def episodes(self) -> int:
        """Number of episodes that ended in success or failure."""
        failed = self.agent_failed + self.environment_failed + self.inconclusive + self.undiagnosed
        return self.solved + failed

    @property
    def success(self) -> Rate:
        """The success rate as recorded."""
        return Rate(self.solved, self.episodes)

    @property
    def success_without_environment(self) -> Rate:
        """The success rate without the episodes in which the environment failed."""
        return Rate(self.solved, self.episodes - self.environment_failed)


def attribution_rows(
    diagnosed: Iterable[tuple[Sequence[Summary], Sequence[Diagnosed]]],
) -> tuple[AttributionRow, ...]:
    """Return a row for each agent and condition, in the order of the episodes.

    Args:
        diagnosed: The summaries of each run, and its diagnoses.
    """
    counts: dict[tuple[str, str], Counter[AttributedTo | str]] = {}
    reference: set[str] = set()
    for summaries, found in diagnosed:
        attributions = {key: diagnosis.attributed_to for key, diagnosis in found}
        for summary in summaries:
            if summary.outcome in (_FAILURE, _SUCCESS) and not summary.unknown:
                row = counts.setdefault((summary.agent, summary.condition), Counter())
                if summary.reference:
                    reference.add(summary.agent)
                solved = summary.outcome == _SUCCESS
                row[_SUCCESS if solved else attributions.get(summary.key, _FAILURE)] += 1
    return tuple(
        AttributionRow(
            agent,
            condition,
            row[_SUCCESS],
            row[AttributedTo.AGENT],
            row[AttributedTo.ENVIRONMENT],
            row[AttributedTo.INCONCLUSIVE],
            row[_FAILURE],
            agent in reference,
        )
        for (agent, condition), row in counts.items()
    )
