from __future__ import annotations

import pytest

from garabench.virtual.android.device_profile import Profile
from garabench.virtual.android.file_system import FileSystem
from garabench.virtual.android.phone import Phone
from garabench.virtual.apps.catalog import installed_apps


def test_a_provided_file_is_generated_on_each_read() -> None:
    files, texts = FileSystem(lambda: 0), [b"two", b"one"]
    files.provide("/proc/count", texts.pop)
    assert (files.read("/proc/count"), files.read("/proc/count")) == (b"one", b"two")
    found = files.stat("/proc/count")
    assert found is not None
    assert (found.size, found.mode & 0o777) == (0, 0o444)
    assert files.listdir("/proc") == ("count",)
    with pytest.raises(OSError, match="Read-only"):
        files.write("/proc/count", b"three")
    with pytest.raises(OSError, match="Read-only"):
        files.remove("/proc/count")


def test_proc_uptime_follows_the_phones_clock() -> None:
    phone = Phone(Profile.parse("android-34:720x1280"), apps=installed_apps())
    phone.clock.advance(61_250)
    assert phone.files.read("/proc/uptime") == b"61.25 61.25\n"
