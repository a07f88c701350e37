"""Sequences short interruptions, and runs that request a number short interruptions."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from garabench.core import events as ev
from garabench.core.action import Action, Back
from garabench.core.evaluate import Verdict
from garabench.core.interruption import Mode
from garabench.core.tree import UiTree
from garabench.episode import command_results as res
from garabench.episode import commands as cmd
from garabench.episode.interruption_queue import FiredRule, FireRules, RuleContext
from garabench.episode.machine import EpisodeLimits, EpisodeMachine
from garabench.interruptions.lifecycle import CompanionEvent
from garabench.interruptions.planned_interruption import PlannedInterruption
from garabench.interruptions.system.tracker import PlannedAnomaly
from tests.episode.dialogue import APP, COVERED, NO, START, TAP, YES, Dialogue, delivery, planned, press

Planned = PlannedInterruption | PlannedAnomaly
INJECTED, SHOWN, FAILED, RESOLVED = (
    ev.InterruptionInjected,
    ev.InterruptionShown,
    ev.InjectionFailed,
    ev.InterruptionResolved,
)


LIMITS = EpisodeLimits(50, 1000)


def system(token: str, *, waits: bool) -> PlannedAnomaly:
    """Return a system anomaly that blocks the agent until it is answered, or does not."""
    return PlannedAnomaly(
        "a-wifi",
        "wifi",
        "",
        "network",
        "low",
        "on again",
        waits,
        Mode.DUAL,
        "com.example.reader",
        "en",
        token,
    )


def sequence(*items: Planned, name: str = "rule-a", step: int = 0) -> FireRules:
    """Return rules short which one injects these once."""

    def fire(observed: res.ScreenObserved, context: RuleContext) -> FiredRule | None:
        return None if context.step < step or name in context.fired else FiredRule(items, name, "why")

    return fire


class Episode(Dialogue):
    """A dialogue whose injections succeed or fail as given."""

    def __init__(
        self,
        fire: FireRules,
        *,
        level: int | None = None,
        fails: Sequence[str] = (),
        answered: Sequence[str] = (),
        limits: EpisodeLimits = LIMITS,
    ) -> None:
        self.fails, self.answered = list(fails), frozenset(answered)
        super().__init__(fire)
        start = START.model_copy(update={"interruptions": level})
        self.machine = EpisodeMachine(start, limits, fire=fire)
        self.commands = []
        self.command = self._record(self.machine.begin())
        self.log: list[ev.Event] = []

    def observed(self, tree: UiTree = APP) -> res.ScreenObserved:
        seen = super().observed(tree)
        return res.ScreenObserved(
            seen.t, seen.observation, seen.tree_file, seen.screen_file, seen.still, self.answered
        )

    def feed(self, result: res.CommandResult) -> cmd.Command:
        if isinstance(result, res.InjectionEnded):
            reason = self.fails.pop(0) if self.fails else ""
            result = res.InjectionEnded(result.t, self.observed(APP if reason else COVERED), delivery(reason))
        command = super().feed(result)
        self.log += self.machine.take_events()
        return command

    def step(
        self, *events: CompanionEvent, action: Action = TAP, verdict: Verdict = NO, ok: bool = True
    ) -> None:
        """Perform a step with the events short the companion app after it, and the verdict on the goal."""
        up = any(item.open and isinstance(item.planned, PlannedInterruption) for item in self.machine.tracked)
        self.turn(action, tree=COVERED if up else APP, events=events, verdict=verdict, ok=ok)

    def short(self, *kinds: type[ev.Event]) -> list[tuple[str, str]]:
        """Return kind and token of the events of these kinds."""
        events = [e for e in self.log if isinstance(e, INJECTED | SHOWN | FAILED | RESOLVED)]
        return [(e.type.split("_")[1], e.token) for e in events if isinstance(e, kinds)]


def test_second_is_injected_once_the_first_is_answered() -> None:
    dialogue = Episode(sequence(planned(token="one"), planned(token="two")))
    dialogue.step()
    assert dialogue.short(INJECTED) == [("injected", "one")]
    dialogue.step(press("dismiss"))
    dialogue.step()
    assert dialogue.short(INJECTED, SHOWN, RESOLVED) == [
        ("injected", "one"),
        ("shown", "one"),
        ("resolved", "one"),
        ("injected", "two"),
        ("shown", "two"),
    ]
    assert dialogue.commands[-8:] == [
        "ObserveScreen",
        "InjectInterruption",
        "RequestDecision",
        "PerformAction",
        "Settle",
        "ReadLog",
        "CheckGoal",
        "ObserveScreen",
    ]
    sent = [event for event in dialogue.log if isinstance(event, INJECTED)]
    assert [(event.rule, event.sequence, event.step) for event in sent] == [
        ("rule-a", 1, 0),
        ("rule-a", 2, 2),
    ]


def test_second_waits_for_the_follow_up_of_the_first() -> None:
    dialogue = Episode(sequence(planned(token="one"), planned(token="two")))
    dialogue.step()
    dialogue.turn(
        tree=COVERED,
        events=[press("accept")],
        follow_up=res.FollowUpEnded(0, (), planned(token="further")),
    )
    assert "PerformFollowUp" in dialogue.commands
    dialogue.step()
    assert [token for _, token in dialogue.short(INJECTED)] == ["one", "further"]
    dialogue.step(press("dismiss", 3, "further"))
    dialogue.step()
    assert [token for _, token in dialogue.short(INJECTED)] == ["one", "further", "two"]


def test_second_is_injected_at_once_if_the_first_fails() -> None:
    dialogue = Episode(
        sequence(planned(token="one"), planned(token="two")), fails=["another window is in front"]
    )
    dialogue.step()
    assert dialogue.short(INJECTED, SHOWN, FAILED) == [
        ("injected", "one"),
        ("failed", "one"),
        ("injected", "two"),
        ("shown", "two"),
    ]
    assert dialogue.commands.count("RequestDecision") == 1


def test_agent_continues_if_all_injections_fail() -> None:
    dialogue = Episode(sequence(*(planned(token=t) for t in ("a", "b", "c"))), fails=["no", "no", "no"])
    dialogue.step(verdict=YES)
    assert [kind for kind, _ in dialogue.short(INJECTED, FAILED)] == ["injected", "failed"] * 3
    assert dialogue.end().reason == "goal_met"


def test_next_is_injected_at_once_after_an_anomaly_that_does_not_block() -> None:
    dialogue = Episode(sequence(system("wifi", waits=False), planned(token="two")))
    dialogue.step()
    assert [token for _, token in dialogue.short(INJECTED)] == ["wifi", "two"]
    assert dialogue.commands.count("RequestDecision") == 1


def test_next_waits_for_an_anomaly_that_blocks() -> None:
    dialogue = Episode(sequence(system("home", waits=True), planned(token="two")))
    dialogue.step()
    dialogue.step()
    assert [token for _, token in dialogue.short(INJECTED)] == ["home"]
    dialogue.answered = frozenset({"home"})
    dialogue.step()
    assert [token for _, token in dialogue.short(INJECTED)] == ["home", "two"]


def test_no_rule_is_evaluated_during_a_sequence() -> None:
    steps: list[int] = []

    def fire(observed: res.ScreenObserved, context: RuleContext) -> FiredRule | None:
        steps.append(context.step)
        return (
            FiredRule((planned(token="one"), planned(token="two")), "rule-a", "why")
            if context.step == 0
            else None
        )

    dialogue = Episode(fire)
    dialogue.step()
    dialogue.step(press("dismiss"))
    dialogue.step(press("dismiss", 3, "two"))
    dialogue.step()
    assert steps == [0, 3]


def test_rest_of_a_sequence_is_not_recorded_after_the_end() -> None:
    dialogue = Episode(sequence(planned(token="one"), planned(token="two")))
    dialogue.step()
    dialogue.step(press("dismiss"), verdict=YES)
    assert [token for _, token in dialogue.short(INJECTED, RESOLVED)] == ["one", "one"]


def test_events_of_an_interruption_have_its_category_and_severity() -> None:
    dialogue = Episode(sequence(planned(token="one"), system("wifi", waits=False)), fails=["no"])
    dialogue.step(verdict=YES)
    events = [e for e in dialogue.log if isinstance(e, INJECTED | SHOWN | FAILED | RESOLVED)]
    assert {(e.token, e.category, e.severity) for e in events} == {
        ("one", "resource", "medium"),
        ("wifi", "network", "low"),
    }
    assert {e.type for e in events if e.token == "wifi"} == {
        "interruption_injected",
        "interruption_shown",
        "interruption_resolved",
    }


def firing_always(contexts: list[RuleContext] | None = None) -> FireRules:
    """Return rules of which one fires at each evaluation."""
    count = 0

    def fire(observed: res.ScreenObserved, context: RuleContext) -> FiredRule | None:
        nonlocal count
        count += 1
        if contexts is not None:
            contexts.append(context)
        return FiredRule((planned(token=f"t{count}"),), f"rule-{min(count, 2)}", "why")

    return fire


def answer_open(dialogue: Episode) -> None:
    """Answer the open interruption, if any."""
    up = [item for item in dialogue.machine.tracked if item.open]
    dialogue.step(*(press("dismiss", 1, item.planned.token) for item in up))


@pytest.mark.parametrize("level", [1, 2, 3, 5])
def test_requested_number_is_shown_and_the_agent_acts_in_between(level: int) -> None:
    dialogue = Episode(firing_always(), level=level)
    for _ in range(14):
        answer_open(dialogue)
    sent = [event.step for event in dialogue.log if isinstance(event, INJECTED)]
    # It is injected in one step and left in the next; then the agent has a free step.
    assert sent == [3 * number for number in range(level)]


def test_without_a_level_the_next_may_follow_the_last_at_once() -> None:
    dialogue = Episode(firing_always())
    for _ in range(6):
        answer_open(dialogue)
    assert [event.step for event in dialogue.log if isinstance(event, INJECTED)] == [0, 2, 4]


def test_failed_injections_do_not_count() -> None:
    dialogue = Episode(firing_always(), level=1, fails=["no", "no"])
    for _ in range(6):
        answer_open(dialogue)
    assert [token for _, token in dialogue.short(FAILED)] == ["t1", "t2"]
    assert [token for _, token in dialogue.short(SHOWN)] == ["t3"]


def test_failed_actions_do_not_count() -> None:
    contexts: list[RuleContext] = []
    dialogue = Episode(firing_always(contexts), level=3)
    answer_open(dialogue)
    answer_open(dialogue)
    dialogue.step(action=Back(), ok=False)
    dialogue.step(action=Back())
    dialogue.step()
    assert [(context.step, dict(context.actions or {})) for context in contexts] == [
        (0, {}),
        (4, {"tap": 2, "back": 1}),
    ]


def test_additional_rules_may_fire_only_after_a_rule_of_the_task() -> None:
    contexts: list[RuleContext] = []

    def fire(observed: res.ScreenObserved, context: RuleContext) -> FiredRule | None:
        contexts.append(context)
        return FiredRule((planned(token="one"),), "own", "why") if context.step == 1 else None

    dialogue = Episode(fire, level=3)
    dialogue.step()
    dialogue.step()
    dialogue.step(press("dismiss"))
    dialogue.step()
    dialogue.step()
    assert [(context.step, context.extended) for context in contexts] == [(0, False), (1, False), (4, True)]


def test_sequence_ends_at_the_requested_number() -> None:
    dialogue = Episode(sequence(*(planned(token=t) for t in ("a", "b", "c"))), level=2)
    for _ in range(6):
        answer_open(dialogue)
    assert [token for _, token in dialogue.short(SHOWN)] == ["a", "b"]


def test_interruptions_of_follow_ups_do_not_count() -> None:
    dialogue = Episode(firing_always(), level=2)
    dialogue.step()
    dialogue.turn(
        tree=COVERED,
        events=[press("accept", 1, "t1")],
        follow_up=res.FollowUpEnded(0, (), planned(token="further")),
    )
    for _ in range(8):
        answer_open(dialogue)
    assert [token for _, token in dialogue.short(INJECTED)] == ["t1", "further", "t2"]


@pytest.mark.parametrize(("expected", "ends_after"), [(0, 20), (1, 15), (2, 10), (3, 10)])
def test_interruptions_beyond_the_expected_ones_allow_more_steps(expected: int, ends_after: int) -> None:
    dialogue = Episode(firing_always(), level=2, limits=EpisodeLimits(10, 1000, expected, 5))
    while not isinstance(dialogue.command, cmd.FinishEpisode):
        answer_open(dialogue)
    assert (dialogue.end().reason, dialogue.end().steps) == ("step_limit", ends_after)
