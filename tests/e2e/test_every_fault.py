"""Every fault by its name on one running phone: its effect is there while it is on, and only then."""

from __future__ import annotations

import contextlib
import io
import socket
import subprocess
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import adbutils
import pytest
import uiautomator2
from PIL import Image

from garabench.core.clock import SystemClock
from garabench.core.selector import Selector, find
from garabench.core.tree import parse_tree
from garabench.virtual.adb.message import Command, Message
from garabench.virtual.launcher import VirtualPhone
from garabench.virtual.os.faults import KNOWN
from tests.e2e.test_main_job import adb_server  # noqa: F401  # an adb server of our own

pytestmark = pytest.mark.e2e

CLOCK = SystemClock()
APK = Path(uiautomator2.__file__).parent / "assets" / "app-uiautomator.apk"
HOME = "-a android.intent.action.MAIN -c android.intent.category.HOME"
DUMP = "/sdcard/dump.xml"
OLD = "<old/>"
QUIET_S = 1.0
"""Seconds after which who has said nothing is taken to be silent."""


@pytest.fixture(scope="module")
def phone(adb_server: None) -> Iterator[VirtualPhone]:  # noqa: F811
    with VirtualPhone("android-34:720x1280") as running:
        yield running


def adb(phone: VirtualPhone, *words: str, timeout: float = 30) -> subprocess.CompletedProcess[bytes]:
    command = [adbutils.adb_path(), "-s", phone.serial, *words]
    return subprocess.run(command, capture_output=True, check=False, timeout=timeout)


def shell(phone: VirtualPhone, line: str) -> str:
    done = adb(phone, "shell", line)
    return (done.stdout + done.stderr).decode()


def seconds(phone: VirtualPhone) -> int:
    """The phone's own time."""
    return int(shell(phone, "date +%s"))


def connect(phone: VirtualPhone) -> str:
    """Connect to it anew; the state in which adb lists it then."""
    client = adbutils.AdbClient()
    client.disconnect(phone.serial)
    with contextlib.suppress(adbutils.AdbError, TimeoutError):
        client.connect(phone.serial, timeout=QUIET_S)
    return str({each.serial: each.state for each in client.list()}.get(phone.serial, "gone"))


def usable(phone: VirtualPhone) -> bool:
    """Whether it can be connected to and answers."""
    limit = CLOCK.monotonic() + 10
    while connect(phone) != "device":
        if CLOCK.monotonic() > limit:
            return False
    return shell(phone, "echo here") == "here\n"


def dumped(phone: VirtualPhone) -> str:
    """What ``uiautomator dump`` says, and what stands in the file afterwards."""
    said = shell(phone, f"echo '{OLD}' > {DUMP}; uiautomator dump {DUMP}")
    return said + shell(phone, f"cat {DUMP}")


def typed(phone: VirtualPhone) -> str:
    """What stands in a search field after letters were typed."""
    field = Selector(id="com.android.settings:id/search_src_text")
    device = adbutils.AdbClient().device(phone.serial)
    device.shell("am force-stop com.android.settings")
    device.shell("am start -n 'com.android.settings/.Settings$ManageApplicationsActivity'")
    (node,) = find(parse_tree(device.dump_hierarchy()), field)
    device.shell(f"input tap {node.bounds.center.x} {node.bounds.center.y}; input text abcdefghij")
    return find(parse_tree(device.dump_hierarchy()), field)[0].text


def installed(phone: VirtualPhone) -> str:
    done = adb(phone, "install", "-r", str(APK))
    return (done.stdout + done.stderr).decode()


@contextlib.contextmanager
def server(phone: VirtualPhone) -> Iterator[None]:
    """uiautomator2's server on it."""
    device = uiautomator2.connect(phone.serial)
    assert device.info["sdkInt"] == 34
    yield
    device.stop_uiautomator(wait=False)


def ping(phone: VirtualPhone) -> str:
    """What uiautomator2's server says: its answer, ``""`` when it closes, ``"..."`` when it is silent."""
    device = adbutils.AdbClient().device(phone.serial)
    with device.create_connection(adbutils.Network.TCP, 9008) as stream:
        stream.settimeout(QUIET_S)
        stream.sendall(b"GET /ping HTTP/1.1\r\nConnection: close\r\n\r\n")
        try:
            return str(stream.recv(4096).decode()[-4:])
        except TimeoutError:
            return "..."


def silent(phone: VirtualPhone) -> bool:
    try:
        adb(phone, "shell", "echo", timeout=QUIET_S)
    except subprocess.TimeoutExpired:
        return True
    return False


def refused(phone: VirtualPhone) -> bool:
    done = subprocess.run(
        [adbutils.adb_path(), "connect", phone.serial], capture_output=True, check=False, timeout=30
    )
    return b"Connection refused" in done.stdout


def breaks_off(phone: VirtualPhone) -> bool:
    assert usable(phone)
    return len(adb(phone, "exec-out", "screencap").stdout) < 720 * 1280 * 4


def second_is_mute(phone: VirtualPhone) -> bool:
    assert usable(phone)
    host, _, port = phone.serial.partition(":")
    hello = Message(Command.CNXN, 0x01000001, 1 << 20, b"host::").encode(checksum=False)
    with socket.create_connection((host, int(port)), timeout=QUIET_S) as second:
        second.sendall(hello)
        try:
            return second.recv(4) != b"CNXN"
        except TimeoutError:
            return True


def takes_long(phone: VirtualPhone) -> bool:
    started = CLOCK.monotonic()
    shell(phone, "true")
    return CLOCK.monotonic() - started > 0.6


def black(phone: VirtualPhone) -> bool:
    picture = Image.open(io.BytesIO(adb(phone, "exec-out", "screencap", "-p").stdout)).convert("L")
    return picture.getextrema() == (0, 0)


def slow(phone: VirtualPhone, do: Callable[[VirtualPhone], object], least: int) -> bool:
    before = seconds(phone)
    do(phone)
    return seconds(phone) - before >= least


EFFECTS: Mapping[str, Callable[[VirtualPhone], bool]] = {
    "cut-mid-transfer": breaks_off,
    "dump-conflict": lambda phone: "Killed" in dumped(phone),
    "focus-null": lambda phone: "mCurrentFocus=null" in shell(phone, "dumpsys window"),
    "hang": silent,
    "idle-never": lambda phone: "could not get idle state" in dumped(phone),
    "install-refused": lambda phone: "INSTALL_FAILED_USER_RESTRICTED" in installed(phone),
    "install-slow": lambda phone: slow(phone, installed, 40),
    "no-space": lambda phone: "INSTALL_FAILED_INSUFFICIENT_STORAGE" in installed(phone),
    "mute": silent,
    "null-root": lambda phone: "null root node" in dumped(phone),
    "offline": lambda phone: connect(phone) == "offline",
    "refuse": refused,
    "screencap-black": black,
    "single-connection": second_is_mute,
    "slow-dump": lambda phone: slow(phone, dumped, 30),
    "slow-transport": takes_long,
    "stale-dump": lambda phone: OLD in dumped(phone),
    "start-timeout": lambda phone: "Status: timeout" in shell(phone, f"am start -W {HOME}"),
    "stray-brace": lambda phone: "}}" in shell(phone, "dumpsys window | grep mCurrentFocus"),
    "text-drops": lambda phone: typed(phone) == "abdeghj",
    "unauthorized": lambda phone: connect(phone) == "unauthorized",
    "u2-dead": lambda phone: ping(phone) == "",
    "u2-hang": lambda phone: ping(phone) == "...",
}
PARAMS: Mapping[str, Mapping[str, int]] = {
    "install-slow": {"ms": 40_000},
    "slow-dump": {"ms": 30_000},
    "slow-transport": {"ms": 300},
    "text-drops": {"every": 3},
    "cut-mid-transfer": {"bytes": 200_000},
}
NEEDS_THE_SERVER = ("dump-conflict", "u2-dead", "u2-hang")


def test_no_fault_is_left_out() -> None:
    assert {*EFFECTS, "disconnect"} == set(KNOWN)


@pytest.mark.parametrize("name", EFFECTS)
def test_a_fault_is_there_while_it_is_on_and_only_then(phone: VirtualPhone, name: str) -> None:
    effect = EFFECTS[name]
    assert usable(phone)
    with contextlib.ExitStack() as stack:
        if name in NEEDS_THE_SERVER:
            stack.enter_context(server(phone))
        assert not effect(phone)
        phone.fault(name, on=True, **PARAMS.get(name, {}))
        try:
            assert effect(phone)
        finally:
            phone.fault(name, on=False)
        assert usable(phone)
    with server(phone) if name in NEEDS_THE_SERVER else contextlib.nullcontext():
        assert not effect(phone)


def test_a_dropped_connection_ends_what_runs_and_comes_back(phone: VirtualPhone) -> None:
    assert usable(phone)
    words = [adbutils.adb_path(), "-s", phone.serial, "shell", "cat"]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as held:
        assert held.stdin is not None
        assert held.stdout is not None
        held.stdin.write(b"held\n")
        held.stdin.flush()
        assert held.stdout.readline() == b"held\n"
        phone.fault("disconnect")
        assert held.wait(timeout=10) != 0
    # The adb server connects to a device by itself which has not said goodbye.
    assert adb(phone, "wait-for-device", "shell", "echo back").stdout == b"back\n"
