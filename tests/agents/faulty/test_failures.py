"""Each fault makes an agent fail a task that it solves without the fault, on a phone in this process."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from garabench.agents.faulty.agent_fault import AgentFaultKind
from garabench.agents.faulty.faulty_agent import FaultyAgent
from garabench.agents.interface import Agent, Brief, Decision, Turn
from garabench.agents.reference.agent import ReferenceAgent
from garabench.agents.reference.exit_choice import Policy
from garabench.core import action as act
from garabench.core.action import Action
from garabench.core.earlier_screens import EarlierScreens
from garabench.core.evaluate import evaluate
from garabench.core.observation import Observation, Screenshot, TreeSource
from garabench.suite.suite import Suite
from garabench.virtual.apps.weibo.app import APP as WEIBO
from garabench.virtual.kit.framework import Intent
from tests.virtual.apps.driver import ENTER, Driver

LIKE, RANK = "bili-like-song-live", "weibo-place-on-the-hot-list"
TASKS = {
    **dict.fromkeys(AgentFaultKind, LIKE),
    AgentFaultKind.NO_SCROLL: RANK,
    AgentFaultKind.WRONG_ANSWER: RANK,
}
MAX_STEPS = 14


@pytest.fixture(scope="module")
def suite() -> Suite:
    return Suite.load()


def perform(driver: Driver, action: Action) -> None:
    phone = driver.phone
    match action:
        case act.Tap():
            phone.input.tap(action.x, action.y)
        case act.LongPress():
            phone.input.long_press(action.x, action.y, action.ms)
        case act.Type():
            if action.at is not None:
                phone.input.tap(*action.at)
            if action.clear:
                phone.ime.clear()
            phone.ime.commit_text(action.text)
            if action.submit:
                phone.input.key(ENTER)
        case act.Back():
            phone.press_back()
        case act.OpenApp():
            found = phone.packages.get(action.package)
            assert found is not None
            phone.activities.start(Intent(package=action.package, activity=found.app.launcher))
        case act.Scroll():
            x = phone.display.current_size.width // 2 if action.x is None else action.x
            y = phone.display.current_size.height // 2 if action.y is None else action.y
            phone.input.drag(x, y + 300, x, y - 300)
        case act.Wait():
            pass
        case _:
            raise AssertionError(f"the loop knows no {action.type}")
    driver.settle()


def solves(agent: Agent, suite: Suite, task: str, *, covered: bool = False) -> bool:
    """Return whether an agent meets a task's goal; optionally another app covers it after its first step."""
    item = suite.tasks[task]
    driver = Driver(app=WEIBO) if item.app == WEIBO.package else Driver()
    size = driver.phone.display.current_size
    agent.start(Brief(item.task.instruction["zh"], "zh", item.app, MAX_STEPS, size, seed=1))
    history: Sequence[Turn] = ()
    earlier = EarlierScreens.before([item.goal.condition])
    for step in range(MAX_STEPS):
        if covered and step == 1:
            driver.phone.activities.start(Intent(action="android.settings.SETTINGS"))
        facts = driver.facts()
        assert facts.focus is not None
        seen = Observation(step, facts.tree, Screenshot(b"", size), facts.focus, TreeSource.U2, "", 0, size)
        decision: Decision = agent.decide(seen, history)
        history = (*history, Turn(decision, ok=True))
        if isinstance(decision.action, act.Done | act.GiveUp):
            driver.answer = getattr(decision.action, "answer", None)
            break
        perform(driver, decision.action)
        if evaluate(item.goal.condition, driver.facts(), earlier.verdict).holds:
            return True
        earlier = earlier.after(driver.facts(), step)
    return evaluate(item.goal.condition, driver.facts(), earlier.verdict).holds is True


def reference(suite: Suite, task: str) -> ReferenceAgent:
    return ReferenceAgent(suite.tasks[task].task.solution, Policy.DISMISS)


@pytest.mark.parametrize(("task", "covered"), [(LIKE, False), (LIKE, True), (RANK, False)])
def test_the_agent_solves_the_tasks_without_a_fault(suite: Suite, task: str, covered: bool) -> None:
    assert solves(reference(suite, task), suite, task, covered=covered)


@pytest.mark.parametrize("fault", list(AgentFaultKind))
def test_the_agent_fails_with_the_fault(suite: Suite, fault: AgentFaultKind) -> None:
    agent = FaultyAgent(reference(suite, TASKS[fault]), fault)
    assert not solves(agent, suite, TASKS[fault], covered=fault is AgentFaultKind.TAPS_THROUGH)
