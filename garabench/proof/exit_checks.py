"""Prove that a task's interruptions are shown, can be left by every exit, and leave the task solvable.

Exits of several rules share an episode. What such an episode does not prove is repeated in an episode
with that exit alone, so that every failure names a single rule, interruption, mode and exit, and the evidence
shows its end.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Protocol

from garabench.proof.batching import ExitEpisode, ExitTrial, batch_trials, exit_trials
from garabench.proof.evidence import with_evidence
from garabench.proof.exit_verdict import anomaly_finding, batch_findings, exit_finding
from garabench.proof.findings import ProofFinding
from garabench.suite.suite import Suite, SuiteTask

OnDecision = Callable[[str], None]
"""Receives what an agent does next, before it is performed."""


class ExitPerformer(Protocol):
    """Performs episodes in which interruptions are left by given exits."""

    def run_exits(
        self,
        item: SuiteTask,
        suite: Suite,
        trials: Sequence[ExitTrial],
        on_decision: OnDecision = lambda decision: None,
    ) -> ExitEpisode:
        """Perform the solution in an episode; leave the interruption of each rule that fires by its exit.

        Args:
            item: The task.
            suite: The suite that contains it.
            trials: The rules that may fire, each once and with one exit, all in one mode.
            on_decision: Receives the reason of each decision in this episode.

        Raises:
            DeviceError: The device cannot be reached.
        """
        ...

    def save_evidence(self, name: str) -> str:
        """Save the current screen; see `garabench.proof.path_performer.PathPerformer.save_evidence`."""
        ...


def exit_findings(item: SuiteTask, suite: Suite, performer: ExitPerformer) -> list[ProofFinding]:
    """Check each exit in each mode that offers it: it can be taken, and the task is solved afterwards.

    For a system anomaly, which has no exits, check that it is in effect.

    Args:
        item: The task.
        suite: The suite that contains it.
        performer: Performs the episodes.

    Raises:
        DeviceError: The device cannot be reached.
    """
    every = exit_trials(item, suite)
    found: dict[str, ProofFinding] = {}
    for batch in batch_trials(every):
        episode = performer.run_exits(item, suite, batch)
        found.update((finding.subject, finding) for finding in batch_findings(batch, episode))
    return [found.get(trial.subject) or _alone(trial, item, suite, performer) for trial in every]


def _alone(trial: ExitTrial, item: SuiteTask, suite: Suite, performer: ExitPerformer) -> ProofFinding:
    episode = performer.run_exits(item, suite, (trial,))
    found = (
        exit_finding(trial.rule, trial.exit, episode.events)
        if trial.exit.keys
        else anomaly_finding(trial.rule, episode.events)
    )
    return with_evidence(replace(found, subject=trial.subject), performer)
