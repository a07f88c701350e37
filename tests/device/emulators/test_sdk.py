from __future__ import annotations

from pathlib import Path

import pytest

from garabench.device.emulators.sdk import AndroidSdk
from garabench.errors import HarnessError, InputError
from garabench.testing.sdk_stand_in.install import IMAGE, SdkBehaviour, install_stand_in

LICENCE = SdkBehaviour(licences=False)


@pytest.fixture(autouse=True)
def avds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "avds"
    monkeypatch.setenv("ANDROID_AVD_HOME", str(folder))
    return folder


def sdk(root: Path, **options: object) -> AndroidSdk:
    return AndroidSdk(install_stand_in(root / "sdk", **options))  # type: ignore[arg-type]


def test_sdk_is_found_by_the_environment(tmp_path: Path) -> None:
    assert AndroidSdk.find({"ANDROID_HOME": str(tmp_path)}).root == tmp_path
    assert AndroidSdk.find({"ANDROID_SDK_ROOT": str(tmp_path)}).root == tmp_path
    with pytest.raises(InputError, match="ANDROID_HOME is not set"):
        AndroidSdk.find({})
    with pytest.raises(InputError, match="is not a folder"):
        AndroidSdk.find({"ANDROID_HOME": str(tmp_path / "missing")})


def test_missing_tool_is_reported_with_what_to_install(tmp_path: Path) -> None:
    empty = AndroidSdk(tmp_path)
    with pytest.raises(InputError, match=r"has no emulator\n.*sdkmanager emulator"):
        empty.tool("emulator")
    with pytest.raises(InputError, match="has no avdmanager"):
        empty.avds()


def test_newest_tools_are_used(tmp_path: Path) -> None:
    for version in ("9.0", "12.0"):
        path = tmp_path / "cmdline-tools" / version / "bin" / "sdkmanager"
        path.parent.mkdir(parents=True)
        path.touch(mode=0o755)
    assert AndroidSdk(tmp_path).tool("sdkmanager").parts[-3] == "12.0"


def test_avd_is_created_from_an_image(tmp_path: Path, avds: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("platform.machine", lambda: "x86_64")
    found = sdk(tmp_path)
    assert found.avds() == ()
    found.create("garabench-1", found.choose_image())
    (avd,) = found.avds()
    assert (avd.name, avd.path, avd.problem) == ("garabench-1", avds / "garabench-1.avd", "")
    with pytest.raises(InputError, match=r"already exists\n.*--force"):
        found.create("garabench-1", found.choose_image(IMAGE))
    found.create("garabench-1", found.choose_image(IMAGE), force=True)
    with pytest.raises(InputError, match=r"no AVD garabench-2\n.*garabench-1"):
        found.avd("garabench-2")


def test_invalid_avds_are_refused(tmp_path: Path) -> None:
    found = sdk(tmp_path)
    with pytest.raises(InputError, match="not a name of an AVD"):
        found.create("a b", found.choose_image(IMAGE))
    with pytest.raises(InputError, match=r"no such device definition\n"):
        found.create("a", found.choose_image(IMAGE), device="toaster")


def test_missing_image_is_reported_with_what_to_do(tmp_path: Path) -> None:
    bare = sdk(tmp_path, images=())
    with pytest.raises(InputError, match=r"no system image is installed\n.*--install --image"):
        bare.choose_image()
    with pytest.raises(InputError, match=r"android-30;default;x86_64 is not installed"):
        bare.choose_image("system-images;android-30;default;x86_64")


def test_images_are_installed_once_their_licence_is_accepted(tmp_path: Path) -> None:
    bare = sdk(tmp_path, images=(), behaviour=LICENCE)
    with pytest.raises(InputError, match=r"its licence is not accepted\n.*sdkmanager --licenses"):
        bare.install([IMAGE], accept_licences=False)
    bare.install([IMAGE], accept_licences=True)
    assert bare.choose_image(IMAGE).api == 34
    with pytest.raises(InputError, match="no such package"):
        bare.install(["system-images;android-99;default;x86_64"], accept_licences=True)


def test_acceleration_is_checked(tmp_path: Path) -> None:
    sdk(tmp_path).check_acceleration()
    with pytest.raises(InputError, match=r"KVM\) is not available \(/dev/kvm is not found.*\n.*--no-accel"):
        sdk(tmp_path, behaviour=SdkBehaviour(kvm=False)).check_acceleration()


def test_unexpected_failure_names_the_tool(tmp_path: Path) -> None:
    found = sdk(tmp_path)
    found.tool("avdmanager").write_text("#!/bin/sh\necho strange >&2\nexit 7\n", encoding="utf-8")
    with pytest.raises(HarnessError, match=r"avdmanager ended with status 7.*strange"):
        found.avds()
