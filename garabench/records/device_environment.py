"""The device on which a run was performed."""

from __future__ import annotations

import enum
from collections.abc import Mapping

from pydantic import BaseModel, ConfigDict


class DeviceKind(enum.StrEnum):
    """Whether a device is the virtual phone or a real device; their results are never mixed."""

    VIRTUAL = "virtual"
    REAL = "real"


class Environment(BaseModel):
    """The device on which a run began.

    A value is None if an older run did not record it.

    Attributes:
        kind: ``virtual`` or ``real``.
        serial: Serial number in ``adb devices``.
        model: ``ro.product.model``.
        sdk: API level.
        release: Android version.
        size: Natural size in pixels, ``1080x2400``.
        density: Dots per inch.
        fingerprint: ``ro.build.fingerprint``.
        language: Language of the system's locale.
        companion: SHA-256 of the companion app's APK; empty for the one built into a virtual phone.
        left_out: The rules that are never injected because a device of the run cannot perform what they
            inject, each with the reason.
        apps: The installed version of each app of the run's tasks, by package; empty if Android has none.
        app_files: SHA-256 of the app files that its virtual phones installed; empty without any.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: DeviceKind = DeviceKind.REAL
    serial: str | None = None
    model: str | None = None
    sdk: int | None = None
    release: str | None = None
    size: str | None = None
    density: int | None = None
    fingerprint: str | None = None
    language: str | None = None
    companion: str | None = None
    left_out: Mapping[str, str] | None = None
    apps: Mapping[str, str] | None = None
    app_files: str | None = None
