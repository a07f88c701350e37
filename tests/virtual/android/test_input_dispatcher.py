from __future__ import annotations

import pytest

from garabench.virtual.android.input_dispatcher import UnmappableTextError
from garabench.virtual.android.keycodes import KeyCode, code_of
from garabench.virtual.android.phone import Phone
from garabench.virtual.ui.scene import WindowKind
from tests.cases import every_case
from tests.virtual.android.toys import HOME, PKG, focus_title, front, main_of, node, nodes, phone, start, tap


@pytest.fixture
def device() -> Phone:
    device = phone()
    start(device)
    return device


def rows(device: Phone) -> list[int]:
    """Return the numbers of the rows in view."""
    found = nodes(device, resource_id=f"{PKG}:id/row")
    return [int(each.text.removeprefix("row ")) for _, each in found]


def offset(device: Phone, name: str) -> int:
    scroll = node(device, resource_id=f"{PKG}:id/{name}").scroll
    assert scroll is not None
    return scroll.offset


def test_taps_long_presses_and_double_taps(device: Phone) -> None:
    place = node(device, text="count 0").visible.center
    device.input.tap(place.x, place.y)
    device.input.double_tap(place.x, place.y)
    assert main_of(device).count == 3
    device.input.long_press(place.x, place.y)
    assert (main_of(device).count, main_of(device).long_presses) == (3, 1)
    device.input.long_press(place.x, place.y, 100)  # too short
    assert (main_of(device).count, main_of(device).long_presses) == (4, 1)
    device.input.swipe(place.x, place.y, place.x, place.y, 1000)
    assert main_of(device).long_presses == 2
    device.input.tap(5, 5)
    device.input.tap(-10, 99_999)
    assert main_of(device).count == 4


def test_a_slow_swipe_scrolls_by_the_distance_of_the_finger(device: Phone) -> None:
    device.input.swipe(500, 2000, 500, 1500, 5000)
    assert offset(device, "list") == 500
    device.input.swipe(500, 1500, 500, 1900, 5000)
    assert offset(device, "list") == 100
    device.input.swipe(500, 1500, 500, 2200, 5000)
    assert offset(device, "list") == 0


def test_a_fast_swipe_flings_deterministically(device: Phone) -> None:
    device.input.swipe(500, 2000, 500, 1500, 100)
    far = offset(device, "list")
    assert far > 500
    other = phone()
    start(other)
    other.input.swipe(500, 2000, 500, 1500, 100)
    assert offset(other, "list") == far


def test_a_drag_does_not_fling(device: Phone) -> None:
    device.input.drag(500, 2000, 500, 1500, 100)
    assert offset(device, "list") == 500


def test_a_horizontal_swipe_scrolls_a_horizontal_view(device: Phone) -> None:
    strip = node(device, resource_id=f"{PKG}:id/strip").visible.center
    device.input.swipe(900, strip.y, 500, strip.y, 5000)
    assert offset(device, "strip") == 400
    assert offset(device, "list") == 0
    device.input.swipe(900, strip.y + 500, 500, strip.y + 500, 5000)  # on the list
    assert offset(device, "strip") == 400


def test_a_list_loads_more_each_time_its_end_is_reached(device: Phone) -> None:
    main = main_of(device)
    for expected in (60, 70):
        before = main.rows
        for _ in range(60):
            if main.rows != before:
                break
            device.input.swipe(500, 2000, 500, 1000, 200)
        assert main.rows == expected
    assert rows(device)


def test_a_slider_follows_taps_and_swipes(device: Phone) -> None:
    bar = node(device, resource_id=f"{PKG}:id/slider").visible
    device.input.tap(bar.left + bar.width // 4, bar.center.y)
    assert main_of(device).slider == pytest.approx(0.25, abs=0.01)
    device.input.swipe(bar.left + bar.width // 4, bar.center.y, bar.left + bar.width // 2, bar.center.y, 300)
    assert main_of(device).slider == pytest.approx(0.5, abs=0.01)


def test_motion_events_become_gestures_by_duration_and_distance(device: Phone) -> None:
    place = node(device, text="count 0").visible.center
    device.input.motion(0, place.x, place.y)
    device.input.motion(1, place.x, place.y)
    assert main_of(device).count == 1
    device.input.motion(0, place.x, place.y)
    device.clock.advance(600)
    device.input.motion(1, place.x + 2, place.y)
    assert main_of(device).long_presses == 1
    device.input.motion(0, 500, 2000)
    device.clock.advance(5000)
    device.input.motion(2, 500, 1800)
    device.input.motion(1, 500, 1500)
    assert offset(device, "list") == 500
    device.input.motion(1, 500, 1500)  # up without down
    assert offset(device, "list") == 500


def test_focusing_a_field_opens_the_keyboard_and_resizes_the_app(device: Phone) -> None:
    tap(device, resource_id=f"{PKG}:id/name")
    keyboard = next(w for w in device.scene().windows if w.kind is WindowKind.IME)
    app = next(w for w in device.scene().windows if w.kind is WindowKind.APPLICATION)
    assert app.bounds.bottom == keyboard.bounds.top
    assert keyboard.bounds.height > 600
    for char in "gara":
        tap(device, text=char, package="com.google.android.inputmethod.latin")
    assert main_of(device).name == "gara"
    device.press_back()
    assert not device.ime.shown
    assert front(device) is main_of(device)
    assert node(device, resource_id=f"{PKG}:id/name").focused
    device.press_back()
    assert device.activities.focused_app == f"{HOME}/.Home"


def test_text_and_keys_reach_the_focused_field(device: Phone) -> None:
    device.input.text("lost")  # no field is focused
    assert not device.ime.commit_text("lost")
    tap(device, resource_id=f"{PKG}:id/query")
    device.input.text("a b")
    device.ime.commit_text("稻香")
    device.input.key(KeyCode.DEL)
    for code, meta in ((29, 0), (30, 1), (7, 0), (62, 0), (8, 1)):
        device.input.key(code, meta=meta)
    assert main_of(device).query == "a b稻aB0 !"
    with pytest.raises(UnmappableTextError):
        device.input.text("稻香")
    assert main_of(device).query == "a b稻aB0 !"
    device.input.key(KeyCode.ENTER)
    assert main_of(device).submitted == "a b稻aB0 !"
    assert not device.ime.shown
    device.ime.clear()
    assert main_of(device).query == ""


def test_tab_focuses_the_next_field(device: Phone) -> None:
    device.input.key(KeyCode.TAB)
    device.input.text("n")
    device.input.key(KeyCode.TAB)
    device.input.text("q")
    device.input.key(KeyCode.TAB)
    device.input.text("n")
    assert (main_of(device).name, main_of(device).query) == ("nn", "q")


def test_the_fault_that_drops_characters(device: Phone) -> None:
    tap(device, resource_id=f"{PKG}:id/name")
    device.faults.enable("text-drops", every=3)
    device.ime.commit_text("abcdefg")
    assert main_of(device).name == "abdeg"


def test_keys_move_between_screens(device: Phone) -> None:
    device.input.key(KeyCode.HOME)
    assert device.activities.focused_app == f"{HOME}/.Home"
    device.input.key(KeyCode.APP_SWITCH)
    tap(device, desc="玩具")
    assert device.activities.focused_app == f"{PKG}/.Main"
    device.input.key(KeyCode.POWER)
    assert not device.display.screen_on
    device.input.key(KeyCode.HOME)
    device.input.tap(540, 1200)
    device.input.swipe(540, 1200, 540, 300)
    device.input.key(KeyCode.WAKEUP)
    device.input.key(KeyCode.WAKEUP)
    assert focus_title(device) == f"{PKG}/{PKG}.Main"
    device.input.key(KeyCode.SLEEP)
    assert not device.display.screen_on
    device.input.key(KeyCode.POWER)
    device.input.key(KeyCode.BACK)
    assert device.activities.focused_app == f"{HOME}/.Home"
    device.input.key(9999)
    device.input.key(KeyCode.BACK)  # the home screen stays
    assert device.activities.focused_app == f"{HOME}/.Home"


@every_case(
    ("name", "code"),
    [
        ("4", 4),
        ("66", 66),
        ("KEYCODE_BACK", 4),
        ("BACK", 4),
        ("back", None),
        ("316", 316),
        ("9999", None),
        ("-1", None),
        ("KEYCODE_COMMA", 55),
        ("NUMPAD_7", 151),
        ("PASTE", 279),
        ("KEYCODE_A", 29),
        ("KEYCODE_0", 7),
        ("SPACE", 62),
        ("KEYCODE_NOTHING", None),
        ("", None),
    ],
)
def test_key_names(name: str, code: int | None) -> None:
    assert code_of(name) == code
