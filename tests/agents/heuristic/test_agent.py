"""The agent on small apps in memory: it reaches its goal, dismisses dialogs, resumes, and gives up."""

from __future__ import annotations

import pytest

from garabench.agents.heuristic.agent import HeuristicAgent
from garabench.core import action as act
from garabench.core.observation import Observation
from garabench.core.tree import UiTree
from tests.agents.heuristic.worlds import NO_PICTURE, SCREEN, Line, Page, World, brief, look, play

HOME = Page((Line("搜索", "search"), Line("视频一", "video"), Line("我的", "mine"), Line("购物车", "cart")))
PAGES = {
    "home": HOME,
    "search": Page((Line("搜索", field=True),), submits_to="results"),
    "results": Page(
        (Line("晴天 翻唱", "other", details=("小李", "3万")), Line("晴天", "video", details=("小王", "9万")))
    ),
    "video": Page((Line("点赞", state=False), Line("收藏", state=False)), title="视频"),
    "other": Page((Line("点赞翻唱", state=False),), title="翻唱"),
    "mine": Page((Line("历史记录", "history"), Line("设置", "settings-page")), title="我的"),
    "history": Page((Line("昨天看的"),), title="历史记录"),
    "settings-page": Page((Line("声音", state=True), Line("推送", state=False)), title="设置"),
    "cart": Page((Line("茶"),), title="购物车"),
    "settings": Page((Line("显示", "display"),), package="com.android.settings"),
    "display": Page((Line("深色主题", state=False),), package="com.android.settings"),
}


def let_loose(
    text: str, pages: dict[str, Page] | None = None, **expected: int
) -> tuple[World, list[act.Action]]:
    world = World(pages or PAGES)
    decisions = play(HeuristicAgent(), world, brief(text, **expected))
    return world, [decision.action for decision in decisions]


def test_it_searches_opens_and_likes() -> None:
    world, actions = let_loose("搜索“晴天”，打开“晴天”，并给它点赞。")
    assert world.typed == ["晴天"]
    assert world.switches == {"点赞": True}
    assert isinstance(actions[-1], act.Done)
    assert len(actions) == 5


def test_the_text_next_to_an_item_disambiguates_it() -> None:
    world, _ = let_loose("搜索“晴天”，打开“小李”的视频。")
    assert world.at == "other"


def test_switches_are_set_to_the_wanted_state() -> None:
    world, _ = let_loose("打开“我的”里的“设置”，关闭“声音”，关闭“推送”。")
    assert world.switches == {"声音": False}


def test_it_visits_the_system_settings_and_returns() -> None:
    world, actions = let_loose("到手机系统设置的“显示”里打开深色主题，最后回到微信。")
    assert world.switches == {"深色主题": True}
    assert act.OpenApp(package="com.android.settings") in actions
    assert world.at == "home"
    assert isinstance(actions[-1], act.Done)


@pytest.mark.parametrize(
    ("buttons", "pressed"),
    [
        (("去升级", "以后再说"), "以后再说"),
        (("Update", "Not now"), "Not now"),
        (("立即打开",), "立即打开"),
        (("甲", "乙"), "乙"),
    ],
)
def test_a_dialog_of_another_app_is_declined(buttons: tuple[str, ...], pressed: str) -> None:
    dialog = Page(tuple(Line(text, "home") for text in buttons), message="发现新版本", package="org.other")
    world = World(PAGES | {"dialog": dialog}, at="dialog")
    play(HeuristicAgent(), world, brief("打开“购物车”。"))
    assert world.seen[0] == pressed
    assert world.at == "cart"


def test_a_dialog_after_its_own_action_is_confirmed() -> None:
    pages = {
        "home": Page((Line("茶", details=("¥9",)), Line("删除", "sure"))),
        "sure": Page((Line("取消", "home"), Line("确定", "gone")), message="确定要删除吗？"),
        "gone": Page((Line("水"),), title="已删除"),
    }
    world, _ = let_loose("删除“茶”。", pages)
    assert world.at == "gone"


def test_another_app_is_left_by_back_or_by_opening_the_app() -> None:
    pages = PAGES | {
        "foreign": Page((Line("一"), Line("二"), Line("三"), Line("四"), Line("五")), package="org.other")
    }
    world = World(pages, at="foreign")
    actions = [decision.action for decision in play(HeuristicAgent(), world, brief("打开“购物车”。"))]
    assert isinstance(actions[0], act.Back)
    assert isinstance(actions[1], act.OpenApp)
    assert world.at == "cart"


def test_it_reads_an_answer_from_the_screen() -> None:
    pages = {
        "home": Page((Line("小赵", "space"),)),
        "space": Page((Line("粉丝：320", "x"), Line("关注：7")), title="小赵"),
    }
    _, actions = let_loose("打开“小赵”，有多少粉丝？", pages)
    assert actions[-1] == act.Done(answer="320")


def test_it_gives_up_when_nothing_fits() -> None:
    pages = {"home": Page((Line("一"), Line("二")))}
    _, actions = let_loose(
        "打开“没有的东西”，打开“也没有的东西”，打开“更没有的东西”，给它点赞。", pages, steps=40
    )
    assert isinstance(actions[-1], act.GiveUp)


def test_it_gives_up_without_an_answer() -> None:
    _, actions = let_loose("有多少粉丝？", {"home": Page((Line("一"), Line("二")))})
    assert actions[-1] == act.GiveUp(reason="no answer was found on the screen")


def test_an_element_without_effect_is_not_pressed_again() -> None:
    world, _ = let_loose("打开“茶”。", PAGES | {"home": PAGES["cart"]})
    assert world.seen.count("茶") == 1


def test_the_step_limit_is_respected() -> None:
    for steps in (1, 2, 7):
        _, actions = let_loose("搜索“晴天”，打开“没有”，打开“也没有”。", steps=steps)
        assert len(actions) <= steps
        assert isinstance(actions[-1], act.Done | act.GiveUp)


@pytest.mark.parametrize("text", ["", "。", "嗯", "！？", "“”", "《》的“"])
def test_an_empty_instruction_ends_immediately(text: str) -> None:
    _, actions = let_loose(text)
    assert isinstance(actions[-1], act.Done | act.GiveUp)


def test_it_waits_on_an_empty_screen() -> None:
    agent = HeuristicAgent()
    agent.start(brief("打开“购物车”。"))
    empty = look(World(PAGES), 0)
    observation = Observation(0, UiTree(()), NO_PICTURE, empty.focus, empty.source, "", 0.0, SCREEN)
    assert agent.decide(observation, ()).action is not None


def test_a_menu_option_with_the_same_name_is_pressed() -> None:
    pages = {
        "home": Page((Line("转发", "menu"), Line("收藏"))),
        "menu": Page(
            (Line("快转", "home"), Line("转发到首页", "written"), Line("取消", "home")), message="转发"
        ),
        "written": Page((Line("好"),), title="写下想法"),
    }
    world, _ = let_loose("打开“转发”，打开“写下想法”。", pages)
    assert world.seen[:2] == ["转发", "转发到首页"]


def test_a_sheet_of_options_is_not_dismissed() -> None:
    pages = {
        "home": Page((Line("排序", "sheet"), Line("茶"), Line("水"))),
        "sheet": Page(
            (Line("按销量", "sorted"), Line("按距离", "near"), Line("取消", "home")), message="排序方式"
        ),
        "sorted": Page((Line("茶"),), title="按销量"),
        "near": Page((Line("水"),), title="按距离"),
    }
    world, _ = let_loose("按“按距离”排序。", pages)
    assert world.at == "near"
