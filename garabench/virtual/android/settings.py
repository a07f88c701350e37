"""The settings provider: ``system``, ``secure`` and ``global``."""

from __future__ import annotations

from collections.abc import Callable, Mapping

NAMESPACES = ("system", "secure", "global")
Observer = Callable[[str | None], None]

_DEFAULTS: Mapping[str, Mapping[str, str]] = {
    "system": {
        "accelerometer_rotation": "0",
        "user_rotation": "0",
        "screen_brightness": "128",
        "screen_brightness_mode": "0",
        "screen_off_timeout": "600000",
        "font_scale": "1.0",
        "sound_effects_enabled": "1",
    },
    "secure": {
        "android_id": "9774d56d682e549c",
        "default_input_method": "com.google.android.inputmethod.latin/.LatinIME",
        "enabled_input_methods": "com.google.android.inputmethod.latin/.LatinIME",
        "location_mode": "3",
        "ui_night_mode": "1",
        "user_setup_complete": "1",
        "accessibility_enabled": "0",
    },
    "global": {
        "adb_enabled": "1",
        "airplane_mode_on": "0",
        "auto_time": "1",
        "auto_time_zone": "1",
        "device_provisioned": "1",
        "low_power": "0",
        "mobile_data": "0",
        "wifi_on": "1",
        "window_animation_scale": "1.0",
        "transition_animation_scale": "1.0",
        "animator_duration_scale": "1.0",
    },
}
_SINCE: Mapping[str, int] = {"font_scale": 21, "low_power": 21, "user_rotation": 21}
"""First API level on which a setting has a value before it is first set."""


class Settings:
    """The settings and their observers."""

    def __init__(self, sdk: int) -> None:
        """Create the settings of a new phone.

        Args:
            sdk: API level.
        """
        self._values = {
            name: {key: value for key, value in _DEFAULTS[name].items() if sdk >= _SINCE.get(key, 0)}
            for name in NAMESPACES
        }
        self._observers: dict[tuple[str, str], list[Observer]] = {}

    def get(self, namespace: str, key: str) -> str | None:
        """Return a setting's value, or None if it is not set.

        Raises:
            KeyError: The namespace is unknown.
        """
        return self._values[namespace].get(key)

    def put(self, namespace: str, key: str, value: str) -> None:
        """Write a setting; observers are notified if it changes."""
        if self._values[namespace].get(key) != value:
            self._values[namespace][key] = value
            self._notify(namespace, key, value)

    def delete(self, namespace: str, key: str) -> bool:
        """Remove a setting; return whether it was set."""
        if self._values[namespace].pop(key, None) is None:
            return False
        self._notify(namespace, key, None)
        return True

    def list(self, namespace: str) -> Mapping[str, str]:
        """Return all settings of a namespace."""
        return dict(sorted(self._values[namespace].items()))

    def observe(self, namespace: str, key: str, observer: Observer) -> None:
        """Observe a setting: the callback gets the new value, or None after its removal."""
        self._observers.setdefault((namespace, key), []).append(observer)

    def _notify(self, namespace: str, key: str, value: str | None) -> None:
        for observer in self._observers.get((namespace, key), []):
            observer(value)
