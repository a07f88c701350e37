"""The devices on which the failures of a run are probed.

A failure is probed where it happened: a broken app on one device works on another one, and the agent would be
blamed. Only virtual phones that the run itself has started are started anew.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Mapping, MutableSequence, Sequence

from garabench.campaign.device_kind import VIRTUAL, device_name, is_virtual
from garabench.campaign.devices import DEFAULT_PROFILE, Lease, SerialLease, VirtualLease
from garabench.core.campaign_events import AttemptBegun, RunBegun
from garabench.core.clock import Clock
from garabench.device.adb import Adb
from garabench.device.emulators.fleet import is_fleet
from garabench.diagnosis.case_diagnosis import Diagnosis
from garabench.errors import DeviceError, DeviceUnreachableError
from garabench.records.campaign_log import read_campaign
from garabench.records.reader import Run
from garabench.records.run_layout import EpisodeKey

_STARTED = re.compile(rf"phone-\d+|{VIRTUAL}(:.*)?")
_NUMBER = re.compile(r"#\d+$")
_EMULATOR = "emulator-"


def device_names(run: Run) -> tuple[str, ...]:
    """Return the devices on which a run's failures are probed by default.

    The serials of the run's devices as its campaign log lists them; or, if the run started its own phones, a
    virtual phone of the recorded profile and screen size. A run without such a log has the recorded device.

    Raises:
        InputError: An old record does not say which device it was.
    """
    begun = (event for event in read_campaign(run.folder) if isinstance(event, RunBegun))
    labels = (_NUMBER.sub("", label) for event in begun for label in event.devices)
    serials = tuple(dict.fromkeys(label for label in labels if not _STARTED.fullmatch(label)))
    return serials or (device_name(run.environment),)


def episode_devices(run: Run) -> dict[str, str]:
    """Return the serial of the device on which each episode of a run was last attempted, by its key as text.

    Episodes on phones that the run itself has started are missing: the next phone is like the last one.

    Args:
        run: The run.
    """
    begun = (event for event in read_campaign(run.folder) if isinstance(event, AttemptBegun))
    labels = {event.episode: _NUMBER.sub("", event.device) for event in begun}
    return {episode: label for episode, label in labels.items() if not _STARTED.fullmatch(label)}


def take_failure(
    pending: MutableSequence[EpisodeKey], device: str, happened_on: Mapping[str, str], used: Container[str]
) -> EpisodeKey | None:
    """Remove and return the next failure for a device: one that it or an unused device recorded.

    Args:
        pending: The failures that are left.
        device: Name of the device, as `lease_name` returns it.
        happened_on: The devices of episodes, as `episode_devices` returns them.
        used: Names of all devices that probe failures.
    """
    for place, key in enumerate(pending):
        origin = happened_on.get(str(key), "")
        if origin == device or origin not in used:
            return pending.pop(place)
    return None


def connected(names: Sequence[str], clock: Clock, on_message: Callable[[str], None]) -> tuple[str, ...]:
    """Return those of a run's recorded devices that respond; a virtual name always does.

    Args:
        names: The names, as `device_names` returns them.
        clock: Clock for all time limits.
        on_message: Called with a message about each device that does not respond, unless none does.

    Raises:
        DeviceUnreachableError: None responds.
    """
    missing = [name for name in names if not is_virtual(name) and not _responds(name, clock)]
    if len(missing) == len(names):
        emulators = all(name.startswith(_EMULATOR) for name in missing)
        fleet = f", such as emulators:{len(missing)} if the run started its emulators" if emulators else ""
        raise DeviceUnreachableError(
            f"the run was performed on {', '.join(missing)}, which cannot be reached: connect it, or choose "
            f"another device with --device if it has the same apps and the same faults{fleet}"
        )
    for name in missing:
        on_message(f"{name}, a device of the run, cannot be reached, and is not used")
    return tuple(name for name in names if name not in missing)


def lease_name(lease: Lease) -> str:
    """Return the name of a leased device in diagnoses: its serial, or ``virtual:PROFILE``."""
    if isinstance(lease, SerialLease):
        return lease.serial
    if not isinstance(lease, VirtualLease):
        return ""
    return _full_name(lease.kind) if lease.kind == VIRTUAL else f"{VIRTUAL}:{lease.kind}"


def probed_elsewhere(diagnoses: Iterable[Diagnosis], names: Sequence[str]) -> tuple[Diagnosis, ...]:
    """Return the diagnoses whose probes were performed on other devices, or do not record their device.

    Args:
        diagnoses: The diagnoses.
        names: The devices, as given with ``--device`` or as `device_names` returns them.
    """
    return tuple(
        each
        for each in diagnoses
        if each.probes and not (each.devices and all(is_one_of(device, names) for device in each.devices))
    )


def is_one_of(device: str, names: Sequence[str]) -> bool:
    """Return whether a device, named as by `lease_name`, is among these.

    Args:
        device: The device.
        names: The devices, as given with ``--device``.
    """
    fleet = any(is_fleet(name) for name in names)
    return device in map(_full_name, names) or (fleet and device.startswith(_EMULATOR))


def _full_name(name: str) -> str:
    """Return a name with the profile of a virtual phone."""
    if name == VIRTUAL:
        return f"{VIRTUAL}:{DEFAULT_PROFILE}"
    return name


def _responds(serial: str, clock: Clock) -> bool:
    adb = Adb(serial, clock)
    try:
        if adb.listed() is None:
            adb.rejoin()
        return adb.listed() == "device"
    except DeviceError:
        return False
