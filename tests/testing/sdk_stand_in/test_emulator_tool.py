from __future__ import annotations

from pathlib import Path

import pytest

from garabench.device.emulators.launch_options import LaunchOptions
from garabench.testing.sdk_stand_in.emulator_tool import run_emulator
from garabench.testing.sdk_stand_in.install import install_stand_in


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ANDROID_AVD_HOME", str(tmp_path / "avds"))
    return install_stand_in(tmp_path / "sdk")


def test_it_refuses_unknown_options(root: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run_emulator(root, ["-avd", "a", "-headless"]) == 1
    assert "-headless" in "".join(capfd.readouterr())


def test_it_knows_every_option_that_is_used(root: Path, capfd: pytest.CaptureFixture[str]) -> None:
    options = LaunchOptions(accelerated=False, memory=1, cores=1)
    assert run_emulator(root, list(options.argv("a", 5554, snapshot=True))) == 1
    assert "PANIC: Unknown AVD name [a]" in "".join(capfd.readouterr())
