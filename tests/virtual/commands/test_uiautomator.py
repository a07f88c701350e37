from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from garabench.virtual.android.phone import Phone
from tests.virtual.android import toys
from tests.virtual.shell.harness import HOME, on_phone

NOT_IDLE = "ERROR: could not get idle state.\n"


@pytest.fixture
def phone() -> Phone:
    device = toys.phone()
    toys.start(device)
    return device


def test_a_dump_waits_for_one_idle_second(phone: Phone) -> None:
    before = phone.clock.now_ms()
    assert on_phone("uiautomator dump", phone=phone) == (
        "UI hierchary dumped to: /sdcard/window_dump.xml\n",
        "",
        0,
    )
    assert phone.clock.now_ms() - before == 1400
    xml = phone.files.read("/sdcard/window_dump.xml").decode()
    assert 'text="count 0"' in xml
    assert "\n" not in xml


def test_android_4_4_prints_its_legacy_path_of_the_same_file() -> None:
    device = toys.phone("android-19")
    toys.start(device)
    path = "/storage/emulated/legacy/window_dump.xml"
    assert on_phone("uiautomator dump", phone=device) == (f"UI hierchary dumped to: {path}\n", "", 0)
    assert (
        on_phone(f"cat {path}", phone=device)[0] == on_phone("cat /sdcard/window_dump.xml", phone=device)[0]
    )
    assert "<hierarchy" in on_phone("uiautomator dump /dev/tty", phone=device)[0]


def test_a_compressed_dump_omits_plain_layouts(phone: Phone) -> None:
    full = on_phone("uiautomator dump /dev/tty", phone=phone)[0]
    short = on_phone("uiautomator dump --compressed /dev/tty", phone=phone)[0]
    assert 0 < short.count("<node") < full.count("<node")
    for attribute in ('text="count 0"', 'resource-id="toy.app:id/list"', 'text="row 0"'):
        assert attribute in short


def test_a_change_restarts_the_idle_second(phone: Phone) -> None:
    main = toys.main_of(phone)

    def change() -> None:
        main.add()
        phone.changed()

    phone.clock.after(1000, change)
    before = phone.clock.now_ms()
    assert on_phone("uiautomator dump d.xml", phone=phone)[0] == "UI hierchary dumped to: d.xml\n"
    assert phone.clock.now_ms() - before == 2000
    assert b'text="count 1"' in phone.files.read(f"{HOME}/d.xml")


def test_a_screen_that_never_idles_leaves_the_old_file(phone: Phone) -> None:
    main = toys.main_of(phone)

    def change() -> None:
        main.add()
        phone.changed()
        phone.clock.after(500, change)

    change()
    line = "echo old > f; uiautomator dump f; echo $?; cat f"
    assert on_phone(line, phone=phone) == ("0\nold\n", NOT_IDLE, 0)
    assert 10_000 <= phone.clock.now_ms() < 11_000


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        ("idle-never", NOT_IDLE),
        ("stale-dump", NOT_IDLE),
        ("null-root", "ERROR: null root node returned by UiTestAutomationBridge.\n"),
    ],
)
def test_a_failed_dump_exits_with_0_and_leaves_the_old_file(phone: Phone, fault: str, message: str) -> None:
    phone.faults.enable(fault)
    assert on_phone("echo old > f; uiautomator dump f; echo $?; cat f", phone=phone) == (
        "0\nold\n",
        message,
        0,
    )
    phone.faults.disable(fault)
    assert on_phone("uiautomator dump f; cat f", phone=phone)[0].count("<hierarchy") == 1


def test_the_fault_dump_conflict_kills_a_second_uiautomation(phone: Phone) -> None:
    phone.automation = "com.wetest.uia2.Main"
    assert on_phone("uiautomator dump /dev/tty", phone=phone)[1:] == ("", 0)
    phone.faults.enable("dump-conflict")
    assert on_phone("uiautomator dump", phone=phone) == ("", "Killed \n", 137)
    assert "already registered!" in phone.logcat.read()[-1].message
    phone.automation = ""
    assert on_phone("uiautomator dump", phone=phone)[2] == 0


def test_a_screen_that_is_off_has_no_root(phone: Phone) -> None:
    phone.set_screen(False)
    assert on_phone("uiautomator dump", phone=phone)[1].startswith("ERROR: null root node")


def test_an_unwritable_file(phone: Phone) -> None:
    out, err, status = on_phone("uiautomator dump /sdcard", phone=phone)
    assert (out, status) == ("", 0)
    assert err.startswith("java.io.FileNotFoundException: /sdcard: open failed: ")


@pytest.mark.parametrize(
    ("line", "out", "err", "status"),
    [
        ("uiautomator nope", "", "Usage: uiautomator <subcommand>", 1),
        ("uiautomator help", "", "Usage: uiautomator <subcommand>", 0),
    ],
)
def test_lines(phone: Phone, line: str, out: str, err: str, status: int) -> None:
    got_out, got_err, got_status = on_phone(line, phone=phone)
    assert (got_out, got_status) == (out, status)
    assert got_err.startswith(err)
    assert bool(got_err) == bool(err)


@pytest.mark.parametrize(("profile", "framed"), [("android-19", True), ("android-30", False)])
def test_the_root_is_the_windows_frame_in_android_4_4(profile: str, framed: bool) -> None:
    device = toys.phone(profile)
    toys.start(device)
    out = on_phone("uiautomator dump /dev/tty", phone=device)[0]
    root = re.search(
        r'<node index="0" text="" resource-id="([^"]*)" class="([^"]*)" .*?bounds="([^"]*)"', out
    )
    assert root is not None
    whole = f"[0,0][{device.display.natural.width},{device.display.natural.height}]"
    if framed:
        assert root.groups() == ("", "android.widget.FrameLayout", whole)
    else:
        assert root[1] == "android:id/content"
        assert root[3] != whole


def tile(device: Phone, label: str) -> tuple[str | None, ...]:
    """Return class, description, checkable and checked of a tile of the quick settings."""
    xml = on_phone("uiautomator dump /dev/tty", phone=device)[0].rpartition("UI hierchary")[0]
    root = ElementTree.fromstring(xml.rstrip())  # noqa: S314 - our own text
    (found,) = (node for node in root.iter("node") if any(child.get("text") == label for child in node))
    return tuple(found.get(name) for name in ("class", "content-desc", "checkable", "checked"))


@pytest.mark.parametrize(
    ("profile", "off", "on"),
    [
        (
            "android-19",
            ("android.widget.FrameLayout", "Airplane mode Off.", "false", "false"),
            ("android.widget.FrameLayout", "Airplane mode On.", "false", "false"),
        ),
        (
            "android-30",
            ("android.widget.Switch", "Airplane mode", "true", "false"),
            ("android.widget.Switch", "Airplane mode", "true", "true"),
        ),
    ],
)
def test_a_tiles_state_is_in_its_description_only_in_android_4_4(
    profile: str, off: tuple[str, ...], on: tuple[str, ...]
) -> None:
    device = toys.phone(profile)
    device.lang = "en"
    device.windows.open_shade()
    assert tile(device, "Airplane mode") == off
    device.network.airplane = True
    device.changed()
    assert tile(device, "Airplane mode") == on


def test_all_windows_are_dumped(phone: Phone) -> None:
    """AOSP ``AccessibilityNodeInfoDumper.dumpWindowsToFile``, since Android 11."""
    xml = on_phone("uiautomator dump --windows /dev/tty", phone=phone)[0].rpartition("UI hierchary")[0]
    root = ElementTree.fromstring(xml.rstrip())  # noqa: S314 - our own text
    assert (root.tag, root[0].tag, root[0].get("id")) == ("displays", "display", "0")
    windows = {window.get("title"): window for window in root[0]}
    assert set(windows) >= {"toy.app/toy.app.Main", "StatusBar", "NavigationBar0"}
    app = windows["toy.app/toy.app.Main"]
    assert (app.get("type"), app.get("active"), app.get("focused")) == ("TYPE_APPLICATION", "true", "true")
    assert windows["StatusBar"].get("type") == "TYPE_SYSTEM"
    layers = [int(window.get("layer", "")) for window in root[0]]
    assert layers == sorted(layers, reverse=True)
    assert any(node.get("text") == "count 0" for node in app.iter("node"))
    assert app[0].tag == "hierarchy"


def test_old_versions_ignore_the_option_for_windows() -> None:
    device = toys.phone("android-19")
    toys.start(device)
    assert "<hierarchy" in on_phone("uiautomator dump --windows x; cat x", phone=device)[0]
