"""Findings on episodes in which interruptions were left by given exits; pure functions of the events."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import replace

from garabench.core import events as ev
from garabench.proof.batching import ExitEpisode, ExitTrial
from garabench.proof.exits import BACK, Exit
from garabench.proof.findings import ProofCheck, ProofFinding


def batch_findings(batch: Sequence[ExitTrial], episode: ExitEpisode) -> tuple[ProofFinding, ...]:
    """Return the findings that an episode with exits of several rules proves; failures are never among them.

    It proves nothing about an exit that was not taken, nor anything if the task was not solved. If another
    interruption followed whose exit changes the app, for example by a restart, that may have repaired the
    damage of the first exit. Then the first exit is proven only if the solution had advanced in between.

    Args:
        batch: The trials of the episode.
        episode: The episode.
    """
    findings = []
    repairing = {trial.rule for trial in batch if not trial.exit.only_closes}
    for trial in batch:
        finding = exit_finding(trial.rule, trial.exit, episode.events)
        if finding.ok and _advanced(trial.rule, episode, repairing - {trial.rule}):
            others = ", ".join(other.rule for other in batch if other is not trial)
            reason = f"{finding.reason}, in one episode with {others}"
            findings.append(replace(finding, subject=trial.subject, reason=reason))
    return tuple(findings)


def _advanced(rule: str, episode: ExitEpisode, repairing: Set[str]) -> bool:
    """Return whether the solution advanced after an interruption, before one that may repair its damage."""
    decisions = iter(episode.furthest)
    furthest, at_injection = 0, None
    for event in episode.events:
        if isinstance(event, ev.Decided):
            furthest = next(decisions)
        elif isinstance(event, ev.InterruptionInjected) and event.rule == rule:
            at_injection = furthest
        elif (
            isinstance(event, ev.InterruptionInjected)
            and event.rule in repairing
            and at_injection is not None
        ):
            return furthest > at_injection
    return True


def exit_finding(rule: str, exit_: Exit, events: Sequence[ev.Event]) -> ProofFinding:
    """Check that the interruption was shown and left by this exit, and that the task was solved afterwards.

    Args:
        rule: Id of the rule.
        exit_: The exit that was to be taken.
        events: All events of the episode.
    """
    found = _problem(rule, exit_, events)
    subject = f"{rule} {exit_}"
    if found is not None:
        return ProofFinding(ProofCheck.EXIT, subject, False, found[0], found[1])
    end = next((event for event in reversed(events) if isinstance(event, ev.EpisodeEnded)), None)
    if end is not None and end.outcome == "success" and exit_.ends_task:
        reason = f"declared to end the task ({exit_.ends_task}), but the task is solved after it"
        return ProofFinding(ProofCheck.EXIT, subject, False, reason, end.step)
    if end is not None and end.outcome == "success" and (done := _side_effects(events)):
        reason = f"solved, but with side effects of the reference solution: {done}"
        return ProofFinding(ProofCheck.EXIT, subject, False, reason, end.step)
    if end is not None and end.outcome == "success":
        return ProofFinding(ProofCheck.EXIT, subject, True, f"solved after {end.steps} steps", end.step)
    if exit_.ends_task:
        return ProofFinding(ProofCheck.EXIT, subject, True, f"ends the task: {exit_.ends_task}")
    if end is None:
        return ProofFinding(ProofCheck.EXIT, subject, False, "the episode did not end")
    faults = [event.message for event in events if isinstance(event, ev.FaultEvent)]
    goals = [event.reason for event in events if isinstance(event, ev.GoalChecked)]
    detail = next(iter((*faults, *goals[-1:])), "the goal was never checked")
    reason = f"not solved after this exit ({end.outcome}, {end.reason}): {detail}"
    return ProofFinding(ProofCheck.EXIT, subject, False, reason, end.step)


def _side_effects(events: Sequence[ev.Event]) -> str:
    """Return the changes that the task does not ask for, as text; empty if there are none, or unknown."""
    unasked = (event.unasked.effects for event in events if isinstance(event, ev.Effects))
    return "; ".join(f"{effect.name} {effect.object}" for effects in unasked for effect in effects)


def anomaly_finding(rule: str, events: Sequence[ev.Event]) -> ProofFinding:
    """Check that a rule's system anomaly was in effect; whether the task is then solved depends on the agent.

    Args:
        rule: Id of the rule.
        events: All events of the episode.
    """
    injected = _injected(rule, events)
    if not injected:
        return ProofFinding(ProofCheck.IN_FORCE, rule, False, "the rule does not fire")
    reason = _not_shown(injected[0], events)
    return ProofFinding(
        ProofCheck.IN_FORCE, rule, not reason, reason or "the anomaly is in effect", injected[0].step
    )


def _not_shown(injected: ev.InterruptionInjected, events: Sequence[ev.Event]) -> str:
    """Return why an interruption was not shown; empty if it was."""
    token = injected.token
    if any(isinstance(event, ev.InterruptionShown) and event.token == token for event in events):
        return ""
    reasons = [e.reason for e in events if isinstance(e, ev.InjectionFailed) and e.token == token]
    return f"{injected.interruption} was not shown: {', '.join(reasons) or 'never seen'}"


def _problem(rule: str, exit_: Exit, events: Sequence[ev.Event]) -> tuple[str, int | None] | None:
    """Return the first problem up to the end of the interruption, with its step; None if there is none."""
    injected = _injected(rule, events)
    if not injected:
        return "the rule does not fire", None
    if injected[0].mode != exit_.mode.value:
        return f"shown in {injected[0].mode} mode", injected[0].step
    left = {event.token: event for event in events if isinstance(event, ev.InterruptionResolved)}
    for place, key in enumerate(exit_.keys):
        if place >= len(injected):
            return f"no other interruption is shown after {exit_.keys[place - 1]}", None
        event = injected[place]
        if reason := _not_shown(event, events):
            return reason, event.step
        ended = left.get(event.token)
        exit_taken = f"{ended.how} by {ended.exit}" if ended and ended.how != "open" else "not left"
        if ended is None or (ended.how, ended.exit) != ("left" if key == BACK else "answered", key):
            return f"{event.interruption} was {exit_taken}; expected {key}", event.step
    own = {event.token for event in injected}
    performed = [event for event in events if isinstance(event, ev.FollowUpPerformed) and event.token in own]
    for done in performed:
        if not done.ok:
            return f"the follow-up {done.description!r} of {done.button} failed: {done.detail}", done.step
    if len(performed) < len(exit_.follow_up):
        reason = f"only {len(performed)} of {len(exit_.follow_up)} follow-up steps were performed"
        return reason, injected[-1].step
    return None


def _injected(rule: str, events: Sequence[ev.Event]) -> list[ev.InterruptionInjected]:
    """Return the interruption of a rule and those that its buttons opened, which carry no rule."""
    found, belongs = [], False
    for event in events:
        if isinstance(event, ev.InterruptionInjected):
            belongs = event.rule == rule if event.rule else belongs
            if belongs:
                found.append(event)
    return found
