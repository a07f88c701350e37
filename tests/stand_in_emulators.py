"""The SDK's stand-in with its emulators, for one test."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from garabench.device.emulators.emulator import running_avds, stop_emulator
from garabench.device.emulators.sdk import AndroidSdk
from garabench.testing.sdk_stand_in.install import install_stand_in
from tests.waits import CLOCK

FIRST_PORT = "garabench.device.emulators.emulator.FIRST_PORT"


def first_port() -> int:
    """Return a port above those of virtual phones, which other tests start at the same time."""
    return 5600 + 2 * (os.getpid() % 30)


def stand_in_emulators(folder: Path, patch: pytest.MonkeyPatch) -> Iterator[AndroidSdk]:
    """Yield a stand-in of the SDK; at the end its emulators are stopped."""
    patch.setenv("ANDROID_AVD_HOME", str(folder / "avds"))
    patch.setenv("ANDROID_HOME", str(install_stand_in(folder / "sdk")))
    patch.setenv("GARABENCH_STATE", str(folder / "state"))
    patch.setattr("platform.machine", lambda: "x86_64")
    patch.setattr(FIRST_PORT, first_port())
    yield AndroidSdk.find()
    for each in running_avds(CLOCK):
        if (folder / "avds" / f"{each.avd}.avd").exists():
            stop_emulator(each, CLOCK, save=False)
