"""The files of a running system and the utilities that show them.

Sources: Linux ``fs/proc`` (``array.c``, ``meminfo.c``), toybox (``df.c``, ``du.c``, ``od.c``, ``diff.c``),
AOSP ``init.rc`` and the rules on ``app_data_file`` for what the shell may not read.
"""

from __future__ import annotations

import re

import pytest

from garabench.virtual.android.device_profile import Profile
from garabench.virtual.android.phone import Phone
from tests.virtual.android import toys
from tests.virtual.shell.harness import on_phone


@pytest.fixture
def phone() -> Phone:
    device = toys.phone()
    toys.start(device)
    return device


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        (
            "cat /proc/cpuinfo",
            r"processor\t: 0\nvendor_id\t: .+\n(.*\n)*processor\t: 3\n(.*\n)*flags\t\t: .+\n(.*\n)*",
        ),
        (
            "cat /proc/meminfo",
            r"MemTotal:        4022164 kB\nMemFree: +\d+ kB\nMemAvailable: +\d+ kB\n(.*\n)*",
        ),
        (
            "cat /proc/stat",
            r"cpu  \d+ 0 \d+ \d+ (.*\n)(cpu\d .*\n){4}intr (.*\n)ctxt (.*\n)btime \d{10}\n(.*\n)*",
        ),
        ('a=$(head -1 /proc/stat); b=$(head -1 /proc/stat); [ "$a" = "$b" ] || echo grows', r"grows\n"),
        ("ls /sys/devices/system/cpu", r"cpu0\ncpu1\ncpu2\ncpu3\nonline\npossible\n"),
        ("cat /proc/version", r"Linux version 5\.15\.110-android14.*\n"),
        ("cat /proc/loadavg", r"\d\.\d\d \d\.\d\d \d\.\d\d 1/\d+ \d+\n"),
        ("cat /proc/uptime", r"\d+\.\d\d \d+\.\d\d\n"),
        ("cat /proc/net/dev", r"Inter-\|(.*\n){2} +lo: (.*\n) +wlan0: +\d+ .*\n"),
        ("cat /proc/self/comm", r"cat\n"),
        ("cat /proc/self/cmdline | tr '\\0' ' '", r"cat /proc/self/cmdline "),
        (
            "grep -E '^(Name|Pid|PPid|State):' /proc/self/status | tr '\\n' ' '",
            r"Name:\tgrep .*\t4243 .*4242 ",
        ),
        ("readlink /proc/self; ls /proc/self/fd | tr '\\n' ' '", r"4243\n0 1 2 "),
        ("ls -l /proc/self | cut -c1-4; readlink /proc/self/fd/1", r"lrwx\npipe:\[\d+\]\n"),
        ("ln -s nowhere l; ls; ls -l l", r"l\nlrwxrwxrwx 1 shell shell +7 .* l -> nowhere\n"),
        ("df -i /data", r"Filesystem +Inodes +IUsed +IFree IUse% Mounted on\n.* 14% /data\n"),
        ("df -h | head -1", r"Filesystem +Size +Used +Avail Use% Mounted on\n"),
        ("ls -Y 2>&1 || true", r"ls: Unknown option 'Y' \(see \"ls --help\"\)\n"),
        ("cat /sys/class/power_supply/battery/capacity", r"85\n"),
        ("dumpsys battery set level 7; cat /sys/class/power_supply/battery/capacity", r"7\n"),
        ("cat /sys/class/thermal/thermal_zone0/temp", r"\d{5}\n"),
        ("svc wifi disable; cat /sys/class/net/wlan0/operstate", r"down\n"),
        ("ls /sys/class", r"net\npower_supply\nthermal\n"),
        ("ls /dev/input", r"event0\nevent1\n"),
        ("ls -l /dev/null", r"crw-rw-rw- 1 root root .* /dev/null\n"),
        ("head -c 4 /dev/zero | xxd -p", r"00000000\n"),
        ("head -c 8 /dev/urandom | wc -c; cat /dev/null", r"8\n"),
        ("dd if=/dev/zero of=z bs=1k count=2 2>/dev/null; wc -c < z", r"2048\n"),
        ("echo gone > /dev/null; cat /dev/null", r""),
        ("cat /etc/hosts", r"127\.0\.0\.1 +localhost\n::1 +ip6-localhost\n"),
        ("grep ^ro.build.version.sdk= /system/build.prop", r"ro\.build\.version\.sdk=34\n"),
        ("ls /system/bin | grep -cxE 'am|sh|getprop|toybox|ls'", r"5\n"),
        ("for c in $(ls /system/bin); do which $c >/dev/null || echo $c; done", r""),
        ("ls /sdcard", r"Alarms\nAndroid\n(.*\n)*DCIM\nDocuments\nDownload\n(.*\n)*"),
    ],
)
def test_contents(phone: Phone, line: str, shown: str) -> None:
    out, err, status = on_phone(line, phone=phone)
    assert (err, status) == ("", 0)
    assert re.fullmatch(shown, out), out


def test_a_process_has_its_files(phone: Phone) -> None:
    """``fs/proc/array.c``: ``task_state``, ``do_task_stat``; ``oom_score_adj`` as AOSP's ``ProcessList``."""
    pid = phone.processes.pidof("toy.app")
    read = f"cd /proc/{pid}; tr '\\0' ' ' < cmdline; echo; cat oom_score_adj; cut -d' ' -f1-4 stat"
    assert on_phone(read, phone=phone)[0].splitlines() == ["toy.app ", "0", f"{pid} (toy.app) S 350"]
    status = on_phone(f"cat /proc/{pid}/status", phone=phone)[0]
    assert status.startswith("Name:\ttoy.app\nUmask:\t0077\nState:\tS (sleeping)\n")
    assert "\nVmRSS:\t   90000 kB\n" in status
    on_phone("input keyevent HOME", phone=phone)
    assert on_phone(f"cat /proc/{pid}/oom_score_adj", phone=phone)[0] == "700\n"
    on_phone("am force-stop toy.app", phone=phone)
    assert on_phone(f"cat /proc/{pid}/status", phone=phone)[1].endswith("No such file or directory\n")
    assert on_phone("cat /proc/1/comm; ls /proc | grep -cx 1000", phone=phone)[0] == "init\n1\n"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("ls /data", "ls: /data: Permission denied\n"),
        ("ls /data/data", "ls: /data/data: Permission denied\n"),
        ("ls /data/data/toy.app", "ls: /data/data/toy.app: Permission denied\n"),
        ("cat /data/data/toy.app/databases/x", "cat: /data/data/toy.app/databases/x: Permission denied\n"),
        ("ls /data/local", "ls: /data/local: Permission denied\n"),
        ("mkdir /data/x", "mkdir: '/data/x': Permission denied\n"),
        ("touch /data/data/x", "touch: '/data/data/x': Permission denied\n"),
        ("rm /system/bin/am", "rm: /system/bin/am: Read-only file system\n"),
    ],
)
def test_what_the_shell_may_not_do(phone: Phone, line: str, message: str) -> None:
    out, err, status = on_phone(line, phone=phone)
    assert (out, status) == ("", 1)
    assert err.replace("'", "") == message.replace("'", "")


def test_root_may_list_the_data() -> None:
    device = Phone(Profile.parse("android-34"), apps=toys.toys(), rooted=True)
    assert "local" in on_phone("su 0 ls /data", phone=device)[0].splitlines()
    assert on_phone("ls /data", phone=device)[2] == 1


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("df /data | tail -1", r"/dev/block/dm-5 +112345678 62000000 +50345678 +56% /data\n"),
        ("df -h /sdcard | tail -1", r"/dev/fuse +107G +59G +48G +56% /storage/emulated\n"),
        ("df | head -1", r"Filesystem +1K-blocks +Used +Available Use% Mounted on\n"),
        ("df -t f2fs | wc -l", r"2\n"),
        ("mount | grep ' /data '", r"/dev/block/dm-5 on /data type f2fs \(rw,.*\)\n"),
        ("free | head -2", r" +total +used +free +shared +buffers\nMem: +4118695936( +\d+){4}\n"),
        ("free -h | grep Swap", r"Swap: +2\.0G +0 +2\.0G\n"),
        ("nproc", r"4\n"),
        ("vmstat 1 2 | wc -l", r"4\n"),
        ("netstat -tl | tail -1", r"tcp6 +0 +0 \[::\]:5555 +\[::\]:\* +LISTEN\n"),
        ("stty size", r"24 80\n"),
        ("nc -z localhost 5555 && echo open", r"open\n"),
    ],
)
def test_system_utilities(phone: Phone, line: str, shown: str) -> None:
    out, err, status = on_phone(line, phone=phone)
    assert (err, status) == ("", 0)
    assert re.fullmatch(shown, out), out


@pytest.mark.parametrize(
    ("line", "out", "err", "status"),
    [
        ("df /nope", "", "df: '/nope': No such file or directory\n", 1),
        ("dmesg", "", "dmesg: klogctl: Permission denied\n", 1),
        ("nc localhost 81", "", "nc: connect: Connection refused\n", 1),
        ("nc example.org 80", "", "nc: connect: Network is unreachable\n", 1),
        ("mount /dev/x /mnt", "", "mount: '/dev/x'->'/mnt': Permission denied\n", 1),
        ("printf a > f; ln -s f l; cat l; readlink l; rm l; cat f", "af\na", "", 0),
        ("mkdir d; ln -s d e; echo x > e/f; cat d/f; ls -l e | cut -c1", "x\nl\n", "", 0),
        ("ln -s a a; cat a", "", "cat: a: Too many symbolic links encountered\n", 1),
        (
            "echo 1 > f; ln -s f l; ln -s f l",
            "",
            "ln: cannot create symbolic link from 'f' to 'l': File exists\n",
            1,
        ),
        ("truncate -s 3 f; truncate -s +1K f; wc -c < f", "1027\n", "", 0),
        ("mktemp -p . x.XXXX | cut -c1-4; ls | wc -l", "./x.\n1\n", "", 0),
        ("mktemp x.X", "", "mktemp: need 2 XX\n", 1),
        ("printf 'a\\nb\\n' > 1; printf 'a\\nc\\nd\\n' > 2; diff 1 2", "2c2,3\n< b\n---\n> c\n> d\n", "", 1),
        ("printf 'a\\n' > 1; printf 'a\\nb\\n' > 2; diff 1 2", "1a2\n> b\n", "", 1),
        ("printf 'a\\nb\\n' > 1; printf 'a\\n' > 2; diff 1 2", "2d1\n< b\n", "", 1),
        ("echo a > 1; echo A > 2; diff -i 1 2 && diff -q 1 2", "Files 1 and 2 differ\n", "", 1),
        ("echo a > 1; echo b > 2; diff -u 1 2", "--- 1\n+++ 2\n@@ -1 +1 @@\n-a\n+b\n", "", 1),
        ("mkdir a b; echo 1 > a/x; diff a b", "Only in a: x\n", "", 1),
        ("diff x", "", 'diff: Need 2 arguments (see "diff --help")\n', 2),
        ("printf 'abc\\n' | od -c", "0000000   a   b   c  \\n\n0000004\n", "", 0),
        ("printf 'abcd' | od -t x1", "0000000 61 62 63 64\n0000004\n", "", 0),
        ("printf 'ab' | od -A d", "0000000 061141\n0000002\n", "", 0),
        ("printf 'ab' | od -An -d", " 25185\n", "", 0),
        ("mkdir d; head -c 5000 /dev/zero > d/f; du -s d; du -h d | cut -f1", "8\td\n8.0K\n", "", 0),
        ("du nope", "", "du: nope: No such file or directory\n", 1),
        (
            "echo ab > f; stat -c '%s %F %a' f; stat -c %F /dev/null",
            "3 regular file 644\ncharacter device\n",
            "",
            0,
        ),
        ("stat nope", "", "stat: 'nope': No such file or directory\n", 1),
        ("printf a > f; stat f | head -2 | cut -c1-9", "  File: f\n  Size: 1\n", "", 0),
    ],
)
def test_utilities_on_files(line: str, out: str, err: str, status: int) -> None:
    assert on_phone(line) == (out, err, status)


def test_memory_is_never_negative_and_its_parts_add_up(phone: Phone) -> None:
    for number in range(60):
        phone.processes.start(f"com.example.app{number}")
    rows = dict(re.findall(r"(\w+): +(-?\d+) kB", on_phone("cat /proc/meminfo", phone=phone)[0]))
    total, free, available, buffers, cached = (
        int(rows[name]) for name in ("MemTotal", "MemFree", "MemAvailable", "Buffers", "Cached")
    )
    assert min(free, cached) >= 60_000
    assert free + buffers + cached == available < total
    for command in ("free", "vmstat", "dumpsys meminfo", "top -b -n 1 | head -3"):
        assert not re.search(r"\s-\d[\d,]*(K|\s)", on_phone(command, phone=phone)[0]), command
