from __future__ import annotations

import re
import struct

import pytest

from garabench.virtual.android.log_chatter import SystemChatter
from garabench.virtual.android.phone import Phone
from tests.virtual.android import toys
from tests.virtual.shell.harness import on_phone

HEAD = "--------- beginning of main\n"


@pytest.fixture
def phone() -> Phone:
    device = toys.phone()
    device.clock.restart()  # without the lines about the home screen that are due
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
    assert out[0].startswith(
        "main: ring buffer is 256 KiB (79 B consumed, 79 B readable), max entry is 5120 B"
    )


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("logcat -d -v nope", "logcat: Invalid -v 'nope'.\n"),
        ("logcat -d -e '('", "logcat: Invalid regex '('"),
        ("logcat -d A:Q", "logcat: Invalid filter expression 'A:Q'.\n"),
        ("logcat --nope", "logcat: Unknown option '--nope'.\n"),
        ("logcat -b", "logcat: Option '-b' needs an argument.\n"),
        ("logcat -t nope", "logcat: -t 'nope' not in time format.\n"),
        ("logcat -r 1", "logcat: -r requires -f as well.\n"),
        ("logcat -t 1 -m 1", "logcat: Cannot use -m (--max-count) and -t together.\n"),
        ("logcat -G 1K -b main", "logcat: failed to set the 'main' log size.\n"),
        ("logcat -G 1G -b main,system", "logcat: failed to set the 'main,system' log sizes.\n"),
        ("logcat -G 3x", "logcat: -G must be specified as <num><multiplier>.\n"),
        ("logcat -f x -S", "logcat: -f is incompatible with -g/-G, -S, and -p/-P.\n"),
        ("logcat --pid=0", "logcat: pid '0' out of range.\n"),
        ("logcat -L", "logcat: Logcat read failure: No such file or directory\n"),
        ("log -p q x", "log: bad -p 'q'\n"),
        ("logcat -m x", "logcat: -m 'x' isn't an integer greater than zero.\n"),
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
    assert on_phone("logcat -d -b nope", phone=phone) == ("", "logcat: Unknown -b buffer 'nope'.\n", 1)


def test_new_entries_are_followed() -> None:
    device = toys.phone()
    device.clock.restart()
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


def test_the_main_buffer_of_android_4_4_is_full() -> None:
    device, time = living("android-19")
    device.logcat.write("I", "GaraBench", "event", pid=7)
    for _ in range(2):
        sizes = on_phone("logcat -g -b main", phone=device)[0]
        assert re.match(r"/dev/log/main: ring buffer is 256Kb \(25[56]Kb consumed\), ", sizes)
        main = lines(device, "-b main -v raw")
        assert not any("starting service" in line for line in main)  # the boot's lines are displaced
        assert "event" in main  # chatter displaces only chatter
        time.now += 600


class Seconds:
    """Real time that the test moves."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def living(profile: str = "android-34") -> tuple[Phone, Seconds]:
    """Return a phone whose system writes to the log, and its real time."""
    device, time = toys.phone(profile), Seconds()
    source = SystemChatter(device.seed, device.profile.sdk, device.packages, monotonic=time)
    device.logcat.attach(source)
    return device, time


def lines(device: Phone, options: str) -> list[str]:
    out, err, status = on_phone(f"logcat -d {options}", phone=device)
    assert (err, status) == ("", 0)
    return [line for line in out.splitlines() if not line.startswith("---------")]


@pytest.mark.parametrize("profile", ["android-19", "android-30", "android-34"])
def test_a_fresh_phone_has_the_log_of_a_boot_and_writes_on(profile: str) -> None:
    device, time = living(profile)
    booted = lines(device, "-v threadtime")
    assert len(booted) > 200
    assert booted == sorted(booted, key=lambda line: line[:18])
    assert any("SystemServerTiming" in line for line in booted)
    assert lines(device, "-v threadtime") == booted
    time.now += 3
    assert len(lines(device, "-b main -b system -b events -b radio -v threadtime")) > len(booted)
    time.now += 1_000_000
    assert len(lines(device, "")) < 6_000
    on_phone("logcat -c", phone=device)
    assert lines(device, "") == []


def test_a_reader_of_a_tag_sees_the_same_in_every_run() -> None:
    device, time = living()
    device.logcat.write("I", "GaraBench", "event", pid=7)
    before = on_phone("logcat -d -s GaraBench:V", phone=device)
    time.now += 60
    assert on_phone("logcat -d -s GaraBench:V", phone=device) == before
    assert before[0].count("\n") == 3  # `dump` prints the headers of both buffers with entries
    gc = "grep -c 'Background concurrent copying GC freed'"
    assert int(on_phone(f"logcat -d -s system_server | {gc}", phone=device)[0]) > 0


def test_a_reader_that_waits_gets_lines_as_real_time_passes() -> None:
    device, time = living()
    time.now += 1
    on_phone("logcat -c", phone=device)

    def later() -> None:
        time.now += 2

    device.clock.after(100, later)
    # the loop waits half a second of real time for the next line
    assert on_phone("logcat -v raw -m 1 & sleep 1; wait", phone=device)[0].count("\n") == 2


def test_the_activity_manager_logs_what_it_does() -> None:
    """AOSP ``ActivityStarter``, ``ActivityMetricsLogger``, ``ProcessList``, ``EventLogTags.logtags``."""
    device = toys.phone()
    device.logcat.clear()
    on_phone("am start -n toy.app/.Main; input keyevent HOME; am force-stop toy.app", phone=device)
    system = lines(device, "-b system -v tag")
    uid = device.packages.get("toy.app").uid  # type: ignore[union-attr]
    assert system[:3] == [
        "I/ActivityTaskManager: START u0 {act=android.intent.action.MAIN flg=0x10000000 cmp=toy.app/.Main} "
        "with LAUNCH_MULTIPLE from uid 2000 (BAL_ALLOW_PERMISSION) result code=0",
        f"I/ActivityManager: Start proc 10017:toy.app/u0a{uid % 10_000} for top-activity {{toy.app/.Main}}",
        "I/ActivityTaskManager: Displayed toy.app/.Main for user 0: +250ms",
    ]
    assert f"I/ActivityManager: Force stopping toy.app appid={uid} user=0: from pid 2000" in system
    events = [line.split(":")[0] for line in lines(device, "-b events -v tag")]
    wanted = ["wm_create_task", "am_proc_start", "am_proc_bound", "wm_create_activity", "wm_restart_activity"]
    wanted += ["wm_on_create_called", "wm_on_start_called"]
    assert [line.removeprefix("I/").rstrip() for line in events][:7] == wanted
    for tag in ("wm_on_resume_called", "wm_on_paused_called", "wm_on_stop_called", "am_kill"):
        assert f"I/{tag}" in [line.rstrip() for line in events]


@pytest.mark.parametrize(
    ("profile", "start", "shown", "event"),
    [
        (
            "android-30",
            "} from uid 2000",
            "ActivityTaskManager: Displayed toy.app/.Main: +250ms",
            "wm_on_resume",
        ),
        ("android-19", "} from uid 2000", "ActivityManager: Displayed toy.app/.Main: +250ms", "am_on_resume"),
    ],
)
def test_older_versions_log_in_their_form(profile: str, start: str, shown: str, event: str) -> None:
    device = toys.phone(profile)
    on_phone("am start -n toy.app/.Main; sleep 1", phone=device)
    text = on_phone("logcat -d -v tag -b main -b system -b events", phone=device)[0]
    assert "START u0 {act=android.intent.action.MAIN flg=0x10000000 cmp=toy.app/.Main" + start in text
    assert shown in text
    assert event in text


def test_a_crash_has_a_stack_in_the_crash_buffer() -> None:
    device = toys.phone()
    toys.start(device)
    device.activities.crash("toy.app")
    crash = lines(device, "-b crash -v raw")
    assert crash[:2] == ["FATAL EXCEPTION: main", "Process: toy.app, PID: 10017"]
    assert crash[-1] == "\tat com.android.internal.os.ZygoteInit.main(ZygoteInit.java:971)"
    assert any(line.startswith("I/am_crash") for line in lines(device, "-b events -v tag"))


def test_output_files_are_rotated_and_cleared(phone: Phone) -> None:
    assert on_phone("logcat -d -v raw -f out.txt; cat out.txt", phone=phone)[0] == HEAD + "first\nsecond\n"
    for _ in range(40):
        phone.logcat.write("I", "Long", "x" * 100, pid=1)
    shown = on_phone("logcat -d -f big.txt -r 1 -n 2; ls big.txt*; logcat -c -f big.txt; ls", phone=phone)[0]
    assert shown == "big.txt\nbig.txt.1\nbig.txt.2\nout.txt\n"
    assert on_phone("logcat -d -f /system/x", phone=phone) == (
        "",
        "logcat: couldn't open output file: Read-only file system\n",
        1,
    )


def test_sizes_statistics_prune_list_and_help(phone: Phone) -> None:
    out = on_phone("logcat -G 1M -b main; logcat -g -b main; logcat -p; logcat -P ''", phone=phone)[0]
    assert out.splitlines() == [
        "main: ring buffer is 1 MiB (79 B consumed, 79 B readable), max entry is 5120 B, "
        "max payload is 4068 B",
        "~! ~1000/!",
    ]
    statistics = on_phone("logcat -S -b main", phone=phone)[0]
    assert statistics.startswith("size/num main               Total\nTotal    79/2               79/2\n")
    assert "Chattiest PIDs in main log buffer:" in statistics
    assert on_phone("logcat --help", phone=phone)[0].startswith("Usage: logcat [OPTION]... [FILTERSPEC]...\n")
    phone.logcat.resize("main", 40)
    assert lines(phone, "-v raw") == ["second"]


def test_binary_entries_are_logger_entries(phone: Phone) -> None:
    """``struct logger_entry`` of AOSP's ``log/log_read.h``, and the payload of a text entry."""
    seen: list[tuple[str, str]] = []
    on_phone("logcat -d -B -f raw", phone=phone)
    data = phone.files.read("/data/local/tmp/raw")
    while data:
        length, head, pid, _tid, _sec, _nsec, lid, uid = struct.unpack_from("<HHiIIIII", data)
        payload, data = data[head : head + length], data[head + length :]
        tag, message = payload[1:-1].split(b"\0")
        seen.append((tag.decode(), message.decode()))
        assert (head, lid, uid, pid in (11, 22)) == (28, 0, 2000, True)
    assert seen == [("One", "first"), ("Two", "second")]


def test_the_log_before_a_reboot_is_read_with_last() -> None:
    device = toys.phone()
    device.logcat.write("I", "Before", "the reboot", pid=1)
    device.reboot()
    assert "the reboot" in lines(device, "-L -v raw -s Before")
    assert lines(device, "-v raw -s Before") == []


def test_options_of_the_environment_and_of_formats(phone: Phone) -> None:
    assert on_phone("ANDROID_LOG_TAGS='*:S Two' logcat -d -v raw", phone=phone)[0] == HEAD + "second\n"
    assert lines(phone, "-v color -v raw")[0] == "\x1b[38;5;34mfirst\x1b[0m"
    assert lines(phone, "-v monotonic")[1].startswith("     1.500    22")
    assert lines(phone, "-v UTC")[0].startswith("05-20 01:41:00.000")
    assert lines(phone, "-v uid")[0] == "05-20 09:41:00.000 shell     11    12 D One     : first"
    assert lines(phone, "-v raw -e first --print -m 1") == ["first"]
