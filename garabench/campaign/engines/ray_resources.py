"""Devices as resources of a Ray cluster; pure.

Each node offers its devices as custom resources: ``device:emulator-5554`` once for a device with a serial,
``device:virtual`` as often as virtual phones may run on it. Ray gives each unit to one actor at a time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from garabench.campaign.device_kind import VIRTUAL
from garabench.core.suggestions import did_you_mean
from garabench.errors import DeviceUnreachableError, InputError

PREFIX = "device:"
"""Beginning of the name of each resource that is a device."""


@dataclass(frozen=True, slots=True)
class OfferedDevice:
    """A unit of a resource, which one worker uses.

    Attributes:
        name: The name of the device on its node, as of ``--device``.
        label: Its label in the run's events: the name, with a number if several nodes offer it.
    """

    name: str
    label: str

    @property
    def resource(self) -> str:
        """The resource of the device."""
        return resource_name(self.name)


def resource_name(device: str) -> str:
    """Return the resource of a device by its name."""
    return f"{PREFIX}{device}"


def offered_units(nodes: Iterable[Mapping[str, Any]]) -> Counter[str]:
    """Count the units of each device that the living nodes of a cluster offer.

    Args:
        nodes: The nodes, as ``ray.nodes()`` describes them.
    """
    units: Counter[str] = Counter()
    for node in nodes:
        if not node.get("Alive"):
            continue
        for resource, amount in node.get("Resources", {}).items():
            if resource.startswith(PREFIX) and (name := resource.removeprefix(PREFIX)):
                units[name] += int(amount)
    return units


def choose_devices(
    units: Mapping[str, int], names: Sequence[str], phones: int | None = None
) -> tuple[OfferedDevice, ...]:
    """Choose the devices of a run among those that a cluster offers.

    Args:
        units: The units of each device.
        names: The requested devices; empty for all.
        phones: Maximum number of virtual phones; None for all that are offered.

    Raises:
        InputError: A requested device is not offered or duplicated, or virtual and real devices are mixed.
        DeviceUnreachableError: The cluster offers no device.
    """
    if not any(units.values()):
        raise DeviceUnreachableError(
            "no node of the Ray cluster offers a device: start nodes with "
            'ray start --resources="$(garabench device resources)"'
        )
    if duplicates := sorted(name for name, count in Counter(names).items() if count > 1):
        raise InputError(f"duplicate device {duplicates[0]}")
    for name in names:
        if not units.get(name):
            raise InputError(
                f"no node of the Ray cluster offers the device {name!r}",
                hint=did_you_mean(name, sorted(units)),
            )
    chosen = names or sorted(name for name, count in units.items() if count)
    virtual = [name for name in chosen if _is_virtual(name)]
    if virtual and len(virtual) < len(chosen):
        raise InputError(
            "virtual and real devices cannot share a run", hint="Choose devices of one kind with --device."
        )
    devices = [
        OfferedDevice(name, name if units[name] == 1 else f"{name}#{number}")
        for name in chosen
        for number in range(1, units[name] + 1)
    ]
    return tuple(devices[:phones] if virtual else devices)


def node_resources(serials: Iterable[str], phones: int = 0) -> dict[str, int]:
    """Return the resources with which a node is started.

    Args:
        serials: The serials of its devices.
        phones: Number of virtual phones that may run on it.
    """
    found = {resource_name(serial): 1 for serial in sorted(serials)}
    return found | ({resource_name(VIRTUAL): phones} if phones else {})


def _is_virtual(name: str) -> bool:
    return name.partition(":")[0] == VIRTUAL
