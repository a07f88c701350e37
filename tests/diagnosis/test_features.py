from __future__ import annotations

from dataclasses import replace

import pytest

from garabench.core import action as act
from garabench.core.companion_app import PACKAGE as COMPANION
from garabench.core.observation import Focus
from garabench.diagnosis.failed_case import FailedCase
from garabench.diagnosis.features import (
    FeatureKind,
    asks_for_input,
    error_text,
    fit,
    plain_words,
    trajectory_features,
)
from tests.diagnosis.cases import (
    APP,
    DEAD_BUTTON,
    PAGE,
    SHOP,
    WRONG_ROW,
    failed_case,
    node,
    rows,
    screen,
    tap,
)

FIELD = screen(node("", 0, cls="android.widget.EditText", focused=True))
TYPED = screen(node("Blue kettle", 0, cls="android.widget.EditText", focused=True))
INTERRUPTED = screen(node("Allow", 0, package=COMPANION), package=COMPANION)
BLUE = act.Type(text="Blue kettle")


def kinds(case: FailedCase) -> dict[int, set[FeatureKind]]:
    found: dict[int, set[FeatureKind]] = {}
    for each in trajectory_features(case):
        found.setdefault(each.place, set()).add(each.kind)
    return found


@pytest.mark.parametrize(
    ("case", "place", "kind"),
    [
        (DEAD_BUTTON, 1, FeatureKind.NO_CHANGE),
        (DEAD_BUTTON, 2, FeatureKind.REPEATED_STATE),
        (replace(DEAD_BUTTON, ending="gave_up"), 3, FeatureKind.ENDED_EARLY),
        (WRONG_ROW, 0, FeatureKind.WRONG_OBJECT),
        (failed_case([(SHOP, tap(9)), (SHOP, act.Done())]), 0, FeatureKind.TARGET_MISSING),
        (failed_case([(SHOP, tap(40)), (SHOP, act.Done())]), 0, FeatureKind.OUT_OF_VIEW),
        (failed_case([(screen(node("Buy", enabled=False)), tap(0))]), 0, FeatureKind.DISABLED),
        (failed_case([(rows("Shop has stopped"), act.Back())]), 0, FeatureKind.ERROR_DIALOG),
        (failed_case([(rows("Loading…"), act.Done())]), 0, FeatureKind.LOADING),
        (failed_case([(SHOP, tap(1)), (PAGE, act.Back()), (SHOP, tap(1)), (FIELD, act.Done())]), 2,
         FeatureKind.DIFFERENT_RESULT),
        (failed_case([(FIELD, BLUE), (FIELD, act.Done())]), 0, FeatureKind.TEXT_GONE),
        (failed_case([(FIELD, BLUE), (TYPED, act.Done())]), 0, FeatureKind.NOT_SUBMITTED),
        (failed_case([(FIELD, act.Type(text="toaster", submit=True)), (PAGE, act.Done())]), 0,
         FeatureKind.WRONG_TEXT),
        (failed_case([(SHOP, tap(1)), (PAGE, tap(0))], focus=Focus("org.other", "Main")), 0,
         FeatureKind.WRONG_APP),
    ],
    ids=lambda value: value.value if isinstance(value, FeatureKind) else None,
)  # fmt: skip
def test_each_feature_is_noticed(case: FailedCase, place: int, kind: FeatureKind) -> None:
    assert kind in kinds(case)[place]


@pytest.mark.parametrize(
    ("typed", "instruction", "wrong"),
    [
        ("9165550163", "Add the number 916-555-0163.", False),
        ("(916) 555-0163", "Add the number 916.555.0163.", False),
        ("+1 916 555 0163", "Add the number 916-555-0163.", False),
        ("9165550164", "Add the number 916-555-0163.", True),
        ("21", "Add 2 teas, then 1 coffee.", True),
        ("toaster", "Open the Blue kettle.", True),
    ],
)
def test_a_typed_number_is_compared_without_separators(typed: str, instruction: str, wrong: bool) -> None:
    case = failed_case([(FIELD, act.Type(text=typed, submit=True)), (PAGE, act.Done())], instruction)
    assert (FeatureKind.WRONG_TEXT in kinds(case).get(0, set())) is wrong


@pytest.mark.parametrize(
    ("followed_up", "wrong"), [((), True), ((0,), False), ((1,), False), ((3,), True)], ids=str
)
def test_an_app_that_a_follow_up_opened_is_not_wrong(followed_up: tuple[int, ...], wrong: bool) -> None:
    case = failed_case([(SHOP, tap(0)), (PAGE, tap(0)), (PAGE, tap(0)), (SHOP, act.Done())])
    steps = (
        replace(
            step,
            focus=Focus("com.android.settings", "Wifi") if place in (1, 2) else step.focus,
            followed_up=place in followed_up,
        )
        for place, step in enumerate(case.steps)
    )
    found = kinds(replace(case, steps=tuple(steps)))
    assert (FeatureKind.WRONG_APP in found.get(0, set())) is wrong


def test_acting_under_an_interruption_is_noticed() -> None:
    case = failed_case([(INTERRUPTED, tap(5)), (SHOP, act.Done())])
    covered = replace(case, steps=(replace(case.steps[0], interrupted=True), case.steps[1]))
    assert FeatureKind.INTERRUPTION_OPEN in kinds(covered)[0]
    answered = failed_case([(INTERRUPTED, tap(0)), (SHOP, act.Done())])
    answered = replace(answered, steps=(replace(answered.steps[0], interrupted=True), answered.steps[1]))
    assert 0 not in kinds(answered)


def test_an_action_that_was_not_performed_is_noticed() -> None:
    case = failed_case([(SHOP, tap(1)), (PAGE, act.Done())])
    refused = replace(case, steps=(replace(case.steps[0], ok=False, detail="no field"), case.steps[1]))
    assert FeatureKind.NOT_PERFORMED in kinds(refused)[0]


def test_a_right_path_has_no_feature_but_its_ending() -> None:
    case = failed_case([(SHOP, tap(1)), (PAGE, act.Done())])
    assert {kind for found in kinds(case).values() for kind in found} == {FeatureKind.ENDED_EARLY}


def test_texts_of_a_screen() -> None:
    assert "has stopped" in error_text(rows("Shop has stopped"))
    assert error_text(SHOP) == ""
    words = plain_words("Open the Blue kettle.")
    assert [fit(each, words) > 0.5 for each in SHOP.app_nodes[1:]] == [False, True, False]


@pytest.mark.parametrize(
    ("message", "asks"),
    [
        ("请选择要删除的浏览记录", True),
        ("收货人不能为空", True),
        ("Please select a size", True),
        ("Name is required", True),
        ("服务繁忙，请稍后再试", False),
        ("全部暂未开通", False),
        ("Please try again later", False),
        ("", False),
    ],
)
def test_a_message_may_ask_for_missing_input(message: str, asks: bool) -> None:
    assert asks_for_input(message) is asks


def test_a_tab_that_is_shown_need_not_react() -> None:
    tabs = screen(node("All", 0, selected=True), node("Shops", 100))
    toggle = screen(node("Like", 0, selected=True, resource_id=f"{APP}:id/like"), node("Share", 100))
    for tree, silent in ((tabs, False), (toggle, True), (screen(node("All", 0, selected=True)), True)):
        found = kinds(failed_case([(tree, tap(0)), (tree, act.GiveUp())]))
        assert (FeatureKind.NO_CHANGE in found.get(0, set())) is silent
