"""Install the real APK of the companion app on a device over the real wire."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from garabench.cli.main import main
from garabench.core.clock import SystemClock
from garabench.core.companion_app import FULL_SCREEN_OP, FULL_SCREEN_SDK, PACKAGE, PERMISSION, PERMISSION_SDK
from garabench.device.apk_install import InstallError, Packages
from garabench.device.device import Device
from garabench.interruptions import companion_apk
from garabench.interruptions.companion_apk import CompanionState
from garabench.virtual.phone_process import VirtualPhone
from tests.phones import PhonePool

pytestmark = pytest.mark.e2e


@pytest.fixture(scope="module", params=["android-34", "android-19"])
def phone(phone_pool: PhonePool, request: pytest.FixtureRequest) -> Iterator[VirtualPhone]:
    with phone_pool.borrow(request.param) as running:
        yield running


@pytest.fixture
def device(phone: VirtualPhone) -> Iterator[Device]:
    connected = Device.connect(phone.serial, SystemClock(), use_u2=False)
    yield connected
    companion_apk.remove(connected)
    connected.close()


def resign_companion(folder: Path) -> Path:
    """Write a copy of the APK with another certificate in its signature, and return its path."""
    other = folder / "other.apk"
    certificate = b"\xa0\x03\x02\x01\x07"  # [0] { INTEGER 7 } in place of the certificates
    signed_data = b"\x30" + bytes([len(certificate)]) + certificate
    wrapped = b"\xa0" + bytes([len(signed_data)]) + signed_data
    block = b"\x30" + bytes([len(wrapped)]) + wrapped
    with zipfile.ZipFile(companion_apk.bundled_apk().path) as bundled, zipfile.ZipFile(other, "w") as out:
        for name in bundled.namelist():
            out.writestr(name, block if name.endswith(".RSA") else bundled.read(name))
    return other


def test_companion_is_installed_detected_and_removed(device: Device) -> None:
    wanted = companion_apk.bundled_apk()
    companion_apk.remove(device)
    assert companion_apk.companion_state(device, wanted) is CompanionState.MISSING
    assert companion_apk.set_up(device) == "the companion app was installed"
    assert companion_apk.companion_state(device, wanted) is CompanionState.CURRENT
    assert Packages(device.adb).file(PACKAGE) == wanted.path.read_bytes()
    assert companion_apk.set_up(device) == "the companion app is already installed"
    assert companion_apk.set_up(device, reinstall=True) == "the companion app was reinstalled"
    package_dump = device.adb.shell(["dumpsys", "package", PACKAGE]).stdout
    assert (f"{PERMISSION}: granted=true" in package_dump) is (device.info.sdk >= PERMISSION_SDK)
    allowed = device.adb.shell(["appops", "get", PACKAGE, FULL_SCREEN_OP]).stdout
    assert (allowed.strip() == f"{FULL_SCREEN_OP}: allow") is (device.info.sdk >= FULL_SCREEN_SDK)
    assert companion_apk.remove(device)
    assert not companion_apk.remove(device)


def test_app_with_another_signature_is_replaced_only_on_request(device: Device, tmp_path: Path) -> None:
    companion_apk.remove(device)
    Packages(device.adb).install(resign_companion(tmp_path))
    assert companion_apk.companion_state(device, companion_apk.bundled_apk()) is CompanionState.OTHER
    with pytest.raises(InstallError, match=r"different signature.*setup .* --reinstall"):
        companion_apk.set_up(device)
    assert companion_apk.set_up(device, reinstall=True) == "the companion app was replaced"
    assert companion_apk.companion_state(device, companion_apk.bundled_apk()) is CompanionState.CURRENT


@pytest.mark.parametrize(
    ("fault", "advice"),
    [("install-refused", "asks for confirmation on its screen"), ("no-space", "storage is full")],
)
def test_refused_installation_is_reported_with_advice(
    phone: VirtualPhone, device: Device, fault: str, advice: str
) -> None:
    companion_apk.remove(device)
    phone.fault(fault)
    try:
        with pytest.raises(InstallError, match=advice):
            companion_apk.set_up(device)
    finally:
        phone.fault(fault, on=False)
    assert companion_apk.companion_state(device, companion_apk.bundled_apk()) is CompanionState.MISSING


def test_slow_installation_is_awaited(phone: VirtualPhone, device: Device) -> None:
    companion_apk.remove(device)
    phone.fault("install-slow", ms=20_000)
    try:
        assert companion_apk.set_up(device) == "the companion app was installed"
    finally:
        phone.fault("install-slow", on=False)


def test_damaged_apk_is_not_installed(device: Device, tmp_path: Path) -> None:
    bad = tmp_path / "bad.apk"
    bad.write_bytes(b"PK\x03\x04 not really")
    with pytest.raises(InstallError) as failed:
        Packages(device.adb).install(bad)
    assert failed.value.code.startswith("INSTALL_")
    assert not failed.value.wants_uninstall


def test_setup_command_installs_and_removes_the_app(phone: VirtualPhone, device: Device) -> None:
    runner = CliRunner()
    done = runner.invoke(main, ["device", "setup", phone.serial])
    assert done.exit_code == 0, done.output
    assert "the companion app" in done.output
    done = runner.invoke(main, ["device", "setup", phone.serial, "--remove"])
    assert done.output == f"{phone.serial}: the companion app was removed\n"
    done = runner.invoke(main, ["device", "setup", phone.serial, "--remove", "--reinstall"])
    assert done.exit_code == 2
    assert "cannot be combined" in done.output


def run_arguments(phone: VirtualPhone, folder: Path) -> list[str]:
    selection = ["--agents", "dismiss", "--tasks", "bili-like-song-live", "--conditions", "dual", "--yes"]
    return ["run", "--out", str(folder), "--device", phone.serial, *selection]


def test_run_refuses_another_build_and_records_its_own(
    phone: VirtualPhone, device: Device, tmp_path: Path
) -> None:
    companion_apk.remove(device)
    Packages(device.adb).install(resign_companion(tmp_path))
    refused = CliRunner().invoke(main, run_arguments(phone, tmp_path / "refused"))
    assert refused.exit_code == 3, refused.output
    assert f"on {phone.serial} is not the build bundled with this GaraBench" in refused.output
    assert f"garabench device setup {phone.serial}; add --reinstall" in refused.output
    assert not (tmp_path / "refused" / "run.json").exists()
    companion_apk.set_up(device, reinstall=True)
    done = CliRunner().invoke(main, run_arguments(phone, tmp_path / "run"))
    assert (tmp_path / "run" / "run.json").exists(), done.output
    run_file = json.loads((tmp_path / "run" / "run.json").read_text("utf-8"))
    assert run_file["device"]["companion"] == companion_apk.bundled_apk().sha256


def test_bundled_apk_matches_its_build_record() -> None:
    bundled = companion_apk.bundled_apk()
    assert json.loads(bundled.path.with_suffix(".json").read_text("utf-8"))["apk_sha256"] == bundled.sha256
    with zipfile.ZipFile(io.BytesIO(bundled.path.read_bytes())) as apk:
        assert "classes.dex" in apk.namelist()
