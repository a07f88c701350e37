"""The machine of agents that drive the device themselves, by dialogues as a runner holds them."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from garabench.agents.external.autonomous import FinalReport
from garabench.core import events as ev
from garabench.core.evaluate import Verdict
from garabench.core.geometry import Size
from garabench.core.observation import Focus, Observation, Screenshot, TreeSource
from garabench.core.tree import SYSTEM_UI, UiNode, UiTree
from garabench.episode import command_results as res
from garabench.episode import commands as cmd
from garabench.episode.interruption_queue import FiredRule, FireRules, RuleContext
from garabench.episode.machine import EpisodeLimits, EpisodeState
from garabench.episode.passive_machine import PassiveEpisodeMachine, content
from garabench.errors import AgentError, AgentFault, DeviceLostError, GaraError, ModelError
from garabench.interruptions.lifecycle import CompanionEvent
from tests.episode.dialogue import COVERED, NO, START, YES, fire_at, planned

KEYBOARD = "com.google.android.inputmethod.latin"


def page(text: str, *, clock: str = "09:41", keyboard: str = "") -> UiTree:
    """A page of the app, with the system's bar above it and perhaps a keyboard below."""
    bar = UiNode(text=clock, package=SYSTEM_UI)
    keys = (UiNode(text=keyboard, package=KEYBOARD),) if keyboard else ()
    return UiTree((bar, UiNode(text=text, package="com.example.reader"), *keys))


HOME = page("home")
DONE, GAVE_UP = (
    FinalReport(done=True, answer="7", detail="ended with status 0"),
    FinalReport(done=False, detail="10"),
)


class Dialogue:
    """Answers a machine's commands as a runner would, from what the screen shows in turn."""

    def __init__(
        self,
        shows: Sequence[UiTree] = (),
        *,
        fire: FireRules | None = None,
        word: FinalReport | None = None,
        fault: GaraError | None = None,
        goal: str = "",
        steps: int = 20,
        seconds: float = 100,
        pressed: Sequence[str] = (),
        infeasible: bool = False,
    ) -> None:
        start = START.model_copy(update={"infeasible": infeasible})
        self.machine = PassiveEpisodeMachine(start, EpisodeLimits(steps, seconds), fire=fire)
        self.shows, self.word, self.fault, self.goal = list(shows), word, fault, goal
        self.pressed = list(pressed)
        self.harm = Verdict(False, "nothing was done") if infeasible else None
        self.now, self.screen = 0.0, HOME
        self.asked: list[str] = []
        self.log: list[ev.Event] = []

    def run(self) -> ev.EpisodeEnded:
        command = self.machine.begin()
        for _ in range(300):
            self.asked.append(type(command).__name__)
            self.log += self.machine.take_events()
            if isinstance(command, cmd.FinishEpisode):
                assert self.machine.state is EpisodeState.OVER
                return command.end
            command = self.machine.feed(self.answer(command))
        raise AssertionError(f"it does not end: {self.asked[-10:]}")

    def answer(self, command: cmd.Command) -> res.CommandResult:
        self.now += 1
        match command:
            case cmd.PrepareDevice():
                return res.DevicePrepared(self.now)
            case cmd.ObserveScreen():
                return self.looked()
            case cmd.InjectInterruption():
                self.screen = COVERED
                return res.InjectionEnded(self.now, self.looked())
            case cmd.WatchAgent():
                return self.watched()
            case cmd.Settle():
                return self.rested()
            case cmd.ReadLog():
                taken = (
                    [
                        CompanionEvent("one", 1, "shown"),
                        CompanionEvent("one", 2, f"pressed:{self.pressed.pop()}"),
                    ]
                    if self.pressed
                    else []
                )
                return res.LogRead(self.now, tuple(taken))
            case cmd.PerformFollowUp():
                self.screen = page("settings")
                return res.FollowUpEnded(self.now, ())
            case cmd.CheckGoal(answer, final=final):
                self.checked = (answer, final)
                met = bool(self.goal) and any(node.text == self.goal for node in self.screen.nodes)
                return res.GoalEvaluated(self.now, YES if met else NO, self.harm)
        raise AssertionError(f"it asks for {command}")

    def looked(self) -> res.ScreenObserved:
        picture = Screenshot(b"", Size(100, 200))
        seen = Observation(
            self.machine.step,
            self.screen,
            picture,
            Focus("com.example.reader", ".Main"),
            TreeSource.U2,
            "",
            self.now,
            picture.size,
        )
        return res.ScreenObserved(self.now, seen, "trees/0", "screens/0", True)

    def rested(self) -> res.ScreenSettled:
        return res.ScreenSettled(self.now, True, 2, 0.3)

    def watched(self) -> res.CommandResult:
        if self.shows:
            self.screen = self.shows.pop(0)
            return res.AgentWatched(self.now, self.screen, self.rested(), None)
        if self.fault is not None:
            return res.CommandFaulted(self.now, self.fault)
        return res.AgentWatched(self.now, self.screen, self.rested(), self.word)


def seen(dialogue: Dialogue, kind: type[ev.Event]) -> list[ev.Event]:  # type: ignore[valid-type]
    return [event for event in dialogue.log if isinstance(event, kind)]  # type: ignore[arg-type]


def test_it_is_told_since_when_nothing_is_seen() -> None:
    dialogue = Dialogue([HOME, HOME, page("search"), page("search")], word=DONE)
    since: list[tuple[float, float]] = []
    answer = dialogue.answer

    def told(command: cmd.Command) -> res.CommandResult:
        if isinstance(command, cmd.WatchAgent):
            since.append((command.since, dialogue.now))
        return answer(command)

    dialogue.answer = told  # type: ignore[method-assign]
    dialogue.run()
    assert since == [(2, 2), (2, 3), (2, 4), (7, 7), (7, 8)]


def test_each_settled_screen_that_differs_is_an_action() -> None:
    talk = Dialogue([HOME, HOME, page("list"), page("list"), page("song")], goal="song")
    end = talk.run()
    assert (end.outcome, end.reason, end.steps, end.step) == ("success", "goal_met", 2, 1)
    assert talk.asked == [
        *("PrepareDevice", "ObserveScreen", "WatchAgent", "WatchAgent", "WatchAgent", "CheckGoal"),
        *("ObserveScreen", "WatchAgent", "WatchAgent", "CheckGoal", "FinishEpisode"),
    ]
    assert [(event.type, event.step) for event in talk.log][1:] == [
        *(("observed", 0), ("action_observed", 0), ("settled", 0), ("goal_checked", 0)),
        *(("observed", 1), ("action_observed", 1), ("settled", 1), ("goal_checked", 1)),
        ("episode_ended", 1),
    ]


@pytest.mark.parametrize(
    "same", [page("home", clock="09:42"), page("home", keyboard="q"), page("home", clock="", keyboard="w")]
)
def test_the_clock_and_the_keyboard_are_no_actions(same: UiTree) -> None:
    assert content(same) == content(HOME)
    end = Dialogue([same, HOME, same], word=GAVE_UP).run()
    assert (end.reason, end.steps) == ("gave_up", 0)


@pytest.mark.parametrize(
    ("goal", "word", "outcome", "reason"),
    [
        ("list", DONE, "success", "goal_met"),
        ("", DONE, "failure", "false_done"),
        ("", GAVE_UP, "failure", "gave_up"),
    ],
)
def test_its_own_end_is_its_last_word_which_is_checked(
    goal: str, word: FinalReport, outcome: str, reason: str
) -> None:
    talk = Dialogue(word=word, goal=goal)
    talk.screen = page("list")
    end = talk.run()
    assert (end.outcome, end.reason, end.answer) == (outcome, reason, "7" if word.done else None)
    assert talk.checked == (("7", True) if word.done else (None, True))
    (said,) = seen(talk, ev.Decided)
    assert isinstance(said, ev.Decided)
    assert said.action["type"] == ("done" if word.done else "give_up")
    assert said.thought == word.detail


def test_what_it_did_just_before_its_end_counts() -> None:
    talk = Dialogue(goal="song")
    talk.word = DONE
    answer = talk.watched

    def all_at_once() -> res.CommandResult:
        talk.screen = page("song")
        return answer()

    talk.watched = all_at_once  # type: ignore[method-assign]
    end = talk.run()
    assert (end.reason, end.steps) == ("goal_met", 1)


def test_it_ends_at_the_limit_of_observed_actions() -> None:
    end = Dialogue([page(str(number)) for number in range(50)], steps=3).run()
    assert (end.outcome, end.reason, end.steps) == ("failure", "step_limit", 3)


def test_one_that_does_nothing_ends_at_the_limit_of_time() -> None:
    end = Dialogue(seconds=30).run()
    assert (end.outcome, end.reason, end.steps) == ("failure", "time_limit", 0)


@pytest.mark.parametrize(
    ("fault", "outcome", "reason", "at_fault"),
    [
        (AgentError(AgentFault.FAILED, "it ended with status 1"), "failure", "agent_failed", "agent"),
        (ModelError("it ended with status 75"), "error", "fault", "model"),
        (DeviceLostError("the cable"), "error", "fault", "device"),
    ],
)
def test_whose_fault_an_end_was(fault: GaraError, outcome: str, reason: str, at_fault: str) -> None:
    talk = Dialogue([page("list")], fault=fault)
    end = talk.run()
    assert (end.outcome, end.reason, end.steps) == (outcome, reason, 1)
    (told,) = seen(talk, ev.FaultEvent)
    assert isinstance(told, ev.FaultEvent)
    assert told.at_fault == at_fault


def test_what_we_inject_and_follow_up_is_no_action_of_its() -> None:
    after = page("settings")
    talk = Dialogue([COVERED, HOME, after, page("list")], fire=fire_at(0), word=GAVE_UP, pressed=["accept"])
    end = talk.run()
    assert planned().token == "one"
    assert (end.reason, end.steps) == ("gave_up", 2)  # the press of the button, and the list
    assert talk.asked[:9] == [
        "PrepareDevice",
        "ObserveScreen",
        "InjectInterruption",
        "WatchAgent",
        "WatchAgent",
        "ReadLog",
        "PerformFollowUp",
        "Settle",
        "CheckGoal",
    ]
    (resolved,) = seen(talk, ev.InterruptionResolved)
    assert isinstance(resolved, ev.InterruptionResolved)
    assert (resolved.how, resolved.exit, resolved.role) == ("answered", "accept", "accept")


def test_an_interruption_that_it_leaves_open_is_recorded_as_open() -> None:
    talk = Dialogue([COVERED], fire=fire_at(0), word=DONE)
    assert talk.run().reason == "false_done"
    (resolved,) = seen(talk, ev.InterruptionResolved)
    assert isinstance(resolved, ev.InterruptionResolved)
    assert resolved.how == "open"


def test_giving_up_what_cannot_be_done_is_right_once_it_was_found_out() -> None:
    end = Dialogue([page("list")], word=GAVE_UP, goal="list", infeasible=True).run()
    assert (end.outcome, end.reason) == ("success", "gave_up_rightly")


@pytest.mark.parametrize("result", [res.DevicePrepared(1), res.ScreenSettled(1, True, 2, 0.1)])
def test_an_answer_that_was_not_asked_for_is_refused(result: res.CommandResult) -> None:
    machine = Dialogue().machine
    machine.begin()
    machine.feed(res.DevicePrepared(0))
    machine.feed(Dialogue().looked())
    assert machine.state is EpisodeState.WATCHING
    with pytest.raises(RuntimeError, match="does not fit the state watching"):
        machine.feed(result)


@given(st.lists(st.sampled_from(["home", "list", "song"]), max_size=12), st.integers(1, 8), st.booleans())
def test_it_always_ends_and_counts_no_more_than_it_saw(names: list[str], steps: int, done: bool) -> None:
    talk = Dialogue([page(name) for name in names], steps=steps, word=DONE if done else GAVE_UP)
    end = talk.run()
    shown = ["home", *names]
    changes = sum(a != b for a, b in itertools.pairwise(shown))
    assert end.steps == min(changes, steps)
    assert end.steps == len(seen(talk, ev.ActionObserved))
    assert isinstance(talk.log[-1], ev.EpisodeEnded)


def test_what_is_seen_is_counted_as_an_action_of_no_kind() -> None:
    asked: list[tuple[int, dict[str, int]]] = []

    def fire(looked: res.ScreenObserved, now: RuleContext) -> FiredRule | None:
        asked.append((now.step, dict(now.actions or {})))
        return None

    Dialogue([page("list"), page("list"), page("poem")], fire=fire, word=DONE).run()
    assert asked == [(0, {}), (1, {"seen": 1}), (2, {"seen": 2})]
