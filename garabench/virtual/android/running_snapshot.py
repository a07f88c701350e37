"""Snapshots of a running phone: its whole memory at one moment, as an emulator's ``avd snapshot`` saves it.

Unlike `garabench.virtual.android.snapshot`, which holds the persistent state only, such a snapshot includes
back stacks, scroll positions, typed text, dialogs, the keyboard, the clock, timers and processes. It is part
of the phone's process and lives as long.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PIL import Image

from garabench.core.memory_image import MemoryImage, Outside
from garabench.virtual.android.faults import Faults
from garabench.virtual.android.input_devices import InputDevices
from garabench.virtual.android.log_buffer import LogBuffer
from garabench.virtual.android.phone_clock import PhoneClock
from garabench.virtual.android.phone_interface import PhoneInterface
from garabench.virtual.android.programs import ShellPrograms
from garabench.virtual.defects.defect import Defect
from garabench.virtual.defects.switchboard import Defects


@dataclass(frozen=True, slots=True, eq=False)
class RunningSnapshot:
    """A snapshot of a running phone.

    Attributes:
        image: Its memory.
        uptime_ms: Milliseconds since its boot.
    """

    image: MemoryImage
    uptime_ms: int


def take_running_snapshot(
    phone: PhoneInterface, programs: Sequence[object], outside: Outside
) -> RunningSnapshot:
    """Take a snapshot; see `Phone.save_running`."""
    phone.clock.catch_up()
    return RunningSnapshot(
        MemoryImage((phone, *programs), {**_outside(phone), **outside}), phone.clock.uptime_ms
    )


def resume(phone: PhoneInterface, snapshot: RunningSnapshot) -> None:
    """Restore a snapshot; see `Phone.load_running`."""
    snapshot.image.restore()
    phone.clock.resume()


def _outside(phone: PhoneInterface) -> Outside:
    """Return what is not the phone's own: the tester's switches, connections, and the rendered screen."""
    return {
        type(phone): frozenset({"version", "automation", "_scene", "_frame"}),
        type(phone.windows): frozenset({"_keyboards", "_laid"}),
        Image.Image: None,  # drawn once
        Faults: None,
        Defect: None,
        Defects: frozenset({"_on", "_occasions", "_sequence"}),
        ShellPrograms: None,
        PhoneClock: frozenset({"_monotonic", "_origin"}),
        InputDevices: frozenset({"_subscribers"}),
        LogBuffer: frozenset({"_subscribers", "_source"}),
    }
