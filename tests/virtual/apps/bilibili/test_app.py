from __future__ import annotations

from typing import Any

import pytest

from garabench.virtual.apps.bilibili import content, names
from garabench.virtual.apps.bilibili.app import APP
from garabench.virtual.kit.framework import Intent
from tests.cases import every_case
from tests.virtual.apps.fake_phone import FakeContext, by_id, launch, row, texts, views

VIDEO = next(iter(content.videos().values()))
SHORT = next(video for video in content.videos().values() if video.portrait)


def open_video(video: content.Video = VIDEO) -> tuple[Any, FakeContext]:
    return launch(APP, names.STORY if video.portrait else names.VIDEO, video=video.id)


@every_case("name", APP.activities)
def test_every_screen_builds(name: str) -> None:
    activity, _ = launch(APP, name)
    assert sum(1 for _ in views(activity.build())) > 10


@every_case(
    "name",
    [
        name
        for name in APP.activities
        if name not in {names.MAIN, names.SEARCH, names.CHANNELS, names.OFFLINE, names.SETTINGS, names.TEEN}
    ],
)
def test_a_page_shows_an_error_offline_until_loaded(name: str) -> None:
    ctx = FakeContext(APP)
    ctx.online = False
    activity = APP.activities[name](ctx, Intent())
    activity.on_create()
    by_id(activity.build(), "retry").on_click()
    assert ctx.toasts == ["网络连接失败，请稍后重试"]
    ctx.online = True
    by_id(activity.build(), "retry").on_click()
    assert not [view for view in views(activity.build()) if view.id == "network_error"]
    ctx.online = False
    assert not [view for view in views(activity.build()) if view.id == "network_error"]


def test_loaded_tabs_stay_available_offline() -> None:
    activity, ctx = launch(APP, names.MAIN)
    ctx.online = False
    activity.choose("动态")
    assert by_id(activity.build(), "network_error")
    activity.choose("我的")
    assert by_id(activity.build(), "mine_scroll")
    assert activity.on_back()
    assert by_id(activity.build(), "feed_list")
    assert not activity.on_back()


def test_bottom_tab_descriptions_match_the_real_app() -> None:
    activity, _ = launch(APP, names.MAIN)
    bottom = {view.desc: view.selected for view in views(activity.build()) if view.desc.endswith(",标签")}
    assert bottom == {
        "首页,5之1,标签": True,
        "动态,5之2,标签": False,
        "发布内容,5之3,标签": False,
        "会员购,5之4,标签": False,
        "我的,5之5,标签": False,
    }
    activity.choose("动态")
    assert by_id(activity.build(), "dy_list")


def test_a_search_is_submitted_loaded_and_closed_by_back() -> None:
    activity, ctx = launch(APP, names.SEARCH)
    by_id(activity.build(), "search_src_text").on_change("稻")
    assert "稻香 吉他" in texts(activity.build())
    row(activity.build(), "稻香 吉他").on_click()
    assert by_id(activity.build(), "loading")
    ctx.pass_ms(1_000)
    assert by_id(activity.build(), "search_result_list")
    assert activity.on_back()
    assert by_id(activity.build(), "search_src_text").text == ""
    assert "稻香 吉他" in texts(by_id(activity.build(), "search_history"))
    assert not activity.on_back()


def test_an_empty_field_searches_for_the_hint() -> None:
    activity, ctx = launch(APP, names.SEARCH, hint="大运河")
    by_id(activity.build(), "action_search").on_click()
    ctx.pass_ms(1_000)
    assert "一张地图看懂大运河" in texts(activity.build())


def test_an_offline_search_can_be_retried() -> None:
    activity, ctx = launch(APP, names.SEARCH)
    ctx.online = False
    activity.search("稻香")
    by_id(activity.build(), "retry").on_click()
    assert ctx.toasts
    ctx.online = True
    by_id(activity.build(), "retry").on_click()
    ctx.pass_ms(1_000)
    assert by_id(activity.build(), "search_result_list")


def test_only_the_search_history_survives_the_activity() -> None:
    activity, ctx = launch(APP, names.SEARCH)
    activity.search("花海")
    again = type(activity)(ctx, activity.intent)
    again.on_create()
    assert again.text == ""
    assert ctx.data["search_history"][0] == "花海"


def test_every_tab_shows_when_there_are_no_results() -> None:
    activity, ctx = launch(APP, names.SEARCH)
    activity.search("没有人会搜的词汇组合")
    ctx.pass_ms(1_000)
    for tab in ("综合", "番剧", "用户", "专栏"):
        activity.tab = tab
        assert "没有找到相关内容，换个词试试吧" in texts(activity.build())


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [("frame_like", "点赞", "已点赞"), ("frame_coin", "投币", "已投币"), ("frame_fav", "收藏", "已收藏")],
)
def test_action_descriptions_reflect_the_state(name: str, before: str, after: str) -> None:
    activity, _ = open_video()
    assert by_id(activity.build(), name).desc.startswith(f"{before},")
    activity.triple()
    assert by_id(activity.build(), name).desc.startswith(f"{after},")
    assert by_id(activity.build(), name).selected


def test_a_long_press_on_like_also_gives_coins_and_saves() -> None:
    activity, ctx = open_video()
    by_id(activity.build(), "frame_like").on_long_click()
    assert activity.store.liked(VIDEO)
    assert activity.store.coins(VIDEO) == 2
    assert activity.store.folders_with(VIDEO) == {"default"}
    activity.ask_coins()
    assert activity.dialog() is None
    assert ctx.toasts[-1] == "对本视频投币已达上限"


@pytest.mark.parametrize(("choice", "like_too"), [(1, True), (2, False)])
def test_the_coin_dialog_gives_the_chosen_number(choice: int, like_too: bool) -> None:
    activity, _ = open_video()
    by_id(activity.build(), "frame_coin").on_click()
    by_id(activity.dialog(), f"coin_{choice}").on_click()
    if not like_too:
        by_id(activity.dialog(), "coin_like_checkbox").on_click()
    by_id(activity.dialog(), "coin_confirm").on_click()
    assert activity.store.coins(VIDEO) == choice
    assert activity.store.liked(VIDEO) is like_too
    assert activity.dialog() is None


def test_dismissing_a_dialog_changes_nothing() -> None:
    activity, ctx = open_video()
    before = dict(ctx.data)
    for opening in (activity.ask_coins, activity.ask_folders):
        opening()
        assert activity.dialog() is not None
        activity.on_dismiss_dialog()
        assert activity.dialog() is None
    assert ctx.data == before


def test_unfollowing_asks_for_confirmation() -> None:
    activity, _ = open_video()
    by_id(activity.build(), "follow").on_click()
    assert by_id(activity.build(), "follow").text == "已关注"
    by_id(activity.build(), "follow").on_click()
    by_id(activity.dialog(), "unfollow_sheet_no").on_click()
    assert by_id(activity.build(), "follow").text == "已关注"
    by_id(activity.build(), "follow").on_click()
    by_id(activity.dialog(), "unfollow_sheet_yes").on_click()
    assert by_id(activity.build(), "follow").text == "关注"


def test_actions_show_a_notice_offline() -> None:
    activity, ctx = open_video()
    ctx.online = False
    for name in ("frame_like", "frame_coin", "frame_fav", "follow"):
        by_id(activity.build(), name).on_click()
    assert set(ctx.toasts) == {"网络不可用，请检查网络设置"}
    assert not activity.store.liked(VIDEO)
    assert activity.dialog() is None


def test_a_comment_is_posted_shown_and_deleted() -> None:
    activity, _ = open_video()
    row(activity.build(), "评论").on_click()
    by_id(activity.build(), "comment_box").on_click()
    assert not by_id(activity.build(), "comment_send").enabled
    by_id(activity.build(), "comment_input").on_change("好听")
    by_id(activity.build(), "comment_send").on_click()
    assert "好听" in texts(by_id(activity.build(), "comment_list"))
    by_id(activity.build(), "comment_delete").on_click()
    by_id(activity.dialog(), "delete_sheet_yes").on_click()
    assert "好听" not in texts(activity.build())


def test_back_closes_the_composer_before_the_page() -> None:
    activity, _ = open_video()
    by_id(activity.build(), "danmaku_entry").on_click()
    assert {"字体大小", "弹幕位置", "弹幕颜色"} <= set(texts(activity.build()))
    assert activity.on_back()
    assert not activity.on_back()


def test_a_related_video_replaces_the_current_one() -> None:
    activity, _ = open_video()
    other = content.related(VIDEO)[0]
    by_id(activity.build(), "related_item").on_click()
    assert by_id(activity.build(), "title").text == other.title
    assert activity.store.history()[0].video == other


@pytest.mark.parametrize("uri", [f"bilibili://video/{VIDEO.id}", f"bilibili://video/{VIDEO.id}?from=search"])
def test_a_link_opens_its_video(uri: str) -> None:
    activity, _ = launch(APP, names.VIDEO, data=uri)
    assert activity.video == VIDEO


@pytest.mark.parametrize("uri", ["", "bilibili://video/", "bilibili://video/../../etc/passwd"])
def test_an_invalid_link_opens_a_recommended_video(uri: str) -> None:
    activity, _ = launch(APP, names.VIDEO, data=uri)
    assert activity.video.id in content.videos()


def test_the_vertical_player_selects_icons_and_swipes() -> None:
    activity, _ = open_video(SHORT)
    assert not by_id(activity.build(), "like_icon").selected
    by_id(activity.build(), "like_icon").on_click()
    assert by_id(activity.build(), "like_icon").selected
    by_id(activity.build(), "story_next").on_click()
    assert activity.video != SHORT
    assert not by_id(activity.build(), "like_icon").selected


def test_a_setting_persists_and_a_choice_closes_its_sheet() -> None:
    activity, ctx = launch(APP, names.SETTINGS, page="play", title="播放设置")
    row(activity.build(), "后台播放").on_click()
    assert ctx.data["settings"] == {"background_play": True}
    row(activity.build(), "移动网络默认清晰度").on_click()
    row(activity.dialog(), "720P 高清").on_click()
    assert activity.dialog() is None
    assert "720P 高清" in texts(activity.build())


def test_youth_mode_is_toggled_and_shown_in_the_settings() -> None:
    activity, ctx = launch(APP, names.TEEN)
    by_id(activity.build(), "teen_switch").on_click()
    assert by_id(activity.build(), "teen_state").text == "青少年模式已开启"
    assert ctx.data["teen"] is True


def test_a_cards_menu_adds_to_watch_later() -> None:
    activity, ctx = launch(APP, names.MAIN)
    by_id(activity.build(), "inline_three_point").on_click()
    by_id(activity.dialog(), "menu_later").on_click()
    assert ctx.toasts == ["已添加至稍后再看"]
    assert activity.dialog() is None
    by_id(activity.build(), "inline_three_point").on_click()
    assert "移出稍后再看" in texts(activity.dialog())


def test_lists_show_their_size() -> None:
    later, _ = launch(APP, names.LATER)
    assert "共4个" in texts(later.build())
    follows, _ = launch(APP, names.FOLLOWS)
    assert "共8人" in texts(follows.build())
    follows.store.set_following(follows.store.follows()[0], False)
    assert "共7人" in texts(follows.build())


def test_a_new_folder_is_named_and_empty() -> None:
    activity, ctx = launch(APP, names.FAVORITES)
    by_id(activity.build(), "folder_new").on_click()
    by_id(activity.build(), "folder_input").on_change("旅行")
    by_id(activity.build(), "folder_send").on_click()
    assert "旅行" in texts(activity.build())
    made = activity.store.folders()[-1].id
    page = APP.activities[names.FOLDER](ctx, activity.intent)
    page.on_create()
    page.folder_id = made  # type: ignore[attr-defined]
    assert "这个收藏夹还是空的" in texts(page.build())


def test_sibling_keys_are_unique() -> None:
    for name in APP.activities:
        activity, _ = launch(APP, name)
        for view in views(activity.build()):
            keys = [child.key for child in getattr(view, "children", ()) if child.key]
            assert len(set(keys)) == len(keys), f"{name}: {keys}"


def test_the_star_describes_the_videos_folders() -> None:
    activity, _ = open_video()
    activity.store.set_folders(VIDEO, frozenset({"default", "study"}))
    assert by_id(activity.build(), "frame_fav").desc.endswith(",在默认收藏夹、学习资料")
    activity.store.set_folders(VIDEO, frozenset())
    assert "在" not in by_id(activity.build(), "frame_fav").desc
