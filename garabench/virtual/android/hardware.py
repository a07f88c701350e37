"""The phone's hardware state: display, battery, network, clipboard, processes."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

from garabench.core.geometry import Size
from garabench.virtual.android.phone_calls import PhoneCalls
from garabench.virtual.android.settings import Settings

FIRST_APP_PID = 10_000
BATTERY_GOOD = 2
"""``BatteryManager.BATTERY_HEALTH_GOOD``."""
_FONT_SCALES = (0.5, 2.0)
_OFF_FOR_AIRPLANE = "3"
"""``WifiSettingsStore.WIFI_DISABLED_AIRPLANE_ON``: Wi-Fi was on before airplane mode."""


class Display:
    """The display.

    Attributes:
        natural: Size in the natural orientation.
        override: Size set by ``wm size``, or None.
        density_override: Density set by ``wm density``, or None.
        screen_on: Whether it is on.
    """

    def __init__(
        self,
        natural: Size,
        density: int,
        settings: Settings,
        orientation: Callable[[], str] = lambda: "",
        sensed: Callable[[], int] = lambda: 0,
    ) -> None:
        """Create a display.

        Args:
            natural: Size in the natural orientation, which is portrait.
            density: Dots per inch.
            settings: The settings with the user's rotation.
            orientation: Orientation requested by the foreground app: ``portrait``, ``landscape`` or empty.
            sensed: Rotation that the acceleration suggests, in quarter turns.
        """
        self.natural = natural
        self.physical_density = density
        self.override: Size | None = None
        self.density_override: int | None = None
        self.screen_on = True
        self._settings = settings
        self._orientation = orientation
        self._sensed = sensed

    @property
    def density(self) -> int:
        """Current density in dots per inch."""
        return self.density_override or self.physical_density

    @property
    def font_scale(self) -> float:
        """The user's font scale; 1 is the default."""
        try:
            value = float(self._settings.get("system", "font_scale") or "1")
        except ValueError:
            return 1.0
        return min(max(value, _FONT_SCALES[0]), _FONT_SCALES[1]) if math.isfinite(value) else 1.0

    @property
    def rotation(self) -> int:
        """Rotation in quarter turns, 0 to 3: that requested by the foreground app, else the user's.

        With auto-rotation on, the acceleration decides.
        """
        value = self._settings.get("system", "user_rotation") or "0"
        turned = int(value) if value in ("0", "1", "2", "3") else 0
        if self._settings.get("system", "accelerometer_rotation") == "1":
            turned = self._sensed()
        match self._orientation():
            case "portrait":
                return turned if turned % 2 == 0 else 0
            case "landscape":
                return turned if turned % 2 else 1
            case _:
                return turned

    @property
    def size(self) -> Size:
        """Size in the natural orientation, or its override."""
        return self.override or self.natural

    @property
    def current_size(self) -> Size:
        """Size in the current rotation."""
        return self.size.rotated if self.rotation % 2 else self.size


class Battery:
    """The battery; ``dumpsys battery set`` overrides it until ``reset``.

    Attributes:
        level: Percent.
        plugged: Whether it is charging.
        temperature: Tenths of a degree Celsius.
        status: ``BatteryManager.BATTERY_STATUS_*`` set by an emulator's console; None to derive it.
        health: ``BatteryManager.BATTERY_HEALTH_*``.
        present: Whether there is a battery.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self.reset()

    def reset(self) -> None:
        """Drop the overrides."""
        self.level = 85
        self.plugged = True
        self.temperature = 280
        self.status: int | None = None
        self.health = BATTERY_GOOD
        self.present = True

    @property
    def reported_status(self) -> int:
        """Its ``BatteryManager.BATTERY_STATUS_*``: as set, else full, charging or discharging."""
        if self.status is not None:
            return self.status
        return 3 if not self.plugged else 5 if self.level == 100 else 2

    @property
    def saver(self) -> bool:
        """Whether battery saver is on."""
        return self._settings.get("global", "low_power") == "1"

    @saver.setter
    def saver(self, on: bool) -> None:
        self._settings.put("global", "low_power", "1" if on else "0")


class Connectivity:
    """Wi-Fi, mobile data and airplane mode, stored in the settings, and the emulator console's network state.

    Attributes:
        delay_ms: The least and the greatest delay of a packet.
        speed: Bits per second sent and received; 0 for unlimited.
        calls: The telephone calls.
        voice: How the phone is registered for calls, by the console's name.
        signal_dbm: The strength of the mobile signal in dBm.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self.voice = "home"
        self.signal_dbm = -67
        self.delay_ms = (0, 0)
        self.speed = (0, 0)
        self.calls = PhoneCalls()

    def _flag(self, key: str) -> bool:
        return self._settings.get("global", key) == "1"

    @property
    def wifi(self) -> bool:
        """Whether Wi-Fi is on."""
        return self._flag("wifi_on")

    @wifi.setter
    def wifi(self, on: bool) -> None:
        self._settings.put("global", "wifi_on", "1" if on else "0")

    @property
    def mobile_data(self) -> bool:
        """Whether mobile data is on."""
        return self._flag("mobile_data")

    @mobile_data.setter
    def mobile_data(self, on: bool) -> None:
        self._settings.put("global", "mobile_data", "1" if on else "0")

    @property
    def airplane(self) -> bool:
        """Whether airplane mode is on."""
        return self._flag("airplane_mode_on")

    @airplane.setter
    def airplane(self, on: bool) -> None:
        """Switch airplane mode; it turns Wi-Fi off, and back on unless that was switched meanwhile."""
        self._settings.put("global", "airplane_mode_on", "1" if on else "0")
        if on and self.wifi:
            self._settings.put("global", "wifi_on", _OFF_FOR_AIRPLANE)
        elif not on and self._settings.get("global", "wifi_on") == _OFF_FOR_AIRPLANE:
            self.wifi = True

    @property
    def online(self) -> bool:
        """Whether there is a working network."""
        return self.wifi or (self.mobile_data and not self.airplane)


@dataclass(slots=True)
class Clipboard:
    """The clipboard.

    Attributes:
        text: Its content, or None.
        label: Label of the content.
    """

    text: str | None = None
    label: str = ""

    def set(self, text: str, *, label: str = "") -> None:
        """Set its content."""
        self.text, self.label = text, label

    def get(self) -> str | None:
        """Get its content."""
        return self.text


@dataclass(slots=True)
class ProcessTable:
    """The apps' processes."""

    _pids: dict[str, int] = field(default_factory=dict)
    _frozen: set[int] = field(default_factory=set)
    _next: int = FIRST_APP_PID
    _killed: set[int] = field(default_factory=set)

    def start(self, package: str) -> int:
        """Return the pid of the package's process, starting it if needed."""
        if package not in self._pids:
            self._pids[package] = self._next
            self._next += 17
        return self._pids[package]

    def stop(self, package: str) -> bool:
        """End the package's process; return whether there was one."""
        self._frozen.discard(self._pids.get(package, 0))
        return self._pids.pop(package, None) is not None

    def kill_system(self, pid: int) -> None:
        """End a process of the system, which is not started again before the next boot."""
        self._killed.add(pid)

    def is_running(self, pid: int) -> bool:
        """Return whether a process of the system has not been killed."""
        return pid not in self._killed

    def freeze(self, pid: int, *, on: bool) -> None:
        """Stop a process by SIGSTOP, or continue it by SIGCONT."""
        if on and pid in self._pids.values():
            self._frozen.add(pid)
        else:
            self._frozen.discard(pid)

    def frozen(self, package: str) -> bool:
        """Return whether the package's process is stopped by a signal."""
        return self._pids.get(package) in self._frozen

    def pidof(self, package: str) -> int | None:
        """Return the package's pid, or None."""
        return self._pids.get(package)

    def list(self) -> tuple[tuple[int, str], ...]:
        """(pid, package) of every process, by pid."""
        return tuple(sorted((pid, package) for package, pid in self._pids.items()))
