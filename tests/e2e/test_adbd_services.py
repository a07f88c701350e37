"""The services of adbd, opened by the adb binary and directly through the adb server."""

from __future__ import annotations

import io
import os
import pty
import select
import socket
import struct
import subprocess
from collections.abc import Iterator
from pathlib import Path

import adbutils
import pytest
import uiautomator2
from PIL import Image

from garabench.core.clock import SystemClock
from garabench.virtual.phone_process import VirtualPhone
from tests.phones import PhonePool
from tests.waits import until

pytestmark = pytest.mark.e2e

CLOCK = SystemClock()
APK = Path(uiautomator2.__file__).parent / "assets" / "app-uiautomator.apk"
PACKAGE = "com.github.uiautomator"
FEATURES = {
    "shell_v2",
    "cmd",
    "stat_v2",
    "ls_v2",
    "fixed_push_mkdir",
    "apex",
    "abb",
    "fixed_push_symlink_timestamp",
    "abb_exec",
    "sendrecv_v2",
}


@pytest.fixture(scope="module")
def phone(phone_pool: PhonePool) -> Iterator[VirtualPhone]:
    with phone_pool.borrow("android-34:720x1280") as running:
        yield running


def adb(phone: VirtualPhone, *words: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [adbutils.adb_path(), "-s", phone.serial, *words],
        input=stdin,
        capture_output=True,
        check=False,
        timeout=120,
    )


def output_of(done: subprocess.CompletedProcess[bytes]) -> str:
    return (done.stdout + done.stderr).decode()


class Service:
    """A service of the phone, opened directly through the adb server."""

    def __init__(self, phone: VirtualPhone, name: str) -> None:
        self._connection = adbutils.AdbClient().device(phone.serial).open_transport(timeout=120)
        self._connection.send_command(name)
        self._connection.check_okay()

    def send(self, data: bytes) -> None:
        self._connection.conn.sendall(data)

    def read(self, size: int) -> bytes:
        return bytes(self._connection.read_exact(size))

    def rest(self) -> bytes:
        chunks = []
        while chunk := self._connection.conn.recv(1 << 16):
            chunks.append(bytes(chunk))
        return b"".join(chunks)

    def __enter__(self) -> Service:
        return self

    def __exit__(self, *_: object) -> None:
        self._connection.close()


class TestIdentity:
    def test_features_and_banner(self, phone: VirtualPhone) -> None:
        assert set(output_of(adb(phone, "features")).split()) == FEATURES
        listed = output_of(adb(phone, "devices", "-l"))
        (line,) = [row for row in listed.splitlines() if row.startswith(phone.serial)]
        assert "product:virtual14 model:Virtual_14 device:virtual14" in line

    def test_state_and_serial(self, phone: VirtualPhone) -> None:
        assert output_of(adb(phone, "get-state")) == "device\n"
        assert output_of(adb(phone, "get-serialno")) == f"{phone.serial}\n"
        assert adb(phone, "wait-for-device").returncode == 0

    def test_standalone_phone_avoids_emulator_ports(self, phone: VirtualPhone) -> None:
        assert not 5554 <= int(phone.serial.partition(":")[2]) <= 5585

    @pytest.mark.parametrize(
        ("word", "answer"),
        [
            ("root", "adbd cannot run as root in production builds\n"),
            ("unroot", "adbd not running as root\n"),
            ("remount", 'Not running as root. Try "adb root" first.\n'),
            ("jdwp", ""),
        ],
    )
    def test_requests_to_adbd_itself(self, phone: VirtualPhone, word: str, answer: str) -> None:
        assert output_of(adb(phone, word)) == answer


class TestShell:
    def test_v1_merges_streams_without_status(self, phone: VirtualPhone) -> None:
        with Service(phone, "shell:echo out; echo err >&2; false") as service:
            assert service.rest() == b"out\nerr\n"

    def test_v2_has_both_streams_and_the_status(self, phone: VirtualPhone) -> None:
        with Service(phone, "shell,v2,TERM=xterm,raw:echo out; echo err >&2; exit 9") as service:
            packets = {}
            while (header := service.read(5))[0] != 3:
                packets[header[0]] = service.read(struct.unpack("<I", header[1:])[0])
            assert packets == {1: b"out\n", 2: b"err\n"}
            assert service.read(1) == b"\x09"

    def test_input_ends_with_the_close_packet(self, phone: VirtualPhone) -> None:
        with Service(phone, "shell,v2,raw:cat") as service:
            service.send(
                struct.pack("<BI", 0, 3) + b"abc" + struct.pack("<BI", 5, 7) + b"24x80,0" + b"\x04\0\0\0\0"
            )
            assert service.rest() == b"\x01\x03\0\0\0abc" + b"\x03\x01\0\0\0\0"

    def test_invalid_packet_ends_the_input(self, phone: VirtualPhone) -> None:
        with Service(phone, "shell,v2,raw:cat; echo end") as service:
            service.send(b"\x63\0\0\0\0")
            assert service.rest() == b"\x01\x04\0\0\0end\n" + b"\x03\x01\0\0\0\0"

    def test_script_is_read_from_stdin(self, phone: VirtualPhone) -> None:
        done = adb(phone, "shell", stdin=b"a=5\ncd /sdcard\necho $a $PWD\nexit 3\n")
        assert (done.returncode, done.stdout) == (3, b"5 /sdcard\n")

    def test_terminal_merges_streams_with_crlf(self, phone: VirtualPhone) -> None:
        done = adb(phone, "shell", "-tt", "echo out; echo err >&2; exit 4")
        assert (done.returncode, done.stdout) == (4, b"out\r\nerr\r\n")

    def test_interactive_terminal(self, phone: VirtualPhone) -> None:
        controller, terminal = pty.openpty()
        words = [adbutils.adb_path(), "-s", phone.serial, "shell"]
        with subprocess.Popen(
            words, stdin=terminal, stdout=terminal, stderr=terminal, start_new_session=True
        ) as process:
            os.close(terminal)
            seen = b""
            for typed, shown in (
                (b"", b"virtual14:/ $ "),
                (b"cd /sdcarx\x7fd\r", b"virtual14:/sdcard $ "),
                (b"cat\r", b"cat\r\n"),
                (b"\x03", b"^C\r\n130|virtual14:/sdcard $ "),
                (b"echo one\r", b"\r\none\r\nvirtual14:/sdcard $ "),
                (b"\x1b[A", b"echo one"),
                (b"\x1b[D\x1b[D\x1b[DX\r", b"\r\nXone\r\nvirtual14:/sdcard $ "),
                (b"sleep 1\recho ahead\r", b"\r\nahead\r\nvirtual14:/sdcard $ "),
                (b"ls -C /storage\r", b"\r\nemulated  self\r\nvirtual14:/sdcard $ "),
                (b"exit 5\r", b"exit 5\r\n"),
            ):
                os.write(controller, typed)
                limit = CLOCK.monotonic() + 120
                seen = b"" if typed else seen
                while not seen.endswith(shown):
                    assert CLOCK.monotonic() < limit, seen
                    if select.select([controller], [], [], 0.1)[0]:
                        seen += os.read(controller, 4096)
            assert process.wait(timeout=120) == 5
        os.close(controller)

    def test_exec_preserves_bytes_in_both_directions(self, phone: VirtualPhone) -> None:
        data = bytes(range(256)) * 300
        assert adb(phone, "exec-in", "cat > /sdcard/all.bin", stdin=data).returncode == 0
        assert adb(phone, "exec-out", "cat /sdcard/all.bin").stdout == data


class TestInstallation:
    @pytest.fixture(autouse=True)
    def _gone(self, phone: VirtualPhone) -> Iterator[None]:
        yield
        assert b"Success" in adb(phone, "uninstall", PACKAGE).stdout

    def test_streamed_with_cmd(self, phone: VirtualPhone) -> None:
        with Service(phone, f"exec:cmd package 'install' '-r' -S {APK.stat().st_size}") as service:
            service.send(APK.read_bytes())
            assert service.rest() == b"Success\n"

    def test_streamed_with_abb(self, phone: VirtualPhone) -> None:
        with Service(
            phone, "abb_exec:settings\0get\0global\0enable_adb_incremental_install_default"
        ) as setting:
            assert setting.rest() == b"null\n"
        with Service(phone, f"abb_exec:package\0install\0-S\0{APK.stat().st_size}") as service:
            service.send(APK.read_bytes())
            assert service.rest() == b"Success\n"
        with Service(phone, f"abb:package\0path\0{PACKAGE}") as service:
            answer = service.rest()
        assert answer[5:].startswith(b"package:/data/app/")
        assert answer.endswith(b"\x03\x01\0\0\0\0")

    @pytest.mark.parametrize("options", [(), ("--no-streaming",), ("-r", "-g", "-t")])
    def test_adb_install(self, phone: VirtualPhone, options: tuple[str, ...]) -> None:
        done = adb(phone, "install", *options, str(APK))
        assert done.returncode == 0, output_of(done)
        assert "Success" in output_of(done)

    def test_install_multiple(self, phone: VirtualPhone) -> None:
        done = adb(phone, "install-multiple", str(APK))
        assert done.returncode == 0, output_of(done)


def pack_request(kind: bytes, text: str) -> bytes:
    raw = text.encode()
    return struct.pack("<4sI", kind, len(raw)) + raw


class TestSync:
    def test_v1(self, phone: VirtualPhone) -> None:
        with Service(phone, "sync:") as sync:
            sync.send(pack_request(b"SEND", f"/sdcard/v1/a,b.txt,{0o100640}"))
            sync.send(struct.pack("<4sI", b"DATA", 3) + b"one" + struct.pack("<4sI", b"DONE", 1_000_000))
            assert sync.read(8) == b"OKAY\0\0\0\0"
            sync.send(pack_request(b"STAT", "/sdcard/v1/a,b.txt"))
            assert struct.unpack("<4sIII", sync.read(16)) == (b"STAT", 0o100640, 3, 1_000_000)
            sync.send(pack_request(b"STAT", "/sdcard/none"))
            assert struct.unpack("<4sIII", sync.read(16)) == (b"STAT", 0, 0, 0)
            sync.send(pack_request(b"LIST", "/sdcard/v1"))
            for name in (b".", b".."):
                kind, mode, *_, length = struct.unpack("<4sIIII", sync.read(20))
                assert (kind, mode >> 12, sync.read(length)) == (b"DENT", 4, name)
            assert struct.unpack("<4sIIII", sync.read(20)) == (b"DENT", 0o100640, 3, 1_000_000, 7)
            assert sync.read(7) == b"a,b.txt"
            assert sync.read(20) == b"DONE" + bytes(16)
            sync.send(pack_request(b"RECV", "/sdcard/v1/a,b.txt"))
            assert sync.read(11 + 8) == struct.pack("<4sI", b"DATA", 3) + b"one" + b"DONE\0\0\0\0"
            sync.send(pack_request(b"RECV", "/sdcard/none"))
            reason = "open failed: No such file or directory"
            assert sync.read(8 + len(reason)) == pack_request(b"FAIL", reason)
            sync.send(struct.pack("<4sI", b"QUIT", 0))
            assert sync.rest() == b""

    def test_v2(self, phone: VirtualPhone) -> None:
        with Service(phone, "sync:") as sync:
            sync.send(pack_request(b"SND2", "/sdcard/v2/b") + struct.pack("<4sII", b"SND2", 0o100600, 0))
            sync.send(struct.pack("<4sI", b"DATA", 2) + b"zw" + struct.pack("<4sI", b"DONE", 77))
            assert sync.read(8) == b"OKAY\0\0\0\0"
            stat = "<4sIQQIIIIQqqq"
            for kind in (b"STA2", b"LST2"):
                sync.send(pack_request(kind, "/sdcard/v2/b"))
                found = struct.unpack(stat, sync.read(72))
                assert (found[0], found[1], found[4], found[8], found[10]) == (kind, 0, 0o100600, 2, 77)
                sync.send(pack_request(kind, "/sdcard/none"))
                assert sync.read(72) == kind + struct.pack("<I", 2) + bytes(64)
            sync.send(pack_request(b"LIS2", "/sdcard/v2"))
            for name in (b".", b".."):
                assert struct.unpack(stat + "I", sync.read(76))[4] >> 12 == 4
                assert sync.read(len(name)) == name
            entry = struct.unpack(stat + "I", sync.read(76))
            assert (entry[0], entry[4], entry[8], entry[12]) == (b"DNT2", 0o100600, 2, 1)
            assert sync.read(1) == b"b"
            assert sync.read(76) == b"DONE" + bytes(72)
            sync.send(pack_request(b"RCV2", "/sdcard/v2/b") + struct.pack("<4sI", b"RCV2", 0))
            assert sync.read(10 + 8) == struct.pack("<4sI", b"DATA", 2) + b"zw" + b"DONE\0\0\0\0"

    def test_folder_round_trip_preserves_times_modes_and_names(
        self, phone: VirtualPhone, tmp_path: Path
    ) -> None:
        tree = tmp_path / "树 tree"
        (tree / "in").mkdir(parents=True)
        (tree / "in" / "空.txt").write_bytes(b"")
        (tree / "run.sh").write_bytes(b"#!/system/bin/sh\necho ran\n")
        (tree / "run.sh").chmod(0o755)
        os.utime(tree / "run.sh", (1_600_000_000, 1_600_000_000))
        assert adb(phone, "push", str(tree), "/data/local/tmp/").returncode == 0
        assert output_of(adb(phone, "shell", "'/data/local/tmp/树 tree/run.sh'")) == "ran\n"
        done = adb(phone, "pull", "-a", "/data/local/tmp/树 tree", str(tmp_path / "back"))
        assert done.returncode == 0, output_of(done)
        assert (tmp_path / "back" / "in" / "空.txt").read_bytes() == b""
        assert (tmp_path / "back" / "run.sh").stat().st_mtime == 1_600_000_000

    def test_push_sync_skips_unchanged_files(self, phone: VirtualPhone, tmp_path: Path) -> None:
        (tmp_path / "a").write_text("1")
        first = output_of(adb(phone, "push", "--sync", str(tmp_path / "a"), "/sdcard/a"))
        again = output_of(adb(phone, "push", "--sync", str(tmp_path / "a"), "/sdcard/a"))
        assert "1 file pushed" in first
        assert "0 files pushed, 1 skipped" in again

    @pytest.mark.parametrize(
        ("words", "reason"),
        [
            (("push", str(APK), "/system/x.apk"), "remote couldn't create file: Read-only file system"),
            (
                ("pull", "/sdcard/none", "/tmp/none"),
                "remote object '/sdcard/none': No such file or directory",
            ),
            (("push", "/none/here", "/sdcard/"), "cannot stat '/none/here'"),
        ],
    )
    def test_transfer_errors_are_reported(
        self, phone: VirtualPhone, words: tuple[str, ...], reason: str
    ) -> None:
        done = adb(phone, *words)
        assert done.returncode == 1
        assert reason in output_of(done)


class TestPorts:
    def test_forwards_are_listed_and_removed(self, phone: VirtualPhone) -> None:
        port = output_of(adb(phone, "forward", "tcp:0", "tcp:9008")).strip()
        assert f"{phone.serial} tcp:{port} tcp:9008" in output_of(adb(phone, "forward", "--list"))
        assert adb(phone, "forward", "--no-rebind", f"tcp:{port}", "tcp:1").returncode == 1
        with socket.create_connection(("127.0.0.1", int(port)), timeout=120) as stream:
            assert stream.recv(10) == b""  # nothing listens there
        assert adb(phone, "forward", "--remove", f"tcp:{port}").returncode == 0
        assert "tcp:9008" not in output_of(adb(phone, "forward", "--list"))

    @pytest.mark.parametrize(
        "remote", ["tcp:7001", "localabstract:mine", "localfilesystem:/data/local/tmp/sock"]
    )
    def test_reversed_port_reaches_the_host(self, phone: VirtualPhone, remote: str) -> None:
        with socket.create_server(("127.0.0.1", 0)) as listener:
            listener.settimeout(120)
            number = listener.getsockname()[1]
            assert adb(phone, "reverse", remote, f"tcp:{number}").returncode == 0
            assert f"{remote} tcp:{number}" in output_of(adb(phone, "reverse", "--list"))
            with Service(phone, remote) as service:
                client, _ = listener.accept()
                with client:
                    service.send(b"up")
                    assert client.recv(10) == b"up"
                    client.sendall(b"down")
                    assert service.read(4) == b"down"
                assert service.rest() == b""
        assert adb(phone, "reverse", "--remove", remote).returncode == 0
        with pytest.raises(adbutils.AdbError, match="closed"):
            Service(phone, remote)

    @pytest.mark.parametrize(
        "name", ["localabstract:nobody", "localfilesystem:/x", "tcp:1", "jdwp:1", "what:"]
    )
    def test_connection_without_a_listener_is_closed(self, phone: VirtualPhone, name: str) -> None:
        with pytest.raises(adbutils.AdbError, match="closed"):
            Service(phone, name)


class TestStreams:
    def test_framebuffer(self, phone: VirtualPhone) -> None:
        with Service(phone, "framebuffer:") as service:
            fields = struct.unpack("<14I", service.read(56))
            assert fields[:6] == (2, 32, 1, 720 * 1280 * 4, 720, 1280)
            pixels = service.read(fields[3])
        shot = Image.open(io.BytesIO(adb(phone, "exec-out", "screencap", "-p").stdout)).convert("RGBA")
        assert pixels == shot.tobytes()

    def test_logcat(self, phone: VirtualPhone) -> None:
        adb(phone, "shell", "log", "-t", "Wire", "once")
        for words in (("logcat", "-d", "-s", "Wire"), ("logcat", "-d", "-v", "time", "Wire:I", "*:S")):
            assert "once" in output_of(adb(phone, *words))
        assert adb(phone, "logcat", "-c").returncode == 0
        assert "once" not in output_of(adb(phone, "logcat", "-d"))

    def test_closing_a_stream_ends_its_command_after_reading_all(self, phone: VirtualPhone) -> None:
        with Service(phone, "shell:echo begun; logcat -v time -s Never") as service:
            assert service.read(6) == b"begun\n"
        with Service(phone, "shell:cat > /sdcard/last.txt; echo whole >> /sdcard/last.txt") as service:
            service.send(b"not lost\n")
        assert output_of(adb(phone, "shell", "cat /sdcard/last.txt")) == "not lost\nwhole\n"
        with Service(phone, "track-jdwp") as tracker:
            assert tracker.read(4) == b"0000"
        assert output_of(adb(phone, "shell", "echo on")) == "on\n"


class TestConnections:
    def reaches_state(self, phone: VirtualPhone, expected: str, limit: float = 120) -> bool:
        end = CLOCK.monotonic() + limit
        while CLOCK.monotonic() < end:
            if {each.serial: each.state for each in adbutils.AdbClient().list()}.get(
                phone.serial
            ) == expected:
                return True
            CLOCK.sleep(0.02)
        return False

    def output_after_return(self, phone: VirtualPhone, line: str, limit: float = 120) -> str:
        """Run a shell line until the phone is connected again: adb may still list the ended one."""
        end = CLOCK.monotonic() + limit
        while True:
            done = adb(phone, "wait-for-device", "shell", line)
            if done.returncode == 0 or CLOCK.monotonic() > end:
                return output_of(done)
            CLOCK.sleep(0.02)

    def test_connect_and_disconnect(self, phone: VirtualPhone) -> None:
        assert output_of(adb(phone, "connect", phone.serial)) == f"already connected to {phone.serial}\n"
        assert output_of(adb(phone, "disconnect", phone.serial)) == f"disconnected {phone.serial}\n"
        until(lambda: phone.serial not in output_of(adb(phone, "devices")))
        assert "no such device" in output_of(adb(phone, "disconnect", phone.serial))
        assert output_of(adb(phone, "connect", phone.serial)) == f"connected to {phone.serial}\n"

    def test_reconnect(self, phone: VirtualPhone) -> None:
        assert "reconnecting" in output_of(adb(phone, "reconnect"))

        def back() -> bool:
            """Connect again: adb drops a TCP device after a reset, but may still list it."""
            adb(phone, "connect", phone.serial)
            return adb(phone, "shell", "echo back").stdout == b"back\n"

        until(back)
        phone.fault("disconnect")  # adb reconnects
        assert self.output_after_return(phone, "echo again") == "again\n"

    def test_refusing_phone_is_offline_until_it_returns(self, phone: VirtualPhone) -> None:
        phone.fault("refuse")
        assert self.reaches_state(phone, "offline")
        assert "Connection refused" in output_of(adb(phone, "connect", phone.serial))
        phone.fault("refuse", on=False)
        adb(phone, "disconnect", phone.serial)
        adb(phone, "connect", phone.serial)
        assert self.reaches_state(phone, "device")

    def test_reboot_ends_apps_and_keeps_settings(self, phone: VirtualPhone) -> None:
        shell = "settings put system kept 1; am start -a android.settings.SETTINGS; setprop debug.x 1"
        adb(phone, "shell", shell)
        assert "com.android.settings" in output_of(adb(phone, "shell", "dumpsys window | grep mCurrentFocus"))
        assert adb(phone, "reboot").returncode == 0
        after = self.output_after_return(phone, "settings get system kept; getprop debug.x")
        assert after == "1\n\n"
        assert "launcher" in output_of(adb(phone, "shell", "dumpsys window | grep mCurrentFocus"))
        assert output_of(adb(phone, "shell", "getprop sys.boot_completed")) == "1\n"
