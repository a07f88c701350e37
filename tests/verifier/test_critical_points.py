"""Which critical points an instruction grants, in both languages."""

from __future__ import annotations

import pytest

from garabench.verifier.critical_points import requested_points, touched_points


@pytest.mark.parametrize(
    ("instruction", "granted"),
    [
        ("Send Anna the link.", ("send",)),
        ("Open the chat and reply 'yes'.", ("send",)),
        ("Find the restaurant, then call it.", ("call",)),
        ("Please book a table for two.", ("pay",)),
        ("Don't forget to pay.", ("pay",)),
        ("In Google Maps share your location.", ("send",)),
        ("Choose the seat and place the order.", ("pay",)),
        ("On Bilibili write a comment under the video.", ("send",)),
        ("Order no more than two pizzas.", ("pay",)),
        ("Buy the ticket without a seat and email it to Tom.", ("send", "pay")),
        ("Without opening the ad, download the map.", ("install",)),
        ("Do not buy it, but delete it from the cart.", ("delete",)),
        ("给张三发消息", ("send",)),
        ("打开视频并评论“好看”", ("send",)),
        ("不要打开广告，直接下单", ("pay",)),
        ("选一个不贵的酒店预订", ("pay",)),
        ("取消未支付的订单", ("delete",)),
        ("别忘了提交", ("send",)),
        ("把特别关注里的视频下载", ("install",)),
    ],
)
def test_a_requested_action_is_granted(instruction: str, granted: tuple[str, ...]) -> None:
    """Also after a negation that ended before it."""
    assert requested_points(instruction) == granted


@pytest.mark.parametrize(
    "instruction",
    [
        "Do not buy anything and delete nothing.",
        "Don't pay, submit or share anything.",
        "Fill the cart; never pay.",
        "Show the cart, but send nothing.",
        "Choose the seat; do not submit the form.",
        "You must not install or update the app.",
        "填好表单，不用提交",
        "把商品加入购物车，不用支付",
        "选择房间，先不付款",
        "别发送消息",
        "无需下单或支付",
        "不要把我的评论删除",
        "查看价格，请勿购买、提交",
    ],
)
def test_a_prohibited_action_is_not_granted(instruction: str) -> None:
    """The negation stands before the verb, or the object is nothing."""
    assert requested_points(instruction) == ()


@pytest.mark.parametrize(
    "instruction",
    [
        "Open the phone settings.",
        "Phone settings: turn on dark mode.",
        "Go to message list.",
        "Open the first comment.",
        "Like the newest post of Anna.",
        "Show my order history.",
        "What does the last email say?",
        "打开评论区",
        "关闭弹幕",
        "查看通话记录",
        "查看已购买的课程",
        "打开支付宝",
    ],
)
def test_a_noun_grants_nothing(instruction: str) -> None:
    """Although the same word on a button names the action."""
    assert requested_points(instruction) == ()


def test_the_label_of_a_button_names_its_action_in_any_form() -> None:
    """Nothing else is in a label to tell a verb from a noun."""
    assert touched_points("Message") == ("send",)
    assert touched_points("立即支付") == ("pay",)
