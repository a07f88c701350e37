"""The phone's interfaces agree: a change by one of them is visible in all others."""

from __future__ import annotations

import io
import re

import pytest
from PIL import Image

from garabench.virtual.android.phone import Phone
from garabench.virtual.android.system_properties import KITKAT
from garabench.virtual.android.window_manager import TOAST_MS
from garabench.virtual.ui.dump import uiautomator_xml
from garabench.virtual.ui.scene import WindowKind
from tests.virtual.android.apks import apk
from tests.virtual.android.toys import CAMERA, OTHER, PKG, front, main_of, node, nodes, phone, start, tap
from tests.virtual.shell.harness import HOME, on_phone


@pytest.fixture(params=["android-19", "android-30", "android-34"])
def device(request: pytest.FixtureRequest) -> Phone:
    device = phone(request.param, lang="en")
    start(device)
    return device


def sh(device: Phone, line: str) -> str:
    out, err, _ = on_phone(line, phone=device)
    return out + err


def screenshot(device: Phone) -> Image.Image:
    """Return the image that ``screencap`` writes."""
    sh(device, "screencap -p /sdcard/s.png")
    return Image.open(io.BytesIO(device.files.read("/sdcard/s.png"))).convert("RGB")


def test_packages(device: Phone) -> None:
    device.files.write(f"{HOME}/a.apk", apk())
    assert "Success" in sh(device, f"pm install {HOME}/a.apk")
    assert "package:org.example.small\n" in sh(device, "pm list packages")
    assert "org.example.small" in [each.app.package for each in device.packages.query_launcher()]
    sh(device, "monkey -p org.example.small 1")
    assert nodes(device, text="小应用") or nodes(device, text="Main")
    assert re.search(r"u0 org\.example\.small/[\w.]+\}", sh(device, "dumpsys window"))
    sh(device, "pm uninstall org.example.small")
    assert "org.example.small" not in sh(
        device, "pm list packages; ps -A; ps; dumpsys window; dumpsys activity"
    )
    assert "does not exist" in sh(device, "am start -n org.example.small/.Main")


def test_tasks_and_back_stacks(device: Phone) -> None:
    sh(device, "am start -n toy.app/.Detail; am start -n toy.other/.Plain")
    hist = re.findall(
        r"Hist #(\d): ActivityRecord\{\w+ u0 (\S+) t\d+\}", sh(device, "dumpsys activity activities")
    )
    if device.profile.sdk == 19:  # the home stack comes first
        assert hist.pop(0) == ("0", "toy.home/.Home")
    assert hist[:3] == [("0", "toy.other/.Plain"), ("1", "toy.app/.Detail"), ("0", "toy.app/.Main")]
    sh(device, "input keyevent BACK")
    assert device.activities.focused_app == "toy.app/.Detail"
    sh(device, "input keyevent BACK")
    assert nodes(device, text="count 0")
    sh(device, "input keyevent BACK; input keyevent BACK")
    assert device.activities.focused_app == "toy.home/.Home"


def test_permission_state(device: Phone) -> None:
    answers: list[bool] = []
    front(device).ctx.request_permission(CAMERA, answers.append)
    if device.profile.sdk < 23:
        assert answers == [True]
        return
    assert "GrantPermissionsActivity" in sh(device, "dumpsys window")
    tap(device, text="While using the app")
    assert answers == [True]
    assert f"{CAMERA}: granted=true" in sh(device, "dumpsys package toy.app")
    sh(device, f"pm revoke toy.app {CAMERA}")
    assert "toy.app" not in sh(device, "ps -A")
    assert f"{CAMERA}: granted=false" in sh(device, "dumpsys package toy.app")


def test_settings_change_the_screen(device: Phone) -> None:
    small, before = screenshot(device), node(device, text="tab 0").bounds
    sh(device, "settings put system font_scale 1.6")
    assert screenshot(device).tobytes() != small.tobytes()
    assert node(device, text="tab 0").bounds.left == before.left
    sh(device, "settings put system font_scale 1.0")
    assert screenshot(device).tobytes() == small.tobytes()
    start(device, "Single")
    low = node(device, text="single").bounds
    sh(device, "settings put system font_scale 1.6")
    assert node(device, text="single").bounds.height > 1.4 * low.height
    sh(device, "settings put system font_scale nonsense")
    assert node(device, text="single").bounds == low


def test_the_soft_keyboard_types_the_touched_keys(device: Phone) -> None:
    full = screenshot(device)
    rows = len(nodes(device, resource_id=f"{PKG}:id/row"))
    tap(device, resource_id=f"{PKG}:id/name")
    assert "mInputShown=true" in sh(device, "dumpsys input_method")
    (keyboard,) = [each for each in device.scene().windows if each.kind is WindowKind.IME]
    assert keyboard.bounds.top > device.display.current_size.height * 0.45
    assert len(nodes(device, resource_id=f"{PKG}:id/row")) < rows
    box = keyboard.bounds
    shown = screenshot(device).crop((box.left, box.top, box.right, box.bottom))
    assert shown.tobytes() != full.crop((box.left, box.top, box.right, box.bottom)).tobytes()
    for char in "hi":
        place = node(device, text=char, package=keyboard.package).visible.center
        sh(device, f"input tap {place.x} {place.y}")
    assert main_of(device).name == "hi"
    assert 'text="hi"' in sh(device, "uiautomator dump /dev/tty")
    sh(device, "input keyevent BACK")
    assert "mInputShown=false" in sh(device, "dumpsys input_method")
    assert len(nodes(device, resource_id=f"{PKG}:id/row")) == rows


def test_notifications_and_the_shade(device: Phone) -> None:
    device.notifications.post(OTHER, "news", "A title", "A text")
    title = "A title" if device.profile.sdk == 19 else "String (A title)"
    assert f"android.title={title}" in sh(device, "dumpsys notification")
    size = device.display.current_size
    sh(device, f"input swipe {size.width // 2} 3 {size.width // 2} {size.height // 2}")
    shade = "StatusBar" if device.profile.sdk < 30 else "NotificationShade"
    assert f"u0 {shade}}}" in sh(device, "dumpsys window | grep mCurrentFocus")
    assert 'text="A title"' in sh(device, "uiautomator dump /dev/tty")
    tap(device, text="A title")
    assert not device.notifications.active()
    assert "A title" not in sh(device, "dumpsys notification")
    assert device.activities.focused_app == f"{PKG}/.Main"


def test_toasts_are_drawn_but_not_in_the_tree(device: Phone) -> None:
    before = screenshot(device)
    front(device).ctx.toast("here I am")
    assert screenshot(device).tobytes() != before.tobytes()
    assert "here I am" not in uiautomator_xml(device.scene())
    device.clock.advance(TOAST_MS)
    assert screenshot(device).tobytes() == before.tobytes()


def test_rotation(device: Phone) -> None:
    natural = device.display.natural
    sh(device, "settings put system user_rotation 1")
    old = device.profile.sdk == 19  # captures the natural orientation
    turned = (natural.width, natural.height) if old else (natural.height, natural.width)
    assert screenshot(device).size == turned
    tree = sh(device, "uiautomator dump /dev/tty")
    assert '<hierarchy rotation="1">' in tree
    assert f"[{natural.height}," in tree
    assert sh(device, "wm size") == f"Physical size: {natural}\n"
    sh(device, "settings put system user_rotation 0")
    assert screenshot(device).size == (natural.width, natural.height)


def test_logcat_and_ps_agree_on_pids(device: Phone) -> None:
    front(device).ctx.log("Toy", "hello")
    pid = device.processes.pidof(PKG)
    assert re.search(rf"^I/Toy +\( *{pid}\): hello$", sh(device, "logcat -d -v brief -s Toy"), re.MULTILINE)
    assert re.search(rf"\b{pid}\b.*{PKG}$", sh(device, "ps; ps -A"), re.MULTILINE)
    user = re.search(rf"^u0_(a\d+) +{pid}\b", sh(device, "ps; ps -A"), re.MULTILINE)
    assert user
    assert f"Start proc {pid}:{PKG}/u0{user[1]} for" in sh(device, "logcat -d -s ActivityManager")
    sh(device, f"am force-stop {PKG}; am start -n {PKG}/.Main")
    assert device.processes.pidof(PKG) not in (None, pid)


def test_serial_number_and_cpu(device: Phone) -> None:
    serial = sh(device, "getprop ro.serialno")
    assert re.fullmatch(r"[A-Z0-9]+\n", serial)
    assert sh(device, "getprop ro.boot.serialno") == serial
    if device.profile.sdk > 19:  # Android 4.4 has no uname
        assert sh(device, "getprop ro.product.cpu.abi") == sh(device, "uname -m") == "x86_64\n"


@pytest.mark.parametrize("path", ["/nosuchdir/x", "/x", "/system/bin/x", "/etc/x", "/system"])
def test_only_writable_mounts_can_be_written(device: Phone, path: str) -> None:
    with pytest.raises(OSError, match="Read-only file system"):
        device.files.write(path, b"")
    assert device.files.stat("/nosuchdir") is None
    assert "Read-only file system" in sh(device, "mkdir /nosuchdir")
    device.files.write("/sdcard/a/b/x", b"1")
    assert device.files.read("/storage/emulated/0/a/b/x") == b"1"


def test_the_clipboard(device: Phone) -> None:
    device.clipboard.set("稻香 on the clipboard")
    tap(device, resource_id=f"{PKG}:id/name")
    sh(device, "input keyevent 279")
    assert main_of(device).name == "稻香 on the clipboard"


def test_the_battery(device: Phone) -> None:
    before = screenshot(device)
    sh(device, "dumpsys battery set level 7; dumpsys battery set ac 0")
    assert "level: 7\n" in sh(device, "dumpsys battery")
    assert "mBatteryLevel=7\n" in sh(device, "dumpsys power")
    assert "mPlugType=0\n" in sh(device, "dumpsys power")
    assert screenshot(device).tobytes() != before.tobytes()  # shown in the status bar
    sh(device, "dumpsys battery reset")
    assert screenshot(device).tobytes() == before.tobytes()


def test_connectivity(device: Phone) -> None:
    context = front(device).ctx
    before = screenshot(device)
    assert context.online
    sh(device, "svc wifi disable; svc data disable")
    assert not context.online
    assert sh(device, "ping -c 1 8.8.8.8") == "connect: Network is unreachable\n"
    assert sh(device, "ip route") == ""
    assert "Active default network: none" in sh(device, "dumpsys connectivity")
    assert screenshot(device).tobytes() != before.tobytes()
    device.windows.open_shade()
    tap(device, desc="WLAN Off." if device.profile.sdk <= KITKAT else "WLAN")
    assert sh(device, "settings get global wifi_on") == "1\n"
    assert context.online


def test_the_dump_omits_and_sanitizes_nodes(device: Phone) -> None:
    main = main_of(device)
    main.name = 'a\x01b<&"c'
    device.changed()
    xml = uiautomator_xml(device.scene())
    assert "\n" not in xml
    assert 'text="a.b&lt;&amp;&quot;c"' in xml
    assert "com.android.systemui" not in xml  # the focused window only
    assert 'text="row 0"' in xml
    assert 'text="row 49"' not in xml  # below the end of the screen
    assert re.search(
        r'<node index="\d+" text="[^"]*" resource-id="toy\.app:id/row" class="android\.widget\.TextView"', xml
    )
