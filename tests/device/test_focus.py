"""Whose window is in focus, by the titles that Android gives its windows."""

from __future__ import annotations

import pytest

from garabench.core.observation import Focus
from garabench.device.focus import parse_activities, parse_window, parse_window_component

APP = "  mFocusedApp=ActivityRecord{1b2c u0 tv.danmaku.bili/.MainActivityV2 t12}\n"
MAIN = Focus(package="tv.danmaku.bili", activity="tv.danmaku.bili.MainActivityV2")


def focus_on(title: str) -> str:
    return f"  mCurrentFocus=Window{{f96644 u0 {title}}}\n{APP}"


@pytest.mark.parametrize(
    ("title", "focus"),
    [
        ("tv.danmaku.bili/tv.danmaku.bili.MainActivityV2", MAIN),
        ("NotificationShade", Focus(package="com.android.systemui", activity="")),
        ("StatusBar", Focus(package="com.android.systemui", activity="")),
        ("Application Error: tv.danmaku.bili", Focus(package="android", activity="")),
        ("Application Not Responding: tv.danmaku.bili", Focus(package="android", activity="")),
        ("PopupWindow:1a2b3c", MAIN),
    ],
)
def test_window_titles_give_the_package(title: str, focus: Focus) -> None:
    assert parse_window(focus_on(title)) == focus


def test_focused_app_is_used_without_a_window_in_focus() -> None:
    assert parse_window(f"  mCurrentFocus=null\n{APP}") == MAIN
    assert parse_window("  mCurrentFocus=null\n") is None
    popup = "  mCurrentFocus=Window{f96644 u0 PopupWindow:1a2b3c}\n"
    assert parse_window(popup) == Focus(package="com.android.systemui", activity="")


def test_component_has_two_parts() -> None:
    assert parse_window_component("a.b/.C") == Focus(package="a.b", activity="a.b.C")
    assert parse_window_component("a.b/c.D") == Focus(package="a.b", activity="c.D")
    assert parse_window_component("NotificationShade") is None
    assert parse_window_component("/x") is None


def test_resumed_activity_is_the_fallback() -> None:
    assert parse_activities("  topResumedActivity=ActivityRecord{1 u0 a.b/.C t7}") == Focus("a.b", "a.b.C")
    assert parse_activities("nothing") is None
