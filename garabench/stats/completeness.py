"""How much of the plan runs have performed, and what their results cannot say."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from garabench.core.phrases import counted
from garabench.records.plan import CLEAN
from garabench.records.reader import Run
from garabench.records.results import Summary
from garabench.records.run_layout import EpisodeKey
from garabench.stats.paired_comparisons import Contrast, PairedComparison


@dataclass(frozen=True, slots=True)
class Completeness:
    """How many of the planned episodes of runs have a result.

    Attributes:
        planned: Number of planned episodes.
        ended: Number of planned episodes with a result.
        unfinished: The planned episodes that have begun and have no result.
    """

    planned: int
    ended: int
    unfinished: tuple[EpisodeKey, ...]

    @property
    def missing(self) -> int:
        """Number of planned episodes without a result, begun or not."""
        return self.planned - self.ended

    @property
    def sentences(self) -> tuple[str, ...]:
        """What a reader has to know about missing results; empty if there are none."""
        if not self.missing:
            return ()
        text = (
            f"{self.ended:,} of {counted(self.planned, 'planned episode')} ended, {self.missing:,} missing."
        )
        return (text, *([self.unfinished_text] if self.unfinished else []))

    @property
    def unfinished_text(self) -> str:
        """How many episodes have begun and have no result, and why that can be."""
        return (
            f"{counted(len(self.unfinished), 'episode')} began without a complete result: still running, "
            "interrupted, or with a truncated last line."
        )


def completeness(
    results: Iterable[tuple[Run, Collection[Summary]]], tasks: Collection[str] | None = None
) -> Completeness:
    """Return how much of their plans runs have performed.

    Args:
        results: Each run, with summaries that include those of its ended episodes.
        tasks: Ids of the only tasks to count; None for all.
    """
    planned = 0
    ended = 0
    unfinished: list[EpisodeKey] = []
    for run, summaries in results:
        with_result = {summary.key for summary in summaries}
        for key in run.file.episode_keys():
            if tasks is not None and key.task not in tasks:
                continue
            planned += 1
            if key in with_result:
                ended += 1
            elif run.episode(key) is not None:
                unfinished.append(key)
    return Completeness(planned, ended, tuple(unfinished))


def no_effect_text(conditions: Collection[str], comparisons: Sequence[PairedComparison]) -> str | None:
    """Return why nothing can be said about the effect of interruptions; None if something can.

    Args:
        conditions: The conditions of the runs' plans.
        comparisons: What was compared.
    """
    if any(each.contrast is Contrast.INTERRUPTED and each.difference is not None for each in comparisons):
        return None
    if set(conditions) <= {CLEAN}:
        return "Every episode was clean: these runs say nothing about interruptions."
    return "No task has valid episodes both clean and interrupted: these runs say nothing about their effect."
