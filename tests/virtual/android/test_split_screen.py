"""The split screen: two apps at once, each with half of the screen (AOSP ``StageCoordinator``)."""

from __future__ import annotations

import pytest

from garabench.core.geometry import Point, Rect, Size
from garabench.virtual.android.keycodes import KeyCode
from garabench.virtual.android.phone import Phone
from garabench.virtual.android.split_screen import halves, task_bounds
from garabench.virtual.android.task_records import SplitHalf, TaskRecord
from garabench.virtual.ui.dump import tree_windows, u2_xml
from garabench.virtual.ui.scene import PlacedWindow, WindowKind
from tests.virtual.android.toys import HOME, OTHER, PKG, focus_title, phone, start, tap, trace

APP, SECOND_APP = f"{PKG}/{PKG}.Main", f"{OTHER}/{OTHER}.Plain"
AREA = Rect(0, 63, 1080, 2274)


def task_of(device: Phone, package: str) -> TaskRecord:
    return next(task for task in device.activities.tasks if task.affinity == package)


def split_phone(profile: str = "android-34") -> Phone:
    """Return a phone with the app in the upper half and another, focused one in the lower half."""
    device = phone(profile)
    start(device, "Plain", package=OTHER)
    start(device)
    trace(device)
    assert device.activities.split.move_to_side(task_of(device, OTHER).task_id, SplitHalf.SECOND)
    return device


def window(device: Phone, title: str) -> PlacedWindow:
    laid = [each for each in device.scene().windows if each.kind is not WindowKind.DIALOG]
    (found,) = [each for each in laid if each.title == title]
    return found


@pytest.mark.parametrize(
    ("area", "keyboard", "typed", "first", "second", "divider"),
    [
        (AREA, None, None, "[0,63][1080,1155]", "[0,1181][1080,2274]", "[0,1155][1080,1181]"),
        (AREA, 1600, SplitHalf.FIRST, "[0,63][1080,1155]", "[0,1181][1080,2274]", "[0,1155][1080,1181]"),
        (AREA, 1000, SplitHalf.FIRST, "[0,63][1080,1000]", "[0,1181][1080,2274]", "[0,1155][1080,1181]"),
        (AREA, 1600, SplitHalf.SECOND, "[0,63][1080,481]", "[0,507][1080,1600]", "[0,481][1080,507]"),
        (AREA, 1200, SplitHalf.SECOND, "[0,63][1080,391]", "[0,417][1080,1200]", "[0,391][1080,417]"),
        (
            Rect(0, 63, 2400, 954), 600, SplitHalf.SECOND,
            "[0,63][1187,954]", "[1213,63][2400,600]", "[1187,63][1213,954]",
        ),
    ],
)  # fmt: skip
def test_the_screen_is_split_along_its_longer_side(
    area: Rect, keyboard: int | None, typed: SplitHalf | None, first: str, second: str, divider: str
) -> None:
    found = halves(area, 420, keyboard=keyboard, typed=typed)
    assert (str(found.first), str(found.second), str(found.divider)) == (first, second, divider)


@pytest.mark.parametrize(
    ("half", "upright", "expected"),
    [
        (None, True, "[0,0][1080,2400]"),
        (SplitHalf.FIRST, True, "[0,0][1080,1155]"),
        (SplitHalf.SECOND, True, "[0,1181][1080,2400]"),
        (SplitHalf.FIRST, False, "[0,0][1187,1080]"),
        (SplitHalf.SECOND, False, "[1213,0][2400,1080]"),
    ],
)
def test_task_bounds_include_the_bars(half: SplitHalf | None, upright: bool, expected: str) -> None:
    size = Size(1080, 2400) if upright else Size(2400, 1080)
    area = AREA if upright else Rect(0, 63, 2400, 954)
    assert str(task_bounds(half, area, size, 420)) == expected


def test_each_app_is_laid_out_in_its_half() -> None:
    device = split_phone()
    app, other = window(device, APP), window(device, SECOND_APP)
    assert (str(app.bounds), str(other.bounds)) == ("[0,63][1080,1155]", "[0,1181][1080,2274]")
    assert app.root.bounds == app.bounds
    assert str(window(device, "StageCoordinatorSplitDivider").bounds) == "[0,1155][1080,1181]"
    assert {APP, SECOND_APP} <= {each.title for each in tree_windows(device.scene())}
    tree = u2_xml(device.scene())
    assert f'package="{PKG}"' in tree and f'package="{OTHER}"' in tree and "分屏分隔线" in tree
    assert device.frame().image.getpixel((3, 1168)) == (0, 0, 0)


def test_both_apps_are_resumed_and_notified_of_the_new_size() -> None:
    device = split_phone()
    assert trace(device) == []  # it stays in the foreground
    assert [record.app.package for record in device.activities.resumed_activities()] == [PKG, OTHER]
    assert all(record.resumed for record in device.activities.resumed_activities())
    app = device.activities.resumed_activities()[0].activity
    assert app.ctx.height_dp == pytest.approx(1092 * 160 / 420)
    device.activities.split.leave(task_of(device, PKG).task_id)
    assert app.ctx.height_dp == pytest.approx(2211 * 160 / 420)


def test_a_touch_focuses_its_half_and_back_goes_there() -> None:
    device = split_phone()
    assert focus_title(device) == SECOND_APP
    tap(device, text="count 0")
    assert focus_title(device) == APP
    assert f"count {1}" in u2_xml(device.scene())
    device.input.tap(*center(window(device, SECOND_APP)))
    assert focus_title(device) == SECOND_APP
    device.press_back()  # its last activity ends, and with it the split screen
    assert focus_title(device) == APP
    assert str(window(device, APP).bounds) == "[0,63][1080,2274]"
    assert not device.activities.split.active


def center(of: PlacedWindow) -> tuple[int, int]:
    return of.bounds.center.x, of.bounds.center.y


def test_home_hides_the_split_and_either_app_restores_it() -> None:
    device = split_phone()
    device.press_home()
    assert focus_title(device) == f"{HOME}/{HOME}.Home"
    assert [w.title for w in device.scene().windows if w.kind is WindowKind.APPLICATION] == [
        f"{HOME}/{HOME}.Home"
    ]
    assert device.activities.split.active and not device.activities.split.shown
    start(device)
    assert focus_title(device) == APP
    assert window(device, SECOND_APP).bounds.top == 1181


@pytest.mark.parametrize("end", ["force-stop", "crash"])
def test_the_split_ends_with_either_app(end: str) -> None:
    device = split_phone()
    if end == "crash":
        device.activities.crash(OTHER)
    else:
        device.activities.force_stop(OTHER)
    assert not device.activities.split.active
    assert str(window(device, APP).bounds) == "[0,63][1080,2274]"
    assert device.activities.focused_app == f"{PKG}/.Main"


@pytest.mark.parametrize(
    ("to", "left"), [(100, [SECOND_APP]), (2200, [APP]), (900, [APP, SECOND_APP]), (1500, [APP, SECOND_APP])]
)
@pytest.mark.parametrize("gesture", ["swipe", "drag"])
def test_the_divider_dragged_to_an_edge_dismisses_the_half_there(
    gesture: str, to: int, left: list[str]
) -> None:
    device = split_phone()
    getattr(device.input, gesture)(540, 1168, 540, to, 600)
    shown = [w.title for w in device.scene().windows if w.kind is WindowKind.APPLICATION]
    assert shown == left


def test_a_dialog_stays_in_its_half() -> None:
    device = split_phone()
    front = device.activities.resumed_activities()[0].activity
    front.asking = True  # type: ignore[attr-defined]
    device.changed()
    (dialog,) = [each for each in device.scene().windows if each.kind is WindowKind.DIALOG]
    assert window(device, APP).bounds.encloses(dialog.bounds)
    assert dialog.accepts_touch(Point(10, 100)) and not dialog.accepts_touch(Point(10, 2000))
    assert SECOND_APP in {each.title for each in tree_windows(device.scene())}
    assert APP not in {
        each.title for each in tree_windows(device.scene()) if each.kind is WindowKind.APPLICATION
    }


def test_the_lower_half_moves_up_for_the_keyboard() -> None:
    device = split_phone()
    device.activities.split.set_side(SplitHalf.FIRST)
    assert window(device, APP).bounds.top == 1181
    tap(device, text="name")
    assert device.ime.shown
    keyboard = next(w for w in device.scene().windows if w.kind is WindowKind.IME)
    app, other = window(device, APP), window(device, SECOND_APP)
    assert app.bounds.bottom == keyboard.bounds.top
    assert other.bounds.bottom < 1155 and app.bounds.top > other.bounds.bottom
    device.input.text("abc")
    assert 'text="abc"' in u2_xml(device.scene())
    device.input.key(KeyCode.BACK)
    assert window(device, APP).bounds.top == 1181


def test_activities_below_a_translucent_one_stay_visible_in_a_half() -> None:
    device = split_phone()
    start(device, "Veil")
    titles = [w.title for w in device.scene().windows if w.kind is WindowKind.APPLICATION]
    assert titles == [SECOND_APP, APP, f"{PKG}/{PKG}.Veil"]


def test_up_to_android_11_new_tasks_start_in_the_second_half() -> None:
    device = phone("android-30")
    start(device)
    start(device, "Plain", package=OTHER)
    device.activities.split.dock(task_of(device, OTHER))
    assert (str(window(device, SECOND_APP).bounds), str(window(device, APP).bounds)) == (
        "[0,63][1080,1155]",
        "[0,1181][1080,2274]",
    )
    assert window(device, "DockedStackDivider").bounds.top == 1155
    device.press_home()
    start(device)
    assert device.activities.split.shown
    device.activities.force_stop(OTHER)
    assert str(window(device, APP).bounds) == "[0,63][1080,2274]"


def test_the_home_screen_cannot_be_split() -> None:
    device = phone()
    start(device)
    device.press_home()
    assert device.activities.split.move_to_side(task_of(device, PKG).task_id, SplitHalf.SECOND)
    assert not device.activities.split.active
    assert not device.activities.split.move_to_side(99, SplitHalf.SECOND)


def test_in_landscape_the_halves_are_side_by_side() -> None:
    device = split_phone()
    device.settings.put("system", "accelerometer_rotation", "0")
    device.settings.put("system", "user_rotation", "1")
    app, other = window(device, APP), window(device, SECOND_APP)
    assert app.bounds.right < other.bounds.left
    assert app.bounds.height == other.bounds.height
