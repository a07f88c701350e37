from __future__ import annotations

from collections.abc import Callable

import pytest
from pydantic import TypeAdapter

from garabench.agents.interface import Brief
from garabench.core import action as act
from garabench.core.geometry import Rect, Size
from garabench.core.interruption import Mode
from garabench.core.observation import Focus, Observation, Screenshot, TreeSource
from garabench.core.steps import DeviceStep, SolutionStep
from garabench.core.tree import UiNode, UiTree
from garabench.proof.exit_episode import ExitAgent, MemoryRecorder
from garabench.proof.exits import Exit
from tests.proof.test_exit_verdict import injected

APP, COMPANION = "com.example.reader", "org.garabench.interruptions"
SCREEN = Size(720, 1280)
LIKE = UiNode(package=APP, resource_id=f"{APP}:id/like", bounds=Rect(0, 0, 100, 100))


def button(key: str, left: int) -> UiNode:
    name = f"{COMPANION}:id/button_{key}"
    return UiNode(package=COMPANION, resource_id=name, enabled=True, bounds=Rect(left, 0, left + 100, 100))


DIALOG = (button("dismiss", 200), button("accept", 400))
BLANK = (UiNode(package=COMPANION, text="Loading"),)


def decide(agent: ExitAgent, *nodes: UiNode) -> act.Action:
    observation = Observation(
        step=0,
        tree=UiTree(nodes),
        screenshot=Screenshot(b"", SCREEN),
        focus=Focus(nodes[0].package, ".Main"),
        source=TreeSource.U2,
        source_reason="",
        elapsed=0.0,
        screen=SCREEN,
    )
    return agent.decide(observation, ()).action


def agent(*keys: str) -> ExitAgent:
    return agent_of({"rule": Exit(Mode.DUAL, keys)}, lambda: "rule")


def agent_of(exits: dict[str, Exit], injected: Callable[[], str]) -> ExitAgent:
    step: SolutionStep = TypeAdapter(SolutionStep).validate_python({"tap": {"id": "like"}})
    made = ExitAgent([step, step], exits, injected)
    made.start(Brief(instruction="like it", language="en", app=APP, max_steps=9, screen=SCREEN, seed=0))
    return made


def test_the_agent_follows_the_solution_and_presses_the_exits_buttons_in_order() -> None:
    exit_agent = agent("accept", "dismiss")
    decisions = [decide(exit_agent, *screen) for screen in ((LIKE,), DIALOG, BLANK, DIALOG, (LIKE,))]
    assert decisions[0] == decisions[4] == act.Tap(x=50, y=50)
    assert decisions[1] == act.Tap(x=450, y=50)
    assert isinstance(decisions[2], act.Wait)  # a page without a button closes by itself
    assert decisions[3] == act.Tap(x=250, y=50)


def test_back_is_pressed_when_the_dialog_is_on_screen() -> None:
    exit_agent = agent("back")
    assert isinstance(decide(exit_agent, *BLANK), act.Wait)
    assert decide(exit_agent, *DIALOG) == act.Back()


@pytest.mark.parametrize("keys", [(), ("exit",)])
def test_without_its_button_the_agent_uses_the_easy_exit(keys: tuple[str, ...]) -> None:
    assert decide(agent(*keys), *DIALOG) == act.Tap(x=250, y=50)


def test_each_rules_interruption_is_left_by_its_own_exit() -> None:
    rules = iter(["", "first", "second", "second"])
    exits = {"first": Exit(Mode.DUAL, ("accept",)), "second": Exit(Mode.DUAL, ("dismiss",))}
    exit_agent = agent_of(exits, lambda: next(rules))
    decisions = [decide(exit_agent, *screen) for screen in ((LIKE,), DIALOG, DIALOG, (LIKE,))]
    like, accept, dismiss = act.Tap(x=50, y=50), act.Tap(x=450, y=50), act.Tap(x=250, y=50)
    assert decisions == [like, accept, dismiss, like]
    assert exit_agent.furthest == [1, 1, 1, 2]


def test_after_an_exit_that_restarts_the_app_the_solution_starts_over() -> None:
    (restart,) = TypeAdapter(tuple[DeviceStep, ...]).validate_python(["relaunch"])
    exit_agent = agent_of({"rule": Exit(Mode.DUAL, ("accept",), follow_up=(restart,))}, lambda: "rule")
    for screen in ((LIKE,), DIALOG, (LIKE,)):
        decide(exit_agent, *screen)
    assert exit_agent.furthest == [1, 1, 1]  # back to the first step
    decide(exit_agent, LIKE)
    assert exit_agent.furthest[-1] == 2


def test_the_last_rule_is_known_even_after_its_button_opened_another_interruption() -> None:
    memory = MemoryRecorder()
    assert memory.injected == ""
    for rule in ("first", "second", ""):
        memory.append([injected(rule=rule)])
    assert memory.injected == "second"


def test_a_bug_of_garabench_is_not_a_finding() -> None:
    with pytest.raises(ZeroDivisionError):
        MemoryRecorder().write_traceback(ZeroDivisionError())
