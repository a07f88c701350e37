"""English instructions are parsed into subgoals. The sentences are not from any task."""

from __future__ import annotations

import pytest

from garabench.agents.heuristic.english import read
from garabench.agents.heuristic.subgoals import SubgoalKind
from tests.agents.heuristic.test_chinese import rows_of, word_of
from tests.cases import every_case


def expected(text: str) -> list[tuple[str, str]]:
    return [(step.kind.value, word_of(step)) for step in read(text)]


TABLE = """
Search for red shoes and open the first one.
    search red shoes | find first
On Amazon search for tea, add the Green Tea in Large to the cart, and open the cart.
    search tea | find Green Tea | pick Large | act 加入购物车 | find cart
In the settings of Spotify turn Autoplay off.
    find 设置 | switch Autoplay
Switch on Night light.
    switch Night light
Open the profile of Ann Lee and follow her.
    find Ann Lee | find her | act 关注
Filter by Prime, brand Sony and 4 stars & up.
    pick Prime | pick Sony | pick 4 stars & up
Sort by price from low to high.
    pick price: low to high
Set Theme to Dark.
    find Theme | pick Dark
Save the lamp for later.
    find lamp | act 稍后再看
Make a new list called Summer, open it.
    act 新建 | type Summer | act 保存
Search for 稻香 and like it.
    search 稻香 | act 点赞
Switch the dark theme on under Display in the phone's own settings, and come back to Spotify.
    system | find Display | switch dark theme | return
Find out at what time the Old Mill Museum closes.
    search Old Mill Museum | answer what time the Old Mill Museum closes
Find out at what time the Old Mill Museum closes. Answer with the time alone.
    search Old Mill Museum | answer what time the Old Mill Museum closes
Set Theme to Dark. Answer with the name alone.
    find Theme | pick Dark | answer the name
Scroll down the list until line 70 is on the screen, then say that you are done.
    find line 70
Tap the button 20 of the board.
    find 20
Type the text “Hello, you” into the field A.
    type Hello, you | act 发送
"""


@every_case(("text", "steps"), rows_of(TABLE))
def test_subgoals_are_in_order(text: str, steps: str) -> None:
    assert " | ".join(f"{kind} {word}".strip() for kind, word in expected(text)) == steps


@pytest.mark.parametrize(
    "text", ["", "Do not touch the others.", "Leave the rest as it is.", "...", "If all is well, say so."]
)
def test_what_must_stay_unchanged_is_not_a_subgoal(text: str) -> None:
    assert expected(text) == []


def test_the_state_of_a_switch_may_precede_or_follow_its_name() -> None:
    ways = ("Turn Sync off.", "Turn off Sync.", "Switch Sync on.", "Switch on Sync.")
    steps = [step for text in ways for step in read(text) if step.kind is SubgoalKind.SWITCH]
    assert [step.on for step in steps] == [False, False, True, True]
    assert {step.names[0] for step in steps} == {"Sync"}
