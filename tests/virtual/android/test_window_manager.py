from __future__ import annotations

from collections.abc import Callable

from garabench.core.geometry import Rect, Size
from garabench.virtual.android.window_manager import HEADS_UP_MS, TOAST_MS
from garabench.virtual.kit.framework import Intent
from garabench.virtual.ui.scene import WindowKind
from tests.virtual.android.toys import (
    HOME,
    OTHER,
    PKG,
    Main,
    focus_title,
    front,
    main_of,
    node,
    nodes,
    phone,
    start,
    tap,
    trace,
)


def test_the_scene_is_the_same_object_until_something_changes() -> None:
    device = phone()
    start(device)
    scene, frame = device.scene(), device.frame()
    assert device.scene() is scene
    assert device.frame() is frame
    assert frame.png() is frame.png()
    device.clock.advance(500)
    assert device.scene() is scene
    tap(device, text="count 0")
    assert device.scene() is not scene


def test_the_clock_of_the_status_bar_changes_once_a_minute() -> None:
    device = phone()
    scene = device.scene()
    assert node(device, resource_id="com.android.systemui:id/clock").text == "09:41"
    device.clock.advance(59_999)
    assert device.scene() is scene
    device.clock.advance(1)
    assert node(device, resource_id="com.android.systemui:id/clock").text == "09:42"


def test_windows_fill_the_area_between_the_bars() -> None:
    device = phone("android-34:1080x2400")
    start(device)
    kinds = [(window.kind, window.bounds) for window in device.scene().windows]
    assert kinds == [
        (WindowKind.APPLICATION, Rect(0, 63, 1080, 2274)),
        (WindowKind.STATUS_BAR, Rect(0, 0, 1080, 63)),
        (WindowKind.NAV_BAR, Rect(0, 2274, 1080, 2400)),
    ]


def test_a_dialog_is_a_separate_focused_window() -> None:
    device = phone()
    start(device)
    main_of(device).asking = True
    device.changed()
    windows = device.scene().windows
    assert [window.kind for window in windows if window.focused] == [WindowKind.DIALOG]
    dialog = next(window for window in windows if window.kind is WindowKind.DIALOG)
    assert dialog.dim > 0
    assert dialog.bounds.width < 1080
    tap(device, text="yes")
    assert not main_of(device).asking


def test_back_and_a_tap_outside_dismiss_the_dialog() -> None:
    device = phone()
    start(device)
    main = main_of(device)
    for leave in (device.press_back, lambda: device.input.tap(20, 100)):
        main.asking = True
        device.changed()
        device.scene()
        device.ime.hide()
        leave()
        assert not main.asking
    assert front(device) is main


def test_a_dialogs_autofocus_field_is_focused_each_time_it_opens() -> None:
    device = phone()
    start(device)
    main = main_of(device)
    for _ in range(2):
        main.asking = True
        device.changed()
        device.scene()
        assert device.ime.shown
        device.ime.commit_text("x")
        main.asking = False
        device.changed()
        device.scene()
        assert not device.ime.shown
    assert main.name == "xx"


def test_toasts_expire() -> None:
    device = phone()
    start(device)
    front(device).ctx.toast("已收藏")
    assert [window.kind for window in device.scene().windows][-1] is WindowKind.TOAST
    assert focus_title(device) == f"{PKG}/{PKG}.Main"
    device.clock.advance(TOAST_MS)
    assert not [w for w in device.scene().windows if w.kind is WindowKind.TOAST]
    assert device.windows.last_toast == ("已收藏", PKG)


def test_a_notification_in_the_shade_opens_its_app() -> None:
    device = phone(lang="en")
    start(device)
    front(device).ctx.notify("news", "New video", "Look", Intent(package=OTHER, activity=f"{OTHER}.Plain"))
    device.press_home()
    width = device.display.current_size.width
    device.input.swipe(width // 2, 5, width // 2, 1200, 300)
    assert focus_title(device) == "NotificationShade"
    tap(device, text="New video")
    assert device.activities.focused_app == f"{OTHER}/.Plain"
    assert device.notifications.active() == ()
    assert focus_title(device) == f"{OTHER}/{OTHER}.Plain"


def test_quick_settings_tiles_switch_the_phone() -> None:
    device = phone(lang="en")
    device.windows.open_shade()
    tiles: list[tuple[str, Callable[[], bool]]] = [
        ("Mobile data", lambda: device.network.mobile_data),
        ("Airplane mode", lambda: device.network.airplane),
        ("Battery Saver", lambda: device.battery.saver),
        ("Auto-rotate", lambda: device.settings.get("system", "accelerometer_rotation") == "1"),
        ("Dark theme", lambda: device.settings.get("secure", "ui_night_mode") == "2"),
    ]
    for label, state in tiles:
        before = state()
        tap(device, desc=label)
        assert state() is not before, label
    device.press_back()
    assert focus_title(device) == f"{HOME}/{HOME}.Home"


def test_a_heads_up_notification_does_not_take_the_focus() -> None:
    device = phone()
    start(device)
    ways: list[Callable[[], None]] = [
        lambda: device.clock.advance(HEADS_UP_MS),
        lambda: device.input.swipe(500, 150, 500, 20, 200),
    ]
    for leave in ways:
        front(device).ctx.notify("message", "小明", "在吗？")
        heads_up = [w for w in device.scene().windows if w.kind is WindowKind.HEADS_UP]
        assert len(heads_up) == 1
        assert focus_title(device) == f"{PKG}/{PKG}.Main"
        leave()
        assert not [w for w in device.scene().windows if w.kind is WindowKind.HEADS_UP]
    assert len(device.notifications.active()) == 2


def test_recents_list_tasks_and_bring_them_to_the_front() -> None:
    device = phone(lang="en")
    start(device)
    start(device, "Plain", package=OTHER)
    device.windows.open_recents()
    assert [found.desc for _, found in nodes(device, resource_id=f"{HOME}:id/snapshot")] == ["Other", "Toy"]
    tap(device, desc="Toy")
    assert device.activities.focused_app == f"{PKG}/.Main"
    device.windows.open_recents()
    tap(device, resource_id=f"{HOME}:id/clear_all")
    assert device.activities.focused_app == f"{HOME}/.Home"
    assert [task.affinity for task in device.activities.tasks] == [HOME]


def test_a_started_activity_closes_the_recents() -> None:
    device = phone(lang="en")
    start(device)
    device.windows.open_recents()
    assert focus_title(device) != f"{OTHER}/{OTHER}.Plain"
    start(device, "Plain", package=OTHER)
    assert focus_title(device) == f"{OTHER}/{OTHER}.Plain"


def test_swiping_a_card_away_ends_its_task_and_process() -> None:
    device = phone(lang="en")
    start(device)
    start(device, "Plain", package=OTHER)
    trace(device)
    device.windows.open_recents()
    card = node(device, desc="Toy").visible
    device.input.swipe(card.center.x, card.center.y, card.left, card.center.y)
    assert [found.desc for _, found in nodes(device, resource_id=f"{HOME}:id/snapshot")] == ["Other"]
    assert trace(device) == ["Main.destroy"]
    assert device.processes.pidof(PKG) is None
    assert device.processes.pidof(OTHER) is not None
    device.press_back()
    assert device.activities.focused_app == f"{OTHER}/.Plain"
    assert not device.activities.remove_task(999)


def test_swiping_a_notification_away_removes_it() -> None:
    device = phone(lang="en")
    device.notifications.post(PKG, "news", "first", "text")
    device.notifications.post(OTHER, "news", "second", "text")
    device.windows.open_shade()
    row = node(device, text="first").visible.center
    device.input.swipe(row.x, row.y, row.x + 500, row.y)
    assert [note.title for note in device.notifications.active()] == ["second"]
    assert not nodes(device, text="first")
    tile = node(device, desc="Battery Saver").visible.center
    device.input.swipe(tile.x, tile.y, tile.x + 300, tile.y)
    assert device.windows.overlay == "shade"


def test_an_activity_can_request_an_orientation() -> None:
    device = phone()
    start(device)
    front(device).ctx.open(f"{PKG}.Wide")
    scene = device.scene()
    assert (scene.rotation, scene.size) == (1, Size(2400, 1080))
    assert device.display.size == Size(1080, 2400)
    assert node(device, text="wide").bounds.right == 2400
    device.press_back()
    assert device.scene().rotation == 0


def test_the_user_rotates_the_screen() -> None:
    device = phone()
    start(device)
    device.settings.put("system", "user_rotation", "3")
    assert (device.scene().rotation, device.scene().size) == (3, Size(2400, 1080))
    device.settings.put("system", "accelerometer_rotation", "1")
    assert device.scene().rotation == 0
    device.settings.put("system", "accelerometer_rotation", "0")
    device.settings.put("system", "user_rotation", "nonsense")
    assert device.scene().rotation == 0


def test_an_app_scrolls_and_focuses_by_key() -> None:
    device = phone()
    start(device)
    ctx = main_of(device).ctx
    ctx.scroll_to("list", 600)
    assert not nodes(device, text="row 2")
    assert nodes(device, text="row 12")
    ctx.focus("query")
    device.scene()
    assert device.ime.shown
    assert device.ime.action == "search"
    ctx.hide_keyboard()
    assert not device.ime.shown
    assert device.ime.field() is None


def test_switching_a_fault_changes_the_screen() -> None:
    device = phone()
    start(device)
    visible = device.frame().image.getextrema()
    device.faults.enable("screencap-black")
    assert device.frame().image.getextrema() == ((0, 0), (0, 0), (0, 0))
    device.faults.disable("screencap-black")
    assert device.frame().image.getextrema() == visible


def test_every_profile_and_size_has_a_screen() -> None:
    for profile in ("android-19", "android-30", "android-34"):
        for size in ("720x1280", "1080x2400", "1440x3120"):
            device = phone(f"{profile}:{size}")
            start(device)
            assert str(device.frame().size) == size
            assert isinstance(front(device), Main)
            tap(device, text="count 0")
            assert main_of(device).count == 1
