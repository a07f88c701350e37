from __future__ import annotations

from typing import Any, cast

import pytest
from pydantic import TypeAdapter

from garabench.core.companion_app import PACKAGE
from garabench.core.condition import AllOf, Condition
from garabench.core.goal import Goal
from garabench.core.observation import Focus
from garabench.core.recorded_facts import RecordedFacts
from garabench.core.tree import SYSTEM_UI, UiNode, UiTree
from garabench.device.device import Device
from garabench.episode.app_visibility import is_app_covered, without_companion
from garabench.goals.goal_check import DeviceFacts, GoalChecker, check_goal, evaluate_without_elements
from tests.cases import every_case

APP = UiNode(package="a.b", children=(UiNode(text="已点赞", package="a.b"),))
DIALOG = UiNode(package=PACKAGE, children=(UiNode(text="已点赞", package=PACKAGE),))
BAR = UiNode(package=SYSTEM_UI, text="09:41")
NOWHERE = Focus("", "")


def verdict(condition: Any, tree: UiTree, *, unseen: bool, answer: str | None = None) -> bool | None:
    class Facts(DeviceFacts):
        """Facts of a device with one setting."""

        def setting(self, namespace: str, key: str) -> str | None:
            return "1"

    facts = Facts(tree, cast(Device, object()), answer=answer, focus=NOWHERE)
    goal = Goal.model_validate({"id": "g", "condition": condition})
    return check_goal(goal, facts, unseen=unseen).holds


LIKED = {"exists": {"text": "已点赞"}}
SETTING = {"setting": {"namespace": "global", "key": "low_power", "equals": "1"}}
OTHER = {"setting": {"namespace": "global", "key": "low_power", "equals": "0"}}


@pytest.mark.parametrize(
    ("roots", "is_covered", "liked"),
    [
        ((APP,), False, True),
        ((DIALOG, BAR), True, None),  # as Android lists windows: none under a modal one
        ((DIALOG,), True, None),  # as uiautomator dump writes them: the active one
        ((DIALOG, BAR, APP), False, True),  # where the windows below are listed, too
        ((BAR,), False, False),
    ],
)
def test_only_the_apps_own_windows_show_its_state(
    roots: tuple[UiNode, ...], is_covered: bool, liked: bool | None
) -> None:
    tree = UiTree(roots)
    assert is_app_covered(tree) is is_covered
    own = without_companion(tree)
    assert PACKAGE not in own.packages
    assert verdict(LIKED, own, unseen=is_app_covered(tree)) is liked


@every_case(
    ("condition", "holds"),
    [
        (LIKED, None),
        ({"absent": {"text": "已点赞"}}, None),
        ({"not": LIKED}, None),
        ({"count": {"select": {"text": "x"}, "equals": 0}}, None),
        (SETTING, True),
        ({"not": SETTING}, False),
        ({"all": [SETTING, LIKED]}, None),
        ({"all": [OTHER, LIKED]}, False),
        ({"any": [SETTING, LIKED]}, True),
        ({"any": [OTHER, LIKED]}, None),
        ({"any": [OTHER, {"answer": {"equals": "6"}}]}, False),
        ({"answer": {"equals": "5"}}, True),
        ({"package": "a.b"}, None),
    ],
)
def test_unseen_conditions_are_unknown_and_other_facts_count(condition: Any, holds: bool | None) -> None:
    assert verdict(condition, UiTree(()), unseen=True, answer="5") is holds


def test_an_answer_is_not_to_blame_where_the_screen_is_unseen() -> None:
    read = TypeAdapter[Any](Condition).validate_python
    answer, liked = read({"answer": {"type": "number", "value": "5"}}), read(LIKED)
    facts: Any = RecordedFacts(UiTree(()), answer="5 or 6")
    assert evaluate_without_elements(AllOf(all=(answer,)), facts).ambiguous_answer
    assert not evaluate_without_elements(AllOf(all=(answer, liked)), facts).ambiguous_answer


def test_a_checker_remembers_the_screens_of_its_episode() -> None:
    def facts(*texts: str, answer: str | None = None) -> DeviceFacts:
        nodes = tuple(UiNode(text=text, package="a.b") for text in texts)
        return DeviceFacts(UiTree(nodes), cast(Device, object()), answer=answer, focus=NOWHERE)

    def goal(*parts: Any) -> Goal:
        return Goal.model_validate({"id": "g", "condition": {"all": parts}})

    saved = {"earlier": {"exists": {"text": "Saved"}}}
    checker = GoalChecker(goal(LIKED, saved), goal({"earlier": {"activity": ".Shop"}}))
    assert checker.check(facts("Saved"), final=True)[0].holds is False
    assert checker.check(facts("已点赞"), final=True)[0].holds is False  # a last screen is not an earlier one
    assert [verdict.holds for verdict in checker.check(facts("Saved"), unseen=True) if verdict] == [False] * 2
    assert checker.check(facts("已点赞"), obstructed=True)[0].holds is False  # hidden screens do not count
    assert checker.check(facts("Saved"))[0].holds is False
    met, harm = checker.check(facts("已点赞"))
    assert met.holds is True
    assert met.reason.endswith("earlier, at step 2: text=Saved is on the screen")
    assert harm is not None and harm.holds is None  # the activity was unknown, with nothing in front
    assert checker.check(facts(), unseen=True)[0].holds is None  # the rest of the goal cannot be seen


def test_a_screen_that_was_turned_counts_as_it_is_upright() -> None:
    def facts(*texts: str) -> DeviceFacts:
        nodes = tuple(UiNode(text=text, package="a.b") for text in texts)
        return DeviceFacts(UiTree(nodes), cast(Device, object()), answer=None, focus=NOWHERE)

    both = {"earlier": {"all": [{"exists": {"text": "Order"}}, {"exists": {"text": "Parcel"}}]}}
    goal = Goal.model_validate({"id": "g", "condition": {"all": [LIKED, both]}})
    for shown, verdict in ((("已点赞", "Order", "Parcel"), True), (("已点赞", "Order"), None)):
        checker = GoalChecker(goal)
        checker.check(facts("Order"), cropped=True)
        assert checker.check(facts("已点赞"), final=True)[0].holds is None
        assert checker.check(facts(*shown), final=True, turned_back=True)[0].holds is verdict
    unturned = GoalChecker(goal)
    unturned.check(facts("Order"))
    assert not unturned.check(facts("已点赞", "Order", "Parcel"), final=True, turned_back=True)[0].holds
