"""``ps``, ``pidof``, ``top``, ``kill`` and their like, and the processes they show.

Sources: toybox ``ps.c`` (``ps``, ``top``, ``pgrep``, ``pkill``), ``kill.c`` and ``pidof.c``; AOSP
``system/core/toolbox/ps.c`` of Android 4.4; ``init.rc`` and the services' ``.rc`` files for names and users.
"""

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


def ids(phone: Phone, line: str) -> list[str]:
    return on_phone(line, phone=phone)[0].split()


def test_androids_own_processes_run(phone: Phone) -> None:
    """``init.rc``, ``init.zygote64_32.rc``: what every phone runs."""
    names = ids(phone, "ps -A -o NAME=")
    for name in ("init", "zygote64", "system_server", "com.android.systemui", "adbd", "surfaceflinger"):
        assert name in names
    assert "com.google.android.inputmethod.latin" in names
    assert ids(phone, "pidof system_server zygote64 init") == ["1000", "350", "1"]
    assert ids(phone, "ps -A -o PPID=,NAME= | grep toy.app") == ["350", "toy.app"]


@pytest.mark.parametrize(
    ("line", "head"),
    [
        ("ps -A", "USER           PID  PPID     VSZ    RSS WCHAN            ADDR S NAME"),
        ("ps -ef", "UID            PID  PPID C STIME TTY          TIME CMD"),
        ("ps -A -T", "USER           PID   TID  PPID     VSZ    RSS WCHAN            ADDR S CMD"),
        ("ps -o PID,NAME", "  PID NAME"),
        ("ps -o pid,args=COMMAND", "  PID COMMAND"),
    ],
)
def test_heads_of_ps(phone: Phone, line: str, head: str) -> None:
    assert on_phone(line, phone=phone)[0].splitlines()[0] == head


def test_ps_selects_users_and_pids(phone: Phone) -> None:
    assert set(ids(phone, "ps -u shell -o USER=")) == {"shell"}
    assert set(ids(phone, "ps -u 2000 -o USER=")) == {"shell"}
    assert ids(phone, "ps -p 1,1000 -o NAME=") == ["init", "system_server"]
    pid = phone.processes.pidof("toy.app")
    threads = ids(phone, f"ps -T -p {pid} -o TID=")
    assert threads[0] == str(pid)
    assert len(threads) == 21
    assert on_phone("ps -o NOPE", phone=phone) == ("", "ps: bad -o NOPE\n", 1)
    assert on_phone("ps -K", phone=phone) == ("", "ps: Unknown option 'K' (see \"ps --help\")\n", 1)


def test_top_counts_and_sorts(phone: Phone) -> None:
    out = on_phone("top -b -n1 -m 2", phone=phone)[0].splitlines()
    assert out[0].startswith("Tasks: ")
    assert out[4] == "  PID USER         PR  NI VIRT  RES  SHR S[%CPU] %MEM     TIME+ ARGS"
    assert [line.split()[-1] for line in out[5:]] == ["system_server", "com.android.systemui"]
    before = phone.clock.now_ms()
    assert on_phone("top -b -q -n 2 -d 1 -m 1 -o PID,CMD", phone=phone)[0].count("PID") == 2
    assert phone.clock.now_ms() - before == 1000


def test_signals(phone: Phone) -> None:
    denied = "/system/bin/sh: kill: 1000: Operation not permitted\n"
    assert on_phone("kill -9 1000", phone=phone) == ("", denied, 1)
    assert on_phone("kill -NOPE 1", phone=phone) == ("", "/system/bin/sh: kill: bad signal 'NOPE'\n", 1)
    assert on_phone("kill -0 99999", phone=phone)[2] == 1
    ended: list[str] = []
    program = phone.programs.begin(
        "app_process", lambda: ended.append("x"), args="app_process / a.b.Main -p 1"
    )
    assert ids(phone, "pgrep -f a.b.Main") == [str(program.pid)]
    assert on_phone("pkill -9 -f 'a.b.Main'", phone=phone) == ("", "", 0)
    assert ended == ["x"]
    assert on_phone(f"kill -0 {program.pid}", phone=phone)[2] == 0
    assert on_phone("pkill nothing", phone=phone)[2] == 1
    assert on_phone("killall nothing", phone=phone)[1] == "killall: nothing: No such process\n"
    assert ids(phone, "pgrep -l system_server") == ["1000", "system_server"]


def test_a_wide_cell_takes_the_space_of_later_ones(phone: Phone) -> None:
    """``show_ps`` of toybox: ``VSZ`` and ``WCHAN`` are too wide, and ``RSS`` and ``ADDR`` give way."""
    line = on_phone("ps -A | grep init$", phone=phone)[0]
    assert line == "root             1     0 10800000  6000 do_epoll_wait       0 S init\n"


def test_threads_of_the_runtime_are_those_of_apps(phone: Phone) -> None:
    assert on_phone("ps -T -p 1 -o CMD= | sort -u", phone=phone)[0] == "init\n"
    assert "Signal Catcher\n" in on_phone("ps -T -p $(pidof toy.app) -o CMD=", phone=phone)[0]
