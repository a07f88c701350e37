from __future__ import annotations

import pytest

from tests.virtual.os import toys
from tests.virtual.shell.harness import on_phone

PUT = "settings put system x 1; "


@pytest.mark.parametrize(
    ("line", "out", "err", "status"),
    [
        ("settings get system nope", "null\n", "", 0),
        (PUT + "settings get system x", "1\n", "", 0),
        ("settings --user 0 get global adb_enabled", "1\n", "", 0),
        ("settings get --user 0 global adb_enabled", "1\n", "", 0),
        (
            PUT + "settings delete system x; settings delete system x",
            "Deleted 1 rows\nDeleted 0 rows\n",
            "",
            0,
        ),
        (PUT + "settings list system | grep ^x=", "x=1\n", "", 0),
        ("settings get nope x", "", "Invalid namespace 'nope'\n", 255),
        ("settings", "", "Invalid arguments\n", 255),
        (
            PUT
            + "content query --uri content://settings/system --where \"name='x'\" --projection name:value",
            "Row: 0 name=x, value=1\n",
            "",
            0,
        ),
        ("content query --uri content://settings/system/nope", "No result found.\n", "", 0),
        (
            "content insert --uri content://settings/secure --bind name:s:a --bind value:s:b:c; "
            "settings get secure a",
            "b:c\n",
            "",
            0,
        ),
        (
            PUT + "content update --uri content://settings/system --bind value:s:2 --where \"name='x'\"; "
            "settings get system x",
            "2\n",
            "",
            0,
        ),
        (PUT + "content delete --uri content://settings/system/x; settings get system x", "null\n", "", 0),
        (
            "content query --uri content://sms/inbox",
            "",
            "Error while accessing provider:sms\n"
            "java.lang.IllegalStateException: Could not find provider: sms\n",
            1,
        ),
        ("content nope", "", "[ERROR] Unsupported operation: nope\n", 1),
        ("content query --nope x", "", "[ERROR] Unsupported argument: --nope\n", 1),
        ("content query --uri", "", "[ERROR] Argument expected after --uri\n", 1),
        ("wm size", "Physical size: 1080x2400\n", "", 0),
        ("wm size 720x1280; wm size", "Physical size: 1080x2400\nOverride size: 720x1280\n", "", 0),
        ("wm size 720x1280; wm size reset; wm size", "Physical size: 1080x2400\n", "", 0),
        ("wm size 10x99999; wm size", "Physical size: 1080x2400\nOverride size: 200x4800\n", "", 0),
        ("wm size 400dpx800dp; wm size", "Physical size: 1080x2400\nOverride size: 1050x2100\n", "", 0),
        ("wm size x", "", "Error: bad size x\n", 255),
        ("wm density 320; wm density", "Physical density: 420\nOverride density: 320\n", "", 0),
        ("wm density 320; wm density reset; wm density", "Physical density: 420\n", "", 0),
        ("wm density 71", "", "Error: density must be >= 72\n", 255),
        ("wm density x", "", "Error: bad number x\n", 255),
        ("wm user-rotation; wm user-rotation lock 1; wm user-rotation", "lock 0\nlock 1\n", "", 0),
        ("wm user-rotation free; wm user-rotation", "free\n", "", 0),
        ("wm nope", "", "Error: unknown command\n", 255),
    ],
)
def test_lines(line: str, out: str, err: str, status: int) -> None:
    assert on_phone(line) == (out, err, status)


def test_an_override_changes_the_display_itself() -> None:
    phone = toys.phone()
    toys.start(phone)
    before = toys.node(phone, resource_id="toy.app:id/count").bounds
    on_phone("wm size 720x1280; wm density 320", phone=phone)
    assert (phone.scene().size.width, phone.scene().size.height) == (720, 1280)
    assert phone.frame().size == phone.scene().size
    assert toys.node(phone, resource_id="toy.app:id/count").bounds.height < before.height
    on_phone("wm size reset; wm density reset", phone=phone)
    assert toys.node(phone, resource_id="toy.app:id/count").bounds == before
