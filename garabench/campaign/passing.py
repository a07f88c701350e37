"""Judge an episode in which one rule fired and its interruption was left by one exit. Pure, on its events."""

from __future__ import annotations

from collections.abc import Sequence

from garabench.campaign.exits import BACK, Exit
from garabench.campaign.proof import Check, Finding
from garabench.core import events as ev


def judge(rule: str, way: Exit, events: Sequence[ev.Event]) -> Finding:
    """Whether the interruption was shown, left by that exit, and the task solved after it.

    Args:
        rule: The rule's id.
        way: The exit that was to be taken.
        events: The episode's events, from its beginning to its end.
    """
    found = _problem(rule, way, events)
    subject = f"{rule} {way}"
    if found is not None:
        return Finding(Check.EXIT, subject, False, found[0], found[1])
    end = next((event for event in reversed(events) if isinstance(event, ev.EpisodeEnded)), None)
    if end is not None and end.outcome == "success" and way.ends_task:
        why = f"is declared to end the task ({way.ends_task}), and the task is solved after it"
        return Finding(Check.EXIT, subject, False, why, end.step)
    if end is not None and end.outcome == "success":
        return Finding(Check.EXIT, subject, True, f"solved after {end.steps} steps", end.step)
    if way.ends_task:
        return Finding(Check.EXIT, subject, True, f"ends the task: {way.ends_task}")
    if end is None:
        return Finding(Check.EXIT, subject, False, "the episode has no end")
    faults = [event.message for event in events if isinstance(event, ev.FaultEvent)]
    goals = [event.why for event in events if isinstance(event, ev.GoalChecked)]
    detail = next(iter((*faults, *goals[-1:])), "the goal was never checked")
    why = f"not solved after it ({end.outcome}, {end.reason}): {detail}"
    return Finding(Check.EXIT, subject, False, why, end.step)


def _problem(rule: str, way: Exit, events: Sequence[ev.Event]) -> tuple[str, int | None] | None:
    """What went wrong before the interruption was over, and at which step; None when nothing did."""
    injected = [event for event in events if isinstance(event, ev.InterruptionInjected)]
    if not injected or injected[0].rule != rule:
        return "the rule does not fire", None
    if injected[0].mode != way.mode.value:
        return f"it is shown in {injected[0].mode} mode", injected[0].step
    shown = {event.token for event in events if isinstance(event, ev.InterruptionShown)}
    left = {event.token: event for event in events if isinstance(event, ev.InterruptionResolved)}
    for place, key in enumerate(way.keys):
        if place >= len(injected):
            return f"no further interruption comes up after {way.keys[place - 1]}", None
        event = injected[place]
        if event.token not in shown:
            reasons = [
                e.reason for e in events if isinstance(e, ev.InjectionFailed) and e.token == event.token
            ]
            return f"{event.interruption} is not shown: {', '.join(reasons) or 'never seen'}", event.step
        ended = left.get(event.token)
        taken = f"{ended.how} by {ended.exit}" if ended else "not left"
        if ended is None or (ended.how, ended.exit) != ("left" if key == BACK else "answered", key):
            return f"{event.interruption} is {taken}, not by {key}", event.step
    for done in events:
        if isinstance(done, ev.FollowUpPerformed) and not done.ok:
            return f"the follow-up {done.what!r} of {done.button} failed: {done.detail}", done.step
    return None
