"""The engine for devices of this computer, each with a worker in its own thread."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Sequence

from garabench.campaign.consent import real_devices
from garabench.campaign.device_kind import VIRTUAL
from garabench.campaign.device_worker import DeviceWorker, LocalWorker, local_label
from garabench.campaign.devices import MAX_PHONES, RecoverableLease, SerialLease, VirtualLease, open_devices
from garabench.campaign.engines.run_engine import DeviceRequest, OpenedDevices, WorkerSetup
from garabench.campaign.preflight import ExaminedDevice, examine
from garabench.errors import DeviceError


class LocalEngine:
    """Opens devices of this computer."""

    @contextlib.contextmanager
    def open(self, request: DeviceRequest) -> Iterator[OpenedDevices]:
        """See `garabench.campaign.engines.run_engine.Engine.open`."""
        phones = request.phones or min(os.cpu_count() or 1, MAX_PHONES)
        names = request.names or (VIRTUAL,)
        with open_devices(
            names,
            request.clock,
            phones=phones,
            seed=request.plan.seed,
            apps=request.apps,
            on_message=request.on_message,
        ) as leases:
            yield _LocalDevices(request, names, phones, leases)


class _LocalDevices:
    """See `garabench.campaign.engines.run_engine.OpenedDevices`."""

    def __init__(
        self, request: DeviceRequest, names: Sequence[str], phones: int, leases: Sequence[RecoverableLease]
    ) -> None:
        self._request, self._names, self._phones, self._leases = request, names, phones, leases

    def examine(self) -> Sequence[ExaminedDevice | DeviceError]:
        # Virtual phones of one profile are equal.
        step = self._phones if isinstance(self._leases[0], VirtualLease) else 1
        found: list[ExaminedDevice | DeviceError] = []
        for lease in self._leases[::step]:
            try:
                found.append(examine(lease, self._request.plan, self._request.suite, self._request.clock))
            except DeviceError as error:
                found.append(error)
        return found

    def real_devices(self) -> tuple[str, ...]:
        return real_devices(self._names)

    def undo_leftovers(self) -> None:
        if isinstance(self._leases[0], SerialLease):
            self._leases[0].connect().close()

    def make_workers(self, setup: WorkerSetup) -> Sequence[DeviceWorker]:
        return [
            LocalWorker(
                local_label(lease, number),
                lease,
                setup.folder,
                setup.agents,
                self._request.clock,
                setup.session,
                device_recovery=setup.device_recovery,
            )
            for number, lease in enumerate(self._leases, start=1)
        ]
