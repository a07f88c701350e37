"""Split screens by shell commands: create, list, end (AOSP ``am stack``, ``WMShell``)."""

from __future__ import annotations

import pytest

from garabench.virtual.android.phone import Phone
from tests.virtual.android import toys
from tests.virtual.shell.harness import on_phone

SHELL = "dumpsys activity service SystemUIService WMShell"
HEAD = "SERVICE com.android.systemui/.SystemUIService 5c1d2e3 pid=1100\n  Client:\n"


def run(device: Phone, line: str) -> str:
    return on_phone(line, phone=device)[0]


def phone_with_two_apps(profile: str = "android-34") -> tuple[Phone, int, int]:
    """Return a phone with two apps, and the ids of their tasks; the first is in the foreground."""
    device = toys.phone(profile)
    toys.start(device, "Plain", package=toys.OTHER)
    other = device.activities.tasks[0].task_id
    toys.start(device)
    return device, device.activities.tasks[0].task_id, other


def test_move_to_side_stage_splits_the_screen_and_remove_ends_the_split() -> None:
    device, app, other = phone_with_two_apps()
    before = run(device, "am stack list")
    assert run(device, f"{SHELL} splitscreen moveToSideStage {other} 1") == HEAD
    listed = run(device, "am stack list").splitlines()
    assert listed[0] == "RootTask id=100002 bounds=[0,0][1080,2400] displayId=0 userId=0"
    assert listed[1].startswith(f"  taskId={app}: toy.app/toy.app.Main bounds=[0,0][1080,1155] ")
    assert listed[2].startswith(f"  taskId={other}: toy.other/toy.other.Plain bounds=[0,1181][1080,2400] ")
    assert all("visible=true" in line for line in listed[1:3])
    assert "    mDividerVisible=true\n" in run(device, SHELL)
    tasks = run(device, "dumpsys activity activities")
    assert tasks.count("mode=multi-window") == 4
    windows = run(device, "dumpsys window windows")
    assert "StageCoordinatorSplitDivider}:" in windows and "mFrame=[0,63][1080,1155]" in windows
    assert run(device, f"{SHELL} splitscreen removeFromSideStage {app}") == HEAD
    assert "mDividerVisible=true" in run(device, SHELL)
    run(device, f"{SHELL} splitscreen removeFromSideStage {other}")
    assert "mDividerVisible=false" in run(device, SHELL)
    assert run(device, "am stack list") == before


def test_the_side_stage_changes_its_half() -> None:
    device, _, other = phone_with_two_apps()
    run(device, f"{SHELL} splitscreen moveToSideStage {other} 1")
    run(device, f"{SHELL} splitscreen setSideStagePosition 0")
    assert f"taskId={other}: toy.other/toy.other.Plain bounds=[0,0][1080,1155]" in run(
        device, "am stack list"
    )
    assert "    SideStage\n      stagePosition=SPLIT_POSITION_TOP_OR_LEFT\n" in run(device, SHELL)


@pytest.mark.parametrize(
    ("args", "answer"),
    [
        ("splitscreen moveToSideStage 5", "Error: task id should be provided as arguments\n"),
        ("splitscreen moveToSideStage 55 1", "java.lang.IllegalArgumentException: Unknown taskId55\n"),
        ("splitscreen removeFromSideStage", "Error: task id should be provided as arguments\n"),
        (
            "splitscreen setSideStagePosition",
            "Error: side stage position should be provided as arguments\n",
        ),
        ("splitscreen exitSplitScreen 5", "Invalid command: exitSplitScreen\n"),
        ("nope", ""),
    ],
)
def test_invalid_commands_are_reported_and_change_nothing(args: str, answer: str) -> None:
    device, *_ = phone_with_two_apps()
    assert run(device, f"{SHELL} {args}") == HEAD + answer
    assert not device.activities.split.active


def test_wmshell_help_exists_since_android_12() -> None:
    help_text = run(toys.phone("android-34"), f"{SHELL} help")
    assert "  splitscreen\n    moveToSideStage <taskId> <SideStagePosition>\n" in help_text
    assert "removeFromSideStage <taskId>" in help_text
    assert run(toys.phone("android-30"), f"{SHELL} help") == HEAD


def test_android_11_starts_a_new_task_in_the_first_half() -> None:
    device, app, _ = phone_with_two_apps("android-30")
    on_phone("am force-stop toy.other", phone=device)
    run(device, "am start --windowingMode 3 -n toy.other/.Plain")
    listed = run(device, "am stack list").splitlines()
    assert listed[0] == "Stack id=100003 bounds=[0,0][1080,1155] displayId=0 userId=0"
    assert f"taskId={app}: toy.app/toy.app.Main bounds=[0,1181][1080,2400]" in "".join(listed)
    tasks = run(device, "dumpsys activity activities")
    assert "type=standard mode=split-screen-primary" in tasks
    on_phone("am force-stop toy.other", phone=device)
    assert "mode=split-screen" not in run(device, "dumpsys activity activities")


@pytest.mark.parametrize(("profile", "mode"), [("android-34", 3), ("android-19", 3), ("android-30", 5)])
def test_other_versions_and_modes_start_on_the_whole_screen(profile: str, mode: int) -> None:
    device = toys.phone(profile)
    toys.start(device)
    run(device, f"am start --windowingMode {mode} -n toy.other/.Plain")
    assert not device.activities.split.active


def test_an_existing_task_is_only_brought_to_the_front() -> None:
    device, _, other = phone_with_two_apps("android-30")
    run(device, "am start --windowingMode 3 -n toy.other/.Plain")
    assert device.activities.tasks[0].task_id == other
    assert not device.activities.split.active
