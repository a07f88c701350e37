"""The real adb binary and adbutils against the server, with a small backend."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import os
import socket
import stat
import subprocess
import threading
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from pathlib import Path

import adbutils
import pytest

from garabench.core.clock import SystemClock
from garabench.virtual.adb.auth import KeyStore
from garabench.virtual.adb.backend import Framebuffer, Write
from garabench.virtual.adb.duplex import Duplex, LocalService
from garabench.virtual.adb.messages import AdbCommand, AdbMessage
from garabench.virtual.adb.reverse import ReverseForwards
from garabench.virtual.adb.server import listen
from garabench.virtual.adb.sync import FileStat
from garabench.virtual.android.faults import Faults

ADB = adbutils.adb_path()


class MemoryFiles:
    """Files and their implied directories."""

    def __init__(self) -> None:
        self.files: dict[str, tuple[bytes, int, int]] = {}

    def stat(self, path: str) -> FileStat | None:
        path = "/" + path.strip("/")
        if path in self.files:
            data, mode, mtime = self.files[path]
            return FileStat(stat.S_IFREG | mode, len(data), mtime)
        if path == "/" or any(name.startswith(path.rstrip("/") + "/") for name in (*self.files, "/sdcard/.")):
            return FileStat(stat.S_IFDIR | 0o771, 0, 1)
        return None

    def lstat(self, path: str) -> FileStat | None:
        return self.stat(path)

    def listdir(self, path: str) -> tuple[str, ...] | None:
        top = "/" + path.strip("/") + "/"
        return tuple(dict.fromkeys(n[len(top) :].split("/")[0] for n in self.files if n.startswith(top)))

    def read(self, path: str) -> bytes:
        return self.files["/" + path.strip("/")][0]

    def write(self, path: str, data: bytes, *, mode: int, mtime: int) -> None:
        self.files["/" + path.strip("/")] = (data, mode, mtime)


class MemoryBackend:
    """A phone in memory with a few commands."""

    properties = {"ro.product.name": "small", "ro.product.model": "Small", "ro.product.device": "small"}  # noqa: RUF012
    features = ("shell_v2", "cmd", "stat_v2", "ls_v2", "fixed_push_mkdir", "sendrecv_v2")

    def __init__(self) -> None:
        self.files = MemoryFiles()
        self.keys = KeyStore()
        self.reverses = ReverseForwards()
        self.faults = Faults()
        self.restarts = 0

    async def shell(
        self, line: str, stdin: AsyncIterator[bytes], out: Write, err: Write, *, pty: bool
    ) -> int:
        if line.startswith("echo "):
            await out(line[5:].encode() + b"\n")
            return 0
        if line == "fail":
            await err(b"it failed\n")
            return 42
        if line == "cat":
            async for data in stdin:
                await out(data)
            return 0
        if line == "big":
            await out(b"0123456789abcdef" * (5 << 16))
            return 0
        if line == "hang":
            await asyncio.sleep(3600)
        await err(f"/system/bin/sh: {line}: not found\n".encode())
        return 127

    async def screen(self) -> Framebuffer:
        return Framebuffer(3, 2, bytes([10, 20, 30, 255]) * 6)

    def reboot(self) -> None:
        self.restarts += 1

    def switch_user(self, *, root: bool) -> tuple[str, bool]:
        return ("restarting adbd as root\n", True) if root else ("adbd not running as root\n", False)

    def restart_adbd(self) -> None:
        self.faults.enable("disconnect")

    def local_service(self, service: str) -> LocalService | None:
        async def echo(stream: Duplex) -> None:
            while data := await stream.read():
                await stream.write(data.upper())

        return echo if service == "tcp:9008" else None

    def fault(self, name: str) -> Mapping[str, object] | None:
        return self.faults.active(name)

    def watch(self, changed: Callable[[str, bool], None]) -> None:
        self.faults.watch(changed)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Running:
    """Runs the server on a thread."""

    def __init__(self, host: MemoryBackend) -> None:
        self.host = host
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.loop.run_forever, daemon=True)
        self.thread.start()
        self.server = asyncio.run_coroutine_threadsafe(listen(host), self.loop).result(120)
        self.port = self.server.sockets[0].getsockname()[1]
        self.serial = f"127.0.0.1:{self.port}"

    def switch(self, fault: str, *, on: bool = True, **params: object) -> None:
        async def change() -> None:
            if on:
                self.host.faults.enable(fault, **params)
            else:
                self.host.faults.disable(fault)
            await asyncio.sleep(0.05)

        asyncio.run_coroutine_threadsafe(change(), self.loop).result(120)

    def accept(self) -> None:
        async def change() -> None:
            self.host.keys.accept_waiting()

        asyncio.run_coroutine_threadsafe(change(), self.loop).result(120)

    def stop(self) -> None:
        async def end() -> None:
            self.server.close()
            others = asyncio.all_tasks() - {asyncio.current_task()}
            for task in others:
                task.cancel()
            await asyncio.gather(*others, return_exceptions=True)

        asyncio.run_coroutine_threadsafe(end(), self.loop).result(120)
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join(120)
        self.loop.close()


@pytest.fixture(scope="module")
def adb_port(adb_server_port: int) -> int:
    return adb_server_port


@pytest.fixture
def running(adb_port: int) -> Iterator[Running]:
    running = Running(MemoryBackend())
    adb(adb_port, "connect", running.serial)
    yield running
    adb(adb_port, "disconnect", running.serial)
    running.stop()


def adb(port: int, *words: str, stdin: bytes | None = None) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [ADB, "-P", str(port), *words], input=stdin, capture_output=True, timeout=120, check=False
    )


def test_the_device_is_listed_with_its_banner(adb_port: int, running: Running) -> None:
    listed = adb(adb_port, "devices", "-l").stdout.decode()
    (line,) = [row for row in listed.splitlines() if row.startswith(running.serial)]
    assert " device " in line
    assert "model:Small" in line


def test_shell_returns_exit_status_stdout_and_stderr(adb_port: int, running: Running) -> None:
    done = adb(adb_port, "-s", running.serial, "shell", "echo", "中文 text")
    assert (done.returncode, done.stdout.decode()) == (0, "中文 text\n")
    done = adb(adb_port, "-s", running.serial, "shell", "fail")
    assert (done.returncode, done.stdout, done.stderr) == (42, b"", b"it failed\n")
    done = adb(adb_port, "-s", running.serial, "shell", "nope")
    assert (done.returncode, done.stderr) == (127, b"/system/bin/sh: nope: not found\n")


def test_stdin_reaches_the_command(adb_port: int, running: Running) -> None:
    assert adb(adb_port, "-s", running.serial, "shell", "cat", stdin=b"typed\n").stdout == b"typed\n"


def test_exec_out_transfers_five_megabytes(adb_port: int, running: Running) -> None:
    data = adb(adb_port, "-s", running.serial, "exec-out", "big").stdout
    assert hashlib.sha256(data).digest() == hashlib.sha256(b"0123456789abcdef" * (5 << 16)).digest()


def test_push_and_pull_twenty_megabytes(adb_port: int, running: Running, tmp_path: Path) -> None:
    data = os.urandom(1 << 20) * 20
    (tmp_path / "big.bin").write_bytes(data)
    done = adb(adb_port, "-s", running.serial, "push", str(tmp_path / "big.bin"), "/sdcard/big.bin")
    assert done.returncode == 0, done.stderr
    done = adb(adb_port, "-s", running.serial, "pull", "/sdcard/big.bin", str(tmp_path / "back.bin"))
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "back.bin").read_bytes() == data
    assert "/sdcard/big.bin" in running.host.files.files


def test_push_and_list_a_directory(adb_port: int, running: Running, tmp_path: Path) -> None:
    (tmp_path / "tree" / "in").mkdir(parents=True)
    (tmp_path / "tree" / "in" / "one.txt").write_text("1")
    (tmp_path / "tree" / "two.txt").write_text("2")
    assert adb(adb_port, "-s", running.serial, "push", str(tmp_path / "tree"), "/sdcard/").returncode == 0
    assert running.host.files.files["/sdcard/tree/in/one.txt"][0] == b"1"
    device = adbutils.AdbClient(port=adb_port).device(running.serial)
    assert sorted(entry.path for entry in device.sync.list("/sdcard/tree")) == [".", "..", "in", "two.txt"]


def test_forward_to_a_service_on_the_phone(adb_port: int, running: Running) -> None:
    port = free_port()
    assert adb(adb_port, "-s", running.serial, "forward", f"tcp:{port}", "tcp:9008").returncode == 0
    with socket.create_connection(("127.0.0.1", port), timeout=120) as stream:
        stream.sendall(b"hello")
        assert stream.recv(100) == b"HELLO"


def test_adbutils_reads_shell_files_and_the_framebuffer(adb_port: int, running: Running) -> None:
    device = adbutils.AdbClient(port=adb_port).device(running.serial)
    assert device.shell("echo x") == "x"
    assert device.shell2("fail", v2=True).returncode == 42
    device.sync.push(b"data", "/sdcard/f.txt")
    assert device.sync.read_text("/sdcard/f.txt") == "data"
    assert device.sync.stat("/sdcard/f.txt").size == 4
    image = device.framebuffer()
    assert image.size == (3, 2)
    assert image.convert("RGB").getpixel((2, 1)) == (10, 20, 30)


def test_closing_a_stream_ends_its_command(adb_port: int, running: Running) -> None:
    device = adbutils.AdbClient(port=adb_port).device(running.serial)
    stream = device.shell("hang", stream=True)
    stream.close()
    assert device.shell("echo still here") == "still here"


def state(port: int, serial: str, wanted: str) -> bool:
    """Return whether adb eventually lists a device as ``wanted``."""
    clock = SystemClock()
    limit = clock.monotonic() + 120
    while clock.monotonic() < limit:
        rows = dict(
            row.split("\t") for row in adb(port, "devices").stdout.decode().splitlines() if "\t" in row
        )
        if rows.get(serial) == wanted:
            return True
        clock.sleep(0.05)
    return False


def test_a_device_is_unauthorized_until_the_key_is_accepted_and_remembers_it(
    adb_port: int, running: Running
) -> None:
    running.switch("unauthorized")
    adb(adb_port, "connect", running.serial)
    assert state(adb_port, running.serial, "unauthorized")
    (waiting,) = running.host.keys.waiting
    assert waiting.modulus.bit_length() == 2048
    running.accept()
    assert state(adb_port, running.serial, "device")
    adb(adb_port, "disconnect", running.serial)
    adb(adb_port, "connect", running.serial)  # now the peer signs the token
    assert state(adb_port, running.serial, "device")
    assert not running.host.keys.waiting


@pytest.mark.parametrize("fault", ["offline", "mute"])
def test_a_silent_device_is_offline_until_it_answers_again(
    adb_port: int, running: Running, fault: str
) -> None:
    adb(adb_port, "disconnect", running.serial)
    running.switch(fault)
    device = subprocess.Popen([ADB, "-P", str(adb_port), "connect", running.serial], stdout=subprocess.PIPE)
    assert state(adb_port, running.serial, "offline")
    device.kill()  # adb would wait for 10 s
    device.communicate(timeout=120)
    running.switch(fault, on=False)
    adb(adb_port, "disconnect", running.serial)
    assert b"connected to" in adb(adb_port, "connect", running.serial).stdout


def test_refused_connections(adb_port: int, running: Running) -> None:
    adb(adb_port, "disconnect", running.serial)
    running.switch("refuse")
    assert b"Connection refused" in adb(adb_port, "connect", running.serial).stdout
    running.switch("refuse", on=False)
    assert b"connected to" in adb(adb_port, "connect", running.serial).stdout


def test_a_connection_dropped_during_a_transfer(adb_port: int, running: Running, tmp_path: Path) -> None:
    (tmp_path / "big.bin").write_bytes(bytes(3 << 20))
    running.switch("cut-mid-transfer", bytes=1 << 20)
    done = adb(adb_port, "-s", running.serial, "push", str(tmp_path / "big.bin"), "/sdcard/cut.bin")
    assert done.returncode != 0
    assert "/sdcard/cut.bin" not in running.host.files.files


def test_a_phone_with_one_connection_is_offline_to_a_second_server(adb_port: int, running: Running) -> None:
    adb(adb_port, "disconnect", running.serial)
    running.switch("single-connection")
    with socket.create_connection(("127.0.0.1", running.port), timeout=120) as first:
        connect = AdbMessage(AdbCommand.CNXN, 0x01000001, 1 << 20, b"host::").encode(checksum=False)
        first.sendall(connect)
        assert first.recv(4) == b"CNXN"
        with socket.create_connection(("127.0.0.1", running.port), timeout=0.3) as second:
            second.sendall(connect)
            with pytest.raises(TimeoutError):
                second.recv(4)


def test_garbage_on_the_port_does_not_affect_other_connections(adb_port: int, running: Running) -> None:
    for garbage in (b"GET / HTTP/1.1\r\nHost: phone\r\n\r\n", bytes(100), b"\xff" * 5000):
        with socket.create_connection(("127.0.0.1", running.port), timeout=120) as stream:
            stream.sendall(garbage)
            with contextlib.suppress(ConnectionError):
                assert stream.recv(100) == b""
    assert adb(adb_port, "-s", running.serial, "shell", "echo", "well").stdout == b"well\n"


def test_reverse_forwards_from_the_phone_to_the_host(adb_port: int, running: Running) -> None:
    with socket.create_server(("127.0.0.1", 0)) as here:
        number = here.getsockname()[1]
        done = adb(adb_port, "-s", running.serial, "reverse", "tcp:9000", f"tcp:{number}")
        assert done.returncode == 0, done.stderr
        listed = adb(adb_port, "-s", running.serial, "reverse", "--list").stdout.decode()
        assert f"tcp:9000 tcp:{number}" in listed
        forward = free_port()
        adb(adb_port, "-s", running.serial, "forward", f"tcp:{forward}", "tcp:9000")
        with socket.create_connection(("127.0.0.1", forward), timeout=120) as phone:
            far, _ = here.accept()
            with far:
                far.settimeout(120)
                phone.sendall(b"from the phone")
                assert far.recv(100) == b"from the phone"
                far.sendall(b"from here")
                assert phone.recv(100) == b"from here"
    again = adb(adb_port, "-s", running.serial, "reverse", "--no-rebind", "tcp:9000", "tcp:1")
    assert b"cannot rebind" in again.stderr
    assert adb(adb_port, "-s", running.serial, "reverse", "--remove", "tcp:9000").returncode == 0
    removed = adb(adb_port, "-s", running.serial, "reverse", "--remove", "tcp:9000")
    assert b"listener 'tcp:9000' not found" in removed.stderr
    chosen = adb(adb_port, "-s", running.serial, "reverse", "tcp:0", "tcp:8000").stdout
    assert chosen.strip().isdigit()
    assert adb(adb_port, "-s", running.serial, "reverse", "--remove-all").returncode == 0
    assert adb(adb_port, "-s", running.serial, "reverse", "--list").stdout.strip() == b""


def test_adbd_answers_its_own_services(adb_port: int, running: Running) -> None:
    device = adbutils.AdbClient(port=adb_port).device(running.serial)

    def answer_of(service: str) -> str:
        with device.open_transport() as stream:
            stream.send_command(service)
            stream.check_okay()
            return str(stream.read_until_close())

    assert answer_of("unroot:") == "adbd not running as root\n"
    assert answer_of("tcpip:5555") == "restarting in TCP mode port: 5555\n"
    assert answer_of("jdwp") == ""
    for refused in ("jdwp:1", "localabstract:nobody", "tcp:1", "dev:/dev/null", "nonsense:"):
        with pytest.raises(adbutils.AdbError, match="closed"):
            answer_of(refused)


def test_disconnect_and_reconnect(adb_port: int, running: Running) -> None:
    assert b"disconnected" in adb(adb_port, "disconnect", running.serial).stdout
    assert running.serial not in adb(adb_port, "devices").stdout.decode()
    assert b"connected to" in adb(adb_port, "connect", running.serial).stdout
    assert adb(adb_port, "-s", running.serial, "shell", "echo back").stdout == b"back\n"
