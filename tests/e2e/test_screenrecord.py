"""Record a video of the screen with ``adb shell screenrecord`` until it is interrupted."""

from __future__ import annotations

import signal
import subprocess
from pathlib import Path

import adbutils
import pytest

from garabench.core.clock import SystemClock
from garabench.virtual.phone_process import VirtualPhone
from tests.virtual.android.test_mp4 import frames_of

pytestmark = pytest.mark.e2e


@pytest.mark.parametrize("ended_by", ["interrupt", "kill"])
def test_recording_ends_on_client_exit_or_signal(
    tmp_path: Path,
    ended_by: str,
) -> None:
    clock = SystemClock()
    with VirtualPhone("android-34:720x1280") as phone:
        device = adbutils.AdbClient().device(phone.serial)
        argv = [adbutils.adb_path(), "-s", phone.serial, "shell", "screenrecord", "/sdcard/r.mp4"]
        with subprocess.Popen(argv) as recording:
            limit = clock.monotonic() + 120
            while not device.shell("pidof screenrecord").strip():
                assert clock.monotonic() < limit
            device.shell("am start -n com.android.settings/.Settings")
            clock.sleep(0.3)
            device.shell("true")  # the command ends after the recorder's next frame
            if ended_by == "kill":
                device.shell("kill -2 $(pidof screenrecord)")
                assert recording.wait(timeout=120) == 0
            else:
                recording.send_signal(signal.SIGINT)
        while device.shell("pidof screenrecord").strip():
            assert clock.monotonic() < limit
        device.sync.pull("/sdcard/r.mp4", str(tmp_path / "r.mp4"))
    frames = frames_of((tmp_path / "r.mp4").read_bytes())
    assert len(frames) >= 2
    assert all(data.startswith(b"\xff\xd8\xff") for data, _ in frames)
