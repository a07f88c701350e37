"""Several handlers of an intent: AOSP's ``chooseBestActivity`` and ``ResolverActivity``."""

from __future__ import annotations

from garabench.virtual.android.device_profile import Profile
from garabench.virtual.android.installer import install_apk
from garabench.virtual.android.phone import Phone
from garabench.virtual.apps.framework.app import APP as FRAMEWORK
from garabench.virtual.apps.launcher.app import APP as LAUNCHER
from garabench.virtual.ui.scene import PlacedNode
from tests.virtual.android.apks import Tag, apk
from tests.virtual.shell.harness import on_phone

VIEW = "am start -a android.intent.action.VIEW"
RESOLVER = "android/com.android.internal.app.ResolverActivity"


def _activity(name: str, *data: dict[str, str], categories: tuple[str, ...] = ("DEFAULT",)) -> Tag:
    children: list[Tag] = [("action", {"name": "android.intent.action.VIEW"}, [])]
    children += [("category", {"name": f"android.intent.category.{each}"}, []) for each in categories]
    children += [("data", each, []) for each in data]
    return ("activity", {"name": name, "exported": True}, [("intent-filter", {}, children)])


def _apk(package: str, *activities: Tag) -> bytes:
    root = {"package": package, "versionCode": 1, "versionName": "1.0"}
    return apk(("manifest", root, [("uses-sdk", {"targetSdkVersion": 34}, []), _app(*activities)]))


def _app(*activities: Tag) -> Tag:
    return ("application", {"label": "label"}, activities)


def make_phone() -> Phone:
    phone = Phone(Profile.parse("android-34"), apps=(FRAMEWORK, LAUNCHER), lang="en", strict=True)
    map_link, note = {"scheme": "map", "host": "here"}, {"mimeType": "text/*"}
    for data in (
        _apk("org.first", _activity(".Map", map_link, {"pathPrefix": "/a"}), _activity(".Bare")),
        _apk("org.second", _activity(".Map", map_link), _activity(".Note", note)),
        _apk("org.third", _activity(".Shy", {"scheme": "shy"}, categories=())),
    ):
        assert install_apk(phone.packages, data).ok
    return phone


def nodes(phone: Phone) -> dict[str, PlacedNode]:
    found = [node for window in phone.scene().windows for node in window.root.walk()]
    return {node.resource_id.removeprefix("android:id/"): node for node in found if node.resource_id}


def tap(phone: Phone, node: PlacedNode) -> None:
    phone.input.tap(node.visible.center.x, node.visible.center.y)


def entry(phone: Phone, number: int) -> PlacedNode:
    found = [node for window in phone.scene().windows for node in window.root.walk()]
    return [node for node in found if node.resource_id == "android:id/text1"][number]


def test_the_shell_reports_what_no_filter_accepts() -> None:
    phone = make_phone()
    # ActivityManagerShellCommand.runStartActivity, START_INTENT_NOT_RESOLVED
    for arguments in (
        "-d foo:bar",
        "-d map://there",
        "-d map://here -t text/plain",
        "-d shy:x",  # its filter lacks the category DEFAULT (MATCH_DEFAULT_ONLY)
        "-t text/plain -d https://example.org/x",
    ):
        out, err, status = on_phone(f"{VIEW} {arguments}", phone=phone)
        assert out.startswith("Starting: Intent { act=android.intent.action.VIEW ")
        assert err.startswith("Error: Activity not started, unable to resolve Intent { act=")
        assert status == 1
    assert phone.activities.focused_app.startswith("com.android.launcher3/")


def test_the_tables_agree_with_the_resolution() -> None:
    phone = make_phone()
    assert on_phone(f"{VIEW} -t text/plain; {VIEW}", phone=phone)[2] == 0
    assert [record.component for task in phone.activities.tasks for record in task.stack][:2] == [
        "org.first/.Bare",
        "org.second/.Note",
    ]
    query = "cmd package query-activities --components -a android.intent.action.VIEW -d map://here/ab"
    assert on_phone(query, phone=phone)[0] == "org.first/.Map\norg.second/.Map\n"  # a path before a host
    assert on_phone(
        "cmd package resolve-activity --brief -a android.intent.action.VIEW -d map://here/ab", phone=phone
    )[0].splitlines() == [
        "priority=0 preferredOrder=0 match=0x0 specificIndex=-1 isDefault=false",
        RESOLVER,
    ]
    one = "cmd package resolve-activity --brief -a android.intent.action.VIEW -d map://here/b"
    assert on_phone(one, phone=phone)[0].splitlines() == [
        "priority=0 preferredOrder=0 match=0x308000 specificIndex=-1 isDefault=true",
        "org.second/.Map",
    ]
    # `cmd package` queries without MATCH_DEFAULT_ONLY, unless its flag is given
    shy = "cmd package query-activities --components {} -a android.intent.action.VIEW -d shy:x"
    assert on_phone(shy.format(""), phone=phone)[0] == "org.third/.Shy\n"
    assert on_phone(shy.format("--query-flags 0x10000"), phone=phone)[0] == "No activities found\n"
    table = on_phone("dumpsys package org.second", phone=phone)[0]
    assert table.startswith("Activity Resolver Table:\n  Wild MIME Types:\n      text:\n        ")
    assert '          Authority: "here": -1\n' in table
    assert "\n  MIME Typed Actions:\n      android.intent.action.VIEW:\n" in table


def test_two_handlers_open_the_chooser_which_starts_the_selected_app() -> None:
    phone = make_phone()
    out = on_phone(f"{VIEW} -W -d map://here/ab", phone=phone)[0]
    assert f"Activity: {RESOLVER}\n" in out
    assert phone.activities.focused_app == RESOLVER
    assert not nodes(phone)["button_once"].enabled
    tap(phone, entry(phone, 1))
    tap(phone, nodes(phone)["button_once"])
    assert phone.activities.focused_app == "org.second/.Map"
    record = phone.activities.resumed
    assert record is not None
    assert record.intent.data == "map://here/ab"
    on_phone(f"{VIEW} -d map://here/ab", phone=phone)
    assert phone.activities.focused_app == RESOLVER


def test_always_is_remembered_until_an_app_that_fits_comes_or_goes() -> None:
    phone = make_phone()
    on_phone(f"{VIEW} -d map://here/ab", phone=phone)
    tap(phone, entry(phone, 0))
    tap(phone, nodes(phone)["button_always"])
    assert phone.activities.focused_app == "org.first/.Map"
    phone.press_home()
    on_phone(f"{VIEW} -d map://here/ac", phone=phone)
    assert phone.activities.focused_app == "org.first/.Map"
    assert install_apk(phone.packages, _apk("org.fourth", _activity(".Map", {"scheme": "map"}))).ok
    on_phone(f"{VIEW} -d map://here/ac", phone=phone)
    assert phone.activities.focused_app == RESOLVER


def test_an_installed_app_says_that_it_is_not_simulated() -> None:
    phone = make_phone()
    on_phone("am start -n org.first/.Bare", phone=phone)
    texts = [node.text for window in phone.scene().windows for node in window.root.walk()]
    assert "Installed, not simulated: its code does not run" in texts
    assert any(e.tag == "garabench" and "org.first" in e.message for e in phone.logcat.read())
