"""What the phone's sensors measure: motion, position on earth, touched fingerprints.

An emulator's console sets them; the names and the values at rest are those of Android's emulator
(``external/qemu/android/android-emu/android/hw-sensors.h``).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

Reading = tuple[float, float, float]
"""The three values of a sensor."""

_AT_REST: Mapping[str, Reading] = {
    "acceleration": (0.0, 9.77622, 0.813417),
    "gyroscope": (0.0, 0.0, 0.0),
    "magnetic-field": (0.0, 9.88766, -47.7464),
    "orientation": (0.0, 0.0, 0.0),
    "temperature": (0.0, 0.0, 0.0),
    "proximity": (1.0, 0.0, 0.0),
    "light": (0.0, 0.0, 0.0),
    "pressure": (0.0, 0.0, 0.0),
    "humidity": (0.0, 0.0, 0.0),
    "magnetic-field-uncalibrated": (0.0, 9.88766, -47.7464),
    "gyroscope-uncalibrated": (0.0, 0.0, 0.0),
}
_ACCELERATION = "acceleration"
_FLAT_DEGREES = 75
"""``WindowOrientationListener``: on a phone that lies flatter than this, the rotation stays."""


@dataclass(frozen=True, slots=True)
class GpsFix:
    """A position as the GPS reports it.

    Attributes:
        latitude, longitude: Degrees.
        altitude: Metres.
        satellites: Number of tracked satellites.
        velocity: Speed in knots.
        at_ms: Uptime at which it was reported, in milliseconds.
    """

    latitude: float
    longitude: float
    altitude: float = 0.0
    satellites: int = 1
    velocity: float = 0.0
    at_ms: int = 0


class UnknownSensorError(LookupError):
    """The phone has no sensor of that name."""


class Sensors:
    """The sensors.

    Attributes:
        fix: The last position that the GPS has reported, or None.
        finger: The finger on the fingerprint sensor, or None.
        rotation: The rotation that the acceleration suggests, in quarter turns.
    """

    def __init__(self, turned: Callable[[], None] = lambda: None) -> None:
        """Create sensors of a phone at rest, held upright.

        Args:
            turned: Called when the suggested rotation changes.
        """
        self._turned = turned
        self._readings = dict(_AT_REST)
        self.fix: GpsFix | None = None
        self.finger: int | None = None
        self.rotation = 0

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the sensors."""
        return tuple(self._readings)

    def get(self, name: str) -> Reading:
        """Return the values of a sensor.

        Raises:
            UnknownSensorError: The phone has no such sensor.
        """
        try:
            return self._readings[name]
        except KeyError as error:
            raise UnknownSensorError(name) from error

    def set(self, name: str, reading: Reading) -> None:
        """Set the values of a sensor; the acceleration turns a screen that rotates by itself.

        Raises:
            UnknownSensorError: The phone has no such sensor.
        """
        self.get(name)
        self._readings[name] = reading
        if name == _ACCELERATION and (turned := _rotation(reading)) not in (None, self.rotation):
            self.rotation = turned or 0
            self._turned()


def _rotation(acceleration: Reading) -> int | None:
    """Return the rotation by the direction of gravity; None if the phone lies flat or upside down.

    As on a phone, upside down is not a rotation (``config_allowAllRotations`` is false).
    """
    x, y, z = acceleration
    length = math.hypot(x, y, z)
    if not math.isfinite(length) or length < 1 or math.degrees(math.asin(abs(z) / length)) > _FLAT_DEGREES:
        return None
    turned = round(math.degrees(math.atan2(x, y)) / 90) % 4
    return None if turned == 2 else turned
