"""Devices for proofs: virtual phones of every variant, or one existing device."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from garabench.campaign.consent import Consent, real_devices, require_consent
from garabench.campaign.device_kind import VIRTUAL, kind_of
from garabench.campaign.devices import VirtualLease, open_devices, started_phone
from garabench.campaign.preflight import require_ready
from garabench.core.clock import Clock
from garabench.device.device import Device
from garabench.errors import DeviceError
from garabench.proof.device_performer import DevicePerformer
from garabench.proof.findings import VARIANTS, Variant
from garabench.suite.suite import SuiteTask
from garabench.virtual.phone_process import VirtualPhone


@dataclass
class SharedLease:
    """A virtual phone whose single connection serves several performers.

    Attributes:
        inner: The phone.
    """

    inner: VirtualLease
    _device: Device | None = field(default=None, init=False)

    def connect(self) -> Device:
        """Return the connection; open it on first use."""
        if self._device is None:
            self._device = self.inner.connect()
        return self._device


@dataclass
class VariantLease:
    """A virtual phone configured as one of the variants that share it.

    Attributes:
        shared: The phone.
        variant: The language and the seed to set before each path.
    """

    shared: SharedLease
    variant: Variant

    def connect(self) -> Device:
        """Return the connection, which serves all variants."""
        return self.shared.connect()

    def restore(self) -> None:
        """Reset the phone to its initial state, configured as this variant."""
        phone = self.shared.inner.phone
        phone.set_language(self.variant.lang)
        phone.reset(seed=self.variant.seed)


@dataclass(frozen=True, slots=True)
class DeviceGroup:
    """The performers on which one task at a time is proven.

    Attributes:
        kind: ``virtual`` or ``real``.
        performers: One performer per variant; near misses and interruptions run on the first.
    """

    kind: str
    performers: tuple[tuple[Variant, DevicePerformer], ...]

    @property
    def exit_performer(self) -> DevicePerformer:
        """The performer that performs interruptions."""
        return self.performers[0][1]

    @property
    def first_device(self) -> Device:
        """The device that performs interruptions, the only one of a real group; connects on first use."""
        return self.performers[0][1].device

    def save_evidence_in(self, folder: Path | None) -> None:
        """Save the evidence of later failures in another folder; other variants use a subfolder."""
        for index, (variant, performer) in enumerate(self.performers):
            name = str(variant).replace(" ", "-")
            performer.save_evidence_in(folder / name if folder is not None and index else folder)

    def close(self) -> None:
        """Close the connections to the devices."""
        for _, performer in self.performers:
            with contextlib.suppress(DeviceError):  # it may be gone already, which was reported
                performer.close()


@contextlib.contextmanager
def open_device_groups(
    device: str,
    clock: Clock,
    *,
    jobs: int,
    items: Sequence[SuiteTask] = (),
    wipe: Consent = False,
    interrupted: bool = False,
    apps: Sequence[Path] = (),
    on_message: Callable[[str], None] = lambda text: None,
) -> Iterator[list[DeviceGroup]]:
    """Open device groups; on exit, close them and stop the phones that were started for them.

    Args:
        device: ``virtual`` for phones of every variant; ``virtual:PROFILE`` or a serial for one device.
        clock: Clock for all time limits.
        jobs: Number of device groups; a serial has one.
        items: The tasks to perform, whose apps are wiped.
        wipe: Consent to that on a real device.
        interrupted: Whether interruptions are shown, so that the companion app is needed.
        apps: App files, which virtual phones install.
        on_message: Called with a message about each change of an earlier run: undone, or why it was not.

    Raises:
        InputError: The profile does not exist, or there is no consent.
        NotReadyError: The device cannot perform the tasks, e.g. it is locked. Nothing was wiped.
        GaraError: A virtual phone does not start.
    """
    with contextlib.ExitStack() as stack:
        groups: list[DeviceGroup] = []
        if device == VIRTUAL:
            for _ in range(jobs):
                phones = {
                    name: SharedLease(
                        stack.enter_context(started_phone(VirtualPhone(name, apps=apps, clock=clock), clock))
                    )
                    for name in dict.fromkeys(variant.profile for variant in VARIANTS)
                }
                performers = tuple(
                    (variant, DevicePerformer(VariantLease(phones[variant.profile], variant), None))
                    for variant in VARIANTS
                )
                groups.append(DeviceGroup(VIRTUAL, performers))
        else:
            leases = stack.enter_context(
                open_devices([device], clock, phones=jobs, apps=apps, on_message=on_message)
            )
            performers_of = [DevicePerformer(lease, None) for lease in leases]
            groups.extend(
                DeviceGroup(kind_of(performer.device.info), ((Variant(), performer),))
                for performer in performers_of
            )
        try:
            if items and device.partition(":")[0] != VIRTUAL:
                packages = sorted({item.app for item in items})
                for group in groups:
                    require_ready(group.first_device, items, interrupted=interrupted)
                require_consent(wipe, lambda: real_devices((device,)), packages)
            yield groups
        finally:
            for group in groups:
                group.close()
