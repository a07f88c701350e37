"""The machine of episodes whose agents drive the device themselves."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from garabench.agents.external.autonomous import FinalReport
from garabench.core import events as ev
from garabench.core.end_criterion import EndCriterion
from garabench.core.evaluate import Verdict
from garabench.core.geometry import Size
from garabench.core.observation import Focus, Observation, Screenshot, TreeSource
from garabench.core.tree import SYSTEM_UI, UiNode, UiTree
from garabench.episode import command_results as res
from garabench.episode import commands as cmd
from garabench.episode.interruption_queue import FiredRule, FireRules, RuleContext
from garabench.episode.machine import EpisodeLimits, MachineState
from garabench.episode.passive_machine import PassiveEpisodeMachine, content_signature
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
    """Answers a machine's commands as a runner would, from what the screen screens in turn."""

    def __init__(
        self,
        screens: Sequence[UiTree] = (),
        *,
        fire: FireRules | None = None,
        report: FinalReport | None = None,
        fault: GaraError | None = None,
        goal: str = "",
        steps: int = 20,
        seconds: float = 100,
        pressed: Sequence[str] = (),
        infeasible: bool = False,
        ends: EndCriterion = EndCriterion.GOAL,
    ) -> None:
        start = START.model_copy(update={"infeasible": infeasible, "end": ends})
        self.machine = PassiveEpisodeMachine(start, EpisodeLimits(steps, seconds), fire=fire)
        self.screens, self.report, self.fault, self.goal = list(screens), report, fault, goal
        self.pressed = list(pressed)
        self.harm = Verdict(False, "nothing was done") if infeasible else None
        self.now, self.screen = 0.0, HOME
        self.commands: list[str] = []
        self.log: list[ev.Event] = []

    def run(self) -> ev.EpisodeEnded:
        command = self.machine.begin()
        for _ in range(300):
            self.commands.append(type(command).__name__)
            self.log += self.machine.take_events()
            if isinstance(command, cmd.FinishEpisode):
                assert self.machine.state is MachineState.FINISHED
                return command.end
            command = self.machine.feed(self.answer(command))
        raise AssertionError(f"the episode does not end: {self.commands[-10:]}")

    def answer(self, command: cmd.Command) -> res.CommandResult:
        self.now += 1
        match command:
            case cmd.PrepareDevice():
                return res.DevicePrepared(self.now)
            case cmd.ObserveScreen():
                return self.observed()
            case cmd.InjectInterruption():
                self.screen = COVERED
                return res.InjectionEnded(self.now, self.observed())
            case cmd.WatchAgent():
                return self.agent_watched()
            case cmd.Settle():
                return self.settled()
            case cmd.ReadLog():
                events = (
                    [
                        CompanionEvent("one", 1, "shown"),
                        CompanionEvent("one", 2, f"pressed:{self.pressed.pop()}"),
                    ]
                    if self.pressed
                    else []
                )
                return res.LogRead(self.now, tuple(events))
            case cmd.PerformFollowUp():
                self.screen = page("settings")
                return res.FollowUpEnded(self.now, ())
            case cmd.CheckGoal(answer, final=final):
                self.checked = (answer, final)
                met = bool(self.goal) and any(node.text == self.goal for node in self.screen.nodes)
                return res.GoalEvaluated(self.now, YES if met else NO, self.harm)
        raise AssertionError(f"unexpected command {command}")

    def observed(self) -> res.ScreenObserved:
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

    def settled(self) -> res.ScreenSettled:
        return res.ScreenSettled(self.now, True, 2, 0.3)

    def agent_watched(self) -> res.CommandResult:
        if self.screens:
            self.screen = self.screens.pop(0)
            return res.AgentWatched(self.now, self.screen, self.settled(), None)
        if self.fault is not None:
            return res.CommandFailed(self.now, self.fault)
        return res.AgentWatched(self.now, self.screen, self.settled(), self.report)


def seen(dialogue: Dialogue, kind: type[ev.Event]) -> list[ev.Event]:  # type: ignore[valid-type]
    return [event for event in dialogue.log if isinstance(event, kind)]  # type: ignore[arg-type]


def test_watching_knows_the_time_of_the_last_action() -> None:
    dialogue = Dialogue([HOME, HOME, page("search"), page("search")], report=DONE)
    since: list[tuple[float, float]] = []
    answer = dialogue.answer

    def answer_and_note(command: cmd.Command) -> res.CommandResult:
        if isinstance(command, cmd.WatchAgent):
            since.append((command.since, dialogue.now))
        return answer(command)

    dialogue.answer = answer_and_note  # type: ignore[method-assign]
    dialogue.run()
    assert since == [(2, 2), (2, 3), (2, 4), (7, 7), (7, 8)]


def test_each_settled_screen_that_differs_is_an_action() -> None:
    dialogue = Dialogue([HOME, HOME, page("list"), page("list"), page("song")], goal="song")
    end = dialogue.run()
    assert (end.outcome, end.reason, end.steps, end.step) == ("success", "goal_met", 2, 1)
    assert dialogue.commands == [
        *("PrepareDevice", "ObserveScreen", "WatchAgent", "WatchAgent", "WatchAgent", "CheckGoal"),
        *("ObserveScreen", "WatchAgent", "WatchAgent", "CheckGoal", "FinishEpisode"),
    ]
    assert [(event.type, event.step) for event in dialogue.log][1:] == [
        *(("observed", 0), ("action_observed", 0), ("settled", 0), ("goal_checked", 0)),
        *(("observed", 1), ("action_observed", 1), ("settled", 1), ("goal_checked", 1)),
        ("episode_ended", 1),
    ]


@pytest.mark.parametrize(
    "same", [page("home", clock="09:42"), page("home", keyboard="q"), page("home", clock="", keyboard="w")]
)
def test_clock_and_keyboard_are_no_actions(same: UiTree) -> None:
    assert content_signature(same) == content_signature(HOME)
    end = Dialogue([same, HOME, same], report=GAVE_UP).run()
    assert (end.reason, end.steps) == ("gave_up", 0)


@pytest.mark.parametrize(
    ("goal", "report", "outcome", "reason"),
    [
        ("list", DONE, "success", "goal_met"),
        ("", DONE, "failure", "false_done"),
        ("", GAVE_UP, "failure", "gave_up"),
    ],
)
def test_final_report_is_checked(goal: str, report: FinalReport, outcome: str, reason: str) -> None:
    dialogue = Dialogue(report=report, goal=goal)
    dialogue.screen = page("list")
    end = dialogue.run()
    assert (end.outcome, end.reason, end.answer) == (outcome, reason, "7" if report.done else None)
    assert dialogue.checked == (("7", True) if report.done else (None, True))
    (decided,) = seen(dialogue, ev.Decided)
    assert isinstance(decided, ev.Decided)
    assert decided.action["type"] == ("done" if report.done else "give_up")
    assert decided.thought == report.detail


@pytest.mark.parametrize(
    ("report", "outcome", "reason"), [(DONE, "success", "goal_met"), (GAVE_UP, "failure", "gave_up")]
)
def test_until_done_the_report_ends_the_episode(report: FinalReport, outcome: str, reason: str) -> None:
    dialogue = Dialogue(
        [page("list"), page("list", clock="09:42")], report=report, goal="list", ends=EndCriterion.DONE
    )
    end = dialogue.run()
    assert (end.outcome, end.reason) == (outcome, reason)


def test_last_change_before_the_end_counts() -> None:
    dialogue = Dialogue(goal="song")
    dialogue.report = DONE
    answer = dialogue.agent_watched

    def all_at_once() -> res.CommandResult:
        dialogue.screen = page("song")
        return answer()

    dialogue.agent_watched = all_at_once  # type: ignore[method-assign]
    end = dialogue.run()
    assert (end.reason, end.steps) == ("goal_met", 1)


def test_step_limit_counts_observed_actions() -> None:
    end = Dialogue([page(str(number)) for number in range(50)], steps=3).run()
    assert (end.outcome, end.reason, end.steps) == ("failure", "step_limit", 3)


def test_idle_agent_ends_at_the_time_limit() -> None:
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
def test_faults_are_attributed(fault: GaraError, outcome: str, reason: str, at_fault: str) -> None:
    dialogue = Dialogue([page("list")], fault=fault)
    end = dialogue.run()
    assert (end.outcome, end.reason, end.steps) == (outcome, reason, 1)
    (fault_event,) = seen(dialogue, ev.FaultEvent)
    assert isinstance(fault_event, ev.FaultEvent)
    assert fault_event.at_fault == at_fault


def test_injections_and_follow_ups_are_no_actions() -> None:
    after = page("settings")
    dialogue = Dialogue(
        [COVERED, HOME, after, page("list")], fire=fire_at(0), report=GAVE_UP, pressed=["accept"]
    )
    end = dialogue.run()
    assert planned().token == "one"
    assert (end.reason, end.steps) == ("gave_up", 2)  # the press of the button, and the list
    assert dialogue.commands[:9] == [
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
    (resolved,) = seen(dialogue, ev.InterruptionResolved)
    assert isinstance(resolved, ev.InterruptionResolved)
    assert (resolved.how, resolved.exit, resolved.role) == ("answered", "accept", "accept")


def test_interruption_that_stays_open_is_recorded_as_open() -> None:
    dialogue = Dialogue([COVERED], fire=fire_at(0), report=DONE)
    assert dialogue.run().reason == "false_done"
    (resolved,) = seen(dialogue, ev.InterruptionResolved)
    assert isinstance(resolved, ev.InterruptionResolved)
    assert resolved.how == "open"


def test_giving_up_an_infeasible_task_succeeds_once_the_reason_was_seen() -> None:
    end = Dialogue([page("list")], report=GAVE_UP, goal="list", infeasible=True).run()
    assert (end.outcome, end.reason) == ("success", "gave_up_rightly")


@pytest.mark.parametrize("result", [res.DevicePrepared(1), res.ScreenSettled(1, True, 2, 0.1)])
def test_result_of_another_command_is_rejected(result: res.CommandResult) -> None:
    machine = Dialogue().machine
    machine.begin()
    machine.feed(res.DevicePrepared(0))
    machine.feed(Dialogue().observed())
    assert machine.state is MachineState.WATCHING
    with pytest.raises(RuntimeError, match="does not fit the state watching"):
        machine.feed(result)


@given(st.lists(st.sampled_from(["home", "list", "song"]), max_size=12), st.integers(1, 8), st.booleans())
def test_every_episode_ends_and_counts_only_observed_changes(
    names: list[str], steps: int, done: bool
) -> None:
    dialogue = Dialogue([page(name) for name in names], steps=steps, report=DONE if done else GAVE_UP)
    end = dialogue.run()
    shown = ["home", *names]
    changes = sum(a != b for a, b in itertools.pairwise(shown))
    assert end.steps == min(changes, steps)
    assert end.steps == len(seen(dialogue, ev.ActionObserved))
    assert isinstance(dialogue.log[-1], ev.EpisodeEnded)


def test_observed_actions_have_no_kind() -> None:
    contexts: list[tuple[int, dict[str, int]]] = []

    def fire(observed: res.ScreenObserved, context: RuleContext) -> FiredRule | None:
        contexts.append((context.step, dict(context.actions or {})))
        return None

    Dialogue([page("list"), page("list"), page("poem")], fire=fire, report=DONE).run()
    assert contexts == [(0, {}), (1, {"seen": 1}), (2, {"seen": 2})]
