"""The contacts, AOSP ``packages/apps/Contacts``; ``ContactsContract.Intents.Insert`` of the documentation."""

from __future__ import annotations

from garabench.virtual.kit.framework import Intent
from tests.virtual.apps.system_robot import SystemRobot

PACKAGE = "com.android.contacts"
PEOPLE = f"{PACKAGE}.activities.PeopleActivity"


def test_contacts_are_found_added_dialled_and_deleted() -> None:
    robot = SystemRobot()
    inserted = {"mime_type": "vnd.android.cursor.dir/contact", "extras": {"name": "Bob", "phone": "555"}}
    assert robot.start(action="android.intent.action.INSERT", **inserted).endswith("ContactEditorActivity")
    robot.tap("editor_menu_save_button")
    assert ("contact", "Bob/555") in robot.state(PACKAGE)
    robot.start(package=PACKAGE, activity=PEOPLE)
    assert robot.texts("cliv_name_textview") == ["Alex Chen", "Bob", "妈妈", "李娜"]
    robot.tap("search_view")
    robot.phone.ime.commit_text("bo")
    assert robot.texts("cliv_name_textview") == ["Bob"]
    robot.tap("Bob", "555")
    front = robot.phone.activities.resumed
    assert front is not None
    assert front.intent == Intent(action="android.intent.action.DIAL", data="tel:555")
    robot.phone.press_back()
    robot.phone.press_back()
    robot.tap("menu_delete", "button1")
    assert ("contact", "Bob/555") not in robot.state(PACKAGE)


def test_a_contact_without_anything_is_not_saved() -> None:
    robot = SystemRobot("android-19:720x1280", lang="zh")
    before = robot.state(PACKAGE)
    robot.start(package=PACKAGE, activity=PEOPLE)
    robot.tap("新建联系人", "保存")
    assert robot.state(PACKAGE) == before
