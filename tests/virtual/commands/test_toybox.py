from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.virtual.shell.harness import on_phone

ROOT = Path(__file__).parents[3]
ANDROID = """
[ acpi base64 basename blockdev brctl cal cat chattr chcon chgrp chmod chown chroot chrt cksum clear
comm cmp cp cpio cut date dd devmem df diff dirname dmesg dos2unix du echo egrep env expand expr
fallocate false fgrep file find flock fmt free fsync getconf getenforce getfattr getopt grep groups
gunzip gzip head hostname hwclock i2cdetect i2cdump i2cget i2cset iconv id ifconfig inotifyd insmod
install ionice iorenice kill killall load_policy ln log logger logname losetup ls lsattr lsmod lsof
lspci lsusb md5sum mkdir mkfifo mknod mkswap mktemp microcom modinfo more mount mountpoint mv nc
netcat netstat nice nl nohup nproc nsenter od paste patch pgrep pidof pkill pmap printenv printf ps
pwd readelf readlink realpath renice restorecon rm rmdir rmmod rtcwake runcon sed sendevent seq
setenforce setfattr setsid sha1sum sha224sum sha256sum sha384sum sha512sum sleep sort split stat
strings stty swapoff swapon sync sysctl tac tail tar taskset tee test time timeout top touch tr true
truncate tty uclampset ulimit umount uname uniq unix2dos unlink unshare uptime usleep uudecode
uuencode uuidgen vi vmstat watch wc which whoami xargs xxd yes zcat
"""
"""The links to toybox in Android 14 (AOSP ``external/toybox/Android.bp``)."""


@pytest.mark.parametrize(
    ("line", "out", "err", "status"),
    [
        ("toybox echo a b", "a b\n", "", 0),
        ("printf hello > f; toybox md5sum f", "5d41402abc4b2a76b9719d911017c592  f\n", "", 0),
        ("/system/bin/toybox printf %03d 7", "007", "", 0),
        ("echo x | toybox wc -l", "1\n", "", 0),
        ("toybox nope", "", "toybox: Unknown command nope\n", 127),
        ("toybox am start -n a/b", "", "toybox: Unknown command am\n", 127),
        ("toybox awk 1", "", "toybox: Unknown command awk\n", 127),
    ],
)
def test_lines(line: str, out: str, err: str, status: int) -> None:
    assert on_phone(line) == (out, err, status)


def test_toybox_lists_its_commands() -> None:
    out, err, status = on_phone("toybox")
    names = out.split()
    assert (err, status) == ("", 0)
    assert {"cat", "head", "md5sum", "pidof", "stat"} <= set(names)
    assert names == sorted(names)
    assert not {"am", "cmd", "toybox", "awk"} & set(names)


def test_checksum_fallback_without_toybox() -> None:
    line = "printf hello > f; toybox md5sum f || md5 f"
    out, err, status = on_phone(line, profile="android-19")
    assert (out, status) == ("5d41402abc4b2a76b9719d911017c592  f\n", 0)
    assert err == "/system/bin/sh: toybox: not found\n"


def test_the_page_names_what_is_missing_and_nothing_else() -> None:
    page = (ROOT / "docs/virtual-phone.md").read_text(encoding="utf-8")
    listed = page.partition("as on a smaller image:\n")[2].partition("\n\n")[0]
    names = re.findall(r"`([^`]+)`", listed)
    installed = set(on_phone("ls -1 /system/bin")[0].split())
    assert names == sorted(set(ANDROID.split()) - installed)
    out, err, status = on_phone(f"which {' '.join(names)} || toybox {names[0]}")
    assert (out, err, status) == ("", f"toybox: Unknown command {names[0]}\n", 127)
    found = on_phone(f"which {' '.join(sorted(installed))}")[0].split()
    assert found == [f"/system/bin/{name}" for name in sorted(installed)]


@pytest.mark.parametrize(
    ("line", "out"),
    [
        ("printf hello > f; cksum f; cat f | cksum", "3287646509 5 f\n3287646509 5\n"),
        ("printf hello | sha512sum | cut -c1-9", "9b71d224b\n"),
        ("printf hello > f; uuencode f g", "begin 744 g\n%:&5L;&\\`\n`\nend\n"),
        ("head -c 100 /dev/urandom > f; uuencode f g | uudecode; cmp f g && echo same", "same\n"),
        ("printf hello | uuencode -m g | uudecode -o -", "hello"),
        ("printf 'a\\nb\\n' > f; printf 'b\\nc\\n' > g; comm f g; comm -12 f g", "a\n\t\tb\n\tc\nb\n"),
        ("printf 'a\\nb\\n' | tac", "b\na\n"),
        ("printf 'a\\tb\\n' | expand -t 4", "a   b\n"),
        ("printf 'a b\\nc d\\n\\ne\\n' | fmt -w 5", "a b c\nd\n\ne\n"),
        ("printf 'a\\n' | unix2dos | xxd -p; printf 'a\\r\\n' > f; dos2unix f; wc -c < f", "610d0a\n2\n"),
        ("printf é | iconv -t utf-16be | xxd -p", "00e9\n"),
        ("echo x > f; install -m 600 f g; stat -c %a g; install -D f d/e/f; cat d/e/f", "600\nx\n"),
        (
            "mountpoint /data; mountpoint -q / && mountpoint /proc/net",
            "/data is a mountpoint\n/proc/net is not a ",
        ),
        ("fallocate -l 10 f; wc -c < f; fsync f; getconf PAGE_SIZE; logname", "10\n4096\nshell\n"),
        ("echo x | more; clear | xxd -p; usleep 5; uuidgen | cut -c9,15", "x\n1b5b324a1b5b48\n-4\n"),
    ],
)
def test_small_utilities(line: str, out: str) -> None:
    """Forms of toybox (``cksum.c``, ``uuencode.c``, ``comm.c``, ``fmt.c``, ``install.c`` and others)."""
    assert on_phone(line)[0].startswith(out)


def test_what_is_not_simulated_says_so() -> None:
    out, err, status = on_phone("nc -l -p 5000; logcat -d -s garabench | grep -c 'nc -l'")
    assert (out, err, status) == ("1\n", "nc: -l is not simulated\n", 0)
