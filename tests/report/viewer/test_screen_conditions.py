from __future__ import annotations

import dataclasses

from garabench.core.geometry import Rect
from garabench.core.goal import Goal
from garabench.core.observation import Focus
from garabench.core.tree import UiNode, UiTree
from garabench.records.recorded_screen import RecordedScreen
from garabench.report.viewer.screen_conditions import (
    goal_conditions,
    goal_trace,
    rule_matches,
    tree_data,
)
from garabench.suite.suite import Suite

APP = "com.example.reader"
TREE = UiTree(
    (
        UiNode(
            package=APP,
            children=(
                UiNode("a", package=APP, bounds=Rect(0, 0, 9, 9)),
                UiNode("", f"{APP}:id/like", package=APP, clickable=True, enabled=False),
            ),
        ),
    )
)
SCREEN = RecordedScreen("screen", TREE, Focus(APP, "Main"), step=1, actions={})


def test_a_goal_names_its_evidence(suite: Suite) -> None:
    met, missed = (goal_conditions(suite.tasks[f"like-{name}"], SCREEN, None)[0] for name in "ab")
    assert (met["id"], met["name"], met["holds"], met["evidence"]) == ("liked", "exists", True, [1])
    assert (missed["holds"], missed["evidence"]) == (False, [])
    assert "is not on the screen" in missed["reason"]


def test_a_goal_is_followed_over_the_screens(suite: Suite) -> None:
    empty = RecordedScreen("empty", UiTree(()), None)
    (found,) = goal_trace(suite.tasks["like-a"], [empty, None, SCREEN], None)
    assert found == {"role": "goal", "condition": "exists: {text: a}", "holds": [False, None, True]}


def test_an_earlier_condition_is_judged_by_the_screens_before(suite: Suite) -> None:
    condition = {"all": [{"exists": {"text": "b"}}, {"earlier": {"exists": {"text": "a"}}}]}
    goal = Goal.model_validate({"id": "then", "condition": condition})
    item = dataclasses.replace(suite.tasks["like-a"], goal=goal)
    b = RecordedScreen("b", UiTree((UiNode("b", package=APP),)), None)
    (found,) = goal_conditions(item, b, None, [b, None, SCREEN])
    assert found["holds"]
    (part, then) = found["parts"]
    assert (part["evidence"], then["name"], then["holds"], then["parts"]) == ([0], "earlier", True, [])
    assert then["reason"].startswith("earlier, at step 1: ")
    assert not goal_conditions(item, b, None, [SCREEN])[0]["holds"]  # the first screen does not count
    trace = goal_trace(item, [SCREEN, None, SCREEN, b], None)
    assert [row["holds"] for row in trace] == [[False, None, False, True], [False, None, False, True]]


def test_a_rule_says_what_it_found(suite: Suite) -> None:
    (found,) = rule_matches(suite.tasks["like-a"], suite, SCREEN)
    assert (found["rule"], found["fires"], found["injected"]) == ("battery", True, False)
    assert [part["name"] for part in found["parts"]][-1] == "exists"


def test_a_tree_is_flat_with_depths(suite: Suite) -> None:
    rows = tree_data(TREE)
    assert [(row["depth"], row.get("text"), row.get("id")) for row in rows] == [
        (0, None, None),
        (1, "a", None),
        (1, None, "like"),
    ]
    assert rows[2]["flags"] == ["clickable", "disabled"]
