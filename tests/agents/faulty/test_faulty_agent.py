"""Each fault changes the decisions that it is about, deterministically, and no others."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from garabench.agents.agent_name import path_name
from garabench.agents.context import AgentContext
from garabench.agents.faulty.agent_fault import ABOUT, AgentFaultKind, parse_fault
from garabench.agents.faulty.faulty_agent import FaultyAgent
from garabench.agents.interface import Agent, Brief, Decision, Turn
from garabench.agents.registry import make_agent, resolve
from garabench.agents.spec import AgentKind
from garabench.core import action as act
from garabench.core.action import Action
from garabench.core.geometry import Rect, Size
from garabench.core.observation import Focus, Observation, Screenshot, TreeSource
from garabench.core.task import Task
from garabench.core.tree import UiNode, UiTree
from garabench.errors import InputError

APP = "toy.app"
SCREEN = Size(100, 400)
ROWS = ("pear", "plum", "fig")


def row(number: int, text: str, *, package: str = APP) -> UiNode:
    top = 50 * number
    return UiNode(
        resource_id=f"{package}:id/row",
        text=text,
        package=package,
        bounds=Rect(0, top, 100, top + 50),
        clickable=True,
    )


def screen(*texts: str, step: int = 0, package: str = APP) -> Observation:
    nodes = tuple(row(number, text, package=package) for number, text in enumerate(texts))
    return Observation(
        step=step,
        tree=UiTree((UiNode(package=package, bounds=Rect(0, 0, 100, 400), children=nodes),)),
        screenshot=Screenshot(b"", SCREEN),
        focus=Focus(package, "Main"),
        source=TreeSource.U2,
        source_reason="",
        elapsed=0,
        screen=SCREEN,
    )


class Scripted:
    """Decides on fixed actions, and records what it saw."""

    name = "scripted"
    reference = False

    def __init__(self, *actions: Action) -> None:
        self.actions = actions
        self.seen: list[Observation] = []

    def start(self, brief: Brief) -> None:
        self.at = 0

    def decide(self, observation: Observation, history: Sequence[Turn]) -> Decision:
        self.seen.append(observation)
        self.at += 1
        return Decision(self.actions[min(self.at, len(self.actions)) - 1])

    def close(self) -> None:
        pass


def decisions(
    fault: AgentFaultKind, *actions: Action, seed: int = 0, shown: Sequence[str] = ROWS
) -> list[Action]:
    """Return what an agent with a fault does instead of these actions."""
    agent: Agent = FaultyAgent(Scripted(*actions), fault)
    agent.start(Brief("buy a pear", "en", APP, 20, SCREEN, seed))
    return [agent.decide(screen(*shown, step=n), ()).action for n in range(len(actions))]


def tap(number: int) -> act.Tap:
    return act.Tap(x=50, y=50 * number + 25)


@pytest.mark.parametrize("fault", [AgentFaultKind.OFF_BY_ONE, AgentFaultKind.WRONG_ROW])
def test_a_press_goes_to_the_next_element_each_time(fault: AgentFaultKind) -> None:
    done = decisions(fault, tap(0), tap(0), tap(0), tap(0))
    assert set(map(repr, done)) <= {repr(tap(0)), repr(tap(1))}
    assert done[-1] == tap(1)


def test_a_wrong_target_stays_the_only_mistake() -> None:
    done = decisions(AgentFaultKind.WRONG_TARGET, tap(0), tap(1), tap(2), tap(0), tap(1), tap(2))
    mistaken = [at for at, action in enumerate(done) if action != tap(at % 3)]
    assert mistaken and len({at % 3 for at in mistaken}) == 1


def test_presses_in_other_apps_are_not_mistaken() -> None:
    agent = FaultyAgent(Scripted(tap(0)), AgentFaultKind.OFF_BY_ONE)
    agent.start(Brief("buy a pear", "en", "toy.other", 20, SCREEN, 0))
    assert [agent.decide(screen(*ROWS), ()).action for _ in range(5)] == [tap(0)] * 5


@pytest.mark.parametrize(
    ("fault", "end"), [(AgentFaultKind.GIVES_UP_EARLY, act.GiveUp), (AgentFaultKind.CLAIMS_DONE, act.Done)]
)
def test_early_ends_come_after_some_steps(fault: AgentFaultKind, end: type) -> None:
    done = decisions(fault, *[tap(0)] * 5)
    assert done[0] == tap(0) and isinstance(done[-1], end)


def test_a_loop_repeats_earlier_actions() -> None:
    actions = [tap(0), tap(1), tap(2), act.Back(), act.Home(), *[act.Wait()] * 3]
    done = decisions(AgentFaultKind.LOOPS, *actions)
    assert len(set(map(repr, done))) < len(set(map(repr, actions)))
    assert done[-1] == done[-3]


def test_texts_answers_and_gestures_are_mistaken() -> None:
    typed = act.Type(text="pear tart", at=(5, 5), submit=True)
    assert decisions(AgentFaultKind.WRONG_TEXT, typed)[0] != typed
    assert (
        decisions(AgentFaultKind.WRONG_TEXT, typed, typed)[0]
        == decisions(AgentFaultKind.WRONG_TEXT, typed)[0]
    )
    assert decisions(AgentFaultKind.FORGETS_SUBMIT, typed) == [act.Type(text="pear tart", at=(5, 5))]
    assert decisions(AgentFaultKind.IGNORES_KEYBOARD, typed) == [act.Tap(x=5, y=5)]
    assert isinstance(decisions(AgentFaultKind.NO_SCROLL, act.Scroll(direction="down"))[0], act.GiveUp)
    prices = ("$5", "$7", "fig")
    assert decisions(AgentFaultKind.WRONG_ANSWER, act.Done(answer="$5"), shown=prices) == [
        act.Done(answer="$7")
    ]
    assert decisions(AgentFaultKind.WRONG_ANSWER, act.Done(answer="12 h")) == [act.Done(answer="13 h")]
    assert decisions(AgentFaultKind.WRONG_ANSWER, act.Done()) == [act.Done()]


def test_a_confirming_button_is_forgotten() -> None:
    assert isinstance(decisions(AgentFaultKind.FORGETS_SUBMIT, tap(1), shown=("pear", "Save"))[0], act.Done)
    assert decisions(AgentFaultKind.FORGETS_SUBMIT, tap(0), shown=("pear", "Save")) == [tap(0)]


def test_the_wrong_app_is_opened_used_and_believed() -> None:
    done = decisions(AgentFaultKind.WRONG_APP, *[tap(0)] * 10)
    assert act.OpenApp(package="com.android.settings") in done
    assert isinstance(done[-1], act.Done)


def test_what_covers_the_app_is_tapped_through() -> None:
    agent = FaultyAgent(Scripted(tap(0), tap(1), tap(1)), AgentFaultKind.TAPS_THROUGH)
    agent.start(Brief("buy a pear", "en", APP, 20, SCREEN, 0))
    assert agent.decide(screen(*ROWS), ()).action == tap(0)
    assert agent.decide(screen("Close", "Close", package="toy.other"), ()).action == tap(0)


def test_a_stale_screen_stays() -> None:
    inner = Scripted(tap(0))
    agent = FaultyAgent(inner, AgentFaultKind.STALE_SCREEN)
    agent.start(Brief("buy a pear", "en", APP, 20, SCREEN, 0))
    for number in range(6):
        agent.decide(screen(str(number), step=number), ())
    shown = [next(node.text for node in seen.tree.nodes if node.text) for seen in inner.seen]
    assert shown[-2:] == [shown[-1]] * 2 and shown[0] == "0"
    assert [seen.step for seen in inner.seen] == list(range(6))


@pytest.mark.parametrize("fault", list(AgentFaultKind))
def test_the_same_seed_makes_the_same_mistakes(fault: AgentFaultKind) -> None:
    actions = [
        tap(0),
        act.Type(text="pear", submit=True),
        tap(1),
        act.Scroll(direction="up"),
        act.Done(answer="5"),
    ]
    assert decisions(fault, *actions, seed=3) == decisions(fault, *actions, seed=3)
    assert fault in ABOUT


TASK = Task.model_validate(
    {"id": "t", "instruction": {"en": "x"}, "goal": {"use": "g"}, "solution": [{"tap": {"id": "row"}}]}
)


@pytest.mark.parametrize(
    ("name", "kind"), [("off-by-one:dismiss", AgentKind.REFERENCE), ("loops:heuristic", AgentKind.HEURISTIC)]
)
def test_faulty_agents_are_found_by_name(name: str, kind: AgentKind, tmp_path: Path) -> None:
    spec = resolve(f"faulty:{name}")
    assert (spec.kind, spec.name) == (kind, path_name(f"faulty:{name}"))
    agent = make_agent(spec, AgentContext(name=spec.name, folder=tmp_path), TASK)
    assert isinstance(agent, FaultyAgent)


def test_a_file_gives_each_task_its_fault(tmp_path: Path) -> None:
    path = tmp_path / "faults.json"
    path.write_text(json.dumps({"t": "loops", "other": None}))
    choice = parse_fault(f"@{path}")
    assert choice.in_task("t") is AgentFaultKind.LOOPS
    assert choice.in_task("other") is choice.in_task("unknown") is None
    spec = resolve(f"subject=faulty:@{path}:dismiss")
    assert spec.name == "subject"
    assert isinstance(make_agent(spec, AgentContext(name="subject", folder=tmp_path), TASK), FaultyAgent)


@pytest.mark.parametrize(
    "name",
    ["faulty:loops", "faulty:lops:dismiss", "faulty:loops:faulty:loops:dismiss", "faulty:@nowhere:dismiss"],
)
def test_wrong_names_are_refused(name: str) -> None:
    with pytest.raises(InputError):
        resolve(name)
