"""Say in plain language why a failure was attributed as it was."""

from __future__ import annotations

from garabench.diagnosis.failure_summary import FailureSummary
from garabench.diagnosis.loop import AttributedTo, DiagnosisState, PerformedProbe
from garabench.diagnosis.probe import ProbeOutcome, ProbeType

_MANNERS = {
    ProbeType.A: "another transition",
    ProbeType.B: "a look at hidden content",
    ProbeType.C: "a repetition",
}


def attribution_reason(state: DiagnosisState, summary: FailureSummary | None, fault: str) -> str:
    """Return the reason of an attribution in plain language.

    Args:
        state: The state at the end of its diagnosis.
        summary: The first round's summary; None if there was no round.
        fault: What ended the diagnosis early; empty if nothing did.
    """
    signal = _signal(state.p)
    match state.attributed_to:
        case AttributedTo.AGENT:
            why = "" if summary is None else f"{summary.explanation} "
            return f"{why}{_passed(state)} The agent failed, {signal}."
        case AttributedTo.ENVIRONMENT:
            why = "" if summary is None else f"{summary.explanation} "
            return f"{why}{_tried(state)} The environment is broken, {signal}."
        case AttributedTo.INCONCLUSIVE:
            return f"{_open(state, fault)} Nothing is attributed, {signal}."


def _signal(p: float) -> str:
    return "p " + f"{p:.2f}".removeprefix("0")


def _passed(state: DiagnosisState) -> str:
    done = state.passed
    if done is None:
        raise ValueError("no probe met the goal")
    steps = "; ".join(step.label for step in done.probe.steps if step.label)
    how = f" after these steps: {steps}" if steps else " by another transition from the same screen"
    return f"The task can be done: the goal was met{how}, continued by the {done.probe.continuation.value}."


def _tried(state: DiagnosisState) -> str:
    failed = [each for each in state.performed if each.result.outcome is ProbeOutcome.FAIL]
    counts = {kind: sum(each.probe.type is kind for each in failed) for kind in ProbeType}
    manners = ", ".join(f"{count}× {_MANNERS[kind]}" for kind, count in counts.items() if count)
    seen = _observations(failed)
    return f"{len(failed)} probe{'s' * (len(failed) > 1)} did not meet the goal ({manners}){seen}."


def _observations(failed: list[PerformedProbe]) -> str:
    unmet = [each.detail for probe in failed for each in probe.result.evidence if each.met is False]
    return f"; {'; '.join(dict.fromkeys(unmet))}" if unmet else ""


def _open(state: DiagnosisState, fault: str) -> str:
    if fault:
        return f"{fault[0].upper()}{fault[1:]}."
    unclear = [
        each.result.reason for each in state.performed if each.result.outcome is ProbeOutcome.INCONCLUSIVE
    ]
    failed = sum(each.result.outcome is ProbeOutcome.FAIL for each in state.performed)
    parts = []
    if failed:
        parts.append(f"{failed} probe{'s' * (failed > 1)} failed, which is too little")
    if unclear:
        parts.append("inconclusive: " + "; ".join(dict.fromkeys(unclear)))
    return f"{'; '.join(parts) or 'No probe was performed'}."
