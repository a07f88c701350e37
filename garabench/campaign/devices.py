"""The devices that a run may use: how each is connected, and brought back to its first state."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from garabench.core.clock import Clock
from garabench.device.adb import Adb
from garabench.device.device import Device, DeviceInfo
from garabench.device.recovery import bring_back
from garabench.device.undo.change import hold
from garabench.device.undo.identity import claim, identify
from garabench.device.undo.journal import Journal
from garabench.device.undo.lease import Held, leased
from garabench.device.undo.left import left_on
from garabench.device.undo.restore import restore_or_fail
from garabench.errors import DeviceBusy, DeviceError, DeviceLost, GaraError, HarnessError, InputError
from garabench.virtual.launcher import VirtualPhone
from garabench.virtual.os.profile import BUILD_ID

VIRTUAL, REAL = "virtual", "real"
DEFAULT_PROFILE = "android-34"
_COMEBACK_SECONDS = 10.0
"""For the adb server to start anew and to find the device."""


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


@dataclass(slots=True)
class SerialLease:
    """A device of the adb server. It has no snapshot; the episodes' reset must do.

    Attributes:
        held: The lease of its name, as ``adb devices`` lists it.
        clock: For every limit.
        tell: Called with each thing that a run before has left changed, and that is put back.
    """

    held: Held
    clock: Clock
    tell: Callable[[str], None] = lambda words: None
    _journal: Journal | None = field(default=None, init=False)

    @property
    def serial(self) -> str:
        """As ``adb devices`` lists it."""
        return self.held.serial

    def connect(self) -> Device:
        """Connect to it; at first put back what was left changed, and note how it is before this run.

        Raises:
            DeviceBusy: Another run has it under another name.
            DeviceLost: Another device has its name by now.
            DeviceError: It cannot be reached, or not be put back.
            InputError: Its undo journal is damaged.
        """
        if self._journal is not None:  # it was there before
            bring_back(Adb(self.serial, self.clock), _COMEBACK_SECONDS)
        device = Device.connect(self.serial, self.clock)
        which = claim(device.adb, self.held)
        if self._journal is None:
            self._journal = self._begin(device, which)
        self._check(which)
        device.journal = self._journal
        return device

    def _begin(self, device: Device, which: str) -> Journal:
        with left_on(device.adb, self.held, which) as left:
            for words in left.others:
                self.tell(f"{self.serial}: {words}")
            for earlier in left.journals:
                for each in restore_or_fail(device.adb, earlier):
                    self.tell(f"{self.serial}: {each}")
        journal = Journal.at(self.serial, self.held.folder, which)
        hold(device.adb, journal, sdk=device.info.sdk)
        return journal

    def _check(self, which: str) -> None:
        if self._journal is not None and self._journal.device != which:
            raise DeviceLost(f"another device is {self.serial} now: the one of this run has gone")

    def restore(self) -> None:
        """Nothing: its state is put right through adb before each episode."""

    def leave(self) -> None:
        """Put it back as it was before the run.

        Raises:
            NotRestored: Something could not be put back.
            DeviceError: It is gone, or its name another device's; the next run puts it back.
        """
        if self._journal is not None and self._journal.entries:
            adb = Adb(self.serial, self.clock)
            self._check(identify(adb).device)
            restore_or_fail(adb, self._journal)
        self._journal = None


@dataclass(slots=True)
class VirtualLease:
    """A virtual phone that this run has started; the adb server lists it to all, and no other run may use it.

    Attributes:
        phone: The phone; started and stopped by who made it, between `keep` and `leave`.
        clock: For every limit.
    """

    phone: VirtualPhone
    clock: Clock
    _held: Held | None = field(default=None, init=False)
    _holding: contextlib.ExitStack = field(default_factory=contextlib.ExitStack, init=False)

    def keep(self) -> None:
        """Hold the lease of the phone's present name.

        Raises:
            DeviceBusy: Another run has taken it first, or a phone of another run had that name.
        """
        if self._held is not None and self._held.serial == self.phone.serial:
            return
        self.leave()
        with contextlib.suppress(HarnessError):  # where no lease can be written, no run gets a serial either
            self._held = self._holding.enter_context(leased(self.phone.serial))

    def leave(self) -> None:
        """Give it up; harmless when it is not held."""
        self._held = None
        self._holding.close()

    def connect(self) -> Device:
        """Connect to it; it is started again when its process has ended or does not answer."""
        if self.phone.running:
            bring_back(Adb(self.phone.serial, self.clock), _COMEBACK_SECONDS)
            try:
                return self._connect()
            except DeviceError:
                pass  # it is just ending, or hangs, or another run was faster
        self.phone.stop()
        self.phone.start()
        return self._connect()

    def _connect(self) -> Device:
        self.keep()
        if self._held is not None:
            claim(Adb(self.phone.serial, self.clock), self._held)
        return Device.connect(self.phone.serial, self.clock)

    def restore(self) -> None:
        """As after switching on, so that no episode can tell which ones came before it."""
        self.phone.reset()


@contextlib.contextmanager
def started(phone: VirtualPhone, clock: Clock) -> Iterator[VirtualLease]:
    """Start a virtual phone for a run, which keeps it until it has stopped.

    Raises:
        GaraError: It does not start.
    """
    lease = VirtualLease(phone, clock)
    try:
        with phone:
            with contextlib.suppress(DeviceBusy):  # connecting starts it anew under another name
                lease.keep()
            yield lease
    finally:
        lease.leave()


def kind_of(info: DeviceInfo) -> str:
    """``virtual`` or ``real``, by what the device says of its build, however a person named it."""
    return VIRTUAL if f"/{BUILD_ID}/" in info.fingerprint else REAL


@contextlib.contextmanager
def open_devices(
    names: Sequence[str],
    clock: Clock,
    *,
    phones: int = 1,
    seed: int = 0,
    tell: Callable[[str], None] = lambda words: None,
) -> Iterator[list[Lease]]:
    """Open the devices that a person named, and close what was started for it at the end.

    Args:
        names: Each ``virtual``, ``virtual:PROFILE`` or a serial.
        clock: For every limit.
        phones: How many virtual phones to start for each virtual name.
        seed: Of everything random on a virtual phone.
        tell: Called with what a run before has left changed on a device, and what could not be put back.

    Raises:
        DeviceBusy: Another run has one of them.
        InputError: A name stands twice, a profile is unknown, or virtual and real devices are mixed.
        GaraError: A virtual phone does not start.
    """
    if doubled := sorted({name for name in names if list(names).count(name) > 1}):
        raise InputError(f"the device {doubled[0]} is named twice")
    virtual = [name for name in names if name.partition(":")[0] == VIRTUAL]
    if virtual and len(virtual) != len(names):
        raise InputError("virtual and real devices cannot share a run", hint="Make a run for each of them.")
    if not virtual:
        with _kept(names, clock, tell) as kept:
            yield kept
        return
    with contextlib.ExitStack() as stack:
        leases: list[Lease] = []
        for name in virtual:
            profile = name.partition(":")[2] or DEFAULT_PROFILE
            for _ in range(phones):
                phone = VirtualPhone(profile, seed=seed, clock=clock)
                leases.append(stack.enter_context(started(phone, clock)))
        yield leases


@contextlib.contextmanager
def _kept(names: Sequence[str], clock: Clock, tell: Callable[[str], None]) -> Iterator[list[Lease]]:
    """Devices that others use, too: each by one run at a time, and as it was when the run has ended."""
    with contextlib.ExitStack() as stack:
        held = [stack.enter_context(leased(name)) for name in names]
        if len(held) > 1:  # two names of one device: told before the run, not by the thread of the second
            for each in held:
                _claim_if_there(each, clock)
        kept = [SerialLease(each, clock, tell=tell) for each in held]
        try:
            yield list(kept)
        finally:
            for lease in kept:
                try:
                    lease.leave()
                except GaraError as error:  # it is in the journal; what the run came to stands
                    tell(f"{lease.serial} is not as it was before the run: {error}")


def _claim_if_there(held: Held, clock: Clock) -> None:
    """Take a device at once; one that cannot be reached yet is told when it is connected."""
    try:
        claim(Adb(held.serial, clock), held)
    except DeviceBusy:
        raise
    except DeviceError:
        pass
