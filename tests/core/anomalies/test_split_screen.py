"""The commands for the split screen, and the tasks of a device, parsed from its output."""

from __future__ import annotations

import pytest

from garabench.core.anomalies import split_screen
from garabench.core.anomalies.split_screen import Stages, TaskRow
from garabench.core.geometry import Rect
from garabench.device.undo.entry import Scope, UndoEntry

WMSHELL = ("dumpsys", "activity", "service", "SystemUIService", "WMShell")
HEAD = "SERVICE com.android.systemui/.SystemUIService 5c1d2e3 pid=1100\n  Client:\n"
HELP = "Window Manager Shell commands:\n  help\n      Print this help text.\n"
ENTER = "moveToSideStage <taskId> <SideStagePosition>\n    Move a task with given id in split-screen mode.\n"
REMOVE = "removeFromSideStage <taskId>\n    Remove a task with given id in split-screen mode.\n"
EXIT = "exitSplitScreen <taskId>\n    Exits split screen and leaves the provided split task on top.\n"
APP, SETTINGS = "com.example.app", "com.android.settings"
UPPER = TaskRow(7, f"{APP}/{APP}.Main", Rect(0, 0, 1080, 1155), True)
LOWER = TaskRow(9, f"{SETTINGS}/{SETTINGS}.Settings", Rect(0, 1181, 1080, 2400), True)
LISTED = f"""RootTask id=2 bounds=[0,0][1080,2400] displayId=0 userId=0
 configuration={{1.0 310mcc260mnc [en_US] winConfig={{ mBounds=Rect(0, 0 - 1080, 2400) }} s.1}}
  taskId=7: {APP}/{APP}.Main bounds=[0,0][1080,1155] userId=0 visible=true topActivity=ComponentInfo{{x/y}}
  taskId=9: {SETTINGS}/{SETTINGS}.Settings bounds=[0,1181][1080,2400] userId=0 visible=true

Stack id=1 bounds=[0,0][1080,2400] displayId=0 userId=0
  taskId=5: com.home/com.home.Home bounds=[0,0][1080,2400] userId=0 visible=false topActivity=ComponentInfo{{h/H}}
  taskId=6: unknown bounds=[0,0][1080,2400] userId=0 visible=false
"""  # noqa: E501


@pytest.mark.parametrize(
    ("reported", "known"),
    [
        ("", None),
        (HEAD, None),
        (HEAD + HELP, None),
        (HELP + f"  splitscreen\n    {ENTER}", None),
        (HELP + f"  splitscreen\n    {EXIT}", None),
        (HELP + f"  {ENTER}  {REMOVE}", Stages(WMSHELL, "removeFromSideStage")),
        (
            HEAD + HELP + f"  splitscreen\n    {ENTER}    {REMOVE}",
            Stages((*WMSHELL, "splitscreen"), "removeFromSideStage"),
        ),
        (
            HELP + f"  splitscreen\n    {ENTER}    {REMOVE}    {EXIT}",
            Stages((*WMSHELL, "splitscreen"), "exitSplitScreen"),
        ),
        (
            HELP + f"  splitscreen\n    {ENTER}    {EXIT}",
            Stages((*WMSHELL, "splitscreen"), "exitSplitScreen"),
        ),
        (HELP + "  moveToSoScSplitStage <taskId>\n  removeFromSoScSplit <taskId>\n", None),
    ],
)
def test_the_help_lists_the_commands_to_enter_and_leave(reported: str, known: Stages | None) -> None:
    assert split_screen.parse_stages(reported) == known


def test_each_command_names_its_task() -> None:
    new = Stages((*WMSHELL, "splitscreen"), "exitSplitScreen")
    old = Stages(WMSHELL, "removeFromSideStage")
    assert new.enter_command(LOWER) == (*WMSHELL, "splitscreen", "moveToSideStage", "9", "1")
    assert new.leave_command(UPPER, LOWER) == (*WMSHELL, "splitscreen", "exitSplitScreen", "7")
    assert old.leave_command(UPPER, LOWER) == (*WMSHELL, "removeFromSideStage", "9")
    assert split_screen.start_command("a.b.C") == (
        "am",
        "start",
        "-W",
        "-S",
        "--windowingMode",
        "3",
        "-a",
        "a.b.C",
    )


def test_tasks_are_parsed_from_the_output_of_every_version() -> None:
    found = split_screen.parse_tasks(LISTED)
    assert found[:2] == (UPPER, LOWER)
    assert [row.number for row in found] == [7, 9, 5]
    assert (found[2].visible, found[2].package) == (False, "com.home")
    assert str(UPPER) == f"taskId=7: {APP}/{APP}.Main bounds=[0,0][1080,1155], visible"


def moved(row: TaskRow, *, bounds: Rect | None = None, visible: bool = True) -> TaskRow:
    return TaskRow(row.number, row.component, bounds or row.bounds, visible)


@pytest.mark.parametrize(
    ("tasks", "expected"),
    [
        ((UPPER, LOWER), True),
        ((LOWER, UPPER), True),
        ((moved(UPPER, bounds=Rect(0, 0, 500, 900)), moved(LOWER, bounds=Rect(520, 0, 1000, 900))), True),
        ((moved(UPPER, bounds=Rect(0, 0, 1080, 2400)), LOWER), False),
        ((UPPER, moved(LOWER, visible=False)), False),
        ((moved(UPPER, visible=False), LOWER), False),
        ((UPPER,), False),
        ((LOWER,), False),
        ((), False),
        ((moved(UPPER, bounds=Rect(0, 0, 1080, 2400), visible=False), UPPER, LOWER), True),
    ],
)
def test_two_apps_share_the_screen_if_both_are_visible_and_apart(
    tasks: tuple[TaskRow, ...], expected: bool
) -> None:
    assert bool(split_screen.visible_halves(APP, SETTINGS, tasks)) is expected


def test_a_restored_or_closed_task_passes_the_bounds_query() -> None:
    whole = moved(LOWER, bounds=Rect(0, 0, 1080, 2400))
    query, expected = split_screen.bounds_query(whole)
    assert expected == ("[0,0][1080,2400]", "[0,0][2400,1080]", "")
    assert query.read(LISTED) == "[0,1181][1080,2400]"
    assert query.read(LISTED.replace("[0,1181]", "[0,0]")) in expected
    assert query.read("RootTask id=2\n") in expected
    back = Stages((*WMSHELL, "splitscreen"), "exitSplitScreen").leave_command(UPPER, LOWER)
    entry = UndoEntry("the split screen", "split-screen", Scope.EPISODE, (back,), query, expected)
    assert UndoEntry.from_json(entry.to_json()) == entry


@pytest.mark.parametrize(
    ("reported", "reading"),
    [
        ("  Stack #5: type=standard mode=split-screen-primary\n", "primary"),
        ("* Task{1 #8 visible=true type=standard mode=split-screen-secondary translucent=false", "secondary"),
        ("* Task{b #9 visible=false type=undefined mode=split-screen-primary translucent=true", ""),
        ("  Stack #5: type=standard mode=fullscreen\n", ""),
    ],
)
def test_an_app_in_a_half_is_recognized_by_its_windowing_mode(reported: str, reading: str) -> None:
    assert split_screen.IN_A_HALF.read(reported) == reading


@pytest.mark.parametrize("verb", ["moveToSideStage", "help", "setSideStagePosition"])
def test_the_journal_refuses_other_commands_of_systemui(verb: str) -> None:
    query, expected = split_screen.bounds_query(LOWER)
    with pytest.raises(ValueError, match="does not restore"):
        UndoEntry("x", "y", Scope.EPISODE, ((*WMSHELL, "splitscreen", verb, "9"),), query, expected)


@pytest.mark.parametrize(
    ("tasks", "expected"),
    [
        ((UPPER, LOWER), True),
        ((moved(UPPER, visible=False), LOWER), True),
        ((moved(UPPER, visible=False), moved(LOWER, visible=False)), True),
        ((moved(UPPER, bounds=Rect(0, 0, 1080, 2400)), LOWER), False),
        ((UPPER,), False),
        ((), False),
    ],
)
def test_a_covered_split_screen_is_still_a_split_screen(tasks: tuple[TaskRow, ...], expected: bool) -> None:
    assert split_screen.is_split(APP, SETTINGS, tasks) is expected
