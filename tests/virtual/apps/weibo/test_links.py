"""Links with the app's scheme open its pages, as from a browser."""

from __future__ import annotations

import pytest

from garabench.virtual.apps.weibo.app import APP
from garabench.virtual.kit.framework import Intent
from tests.virtual.apps.weibo.robot import Robot


@pytest.mark.parametrize(
    ("link", "rid", "text"),
    [
        ("sinaweibo://detail?mblogid=tao-tomato", "tvItemName", "阿桃的厨房"),
        ("sinaweibo://userinfo?uid=cng", "tvNickname", "中国国家地理"),
        (
            "sinaweibo://userinfo?nick=%E7%8C%AB%E9%A6%86%E9%95%BF%E9%98%BF%E7%A6%8F",
            "tvNickname",
            "猫馆长阿福",
        ),
        ("sinaweibo://pageinfo?title=%23%E9%9C%B2%E8%90%A5%23", "topic_title", "#露营#"),
        ("sinaweibo://searchall?q=%E7%95%AA%E8%8C%84", "search_edit", "番茄"),
        ("sinaweibo://userinfo", "tips", "用户不存在"),
        ("sinaweibo://detail?mblogid=%00", "tips", "该微博不存在或已被删除"),
    ],
)
def test_a_link_opens_its_page(link: str, rid: str, text: str) -> None:
    robot = Robot()
    robot.phone.activities.start(Intent(action="android.intent.action.VIEW", data=link))
    robot.settle()
    assert robot.phone.activities.resumed is not None
    assert robot.phone.activities.resumed.app is APP
    assert robot.texts(id=rid)[0] == text
