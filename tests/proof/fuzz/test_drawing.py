"""Actions are drawn from what a finger can reach, and select what they were drawn from."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from garabench.core.geometry import Rect
from garabench.core.seeds import generator
from garabench.core.selector import Selector, find
from garabench.core.step_planner import target_of
from garabench.core.steps import BackStep, LongPressStep, SolutionStep, TapStep
from garabench.core.tree import UiNode, UiTree
from garabench.proof.fuzz.drawing import (
    Screen,
    action_kind,
    draw_acting,
    draw_harmless,
    reachable,
    unselected_tab,
)
from garabench.proof.fuzz.walk import ActionKind
from tests.cases import every_case
from tests.proof.fuzz.pages import APP, element, page

K = ActionKind


@every_case(
    ("node", "kind"),
    [
        (element("", "frame_like", desc="点赞,3"), K.LIKE),
        (element("Follow"), K.LIKE),
        (element("Delete friend request"), K.DELETE),
        (element("加入购物车"), K.ADD),
        (element("确定"), K.CONFIRM),
        (element("", "row", element("Send message")), K.ADD),
        (element("自动播放", "switch", checkable=True), K.TOGGLE),
        (element("综合", "chip", selected=True), K.TOGGLE),
        (element("晴天", "title"), K.OTHER),
        (element("晴天", "banner"), K.PRESS),
    ],
)
def test_kind(node: UiNode, kind: ActionKind) -> None:
    assert action_kind(node, {f"{APP}:id/title"}) is kind


def test_only_the_topmost_window_above_the_keyboard_is_reachable() -> None:
    below = page(element("below")).roots[0]
    dialog = page(element("yes"), element("off", enabled=False), element("covered", top=2000)).roots[0]
    keyboard = UiNode(package="com.example.inputmethod", bounds=Rect(0, 1800, 1080, 2400))
    texts = [node.text for node in reachable(UiTree((keyboard, dialog, below)))]
    assert texts == ["", "yes"]


PATH: tuple[SolutionStep, ...] = (
    TapStep(tap=Selector(id="open")),
    TapStep(tap=Selector(id="title", text="一")),
)
LIST = page(
    element("一", "title"),
    element("二", "title", top=200),
    element("关注", "follow", top=300),
    element("x", "held", top=400, long_clickable=True),
    element("", "field", top=500, cls="android.widget.EditText"),
    element(
        "",
        "",
        element("推荐", "tab", selected=True, top=600),
        element("热门", "tab", top=600),
        element("动画", "tab", top=600),
        top=600,
    ),
)


@settings(max_examples=60)
@given(st.integers(0, 10**6), st.booleans())
def test_drawn_actions_select_an_element_that_the_path_does_not_tap_next(seed: int, follows: bool) -> None:
    screen = Screen(LIST, APP, PATH, done=1)
    drawn = draw_acting(screen, generator(seed), follows=follows)
    assert drawn == draw_acting(screen, generator(seed), follows=follows)
    assert drawn is not None
    assert drawn.kind.acting
    (step,) = drawn.steps
    target = target_of(step)
    assert target is not None
    (node,) = find(LIST, target)
    assert node.text != "一"
    assert isinstance(step, LongPressStep) == (drawn.kind is K.HOLD)


@settings(max_examples=40)
@given(st.integers(0, 10**6))
def test_harmless_actions_can_be_performed(seed: int) -> None:
    drawn = draw_harmless(Screen(LIST, APP, PATH, done=1, opened=True), generator(seed))
    assert drawn.kind.harmless
    for step in drawn.steps[:1]:
        target = target_of(step)
        assert target is None or find(LIST, target)
    if drawn.kind is K.REOPEN:
        assert drawn.steps == (BackStep(), PATH[0])
    if drawn.kind is K.TAB:
        assert find(LIST, target_of(drawn.steps[1]) or Selector(id="none"))[0].text == "推荐"


def test_a_page_without_elements_offers_harmless_actions_only() -> None:
    screen = Screen(UiTree(()), APP, PATH, done=0)
    assert draw_acting(screen, generator(1)) is None
    assert draw_harmless(screen, generator(1)).kind.harmless


def test_a_tab_that_was_left_is_selected_again() -> None:
    now = page(element("推荐", "tab"), element("热门", "tab", selected=True))
    found = unselected_tab(LIST, now)
    assert found is not None
    assert find(now, found)[0].text == "推荐"
    assert unselected_tab(LIST, LIST) is None
