"""Diagnostic probes as values: what is tried from the fork of a failed episode, and what came of it."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from garabench.core.action import Action
from garabench.core.selector import Selector
from garabench.core.steps import SolutionStep


class ProbeType(enum.StrEnum):
    """The type of a probe: which source of uncertainty it reduces."""

    A = "A"
    """Alternative transition: another action for the same sub-goal."""
    B = "B"
    """Observation expansion: reveal what the screen does not show."""
    C = "C"
    """Reproducibility: the same action again, or a check of the device and the element."""


class Continuation(enum.StrEnum):
    """Who continues after a probe's own steps, until the goal is met or the budget is used up."""

    AGENT = "agent"
    """The agent under test."""
    HEURISTIC = "heuristic"
    """The baseline agent without a model."""
    REFERENCE = "reference"
    """The remainder of the task's reference solution."""


class EvidenceKind(enum.StrEnum):
    """What a probe's step is expected to show if the environment works."""

    CHANGED = "changed"
    """The screen differs from the one before the step."""
    PRESENT = "present"
    """The element is on screen."""
    ENABLED = "enabled"
    """The element is on screen, enabled and clickable."""
    HEALTHY = "healthy"
    """No dialog reports an error, and the app is in the foreground."""
    STEADY = "steady"
    """Nothing changes while the screen is left alone."""


@dataclass(frozen=True, slots=True)
class Expected:
    """The expected evidence of a probe's step.

    Attributes:
        kind: What is expected.
        selector: The element that it is about; None for the whole screen.
    """

    kind: EvidenceKind
    selector: Selector | None = None


@dataclass(frozen=True, slots=True)
class OpenLink:
    """Open a deep link in the app, as a link in another app does; no agent has such an action.

    Attributes:
        package: The app's package.
        uri: The link.
    """

    package: str
    uri: str


@dataclass(frozen=True, slots=True)
class TurnScreen:
    """Turn the screen, as a hand that turns the device does.

    Attributes:
        rotation: The orientation: 0 to 3, in quarter turns.
    """

    rotation: int


TesterStep = OpenLink | TurnScreen
"""What a tester does to the device other than touching its screen."""


@dataclass(frozen=True, slots=True)
class ProbeStep:
    """A step of a probe.

    Attributes:
        what: A step on selectors, an action in device pixels, or what a tester does in addition.
        expected: The evidence that a working environment shows; None without an expectation.
        label: What the step does, in words.
    """

    what: SolutionStep | Action | TesterStep
    expected: Expected | None = None
    label: str = ""


@dataclass(frozen=True, slots=True)
class DiagnosticProbe:
    """A diagnostic probe: a plan from the fork of a failed episode.

    Attributes:
        name: Its name within the diagnosis, in kebab-case, such as ``a-long-press``.
        type: Its type.
        steps: Its own steps; may be empty if only the continuation is tried.
        reason: Why it addresses the failure, in words.
        continuation: Who continues after its steps.
        until_reaction: Whether its steps end as soon as one shows what was expected: each is another manner
            of the same press.
        from_start: Whether it does the whole task from the episode's first step, to confirm that the fork's
            probes did not fail because of what the agent had done before.
        valid: Whether it can be performed and adds evidence; an invalid one is never selected.
        p_success_agent, p_success_env: The supervisor's estimates of a success if the agent, or the
            environment, is at fault; None for the scoring's own parameters.
    """

    name: str
    type: ProbeType
    steps: tuple[ProbeStep, ...]
    reason: str
    continuation: Continuation = Continuation.REFERENCE
    until_reaction: bool = False
    from_start: bool = False
    valid: bool = True
    p_success_agent: float | None = None
    p_success_env: float | None = None


class ProbeOutcome(enum.StrEnum):
    """What a probe showed."""

    PASS = "pass"  # noqa: S105  # not a password
    """The goal was met: the goal check is the witness."""
    FAIL = "fail"
    """The plan was performed, and the goal was not met."""
    INCONCLUSIVE = "inconclusive"
    """The probe could not be performed, so that it shows nothing; it never moves the attribution."""


@dataclass(frozen=True, slots=True)
class StepEvidence:
    """What a step of a probe showed.

    Attributes:
        label: What the step did, or the continuation.
        met: Whether the expected evidence was seen; None if nothing was expected, or it is unknown.
        detail: What was seen, in words.
        before, after: SHA-256 of the pictures before and after it; empty if there is none.
        performed: Whether it was possible on the screen.
    """

    label: str
    met: bool | None
    detail: str
    before: str = ""
    after: str = ""
    performed: bool = True


@dataclass(frozen=True, slots=True)
class DiagnosticProbeResult:
    """The result of a probe.

    Attributes:
        outcome: What it showed.
        reason: Why it is inconclusive, or how it ended.
        witness: What the goal check said, if it held; a pass has one.
        restore_quality: Similarity of the restored state to the recorded one; None if it was not restored.
        evidence: What its steps showed, and then what the continuation did: the failed action again, if it
            repeated it, and its last action.
        answer: The message with which the app answered the failed action when the probe repeated it; empty if
            there was none. Android leaves such toasts out of the UI tree.
        repeated: Whether the probe performed no step, and the continuation began with the failed
            action: it is a repetition, even if another step was planned.
        other_result: How repeating the recorded actions had another result than in the failed episode, in
            words; empty if it had not. The failure may be flaky then.
        steps: Number of performed actions, with those of the replayed prefix.
        record: The folder of its record, relative to the run's; empty if there is none.
        seconds: Duration.
        device: The device: its serial, or ``virtual:PROFILE``; empty if unknown.

    Raises:
        ValueError: A pass has no witness, or an inconclusive result has no reason.
    """

    outcome: ProbeOutcome
    reason: str = ""
    witness: str = ""
    restore_quality: float | None = None
    evidence: tuple[StepEvidence, ...] = ()
    answer: str = ""
    repeated: bool = False
    other_result: str = ""
    steps: int = 0
    record: str = ""
    seconds: float = 0.0
    device: str = ""

    def __post_init__(self) -> None:
        if self.outcome is ProbeOutcome.PASS and not self.witness:
            raise ValueError("a pass needs the goal check as its witness")
        if self.outcome is ProbeOutcome.INCONCLUSIVE and not self.reason:
            raise ValueError("an inconclusive probe needs a reason")
