"""The companion app on a device: install it, and verify that it is the bundled build."""

from __future__ import annotations

import enum
import hashlib
import json
from dataclasses import dataclass
from pathlib import Path

from garabench.core.companion_app import (
    FULL_SCREEN_OP,
    FULL_SCREEN_SDK,
    PACKAGE,
    PERMISSION,
    PERMISSION_SDK,
    STATE,
)
from garabench.device.apk_install import InstallError, Packages
from garabench.device.device import Device
from garabench.errors import CommandError, HarnessError

_APK, _FACTS = "interruptions.apk", "interruptions.json"


class CompanionState(enum.StrEnum):
    """Build of the companion app on a device."""

    MISSING = "missing"
    CURRENT = "current"
    OTHER = "another build"


@dataclass(frozen=True, slots=True)
class BundledApk:
    """The APK that is bundled with GaraBench.

    Attributes:
        path: The file.
        sha256: Its SHA-256.
    """

    path: Path
    sha256: str


def bundled_apk() -> BundledApk:
    """Return the bundled APK, from the source tree or from the installed package.

    Raises:
        HarnessError: It is missing, or is not the file that was built.
    """
    package = Path(__file__).resolve().parent.parent
    for folder in (package.parent / "interruption_apk" / "built", package / "companion"):
        apk = folder / _APK
        if apk.is_file():
            expected = json.loads((folder / _FACTS).read_text("utf-8"))["apk_sha256"]
            found = _sha256(apk.read_bytes())
            if found != expected:
                raise HarnessError(
                    f"{apk} is damaged: its SHA-256 is {found}, not {expected}; reinstall GaraBench"
                )
            return BundledApk(apk, found)
    raise HarnessError("the companion app's APK is missing from this installation; reinstall GaraBench")


def companion_state(device: Device, expected: BundledApk) -> CompanionState:
    """Return which build of the companion app the device has, by the bytes of its APK."""
    if not Packages(device.adb).path(PACKAGE):
        return CompanionState.MISSING
    return CompanionState.CURRENT if sha256_on(device) == expected.sha256 else CompanionState.OTHER


def require_bundled(device: Device, *, has_apk: bool) -> str:
    """Check that a device has the bundled build of the companion app.

    Args:
        device: The device.
        has_apk: Whether the app is installed from an APK there; a virtual phone has a twin instead.

    Returns:
        The SHA-256 of the app's APK; empty without one.

    Raises:
        CommandError: The device has another build, or its APK cannot be read.
        HarnessError: The bundled APK is missing or damaged.
    """
    found = sha256_on(device)
    if not (has_apk or found):
        return ""
    expected = bundled_apk()
    if found != expected.sha256:
        serial = device.info.serial
        what = f"the SHA-256 of its APK is {found}" if found else "its APK cannot be read"
        raise CommandError(
            f"the companion app {PACKAGE} on {serial} is not the build bundled with this GaraBench: {what}, "
            f"not {expected.sha256}. Install the bundled build with garabench device setup {serial}; add "
            "--reinstall if the installed app is newer or has a different signature"
        )
    return found


def sha256_on(device: Device) -> str:
    """Return the SHA-256 of the companion app's APK on a device; empty if it is missing or unreadable."""
    data = Packages(device.adb).file(PACKAGE)
    return "" if data is None else _sha256(data)


def set_up(device: Device, *, reinstall: bool = False) -> str:
    """Install the bundled companion app unless the device has it already.

    Args:
        device: The device.
        reinstall: Uninstall the installed app first, for a newer one or one with a different signature.

    Returns:
        A message that says what was done.

    Raises:
        InstallError: Android refused.
        CommandError: The app was installed, but does not respond.
    """
    expected, packages = bundled_apk(), Packages(device.adb)
    before = companion_state(device, expected)
    if before is CompanionState.CURRENT and not reinstall:
        require_answer(device)
        return f"the companion app is already installed{_allow_notifications(device)}"
    if reinstall:
        packages.uninstall(PACKAGE)
    try:
        packages.install(expected.path)
    except InstallError as error:
        if error.wants_uninstall:
            raise InstallError(
                f"{error}. Run: garabench device setup {device.info.serial} --reinstall",
                code=error.code,
                output=error.output,
            ) from error
        raise
    if companion_state(device, expected) is not CompanionState.CURRENT:
        raise CommandError(
            f"{device.info.serial} reported that it installed {PACKAGE}, but has a different APK"
        )
    require_answer(device)
    verbs = {
        CompanionState.MISSING: "installed",
        CompanionState.OTHER: "replaced",
        CompanionState.CURRENT: "reinstalled",
    }
    return f"the companion app was {verbs[before]}{_allow_notifications(device)}"


def _allow_notifications(device: Device) -> str:
    """Allow notifications and full-screen intents, the fallback delivery; return a message if that fails.

    Some vendors' phones do not let adb grant permissions until a developer option is enabled.
    """
    if device.info.sdk < PERMISSION_SDK:
        return ""
    try:
        device.apps.set_permission(PACKAGE, PERMISSION, granted=True)
    except CommandError as error:
        return f", but without notifications, its fallback to show interruptions: {error}"
    if device.info.sdk < FULL_SCREEN_SDK:
        return ""
    try:
        allow = ["appops", "set", PACKAGE, FULL_SCREEN_OP, "allow"]
        device.adb.shell(allow).check(f"let {PACKAGE} use full-screen intents")
    except CommandError as error:
        return f", but without full-screen intents, which open its window on a phone not in use: {error}"
    return ""


def remove(device: Device) -> bool:
    """Uninstall the companion app; return False when it was not installed.

    Raises:
        CommandError: It is still installed.
    """
    return Packages(device.adb).uninstall(PACKAGE)


def require_answer(device: Device) -> None:
    """Check that the app responds to a broadcast.

    Raises:
        CommandError: It does not; some phones do not start an app that the user has never opened.
    """
    result = device.adb.shell(STATE)
    if 'data="[' not in result.output:
        raise CommandError(
            f"{PACKAGE} is installed on {device.info.serial}, but does not respond: "
            f"{result.output.strip()!r}. Allow it to start in the phone's settings (auto-start, battery) and "
            "run the command again",
            argv=STATE,
            output=result.output,
        )


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
