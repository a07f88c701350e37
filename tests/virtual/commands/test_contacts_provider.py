"""``content`` with the providers of contacts and calls (AOSP ``ContactsContract``, ``CallLog``)."""

from __future__ import annotations

import pytest

from tests.virtual.apps.system_robot import SystemRobot
from tests.virtual.shell.harness import on_phone

CONTACTS, CALLS = "content://com.android.contacts", "content://call_log/calls"
NAME, PHONE = "vnd.android.cursor.item/name", "vnd.android.cursor.item/phone_v2"


@pytest.fixture(scope="module")
def robot() -> SystemRobot:
    return SystemRobot()


@pytest.mark.parametrize(
    ("line", "out", "err"),
    [
        (
            f"content query --uri {CONTACTS}/contacts --projection display_name --sort 'display_name DESC'",
            "Row: 0 display_name=李娜\nRow: 1 display_name=妈妈\nRow: 2 display_name=Alex Chen\n",
            "",
        ),
        (
            f"content query --uri {CONTACTS}/data/phones --projection display_name:data1 "
            "--where \"display_name LIKE 'Al%'\"",
            "Row: 0 display_name=Alex Chen, data1=+14155550123\n",
            "",
        ),
        (
            f"content query --uri {CONTACTS}/contacts/2 --projection _id:has_phone_number",
            "Row: 0 _id=2, has_phone_number=1\n",
            "",
        ),
        (f"content query --uri {CALLS}", "No result found.\n", ""),
        (f"content gettype --uri {CONTACTS}/contacts", "Result: vnd.android.cursor.dir/contact\n", ""),
        (f"content gettype --uri {CONTACTS}/contacts/1", "Result: vnd.android.cursor.item/contact\n", ""),
        (
            f"content query --uri {CONTACTS}/nope",
            "",
            "Error while accessing provider:com.android.contacts\n"
            f"java.lang.IllegalArgumentException: Unknown URL {CONTACTS}/nope\n",
        ),
        (
            f"content query --uri {CONTACTS}/contacts --projection nope",
            "",
            "Error while accessing provider:com.android.contacts\nandroid.database.sqlite.SQLiteException: "
            "no such column: nope (code 1 SQLITE_ERROR): , while compiling: SELECT nope FROM view_contacts\n",
        ),
        (
            f"content query --uri {CONTACTS}/contacts --where '1) UNION SELECT load_extension(1' | cut -c1-8",
            "",
            "Error while accessing provider:com.android.contacts\nandroid.database.sqlite.SQLiteException: "
            "SELECTs to the left and right of UNION do not have the same number of result columns "
            "(code 1 SQLITE_ERROR): , while compiling: SELECT _id, display_name, display_name_alt, sort_key, "
            "starred, has_phone_number, lookup, times_contacted, in_visible_group FROM view_contacts WHERE "
            "(1) UNION SELECT load_extension(1)\n",
        ),
    ],
)
def test_queries(robot: SystemRobot, line: str, out: str, err: str) -> None:
    assert on_phone(line, phone=robot.phone)[:2] == (out, err)


def test_a_contact_is_inserted_as_raw_contact_and_data_and_deleted() -> None:
    robot = SystemRobot()
    insert = f"content insert --uri {CONTACTS}"
    lines = (
        f"{insert}/raw_contacts --bind account_type:s: --bind account_name:s:",
        f"{insert}/data --bind raw_contact_id:i:4 --bind mimetype:s:{NAME} --bind data1:s:Bob",
        f"{insert}/data --bind raw_contact_id:i:4 --bind mimetype:s:{PHONE} --bind data1:s:555",
    )
    assert on_phone("; ".join(lines), phone=robot.phone) == ("", "", 0)
    assert ("contact", "Bob/555") in robot.state("com.android.contacts")
    on_phone(f"content delete --uri {CONTACTS}/contacts --where \"display_name='Bob'\"", phone=robot.phone)
    assert ("contact", "Bob/555") not in robot.state("com.android.contacts")
    assert "raw_contact_id" in on_phone(lines[1].replace("i:4", "i:9"), phone=robot.phone)[1]


def test_calls_are_logged_with_the_contacts_name() -> None:
    """Type 2 is ``CallLog.Calls.OUTGOING_TYPE``, 3 ``MISSED_TYPE``."""
    robot = SystemRobot()
    robot.start(action="android.intent.action.CALL", data="tel:13800138000")
    robot.tap("incall_end_call")
    on_phone(f"content insert --uri {CALLS} --bind number:s:110 --bind type:i:3", phone=robot.phone)
    shown = on_phone(f"content query --uri {CALLS} --projection number:type:name", phone=robot.phone)[0]
    assert shown == "Row: 0 number=13800138000, type=2, name=妈妈\nRow: 1 number=110, type=3, name=NULL\n"
    assert robot.state("com.android.dialer") == [("call", "13800138000")]
    on_phone(f"content delete --uri {CALLS}", phone=robot.phone)
    assert on_phone(f"content query --uri {CALLS}", phone=robot.phone)[0] == "No result found.\n"


@pytest.mark.parametrize(
    "arguments",
    [
        "-a android.intent.action.PICK -t vnd.android.cursor.dir/contact",
        "-a android.intent.action.PICK -d content://com.android.contacts/contacts",
        "-a android.intent.action.GET_CONTENT -t vnd.android.cursor.item/phone_v2",
    ],
)
def test_other_apps_pick_a_contact(robot: SystemRobot, arguments: str) -> None:
    """``am`` takes the type of a ``content:`` URI from its provider (``getProviderMimeType``)."""
    assert on_phone(f"am start {arguments}", phone=robot.phone)[2] == 0
    front = robot.phone.activities.resumed
    assert front is not None
    assert front.app.package == "com.android.contacts"
    assert not robot.nodes("floating_action_button")
    robot.tap("Alex Chen")
    assert robot.phone.activities.resumed is not front


def test_numbers_and_calls_are_updated() -> None:
    """``ContactsProvider2.update``: the selected rows of ``data``; other columns are refused."""
    phone = SystemRobot().phone
    where = f"--where \"mimetype='{PHONE}' AND display_name='Alex Chen'\""
    line = f"content update --uri {CONTACTS}/data --bind data1:s:123 {where}"
    assert on_phone(line, phone=phone) == ("", "", 0)
    shown = f"content query --uri {CONTACTS}/data/phones --projection data1 --where \"data1='123'\""
    assert on_phone(shown, phone=phone)[0] == "Row: 0 data1=123\n"
    on_phone(f"content insert --uri {CALLS} --bind number:s:5 --bind type:i:3", phone=phone)
    on_phone(f"content update --uri {CALLS}/1 --bind type:i:1", phone=phone)
    assert on_phone(f"content query --uri {CALLS} --projection number:type", phone=phone)[0] == (
        "Row: 0 number=5, type=1\n"
    )
    err = on_phone(f"content update --uri {CONTACTS}/contacts --bind starred:i:1", phone=phone)[1]
    assert f"java.lang.IllegalArgumentException: Unknown URL {CONTACTS}/contacts\n" in err
