from __future__ import annotations

from typing import Any

import pytest

from garabench.virtual.apps.launcher.app import APP, HOME
from garabench.virtual.apps.market.app import APP as STORE
from garabench.virtual.apps.settings.app import APP as SETTINGS
from garabench.virtual.kit.framework import App
from tests.virtual.apps.fake_phone import FakeContext, by_id, launch, namespace, texts, views


def app(number: int) -> App:
    return App(
        package=f"app.number{number}",
        label={"zh": f"应用{number}", "en": f"App {number}"},
        activities={},
        launcher=f"app.number{number}.Main",
    )


def home(*apps: App, lang: str = "zh") -> tuple[Any, FakeContext]:
    entries = [namespace(app=each) for each in apps]
    return launch(APP, HOME, lang=lang, system=namespace(packages=namespace(query_launcher=lambda: entries)))


@pytest.mark.parametrize(
    ("lang", "expected"),
    [("zh", {"应用1", "09:41", "5月20日 星期一"}), ("en", {"App 1", "09:41", "Mon, May 20"})],
)
def test_the_home_screen_shows_clock_date_and_apps(lang: str, expected: set[str]) -> None:
    activity, _ = home(app(1), SETTINGS, STORE, lang=lang)
    assert expected <= set(texts(activity.build()))


def test_settings_and_the_market_are_in_the_dock() -> None:
    activity, _ = home(app(1), SETTINGS, STORE)
    dock = by_id(activity.build(), "hotseat")
    assert {view.desc for view in views(dock) if view.id == "icon"} == {"设置", "应用商店"}


def test_a_tap_on_an_icon_starts_the_app() -> None:
    activity, ctx = home(app(1))
    next(view for view in views(activity.build()) if view.desc == "应用1").on_click()
    (intent,) = ctx.started
    assert (intent.package, intent.activity) == ("app.number1", "app.number1.Main")
    assert "android.intent.category.LAUNCHER" in intent.categories


def test_a_long_press_opens_the_apps_settings() -> None:
    activity, ctx = home(app(1))
    next(view for view in views(activity.build()) if view.desc == "应用1").on_long_click()
    assert ctx.started[0].data == "package:app.number1"


def test_the_drawer_lists_the_remaining_apps() -> None:
    activity, _ = home(*(app(number) for number in range(60)))
    assert "应用59" not in texts(activity.build())
    by_id(activity.build(), "all_apps_button").on_click()
    assert "应用59" in texts(activity.build())
    assert activity.on_back()
    assert "应用59" not in texts(activity.build())


def test_the_clock_ticks_only_while_visible() -> None:
    activity, ctx = home(app(1))
    ctx.pass_ms(60_000)
    assert by_id(activity.build(), "clock").text == "09:42"
    assert [timer for timer in ctx.timers if not timer.cancelled]
    activity.on_pause()
    assert not [timer for timer in ctx.timers if not timer.cancelled]
