"""The command line of an emulator, and its ports; pure.

https://developer.android.com/studio/run/emulator-commandline describes the options.
"""

from __future__ import annotations

from dataclasses import dataclass

from garabench.errors import InputError

FIRST_PORT, LAST_PORT = 5554, 5682
"""Even console ports; adb's port is the next one. The adb server finds those up to 5584 by itself."""
SNAPSHOT = "garabench"
"""Name of the snapshot that an emulator starts from."""


@dataclass(frozen=True, slots=True)
class LaunchOptions:
    """How an emulator is started.

    Attributes:
        window: Whether it opens a window; without one, it needs no display.
        accelerated: Whether it uses the processor's virtualization.
        cold: Whether it boots without a snapshot.
        memory: Its memory in MB; None for the AVD's own.
        cores: Number of its processor cores; None for the AVD's own.
        gpu: How it draws; ``swiftshader_indirect`` needs no graphics card.
    """

    window: bool = False
    accelerated: bool = True
    cold: bool = False
    memory: int | None = None
    cores: int | None = None
    gpu: str = "swiftshader_indirect"

    def argv(self, avd: str, port: int, *, snapshot: bool) -> tuple[str, ...]:
        """Return the emulator's arguments.

        Args:
            avd: The AVD.
            port: The console's port.
            snapshot: Whether to start from the snapshot, if `cold` is not set.
        """
        words = ["-avd", avd, "-port", str(port), "-no-boot-anim", "-no-audio", "-gpu", self.gpu]
        words += ["-camera-back", "none", "-camera-front", "none", "-no-snapshot-save"]
        words += ["-snapshot", SNAPSHOT] if snapshot and not self.cold else ["-no-snapshot-load"]
        words += [] if self.window else ["-no-window"]
        words += [] if self.accelerated else ["-accel", "off"]
        words += ["-memory", str(self.memory)] if self.memory else []
        words += ["-cores", str(self.cores)] if self.cores else []
        return tuple(words)


def check_port(port: int) -> int:
    """Return a console port.

    Raises:
        InputError: An emulator cannot have it.
    """
    if port % 2 or not FIRST_PORT <= port <= LAST_PORT:
        raise InputError(
            f"an emulator cannot have the port {port}",
            hint=f"Choose an even number from {FIRST_PORT} to {LAST_PORT}; adb uses the next one.",
        )
    return port


def serial_of(port: int) -> str:
    """Return the serial of the emulator with this console port."""
    return f"emulator-{port}"
