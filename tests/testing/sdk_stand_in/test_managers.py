"""The stand-in's `sdkmanager` and `avdmanager` answer like those of the SDK, and refuse what those refuse."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path

import pytest

from garabench.testing.sdk_stand_in.install import IMAGE, SdkBehaviour, install_stand_in
from garabench.testing.sdk_stand_in.managers import run_avdmanager, run_sdkmanager
from tests.cases import every_case

CREATE = ("create", "avd", "-n", "one", "-k", IMAGE)


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ANDROID_AVD_HOME", str(tmp_path / "avds"))
    monkeypatch.setattr("sys.stdin", io.StringIO("no\n"))
    return install_stand_in(tmp_path / "sdk")


def test_a_created_avd_is_listed(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_avdmanager(root, [*CREATE, "--device", "pixel_6"]) == 0
    assert run_avdmanager(root, ["list", "avd", "-c"]) == 0
    assert capsys.readouterr().out == "one\n"
    assert run_avdmanager(root, ["--silent", "list", "avd"]) == 0
    listed = capsys.readouterr().out
    assert "    Name: one\n  Device: pixel_6 (Google)\n" in listed
    assert "Based on: Android 34 Tag/ABI: google_apis/x86_64" in listed


def test_an_avd_without_a_device_asks_for_a_hardware_profile(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_avdmanager(root, list(CREATE)) == 0
    assert capsys.readouterr().out == "Do you wish to create a custom hardware profile? [no] "


def test_an_avd_is_replaced_only_by_force(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    argv = [*CREATE, "-d", "pixel"]
    assert [run_avdmanager(root, argv), run_avdmanager(root, argv), run_avdmanager(root, [*argv, "-f"])] == [
        0,
        1,
        0,
    ]
    assert "Android Virtual Device 'one' already exists.\nUse --force" in capsys.readouterr().err


@every_case(
    ("argv", "message"),
    [
        (("create", "avd", "-k", IMAGE), "The parameter --name must be defined"),
        (("create", "avd", "-n", "one"), "The parameter --package must be defined"),
        (("create", "avd", "-n", "one", "-k", "system-images;android-1;x;y"), "Package path is not valid"),
        ((*CREATE, "-d", "toaster"), "No device found matching --device toaster"),
        ((*CREATE, "--colour", "red"), "Argument '--colour' is not recognized"),
        (("list", "avd", "--long"), "Argument '--long' is not recognized"),
        (("move", "avd"), "Expected verb after global parameters but found 'move'"),
    ],
)
def test_avdmanager_refuses(
    argv: Sequence[str], message: str, root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_avdmanager(root, list(argv)) == 1
    assert message in capsys.readouterr().err


def test_sdkmanager_installs_what_it_knows(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    known, unknown = "system-images;android-30;default;x86_64", "system-images;android-99;default;x86_64"
    assert run_sdkmanager(root, ["--install", unknown]) == 1
    assert run_sdkmanager(root, [known, unknown]) == 0
    assert f"Warning: Failed to find package '{unknown}'" in capsys.readouterr().out
    assert run_sdkmanager(root, ["--verbose", "--list_installed"]) == 0
    rows = capsys.readouterr().out.splitlines()
    assert [row.split("|")[0].strip() for row in rows if "system-images" in row] == [known, IMAGE]


@pytest.mark.parametrize(("reply", "installed"), [("y", True), ("n", False)])
def test_sdkmanager_asks_for_the_licence(
    reply: str, installed: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{reply}\n"))
    bare = install_stand_in(tmp_path, images=(), behaviour=SdkBehaviour(licences=False))
    assert run_sdkmanager(bare, [IMAGE]) == 0
    assert (bare / IMAGE.replace(";", "/")).is_dir() is installed


@every_case(
    ("argv", "message"),
    [
        (("--list-installed",), "Unknown argument --list-installed"),
        (("--uninstall", IMAGE), "the stand-in does not play --uninstall"),
    ],
)
def test_sdkmanager_refuses(
    argv: Sequence[str], message: str, root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_sdkmanager(root, list(argv)) == 1
    assert message in capsys.readouterr().err
