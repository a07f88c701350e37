"""The failure diagnostic summary: where to fork, which kind of failure it looks like, and why."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from garabench.diagnosis.failed_case import FailedCase
from garabench.diagnosis.loop import PerformedProbe
from garabench.diagnosis.probe import DiagnosticProbe, ProbeType
from garabench.diagnosis.routing import FailureCategory


class FailureType(enum.StrEnum):
    """What the record alone suggests, before any probe."""

    AGENT = "agent"
    ENVIRONMENT = "env"
    AMBIGUOUS = "ambiguous"


@dataclass(frozen=True, slots=True)
class AppSymptom:
    """What a record shows of a broken app.

    Attributes:
        explanation: The observation, in words.
        place: Place of its step in the case's steps; None if no step shows anything.
    """

    explanation: str
    place: int | None = None


@dataclass(frozen=True, slots=True)
class FailureSummary:
    """The failure diagnostic summary of a round.

    Attributes:
        fork: Place of the fork in the case's steps: the state before it is restored.
        category: The category, which routes the probes.
        explanation: Why the episode failed, in words.
        failure_type: What the record alone suggests.
        restart: What to do differently from the fork on, in words.
        doubt: What the record shows and the supervisor cannot read, in words; empty if nothing. It is
            repeated where the environment is blamed.
        wrong: Place of the first step that looks wrong; None if none does.
        symptom: What is said instead of the explanation where the environment is blamed, and which step is
            named: a step that looked wrong may be right in an app that is broken. None if the explanation
            holds for the environment as well.
    """

    fork: int
    category: FailureCategory
    explanation: str
    failure_type: FailureType = FailureType.AMBIGUOUS
    restart: str = ""
    doubt: str = ""
    wrong: int | None = None
    symptom: AppSymptom | None = None

    def wrong_place(self, *, environment: bool) -> int | None:
        """Return the place of the step that is named, by whether the environment is blamed."""
        return self.symptom.place if environment and self.symptom is not None else self.wrong


class Supervisor(Protocol):
    """Reads a failure, proposes probes and ranks them; it never learns a goal, a solution or a defect.

    Attributes:
        name: Its name in records: ``offline`` or ``model:NAME``.
    """

    name: str

    def summarize(self, case: FailedCase, history: Sequence[PerformedProbe]) -> FailureSummary:
        """Summarize a failure.

        Args:
            case: The failed episode.
            history: The probes of earlier rounds.

        Raises:
            ModelError: Its model failed, or answered nonsense.
        """
        ...

    def propose(
        self,
        case: FailedCase,
        summary: FailureSummary,
        quotas: dict[ProbeType, int],
        history: Sequence[PerformedProbe],
    ) -> tuple[DiagnosticProbe, ...]:
        """Propose candidate probes, as many of each type as its quota, as far as there are any.

        Raises:
            ModelError: Its model failed, or answered nonsense.
        """
        ...

    def select(
        self,
        case: FailedCase,
        summary: FailureSummary,
        candidates: Sequence[DiagnosticProbe],
        history: Sequence[PerformedProbe],
    ) -> tuple[DiagnosticProbe, ...]:
        """Return the candidates, best first, the invalid ones marked.

        Raises:
            ModelError: Its model failed, or answered nonsense.
        """
        ...
