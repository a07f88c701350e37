"""Every dialect can express the steps of solutions, in as many moves as it needs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from garabench.agents.dialects.catalog import DIALECTS
from garabench.agents.dialects.coordinates import ScreenView
from garabench.agents.dialects.reply import ParsedReply
from garabench.core import action as act
from garabench.core.action import Action
from garabench.core.geometry import Rect, Size
from garabench.core.tree import UiNode, UiTree
from garabench.testing.action_translation import ActionTranslator, UnsupportedActionError
from tests.cases import every_case

SCREEN = Size(1080, 2400)
FIELD = UiNode(cls="android.widget.EditText", text="旧", focused=True, bounds=Rect(100, 100, 900, 200))
BUTTON = UiNode(cls="android.widget.Button", text="搜索", bounds=Rect(900, 100, 1060, 200))
LIST = UiNode(cls="android.widget.ListView", scrollable=True, bounds=Rect(0, 200, 1080, 2200))
TREE = UiTree((UiNode(bounds=Rect(0, 0, 1080, 2400), children=(FIELD, BUTTON, LIST)),))
EMPTY = UiTree(
    (UiNode(children=(UiNode(cls="android.widget.EditText", bounds=FIELD.bounds, focused=True),)),)
)
PHONE_DIALECTS = [name for name in DIALECTS if name not in ("openai-computer-use", "anthropic-computer-use")]


def translator_for(name: str, tree: UiTree = TREE) -> ActionTranslator:
    dialect = DIALECTS[name]
    view = ScreenView(
        SCREEN,
        dialect.image.size(SCREEN),
        tuple(node.bounds for node in (FIELD, BUTTON, LIST)) if dialect.numbers_from is not None else (),
        {"淘宝": "com.taobao.taobao"},
    )
    return ActionTranslator(dialect, view, tree)


def kinds(moves: tuple[Action, ...]) -> list[str]:
    return [move.type for move in moves]


@every_case("name", DIALECTS)
@every_case(
    "action",
    [
        act.Tap(x=500, y=150),
        act.LongPress(x=500, y=150),
        act.Type(text="稻香"),
        act.Type(text="稻香", submit=True),
        act.Type(text="稻香", submit=True, at=(500, 150)),
        act.Type(text="稻香", clear=True, at=(500, 150)),
        act.Scroll(direction="down"),
        act.Scroll(direction="left", x=540, y=1200),
        act.Swipe(x1=540, y1=1800, x2=540, y2=600),
        act.Back(),
        act.Key(name="enter"),
        act.Wait(seconds=0.5),
    ],
    ids=lambda action: action.type,
)
def test_every_dialect_can_express_solution_steps(name: str, action: Action) -> None:
    if isinstance(action, act.Type) and action.clear and name in WITHOUT_CLEARING:
        with pytest.raises(UnsupportedActionError):
            translator_for(name).moves(action)
        return
    translator = translator_for(name)
    moves = translator.moves(action)
    assert moves
    for move in moves:
        text = DIALECTS[name].render(move, translator._view)
        assert text is not None
        assert isinstance(DIALECTS[name].parse(text, translator._view), ParsedReply)


WITHOUT_CLEARING = {"ui-tars-1.0", "ui-tars-1.5", "doubao-ui-tars", "appagent"}
"""Dialects that can neither clear a field nor press delete."""


@every_case("name", DIALECTS)
def test_an_empty_field_is_not_cleared(name: str) -> None:
    moves = translator_for(name, EMPTY).moves(act.Type(text="稻香", clear=True))
    typed = [move for move in moves if isinstance(move, act.Type)]
    assert [move.text for move in typed if move.text] == ["稻香"]
    assert "clear" not in kinds(moves)


@every_case(
    ("name", "action", "expected"),
    [
        ("json", act.Type(text="a", at=(500, 150), clear=True, submit=True), ["type"]),
        ("qwen2.5-vl", act.Type(text="a", at=(500, 150), submit=True), ["tap", "type", "key"]),
        ("gui-owl", act.Type(text="a", at=(500, 150), submit=True), ["tap", "type"]),
        ("qwen2.5-vl", act.Type(text="a", clear=True), ["key", "type"]),
        ("m3a", act.Type(text="a", submit=True), ["type", "key"]),
        ("agentcpm-gui", act.Type(text="a", clear=True), ["clear", "type"]),
        ("gemini-computer-use", act.Type(text="a", submit=True), ["type"]),
        ("qwen3-vl", act.Scroll(direction="down"), ["swipe"]),
        ("openai-computer-use", act.Scroll(direction="down"), ["scroll"]),
        ("m3a", act.Swipe(x1=540, y1=1800, x2=540, y2=600), ["scroll"]),
        ("openai-computer-use", act.Wait(seconds=0.5), ["wait"]),
        ("gemini-computer-use", act.Wait(seconds=0.5), ["wait"]),
    ],
)
def test_an_action_becomes_these_moves(name: str, action: Action, expected: list[str]) -> None:
    assert kinds(translator_for(name).moves(action)) == expected


def test_a_scroll_becomes_a_swipe_in_the_opposite_direction() -> None:
    (move,) = translator_for("qwen3-vl").moves(act.Scroll(direction="down"))
    assert isinstance(move, act.Swipe)
    assert move.y2 < move.y1 and move.x1 == move.x2 == 540


def test_a_tap_becomes_a_tap_on_the_numbered_element_around_it() -> None:
    translator = translator_for("appagent")
    (move,) = translator.moves(act.Tap(x=910, y=110))
    assert move == act.Tap(x=BUTTON.bounds.center.x, y=BUTTON.bounds.center.y)
    with pytest.raises(UnsupportedActionError, match="appagent cannot express tap"):
        translator.moves(act.Tap(x=540, y=2300))


@every_case("name", PHONE_DIALECTS)
def test_every_phone_dialect_can_end_an_episode(name: str) -> None:
    assert kinds(translator_for(name).moves(act.Done())) == ["done"]
    assert kinds(translator_for(name).moves(act.GiveUp(reason="lost")))[0] in ("give_up", "done")


@pytest.mark.parametrize("name", ["agentcpm-gui", "appagent"])
def test_some_dialects_cannot_express_an_answer(name: str) -> None:
    with pytest.raises(UnsupportedActionError):
        translator_for(name).moves(act.Done(answer="42"))


@given(x=st.integers(0, 1079), y=st.integers(0, 2399), name=st.sampled_from(list(DIALECTS)))
def test_translation_terminates(x: int, y: int, name: str) -> None:
    translator = translator_for(name)
    for action in (
        act.DoubleTap(x=x, y=y),
        act.Drag(x1=x, y1=y, x2=0, y2=0),
        act.Swipe(x1=x, y1=y, x2=9, y2=9),
    ):
        try:
            assert translator.moves(action)
        except UnsupportedActionError:
            continue
