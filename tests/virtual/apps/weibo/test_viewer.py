from __future__ import annotations

import pytest

from garabench.virtual.apps.weibo import names
from tests.virtual.apps.weibo.hand import Hand


@pytest.fixture
def hand() -> Hand:
    hand = Hand()
    hand.open(names.DETAIL, post="camp-list")
    return hand


def test_a_picture_opens_and_turns_to_the_next(hand: Hand) -> None:
    hand.tap(id="iv_picture", desc="图片2")
    assert hand.text(id="picture_number") == "2/9"
    hand.tap(id="picture_after")
    assert hand.text(id="picture_number") == "3/9"
    for _ in range(4):
        hand.tap(id="picture_before")
    assert hand.text(id="picture_number") == "1/9"
    hand.tap(id="picture_close")
    assert hand.front == names.DETAIL


def test_there_is_no_picture_after_the_last(hand: Hand) -> None:
    hand.open(names.PICTURES, post="camp-list", place=40)
    hand.tap(id="picture_after")
    assert hand.text(id="picture_number") == "9/9"


def test_a_post_without_pictures(hand: Hand) -> None:
    hand.open(names.PICTURES, post="noisy-1")
    assert "不存在" in hand.text(id="tips")
