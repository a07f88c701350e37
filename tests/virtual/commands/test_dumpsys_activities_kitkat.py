"""``dumpsys activity`` of Android 4.4, as a real Android 4.4.2 prints it."""

from __future__ import annotations

import re

import pytest

from garabench.device import focus
from garabench.virtual.android.phone import Phone
from tests.virtual.android import toys
from tests.virtual.shell.harness import on_phone


@pytest.fixture
def phone() -> Phone:
    device = toys.phone("android-19")
    toys.start(device)
    return device


def dump(phone: Phone, line: str) -> str:
    return on_phone(f"dumpsys activity {line}", phone=phone)[0]


def test_activities_are_listed_by_stack_and_task(phone: Phone) -> None:
    number = phone.activities.tasks[0].task_id
    out = dump(phone, "activities")
    shape = (
        r"^  Stack #0:\n    Task id #1\n    \* TaskRecord\{\w{8} #1 A=toy.home U=0 sz=1\}\n(?:.*\n)*"
        r"      \* Hist #0: ActivityRecord\{\w{8} u0 toy.home/.Home t1\}\n(?:.*\n)*"
        r"    mLastPausedActivity: ActivityRecord\{\w{8} u0 toy.home/.Home t1\}\n(?:.*\n)*"
        rf"  Stack #1:\n    Task id #{number}\n    \* TaskRecord\{{(?:.*\n)*"
        r"    mResumedActivity: ActivityRecord\{\w{8} u0 toy.app/.Main t\d+\}\n(?:.*\n)*"
        r"  mFocusedActivity: ActivityRecord\{\w{8} u0 toy.app/.Main t\d+\}\n"
    )
    assert re.search(shape, out, re.MULTILINE), out
    assert "Display #" not in out
    assert "type=standard" not in out
    found = focus.parse_activities(out)
    assert found is not None
    assert found.activity == "toy.app.Main"


def test_no_activity_is_resumed_behind_the_lock_screen(phone: Phone) -> None:
    on_phone("input keyevent 26; input keyevent 26", phone=phone)
    out = dump(phone, "activities")
    assert "mResumedActivity" not in out
    assert "  mFocusedActivity: ActivityRecord{" in out
    assert focus.parse_activities(out) is None


def test_recents_are_unknown(phone: Phone) -> None:
    wanted = "Bad activity command, or no activities match: recents\n"
    assert dump(phone, "recents").startswith(wanted)


def test_top_has_no_user_and_lists_the_views(phone: Phone) -> None:
    out = dump(phone, "top")
    assert re.match(r"TASK toy.app id=\d+\n  ACTIVITY toy.app/.Main \w{8} pid=\d+\n", out)
    assert "userId=" not in out
    assert "      FragmentManager misc state:\n" in out
    assert re.search(r"\n      View Hierarchy:|\n    View Hierarchy:\n", out)
    assert re.search(r"android.widget.Button\{\w{8} VFE\.+C.* #7f\w{6} app:id/count\}", out)
