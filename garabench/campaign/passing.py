"""Judge an episode in which rules fired and interruptions were left by given exits. Pure, on its events."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import replace

from garabench.campaign.exits import BACK, Exit
from garabench.campaign.proof import Check, Finding
from garabench.campaign.rounds import Passage, Passed
from garabench.core import events as ev


def judge_together(together: Sequence[Passage], passed: Passed) -> tuple[Finding, ...]:
    """What an episode with exits of several rules shows: of each that it proves, a finding that it is proven.

    It proves nothing of an exit that was not taken, nor of any when the task was not solved. Where another
    interruption followed whose exit changes something, a restart of the app for one, that may have mended
    what the exit has done: the exit is proven only if the solution had gone on before, past the step at which
    the interruption came up.

    Args:
        together: The rules and their exits.
        passed: The episode.
    """
    found = []
    mending = {one.rule for one in together if not one.way.only_closes}
    for one in together:
        finding = judge(one.rule, one.way, passed.events)
        if finding.ok and _went_on(one.rule, passed, mending - {one.rule}):
            others = ", ".join(other.rule for other in together if other is not one)
            why = f"{finding.why}, in one episode with {others}"
            found.append(replace(finding, subject=one.subject, why=why))
    return tuple(found)


def _went_on(rule: str, passed: Passed, mending: Set[str]) -> bool:
    """Whether the solution went on after a rule's interruption before one came that may mend something."""
    decisions = iter(passed.furthest)
    furthest, then = 0, None
    for event in passed.events:
        if isinstance(event, ev.Decided):
            furthest = next(decisions)
        elif isinstance(event, ev.InterruptionInjected) and event.rule == rule:
            then = furthest
        elif isinstance(event, ev.InterruptionInjected) and event.rule in mending and then is not None:
            return furthest > then
    return True


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


def in_force(rule: str, events: Sequence[ev.Event]) -> Finding:
    """Whether a rule's system anomaly was in force; what becomes of the task is the agent's affair.

    Args:
        rule: The rule's id.
        events: The episode's events, from its beginning to its end.
    """
    injected = _injected(rule, events)
    if not injected:
        return Finding(Check.IN_FORCE, rule, False, "the rule does not fire")
    why = _not_shown(injected[0], events)
    return Finding(Check.IN_FORCE, rule, not why, why or "it is in force", injected[0].step)


def _not_shown(injected: ev.InterruptionInjected, events: Sequence[ev.Event]) -> str:
    """Why an interruption was not seen; empty when it was."""
    token = injected.token
    if any(isinstance(event, ev.InterruptionShown) and event.token == token for event in events):
        return ""
    reasons = [e.reason for e in events if isinstance(e, ev.InjectionFailed) and e.token == token]
    return f"{injected.interruption} is not shown: {', '.join(reasons) or 'never seen'}"


def _problem(rule: str, way: Exit, events: Sequence[ev.Event]) -> tuple[str, int | None] | None:
    """What went wrong before the interruption was over, and at which step; None when nothing did."""
    injected = _injected(rule, events)
    if not injected:
        return "the rule does not fire", None
    if injected[0].mode != way.mode.value:
        return f"it is shown in {injected[0].mode} mode", injected[0].step
    left = {event.token: event for event in events if isinstance(event, ev.InterruptionResolved)}
    for place, key in enumerate(way.keys):
        if place >= len(injected):
            return f"no further interruption comes up after {way.keys[place - 1]}", None
        event = injected[place]
        if why := _not_shown(event, events):
            return why, event.step
        ended = left.get(event.token)
        taken = f"{ended.how} by {ended.exit}" if ended else "not left"
        if ended is None or (ended.how, ended.exit) != ("left" if key == BACK else "answered", key):
            return f"{event.interruption} is {taken}, not by {key}", event.step
    own = {event.token for event in injected}
    performed = [event for event in events if isinstance(event, ev.FollowUpPerformed) and event.token in own]
    for done in performed:
        if not done.ok:
            return f"the follow-up {done.what!r} of {done.button} failed: {done.detail}", done.step
    if len(performed) < len(way.follow_up):
        why = f"{len(performed)} of the {len(way.follow_up)} steps of its follow-up are performed"
        return why, injected[-1].step
    return None


def _injected(rule: str, events: Sequence[ev.Event]) -> list[ev.InterruptionInjected]:
    """The interruption of a rule, and those that its buttons led to, which are of no rule."""
    found, its_own = [], False
    for event in events:
        if isinstance(event, ev.InterruptionInjected):
            its_own = event.rule == rule if event.rule else its_own
            if its_own:
                found.append(event)
    return found
