"""Say in plain language why a failure was attributed as it was."""

from __future__ import annotations

from collections.abc import Sequence

from garabench.core.phrases import counted
from garabench.diagnosis.failure_summary import FailureSummary
from garabench.diagnosis.loop import AttributedTo, DiagnosisState, PerformedProbe
from garabench.diagnosis.probe import Continuation, ProbeOutcome, ProbeType, StepEvidence

_MANNERS = {
    ProbeType.A: "another transition",
    ProbeType.B: "a look at hidden content",
    ProbeType.C: "a repetition",
}


def attribution_reason(
    state: DiagnosisState, summary: FailureSummary | None, fault: str, doubt: str = ""
) -> str:
    """Return the reason of an attribution in plain language.

    Args:
        state: The state at the end of its diagnosis.
        summary: The first round's summary; None if there was no round.
        fault: What ended the diagnosis early; empty if nothing did.
        doubt: Why nothing is attributed although the signal does so; empty if it is.
    """
    signal, fault, doubt = _signal(state.p), fault.rstrip("."), doubt.rstrip(".")
    if doubt:
        why = "" if summary is None else f"{summary.explanation} "
        return f"{why}{doubt[0].upper()}{doubt[1:]}. Nothing is attributed, {signal}."
    match state.attributed_to:
        case AttributedTo.AGENT:
            why = "" if summary is None else f"{summary.explanation} "
            return f"{why}{_passed(state)} The agent failed, {signal}."
        case AttributedTo.ENVIRONMENT:
            why = "" if summary is None else f"{(summary.symptom or summary).explanation} "
            tried = _tried(state)
            return f"{why}{tried}{_answer(state, summary, tried)} The environment is broken, {signal}."
        case AttributedTo.INCONCLUSIVE:
            return f"{_open(state, fault)} Nothing is attributed, {signal}."


def result_words(done: PerformedProbe) -> str:
    """Return how a probe ended, in words.

    Args:
        done: The probe.
    """
    result, who = done.result, done.probe.continuation
    match result.outcome:
        case ProbeOutcome.PASS:
            return f"the goal was met: {result.witness}"
        case ProbeOutcome.INCONCLUSIVE:
            return result.reason
        case ProbeOutcome.FAIL:
            words = _ENDINGS.get(result.reason, f"it ended with {result.reason.replace('_', ' ')}")
            return f"the goal was not met: {words.format(who=_WHO[who])}"


_WHO = {
    Continuation.REFERENCE: "the reference solution",
    Continuation.HEURISTIC: "the heuristic agent",
    Continuation.AGENT: "the agent",
}
_ENDINGS = {
    "false_done": "{who} came to its end",
    "ambiguous_answer": "{who} gave an ambiguous answer",
    "gave_up": "{who} could not go on",
    "did_harm": "{who} did what it must not",
    "step_limit": "{who} used up all steps",
    "time_limit": "{who} used up the time",
}
"""How the continuation of a failed probe ended."""


def unmet(evidence: Sequence[StepEvidence]) -> tuple[StepEvidence, ...]:
    """Return the evidence that was expected and not seen, each once.

    Args:
        evidence: The evidence of probes.
    """
    return tuple({each.detail: each for each in evidence if each.met is False}.values())


def _signal(p: float) -> str:
    return "p " + f"{p:.2f}".removeprefix("0")


def _passed(state: DiagnosisState) -> str:
    done = state.passed
    if done is None:
        raise ValueError("no probe met the goal")
    if done.probe.from_start:
        return (
            f"{_tried(state)} The task can be done: {_WHO[done.probe.continuation]} met the goal from the "
            "start, so what the agent did before prevented it."
        )
    own = [step.label for step in done.probe.steps if step.label]
    steps, who = "; ".join(own), _WHO[done.probe.continuation]
    if any(each.label not in own for each in done.result.evidence):  # the continuation acted
        first = f", after these steps of the probe: {steps}" if own else ", by another transition"
        return f"The task can be done: {who} continued from the restored screen and met the goal{first}."
    if done.result.restore_quality is None:
        return "The task can be done: the goal was met while the agent's actions were replayed."
    how = f"by these steps of the probe: {steps}" if own else "on the restored screen"
    return f"The task can be done: the goal was met {how}, before {who} acted."


def _tried(state: DiagnosisState) -> str:
    every = [each for each in state.performed if each.result.outcome is ProbeOutcome.FAIL]
    failed = [each for each in every if not each.probe.from_start]
    start = " It was not met from the start either." if len(every) > len(failed) else ""
    counts = {kind: sum(each.type is kind for each in failed) for kind in ProbeType}
    manners = ", ".join(f"{count}× {_MANNERS[kind]}" for kind, count in counts.items() if count)
    seen = _observations(failed)
    what = counted(len(failed), "probe")
    return f"{what} did not meet the goal ({manners}){seen}.{_presses(failed)}{start}"


def _answer(state: DiagnosisState, summary: FailureSummary | None, tried: str) -> str:
    """Return what the app answered to the failed action, or what of the record was not read, or nothing."""
    answers = dict.fromkeys(each.result.answer for each in state.performed if each.result.answer)
    if answers:
        unsaid = [repr(each) for each in answers if repr(each) not in tried]
        return f" The app answered the failed action with {' and '.join(unsaid)}." if unsaid else ""
    return f" {summary.doubt}" if summary is not None and summary.doubt else ""


def _presses(failed: list[PerformedProbe]) -> str:
    """Return in how many manners an element was pressed in vain, with the failed one, or nothing."""
    tried = [
        each
        for done in failed
        if done.probe.until_reaction
        for each in done.result.evidence[: len(done.probe.steps)]
        if each.performed
    ]
    if not tried or any(each.met for each in tried):
        return ""
    ways = len({each.label for each in tried}) + 1
    return f" The element did not react to {ways} different ways of pressing it."


def _observations(failed: list[PerformedProbe]) -> str:
    details = [each.detail for each in unmet([seen for done in failed for seen in done.result.evidence])]
    return f"; {'; '.join(details)}" if details else ""


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
        nothing = "the others showed nothing" if failed else "No probe showed anything"
        parts.append(f"{nothing}: {'; '.join(dict.fromkeys(each.rstrip('.') for each in unclear))}")
    return f"{'; '.join(parts) or 'No probe was performed'}."
