"""Canvas widgets: painted at their size, with gestures at the right position."""

from __future__ import annotations

import pytest
from PIL import Image

from garabench.virtual.android.device_profile import Profile
from garabench.virtual.android.phone import Phone
from garabench.virtual.kit.framework import Activity, App
from garabench.virtual.ui import widgets as w
from tests.virtual.android.toys import front, node, start

PKG = "toy.canvas"


class Board(Activity):
    def on_create(self) -> None:
        self.gestures: list[tuple[object, ...]] = []
        self.sizes: set[tuple[int, int]] = set()

    def paint(self, width: int, height: int) -> Image.Image:
        self.sizes.add((width, height))
        return Image.new("RGB", (width, height), (10, 200, 30))

    def note(self, name: str, x: float, y: float) -> None:
        self.gestures.append((name, round(x), round(y)))

    def build(self) -> w.Widget:
        board = w.Canvas(
            id="board",
            width=200,
            height=300,
            paint=self.paint,
            on_drag=lambda x, y: self.note("drag", x, y),
            on_tap_at=lambda x, y: self.note("tap", x, y),
            on_hold_at=lambda x, y: self.note("hold", x, y),
            on_double_tap_at=lambda x, y: self.note("double", x, y),
        )
        button = w.Button(text="over", width=100, height=40, on_click=lambda: self.note("button", 0, 0))
        return w.Box(width=w.MATCH, height=w.MATCH, children=(board, button))


BOARD = App(package=PKG, label={"zh": "板"}, activities={f"{PKG}.Board": Board}, launcher=f"{PKG}.Board")


@pytest.fixture
def device() -> Phone:
    device = Phone(Profile.parse("android-34:720x1280"), apps=[BOARD], strict=True)
    start(device, "Board", package=PKG)
    return device


def board(device: Phone) -> Board:
    found = front(device)
    assert isinstance(found, Board)
    return found


def test_a_canvas_is_drawn_at_its_size(device: Phone) -> None:
    bounds = node(device, resource_id=f"{PKG}:id/board").bounds
    assert device.frame().image.getpixel((bounds.center.x, bounds.center.y)) == (10, 200, 30)
    assert board(device).sizes == {(bounds.width, bounds.height)}


def test_touches_are_reported_in_dp_from_the_top_left(device: Phone) -> None:
    bounds = node(device, resource_id=f"{PKG}:id/board").bounds
    x, y = bounds.left + 240, bounds.top + 400  # two pixels per dp
    device.input.tap(x, y)
    device.input.double_tap(x, y)
    device.input.long_press(x, y, 900)
    device.input.swipe(x, y, x - 60, y + 100, 300)
    device.input.drag(x, y, x + 200, y, 800)
    assert board(device).gestures == [
        ("tap", 120, 200),
        ("double", 120, 200),
        ("hold", 120, 200),
        ("drag", -30, 50),
        ("drag", 100, 0),
    ]


def test_a_widget_on_top_gets_the_touch(device: Phone) -> None:
    place = node(device, text="over").bounds.center
    device.input.tap(place.x, place.y)
    device.input.swipe(place.x, place.y, place.x, place.y + 200, 300)
    assert board(device).gestures == [("button", 0, 0)]


def test_a_canvas_is_clickable(device: Phone) -> None:
    assert node(device, resource_id=f"{PKG}:id/board").clickable
