"""Build the recorded events of an episode from command results; pure functions."""

from __future__ import annotations

from typing import Any, Literal

from garabench.core import events as ev
from garabench.core.injection import FailureKind
from garabench.core.usage import Usage
from garabench.episode import command_results as res
from garabench.errors import Fault, GaraError
from garabench.interruptions.lifecycle import CompanionEvent, TrackedInterruption
from garabench.interruptions.planned_interruption import PlannedInterruption
from garabench.interruptions.system.tracker import PlannedAnomaly, TrackedAnomaly

_AT_FAULT: dict[Fault, Literal["device", "model", "agent", "harness"]] = {
    Fault.DEVICE: "device",
    Fault.MODEL: "model",
    Fault.AGENT: "agent",
}
"""Party at fault in the record; other faults, such as invalid input found only now, are the harness'."""


def observed(step: int, observed: res.ScreenObserved) -> ev.Observed:
    """Return the event of an observation, with the files that store it."""
    return ev.Observed(step=step, t=observed.t, **_screen(observed))


def final_observed(end: ev.EpisodeEnded, observed: res.ScreenObserved) -> ev.FinalObserved:
    """Return the event of the observation after the last action."""
    return ev.FinalObserved(step=end.step, t=end.t, **_screen(observed))


def _screen(observed: res.ScreenObserved) -> dict[str, Any]:
    observation = observed.observation
    return {
        "tree": observed.tree_file,
        "screen": observed.screen_file,
        "package": observation.focus.package,
        "activity": observation.focus.activity,
        "source": observation.source.value,
        "source_reason": observation.source_reason,
        "signature": observation.tree.signature,
        "still": observed.still,
    }


def injected(
    step: int,
    t: float,
    planned: PlannedInterruption | PlannedAnomaly,
    rule: str,
    reason: str,
    sequence: int = 0,
) -> ev.InterruptionInjected:
    """Return the event of an injection.

    Args:
        step: Number of the step.
        t: Seconds since the episode began.
        planned: The injected interruption.
        rule: The rule that fired; empty if a follow-up injects it.
        reason: Why the rule fired.
        sequence: Its position in a sequence, from 1; 0 if it is the only one.
    """
    return ev.InterruptionInjected(
        step=step,
        t=t,
        rule=rule,
        interruption=planned.name,
        category=planned.category,
        mode=planned.mode.value,
        token=planned.token,
        reason=reason,
        severity=planned.severity,
        sequence=sequence,
    )


def shown(step: int, t: float, item: TrackedInterruption | TrackedAnomaly) -> ev.InterruptionShown:
    """Return the event of an interruption that is on screen."""
    planned, delivery = item.planned, item.delivery
    return ev.InterruptionShown(
        step=step,
        t=t,
        token=planned.token,
        category=planned.category,
        severity=planned.severity,
        method=delivery.method,
        tries=() if delivery.kind else delivery.tries,
        seconds=None if delivery.seconds is None else round(delivery.seconds, 3),
        evidence=delivery.evidence,
    )


def failed(
    step: int, t: float, item: TrackedInterruption | TrackedAnomaly, reason: str, kind: FailureKind
) -> ev.InjectionFailed:
    """Return the event of an interruption that did not appear in time."""
    planned = item.planned
    return ev.InjectionFailed(
        step=step,
        t=t,
        token=planned.token,
        reason=reason,
        kind=kind,
        tries=item.delivery.tries,
        category=planned.category,
        severity=planned.severity,
    )


def companion_event(
    step: int, t: float, item: TrackedInterruption | TrackedAnomaly, event: CompanionEvent
) -> ev.InterruptionEvent:
    """Return the record of an event of the companion app."""
    planned = item.planned
    return ev.InterruptionEvent(
        step=step,
        t=t,
        token=planned.token,
        event=event.event,
        seq=event.seq,
        category=planned.category,
        severity=planned.severity,
    )


def follow_up_events(
    step: int, item: TrackedInterruption, button: str, result: res.FollowUpEnded
) -> tuple[ev.FollowUpPerformed, ...]:
    """Return the events of the steps of a follow-up."""
    planned = item.planned
    return tuple(
        ev.FollowUpPerformed(
            step=step,
            t=result.t,
            token=planned.token,
            button=button,
            description=each.description,
            ok=each.ok,
            detail=each.detail,
            category=planned.category,
            severity=planned.severity,
        )
        for each in result.steps
    )


def resolved(step: int, t: float, item: TrackedInterruption | TrackedAnomaly) -> ev.InterruptionResolved:
    """Return the event of an interruption's end."""
    how, exit_name = item.resolution
    button = item.planned.button(exit_name)
    return ev.InterruptionResolved(
        step=step,
        t=t,
        token=item.planned.token,
        how=how,
        exit=exit_name,
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
