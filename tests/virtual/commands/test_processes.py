from __future__ import annotations

import pytest

from garabench.virtual.android.phone import Phone
from tests.virtual.android import toys
from tests.virtual.shell.harness import on_phone

OFFLINE = "svc wifi disable; svc data disable; "


@pytest.fixture
def phone() -> Phone:
    device = toys.phone()
    toys.start(device)
    return device


def test_processes_come_and_go(phone: Phone) -> None:
    pid = phone.processes.pidof("toy.app")
    user = f"u0_a{phone.packages.all()[1].uid % 10_000}"
    assert on_phone("pidof toy.app", phone=phone) == (f"{pid}\n", "", 0)
    assert on_phone("ps -A | grep toy.app", phone=phone)[0].split()[:2] == [user, str(pid)]
    assert on_phone("ps -A -o PID,NAME | tail -1", phone=phone)[0] == f"{pid} toy.app\n"
    assert on_phone("ps | grep toy.app", phone=phone)[0] == ""
    assert "toy.app" in on_phone("top -n1 -b", phone=phone)[0]
    on_phone("am force-stop toy.app", phone=phone)
    assert on_phone("ps -A | grep -c toy.app; pidof toy.app", phone=phone) == ("0\n", "", 1)


def test_android_4_4_lists_every_process_in_its_own_form() -> None:
    device = toys.phone("android-19")
    toys.start(device)
    lines = on_phone("ps", phone=device)[0].splitlines()
    assert lines[0] == "USER     PID   PPID  VSIZE  RSS     WCHAN    PC         NAME"
    assert lines[-1].split()[-1] == "toy.app"
    assert len(on_phone("ps toy.app", phone=device)[0].splitlines()) == 2
    assert len(on_phone("ps -t toy", phone=device)[0].splitlines()) == 3
    assert len(on_phone("ps -A", phone=device)[0].splitlines()) == 1  # the argument is the name of a process


def test_a_reboot_preserves_storage_and_ends_processes(phone: Phone) -> None:
    on_phone("settings put system x 1; pm grant toy.app android.permission.CAMERA", phone=phone)
    toys.start(phone, "Detail")
    phone.clipboard.set("of before")
    switched: list[tuple[str, bool]] = []
    phone.faults.watch(lambda name, on: switched.append((name, on)))
    assert on_phone("reboot", phone=phone)[2] == 0
    assert phone.activities.focused_app == "toy.home/.Home"
    assert phone.settings.get("system", "x") == "1"
    assert phone.packages.is_granted("toy.app", "android.permission.CAMERA")
    assert phone.clipboard.get() is None
    assert switched == [("disconnect", True)]
    assert phone.faults.active("disconnect") is None
