from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from garabench.agents.interface import Brief, Decision, Turn
from garabench.core import action as act
from garabench.core.geometry import Size
from garabench.core.observation import Focus, Observation, Screenshot, TreeSource
from garabench.core.selector import Selector
from garabench.core.steps import ScrollSpec, ScrollStep, TapStep
from garabench.core.tree import UiTree
from garabench.diagnosis.failed_case import FailedCase
from garabench.diagnosis.probe import (
    DiagnosticProbe,
    EvidenceKind,
    Expected,
    OpenLink,
    ProbeStep,
    ProbeType,
    TesterStep,
    TurnScreen,
)
from garabench.probing.perform_probe import completed_places, remainder_of
from garabench.probing.probe_agent import ProbeAgent, compare_evidence
from tests.diagnosis.cases import (
    APP,
    DEAD_BUTTON,
    HOME,
    PAGE,
    SCREEN,
    SHOP,
    failed_case,
    node,
    rows,
    screen,
    tap,
)

BRIEF = Brief("Open the Blue kettle.", "en", APP, 20, SCREEN, 0)
BUY = Selector(id="buy")


class Continuation:
    """Gives up at once."""

    name, reference = "continuation", False

    def __init__(self) -> None:
        self.calls: list[int] = []

    def start(self, brief: Brief) -> None:
        pass

    def decide(self, observation: Observation, history: list[Turn]) -> Decision:
        self.calls.append(len(history))
        return Decision(act.GiveUp(reason="lost"))

    def close(self) -> None:
        pass


def seen(tree: UiTree, step: int = 0, focus: Focus = HOME) -> Observation:
    picture = Screenshot(b"", Size(1, 1))
    return Observation(step, tree, picture, focus, TreeSource.U2, "", 0.0, SCREEN)


def play(agent: ProbeAgent, *trees: UiTree) -> list[act.Action]:
    agent.start(BRIEF)
    turns: list[Turn] = []
    for step, tree in enumerate(trees):
        decision = agent.decide(seen(tree, step), turns)
        turns.append(Turn(decision, True))
    return [turn.decision.action for turn in turns]


def probe(*steps: ProbeStep) -> DiagnosticProbe:
    return DiagnosticProbe("a-test", ProbeType.A, steps, "why")


OFF = screen(node("Buy", resource_id="a:id/buy", enabled=False))
PRESS = ProbeStep(TapStep(tap=BUY), Expected(EvidenceKind.CHANGED), "press Buy")


def agent_at(case: FailedCase, place: int, *steps: ProbeStep, **options: object) -> ProbeAgent:
    return ProbeAgent(case.checkpoint(place), probe(*steps), Continuation(), **options)  # type: ignore[arg-type]


def test_the_prefix_is_replayed_then_the_probe_then_the_continuation() -> None:
    agent = agent_at(DEAD_BUTTON, 1, PRESS)
    actions = play(agent, SHOP, PAGE, PAGE)
    assert actions == [tap(1), tap(0), act.GiveUp(reason="lost")]
    assert agent.restored is not None
    assert agent.restored.good
    (evidence,) = agent.evidence
    assert (evidence.met, evidence.detail) == (False, "press Buy: nothing changed")
    assert agent.aborted == ""


def test_a_moved_target_is_found_again() -> None:
    moved = rows("Advert", "Red kettle", "Blue kettle", "Green kettle")
    assert play(agent_at(DEAD_BUTTON, 1), moved)[0] == tap(2)


def test_a_state_that_was_not_restored_ends_the_probe() -> None:
    agent = agent_at(DEAD_BUTTON, 1)
    other = screen(*(node(f"other {place}", place * 100, resource_id="x:id/z") for place in range(8)))
    actions = play(agent, SHOP, other, other, other)
    assert [type(each) for each in actions[1:]] == [act.Wait, act.Wait, act.GiveUp]
    assert "was not restored" in agent.aborted


def test_a_step_that_is_not_possible_is_noted() -> None:
    missing = replace(PRESS, what=TapStep(tap=Selector(id="nowhere")))
    agent = agent_at(DEAD_BUTTON, 1, missing)
    play(agent, SHOP, PAGE)
    assert [each.met for each in agent.evidence] == [False]
    assert "not possible here" in agent.evidence[0].detail


def test_what_no_agent_can_do_is_handed_to_the_device() -> None:
    link, turn = OpenLink(APP, "shop://search?q=a"), TurnScreen(0)
    steps = [replace(PRESS, what=link), replace(PRESS, what=turn)]
    handled: list[TesterStep] = []

    def handle(step: TesterStep) -> str:
        handled.append(step)
        return "no activity found" if step is turn else ""

    agent = agent_at(DEAD_BUTTON, 1, *steps, handle=handle)
    actions = play(agent, SHOP, PAGE, SHOP)
    assert handled == [link, turn]
    assert agent.opened_link
    assert not agent_at(DEAD_BUTTON, 1, replace(PRESS, what=turn)).opened_link
    assert actions[1] == act.Wait(seconds=0.5)
    assert [(each.met, "no activity found" in each.detail) for each in agent.evidence] == [
        (True, False),
        (False, True),
    ]


def test_a_lost_continuation_starts_over_once() -> None:
    restarts: list[int] = []
    agent = agent_at(DEAD_BUTTON, 0, restart=lambda: restarts.append(1))
    actions = play(agent, SHOP, *[SHOP] * 8)
    assert actions[:6] == [act.Back()] * 6
    assert actions[6] == act.OpenApp(package=APP)
    assert (actions[7], restarts) == (act.GiveUp(reason="lost"), [1])


@pytest.mark.parametrize(
    ("expected", "after", "met"),
    [
        (None, PAGE, None),
        (Expected(EvidenceKind.CHANGED), PAGE, True),
        (Expected(EvidenceKind.STEADY), SHOP, True),
        (Expected(EvidenceKind.PRESENT, BUY), SHOP, False),
        (Expected(EvidenceKind.ENABLED, BUY), PAGE, True),
        (Expected(EvidenceKind.ENABLED, BUY), OFF, False),
        (Expected(EvidenceKind.HEALTHY), PAGE, True),
        (Expected(EvidenceKind.HEALTHY), rows("Shop keeps stopping"), False),
    ],
)  # fmt: skip
def test_evidence(expected: Expected | None, after: UiTree, met: bool | None) -> None:
    assert compare_evidence(expected, SHOP, seen(after), APP)[0] is met


def test_a_sick_device_is_not_healthy() -> None:
    found = compare_evidence(
        Expected(EvidenceKind.HEALTHY), SHOP, seen(PAGE), APP, lambda: "the storage is full"
    )
    assert found == (False, "the storage is full")


def test_the_remainder_begins_after_what_the_prefix_has_done() -> None:
    solution = (TapStep(tap=Selector(text="Blue kettle")), TapStep(tap=BUY))
    assert completed_places(solution, DEAD_BUTTON, 0) == ()
    assert completed_places(solution, DEAD_BUTTON, 1) == (HOME.activity,)
    assert completed_places(solution, DEAD_BUTTON, 2) == (HOME.activity, HOME.activity)
    other = (TapStep(tap=Selector(text="Green kettle")),)
    assert completed_places(other, DEAD_BUTTON, 2) == ()


def test_the_remainder_passes_over_a_scroll_to_what_is_already_shown() -> None:
    kettle, buy = Selector(text="Blue kettle"), ScrollStep(scroll=ScrollSpec(until=BUY))
    solution = (
        ScrollStep(scroll=ScrollSpec(until=kettle)),
        TapStep(tap=kettle),
        buy,
        TapStep(tap=BUY),
    )
    assert len(completed_places(solution, DEAD_BUTTON, 1)) == 2
    assert len(completed_places(solution, DEAD_BUTTON, 2)) == 4
    hidden = ScrollStep(scroll=ScrollSpec(until=Selector(text="Black kettle")))
    assert completed_places((hidden, TapStep(tap=kettle)), DEAD_BUTTON, 2) == ()


def test_the_remainder_does_not_scroll_on_at_the_end_of_a_list() -> None:
    task: Any = SimpleNamespace(
        solution=(ScrollStep(scroll=ScrollSpec(until=Selector(text="Gone"))), TapStep(tap=BUY))
    )
    agent = remainder_of(task, DEAD_BUTTON, 0)
    agent.start(BRIEF)
    decided = [agent.decide(seen(PAGE), []).action for _ in range(3)]
    assert [each.type for each in decided] == ["scroll", "scroll", "tap"]
    agent.start(BRIEF)
    moving = [agent.decide(seen(rows(f"row {n}")), []).action.type for n in range(4)]
    assert moving == ["scroll"] * 4


def test_the_remainder_scrolls_back_to_a_later_element() -> None:
    gone = ScrollStep(scroll=ScrollSpec(until=Selector(text="Gone")))
    task: Any = SimpleNamespace(solution=(gone, TapStep(tap=Selector(text="Gone")), TapStep(tap=BUY)))
    agent = remainder_of(task, DEAD_BUTTON, 0)
    agent.start(BRIEF)
    agent.skip(("", ""))
    agent.restart()
    screens = [SHOP, SHOP, SHOP, rows("row"), PAGE, PAGE, PAGE]
    decided = [agent.decide(seen(each), []).action for each in screens]
    assert [getattr(each, "direction", each.type) for each in decided] == [
        "down",
        "down",
        "up",
        "up",
        "wait",
        "wait",
        "tap",
    ]


def test_one_scroll_does_not_complete_a_scroll_to_a_hidden_element() -> None:
    down, black = act.Scroll(direction="down"), Selector(text="Black kettle")
    solution = (ScrollStep(scroll=ScrollSpec(until=black)), TapStep(tap=black))
    end = rows("White kettle", "Black kettle")
    case = failed_case([(SHOP, down), (SHOP, down), (end, tap(1)), (PAGE, act.Done())])
    assert [len(completed_places(solution, case, fork)) for fork in range(4)] == [0, 0, 0, 2]


class Presses(Continuation):
    """Presses the row again, then reports the task as done."""

    def decide(self, observation: Observation, history: list[Turn]) -> Decision:
        self.calls.append(len(history))
        return Decision(tap(0) if len(self.calls) == 1 else act.Done())


def test_a_continuation_that_repeats_the_failed_action_is_noted() -> None:
    for failed, same in ((tap(0), True), (act.Tap(x=20, y=20), True), (act.LongPress(x=500, y=50), False)):
        agent = ProbeAgent(DEAD_BUTTON.checkpoint(1), probe(), Presses(), failed=failed)
        play(agent, SHOP, PAGE, PAGE)
        (noted,) = agent.continued
        assert (noted.number, noted.label, noted.same) == (1, "press 'Buy'", same)


def test_other_presses_end_when_the_element_reacts() -> None:
    edge = ProbeStep(act.Tap(x=6, y=50), Expected(EvidenceKind.CHANGED), "press the edge of 'Buy'")
    for after, performed in ((PAGE, 2), (SHOP, 1)):
        probed = replace(probe(edge, PRESS), until_reaction=True)
        agent = ProbeAgent(DEAD_BUTTON.checkpoint(1), probed, Continuation())
        play(agent, SHOP, PAGE, after, after)
        assert len(agent.evidence) == performed


def test_the_apps_answers_are_part_of_the_evidence() -> None:
    toasts = ["an earlier message", "Busy"]
    agent = agent_at(DEAD_BUTTON, 1, PRESS, take_toast=lambda: toasts.pop(0) if toasts else "")
    play(agent, SHOP, PAGE, PAGE)
    assert [each.detail for each in agent.evidence] == ["press Buy: nothing changed; the app said 'Busy'"]
    assert agent.answer == "", "the failed action is a touch of a place, which was not repeated"


def test_the_answer_to_the_failed_action_is_kept_apart() -> None:
    failed = DEAD_BUTTON.steps[1].action
    assert failed is not None
    again = ProbeStep(failed, Expected(EvidenceKind.CHANGED), "repeat the action")
    toasts = ["", "Select an item first"]
    agent = agent_at(DEAD_BUTTON, 1, again, failed=failed, take_toast=lambda: toasts.pop(0))
    play(agent, SHOP, PAGE)
    agent.decide(seen(PAGE, 2), [])
    assert agent.answer == "Select an item first"
