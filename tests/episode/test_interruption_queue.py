"""Interruptions in a row, and as many as a run asks for, by dialogues as a runner holds them."""

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
from garabench.interruptions.system.lifecycle import PlannedAnomaly
from tests.episode.dialogue import APP, COVERED, NO, START, TAP, YES, Dialogue, planned, press, sent

In = PlannedInterruption | PlannedAnomaly
INJECTED, SHOWN, FAILED, RESOLVED = (
    ev.InterruptionInjected,
    ev.InterruptionShown,
    ev.InjectionFailed,
    ev.InterruptionResolved,
)


LIMITS = EpisodeLimits(50, 1000)


def system(token: str, *, waits: bool) -> PlannedAnomaly:
    """An anomaly of the system, which waits for an answer or does not."""
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


def row(*items: In, name: str = "row", step: int = 0) -> FireRules:
    """A rule that injects these, once."""

    def fire(looked: res.ScreenObserved, now: RuleContext) -> FiredRule | None:
        return None if now.step < step or name in now.fired else FiredRule(items, name, "why")

    return fire


class Episode(Dialogue):
    """A dialogue in which each injection ends as it is told: shown, or with the reason why not."""

    def __init__(
        self,
        fire: FireRules,
        *,
        wanted: int | None = None,
        fails: Sequence[str] = (),
        answered: Sequence[str] = (),
        limits: EpisodeLimits = LIMITS,
    ) -> None:
        self.fails, self.answered = list(fails), frozenset(answered)
        super().__init__(fire)
        start = START.model_copy(update={"interruptions": wanted})
        self.machine = EpisodeMachine(start, limits, fire=fire)
        self.asked = []
        self.command = self._note(self.machine.begin())
        self.log: list[ev.Event] = []

    def looked(self, tree: UiTree = APP) -> res.ScreenObserved:
        seen = super().looked(tree)
        return res.ScreenObserved(
            seen.t, seen.observation, seen.tree_file, seen.screen_file, seen.still, self.answered
        )

    def say(self, result: res.CommandResult) -> cmd.Command:
        if isinstance(result, res.InjectionEnded):
            reason = self.fails.pop(0) if self.fails else ""
            result = res.InjectionEnded(result.t, self.looked(APP if reason else COVERED), sent(reason))
        command = super().say(result)
        self.log += self.machine.take_events()
        return command

    def go(
        self, *events: CompanionEvent, action: Action = TAP, verdict: Verdict = NO, ok: bool = True
    ) -> None:
        """One step of the agent: what the companion app tells after it, and whether the goal is met."""
        up = any(item.open and isinstance(item.planned, PlannedInterruption) for item in self.machine.tracked)
        self.turn(action, tree=COVERED if up else APP, events=events, verdict=verdict, ok=ok)

    def of(self, *kinds: type[ev.Event]) -> list[tuple[str, str]]:
        """The events of these kinds, in short."""
        told = [e for e in self.log if isinstance(e, INJECTED | SHOWN | FAILED | RESOLVED)]
        return [(e.type.split("_")[1], e.token) for e in told if isinstance(e, kinds)]


def test_the_second_comes_when_the_first_was_answered_before_the_agent_is_asked_again() -> None:
    talk = Episode(row(planned(token="one"), planned(token="two")))
    talk.go()
    assert talk.of(INJECTED) == [("injected", "one")]
    talk.go(press("dismiss"))
    talk.go()
    assert talk.of(INJECTED, SHOWN, RESOLVED) == [
        ("injected", "one"),
        ("shown", "one"),
        ("resolved", "one"),
        ("injected", "two"),
        ("shown", "two"),
    ]
    assert talk.asked[-8:] == [
        "ObserveScreen",
        "InjectInterruption",
        "AskAgent",
        "PerformAction",
        "Settle",
        "ReadLog",
        "CheckGoal",
        "ObserveScreen",
    ]
    sent = [event for event in talk.log if isinstance(event, INJECTED)]
    assert [(event.rule, event.sequence, event.step) for event in sent] == [("row", 1, 0), ("row", 2, 2)]


def test_the_second_waits_for_the_firsts_second_stage_and_for_what_that_shows() -> None:
    talk = Episode(row(planned(token="one"), planned(token="two")))
    talk.go()
    talk.turn(
        tree=COVERED,
        events=[press("accept")],
        follow_up=res.FollowUpEnded(0, (), planned(token="further")),
    )
    assert "PerformFollowUp" in talk.asked
    talk.go()
    assert [token for _, token in talk.of(INJECTED)] == ["one", "further"]
    talk.go(press("dismiss", 3, "further"))
    talk.go()
    assert [token for _, token in talk.of(INJECTED)] == ["one", "further", "two"]


def test_when_the_first_cannot_be_shown_that_is_recorded_and_the_second_is_tried_at_once() -> None:
    talk = Episode(row(planned(token="one"), planned(token="two")), fails=["another window is in front"])
    talk.go()
    assert talk.of(INJECTED, SHOWN, FAILED) == [
        ("injected", "one"),
        ("failed", "one"),
        ("injected", "two"),
        ("shown", "two"),
    ]
    assert talk.asked.count("AskAgent") == 1


def test_when_none_can_be_shown_the_agent_goes_on() -> None:
    talk = Episode(row(*(planned(token=t) for t in ("a", "b", "c"))), fails=["no", "no", "no"])
    talk.go(verdict=YES)
    assert [kind for kind, _ in talk.of(INJECTED, FAILED)] == ["injected", "failed"] * 3
    assert talk.end().reason == "goal_met"


def test_an_anomaly_that_does_not_wait_lets_the_next_come_at_once() -> None:
    talk = Episode(row(system("wifi", waits=False), planned(token="two")))
    talk.go()
    assert [token for _, token in talk.of(INJECTED)] == ["wifi", "two"]
    assert talk.asked.count("AskAgent") == 1


def test_an_anomaly_that_waits_holds_the_next_back_until_it_is_answered() -> None:
    talk = Episode(row(system("home", waits=True), planned(token="two")))
    talk.go()
    talk.go()
    assert [token for _, token in talk.of(INJECTED)] == ["home"]
    talk.answered = frozenset({"home"})
    talk.go()
    assert [token for _, token in talk.of(INJECTED)] == ["home", "two"]


def test_no_rule_is_asked_while_one_of_a_row_is_still_to_come() -> None:
    asked: list[int] = []

    def fire(looked: res.ScreenObserved, now: RuleContext) -> FiredRule | None:
        asked.append(now.step)
        return (
            FiredRule((planned(token="one"), planned(token="two")), "row", "why") if now.step == 0 else None
        )

    talk = Episode(fire)
    talk.go()
    talk.go(press("dismiss"))
    talk.go(press("dismiss", 3, "two"))
    talk.go()
    assert asked == [0, 3]


def test_a_row_that_the_episodes_end_cuts_off_leaves_no_trace_of_the_rest() -> None:
    talk = Episode(row(planned(token="one"), planned(token="two")))
    talk.go()
    talk.go(press("dismiss"), verdict=YES)
    assert [token for _, token in talk.of(INJECTED, RESOLVED)] == ["one", "one"]


def test_category_and_severity_stand_in_every_event_of_an_interruption() -> None:
    talk = Episode(row(planned(token="one"), system("wifi", waits=False)), fails=["no"])
    talk.go(verdict=YES)
    told = [e for e in talk.log if isinstance(e, INJECTED | SHOWN | FAILED | RESOLVED)]
    assert {(e.token, e.category, e.severity) for e in told} == {
        ("one", "resource", "medium"),
        ("wifi", "network", "low"),
    }
    assert {e.type for e in told if e.token == "wifi"} == {
        "interruption_injected",
        "interruption_shown",
        "interruption_resolved",
    }


def every_time(asked: list[RuleContext] | None = None) -> FireRules:
    """A rule that fires whenever it is asked."""
    count = 0

    def fire(looked: res.ScreenObserved, now: RuleContext) -> FiredRule | None:
        nonlocal count
        count += 1
        if asked is not None:
            asked.append(now)
        return FiredRule((planned(token=f"t{count}"),), f"rule-{min(count, 2)}", "why")

    return fire


def leave(talk: Episode) -> None:
    """Answer the interruption that is up, if any."""
    up = [item for item in talk.machine.tracked if item.open]
    talk.go(*(press("dismiss", 1, item.planned.token) for item in up))


@pytest.mark.parametrize("wanted", [1, 2, 3, 5])
def test_as_many_are_shown_as_are_wanted_and_the_agent_acts_between_them(wanted: int) -> None:
    talk = Episode(every_time(), wanted=wanted)
    for _ in range(14):
        leave(talk)
    sent = [event.step for event in talk.log if isinstance(event, INJECTED)]
    # It comes up in one step, is left in the next, and then the agent has one for itself.
    assert sent == [3 * number for number in range(wanted)]


def test_where_nobody_counts_the_next_may_come_as_soon_as_the_last_is_over() -> None:
    talk = Episode(every_time())
    for _ in range(6):
        leave(talk)
    assert [event.step for event in talk.log if isinstance(event, INJECTED)] == [0, 2, 4]


def test_what_could_not_be_shown_does_not_count() -> None:
    talk = Episode(every_time(), wanted=1, fails=["no", "no"])
    for _ in range(6):
        leave(talk)
    assert [token for _, token in talk.of(FAILED)] == ["t1", "t2"]
    assert [token for _, token in talk.of(SHOWN)] == ["t3"]


def test_an_action_that_made_no_sense_is_none_of_the_agents() -> None:
    asked: list[RuleContext] = []
    talk = Episode(every_time(asked), wanted=3)
    leave(talk)
    leave(talk)
    talk.go(action=Back(), ok=False)
    talk.go(action=Back())
    talk.go()
    assert [(now.step, dict(now.actions or {})) for now in asked] == [(0, {}), (4, {"tap": 2, "back": 1})]


def test_further_rules_may_come_only_after_one_of_the_tasks_own() -> None:
    asked: list[RuleContext] = []

    def fire(looked: res.ScreenObserved, now: RuleContext) -> FiredRule | None:
        asked.append(now)
        return FiredRule((planned(token="one"),), "own", "why") if now.step == 1 else None

    talk = Episode(fire, wanted=3)
    talk.go()
    talk.go()
    talk.go(press("dismiss"))
    talk.go()
    talk.go()
    assert [(now.step, now.extended) for now in asked] == [(0, False), (1, False), (4, True)]


def test_a_row_is_cut_off_where_as_many_were_shown_as_are_wanted() -> None:
    talk = Episode(row(*(planned(token=t) for t in ("a", "b", "c"))), wanted=2)
    for _ in range(6):
        leave(talk)
    assert [token for _, token in talk.of(SHOWN)] == ["a", "b"]


def test_what_a_button_leads_to_is_not_counted() -> None:
    talk = Episode(every_time(), wanted=2)
    talk.go()
    talk.turn(
        tree=COVERED,
        events=[press("accept", 1, "t1")],
        follow_up=res.FollowUpEnded(0, (), planned(token="further")),
    )
    for _ in range(8):
        leave(talk)
    assert [token for _, token in talk.of(INJECTED)] == ["t1", "further", "t2"]


@pytest.mark.parametrize(("usual", "ends_after"), [(0, 20), (1, 15), (2, 10), (3, 10)])
def test_each_interruption_beyond_the_usual_ones_is_given_more_steps(usual: int, ends_after: int) -> None:
    talk = Episode(every_time(), wanted=2, limits=EpisodeLimits(10, 1000, usual, 5))
    while not isinstance(talk.command, cmd.FinishEpisode):
        leave(talk)
    assert (talk.end().reason, talk.end().steps) == ("step_limit", ends_after)
