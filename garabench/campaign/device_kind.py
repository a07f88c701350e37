"""What kind of device a run has, and what follows from it: nobody else asks whether a device is virtual."""

from __future__ import annotations

from garabench.device.device import DeviceInfo
from garabench.errors import InputError
from garabench.records.device_environment import DeviceKind, Environment
from garabench.virtual.android.device_profile import BUILD_ID, PROFILES

VIRTUAL = "virtual"
"""The name of a virtual phone on the command line, alone or before ``:PROFILE``."""


def is_virtual(name: str) -> bool:
    """Return whether a device's name on the command line is that of a virtual phone to start."""
    return name.partition(":")[0] == VIRTUAL


def kind_of(info: DeviceInfo) -> DeviceKind:
    """Return the kind of a device, recognized by its build fingerprint."""
    return DeviceKind.VIRTUAL if f"/{BUILD_ID}/" in info.fingerprint else DeviceKind.REAL


def comparable_kind(model: str | None, sdk: int | None, size: str | None) -> str:
    """Return the kind of device within which a run compares episodes as pairs.

    Args:
        model: ``ro.product.model``.
        sdk: API level.
        size: Size in pixels, ``1080x2400``.
    """
    return f"{model}/{sdk}/{size}"


def follows_real_time(info: DeviceInfo) -> bool:
    """Return whether a device's clock, animations and screen timeout follow the real time."""
    return kind_of(info) is DeviceKind.REAL


def companion_has_apk(info: DeviceInfo) -> bool:
    """Return whether the companion app is installed on a device from an APK; virtual phones have a twin."""
    return kind_of(info) is DeviceKind.REAL


def installs_app_files(environment: Environment) -> bool:
    """Return whether the app files of a suite are installed on the device; a real one has the real apps."""
    return environment.kind is DeviceKind.VIRTUAL


def device_name(environment: Environment) -> str:
    """Return the name that opens the recorded device, or a virtual phone like it.

    Raises:
        InputError: An old record does not say which device it was.
    """
    if environment.kind is DeviceKind.REAL:
        if not environment.serial:
            raise InputError("the run does not record its device", hint="Name one with --device.")
        return environment.serial
    found = (each for each in PROFILES.values() if each.fingerprint == environment.fingerprint)
    profile = next(found, None)
    if profile is None:
        return VIRTUAL
    other_size = environment.size and environment.size != str(profile.size)
    return f"{VIRTUAL}:{profile.name}" + (f":{environment.size}" if other_size else "")


def stand_in_versions() -> dict[str, str]:
    """Return the versions of the apps for which the tasks were made, by package."""
    from garabench.virtual.apps.catalog import installed_apps  # a slow import that few commands need

    return {app.package: app.version_name for app in installed_apps()}
