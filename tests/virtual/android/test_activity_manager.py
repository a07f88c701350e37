from __future__ import annotations

from dataclasses import replace

import pytest

from garabench.virtual.android.phone import Phone
from garabench.virtual.kit.framework import Intent
from garabench.virtual.ui.scene import WindowKind
from tests.cases import every_case
from tests.virtual.android.toys import (
    CAMERA,
    HOME,
    OTHER,
    PKG,
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

LAUNCH = Intent(
    action="android.intent.action.MAIN",
    package=PKG,
    categories=frozenset({"android.intent.category.LAUNCHER"}),
    flags=frozenset({"NEW_TASK"}),
)


def stacks(device: Phone) -> list[list[str]]:
    """Return the tasks, the frontmost first, as short names from root to top."""
    return [[record.name.rpartition(".")[2] for record in task.stack] for task in device.activities.tasks]


def test_a_booted_phone_shows_the_home_screen() -> None:
    device = phone()
    assert device.activities.focused_app == f"{HOME}/.Home"
    assert focus_title(device) == f"{HOME}/{HOME}.Home"


def test_life_cycle_callbacks_run_in_androids_order() -> None:
    device = phone()
    assert start(device) == "started"
    assert trace(device) == ["Main.create", "Main.resume"]
    front(device).ctx.open(f"{PKG}.Detail")
    assert trace(device) == ["Detail.create", "Main.pause", "Detail.resume", "Main.stop"]
    device.press_back()
    assert trace(device) == ["Detail.pause", "Detail.stop", "Detail.destroy", "Main.resume"]
    device.press_home()
    assert trace(device) == ["Main.pause", "Main.stop"]
    assert device.activities.focused_app == f"{HOME}/.Home"
    assert device.processes.pidof(PKG) is not None


def test_a_translucent_activity_leaves_the_one_below_visible() -> None:
    device = phone()
    start(device)
    trace(device)
    front(device).ctx.open(f"{PKG}.Veil")
    assert trace(device) == ["Veil.create", "Main.pause", "Veil.resume"]
    titles = [window.title for window in device.scene().windows if window.kind is WindowKind.APPLICATION]
    assert titles == [f"{PKG}/{PKG}.Main", f"{PKG}/{PKG}.Veil"]
    device.press_back()
    assert trace(device)[-1] == "Main.resume"


@every_case(
    ("steps", "kind", "expected"),
    [
        ([("Main",), ("Main",)], "delivered", [["Main"], ["Home"]]),
        ([("Main",), ("Detail",), ("Main",)], "delivered", [["Main", "Detail"], ["Home"]]),
        ([("Main",), ("Detail",), ("Detail",)], "started", [["Main", "Detail", "Detail"], ["Home"]]),
        ([("Main",), ("SingleTop",), ("SingleTop",)], "delivered", [["Main", "SingleTop"], ["Home"]]),
        (
            [("SingleTop",), ("Main",), ("SingleTop",)],
            "delivered",  # the root of the task is started again
            [["SingleTop", "Main"], ["Home"]],
        ),
        ([("Main",), ("Single",), ("Detail",), ("Single",)], "delivered", [["Main", "Single"], ["Home"]]),
        ([("Main",), ("Detail",), ("Main", "CLEAR_TOP")], "started", [["Main"], ["Home"]]),
        (
            [("Main",), ("Detail",), ("Main", "CLEAR_TOP", "SINGLE_TOP")],
            "delivered",
            [["Main"], ["Home"]],
        ),
        ([("Main",), ("Detail",), ("Main", "CLEAR_TASK")], "started", [["Main"], ["Home"]]),
        ([("Main",), ("Detail", "SINGLE_TOP"), ("Detail", "SINGLE_TOP")], "delivered", None),
        (
            [("Main",), ("Detail",), ("Single",), ("Detail", "REORDER_TO_FRONT")],
            "delivered",
            [["Main", "Single", "Detail"], ["Home"]],
        ),
        ([("Main",), ("Detail", "MULTIPLE_TASK")], "started", [["Detail"], ["Main"], ["Home"]]),
        ([("Main",), ("Detail", "NO_HISTORY"), ("Single",)], "started", [["Main", "Single"], ["Home"]]),
    ],
)
def test_launch_modes_and_flags(
    steps: list[tuple[str, ...]], kind: str, expected: list[list[str]] | None
) -> None:
    device = phone()
    kinds = [start(device, *step) for step in steps]
    assert kinds[-1] == kind
    assert stacks(device) == (expected or [["Main", "Detail"], ["Home"]])


def test_a_background_task_comes_to_the_front_with_its_whole_stack() -> None:
    device = phone()
    device.activities.start(LAUNCH)
    front(device).ctx.open(f"{PKG}.Detail")
    device.press_home()
    result = device.activities.start(LAUNCH)
    assert result.kind.value == "brought-to-front"
    assert stacks(device) == [["Main", "Detail"], ["Home"]]
    # The intent of the icon differs from the shell's, so the activity is started again.
    assert start(device) == "started"
    assert stacks(device) == [["Main", "Detail", "Main"], ["Home"]]


def test_an_activity_of_another_app_joins_the_callers_task() -> None:
    device = phone()
    start(device)
    front(device).ctx.start(Intent(package=OTHER, activity=f"{OTHER}.Plain"))
    assert stacks(device) == [["Main", "Plain"], ["Home"]]
    device.press_back()
    front(device).ctx.start(Intent(package=OTHER, activity=f"{OTHER}.Plain", flags=frozenset({"NEW_TASK"})))
    assert stacks(device) == [["Plain"], ["Main"], ["Home"]]
    device.press_back()
    assert device.activities.focused_app == f"{PKG}/.Main"


def test_an_activity_that_cannot_be_started_gives_the_reason() -> None:
    device = phone()
    assert start(device, "Nothing") == "no-class"
    assert device.activities.start(Intent(action="no.such.ACTION")).kind.value == "unresolved"
    assert start(device, "Private", caller=OTHER) == "not-exported"
    assert start(device, "Private", caller=PKG) == "started"


def test_an_unresolved_intent_shows_a_toast() -> None:
    device = phone(lang="en")
    start(device)
    front(device).ctx.start(Intent(action="no.such.ACTION"))
    assert device.windows.last_toast == ("No app can perform this action", PKG)


def test_single_task_finishes_activities_above_before_delivering_the_intent() -> None:
    device = phone()
    start(device, "Single")
    front(device).ctx.open(f"{PKG}.Detail")
    trace(device)
    front(device).ctx.start(Intent(package=PKG, activity=f"{PKG}.Single", extras={"n": 1}))
    assert trace(device) == [
        "Detail.pause",
        "Detail.stop",
        "Detail.destroy",
        "Single.new_intent",
        "Single.resume",
    ]


def test_force_stop_ends_everything_without_callbacks() -> None:
    device = phone()
    start(device)
    front(device).ctx.open(f"{PKG}.Detail")
    before = device.processes.pidof(PKG)
    trace(device)
    device.activities.force_stop(PKG)
    assert trace(device) == []
    assert device.processes.pidof(PKG) is None
    assert stacks(device) == [["Home"]]
    start(device)
    assert device.processes.pidof(PKG) not in (None, before)


def test_a_killed_app_is_recreated_in_a_new_process() -> None:
    device = phone()
    start(device)
    main_of(device).add()
    before = device.processes.pidof(PKG)
    assert not device.activities.kill(PKG)  # it is in the foreground
    device.press_home()
    trace(device)
    assert device.activities.kill(PKG)
    assert device.processes.pidof(PKG) is None
    assert trace(device) == []
    device.activities.start(Intent(package=PKG, activity=f"{PKG}.Main"))
    assert stacks(device) == [["Main"], ["Home"]]
    assert trace(device) == ["Main.create", "Main.resume"]
    assert main_of(device).count == 0
    assert device.processes.pidof(PKG) not in (None, before)


def test_timers_of_a_dead_process_do_not_run() -> None:
    device = phone()
    start(device)
    ran: list[str] = []
    front(device).ctx.after(100, lambda: ran.append("first"))
    device.clock.advance(100)
    front(device).ctx.after(100, lambda: ran.append("killed"))
    device.activities.force_stop(PKG)
    start(device)
    front(device).ctx.after(50, lambda: ran.append("cancelled")).cancel()
    front(device).ctx.after(200, lambda: ran.append("finished"))
    front(device).ctx.finish()
    device.clock.advance(1000)
    assert ran == ["first"]


def test_a_crash_is_logged_and_shown_and_finishes_the_top_activity() -> None:
    device = phone(strict=False)
    start(device)
    front(device).ctx.open(f"{PKG}.Detail")
    pid = device.processes.pidof(PKG)
    device.activities.crash(PKG)
    lines = [entry.message for entry in device.logcat.read() if entry.tag == "AndroidRuntime"]
    assert lines[:2] == ["FATAL EXCEPTION: main", f"Process: {PKG}, PID: {pid}"]
    assert focus_title(device) == f"Application Error: {PKG}"
    assert node(device, resource_id="android:id/alertTitle").text == "“玩具”已停止运行"
    assert stacks(device) == [["Main"], ["Home"]]
    tap(device, resource_id="android:id/aerr_close")
    assert focus_title(device) == f"{PKG}/{PKG}.Main"


def test_an_app_that_crashes_again_is_killed() -> None:
    device = phone(strict=False, lang="en")
    start(device)
    front(device).ctx.open(f"{PKG}.Detail")
    device.activities.crash(PKG)
    device.press_back()
    device.clock.advance(59_000)
    device.activities.crash(PKG)
    assert stacks(device) == [["Home"]]
    assert node(device, resource_id="android:id/alertTitle").text == "Toy keeps stopping"
    device.press_back()
    assert focus_title(device) == f"{HOME}/{HOME}.Home"


def test_the_crash_dialog_reopens_the_app() -> None:
    device = phone(strict=False)
    start(device)
    device.activities.crash(PKG)
    tap(device, resource_id="android:id/aerr_restart")
    assert device.activities.focused_app == f"{PKG}/.Main"
    assert focus_title(device) == f"{PKG}/{PKG}.Main"


def test_the_crash_dialog_of_android_4_4() -> None:
    device = phone("android-19", strict=False, lang="en")
    start(device)
    device.activities.crash(PKG)
    assert node(device, resource_id="android:id/message").text == "Unfortunately, Toy has stopped."
    tap(device, resource_id="android:id/button1")
    assert device.activities.focused_app == f"{HOME}/.Home"


@pytest.mark.parametrize("name", ["Broken", "BrokenStart"])
def test_an_exception_in_an_app_crashes_the_app_not_the_phone(name: str) -> None:
    device = phone(strict=False)
    start(device, name)
    device.scene()
    assert focus_title(device) == f"Application Error: {PKG}"
    assert stacks(device) == [["Home"]]
    messages = [entry.message for entry in device.logcat.read()]
    assert any("ValueError: no " in message for message in messages)


def test_a_strict_phone_propagates_exceptions_of_apps() -> None:
    device = phone(strict=True)
    with pytest.raises(ValueError, match="no start"):
        start(device, "BrokenStart")


def test_broadcasts_reach_receivers() -> None:
    device = phone(strict=False)
    assert device.broadcast("toy.PING", {"n": 3}, package=PKG) == (-1, "pong 3")
    assert device.processes.pidof(PKG) is not None
    assert device.broadcast("toy.PING", {}, package=OTHER) == (0, "")
    assert device.broadcast("no.such.ACTION", {}, package=PKG) == (0, "")
    assert device.broadcast("toy.BROKEN", {}, package=PKG) == (0, "")
    assert focus_title(device) == f"Application Error: {PKG}"


def test_switching_the_screen_off_pauses_and_stops_the_activity() -> None:
    device = phone()
    start(device)
    trace(device)
    device.set_screen(on=False)
    assert trace(device) == ["Main.pause", "Main.stop"]
    assert device.scene().windows == ()
    device.set_screen(on=True)
    assert trace(device) == ["Main.resume"]
    assert focus_title(device) == f"{PKG}/{PKG}.Main"


def test_permission_requests_are_remembered() -> None:
    device = phone(lang="en")
    start(device)
    main = main_of(device)
    main.ctx.request_permission(CAMERA, main.answers.append)
    owner = "com.android.permissioncontroller"
    assert focus_title(device) == f"{owner}/{owner}.permission.ui.GrantPermissionsActivity"
    message = node(device, resource_id=f"{owner}:id/permission_message")
    assert message.text == "Allow Toy to take pictures and record video?"
    device.press_back()
    assert main.answers == [False]
    main.ctx.request_permission(CAMERA, main.answers.append)
    tap(device, resource_id=f"{owner}:id/permission_deny_button")
    main.ctx.request_permission(CAMERA, main.answers.append)
    tap(device, resource_id=f"{owner}:id/permission_deny_and_dont_ask_again_button")
    main.ctx.request_permission(CAMERA, main.answers.append)
    assert main.answers == [False] * 4
    assert not nodes(device, resource_id=f"{owner}:id/permission_message")  # the system no longer asks for it
    device.packages.clear(PKG)
    start(device)
    main = main_of(device)
    main.ctx.request_permission(CAMERA, main.answers.append)
    tap(device, resource_id=f"{owner}:id/permission_allow_foreground_only_button")
    assert main.answers == [True]
    assert main.ctx.permission(CAMERA)


def test_a_permission_dialog_ends_with_the_requesting_app() -> None:
    device = phone()
    start(device)
    main = main_of(device)
    main.ctx.request_permission(CAMERA, main.answers.append)
    device.activities.force_stop(PKG)
    assert focus_title(device) == f"{HOME}/{HOME}.Home"
    assert main.answers == []


def test_only_system_apps_may_access_the_phone() -> None:
    device = phone()
    assert front(device).ctx.system is device
    start(device)
    with pytest.raises(PermissionError):
        _ = front(device).ctx.system


def test_a_no_history_activity_ends_when_left_but_not_when_the_screen_turns_off() -> None:
    device = phone()
    start(device, "Main")
    start(device, "Detail", "NO_HISTORY")
    device.set_screen(False)
    device.set_screen(True)
    assert stacks(device) == [["Main", "Detail"], ["Home"]]
    trace(device)
    device.press_home()
    assert trace(device) == ["Detail.pause", "Detail.stop", "Detail.destroy"]
    assert stacks(device) == [["Home"], ["Main"]]


def test_since_android_13_notifications_need_a_requested_permission() -> None:
    notify = "android.permission.POST_NOTIFICATIONS"
    for profile, shown in (("android-30", 1), ("android-34", 0)):
        device = phone(profile)
        found = device.packages.get(PKG)
        assert found is not None
        found.app = replace(found.app, permissions=(*found.app.permissions, notify))
        start(device)
        front(device).ctx.notify("news", "title", "text")
        assert len(device.notifications.active()) == shown
        device.packages.grant(PKG, notify)
        device.make_context(found.app).notify("news", "title", "text")
        assert len(device.notifications.active()) == shown + 1
