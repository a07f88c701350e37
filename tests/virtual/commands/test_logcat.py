from __future__ import annotations

import pytest

from garabench.virtual.android.phone import Phone
from tests.virtual.android import toys
from tests.virtual.shell.harness import on_phone

HEAD = "--------- beginning of main\n"


@pytest.fixture
def phone() -> Phone:
    device = toys.phone()
    device.logcat.clear()
    device.logcat.write("D", "One", "first", pid=11, tid=12)
    device.clock.advance(1500)
    device.logcat.write("E", "Two", "second", pid=22)
    return device


@pytest.mark.parametrize(
    ("options", "shown"),
    [
        ("-v brief", "D/One     (   11): first\nE/Two     (   22): second\n"),
        ("-v process", "D(   11) first  (One)\nE(   22) second  (Two)\n"),
        ("-v tag", "D/One     : first\nE/Two     : second\n"),
        ("-v thread", "D(   11:   12) first\nE(   22:   22) second\n"),
        ("-v raw", "first\nsecond\n"),
        (
            "-v time",
            "05-20 09:41:00.000 D/One     (   11): first\n05-20 09:41:01.500 E/Two     (   22): second\n",
        ),
        (
            "-v threadtime",
            "05-20 09:41:00.000    11    12 D One     : first\n"
            "05-20 09:41:01.500    22    22 E Two     : second\n",
        ),
        (
            "-v long",
            "[ 05-20 09:41:00.000    11:   12 D/One      ]\nfirst\n\n"
            "[ 05-20 09:41:01.500    22:   22 E/Two      ]\nsecond\n\n",
        ),
        (
            "-v epoch",
            "1716169260.000    11    12 D One     : first\n1716169261.500    22    22 E Two     : second\n",
        ),
        ("-v time -v year -s Two", "2024-05-20 09:41:01.500 E/Two     (   22): second\n"),
        ("-v raw -s One", "first\n"),
        ("-v raw One:S", "second\n"),
        ("-v raw 'One:D' '*:S'", "first\n"),
        ("-v raw One:I '*:S'", ""),
        ("-v raw '*:W'", "second\n"),
        ("-v raw -e 'fir.t'", "first\n"),
        ("-v raw --regex=sec", "second\n"),
        ("-v raw --pid=22", "second\n"),
        ("-v raw -t 1", "second\n"),
        ("-v raw -t 1 -s One", ""),
        ("-v raw -T '05-20 09:41:01.000'", "second\n"),
        ("-v raw -T 1716169261.000", "second\n"),
        ("-v raw -m 1", "first\n"),
        ("-b all -v raw", "first\nsecond\n"),
    ],
)
def test_formats_and_filters(phone: Phone, options: str, shown: str) -> None:
    assert on_phone(f"logcat -d {options}", phone=phone) == (HEAD + shown, "", 0)


def test_tail_exits_and_clear_empties_the_log(phone: Phone) -> None:
    assert on_phone("logcat -v raw -t 5", phone=phone)[0] == HEAD + "first\nsecond\n"
    assert on_phone("logcat -c; logcat -d", phone=phone) == ("", "", 0)


def test_buffer_sizes(phone: Phone) -> None:
    out = on_phone("logcat -g", phone=phone)[0].splitlines()
    assert [line.partition(":")[0] for line in out] == ["main", "system", "crash"]
    assert out[0].startswith("main: ring buffer is 256 KiB (0 KiB consumed), max entry is 5120 B")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("logcat -d -v nope", "logcat: Invalid parameter 'nope' to -v\n"),
        ("logcat -d -e '('", "logcat: Invalid regex '('"),
        ("logcat -d A:Q", "logcat: Invalid filter expression 'A:Q'\n"),
        ("logcat --nope", "logcat: option --nope not recognized\n"),
        ("log -p q x", "log: bad -p 'q'\n"),
        ("logcat -m x", "logcat: 'x' is not a number\n"),
    ],
)
def test_usage_errors(line: str, message: str) -> None:
    out, err, status = on_phone(line)
    assert (out, status) == ("", 1)
    assert err.startswith(message)


@pytest.mark.parametrize("level", "vdiwef")
def test_log_writes_at_its_priority(level: str) -> None:
    line = f"log -p {level} -t Mine hello there; logcat -d -v brief -s Mine"
    assert on_phone(line)[0] == f"{HEAD}{level.upper()}/Mine    ( 2000): hello there\n"


def test_buffers_are_separate(phone: Phone) -> None:
    phone.logcat.write("I", "ActivityManager", "Start proc", pid=1000)
    phone.logcat.write("E", "AndroidRuntime", "FATAL EXCEPTION: main", pid=33)
    phone.logcat.write("D", "One", "third", pid=11)
    assert on_phone("logcat -d -v raw", phone=phone)[0] == (
        f"{HEAD}first\nsecond\n--------- beginning of system\nStart proc\n"
        "--------- beginning of crash\nFATAL EXCEPTION: main\nthird\n"
    )
    assert on_phone("logcat -d -v raw -b crash", phone=phone)[0] == "FATAL EXCEPTION: main\n"
    assert on_phone("logcat -d -v raw -b system,crash", phone=phone)[0].count("beginning") == 2
    assert on_phone("logcat -d -v raw -b main -b system", phone=phone)[0].count("beginning") == 2
    assert on_phone("logcat -d -b events", phone=phone) == ("", "", 0)
    assert on_phone("logcat -b crash -c; logcat -d -v raw -b main,crash", phone=phone)[0] == (
        f"{HEAD}first\nsecond\nthird\n"
    )
    assert on_phone("logcat -d -b nope", phone=phone) == ("", "logcat: unknown buffer nope\n", 1)


def test_new_entries_are_followed() -> None:
    device = toys.phone()
    device.logcat.clear()
    device.clock.after(700, lambda: device.logcat.write("I", "Late", "here", pid=5))
    line = "timeout 1 logcat -v raw -s Late & sleep 2; wait"
    assert on_phone(line, phone=device)[0] == f"{HEAD}here\n"


def test_the_log_of_android_4_4() -> None:
    device = toys.phone("android-19")
    device.logcat.clear()
    device.logcat.write("E", "AndroidRuntime", "FATAL EXCEPTION: main", pid=33)
    head = "--------- beginning of /dev/log/system\n--------- beginning of /dev/log/main\n"
    assert on_phone("logcat -d -s Nobody", phone=device)[0] == head
    assert on_phone("logcat -d", phone=device)[0] == f"{head}E/AndroidRuntime(   33): FATAL EXCEPTION: main\n"
    assert on_phone("logcat -d -v raw -b main", phone=device)[0] == "FATAL EXCEPTION: main\n"
    assert on_phone("logcat -d -v threadtime", phone=device)[0] == (
        f"{head}05-20 09:41:00.000    33    33 E AndroidRuntime: FATAL EXCEPTION: main\n"
    )
    assert on_phone("logcat -g -b main", phone=device)[0].startswith(
        "/dev/log/main: ring buffer is 256Kb (0Kb"
    )
    for options, message, status in (
        ("-v epoch", "Invalid parameter to -v\n", 255),
        ("-T 1", "Unrecognized Option\n", 255),
        ("--pid=3", "Unrecognized Option\n", 255),
        ("-b all", "Unable to open log device '/dev/log/all': No such file or directory\n", 1),
        ("-b crash", "Unable to open log device '/dev/log/crash': No such file or directory\n", 1),
    ):
        assert on_phone(f"logcat -d {options}", phone=device) == ("", message, status)
