"""What several places say of one thing agrees.

Sources: toybox ``ps.c`` (a kernel thread's name in brackets; threads and processes share one space of ids,
``-C``, ``-k``, ``--sort``, bare words as pids), Linux ``fs/proc`` and ``arch/x86/kernel/cpu/proc.c``,
``uname(2)``, ``rmdir(2)`` and ``unlink(2)`` (``EROFS``), AOSP ``installd`` (app directories of mode 0700).
"""

from __future__ import annotations

import pytest

from garabench.virtual.android.device_profile import Profile
from garabench.virtual.android.phone import Phone
from tests.cases import every_case
from tests.virtual.apps.system_robot import SYSTEM_APPS
from tests.virtual.shell.harness import on_phone


def test_kernel_threads_have_their_whole_name_in_brackets() -> None:
    assert "[kworker/0:0]\n" in on_phone("ps -A")[0]


def test_ids_of_threads_differ_from_those_of_processes() -> None:
    rows = [line.split() for line in on_phone("ps -AT -o PID,TID")[0].splitlines()[1:]]
    tids = [tid for _, tid in rows]
    assert len(set(tids)) == len(tids) > 50
    pids = {pid for pid, _ in rows}
    assert {tid for pid, tid in rows if pid != tid}.isdisjoint(pids)


def test_virtual_memory_is_the_same_in_ps_and_proc() -> None:
    out, _, _ = on_phone(
        "ps -A -o PID,VSZ | while read p v; do [ -f /proc/$p/status ] || continue; "
        "s=$(grep VmSize /proc/$p/status | tr -dc 0-9); [ ${s:-0} = $v ] || echo $p $s $v; done"
    )
    assert out == ""


@every_case(
    ("line", "out"),
    [
        ("ps -C init -o PID=", "    1\n"),
        ("ps -p $$ -o NAME=; ps -p $PPID -o NAME=; kill -0 $$", "sh\nadbd\n"),
        ("ps 1 -o NAME=", "init\n"),
        ("ps -A -k -rss -o NAME= | head -n 1", "system_server\n"),
        ("ps -A --sort=-rss -o NAME= | head -n 1", "system_server\n"),
    ],
)
def test_ps_selects_and_sorts(line: str, out: str) -> None:
    assert on_phone(line) == (out, "", 0)


def test_top_knows_the_columns_of_sizes() -> None:
    out, err, status = on_phone("top -b -n 1 -q -o PID,NAME,RES | head -n 2")
    assert (out.split(), err, status) == (["PID", "NAME", "RES", "1000", "system_server", "320M"], "", 0)


@pytest.mark.parametrize("profile", ["android-19", "android-30", "android-34"])
def test_the_kernel_says_one_release(profile: str) -> None:
    version, _, _ = on_phone("cat /proc/version", profile=profile)
    if profile != "android-19":
        release, build = (on_phone(f"uname -{option}", profile=profile)[0].strip() for option in "rv")
        assert version == f"Linux version {release} (build-user@build-host) {build}\n"


def test_the_processor_is_that_of_the_abi() -> None:
    assert on_phone("uname -m; getprop ro.product.cpu.abi; grep -c GenuineIntel /proc/cpuinfo")[0] == (
        "x86_64\nx86_64\n4\n"
    )


def test_the_load_average_is_the_same_everywhere() -> None:
    load = on_phone("cat /proc/loadavg")[0].split()[:3]
    assert on_phone("uptime")[0].strip().endswith("load average: " + ", ".join(load))


@every_case(
    ("line", "reason"),
    [
        ("rm /system/build.prop", "Read-only file system"),
        ("mkdir /system/y", "Read-only file system"),
        ("ls /data/data/com.android.systemui", "Permission denied"),
    ],
)
def test_what_the_shell_may_not_do(line: str, reason: str) -> None:
    _, err, status = on_phone(line, phone=Phone(Profile.parse("android-34"), apps=SYSTEM_APPS))
    assert (reason in err, status) == (True, 1)


def test_the_directory_of_an_app_can_be_found_but_not_listed() -> None:
    line = "p=/data/data/com.android.systemui; [ -d $p ] && echo there; stat -c %A $p; ls -ld $p | cut -c1-10"
    phone = Phone(Profile.parse("android-34"), apps=SYSTEM_APPS)
    assert on_phone(line, phone=phone)[0] == "there\ndrwx------\ndrwx------\n"


def test_one_name_of_the_keyboard() -> None:
    line = "p=$(settings get secure default_input_method); p=${p%/*}; pm path $p; pidof $p"
    out, err, status = on_phone(line, phone=Phone(Profile.parse("android-34"), apps=SYSTEM_APPS))
    assert (out.startswith("package:/product/app/"), out.count("\n"), err, status) == (True, 2, "", 0)
