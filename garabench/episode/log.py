"""What the machine's moments look like in an episode's log: pure functions from results to events."""

from __future__ import annotations

from typing import Literal

from garabench.core import events as ev
from garabench.core.injection import FailureKind
from garabench.episode import results as res
from garabench.errors import Fault, GaraError
from garabench.interruptions.lifecycle import AppEvent, Tracked
from garabench.interruptions.plan import Planned
from garabench.interruptions.system.lifecycle import PlannedSystem, TrackedSystem

_AT_FAULT: dict[Fault, Literal["device", "model", "agent", "harness"]] = {
    Fault.DEVICE: "device",
    Fault.MODEL: "model",
    Fault.AGENT: "agent",
}
"""Wrong input that shows only now is the harness's: it should have been told before the episode began."""


def observed(step: int, looked: res.Looked) -> ev.Observed:
    """What was seen, and in which files it is kept."""
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
    step: int, t: float, planned: Planned | PlannedSystem, rule: str, why: str, sequence: int = 0
) -> ev.InterruptionInjected:
    """An interruption that is sent; `rule` is empty for one that a follow-up shows.

    Args:
        step: Number of the step.
        t: Seconds since the episode began.
        planned: What is sent.
        rule: The rule that fired.
        why: Why it did.
        sequence: Its place among several in a row, from 1; 0 of a lone one.
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


def shown(step: int, t: float, item: Tracked | TrackedSystem) -> ev.InterruptionShown:
    """An interruption that was seen on the tree, by which way, and how soon where that was in time."""
    what, sent = item.planned, item.sent
    return ev.InterruptionShown(
        step=step,
        t=t,
        token=what.token,
        category=what.category,
        severity=what.severity,
        way=sent.way,
        tries=() if sent.kind else sent.tries,
        seconds=None if sent.seconds is None else round(sent.seconds, 3),
        evidence=sent.evidence,
    )


def failed(
    step: int, t: float, item: Tracked | TrackedSystem, reason: str, kind: FailureKind
) -> ev.InjectionFailed:
    """An interruption that was not seen in time, and why."""
    what = item.planned
    return ev.InjectionFailed(
        step=step,
        t=t,
        token=what.token,
        reason=reason,
        kind=kind,
        tries=item.sent.tries,
        category=what.category,
        severity=what.severity,
    )


def told(step: int, t: float, item: Tracked | TrackedSystem, event: AppEvent) -> ev.InterruptionEvent:
    """What the companion app told of an interruption."""
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


def followed_up(
    step: int, item: Tracked, button: str, result: res.FollowedUp
) -> tuple[ev.FollowUpPerformed, ...]:
    """The steps of the second stage of a button, and how each went."""
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


def resolved(step: int, t: float, item: Tracked | TrackedSystem) -> ev.InterruptionResolved:
    """How an interruption ended, by which button's role, and how many steps after it was sent."""
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
    """A fault, and whose it is."""
    return ev.FaultEvent(
        step=step,
        t=t,
        at_fault=_AT_FAULT.get(error.fault, "harness"),
        error=type(error).__name__,
        message=str(error),
        spent=error.spent,
    )
