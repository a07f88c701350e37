"""The companion app on a device: whether it is the one that GaraBench comes with, and putting it there."""

from __future__ import annotations

import enum
import hashlib
import json
from dataclasses import dataclass
from pathlib import Path

from garabench.device.device import Device
from garabench.device.packages import InstallFailed, Packages
from garabench.errors import CommandFailed, HarnessError
from garabench.interruptions.plan import (
    FULL_SCREEN_OP,
    FULL_SCREEN_SDK,
    PACKAGE,
    PERMISSION,
    PERMISSION_SDK,
    STATE,
)

_APK, _FACTS = "interruptions.apk", "interruptions.json"


class State(enum.StrEnum):
    """What of the companion app is on a device."""

    MISSING = "missing"
    CURRENT = "current"
    OTHER = "another build"


@dataclass(frozen=True, slots=True)
class Kept:
    """The APK that GaraBench comes with.

    Attributes:
        path: Where it lies.
        sha256: Of the file.
    """

    path: Path
    sha256: str


def kept() -> Kept:
    """The APK that comes with this GaraBench: of the source tree, or inside of the installed package.

    Raises:
        HarnessError: It is missing, or is not the file that was built.
    """
    package = Path(__file__).resolve().parent.parent
    for folder in (package.parent / "interruption_apk" / "built", package / "companion"):
        apk = folder / _APK
        if apk.is_file():
            wanted = json.loads((folder / _FACTS).read_text("utf-8"))["apk_sha256"]
            found = _sha256(apk.read_bytes())
            if found != wanted:
                raise HarnessError(
                    f"{apk} is damaged: its SHA-256 is {found}, not {wanted}; install GaraBench anew"
                )
            return Kept(apk, found)
    raise HarnessError("the companion app's APK is missing from this installation; install GaraBench anew")


def state(device: Device, wanted: Kept) -> State:
    """What of the companion app is on the device, told by the bytes of its APK."""
    if not Packages(device.adb).path(PACKAGE):
        return State.MISSING
    return State.CURRENT if sha256_on(device) == wanted.sha256 else State.OTHER


def check(device: Device, *, virtual: bool) -> str:
    """See that a device that is to show interruptions has the companion app that comes with GaraBench.

    Args:
        device: The device.
        virtual: Whether it is a virtual phone, whose own companion app has no file.

    Returns:
        The SHA-256 of the app's APK; empty for a virtual phone's own.

    Raises:
        CommandFailed: It is of another build or signature, or cannot be read.
        HarnessError: The APK that comes with GaraBench is missing or damaged.
    """
    found = sha256_on(device)
    if virtual and not found:
        return ""
    wanted = kept()
    if found != wanted.sha256:
        serial = device.info.serial
        what = f"the SHA-256 of its APK is {found}" if found else "its APK cannot be read"
        raise CommandFailed(
            f"the companion app {PACKAGE} on {serial} is not the one that comes with this GaraBench: {what}, "
            f"not {wanted.sha256}. Put that one there with garabench device setup {serial}, and with "
            "--reinstall where the other is of another signature or newer"
        )
    return found


def sha256_on(device: Device) -> str:
    """The SHA-256 of the companion app's APK on a device; empty where there is none that can be read."""
    data = Packages(device.adb).file(PACKAGE)
    return "" if data is None else _sha256(data)


def set_up(device: Device, *, reinstall: bool = False) -> str:
    """Have the companion app on the device as GaraBench comes with it.

    Args:
        device: The device.
        reinstall: Remove one of another signature or a newer version first.

    Returns:
        What was done, in words.

    Raises:
        InstallFailed: Android refused.
        CommandFailed: It was installed and does not answer.
    """
    wanted, packages = kept(), Packages(device.adb)
    before = state(device, wanted)
    if before is State.CURRENT and not reinstall:
        answers(device)
        return f"the companion app is installed already{_let_notify(device)}"
    if reinstall:
        packages.uninstall(PACKAGE)
    try:
        packages.install(wanted.path)
    except InstallFailed as error:
        if error.wants_uninstall:
            raise InstallFailed(
                f"{error}: garabench device setup {device.info.serial} --reinstall",
                code=error.code,
                output=error.output,
            ) from error
        raise
    if state(device, wanted) is not State.CURRENT:
        raise CommandFailed(
            f"{device.info.serial} says that it installed {PACKAGE}, and has another file there"
        )
    answers(device)
    words = {State.MISSING: "installed", State.OTHER: "replaced", State.CURRENT: "installed anew"}
    return f"the companion app was {words[before]}{_let_notify(device)}"


def _let_notify(device: Device) -> str:
    """Allow notifications and full-screen intents, its second way to show itself; what to say of a failure.

    Some makers' phones let nothing be granted over adb until that is switched on for developers.
    """
    if device.info.sdk < PERMISSION_SDK:
        return ""
    try:
        device.apps.set_permission(PACKAGE, PERMISSION, granted=True)
    except CommandFailed as error:
        return f", without notifications, its second way to show itself: {error}"
    if device.info.sdk < FULL_SCREEN_SDK:
        return ""
    try:
        allow = ["appops", "set", PACKAGE, FULL_SCREEN_OP, "allow"]
        device.adb.shell(allow).check(f"let {PACKAGE} use full-screen intents")
    except CommandFailed as error:
        return f", without full-screen intents, which open its window on a phone that is not in use: {error}"
    return ""


def remove(device: Device) -> bool:
    """Uninstall the companion app; False when it was not there.

    Raises:
        CommandFailed: It is still there.
    """
    return Packages(device.adb).uninstall(PACKAGE)


def answers(device: Device) -> None:
    """See that the app is heard.

    Raises:
        CommandFailed: It does not answer; some phones keep an app that nobody has opened from starting.
    """
    result = device.adb.shell(STATE)
    if 'data="[' not in result.output:
        raise CommandFailed(
            f"{PACKAGE} is installed on {device.info.serial} and does not answer: {result.output.strip()!r}. "
            "Allow it to start in the phone's settings (auto-start, battery), then the same command again",
            argv=STATE,
            output=result.output,
        )


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
