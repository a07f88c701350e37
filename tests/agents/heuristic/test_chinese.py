"""Chinese instructions are parsed into subgoals. The sentences are not from any task."""

from __future__ import annotations

import pytest

from garabench.agents.heuristic.chinese import read
from garabench.agents.heuristic.subgoals import ListRank, Subgoal, SubgoalKind
from tests.cases import every_case


def expected(text: str) -> list[tuple[str, str]]:
    """Return the kind of each subgoal, and its text or its first label."""
    return [(step.kind.value, word_of(step)) for step in read(text)]


def rows_of(table: str) -> list[tuple[str, str]]:
    """Parse a table in which each sentence is followed by a line of its subgoals."""
    lines = [line.strip() for line in table.strip().splitlines()]
    return list(zip(lines[::2], lines[1::2], strict=True))


def word_of(step: Subgoal) -> str:
    if step.order is not None:
        return step.order.value
    return step.text if step.kind in (SubgoalKind.SEARCH, SubgoalKind.TYPE) else next(iter(step.names), "")


TABLE = """
搜索“晴天”，打开“晴天（现场版）”，并给它点赞。
    search 晴天 | find 晴天（现场版） | act 点赞
在微信的设置里打开“新消息提醒”，关闭“声音”。
    find 设置 | find 新消息提醒 | switch 声音
搜索用户“小王”，关注“小王同学”。
    search 小王 | pick 用户 | find 小王同学 | act 关注
取消关注“小李”。
    find 小李 | act 取消关注
把“字体大小”设为“大号”。
    find 字体大小 | pick 大号
给“小王”的视频点赞。
    find first | act 点赞
把“小张”移出黑名单。
    find 小张 | act 删除 | find 黑名单
搜索“耳机”，只看“包邮”，按销量排序，打开第一个。
    search 耳机 | pick 包邮 | pick 销量 | find first
按价格从低到高排序，收藏最便宜的那一个。
    pick 价格从低到高 | find cheapest | act 收藏
发表评论“写得真好”。
    type 写得真好 | act 发送
回复“小陈”的评论，内容是“谢谢”。
    act 回复 | type 谢谢 | act 保存
从“东门”步行到“西门”的路线。
    search 西门 | find 西门 | act 路线 | pick 步行 | find 我的位置 | search 东门 | find 东门
导航去“火车站”，并静音。
    search 火车站 | find 火车站 | act 路线 | act 导航 | act 静音
加入购物车，然后打开购物车。
    act 加入购物车 | find 购物车
再到手机系统设置的“显示”里打开深色主题，最后回到微信。
    system | find 显示 | switch 深色主题 | return
把微信的所有通知关闭。
    switch 所有通知
查一下“小赵”有多少粉丝。
    find 小赵 | answer 查一下小赵有多少粉丝
滚动到第30行。
    find 第30行
请点击按钮 12。
    find 12
"""


@every_case(("text", "steps"), rows_of(TABLE))
def test_subgoals_are_in_order(text: str, steps: str) -> None:
    assert " | ".join(f"{kind} {word}".strip() for kind, word in expected(text)) == steps


@pytest.mark.parametrize(
    "text", ["不要动其他开关。", "其他商品都保留。", "先不付款。", "停在结果页。", "", "。，！"]
)
def test_what_must_stay_unchanged_is_not_a_subgoal(text: str) -> None:
    assert expected(text) == []


def test_qualifiers_are_kept() -> None:
    (find, act) = read("收藏“小店”。")
    assert act.near == ("小店",)
    assert find.names == ("小店",)


def test_undo_actions_are_recognized() -> None:
    assert read("取消收藏旧书。")[-1].undo
    assert not read("收藏“旧书”。")[-1].undo


def test_a_switch_has_a_state() -> None:
    off, on = (step for text in ("关闭“声音”。", "开启“声音”。") for step in read(text))
    assert (off.on, on.on) == (False, True)


def test_ranks_are_parsed() -> None:
    orders = [read(f"打开{words}。")[0].order for words in ("第一个视频", "最便宜的那一款", "播放最多的视频")]
    assert orders == [ListRank.FIRST, ListRank.CHEAPEST, ListRank.MOST]


def test_a_text_is_sent_after_its_options_are_chosen() -> None:
    kinds = expected("发一条动态“早上好”，公开范围选“好友”。")
    assert kinds == [("type", "早上好"), ("pick", "好友"), ("act", "发送")]
