"""Build the recorded events of an episode from command results; pure functions."""

from __future__ import annotations

from typing import Literal

from garabench.core import events as ev
from garabench.core.injection import FailureKind
from garabench.core.usage import Usage
from garabench.episode import command_results as res
from garabench.errors import Fault, GaraError
from garabench.interruptions.lifecycle import CompanionEvent, TrackedInterruption
from garabench.interruptions.planned_interruption import PlannedInterruption
from garabench.interruptions.system.lifecycle import PlannedAnomaly, TrackedAnomaly

_AT_FAULT: dict[Fault, Literal["device", "model", "agent", "harness"]] = {
    Fault.DEVICE: "device",
    Fault.MODEL: "model",
    Fault.AGENT: "agent",
}
"""Invalid input that shows up only now is the harness' fault: it should have been reported earlier."""


def observed(step: int, looked: res.ScreenObserved) -> ev.Observed:
    """An observation, and the files that store it."""
    o = looked.observation
    return ev.Observed(
        step=step,
        t=looked.t,
        tree=looked.tree_file,
        screen=looked.screen_file,
        package=o.focus.package,
        activity=o.focus.activity,
        source=o.source.value,
        source_reason=o.source_reason,
        signature=o.tree.signature,
        still=looked.still,
    )


def injected(
    step: int, t: float, planned: PlannedInterruption | PlannedAnomaly, rule: str, why: str, sequence: int = 0
) -> ev.InterruptionInjected:
    """Return the event of an injection.

    Args:
        step: Number of the step.
        t: Seconds since the episode began.
        planned: What is injected.
        rule: The rule that fired; empty for an interruption of a follow-up.
        why: Why it fired.
        sequence: Its position in a sequence, from 1; 0 for a single one.
    """
    return ev.InterruptionInjected(
        step=step,
        t=t,
        rule=rule,
        interruption=planned.name,
        category=planned.category,
        mode=planned.mode.value,
        token=planned.token,
        why=why,
        severity=planned.severity,
        sequence=sequence,
    )


def shown(step: int, t: float, item: TrackedInterruption | TrackedAnomaly) -> ev.InterruptionShown:
    """Return the event of an interruption that was seen on the tree."""
    what, sent = item.planned, item.delivery
    return ev.InterruptionShown(
        step=step,
        t=t,
        token=what.token,
        category=what.category,
        severity=what.severity,
        method=sent.method,
        tries=() if sent.kind else sent.tries,
        seconds=None if sent.seconds is None else round(sent.seconds, 3),
        evidence=sent.evidence,
    )


def failed(
    step: int, t: float, item: TrackedInterruption | TrackedAnomaly, reason: str, kind: FailureKind
) -> ev.InjectionFailed:
    """Return the event of an interruption that was not seen in time."""
    what = item.planned
    return ev.InjectionFailed(
        step=step,
        t=t,
        token=what.token,
        reason=reason,
        kind=kind,
        tries=item.delivery.tries,
        category=what.category,
        severity=what.severity,
    )


def companion_event(
    step: int, t: float, item: TrackedInterruption | TrackedAnomaly, event: CompanionEvent
) -> ev.InterruptionEvent:
    """Return the record of an event of the companion app."""
    what = item.planned
    return ev.InterruptionEvent(
        step=step,
        t=t,
        token=what.token,
        event=event.event,
        seq=event.seq,
        category=what.category,
        severity=what.severity,
    )


def follow_up_steps(
    step: int, item: TrackedInterruption, button: str, result: res.FollowUpEnded
) -> tuple[ev.FollowUpPerformed, ...]:
    """Return the events of the steps of a follow-up."""
    what = item.planned
    return tuple(
        ev.FollowUpPerformed(
            step=step,
            t=result.t,
            token=what.token,
            button=button,
            what=each.what,
            ok=each.ok,
            detail=each.detail,
            category=what.category,
            severity=what.severity,
        )
        for each in result.steps
    )


def resolved(step: int, t: float, item: TrackedInterruption | TrackedAnomaly) -> ev.InterruptionResolved:
    """Return the event of an interruption's end."""
    how, way = item.resolution
    button = item.planned.button(way)
    return ev.InterruptionResolved(
        step=step,
        t=t,
        token=item.planned.token,
        how=how,
        exit=way,
        role=button.role.value if button else "",
        steps=max(0, step - item.step),
        category=item.planned.category,
        severity=item.planned.severity,
    )


def fault(step: int, t: float, error: GaraError) -> ev.FaultEvent:
    """Return the event of a fault."""
    return ev.FaultEvent(
        step=step,
        t=t,
        at_fault=_AT_FAULT.get(error.fault, "harness"),
        error=type(error).__name__,
        message=str(error),
        usage=error.usage if isinstance(error.usage, Usage) else None,
    )
