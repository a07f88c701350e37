"""Packages, shell, logs and screenshots with the real adb binary and adbutils."""

from __future__ import annotations

import io
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import adbutils
import pytest
import uiautomator2
from PIL import Image

from garabench.virtual.phone_process import VirtualPhone
from tests.phones import PhonePool
from tests.waits import AMPLE

APK = Path(uiautomator2.__file__).parent / "assets" / "app-uiautomator.apk"
PACKAGE = "com.github.uiautomator"


@pytest.fixture(scope="module")
def phone(phone_pool: PhonePool) -> Iterator[VirtualPhone]:
    with phone_pool.borrow() as running:
        yield running


def adb(phone: VirtualPhone, *argv: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [adbutils.adb_path(), "-s", phone.serial, *argv],
        input=stdin,
        capture_output=True,
        check=False,
        timeout=120,
    )


def packages(phone: VirtualPhone) -> set[str]:
    lines = adb(phone, "shell", "pm", "list", "packages", "-3").stdout.decode().split()
    return {line.removeprefix("package:") for line in lines}


def test_adb_installs_a_real_apk_that_starts(phone: VirtualPhone) -> None:
    assert PACKAGE not in packages(phone)
    done = adb(phone, "install", "-r", "-g", str(APK))
    assert done.returncode == 0, done.stderr
    assert b"Success" in done.stdout
    assert PACKAGE in packages(phone)
    dump = adb(phone, "shell", "dumpsys", "package", PACKAGE).stdout.decode()
    assert "versionName=" in dump
    resolved = adb(phone, "shell", "cmd", "package", "resolve-activity", "--brief", PACKAGE).stdout.decode()
    component = resolved.split()[-1]
    assert component.startswith(f"{PACKAGE}/")
    started = adb(phone, "shell", "am", "start", "-W", "-n", component).stdout.decode()
    assert "Status: ok" in started
    assert PACKAGE in adb(phone, "shell", "dumpsys", "window").stdout.decode()
    uninstalled = adb(phone, "uninstall", PACKAGE)
    assert b"Success" in uninstalled.stdout
    assert PACKAGE not in packages(phone)


def test_adbutils_installs_a_real_apk(phone: VirtualPhone) -> None:
    device = adbutils.AdbClient().device(phone.serial)
    device.install(str(APK), nolaunch=True, silent=True)
    info = device.app_info(PACKAGE)
    assert info is not None
    assert info.version_name
    device.uninstall(PACKAGE)
    assert device.app_info(PACKAGE) is None


def test_invalid_apk_is_rejected(phone: VirtualPhone, tmp_path: Path) -> None:
    bad = tmp_path / "bad.apk"
    bad.write_bytes(b"PK\x03\x04 not really")
    done = adb(phone, "install", str(bad))
    assert done.returncode != 0
    assert b"INSTALL_" in done.stdout + done.stderr
    assert PACKAGE not in packages(phone)


def test_installation_faults_can_be_switched_at_run_time(phone: VirtualPhone) -> None:
    for fault, code in (("no-space", b"INSUFFICIENT_STORAGE"), ("install-refused", b"USER_RESTRICTED")):
        phone.fault(fault)
        try:
            done = adb(phone, "install", str(APK))
        finally:
            phone.fault(fault, on=False)
        assert done.returncode != 0
        assert code in done.stdout + done.stderr


def test_install_session_is_written_and_committed(phone: VirtualPhone) -> None:
    adb(phone, "push", str(APK), "/data/local/tmp/s.apk")
    script = (
        "id=$(pm install-create -r | sed 's/.*\\[\\(.*\\)\\].*/\\1/'); "
        "pm install-write $id base.apk /data/local/tmp/s.apk && pm install-commit $id"
    )
    done = adb(phone, "shell", script)
    assert done.stdout.decode().split("\n")[-2] == "Success", done
    adb(phone, "uninstall", PACKAGE)


def test_shell_scripts_of_clients_run(phone: VirtualPhone) -> None:
    device = adbutils.AdbClient().device(phone.serial)
    assert device.shell2("false").returncode == 1
    assert device.shell("for i in 1 2 3; do echo $i; done | tail -1") == "3"
    assert device.shell("[ -e /nope ] && echo yes || echo no") == "no"
    assert device.shell("ps -A | grep -c bilibili") == "0"
    dumped = device.shell("rm -f /sdcard/d.xml; uiautomator dump /sdcard/d.xml && echo success")
    assert dumped.endswith("success")
    assert adb(phone, "shell", "nope").returncode == 127
    assert adb(phone, "shell", "nope").stderr == b"/system/bin/sh: nope: inaccessible or not found\n"
    assert adb(phone, "shell", "exit 7").returncode == 7
    assert adb(phone, "shell", "cat", stdin=b"through\n").stdout == b"through\n"


def test_all_screenshot_methods_return_the_same_pixels(phone: VirtualPhone) -> None:
    device = adbutils.AdbClient().device(phone.serial)
    by_exec = Image.open(io.BytesIO(adb(phone, "exec-out", "screencap", "-p").stdout)).convert("RGB")
    assert by_exec.size == (1080, 2400)
    assert device.screenshot().convert("RGB").tobytes() == by_exec.tobytes()
    assert device.framebuffer().convert("RGB").tobytes() == by_exec.tobytes()


def test_logcat_streams_new_lines(phone: VirtualPhone) -> None:
    argv = [adbutils.adb_path(), "-s", phone.serial, "logcat", "-v", "time", "-s", "Streamed:I"]
    with subprocess.Popen(argv, stdout=subprocess.PIPE, text=True) as process:
        stopper = threading.Timer(AMPLE, process.kill)
        stopper.start()
        try:
            assert process.stdout is not None
            assert process.stdout.readline().startswith("--------- beginning of ")
            adb(phone, "shell", "log", "-t", "Streamed", "hello", "there")
            lines = iter(process.stdout.readline, "")
            assert "hello there" in next(line for line in lines if not line.startswith("-----"))
        finally:
            stopper.cancel()
            process.kill()


def test_phone_reconnects_after_the_adb_server_is_killed(phone: VirtualPhone) -> None:
    subprocess.run([adbutils.adb_path(), "kill-server"], check=True, capture_output=True, timeout=120)
    subprocess.run([adbutils.adb_path(), "start-server"], check=True, capture_output=True, timeout=120)
    assert adb(phone, "shell", "echo", "x").returncode != 0  # the server no longer lists it
    subprocess.run(
        [adbutils.adb_path(), "connect", phone.serial], check=True, capture_output=True, timeout=120
    )
    assert adb(phone, "wait-for-device", "shell", "echo back").stdout == b"back\n"
