"""The board on a virtual phone: what it shows, and the events that it logs."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from garabench.virtual.android.device_profile import Profile
from garabench.virtual.android.phone import Phone
from garabench.virtual.apps.board.app import APP, BOARD, PACKAGE, TAG
from garabench.virtual.apps.catalog import installed_apps
from garabench.virtual.kit.framework import Intent
from garabench.virtual.ui.scene import PlacedNode


def encode(spec: Mapping[str, Any]) -> str:
    return base64.b64encode(json.dumps({"v": 1, **spec}).encode()).decode()


@pytest.fixture(params=["android-34:1080x2400", "android-19:720x1280"])
def phone(request: pytest.FixtureRequest) -> Iterator[Phone]:
    yield Phone(Profile.parse(request.param), apps=installed_apps(), strict=True)


def show(phone: Phone, **spec: Any) -> None:
    extras = {"spec": encode(spec), "token": "t1"}
    phone.activities.start(Intent(package=PACKAGE, activity=BOARD, extras=extras))
    phone.clock.advance(500)


def events(phone: Phone) -> list[dict[str, Any]]:
    lines = [json.loads(entry.message) for entry in phone.logcat.read() if entry.tag == TAG]
    assert {line["token"] for line in lines} <= {"t1"}
    return lines


def nodes(phone: Phone) -> list[PlacedNode]:
    return [
        node for window in phone.scene().windows if window.package == PACKAGE for node in window.root.walk()
    ]


def button(phone: Phone, number: int) -> PlacedNode:
    return next(node for node in nodes(phone) if node.widget.id == f"button_{number}")


def test_every_touch_is_logged_in_screen_pixels(phone: Phone) -> None:
    show(phone, mode="taps", title="Tap 17", target=17)
    for number in (1, 17, 40):
        at = button(phone, number).bounds.center
        phone.input.tap(at.x, at.y)
        told = events(phone)[-1]
        assert (told["event"], told["button"]) == ("touched", number)
        assert abs(told["x"] - at.x) <= 1
        assert abs(told["y"] - at.y) <= 1


def test_a_touch_outside_the_buttons_is_logged(phone: Phone) -> None:
    show(phone, mode="taps", title="Tap 1")
    title = next(node for node in nodes(phone) if node.widget.id == "title")
    at = title.bounds.center
    phone.input.tap(at.x, at.y)
    assert events(phone)[-1] | {"token": "", "seq": 0} == {
        "token": "", "seq": 0, "event": "touched", "x": at.x, "y": at.y, "button": 0,
    }  # fmt: skip


def test_the_buttons_fill_the_page_and_can_be_found(phone: Phone) -> None:
    show(phone, mode="taps", title="Tap 3", columns=4, rows=10)
    found = [node for node in nodes(phone) if node.cls == "android.widget.Button"]
    assert [node.desc for node in found] == [str(number) for number in range(1, 41)]
    assert all(node.clickable for node in found)
    assert found[-1].bounds.bottom > phone.display.size.height * 0.85


def test_another_intent_shows_another_page_at_once(phone: Phone) -> None:
    show(phone, mode="taps", title="Tap 3")
    show(phone, mode="page", title="All is done.", note="Nothing is left.")
    assert {"All is done.", "Nothing is left."} <= {node.text for node in nodes(phone)}
    assert [line["event"] for line in events(phone)] == ["shown", "shown"]
    assert not [node for node in nodes(phone) if node.cls == "android.widget.Button"]


def test_typing_logs_the_whole_text(phone: Phone) -> None:
    show(phone, mode="text", title="Type", fields=["A", "B"])
    field = next(node for node in nodes(phone) if node.widget.id == "field_b")
    phone.input.tap(field.bounds.center.x, field.bounds.center.y)
    phone.ime.commit_text("你好 🙂\nx")
    told = events(phone)[-1]
    assert (told["event"], told["field"], told["text"]) == ("typed", "B", "你好 🙂\nx")


def test_the_list_opens_at_the_requested_line(phone: Phone) -> None:
    show(phone, mode="scroll", title="Scroll", first=50)
    shown = [node.text for node in nodes(phone) if node.widget.id == "line" and not node.visible.is_empty]
    assert shown[0] in ("第50行", "第49行")


@pytest.mark.parametrize(
    ("spec", "reason"),
    [
        ({}, "bad-mode"),
        ({"mode": "dance"}, "bad-mode"),
        ({"mode": "taps", "columns": 0}, "bad-columns"),
        ({"mode": "taps", "target": 41}, "bad-target"),
        ({"mode": "taps", "rows": True}, "bad-rows"),
        ({"mode": "text", "fields": "A"}, "bad-fields"),
        ({"mode": "text", "fields": ["A", "A"]}, "bad-fields"),
        ({"mode": "scroll", "first": 101}, "bad-first"),
        ({"mode": "page", "title": 3}, "bad-text"),
        ({"mode": "page", "v": 2}, "bad-version"),
    ],
)
def test_an_invalid_specification_is_logged_and_shows_nothing(
    phone: Phone, spec: dict[str, Any], reason: str
) -> None:
    show(phone, **spec)
    assert events(phone)[0]["reason"] == reason
    assert not nodes(phone)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "missing-spec"),
        ("!", "bad-base64"),
        ("e30", "bad-base64"),
        ("W10=", "bad-json"),
        ("eA==", "bad-json"),
    ],
)
def test_a_missing_specification_is_logged(phone: Phone, text: str, reason: str) -> None:
    phone.activities.start(Intent(package=PACKAGE, activity=BOARD, extras={"spec": text, "token": "t1"}))
    assert events(phone)[0]["reason"] == reason


def test_the_board_has_no_launcher_icon() -> None:
    assert APP.launcher == ""
