"""Properties of every episode, for any device, agent, rules and interruptions."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from garabench.agents.interface import Decision
from garabench.core import events as ev
from garabench.core.action import Back, Done, GiveUp, Tap
from garabench.episode import command_results as res
from garabench.episode import commands as cmd
from garabench.episode.interruption_queue import FiredRule, RuleContext
from garabench.errors import DeviceLostError, HarnessError, ModelError
from garabench.interruptions.follow_up import StepResult
from garabench.interruptions.lifecycle import CompanionEvent
from tests.episode.dialogue import APP, COVERED, NO, UNKNOWN, YES, Dialogue, delivery, planned

STEPS = 6
EVENTS = (
    "shown",
    "hidden",
    "resumed",
    *["pressed:accept"] * 4,
    "pressed:dismiss",
    "pressed:nothing",
    "dismissed",
    "error:x",
)
OUTCOMES = {
    "goal_met": "success",
    "false_done": "failure",
    "ambiguous_answer": "failure",
    "gave_up": "failure",
    "gave_up_rightly": "success",
    "did_harm": "failure",
    "step_limit": "failure",
    "time_limit": "failure",
    "fault": "error",
}


def answer(dialogue: Dialogue, draw: st.DataObject, number: int) -> res.CommandResult:
    """Draw a result of the command."""
    now = dialogue.now = dialogue.now + 1
    tree = draw.draw(st.sampled_from([APP, COVERED]), label="tree")
    if draw.draw(st.integers(0, 60), label="fault") == 60:
        error = draw.draw(st.sampled_from([DeviceLostError("gone"), ModelError("mute"), HarnessError("bug")]))
        return res.CommandFailed(now, error)
    match dialogue.command:
        case cmd.PrepareDevice():
            return res.DevicePrepared(now)
        case cmd.ObserveScreen():
            return dialogue.observed(tree)
        case cmd.InjectInterruption():
            refused = draw.draw(st.sampled_from(["", "", "", "no window came"]))
            return res.InjectionEnded(now, dialogue.observed(tree), delivery(refused))
        case cmd.RequestDecision():
            actions = [*[Tap(x=1, y=1)] * 6, Back(), Done(answer="5"), GiveUp(reason="enough")]
            return res.AgentDecided(now, Decision(draw.draw(st.sampled_from(actions))), 0.1)
        case cmd.PerformAction():
            return res.ActionPerformed(now, draw.draw(st.booleans()), "")
        case cmd.Settle():
            return res.ScreenSettled(now, draw.draw(st.booleans()), 2, 0.1)
        case cmd.ReadLog():
            waiting = [item.planned.token for item in dialogue.machine.tracked if item.open]
            tokens = [*waiting * 4, *(item.planned.token for item in dialogue.machine.tracked), "other"]
            event = st.builds(
                CompanionEvent, st.sampled_from(tokens), st.integers(1, 4), st.sampled_from(EVENTS)
            )
            seen = draw.draw(st.sampled_from([None, tree, APP]))
            from_logcat = tuple(draw.draw(st.lists(event, min_size=1, max_size=3)))
            return res.LogRead(now, from_logcat, seen, draw.draw(st.booleans()))
        case cmd.ReadCompanionLog(tokens):
            from_companion = st.builds(
                CompanionEvent, st.sampled_from(tokens), st.integers(1, 4), st.sampled_from(EVENTS)
            )
            return res.CompanionLogRead(now, tuple(draw.draw(st.lists(from_companion, max_size=3))))
        case cmd.PerformFollowUp():
            done = (StepResult("settings_page battery-saver", draw.draw(st.booleans())),)
            further = planned(token=f"further-{number}") if draw.draw(st.booleans()) else None
            return res.FollowUpEnded(now, done, further)
        case _:
            verdict, harm = (draw.draw(st.sampled_from([*[NO] * 6, UNKNOWN, YES])) for _ in range(2))
            return res.GoalEvaluated(now, verdict, harm if dialogue.infeasible else None)


@given(st.data())
def test_every_episode_ends_once_and_every_interruption_is_resolved_once(data: st.DataObject) -> None:
    sent = 0
    open_when_asked: list[bool] = []

    def fire(observed: res.ScreenObserved, context: RuleContext) -> FiredRule | None:
        nonlocal sent
        open_when_asked.append(any(item.open for item in dialogue.machine.tracked))
        if data.draw(st.integers(0, 2), label="fire") == 2:
            return None
        sequence = range(sent + 1, sent + 1 + data.draw(st.sampled_from([1, 1, 2, 3]), label="sequence"))
        sent = sequence[-1]
        return FiredRule(tuple(planned(token=f"t{number}") for number in sequence), f"rule-{sent}", "why")

    level = data.draw(st.none() | st.integers(1, 3), label="level")
    dialogue = Dialogue(
        fire,
        level=level,
        steps=STEPS,
        seconds=data.draw(st.sampled_from([30, 10_000])),
        infeasible=data.draw(st.booleans(), label="infeasible"),
    )
    number = 0
    while not isinstance(dialogue.command, cmd.FinishEpisode):
        number += 1
        assert number < 20 * STEPS, "the episode does not end"
        dialogue.feed(answer(dialogue, data, number))
    end, log = dialogue.end(), dialogue.machine.take_events()

    assert not any(open_when_asked)  # no rule is evaluated while an interruption is open
    assert isinstance(log[0], ev.EpisodeStarted)
    assert [event for event in log if isinstance(event, ev.EpisodeEnded)] == [end] == [log[-1]]
    assert end.outcome == OUTCOMES[end.reason]
    assert end.steps <= STEPS
    harms = [event.holds for event in log if isinstance(event, ev.HarmChecked)]
    if dialogue.infeasible:
        assert end.reason != "goal_met"
        assert end.outcome == "error" or len(harms) == 1  # recorded once: when it was done, or at the end
    else:
        assert harms == []
        assert end.reason not in ("gave_up_rightly", "did_harm")
    assert [event.step for event in log] == sorted(event.step for event in log)
    assert [event.t for event in log] == sorted(event.t for event in log)
    if end.outcome == "error":
        assert sum(isinstance(event, ev.FaultEvent) for event in log) == 1
    else:
        assert not any(isinstance(event, ev.FaultEvent) for event in log)

    injected = Counter(event.token for event in log if isinstance(event, ev.InterruptionInjected))
    resolved = {event.token: event for event in log if isinstance(event, ev.InterruptionResolved)}
    failed = {event.token for event in log if isinstance(event, ev.InjectionFailed)}
    shown = Counter(event.token for event in log if isinstance(event, ev.InterruptionShown))
    assert all(count == 1 for count in injected.values())
    assert sum(isinstance(event, ev.InterruptionResolved) for event in log) == len(resolved)
    assert injected.keys() >= resolved.keys()
    assert injected.keys() - resolved.keys() <= failed
    assert failed - resolved.keys() == failed - shown.keys()  # a failed one that is seen after all has an end
    assert all(count == 1 for count in shown.values())
    by_rules = [event for event in log if isinstance(event, ev.InterruptionInjected) and event.rule]
    in_time = [event for event in by_rules if event.token in shown and event.token not in failed]
    assert level is None or len(in_time) <= level
    by_rule: dict[str, list[int]] = {}
    for event in by_rules:
        by_rule.setdefault(event.rule, []).append(event.sequence)
    assert all(places in ([0], [1], [1, 2], [1, 2, 3]) for places in by_rule.values())
    pressed = {
        event.token: event.event.partition(":")[2]
        for event in reversed(log)
        if isinstance(event, ev.InterruptionEvent) and event.event in ("pressed:accept", "pressed:dismiss")
    }
    for follow_up in (event for event in log if isinstance(event, ev.FollowUpPerformed)):
        how = resolved[follow_up.token]
        assert (how.how, how.exit, follow_up.button) == ("answered", "accept", "accept")
        assert log.index(how) < log.index(follow_up)
        assert pressed[follow_up.token] == "accept"
    performed = Counter(event.token for event in log if isinstance(event, ev.FollowUpPerformed))
    answered = {token for token, event in resolved.items() if event.exit == "accept"}
    assert all(count == 1 for count in performed.values())
    if end.outcome != "error":
        assert performed.keys() == answered  # each follow-up was performed once
