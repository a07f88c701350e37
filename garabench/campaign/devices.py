"""The devices of a run: connect them, and restore their state between episodes and at the end."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from garabench.campaign.device_kind import VIRTUAL, comparable_kind
from garabench.core.campaign_events import Rung
from garabench.core.clock import Clock
from garabench.device.adb import Adb
from garabench.device.app_control import AppControl
from garabench.device.console import is_emulator
from garabench.device.device import Device, DeviceInfo
from garabench.device.emulators.emulator import Emulator
from garabench.device.emulators.fleet import is_fleet, open_fleet
from garabench.device.reconnect import reconnect
from garabench.device.undo.apply import apply_unattended, record_run_state, record_user_settings
from garabench.device.undo.identity import claim, identify_device, is_marked
from garabench.device.undo.journal import Journal
from garabench.device.undo.lease import HeldLease, leased
from garabench.device.undo.leftovers import leftovers_of
from garabench.device.undo.restore import restore_or_fail
from garabench.errors import (
    DeviceBusyError,
    DeviceError,
    DeviceLostError,
    DeviceOfflineError,
    DeviceTimeoutError,
    DeviceUnreachableError,
    GaraError,
    HarnessError,
    InputError,
)
from garabench.virtual.phone_process import VirtualPhone

DEFAULT_PROFILE = "android-34"
MAX_PHONES = 4
"""Default maximum of parallel virtual phones; each uses a quarter of a gigabyte of memory."""
_RECONNECT_SECONDS = 10.0
"""Time for the adb server to restart and find the device."""
_SHUTDOWN_SECONDS, _BOOT_SECONDS = 3.0, 180.0


class Lease(Protocol):
    """Exclusive use of a device by a run."""

    def connect(self) -> Device:
        """Connect to the device, or reconnect.

        Raises:
            DeviceError: It cannot be reached.
        """
        ...

    def restore(self) -> None:
        """Restore the device's initial state if it has a snapshot.

        Raises:
            GaraError: It failed.
        """
        ...


class RecoverableLease(Lease, Protocol):
    """A lease of a device that a run can recover when it fails."""

    @property
    def kind(self) -> str:
        """The kind of device: the same for devices whose results are comparable; empty if not known yet."""
        ...

    @property
    def rungs(self) -> frozenset[Rung]:
        """The measures of device recovery beyond those for every device."""
        ...

    @property
    def snapshot_loads(self) -> int:
        """How often the emulator has loaded a snapshot since it started; 0 for other devices."""
        ...

    @property
    def unplanned_restarts(self) -> int:
        """How often `connect` has restarted a virtual phone or an emulator that it could not reach."""
        ...

    def reboot(self) -> None:
        """Reboot the device, and wait until it has booted.

        Raises:
            DeviceError: It cannot be reached, or does not come back.
        """
        ...

    def load_snapshot(self) -> None:
        """Load the snapshot of the virtual phone or the emulator while it runs.

        Raises:
            GaraError: It has none, or does not answer.
        """
        ...

    def restart(self) -> None:
        """End and start the virtual phone or the emulator.

        Raises:
            GaraError: It does not start, or the device is a phone.
        """
        ...


@dataclass(slots=True)
class SerialLease:
    """Exclusive use of a device by its serial. It has no snapshot; each episode resets it through adb.

    Attributes:
        held: The lease of its serial.
        clock: The clock for all time limits.
        on_message: Called with a message about each change of an earlier run that was undone.
    """

    held: HeldLease
    clock: Clock
    on_message: Callable[[str], None] = lambda text: None
    _journal: Journal | None = field(default=None, init=False)
    _info: DeviceInfo | None = field(default=None, init=False)
    _apps: AppControl | None = field(default=None, init=False)
    _identity: str = field(default="", init=False)

    @property
    def serial(self) -> str:
        """The serial, as ``adb devices`` lists it."""
        return self.held.serial

    def connect(self) -> Device:
        """Connect; the first time, undo the changes left by an earlier run and record the device's state.

        Raises:
            DeviceBusyError: Another run uses the device under another serial.
            DeviceLostError: Another device now has this serial.
            DeviceError: It cannot be reached or restored.
            InputError: Its undo journal is damaged.
        """
        if self._journal is not None:  # reconnecting
            reconnect(Adb(self.serial, self.clock), _RECONNECT_SECONDS)
        elif self._identity and not is_marked(Adb(self.serial, self.clock), self.held):
            self._info = self._apps = None  # it was restarted or replaced since `look`
        device = Device.connect(self.serial, self.clock, info=self._info)
        if self._journal is None:
            self._journal = self._begin(device, self._claim(device.adb))
        elif not is_marked(device.adb, self.held):
            self._apps = None
            self._check(
                identify_device(device.adb).device
            )  # before another device gets the mark of this lease
            claim(device.adb, self.held)
            self._apply_unattended(device, self._journal)  # a snapshot may have reset them
        self._info = device.info
        if self._apps is not None:
            device.apps = self._apps
        self._apps = device.apps
        device.journal = self._journal
        return device

    def look(self) -> Device:
        """Connect without undoing or recording anything; what is read of the device is reused by `connect`.

        Raises:
            DeviceBusyError: Another run uses the device under another serial.
            DeviceError: It cannot be reached.
        """
        device = Device.connect(self.serial, self.clock, info=self._info)
        self._identity = self._claim(device.adb)
        self._info, self._apps = device.info, device.apps
        return device

    def _claim(self, adb: Adb) -> str:
        """Return the device's identity, which is read once as long as the device has this lease's mark."""
        if self._identity and is_marked(adb, self.held):
            return self._identity
        return claim(adb, self.held)

    def _begin(self, device: Device, identity: str) -> Journal:
        with leftovers_of(device.adb, self.held, identity) as leftovers:
            for message in leftovers.messages:
                self.on_message(f"{self.serial}: {message}")
            for journal in leftovers.journals:
                for each in restore_or_fail(device.adb, journal):
                    self.on_message(f"{self.serial}: {each}")
        device.revive()  # what must be installed is not installed during an episode
        journal = Journal.at(self.serial, self.held.folder, identity)
        record_user_settings(device.adb, journal, sdk=device.info.sdk)
        record_run_state(device.adb, journal, sdk=device.info.sdk)
        self._apply_unattended(device, journal)
        return journal

    def _apply_unattended(self, device: Device, journal: Journal) -> None:
        for problem in apply_unattended(device.adb, journal, sdk=device.info.sdk):
            self.on_message(f"{self.serial}: {problem}")

    @property
    def kind(self) -> str:
        """See `RecoverableLease.kind`."""
        info = self._info
        return "" if info is None else comparable_kind(info.model, info.sdk, str(info.size))

    @property
    def rungs(self) -> frozenset[Rung]:
        """See `RecoverableLease.rungs`."""
        return frozenset({Rung.REBOOT})

    @property
    def snapshot_loads(self) -> int:
        """See `RecoverableLease.snapshot_loads`."""
        return 0

    @property
    def unplanned_restarts(self) -> int:
        """See `RecoverableLease.unplanned_restarts`."""
        return 0

    def reboot(self) -> None:
        """See `RecoverableLease.reboot`."""
        _reboot(Adb(self.serial, self.clock))

    def load_snapshot(self) -> None:
        """See `RecoverableLease.load_snapshot`."""
        raise DeviceError(f"GaraBench knows no snapshot of {self.serial}")

    def restart(self) -> None:
        """See `RecoverableLease.restart`."""
        raise DeviceError(f"{self.serial} cannot be restarted by GaraBench")

    def _check(self, identity: str) -> None:
        if self._journal is not None and self._journal.device != identity:
            raise DeviceLostError(f"another device now has the serial {self.serial}")

    def restore(self) -> None:
        """Do nothing: each episode resets the device through adb."""

    def restore_initial(self) -> None:
        """Restore the device to its state before the run.

        Raises:
            RestoreError: A change could not be undone.
            DeviceError: The device is lost, or another device now has its serial; the next run restores it.
        """
        if self._journal is not None and self._journal.entries:
            adb = Adb(self.serial, self.clock)
            if not is_marked(adb, self.held):
                self._check(identify_device(adb).device)
            restore_or_fail(adb, self._journal)
        self._journal = None


@dataclass(slots=True)
class EmulatorLease(SerialLease):
    """Exclusive use of an emulator that this run has started, and can restart.

    Attributes:
        emulator: The emulator.
    """

    emulator: Emulator = field(kw_only=True)
    _loads: int = field(default=0, init=False)
    _unplanned_restarts: int = field(default=0, init=False)

    def connect(self) -> Device:
        """See `SerialLease.connect`; restart the emulator first if its process has ended."""
        if not self.emulator.running:
            self.restart()
            self._unplanned_restarts += 1
        return SerialLease.connect(self)

    @property
    def rungs(self) -> frozenset[Rung]:
        """See `RecoverableLease.rungs`."""
        snapshot = {Rung.LOAD_SNAPSHOT} if self.emulator.has_snapshot else set()
        return frozenset({Rung.REBOOT, Rung.RESTART_EMULATOR} | snapshot)

    @property
    def snapshot_loads(self) -> int:
        """See `RecoverableLease.snapshot_loads`."""
        return self._loads

    @property
    def unplanned_restarts(self) -> int:
        """See `RecoverableLease.unplanned_restarts`."""
        return self._unplanned_restarts

    def load_snapshot(self) -> None:
        """See `RecoverableLease.load_snapshot`; connecting repeats what it resets."""
        self._loads += 1
        self.emulator.load_snapshot()

    def restart(self) -> None:
        """See `RecoverableLease.restart`."""
        self.emulator.restart()
        self._loads = 0


@dataclass(slots=True)
class VirtualLease:
    """A virtual phone that this run has started; no other run may use it, although adb lists it.

    Attributes:
        phone: The phone; its creator starts and stops it, between `claim` and `release`.
        clock: The clock for all time limits.
        kind: See `RecoverableLease.kind`: its profile.
    """

    phone: VirtualPhone
    clock: Clock
    kind: str = VIRTUAL
    _loads: int = field(default=0, init=False)
    _unplanned_restarts: int = field(default=0, init=False)
    _held: HeldLease | None = field(default=None, init=False)
    _stack: contextlib.ExitStack = field(default_factory=contextlib.ExitStack, init=False)

    def claim(self) -> None:
        """Acquire the lease of the phone's current serial.

        Raises:
            DeviceBusyError: Another run was faster, or a phone of another run has the same serial.
        """
        if self._held is not None and self._held.serial == self.phone.serial:
            return
        self.release()
        with contextlib.suppress(HarnessError):  # no run can write a lease
            self._held = self._stack.enter_context(leased(self.phone.serial))

    def release(self) -> None:
        """Release the lease, if it is held."""
        self._held = None
        self._stack.close()

    def connect(self) -> Device:
        """Connect; restart the phone if its process has ended or does not respond."""
        if self.phone.running:
            reconnect(Adb(self.phone.serial, self.clock), _RECONNECT_SECONDS)
            try:
                return self._connect()
            except DeviceError:
                pass  # it is exiting or hangs, or another run was faster
        self.restart()
        self._unplanned_restarts += 1
        return self._connect()

    @property
    def rungs(self) -> frozenset[Rung]:
        """See `RecoverableLease.rungs`."""
        return frozenset({Rung.REBOOT, Rung.RESTART_EMULATOR})

    @property
    def snapshot_loads(self) -> int:
        """See `RecoverableLease.snapshot_loads`: only those of a phone that appears as an emulator."""
        return self._loads if is_emulator(self.phone.serial) else 0

    @property
    def unplanned_restarts(self) -> int:
        """See `RecoverableLease.unplanned_restarts`."""
        return self._unplanned_restarts

    def reboot(self) -> None:
        """See `RecoverableLease.reboot`."""
        _reboot(Adb(self.phone.serial, self.clock))

    def load_snapshot(self) -> None:
        """See `RecoverableLease.load_snapshot`: the state after boot, which every episode begins with."""
        self.restore()

    def restart(self) -> None:
        """See `RecoverableLease.restart`.

        Raises:
            HarnessError: It did not start. An app of an installed package that fails now did not at the
                first start, so nobody could have corrected it before the run.
        """
        self.phone.stop()
        try:
            self.phone.start()
        except InputError as error:
            raise HarnessError(f"{self.phone.serial} did not start again: {error.message}") from error
        self._loads = 0

    def _connect(self) -> Device:
        self.claim()
        if self._held is not None:
            claim(Adb(self.phone.serial, self.clock), self._held)
        return Device.connect(self.phone.serial, self.clock)

    def restore(self) -> None:
        """Restore the state after boot, so that episodes are independent of earlier ones."""
        self.phone.reset()
        self._loads += 1


def _reboot(adb: Adb) -> None:
    with contextlib.suppress(DeviceLostError, DeviceTimeoutError):  # the connection drops before the status
        adb.shell(["reboot"]).check("reboot the device")
    adb.clock.sleep(_SHUTDOWN_SECONDS)  # until then it still says that it has booted
    if not reconnect(adb, _BOOT_SECONDS):
        raise DeviceLostError(f"{adb.serial} did not come back within {_BOOT_SECONDS:g} s after a reboot")


@contextlib.contextmanager
def started_phone(phone: VirtualPhone, clock: Clock, kind: str = VIRTUAL) -> Iterator[VirtualLease]:
    """Start a virtual phone for a run, and stop it at the end.

    Raises:
        GaraError: It does not start.
    """
    lease = VirtualLease(phone, clock, kind)
    try:
        with phone:
            with contextlib.suppress(DeviceBusyError):  # connecting restarts it with another serial
                lease.claim()
            yield lease
    finally:
        lease.release()


def inspect(lease: Lease, clock: Clock) -> Device:
    """Connect to a device to look at it, without undoing or recording anything.

    Args:
        lease: The device.
        clock: The clock for all time limits.

    Raises:
        DeviceBusyError: Another run uses the device under another serial.
        DeviceError: It cannot be reached.
    """
    if not isinstance(lease, SerialLease):
        return lease.connect()
    return lease.look()


@contextlib.contextmanager
def open_devices(
    names: Sequence[str],
    clock: Clock,
    *,
    phones: int = 1,
    seed: int = 0,
    emulators: bool = False,
    apps: Sequence[Path] = (),
    on_message: Callable[[str], None] = lambda text: None,
) -> Iterator[list[RecoverableLease]]:
    """Open devices by name, and at the end stop the virtual phones and emulators that were started.

    Args:
        names: Each ``virtual``, ``virtual:PROFILE``, ``emulators:COUNT`` or a serial.
        clock: The clock for all time limits.
        phones: Number of virtual phones to start per virtual name.
        seed: Random seed of the virtual phones.
        emulators: Whether virtual phones appear as emulators, whose console saves the running phone.
        apps: App files and their folders, which virtual phones install; real devices ignore them.
        on_message: Called with a message about each change of an earlier run: undone, or why it was not.

    Raises:
        DeviceBusyError: Another run uses one of them.
        InputError: A name is duplicated, a profile is unknown, or virtual and real devices are mixed.
        GaraError: A virtual phone or an emulator does not start.
    """
    if duplicates := sorted({name for name in names if list(names).count(name) > 1}):
        raise InputError(f"duplicate device {duplicates[0]}")
    virtual = [name for name in names if name.partition(":")[0] == VIRTUAL]
    if virtual and len(virtual) != len(names):
        raise InputError("virtual and real devices cannot share a run", hint="Start a run for each kind.")
    if not virtual:
        with contextlib.ExitStack() as stack:
            emulators_by_serial: dict[str, Emulator | None] = {}
            for name in names:
                if is_fleet(name):
                    emulators_by_serial |= stack.enter_context(open_fleet(name, clock, on_message))
                else:
                    emulators_by_serial[name] = None
            yield stack.enter_context(_serial_leases(emulators_by_serial, clock, on_message))
        return
    with contextlib.ExitStack() as stack:
        leases: list[RecoverableLease] = []
        for name in virtual:
            profile = name.partition(":")[2] or DEFAULT_PROFILE
            for _ in range(phones):
                leases.append(_start(stack, profile, seed, clock, apps, emulator=emulators))
        yield leases


def _start(
    stack: contextlib.ExitStack,
    profile: str,
    seed: int,
    clock: Clock,
    apps: Sequence[Path],
    *,
    emulator: bool,
) -> VirtualLease:
    """Start a virtual phone until the end of a stack.

    There are only 16 ports for emulators. If all are in use, a plain phone is started: it is slower where a
    state is restored, and the same otherwise.
    """
    if emulator:
        with contextlib.suppress(HarnessError):
            return stack.enter_context(
                started_phone(
                    VirtualPhone(profile, seed=seed, emulator=True, apps=apps, clock=clock), clock, profile
                )
            )
    phone = VirtualPhone(profile, seed=seed, apps=apps, clock=clock)
    return stack.enter_context(started_phone(phone, clock, profile))


@contextlib.contextmanager
def _serial_leases(
    emulators: Mapping[str, Emulator | None], clock: Clock, on_message: Callable[[str], None]
) -> Iterator[list[RecoverableLease]]:
    """Lease devices by serial, and restore them to their previous state at the end.

    Args:
        emulators: The emulators that were started, by serial; None for other devices.
        clock: The clock for all time limits.
        on_message: See `open_devices`.
    """
    with contextlib.ExitStack() as stack:
        held = [stack.enter_context(leased(name)) for name in emulators]
        if len(held) > 1:  # report two serials of one device before the run begins
            for each in held:
                _claim_if_reachable(each, clock)
        leases = [
            SerialLease(each, clock, on_message=on_message)
            if (emulator := emulators[each.serial]) is None
            else EmulatorLease(each, clock, on_message=on_message, emulator=emulator)
            for each in held
        ]
        try:
            yield list(leases)
        finally:
            for lease in leases:
                try:
                    lease.restore_initial()
                except GaraError as error:  # the change stays in the journal; the run's results are valid
                    on_message(f"{lease.serial} was not restored: {error}")


def _claim_if_reachable(held: HeldLease, clock: Clock) -> None:
    """Claim a device; if it cannot be reached, connecting to it will report that."""
    try:
        claim(Adb(held.serial, clock), held)
    except DeviceBusyError:
        raise
    except DeviceError:
        pass


def ready_device(lease: Lease, device: Device | None) -> Device:
    """Restore a device to its initial state, and reconnect it if it was lost since the last episode.

    Raises:
        GaraError: It cannot be reached or restored.
    """
    if device is not None:
        try:
            lease.restore()
            return device
        except DeviceLostError:
            pass
    device = lease.connect()
    lease.restore()
    return device


def is_lost(device: Device) -> bool:
    """Return whether a device is gone, or cannot be asked."""
    try:
        return device.adb.state() != "device"
    except (DeviceLostError, DeviceOfflineError, DeviceUnreachableError):
        return True
    except GaraError:
        return False
