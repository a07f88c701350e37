"""The devices on which tasks are proven: phones of every variant, or one device as it is."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from garabench.campaign.devices import VIRTUAL, VirtualLease, kind_of, open_devices, started
from garabench.campaign.proof import VARIANTS, Variant
from garabench.campaign.stage import DeviceStage
from garabench.core.clock import Clock
from garabench.device.device import Device
from garabench.errors import DeviceError
from garabench.virtual.launcher import VirtualPhone


@dataclass
class SharedLease:
    """A virtual phone whose one connection several stages use.

    Attributes:
        inner: The phone.
    """

    inner: VirtualLease
    _device: Device | None = field(default=None, init=False)

    def connect(self) -> Device:
        """Connect to it, or take the connection that is there."""
        if self._device is None:
            self._device = self.inner.connect()
        return self._device


@dataclass
class VariantLease:
    """A virtual phone as one of several variants that share it.

    Attributes:
        shared: The phone.
        variant: The language that it speaks and the seed that it has, for this variant's ways.
    """

    shared: SharedLease
    variant: Variant

    def connect(self) -> Device:
        """Connect to it; one connection serves all variants."""
        return self.shared.connect()

    def restore(self) -> None:
        """As after switching on, as this variant."""
        phone = self.shared.inner.phone
        phone.set_language(self.variant.lang)
        phone.reset(seed=self.variant.seed)


@dataclass(frozen=True, slots=True)
class Bench:
    """The stages on which one task at a time is proven.

    Attributes:
        kind: ``virtual`` or ``real``.
        stages: One for each variant, the first being the one for near misses and interruptions.
    """

    kind: str
    stages: tuple[tuple[Variant, DeviceStage], ...]

    @property
    def passages(self) -> DeviceStage:
        """Where interruptions are shown."""
        return self.stages[0][1]

    def keep_below(self, folder: Path | None) -> None:
        """Keep the evidence of what fails in another folder: the first variant's in itself."""
        for place, (variant, stage) in enumerate(self.stages):
            name = str(variant).replace(" ", "-")
            stage.keep_below(folder / name if folder is not None and place else folder)

    def close(self) -> None:
        """Let the devices go."""
        for _, stage in self.stages:
            with contextlib.suppress(DeviceError):  # it may be gone already, which was told
                stage.close()


@contextlib.contextmanager
def open_benches(device: str, clock: Clock, *, jobs: int) -> Iterator[list[Bench]]:
    """Open benches, and close what was started for them at the end.

    Args:
        device: ``virtual`` for phones of every variant, ``virtual:PROFILE`` or a serial for one as it is.
        clock: For every limit.
        jobs: How many benches; one for a serial.

    Raises:
        InputError: There is no such profile.
        GaraError: A virtual phone does not start.
    """
    with contextlib.ExitStack() as stack:
        benches: list[Bench] = []
        if device == VIRTUAL:
            for _ in range(jobs):
                phones = {
                    name: SharedLease(stack.enter_context(started(VirtualPhone(name, clock=clock), clock)))
                    for name in dict.fromkeys(variant.profile for variant in VARIANTS)
                }
                stages = tuple(
                    (variant, DeviceStage(VariantLease(phones[variant.profile], variant), None))
                    for variant in VARIANTS
                )
                benches.append(Bench(VIRTUAL, stages))
        else:
            leases = stack.enter_context(open_devices([device], clock, phones=jobs))
            stages_of = [DeviceStage(lease, None) for lease in leases]
            benches.extend(Bench(kind_of(stage.device.info), ((Variant(), stage),)) for stage in stages_of)
        try:
            yield benches
        finally:
            for bench in benches:
                bench.close()
