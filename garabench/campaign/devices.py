"""The devices that a run may use: how each is connected, and brought back to its first state."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from garabench.core.clock import Clock
from garabench.device.device import Device, DeviceInfo
from garabench.errors import DeviceError, InputError
from garabench.virtual.launcher import VirtualPhone
from garabench.virtual.os.profile import BUILD_ID

VIRTUAL, REAL = "virtual", "real"
DEFAULT_PROFILE = "android-34"


class Lease(Protocol):
    """A device that is kept for a run."""

    def connect(self) -> Device:
        """Connect to it, again if need be.

        Raises:
            DeviceError: It cannot be reached.
        """
        ...

    def restore(self) -> None:
        """Bring it back to its first state, where it can be done at once; what an emulator calls a snapshot.

        Raises:
            GaraError: It could not be done.
        """
        ...


@dataclass(frozen=True, slots=True)
class SerialLease:
    """A device of the adb server. It has no snapshot; the episodes' reset must do."""

    serial: str
    clock: Clock

    def connect(self) -> Device:
        """Connect to it."""
        return Device.connect(self.serial, self.clock)

    def restore(self) -> None:
        """Nothing: its state is put right through adb before each episode."""


@dataclass(frozen=True, slots=True)
class VirtualLease:
    """A virtual phone that this run has started."""

    phone: VirtualPhone
    clock: Clock

    def connect(self) -> Device:
        """Connect to it; it is started again when its process has ended or does not answer."""
        if self.phone.running:
            try:
                return Device.connect(self.phone.serial, self.clock)
            except DeviceError:
                pass  # it is just ending, or hangs
        self.phone.stop()
        self.phone.start()
        return Device.connect(self.phone.serial, self.clock)

    def restore(self) -> None:
        """As after switching on, so that no episode can tell which ones came before it."""
        self.phone.reset()


def kind_of(info: DeviceInfo) -> str:
    """``virtual`` or ``real``, by what the device says of its build, however a person named it."""
    return VIRTUAL if f"/{BUILD_ID}/" in info.fingerprint else REAL


@contextlib.contextmanager
def open_devices(
    names: Sequence[str], clock: Clock, *, phones: int = 1, seed: int = 0
) -> Iterator[list[Lease]]:
    """Open the devices that a person named, and close what was started for it at the end.

    Args:
        names: Each ``virtual``, ``virtual:PROFILE`` or a serial.
        clock: For every limit.
        phones: How many virtual phones to start for each virtual name.
        seed: Of everything random on a virtual phone.

    Raises:
        InputError: A name stands twice, a profile is unknown, or virtual and real devices are mixed.
        GaraError: A virtual phone does not start.
    """
    if doubled := sorted({name for name in names if list(names).count(name) > 1}):
        raise InputError(f"the device {doubled[0]} is named twice")
    virtual = [name for name in names if name.partition(":")[0] == VIRTUAL]
    if virtual and len(virtual) != len(names):
        raise InputError("virtual and real devices cannot share a run", hint="Make a run for each of them.")
    if not virtual:
        yield [SerialLease(name, clock) for name in names]
        return
    with contextlib.ExitStack() as stack:
        leases: list[Lease] = []
        for name in virtual:
            profile = name.partition(":")[2] or DEFAULT_PROFILE
            for _ in range(phones):
                phone = stack.enter_context(VirtualPhone(profile, seed=seed, clock=clock))
                leases.append(VirtualLease(phone, clock))
        yield leases
