"""Lines of getevent become gestures: protocol B and BTN_TOUCH, rotation, several fingers, nonsense."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from garabench.authoring.recording.gesture_steps import PersonGesture, PressedKey, TouchGesture
from garabench.authoring.recording.getevent_lines import GeteventParser, TouchPanel, gestures, touch_panel
from garabench.core.geometry import Point, Size

PANEL = TouchPanel("/dev/input/event1", 0, 0, 4095, 4095)
SCREEN = Size(1080, 2400)
LISTING = """\
add device 1: /dev/input/event0
  name:     "gpio-keys"
  events:
    KEY (0001): KEY_VOLUMEDOWN        KEY_VOLUMEUP          KEY_POWER
add device 2: /dev/input/event1
  name:     "touchscreen"
  events:
    KEY (0001): BTN_TOUCH
    ABS (0003): ABS_MT_SLOT           : value 0, min 0, max 9, fuzz 0, flat 0, resolution 0
                ABS_MT_POSITION_X     : value 0, min 0, max 4095, fuzz 0, flat 0, resolution 0
                ABS_MT_POSITION_Y     : value 0, min 0, max 4095, fuzz 0, flat 0, resolution 0
                ABS_MT_TRACKING_ID    : value 0, min 0, max 65535, fuzz 0, flat 0, resolution 0
"""


def line(time: float, kind: str, code: str, value: str, device: str = "/dev/input/event1: ") -> str:
    return f"[{time:15.6f}] {device}{kind:12} {code:20} {value}"


def press(time: float, x: int, y: int) -> list[str]:
    return [
        line(time, "EV_ABS", "ABS_MT_TRACKING_ID", "0000000a"),
        line(time, "EV_ABS", "ABS_MT_POSITION_X", f"{x:08x}"),
        line(time, "EV_ABS", "ABS_MT_POSITION_Y", f"{y:08x}"),
        line(time, "EV_SYN", "SYN_REPORT", "00000000"),
    ]


def move(time: float, x: int, y: int) -> list[str]:
    return press(time, x, y)[1:]


def lift(time: float) -> list[str]:
    return [
        line(time, "EV_ABS", "ABS_MT_TRACKING_ID", "ffffffff"),
        line(time, "EV_SYN", "SYN_REPORT", "00000000"),
    ]


def tap(x: int, y: int, *, held: bool = False) -> TouchGesture:
    return TouchGesture(Point(x, y), Point(x, y), held)


def test_panel_is_found_in_the_listing() -> None:
    assert touch_panel(LISTING) == PANEL
    assert touch_panel("add device 1: /dev/input/event0\n") is None


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ([*press(1, 2048, 2048), *lift(1.1)], [tap(540, 1200)]),
        ([*press(1, 0, 0), *lift(2)], [tap(0, 0, held=True)]),
        (
            [*press(1, 2048, 3071), *move(1.1, 2048, 2000), *move(1.2, 2048, 1024), *lift(1.3)],
            [TouchGesture(Point(540, 1800), Point(540, 600))],
        ),
        (
            [
                line(1, "EV_KEY", "BTN_TOUCH", "DOWN"),
                *move(1, 4095, 4095),
                line(1.1, "EV_KEY", "BTN_TOUCH", "UP"),
            ],
            [tap(1079, 2399)],
        ),
        (
            [
                *press(1, 2048, 2048),
                line(1.01, "EV_ABS", "ABS_MT_SLOT", "00000001"),
                *press(1.02, 9, 9),
                *lift(1.03),
                line(1.04, "EV_ABS", "ABS_MT_SLOT", "00000000"),
                *lift(1.05),
            ],
            [tap(540, 1200)],
        ),
        (
            [line(1, "EV_KEY", "KEY_BACK", "DOWN"), line(1.1, "EV_KEY", "KEY_BACK", "UP")],
            [PressedKey("back")],
        ),
        ([line(1, "EV_KEY", "KEY_POWER", "DOWN")], []),
        ([each.replace("event1", "event5") for each in (*press(1, 5, 5), *lift(1.1))], []),
        ([each.replace("/dev/input/event1: ", "") for each in (*press(1, 0, 0), *lift(1.1))], [tap(0, 0)]),
        ([*press(1, 2048, 2048)], []),
        (["", "nonsense", "[ 1.0] EV_ABS", line(1, "EV_ABS", "ABS_MT_POSITION_X", "zz")], []),
    ],
)
def test_lines_become_gestures(lines: list[str], expected: list[PersonGesture]) -> None:
    assert list(gestures(lines, PANEL, SCREEN)) == expected


@pytest.mark.parametrize(
    ("rotation", "screen", "expected"),
    [
        (0, Size(1080, 2400), Point(270, 600)),
        (1, Size(2400, 1080), Point(600, 810)),
        (2, Size(1080, 2400), Point(810, 1800)),
        (3, Size(2400, 1080), Point(1800, 270)),
    ],
)
def test_turned_screen(rotation: int, screen: Size, expected: Point) -> None:
    point = PANEL.point(1024, 1024, screen, rotation)
    assert abs(point.x - expected.x) <= 1
    assert abs(point.y - expected.y) <= 1


@given(st.lists(st.text(max_size=80), max_size=8))
def test_no_line_breaks_the_parser(lines: list[str]) -> None:
    parser = GeteventParser(PANEL, SCREEN)
    for each in lines:
        parser.feed(each)
