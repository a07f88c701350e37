"""The results of an agent check."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from pathlib import Path

from garabench.agentcheck.coordinate_diagnosis import CoordinateDiagnosis, TapPair


class BoardCheckKind(enum.StrEnum):
    """The five checks."""

    TAPS = "taps"
    TEXT = "text"
    SCROLL = "scroll"
    DONE = "done"
    INTERRUPTION = "interruption"


class BoardCheckGrade(enum.StrEnum):
    """The grade of a check."""

    PASSED = "passed"
    WARNED = "warned"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class BoardCheckResult:
    """The result of a check.

    Attributes:
        check: Kind of check.
        grade: Grade of the result.
        text: Summary in one sentence.
        details: Additional lines, such as each text that did not arrive.
        steps: Number of decisions.
    """

    check: BoardCheckKind
    grade: BoardCheckGrade
    text: str
    details: tuple[str, ...] = ()
    steps: int = 0

    def as_json(self) -> dict[str, object]:
        """Return the values as JSON-like data."""
        return {
            "check": self.check.value,
            "grade": self.grade.value,
            "text": self.text,
            "details": list(self.details),
            "steps": self.steps,
        }


@dataclass(frozen=True, slots=True)
class AgentCheckReport:
    """The report of an agent check.

    Attributes:
        agent: Name of the agent.
        device: Serial number of the device.
        findings: The results of the checks.
        pairs: The taps.
        diagnosis: Diagnosis of the coordinates; None if taps were not tested.
        picture: Plot of the taps; None without taps.
        fault_log: File with the tracebacks of the agent's own code; None if it raised nothing.
    """

    agent: str
    device: str
    findings: tuple[BoardCheckResult, ...]
    pairs: tuple[TapPair, ...] = ()
    diagnosis: CoordinateDiagnosis | None = None
    picture: Path | None = None
    fault_log: Path | None = None

    @property
    def passed(self) -> bool:
        """Whether nothing failed."""
        return not any(finding.grade is BoardCheckGrade.FAILED for finding in self.findings)

    def as_json(self) -> dict[str, object]:
        """Return the values as JSON-like data."""
        diagnosis = self.diagnosis
        return {
            "agent": self.agent,
            "device": self.device,
            "passed": self.passed,
            "findings": [finding.as_json() for finding in self.findings],
            "coordinates": None
            if diagnosis is None
            else {
                "confusion": diagnosis.confusion.value,
                "text": diagnosis.text,
                "error_px": round(diagnosis.error, 1),
                "unexplained_px": round(diagnosis.left, 1),
                "scale": [round(value, 4) for value in diagnosis.scale],
                "shift_px": [round(value, 1) for value in diagnosis.shift],
            },
            "taps": [
                {
                    "button": pair.number,
                    "target": [pair.target.x, pair.target.y],
                    "landed": [pair.landed.x, pair.landed.y],
                    "error_px": round(pair.error, 1),
                    "hit": pair.hit,
                }
                for pair in self.pairs
            ],
            "picture": None if self.picture is None else str(self.picture),
            "fault_log": None if self.fault_log is None else str(self.fault_log),
        }
