from __future__ import annotations

import json
from typing import Any

import pytest

from garabench.virtual.apps.companion.app import APP, CLOSE, FORCED_LIMIT_MS, PROGRESS, SHOW
from garabench.virtual.apps.companion.event_log import UNSAMPLED
from garabench.virtual.kit.framework import Intent
from tests.cases import every_case
from tests.virtual.apps.companion.test_spec import GOOD, encode
from tests.virtual.apps.fake_phone import FakeContext, by_id, launch, namespace, texts, views

NONCE = "t1"


def show(**change: Any) -> tuple[Any, FakeContext]:
    return launch(APP, SHOW, spec=encode(GOOD | change), token=NONCE)


def events(ctx: FakeContext) -> list[str]:
    lines = [json.loads(message) for tag, message in ctx.lines if tag == "GaraBench"]
    assert [line["seq"] for line in lines] == list(range(1, len(lines) + 1))
    assert {line["token"] for line in lines} <= {"t1"}
    return [line["event"] for line in lines]


@every_case("template", ["dialog", "full-screen", "bottom-sheet"])
@every_case("style", ["permission", "battery", "network", "update", "crash", "prompt"])
def test_every_template_and_style_shows_title_message_and_buttons(template: str, style: str) -> None:
    activity, ctx = show(template=template, style=style, progress=0.4)
    shown = activity.dialog() or activity.build()
    assert by_id(shown, "title").text == "电量不足"
    assert by_id(shown, "message").text == "电池电量严重不足。"
    assert by_id(shown, "progress").value == 0.4
    assert {"前往设置", "忽略"} <= set(texts(shown))
    by_id(shown, "button_later").on_click()
    assert events(ctx) == ["shown", "pressed:later"]
    assert ctx.finished == 1


def test_a_press_is_the_final_event() -> None:
    activity, ctx = show()
    by_id(activity.dialog(), "button_accept").on_click()
    activity.on_pause()
    activity.on_stop()
    activity.on_destroy()
    assert events(ctx) == ["shown", "pressed:accept"]
    assert activity.dialog() is None


def test_back_closes_a_cancelable_window() -> None:
    activity, ctx = show()
    assert activity.on_back()
    assert events(ctx) == ["shown", "hidden", "dismissed"]
    assert ctx.finished == 1


def test_a_forced_window_blocks_back_and_ends_after_ten_minutes() -> None:
    activity, ctx = show(cancelable=False)
    assert activity.on_back()
    activity.on_dismiss_dialog()
    activity.on_touch_outside()
    assert activity.dialog() is not None
    ctx.pass_ms(FORCED_LIMIT_MS - 1)
    assert events(ctx) == ["shown", "back", "back"]
    ctx.pass_ms(1)
    assert events(ctx) == ["shown", "back", "back", "dismissed:timeout"]
    assert ctx.finished == 1


def test_ten_thousand_backs_are_25_events() -> None:
    activity, ctx = show(cancelable=False)
    for _ in range(10_000):
        activity.on_back()
    backs = events(ctx)[1:]
    assert backs[:UNSAMPLED] == ["back"] * UNSAMPLED
    assert backs[UNSAMPLED:] == [f"back:{2**power}" for power in range(5, 14)]


def test_a_touch_outside_closes_a_cancelable_window() -> None:
    activity, ctx = show()
    activity.on_touch_outside()
    assert events(ctx) == ["shown", "hidden", "dismissed"]


def test_home_and_return() -> None:
    activity, ctx = show()
    activity.on_pause()
    activity.on_stop()
    activity.on_resume()
    assert events(ctx) == ["shown", "hidden", "resumed"]


def test_the_close_broadcast_ends_it() -> None:
    activity, ctx = show()
    stack = [namespace(activity=activity)]
    ctx.system.activities.tasks = [namespace(stack=stack)]
    assert APP.receivers[CLOSE](ctx, {}) == (-1, "closed")
    assert events(ctx) == ["shown", "dismissed:close"]
    assert ctx.finished == 1
    stack.clear()
    assert APP.receivers[CLOSE](ctx, {}) == (0, "nothing is shown")


def test_a_new_window_replaces_it() -> None:
    activity, ctx = show()
    activity.on_new_intent(Intent(extras={"spec": encode(GOOD | {"title": "另一个"}), "token": "t2"}))
    tokens = [json.loads(message)["token"] for _, message in ctx.lines]
    assert tokens == ["t1", "t1", "t2"]
    assert by_id(activity.dialog(), "title").text == "另一个"


@pytest.mark.parametrize(
    ("extras", "event"),
    [
        ({"token": "t1"}, "error:missing-spec"),
        ({"token": "t1", "spec": "%"}, "error:bad-base64"),
        ({"token": "t1", "spec": encode(GOOD | {"v": 9})}, "error:bad-version"),
        ({"token": "t1", "spec": True}, "error:missing-spec"),
    ],
)
def test_an_invalid_specification_is_reported_and_shows_nothing(extras: dict[str, Any], event: str) -> None:
    activity, ctx = launch(APP, SHOW, **extras)
    assert events(ctx) == [event]
    assert activity.dialog() is None
    assert not texts(activity.build())
    assert ctx.finished == 1


def test_the_progress_page_fills_and_closes() -> None:
    activity, ctx = launch(APP, PROGRESS, seconds=10, token=NONCE, title="正在更新哔哩哔哩")
    assert "正在更新哔哩哔哩" in texts(activity.build())
    assert activity.on_back()
    ctx.pass_ms(5_000)
    assert by_id(activity.build(), "progress").value == pytest.approx(0.5)
    assert events(ctx) == ["progress_started", "back"]
    ctx.pass_ms(5_000)
    activity.on_destroy()
    assert events(ctx) == ["progress_started", "back", "progress_done"]
    assert ctx.finished == 1


def test_a_closed_or_replaced_progress_page_reports_it() -> None:
    activity, ctx = launch(APP, PROGRESS, seconds=10, token="t1")
    activity.on_new_intent(Intent(extras={"seconds": 5, "token": "t2"}))
    activity.close()
    activity.on_destroy()
    reported = [(line["token"], line["event"]) for line in (json.loads(message) for _, message in ctx.lines)]
    assert reported == [
        ("t1", "progress_started"),
        ("t1", "dismissed:replaced"),
        ("t2", "progress_started"),
        ("t2", "dismissed:close"),
    ]


@pytest.mark.parametrize("seconds", [None, 0, -4, 10_000, "ten", True])
def test_an_invalid_progress_time_is_reported(seconds: Any) -> None:
    extras = {} if seconds is None else {"seconds": seconds}
    activity, ctx = launch(APP, PROGRESS, token=NONCE, **extras)
    assert events(ctx) == ["error:bad-seconds"]
    assert list(views(activity.build()))


def test_it_has_no_icon_on_the_home_screen() -> None:
    assert APP.launcher == ""
