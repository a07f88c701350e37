"""Bilibili on a virtual phone: its screens, its data, links and the keyboard."""

from __future__ import annotations

from garabench.core.selector import Selector, find
from garabench.virtual.apps.bilibili import content, names
from garabench.virtual.apps.bilibili.app import APP
from garabench.virtual.kit.framework import Intent
from tests.cases import every_case
from tests.virtual.apps.driver import Driver

VIDEO = next(iter(content.videos().values()))


def tap(driver: Driver, **selector: object) -> None:
    at = driver.find(Selector.model_validate(selector)).bounds.center
    driver.phone.input.tap(at.x, at.y)
    driver.settle()


def seen(driver: Driver, **selector: object) -> bool:
    return bool(find(driver.facts().tree, Selector.model_validate(selector)))


def start(driver: Driver, activity: str, **extras: str) -> None:
    driver.phone.activities.start(Intent(package=APP.package, activity=activity, extras=extras))
    driver.settle()


@every_case("name", APP.activities)
def test_every_screen_renders_with_known_icons(name: str) -> None:
    driver = Driver("android-19:720x1280")
    start(driver, name)
    colors = driver.phone.frame().image.convert("RGB").getcolors(maxcolors=1_000_000)
    assert colors is not None
    assert len(colors) > 30


def test_data_survives_a_force_stop_but_an_open_search_does_not() -> None:
    driver = Driver()
    start(driver, names.VIDEO, video=VIDEO.id)
    tap(driver, id="frame_like")
    start(driver, names.SEARCH, query="花海")
    driver.phone.activities.force_stop(APP.package)
    driver.launch()
    assert seen(driver, id="expand_search")
    tap(driver, id="expand_search")
    assert (
        driver.find(Selector(id="search_src_text")).text == driver.find(Selector(id="search_src_text")).hint
    )
    assert seen(driver, id="history_text", text="花海")
    start(driver, names.VIDEO, video=VIDEO.id)
    assert driver.find(Selector(id="frame_like")).desc.startswith("已点赞,")


def test_a_link_opens_the_video_page() -> None:
    driver = Driver()
    driver.phone.activities.start(
        Intent(action="android.intent.action.VIEW", data=f"bilibili://video/{VIDEO.id}")
    )
    driver.settle()
    assert driver.find(Selector(id="title")).text == VIDEO.title


def test_a_page_loads_once_wifi_is_back() -> None:
    driver = Driver()
    settings = driver.phone.settings
    settings.put("global", "wifi_on", "0")
    settings.put("global", "mobile_data", "0")
    start(driver, names.RANKING)
    assert seen(driver, id="retry")
    tap(driver, id="retry")
    assert seen(driver, id="retry")
    settings.put("global", "wifi_on", "1")
    tap(driver, id="retry")
    assert seen(driver, id="rank_list")


def test_the_composer_is_above_the_keyboard() -> None:
    driver = Driver("android-19:720x1280")
    start(driver, names.VIDEO, video=VIDEO.id)
    for entry, field in (("danmaku_entry", "danmaku_input"), ("tab", "comment_input")):
        if entry == "tab":
            tap(driver, id="tab_title", text="评论")
            tap(driver, id="comment_box")
        else:
            tap(driver, id=entry)
        assert driver.find(Selector(id=field)).focused
        assert driver.phone.ime.shown
        driver.phone.ime.commit_text("好")
        tap(driver, id=field.replace("_input", "_send"))
        assert not seen(driver, id=field)
        assert not driver.phone.ime.shown
    assert seen(driver, id="comment_content", text="好")
    assert seen(driver, id="danmaku_own", text="好")


def test_results_are_longer_than_a_screen_and_scroll() -> None:
    driver = Driver()
    start(driver, names.SEARCH, query="稻香")
    before = {node.text for node in find(driver.facts().tree, Selector(id="title"))}
    driver.phone.input.swipe(500, 1900, 500, 700, 600)
    driver.settle()
    after = {node.text for node in find(driver.facts().tree, Selector(id="title"))}
    assert after - before


def test_clickable_widgets_of_the_video_page_are_on_screen() -> None:
    for profile in ("android-19:720x1280", "android-34:1080x2400"):
        driver = Driver(profile)
        start(driver, names.VIDEO, video=VIDEO.id)
        size = driver.phone.display.current_size
        for name in ("frame_like", "frame_coin", "frame_fav", "frame_share", "follow", "danmaku_entry"):
            bounds = driver.find(Selector(id=name)).bounds
            assert 0 <= bounds.left < bounds.right <= size.width
            assert bounds.height > 30
