"""Prove that a task's interruptions come up, can be left by every exit, and leave the task solvable.

Exits of several rules are taken in one episode. What such an episode does not show of an exit is asked of an
episode with that exit alone, so that every failure is one of a single rule, interruption, mode and exit, and
the device shows its end.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

from garabench.campaign.passing import in_force, judge, judge_together
from garabench.campaign.proof import Finding
from garabench.campaign.rounds import Passage, Passed, passages_of, rounds
from garabench.campaign.suite import Suite, SuiteTask
from garabench.campaign.ways import with_evidence


class Passages(Protocol):
    """Where a task's interruptions are really shown."""

    def pass_by(self, item: SuiteTask, suite: Suite, passages: Sequence[Passage]) -> Passed:
        """Follow the solution, leave the interruption of each rule that fires by its exit, and go on.

        Args:
            item: The task.
            suite: The suite that it is of.
            passages: The rules that may fire, each once and with one exit, all in one mode.

        Raises:
            DeviceError: The device cannot be reached.
        """
        ...

    def keep(self, name: str) -> str:
        """As `garabench.campaign.ways.Stage.keep`."""
        ...


def exit_findings(item: SuiteTask, suite: Suite, passages: Passages) -> list[Finding]:
    """Whether each exit can be taken and the task solved after it, in each mode that offers it.

    Of a system anomaly, which has no exits, whether it comes into force.

    Args:
        item: The task.
        suite: The suite that it is of.
        passages: Where its interruptions are shown.

    Raises:
        DeviceError: The device cannot be reached.
    """
    every = passages_of(item, suite)
    found: dict[str, Finding] = {}
    for together in rounds(every):
        passed = passages.pass_by(item, suite, together)
        found.update((finding.subject, finding) for finding in judge_together(together, passed))
    return [found.get(one.subject) or _alone(one, item, suite, passages) for one in every]


def _alone(one: Passage, item: SuiteTask, suite: Suite, passages: Passages) -> Finding:
    passed = passages.pass_by(item, suite, (one,))
    judged = judge(one.rule, one.way, passed.events) if one.way.keys else in_force(one.rule, passed.events)
    return with_evidence(replace(judged, subject=one.subject), passages)
