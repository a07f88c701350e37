"""Every public method of adbutils' device, called on the phone."""

from __future__ import annotations

import contextlib
import re
import threading
from collections.abc import Iterator
from pathlib import Path

import adbutils
import pytest
import uiautomator2
from PIL import ImageChops

from garabench.core.clock import SystemClock
from garabench.core.tree import parse_tree
from tests.phones import PhonePool
from tests.waits import until

pytestmark = pytest.mark.e2e

CLOCK = SystemClock()
APK = Path(uiautomator2.__file__).parent / "assets" / "app-uiautomator.apk"
PACKAGE = "com.github.uiautomator"
SETTINGS = "com.android.settings"
LAUNCHER = "com.android.launcher3"
BROWSER = "com.android.browser"


@pytest.fixture(scope="module")
def d(phone_pool: PhonePool) -> Iterator[adbutils.AdbDevice]:
    with phone_pool.borrow("android-34:720x1280") as running:
        yield adbutils.AdbClient().device(running.serial)


def texts(d: adbutils.AdbDevice) -> set[str]:
    return {node.text for node in parse_tree(d.dump_hierarchy()).nodes}


class TestDeviceInfo:
    def test_identity(self, d: adbutils.AdbDevice) -> None:
        assert d.get_state() == "device"
        assert d.get_serialno() == d.serial
        assert d.get_devpath() == "unknown"  # as for every device on TCP
        assert "shell_v2" in d.get_features()
        assert d.info["serialno"] == d.serial
        assert d.getprop("ro.build.version.sdk") == d.prop.get("ro.build.version.sdk") == "34"
        assert (d.prop.model, d.prop.name, d.prop.device) == ("Virtual 14", "virtual14", "virtual14")

    def test_shell(self, d: adbutils.AdbDevice) -> None:
        assert d.shell("echo $((6*7))") == "42"
        assert d.shell(["echo", "a b", "'c'"]) == "a b 'c'"
        assert d.shell("printf '\\377\\001'", encoding=None) == b"\xff\x01"
        done = d.shell2("echo out; echo err >&2; exit 3", v2=True)
        assert (done.returncode, done.stdout, done.stderr) == (3, "out\n", "err\n")
        assert d.shell2("(exit 4)").returncode == 4
        assert d.adb_output("shell", "echo", "through").strip() == "through"
        with d.open_shell("echo opened") as stream:
            assert stream.read_until_close() == "opened\n"
        with d.open_transport() as stream:
            stream.send_command("shell:echo raw")
            stream.check_okay()
            assert stream.read_until_close() == "raw\n"
        with pytest.raises(adbutils.AdbTimeout):
            d.shell("cat", timeout=0.3)

    def test_root_and_tcpip(self, d: adbutils.AdbDevice) -> None:
        assert "cannot run as root" in d.root()
        assert "restarting in TCP mode port: 5555" in d.tcpip(5555)

    def test_sizes_and_rotation(self, d: adbutils.AdbDevice) -> None:
        assert tuple(d.window_size()) == (720, 1280)
        assert tuple(d.window_size(landscape=True)) == (1280, 720)
        assert d.rotation() == 0
        d.shell("settings put system accelerometer_rotation 0; settings put system user_rotation 1")
        assert d.rotation() == 1
        d.shell("settings put system user_rotation 0")

    def test_battery_brightness_and_network(self, d: adbutils.AdbDevice) -> None:
        assert d.battery().level == 85
        d.brightness_value = 77
        assert d.brightness_value == 77
        d.brightness_mode = adbutils.BrightnessMode.MANUAL
        assert d.brightness_mode == adbutils.BrightnessMode.MANUAL
        assert re.fullmatch(r"\d+(\.\d+){3}", d.wlan_ip())

    def test_radio_and_screen_switches(self, d: adbutils.AdbDevice) -> None:
        d.switch_wifi(False)
        assert d.shell("settings get global wifi_on") == "0"
        d.switch_wifi(True)
        assert d.shell("settings get global wifi_on") == "1"
        d.switch_airplane(True)
        assert d.shell("settings get global airplane_mode_on") == "1"
        d.switch_airplane(False)
        assert d.shell("settings get global airplane_mode_on") == "0"
        d.switch_screen(False)
        assert d.is_screen_on() is False
        d.switch_screen(True)
        assert d.is_screen_on() is True


class TestApps:
    def test_start_and_stop(self, d: adbutils.AdbDevice) -> None:
        d.app_start(SETTINGS)
        assert d.app_current().package == SETTINGS
        assert d.app_current().pid == int(d.shell(f"pidof {SETTINGS}"))
        d.app_stop(SETTINGS)
        assert d.app_current().package == LAUNCHER
        d.app_start(SETTINGS, f"{SETTINGS}.Settings")
        assert d.app_current().activity == ".Settings"
        d.open_browser("nowhere.example")
        assert d.app_current().package == BROWSER
        d.app_stop(BROWSER)
        assert d.app_current().package == SETTINGS

    def test_clear(self, d: adbutils.AdbDevice) -> None:
        d.app_start(SETTINGS)
        d.app_clear(SETTINGS)
        assert d.app_current().package == LAUNCHER

    def test_packages(self, d: adbutils.AdbDevice) -> None:
        assert SETTINGS in d.list_packages()
        assert SETTINGS not in d.list_packages(["-3"])
        assert PACKAGE not in d.list_packages()
        d.install(APK, nolaunch=True, silent=True)
        info = d.app_info(PACKAGE)
        assert info is not None and info.version_code > 0
        assert d.package_info(PACKAGE)["version_name"] == info.version_name
        d.uninstall(PACKAGE)
        with pytest.deprecated_call():
            d.push(str(APK), "/data/local/tmp/again.apk")
        d.install_remote("/data/local/tmp/again.apk", clean=True)
        assert not d.sync.exists("/data/local/tmp/again.apk")
        assert PACKAGE in d.list_packages(["-3"])
        d.uninstall(PACKAGE)
        assert d.app_info(PACKAGE) is None


class TestInput:
    def test_touch_and_keys(self, d: adbutils.AdbDevice) -> None:
        d.app_stop(SETTINGS)
        d.app_start(SETTINGS)
        node = next(n for n in parse_tree(d.dump_hierarchy()).nodes if n.text == "电池")
        d.click(node.bounds.center.x, node.bounds.center.y)
        assert "电量百分比" in texts(d)
        d.keyevent("BACK")
        before = d.screenshot()
        d.swipe(360, 1000, 360, 300, 0.2)
        assert ImageChops.difference(before, d.screenshot()).getbbox() is not None
        d.drag(360, 300, 360, 1000, 0.4)
        d.keyevent(3)
        assert d.app_current().package == LAUNCHER
        for press in (d.volume_up, d.volume_down):
            press(times=2)
        d.volume_mute()

    def test_text_input(self, d: adbutils.AdbDevice) -> None:
        d.shell(f"am start -n '{SETTINGS}/.Settings$ManageApplicationsActivity'")
        node = next(
            n for n in parse_tree(d.dump_hierarchy()).nodes if n.resource_id.endswith("search_src_text")
        )
        d.click(node.bounds.center.x, node.bounds.center.y)
        d.send_keys("a b'c")
        assert "a b'c" in texts(d)


class TestScreen:
    def test_all_screenshot_methods_return_the_same_pixels(self, d: adbutils.AdbDevice) -> None:
        d.keyevent("HOME")
        shot = d.screenshot().convert("RGB")
        assert shot.size == (720, 1280)
        assert d.framebuffer().convert("RGB").tobytes() == shot.tobytes()
        assert d.screenshot(display_id=0).convert("RGB").tobytes() == shot.tobytes()

    def test_hierarchy(self, d: adbutils.AdbDevice) -> None:
        assert {"京东", "哔哩哔哩"} <= texts(d)

    def test_recording(self, d: adbutils.AdbDevice, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("adbutils.screenrecord.shutil.which", lambda name: None)  # without scrcpy
        d.start_recording(str(tmp_path / "film.mp4"))
        assert d.is_recording()
        d.keyevent("HOME")
        d.stop_recording()
        assert not d.is_recording()
        assert (tmp_path / "film.mp4").read_bytes()[4:8] == b"ftyp"


class TestFiles:
    def test_sync(self, d: adbutils.AdbDevice, tmp_path: Path) -> None:
        sync = d.sync
        assert sync.push(b"by bytes", "/sdcard/u/a.txt") == 8
        (tmp_path / "文.txt").write_text("by file")
        sync.push(tmp_path / "文.txt", "/sdcard/u/文.txt", check=True)
        assert sync.exists("/sdcard/u/a.txt")
        assert not sync.exists("/sdcard/u/none")
        assert sync.stat("/sdcard/u/a.txt").size == 8
        assert sync.stat("/sdcard/u").mode & 0o040000
        assert [each.path for each in sync.list("/sdcard/u")] == [".", "..", "a.txt", "文.txt"]
        assert {each.path for each in sync.iter_directory("/sdcard/u")} == {".", "..", "a.txt", "文.txt"}
        assert sync.read_text("/sdcard/u/文.txt") == "by file"
        assert sync.read_bytes("/sdcard/u/a.txt") == b"".join(sync.iter_content("/sdcard/u/a.txt"))
        sync.pull("/sdcard/u/a.txt", tmp_path / "back.txt")
        assert (tmp_path / "back.txt").read_bytes() == b"by bytes"
        sync.pull_file("/sdcard/u/a.txt", tmp_path / "file.txt")
        sync.pull_dir("/sdcard/u", tmp_path / "tree")
        assert (tmp_path / "tree" / "文.txt").read_text() == "by file"
        d.remove("/sdcard/u/a.txt")
        assert not sync.exists("/sdcard/u/a.txt")
        d.rmtree("/sdcard/u")
        assert not sync.exists("/sdcard/u")
        with pytest.raises(adbutils.AdbError):
            sync.read_bytes("/sdcard/u/a.txt")


class TestPorts:
    def test_forward_and_reverse(self, d: adbutils.AdbDevice) -> None:
        port = d.forward_port(9008)
        assert d.forward_port(9008) == port
        assert [each.remote for each in d.forward_list()] == ["tcp:9008"]
        d.forward("tcp:0", "localabstract:one")
        d.forward_remove(f"tcp:{port}")
        d.forward_remove_all()
        assert d.forward_list() == []
        d.reverse("tcp:7010", "tcp:7011")
        assert [(each.remote, each.local) for each in d.reverse_list()] == [("tcp:7010", "tcp:7011")]
        with pytest.raises(adbutils.AdbError):
            d.reverse("tcp:7010", "tcp:7012", norebind=True)
        d.reverse_remove("tcp:7010")
        d.reverse("tcp:7010", "tcp:7012")
        d.reverse_remove_all()
        assert d.reverse_list() == []

    def test_connection_without_a_listener_is_closed(self, d: adbutils.AdbDevice) -> None:
        with pytest.raises(adbutils.AdbError, match="closed"):
            d.create_connection(adbutils.Network.LOCAL_ABSTRACT, "nobody")


class TestStreams:
    def test_logcat_to_a_file(self, d: adbutils.AdbDevice, tmp_path: Path) -> None:
        log = d.logcat(tmp_path / "log.txt", clear=True, re_filter="Wanted")
        d.shell("log -t Wanted now; log -t Other then")
        limit = CLOCK.monotonic() + 120
        while not (tmp_path / "log.txt").read_text():
            assert CLOCK.monotonic() < limit
            CLOCK.sleep(0.02)
        stop = threading.Event()

        def write_lines() -> None:
            while not stop.wait(0.2):
                d.shell("log -t Wanted more")

        logger = threading.Thread(target=write_lines)  # the log ends with the next line
        logger.start()
        try:
            log.stop(120)
        finally:
            stop.set()
            logger.join()
        assert "then" not in (tmp_path / "log.txt").read_text()

    def test_track_devices(self, d: adbutils.AdbDevice) -> None:
        client = adbutils.AdbClient()
        seen: list[tuple[str, bool]] = []

        def watch() -> None:
            for event in client.track_devices():
                if event.serial == d.serial:
                    seen.append((event.status, event.present))
                    if seen[-1] == ("device", True) and len(seen) > 1:
                        return

        thread = threading.Thread(target=watch, daemon=True)
        thread.start()
        limit = CLOCK.monotonic() + 120
        while not seen:
            assert CLOCK.monotonic() < limit
            CLOCK.sleep(0.02)
        assert "disconnected" in client.disconnect(d.serial)
        until(lambda: all(each.serial != d.serial for each in client.list()))
        assert "connected to" in client.connect(d.serial, timeout=120)
        client.wait_for(d.serial, timeout=120)
        thread.join(120)
        assert seen[0] == ("device", True)
        assert seen[-1] == ("device", True)
        assert client.device(d.serial).shell("echo same") == "same"

    def test_reboot(self, d: adbutils.AdbDevice) -> None:
        d.app_start(SETTINGS)
        d.reboot()

        def launcher_shown() -> bool:
            with contextlib.suppress(adbutils.AdbError):  # adb may not notice the broken connection yet
                return bool(d.app_current().package == LAUNCHER)
            return False

        until(launcher_shown)


def test_every_public_method_is_called() -> None:
    """Every public name of the classes is used in this file, except one that needs the network."""
    source = Path(__file__).read_text(encoding="utf-8")
    names = {name for name in dir(adbutils.AdbDevice) if not name.startswith("_")}
    missing = {name for name in names if not re.search(rf"\.{name}\b", source)}
    assert missing == {"download_apk"}
    sync = {name for name in dir(adbutils.sync.Sync) if not name.startswith("_")}
    assert all(f"sync.{name}(" in source for name in sync)
