"""Every change of a device is put back: at the end of a run, and after a kill, a reboot or a lost device."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from garabench.core.clock import SystemClock
from garabench.device.adb import Adb, ShellResult
from garabench.device.undo import change, journal, known
from garabench.device.undo.change import Setting, apply
from garabench.device.undo.entry import Scope
from garabench.device.undo.journal import Journal
from garabench.device.undo.lease import default_folder
from garabench.device.undo.restore import restore, restore_or_fail
from garabench.virtual.launcher import VirtualPhone
from tests.e2e.test_main_job import adb_server  # noqa: F401  # an adb server of our own

pytestmark = pytest.mark.e2e

APP, PERMISSION = "com.autonavi.minimap", "android.permission.ACCESS_FINE_LOCATION"
SDK = 34
TOUCHED = (
    ("settings", "list", "system"),
    ("settings", "list", "secure"),
    ("settings", "list", "global"),
    ("dumpsys", "battery"),
    ("dumpsys", "package", APP),
)
FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(["tests.e2e.test_undo"])


@pytest.fixture(scope="module")
def phone(adb_server: None) -> Iterator[VirtualPhone]:  # noqa: F811
    with VirtualPhone("android-34:720x1280") as running:
        yield running


@pytest.fixture
def adb(phone: VirtualPhone, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Adb:
    monkeypatch.setenv("GARABENCH_STATE", str(tmp_path))
    phone.reset()
    connected = Adb(phone.serial, SystemClock())
    connected.shell(["pm", "grant", APP, PERMISSION])
    connected.shell(["settings", "delete", "system", "font_scale"])
    return connected


def state(adb: Adb) -> str:
    """All that can be changed, as the phone tells it."""
    said = "".join(adb.shell(argv).stdout for argv in TOUCHED)
    return "\n".join(line for line in said.splitlines() if "stopped=" not in line)


def changes() -> list[change.Change]:
    return [
        known.wifi(on=False),
        known.airplane(on=True),
        Setting("system", "user_rotation", "1"),
        Setting("system", "font_scale", "1.3"),
        Setting("system", "user_rotation", "2"),
        Setting("global", "low_power", "1"),
        known.permission(APP, PERMISSION, granted=False),
        Setting("secure", "a_new_one", "it's $HOME; rm -rf 中文"),
    ]


def make_changes(adb: Adb) -> None:
    """What a run does: note how the device is, change it, put some of it back, change it again."""
    kept = Journal.at(adb.serial)
    known.hold(adb, kept, sdk=SDK)
    for each in changes():
        apply(adb, kept, each, sdk=SDK, why="test")
    restore(adb, kept, Scope.EPISODE)
    for each in changes()[3:]:
        apply(adb, kept, each, sdk=SDK, why="test")
    restore(adb, kept)


def until_killed(serial: str, port: int, folder: str, point: int, torn: bool) -> None:
    """Do it in this process, and end it by SIGKILL at a point: around each command, around each write.

    When `torn`, a write that is killed leaves half of its line.
    """
    os.environ["ANDROID_ADB_SERVER_PORT"] = str(port)
    os.environ["GARABENCH_STATE"] = folder
    passed = 0

    def pass_point() -> None:
        nonlocal passed
        passed += 1
        if passed == point:
            os.kill(os.getpid(), signal.SIGKILL)

    shell, write = Adb.shell, journal.write

    def counted_shell(self: Adb, argv: tuple[str, ...], *, timeout: float | None = None) -> ShellResult:
        pass_point()
        result = shell(self, argv, timeout=timeout)
        pass_point()
        return result

    def counted_write(path: Path, data: bytes) -> None:
        if torn and passed + 1 == point:
            write(path, data[: len(data) // 2])
        pass_point()
        write(path, data)
        pass_point()

    Adb.shell = counted_shell  # type: ignore[method-assign]
    journal.write = counted_write
    make_changes(Adb(serial, SystemClock()))
    (Path(folder) / "points").write_text(str(passed), "utf-8")


def killed_at(adb: Adb, folder: Path, point: int, *, torn: bool = False) -> bool:
    """Whether it was killed; False when it came to its end before."""
    child = FORKS.Process(target=until_killed, args=(adb.serial, adb.server[1], str(folder), point, torn))
    child.start()
    child.join(30)
    assert child.exitcode in (0, -signal.SIGKILL)
    return child.exitcode != 0


def test_killed_at_any_point_the_next_start_puts_everything_back(adb: Adb, tmp_path: Path) -> None:
    before = state(adb)
    assert not killed_at(adb, tmp_path, -1)
    assert state(adb) == before
    points = int((tmp_path / "points").read_text("utf-8"))
    assert points > 150
    wrong, changed = [], 0
    for number, point in enumerate(range(1, points + 1, points // 33)):
        assert killed_at(adb, tmp_path, point, torn=bool(number % 2))
        changed += state(adb) != before
        restore_or_fail(adb, Journal.at(adb.serial))
        if state(adb) != before or list(default_folder().iterdir()):
            wrong.append(point)
    assert wrong == []
    assert changed >= 30  # of the kills, so many left something to put back
