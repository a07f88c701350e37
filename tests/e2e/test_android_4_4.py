"""The behaviour of a real Android 4.4.2 over adb, reproduced by the ``android-19`` profile."""

from __future__ import annotations

import io
import re
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import adbutils
import pytest
import uiautomator2
from PIL import Image

from garabench.core.clock import SystemClock
from garabench.core.steps import SettingsPageStep
from garabench.device.device import Device
from garabench.interruptions.follow_up import perform_follow_up
from garabench.virtual.android.phone_clock import Latency
from garabench.virtual.phone_process import VirtualPhone
from tests.phones import PhonePool

pytestmark = pytest.mark.e2e

APK = Path(uiautomator2.__file__).parent / "assets" / "app-uiautomator.apk"
SETTINGS = "com.android.settings"


@pytest.fixture(scope="module")
def phone(phone_pool: PhonePool) -> Iterator[VirtualPhone]:
    with phone_pool.borrow("android-19") as running:
        yield running


def adb(phone: VirtualPhone, *words: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [adbutils.adb_path(), "-s", phone.serial, *words], capture_output=True, check=False, timeout=120
    )


def sh(phone: VirtualPhone, line: str) -> str:
    """Run a shell command, and return its output with normalized line endings."""
    return adb(phone, "shell", line).stdout.decode().replace("\r\n", "\n")


def device(phone: VirtualPhone) -> adbutils.AdbDevice:
    return adbutils.AdbClient().device(phone.serial)


def test_exec_out_is_refused(phone: VirtualPhone) -> None:
    done = adb(phone, "exec-out", "echo x; screencap -p")
    assert (done.returncode, done.stdout, done.stderr) == (255, b"", b"error: closed\n")


@pytest.mark.parametrize(
    ("line", "out"),
    [
        ("[ -t 0 ] && [ -t 1 ] && [ -t 2 ]; echo $?", "0\n"),
        ("echo x | { [ -t 0 ]; echo $?; }", "1\n"),
        ('echo "<$USER>"', "<>\n"),
        ("echo $PATH", "/sbin:/vendor/bin:/system/sbin:/system/bin:/system/xbin\n"),
        ("date +%Z", "GMT\n"),
    ],
)
def test_the_shell_runs_in_a_terminal_and_a_bare_environment(
    phone: VirtualPhone, line: str, out: str
) -> None:
    assert sh(phone, line) == out


def test_only_its_owner_reads_a_dump(phone: VirtualPhone) -> None:
    sh(phone, "uiautomator dump /data/local/tmp/tree.xml")
    listed = sh(phone, "ls -l /data/local/tmp/tree.xml")
    assert re.fullmatch(r"-rw------- shell    shell    +\d+ \S+ \S+ /data/local/tmp/tree.xml\n", listed)


@pytest.mark.parametrize("line", ["false", "exit 7", "ls /nope", "nope", "am start -n a/b"])
def test_adb_exit_status_is_always_0(phone: VirtualPhone, line: str) -> None:
    assert adb(phone, "shell", line).returncode == 0


def test_exit_status_is_available_inside_the_shell(phone: VirtualPhone) -> None:
    assert sh(phone, "false; echo $?; nope; echo $?") == "1\n/system/bin/sh: nope: not found\n127\n"
    assert device(phone).shell2("sh -c 'exit 7'").returncode == 7  # adbutils reads it with echo
    assert device(phone).shell2("nope").returncode == 127


def test_output_streams_are_merged_with_crlf_line_ends(phone: VirtualPhone) -> None:
    done = adb(phone, "shell", "echo a; echo b >&2; printf 'c\\nd'")
    assert (done.stdout, done.stderr) == (b"a\r\nb\r\nc\r\nd", b"")


def test_no_adb_features_are_announced(phone: VirtualPhone) -> None:
    assert adb(phone, "features").stdout.strip() == b""
    assert device(phone).get_features().strip() == ""


def test_screenshot_over_the_shell_has_crlf_line_ends(phone: VirtualPhone, tmp_path: Path) -> None:
    mangled = adb(phone, "shell", "screencap -p").stdout
    assert mangled.startswith(b"\x89PNG\r\r\n")
    repaired = Image.open(io.BytesIO(mangled.replace(b"\r\n", b"\n"))).convert("RGB")
    adb(phone, "shell", "screencap -p /sdcard/s.png")
    adb(phone, "pull", "/sdcard/s.png", str(tmp_path / "s.png"))
    pulled = Image.open(tmp_path / "s.png").convert("RGB")
    assert repaired.size == (720, 1280)
    assert repaired.tobytes() == pulled.tobytes()


def test_push_and_pull_preserve_bytes(phone: VirtualPhone, tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(b"a\r\nb\n" + bytes(range(256)) * 1000)
    assert adb(phone, "push", str(tmp_path / "f"), "/data/local/tmp/f").returncode == 0
    assert adb(phone, "pull", "/data/local/tmp/f", str(tmp_path / "g")).returncode == 0
    assert (tmp_path / "g").read_bytes() == (tmp_path / "f").read_bytes()


@pytest.mark.parametrize("name", ["cmd", "toybox", "pidof", "md5sum", "head", "sed", "awk", "appops"])
def test_newer_commands_are_missing(phone: VirtualPhone, name: str) -> None:
    assert sh(phone, f"{name} x; echo $?") == f"/system/bin/sh: {name}: not found\n127\n"


def test_adb_installs_with_push_and_pm(phone: VirtualPhone) -> None:
    before = int(sh(phone, "date +%s"))
    done = adb(phone, "install", "-r", str(APK))
    output = (done.stdout + done.stderr).decode()
    assert "Success" in output
    assert 9 <= int(sh(phone, "date +%s")) - before <= 19
    path = sh(phone, "pm path com.github.uiautomator")
    assert re.fullmatch(r"package:/data/app/com\.github\.uiautomator-\d\.apk\n", path)
    again = adb(phone, "install", str(APK))
    assert "INSTALL_FAILED_ALREADY_EXISTS" in (again.stdout + again.stderr).decode()
    assert "Success" in adb(phone, "uninstall", "com.github.uiautomator").stdout.decode()


def test_home_key_is_ignored_until_the_device_is_provisioned(phone: VirtualPhone) -> None:
    sh(phone, f"am start -W -n {SETTINGS}/.Settings")
    sh(phone, "settings put global device_provisioned 0; input keyevent HOME")
    assert device(phone).app_current().package == SETTINGS
    sh(phone, "settings put global device_provisioned 1; input keyevent HOME")
    assert device(phone).app_current().package != SETTINGS


def test_keys_are_dropped_without_an_input_method(phone: VirtualPhone) -> None:
    phone.reset()
    sh(phone, f"am start -W -n {SETTINGS}/.Settings")
    ime = sh(phone, "ime list -s").strip()
    sh(phone, f"ime disable {ime}; input keyevent BACK")
    assert device(phone).app_current().package == SETTINGS
    sh(phone, f"ime enable {ime}; ime set {ime}; input keyevent BACK")
    assert device(phone).app_current().package != SETTINGS


def test_second_adb_server_sees_the_phone_offline(phone: VirtualPhone) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = str(probe.getsockname()[1])
    other, clock = [adbutils.adb_path(), "-P", port], SystemClock()
    subprocess.run([*other, "start-server"], check=True, capture_output=True, timeout=120)
    connecting = subprocess.Popen([*other, "connect", phone.serial], stdout=subprocess.DEVNULL)
    try:
        limit = clock.monotonic() + 120
        listed = ""
        while f"{phone.serial}\toffline" not in listed:
            assert clock.monotonic() < limit, listed
            listed = subprocess.run([*other, "devices"], check=True, capture_output=True, text=True).stdout
        assert sh(phone, "echo first") == "first\n"
    finally:
        subprocess.run([*other, "kill-server"], check=False, capture_output=True, timeout=120)
        connecting.wait(timeout=120)
    assert sh(phone, "echo first") == "first\n"


def test_logcat_has_the_old_format(phone: VirtualPhone) -> None:
    sh(phone, "log -t Old -p w hello")
    text = sh(phone, "logcat -d -s Old")
    assert "--------- beginning of /dev/log/main\n" in text
    assert re.search(r"^W/Old +\( *\d+\): hello$", text, re.MULTILINE)


def test_dump_has_the_old_path_and_attributes(phone: VirtualPhone) -> None:
    sh(phone, f"am start -W -n {SETTINGS}/.Settings")
    path = "/storage/emulated/legacy/window_dump.xml"
    assert sh(phone, "uiautomator dump") == f"UI hierchary dumped to: {path}\n"
    xml = device(phone).sync.read_bytes(path)
    assert xml.count(b"\n") == 0
    assert b"<node index=" in xml
    assert not re.search(rb"visible-to-user|drawing-order|hint=|display-id", xml)


def test_app_details_replace_the_permissions_page(phone: VirtualPhone) -> None:
    assert "com.android.permissioncontroller" not in sh(phone, "pm list packages")
    connected = Device.connect(phone.serial, SystemClock())
    (done,) = perform_follow_up(
        connected, [SettingsPageStep(settings_page="app-permissions")], app="tv.danmaku.bili"
    )
    front = connected.focus()
    connected.close()
    assert (done.description, done.ok) == ("settings_page app-permissions", True)
    assert "opened the app's details instead" in done.detail
    assert (front.package, front.activity) == (SETTINGS, f"{SETTINGS}.applications.InstalledAppDetails")


def test_commands_have_the_latency_of_a_real_phone() -> None:
    """``input tap`` takes 1.3 s, ``screencap`` 0.3 s, ``am start -W`` 1 s.

    There is no upper limit, which would depend on the machine.
    """
    clock = SystemClock()
    with VirtualPhone("android-19", latency=Latency.PHONE) as slow:

        def duration(line: str) -> float:
            before = clock.monotonic()
            sh(slow, line)
            return clock.monotonic() - before

        assert duration("input tap 5 600") >= 1.3
        assert duration("screencap -p /sdcard/s.png") >= 0.3
        assert duration(f"am start -W -n {SETTINGS}/.Settings") >= 1.0
