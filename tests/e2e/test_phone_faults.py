"""Every fault of the virtual phone has its documented effect on clients."""

from __future__ import annotations

import contextlib
import re
import socket
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import adbutils
import pytest
import uiautomator2 as u2
from PIL import Image, ImageStat

from garabench.device.free_space import parse_free
from garabench.virtual.adb.messages import AdbCommand, AdbMessage
from garabench.virtual.adb_registration import disconnect_from_server
from garabench.virtual.android.faults import KNOWN
from garabench.virtual.phone_process import VirtualPhone
from tests.e2e.faulty_client import CLOCK, Client
from tests.phones import PhonePool

pytestmark = pytest.mark.e2e

APK = Path(u2.__file__).parent / "assets" / "app-uiautomator.apk"
SETTINGS = "com.android.settings"
Case = Callable[[Client], None]
CASES: dict[str, Case] = {}


def demonstrates(name: str) -> Callable[[Case], Case]:
    """Register the case that demonstrates a fault."""

    def register(case: Case) -> Case:
        CASES[name] = case
        return case

    return register


@pytest.fixture(scope="module")
def running(phone_pool: PhonePool) -> Iterator[VirtualPhone]:
    with phone_pool.borrow("android-34:720x1280") as phone:
        yield phone


@pytest.fixture
def client(running: VirtualPhone) -> Iterator[Client]:
    client = Client(running)
    yield client
    for name in KNOWN:
        running.fault(name, on=False)
    running.reset()
    if not (client.reaches_state("device") and _responds(client)):
        client.reconnect()
        assert client.reaches_state("device")


def _responds(client: Client) -> bool:
    with contextlib.suppress(subprocess.TimeoutExpired):
        return client.adb("shell", "echo back", limit=2) == (0, "back\n")
    return False


@pytest.mark.parametrize("name", sorted(KNOWN))
def test_fault_has_its_documented_effect(client: Client, name: str) -> None:
    CASES[name](client)


def dump_over_old_file(client: Client) -> str:
    """Dump over an existing file, and return the output and the file's content."""
    return client.sh("echo old > /sdcard/d.xml; uiautomator dump /sdcard/d.xml; echo =$?; cat /sdcard/d.xml")


NOT_IDLE = "ERROR: could not get idle state.\n=0\nold\n"


@demonstrates("animation")
def _(client: Client) -> None:
    client.phone.fault("animation")
    device = client.u2()
    device.app_start(SETTINGS)
    assert device.dump_hierarchy() != device.dump_hierarchy()
    first, second = (client.device.screenshot() for _ in range(2))
    assert first.tobytes() != second.tobytes()
    assert dump_over_old_file(client) == NOT_IDLE
    client.phone.fault("animation", on=False)
    assert device.dump_hierarchy() == device.dump_hierarchy()
    assert "<hierarchy" in dump_over_old_file(client)


@demonstrates("background-start-refused")
def _(client: Client) -> None:
    client.phone.fault("background-start-refused")
    client.sh(f"am start -n {SETTINGS}/.Settings")
    assert SETTINGS not in client.sh("dumpsys window | grep mCurrentFocus")
    client.phone.fault("background-start-refused", on=False)
    client.sh(f"am start -n {SETTINGS}/.Settings")
    assert SETTINGS in client.sh("dumpsys window | grep mCurrentFocus")


def assert_stays_on_top(client: Client, fault: str) -> None:
    """Assert that a system window stays in the foreground despite Back and another activity."""
    device = client.u2()
    client.phone.fault(fault)
    client.sh(f"am start -n {SETTINGS}/.Settings; input keyevent BACK")
    assert SETTINGS not in client.sh("dumpsys window | grep mCurrentFocus")
    assert SETTINGS not in device.dump_hierarchy()
    client.phone.fault(fault, on=False)
    client.sh(f"am start -n {SETTINGS}/.Settings")
    assert SETTINGS in device.dump_hierarchy()


@demonstrates("credential-lock")
def _(client: Client) -> None:
    client.phone.fault("credential-lock", secret="pattern")
    client.sh("input keyevent 26; input keyevent 26; wm dismiss-keyguard")
    assert "mKeyguardShowing=true" in client.sh("dumpsys activity activities")
    client.phone.fault("credential-lock", on=False)
    assert "mKeyguardShowing=false" in client.sh("dumpsys activity activities")


@demonstrates("no-wifi")
def _(client: Client) -> None:
    assert "feature:android.hardware.wifi\n" in client.sh("pm list features")
    client.phone.fault("no-wifi")
    assert "android.hardware.wifi" not in client.sh("pm list features")
    assert client.sh("pm has-feature android.hardware.wifi").strip() == "false"


@demonstrates("cut-mid-transfer")
def _(client: Client) -> None:
    client.phone.fault("cut-mid-transfer", bytes=50_000)
    status, message = client.adb("push", str(APK), "/sdcard/cut.apk")
    assert status != 0
    assert "failed to read copy response: EOF" in message
    client.phone.fault("cut-mid-transfer", on=False)
    assert client.reaches_state("device")
    assert client.adb("push", str(APK), "/sdcard/whole.apk")[0] == 0
    assert client.sh("ls /sdcard/*.apk") == "/sdcard/whole.apk\n"


@demonstrates("dialog-on-top")
def _(client: Client) -> None:
    assert_stays_on_top(client, "dialog-on-top")


@demonstrates("disconnect")
def _(client: Client) -> None:
    words = [adbutils.adb_path(), "-s", client.phone.serial, "logcat"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
        assert process.stdout is not None
        assert process.stdout.readline()
        client.phone.fault("disconnect")
        process.communicate(timeout=120)  # the log ends
    client.reconnect()
    assert client.reaches_state("device")
    assert client.sh("echo in") == "in\n"


@demonstrates("dump-conflict")
def _(client: Client) -> None:
    for on in (True, False):  # ends the server of an earlier case, which runs until its client ends
        client.phone.fault("u2-crash", on=on)
    client.phone.fault("dump-conflict")
    assert "<hierarchy" in dump_over_old_file(client)
    device = client.u2()
    assert device.info["sdkInt"] == 34
    assert dump_over_old_file(client) == "Killed \n=137\nold\n"
    assert "already registered!" in client.sh("logcat -d -s AndroidRuntime")
    device.stop_uiautomator()
    assert "<hierarchy" in dump_over_old_file(client)


@demonstrates("focus-null")
def _(client: Client) -> None:
    client.sh(f"am start -n {SETTINGS}/.Settings")
    client.phone.fault("focus-null")
    assert client.sh("dumpsys window | grep mCurrentFocus") == "  mCurrentFocus=null\n"
    assert client.device.app_current().package == SETTINGS  # from the list of activities


@demonstrates("hang")
def _(client: Client) -> None:
    client.phone.fault("hang")
    with pytest.raises(subprocess.TimeoutExpired):
        client.adb("shell", "echo x", limit=1)
    with pytest.raises(adbutils.AdbTimeout):
        client.device.shell("echo x", timeout=0.5)
    client.phone.fault("hang", on=False)
    assert client.sh("echo x") == "x\n"


@demonstrates("idle-never")
def _(client: Client) -> None:
    client.phone.fault("idle-never")
    before = client.seconds()
    assert dump_over_old_file(client) == NOT_IDLE
    assert client.seconds() - before >= 10


def assert_install_fails(client: Client, fault: str, message: str) -> None:
    """Assert that an installation fails with a message until the fault is switched off."""
    client.phone.fault(fault)
    status, text = client.adb("install", "-r", str(APK))
    assert status != 0
    assert message in text
    client.phone.fault(fault, on=False)
    assert "Success" in client.adb("install", "-r", str(APK))[1]


@demonstrates("install-refused")
def _(client: Client) -> None:
    assert_install_fails(client, "install-refused", "INSTALL_FAILED_USER_RESTRICTED")


@demonstrates("install-slow")
def _(client: Client) -> None:
    client.phone.fault("install-slow", ms=30_000)
    before = client.seconds()
    assert "Success" in client.adb("install", "-r", str(APK))[1]
    assert client.seconds() - before >= 30


@demonstrates("keyboard-up")
def _(client: Client) -> None:
    page = f"am start -n {SETTINGS}/.Settings\\$ManageApplicationsActivity"
    client.sh(page)
    assert "mInputShown=false" in client.sh("dumpsys input_method")
    uncovered = client.u2().dump_hierarchy().count("com.android.settings")
    client.phone.fault("keyboard-up")
    assert "mInputShown=true" in client.sh("dumpsys input_method")
    covered = client.u2().dump_hierarchy()
    assert "com.google.android.inputmethod.latin" in covered
    assert covered.count("com.android.settings") < uncovered


@demonstrates("mute")
def _(client: Client) -> None:
    client.phone.fault("mute")
    with pytest.raises(subprocess.TimeoutExpired):
        client.adb("shell", "echo x", limit=1)
    client.phone.fault("mute", on=False)
    client.reconnect()
    assert client.sh("echo x") == "x\n"


@demonstrates("no-space")
def _(client: Client) -> None:
    client.phone.fault("no-space")
    assert parse_free(client.sh("df /data")) == 2 * 1024**2
    assert_install_fails(client, "no-space", "INSTALL_FAILED_INSUFFICIENT_STORAGE")


@demonstrates("not-responding")
def _(client: Client) -> None:
    device = client.u2()
    device.app_start(SETTINGS)
    before = device.dump_hierarchy()
    client.phone.fault("not-responding")
    device.xpath('//*[@resource-id="android:id/title"]').get().click()
    assert device.dump_hierarchy() == before
    client.sh("sleep 6")
    assert f"u0 Application Not Responding: {SETTINGS}}}" in client.sh("dumpsys window | grep mCurrentFocus")
    device(resourceId="android:id/aerr_wait").click()
    assert device.dump_hierarchy() == before
    device.xpath('//*[@resource-id="android:id/title"]').get().click()
    client.sh("sleep 6")
    device(resourceId="android:id/aerr_close").click()
    assert client.adb("shell", "pidof", SETTINGS)[0] == 1


@demonstrates("null-root")
def _(client: Client) -> None:
    client.phone.fault("null-root")
    assert (
        dump_over_old_file(client) == "ERROR: null root node returned by UiTestAutomationBridge.\n=0\nold\n"
    )
    assert '<hierarchy rotation="0" />' in client.u2().jsonrpc.dumpWindowHierarchy(False, 50)


@demonstrates("offline")
def _(client: Client) -> None:
    client.phone.fault("offline")
    disconnect_from_server(client.phone.serial)
    with contextlib.suppress(adbutils.AdbError, adbutils.AdbTimeout):
        adbutils.AdbClient().connect(client.phone.serial, timeout=1)
    assert client.reaches_state("offline")
    assert "offline" in client.adb("shell", "echo x")[1]


@demonstrates("refuse")
def _(client: Client) -> None:
    disconnect_from_server(client.phone.serial)
    client.phone.fault("refuse")
    assert "Connection refused" in client.adb("connect", client.phone.serial)[1]
    client.phone.fault("refuse", on=False)
    assert "connected to" in client.adb("connect", client.phone.serial)[1]


@demonstrates("screencap-black")
def _(client: Client) -> None:
    def brightest(picture: Image.Image) -> float:
        return max(high for _, high in ImageStat.Stat(picture.convert("RGB")).extrema)

    assert brightest(client.device.screenshot()) > 100
    client.phone.fault("screencap-black")
    assert brightest(client.device.screenshot()) == 0
    shot = client.u2().screenshot()
    assert isinstance(shot, Image.Image)
    assert brightest(shot) < 8
    assert brightest(client.device.framebuffer()) == 0


@demonstrates("secure-screen")
def _(client: Client) -> None:
    assert_stays_on_top(client, "secure-screen")


@demonstrates("single-connection")
def _(client: Client) -> None:
    host, _, port = client.phone.serial.partition(":")
    hello = AdbMessage(AdbCommand.CNXN, 0x01000001, 1 << 20, b"host::").encode(checksum=False)

    def greeting(limit: float) -> bytes:
        with socket.create_connection((host, int(port)), timeout=limit) as second:
            second.sendall(hello)
            return second.recv(4)

    assert greeting(120) == b"CNXN"
    client.phone.fault("single-connection")
    client.reconnect()
    assert client.reaches_state("device")
    with pytest.raises(TimeoutError):
        greeting(0.5)
    assert client.sh("echo first") == "first\n"


@demonstrates("slow-dump")
def _(client: Client) -> None:
    client.phone.fault("slow-dump", ms=20_000)
    before = client.seconds()
    assert "<hierarchy" in dump_over_old_file(client)
    client.u2().dump_hierarchy()
    assert client.seconds() - before >= 40


@demonstrates("slow-transport")
def _(client: Client) -> None:
    client.phone.fault("slow-transport", ms=300)
    before = CLOCK.monotonic()
    assert client.sh("echo x") == "x\n"
    assert CLOCK.monotonic() - before >= 0.3


@demonstrates("stale-dump")
def _(client: Client) -> None:
    client.phone.fault("stale-dump")
    assert dump_over_old_file(client) == NOT_IDLE
    client.phone.fault("stale-dump", on=False)
    assert "<hierarchy" in dump_over_old_file(client)


@demonstrates("start-timeout")
def _(client: Client) -> None:
    client.phone.fault("start-timeout")
    assert "Status: timeout" in client.sh(f"am start -W -n {SETTINGS}/.Settings")


@demonstrates("stray-brace")
def _(client: Client) -> None:
    client.phone.fault("stray-brace")
    client.sh(f"am start -n {SETTINGS}/.Settings")
    line = client.sh("dumpsys window | grep mCurrentFocus")
    assert re.search(rf" u0 {SETTINGS}/[\w.]+\}}\}}\n$", line)


@demonstrates("text-drops")
def _(client: Client) -> None:
    device = client.u2()
    client.sh(f"am start -n {SETTINGS}/.Settings\\$ManageApplicationsActivity")
    field = device(resourceId="com.android.settings:id/search_src_text")
    field.click()
    client.phone.fault("text-drops", every=3)
    client.sh("input text abcdef")
    assert field.get_text() == "abde"


@demonstrates("unauthorized")
def _(client: Client) -> None:
    client.phone.fault("unauthorized")
    client.reconnect()
    assert client.reaches_state("unauthorized")
    assert "unauthorized" in client.adb("shell", "echo x")[1]
    client.phone.allow()
    assert client.reaches_state("device")
    assert client.sh("echo x") == "x\n"


@demonstrates("u2-crash")
def _(client: Client) -> None:
    device = client.u2()
    assert device.info["sdkInt"] == 34
    client.phone.fault("u2-crash")
    with pytest.raises(adbutils.AdbError):
        client.raw_u2()
    assert device.info["sdkInt"] == 34  # the client has restarted it
    with client.raw_u2() as stream:
        assert stream.recv(100).startswith(b"HTTP/1.1 200")


@demonstrates("u2-dead")
def _(client: Client) -> None:
    assert client.u2().info["sdkInt"] == 34
    client.phone.fault("u2-dead")
    with client.raw_u2() as stream:
        assert stream.recv(100) == b""
    client.phone.fault("u2-dead", on=False)
    with client.raw_u2() as stream:
        assert stream.recv(100).startswith(b"HTTP/1.1 200")


@demonstrates("u2-hang")
def _(client: Client) -> None:
    assert client.u2().info["sdkInt"] == 34
    client.phone.fault("u2-hang")
    with client.raw_u2(limit=1) as stream, pytest.raises(TimeoutError):
        stream.recv(100)
    client.phone.fault("u2-hang", on=False)
    with client.raw_u2() as stream:
        assert stream.recv(100).startswith(b"HTTP/1.1 200")
