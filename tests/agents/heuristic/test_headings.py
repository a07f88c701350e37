"""A heading that names what to press is followed, on any page, until it names nothing more."""

from __future__ import annotations

import pytest

from garabench.agentcheck import prompts
from garabench.agents.heuristic import chinese, english
from garabench.agents.heuristic.agent import HeuristicAgent
from garabench.agents.heuristic.headings import item_named_by_heading
from garabench.agents.heuristic.screen import screen_contents
from garabench.agents.heuristic.subgoals import Subgoal, SubgoalKind
from garabench.core import action as act
from tests.agents.heuristic.worlds import SCREEN, Line, Page, World, brief, play

LINES = (Line("17", "b"), Line("3", "end"), Line("红色", "c"), Line("173", "wrong"))
PAGES = {
    "home": Page(LINES, title="Tap 17"),
    "b": Page(LINES, title="请点击“红色”"),
    "c": Page(LINES, title="Now tap 3, please"),
    "end": Page((Line("茶"),), title="Everything is done."),
    "wrong": Page((Line("茶"),), title="?"),
}


@pytest.mark.parametrize(
    ("title", "found"),
    [
        ("Tap 17", "17"),
        ("请点击 17", "17"),
        ("点击“红色”", "红色"),
        ("Tap 99, then 3", "3"),
        ("Tap 1", None),
        ("红色", None),
        ("Everything is done.", None),
        ("", None),
    ],
)
def test_the_item_named_by_a_heading(title: str, found: str | None) -> None:
    world = World({"home": Page(LINES, title=title)})
    item = item_named_by_heading(screen_contents(world.tree(), SCREEN))
    assert (item.title if item else None) == found


def test_failed_items_are_excluded() -> None:
    screen = screen_contents(World(PAGES).tree(), SCREEN)
    item = item_named_by_heading(screen)
    assert item is not None
    assert item_named_by_heading(screen, {item.key}) is None


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("Tap the button whose number is shown at the top of the screen.", [SubgoalKind.NAMED]),
        ("Press the tile that the title names.", [SubgoalKind.NAMED]),
        (prompts.TAPS["en"], [SubgoalKind.NAMED]),
        ("Tap the button that says Send.", [SubgoalKind.FIND]),
        ("Tap the first video.", [SubgoalKind.FIND]),
    ],
)
def test_an_english_instruction_that_refers_to_the_heading(text: str, kinds: list[SubgoalKind]) -> None:
    assert [step.kind for step in english.read(text)] == kinds


@pytest.mark.parametrize(
    "text", ["请点击屏幕顶部写明编号的那个按钮。", "点击标题里数字的按钮。", prompts.TAPS["zh"]]
)
def test_a_chinese_instruction_that_refers_to_the_heading(text: str) -> None:
    assert chinese.read(text) == (Subgoal(SubgoalKind.NAMED),)


@pytest.mark.parametrize("language", prompts.LANGUAGES)
def test_it_follows_the_headings_to_the_end(language: str) -> None:
    world = World(PAGES)
    expected = brief(prompts.TAPS["zh"]) if language == "zh" else brief(prompts.TAPS["en"], language="en")
    decisions = play(HeuristicAgent(), world, expected)
    assert world.at == "end"
    assert [decision.action.type for decision in decisions[:3]] == ["tap"] * 3
    assert isinstance(decisions[-1].action, act.Done)
