"""How much of the plan runs have performed, and what their results cannot say."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from garabench.core.phrases import counted
from garabench.records.event_reader import is_log_truncated
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
        truncated: The planned episodes with a result whose log does not have their end.
    """

    planned: int
    ended: int
    unfinished: tuple[EpisodeKey, ...]
    truncated: tuple[EpisodeKey, ...] = ()

    @property
    def missing(self) -> int:
        """Number of planned episodes without a result, begun or not."""
        return self.planned - self.ended

    @property
    def sentences(self) -> tuple[str, ...]:
        """What a reader has to know about missing results and truncated logs; empty if there are none."""
        texts = []
        if self.missing:
            planned = counted(self.planned, "planned episode")
            texts.append(f"{self.ended:,} of {planned} ended, {self.missing:,} missing.")
        if self.unfinished:
            texts.append(self.unfinished_text)
        if self.truncated:
            texts.append(self.truncated_text)
        return tuple(texts)

    @property
    def unfinished_text(self) -> str:
        """How many episodes have begun and have no result, and why that can be."""
        return (
            f"{counted(len(self.unfinished), 'episode')} began without a complete result: still running, "
            "interrupted, or with a truncated last line."
        )

    @property
    def truncated_text(self) -> str:
        """How many results have no complete log, and where their figures come from."""
        logs = counted(len(self.truncated), "event log")
        verb = "lacks its" if len(self.truncated) == 1 else "lack their"
        return (
            f"{logs} {verb} end although the result is recorded, such as that of {self.truncated[0]}: "
            "truncated later, or the episode is being repeated. The figures are those of results.jsonl."
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
    truncated: list[EpisodeKey] = []
    for run, summaries in results:
        with_result = {summary.key for summary in summaries}
        for key in run.file.episode_keys():
            if tasks is not None and key.task not in tasks:
                continue
            planned += 1
            if key in with_result:
                ended += 1
                if is_log_truncated(run.folder / key.folder):
                    truncated.append(key)
            elif run.episode(key) is not None:
                unfinished.append(key)
    return Completeness(planned, ended, tuple(unfinished), tuple(truncated))


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
