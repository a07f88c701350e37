"""``screenrecord`` (AOSP ``frameworks/av/cmds/screenrecord``)."""

from __future__ import annotations

import asyncio
import io

import pytest
from PIL import Image, ImageStat

from garabench.virtual.android.phone import Phone
from garabench.virtual.commands.screenrecord import screenrecord
from garabench.virtual.shell.call import CommandCall
from garabench.virtual.shell.streams import discard, empty_input
from tests.virtual.android import toys
from tests.virtual.android.test_mp4 import frames_of
from tests.virtual.shell.harness import HOME, on_phone


@pytest.fixture
def phone() -> Phone:
    device = toys.phone("android-34")
    toys.start(device)
    on_phone("wm size 360x640; wm density 160", phone=device)
    return device


def recorded_frames(phone: Phone, name: str = "r.mp4") -> list[tuple[Image.Image, int]]:
    """Return the frames of a recording and their durations."""
    data = phone.files.read(f"{HOME}/{name}")
    return [(Image.open(io.BytesIO(image)), ms) for image, ms in frames_of(data)]


def test_recording_ends_at_the_time_limit(phone: Phone) -> None:
    before = phone.clock.now_ms()
    assert on_phone("screenrecord --time-limit 1 r.mp4", phone=phone) == ("", "", 0)
    assert phone.clock.now_ms() - before == 1000
    ((image, length),) = recorded_frames(phone)
    assert image.size == (360, 640)
    assert length == 1000


def test_each_change_is_a_frame_and_a_signal_ends_the_recording(phone: Phone) -> None:
    main = toys.main_of(phone)

    def change() -> None:
        main.add()
        phone.changed()

    phone.clock.after(200, change)
    line = (
        "screenrecord r.mp4 & sleep 1; pidof screenrecord; ps -A | grep -c screenrecord; "
        "pkill -2 screenrecord; wait; pidof screenrecord; echo $?"
    )
    out, err, status = on_phone(line, phone=phone)
    pid, *rest = out.split()
    assert (pid.isdecimal(), rest, err, status) == (True, ["1", "1"], "", 0)
    frames = recorded_frames(phone)
    assert len(frames) == 2
    assert frames[0][0].tobytes() != frames[1][0].tobytes()


def test_closing_the_stream_ends_the_recording_and_saves_it(phone: Phone) -> None:
    async def record() -> None:
        call = CommandCall(["screenrecord", "/sdcard/r.mp4"], empty_input(), discard, discard, {})
        task = asyncio.ensure_future(screenrecord(phone, call))
        await asyncio.sleep(0.01)
        assert [each.name for each in phone.programs.list()] == ["screenrecord"]
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(record())
    assert len(frames_of(phone.files.read("/sdcard/r.mp4"))) == 1
    assert phone.programs.list() == ()


def test_a_custom_size_letterboxes_the_screen(phone: Phone) -> None:
    on_phone("screenrecord --size 640x640 r.mp4 & sleep 1; kill -2 $!; wait", phone=phone)
    ((image, _),) = recorded_frames(phone)
    assert image.size == (640, 640)
    assert ImageStat.Stat(image.convert("RGB").crop((0, 0, 128, 640))).mean < [1, 1, 1]  # JPEG is not exact
    assert image.convert("L").getpixel((320, 320)) != 0


@pytest.mark.parametrize(
    ("line", "message", "status"),
    [
        ("screenrecord", "Must specify output file (see --help).\n", 2),
        ("screenrecord a b", "Must specify output file (see --help).\n", 2),
        ("screenrecord --time-limit 181 a", "Time limit 181s outside acceptable range [1,180]\n", 2),
        ("screenrecord --size 3 a", "Invalid size '3', must be width x height\n", 2),
        ("screenrecord --nope a", "screenrecord: unrecognized option `--nope'\n", 2),
        ("screenrecord /system/x.mp4", "Unable to open '/system/x.mp4': Read-only file system\n", 1),
    ],
)
def test_usage_errors(line: str, message: str, status: int) -> None:
    assert on_phone(line) == ("", message, status)


def test_help() -> None:
    out, err, status = on_phone("screenrecord --help")
    assert (out, err.splitlines()[0], status) == ("", "Usage: screenrecord [options] <filename>", 0)


def test_signals_reach_only_programs_of_the_shell(phone: Phone) -> None:
    pid = phone.processes.pidof("toy.app")
    message = f"/system/bin/sh: kill: {pid}: Operation not permitted\n"
    assert on_phone(f"kill -9 {pid}", phone=phone) == ("", message, 1)
    assert phone.processes.pidof("toy.app") == pid
    assert on_phone("kill 77", phone=phone) == ("", "/system/bin/sh: kill: 77: No such process\n", 1)
    assert on_phone("pkill -f toy.app", phone=phone)[1:] == (
        f"pkill: TERM->{pid}: Operation not permitted\n",
        1,
    )
    assert on_phone("killall -s INT nope", phone=phone) == ("", "killall: nope: No such process\n", 1)
