"""The engine for devices of a Ray cluster: each is a resource of its node, and an actor holds it."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from typing import TypeVar

from garabench.campaign.device_worker import DeviceWorker
from garabench.campaign.engines.cluster import Cluster, WorkerLostError
from garabench.campaign.engines.ray_resources import choose_devices
from garabench.campaign.engines.remote_device import DeviceOptions, RemoteSetup
from garabench.campaign.engines.remote_worker import HeldUnits, RemoteWorker
from garabench.campaign.engines.run_engine import DeviceRequest, OpenedDevices, WorkerSetup
from garabench.campaign.engines.usage_ledger import UsageLedger
from garabench.campaign.preflight import ExaminedDevice
from garabench.errors import DeviceError, DeviceUnreachableError, HarnessError

_T = TypeVar("_T")


class RayEngine:
    """Opens devices of a cluster."""

    def __init__(self, connect: Callable[[], AbstractContextManager[Cluster]]) -> None:
        """Set up the engine; nothing is connected.

        Args:
            connect: Connects to the cluster; see `garabench.campaign.engines.ray_cluster.connector`.
        """
        self._connect = connect

    @contextlib.contextmanager
    def open(self, request: DeviceRequest) -> Iterator[OpenedDevices]:
        """See `garabench.campaign.engines.run_engine.Engine.open`."""
        with self._connect() as cluster:
            held = HeldUnits()
            workers = [
                RemoteWorker(
                    device,
                    DeviceOptions(device.name, device.label, request.plan.seed, request.apps),
                    cluster,
                    held,
                    request.clock,
                    request.on_message,
                )
                for device in choose_devices(cluster.units(), request.names, request.phones)
            ]
            try:
                yield _ClusterDevices(request, cluster, workers, _each(workers, RemoteWorker.open))
            finally:
                _each(workers, RemoteWorker.end)


class _ClusterDevices:
    """See `garabench.campaign.engines.run_engine.OpenedDevices`."""

    def __init__(
        self,
        request: DeviceRequest,
        cluster: Cluster,
        workers: Sequence[RemoteWorker],
        opened: Sequence[DeviceError | None],
    ) -> None:
        self._request, self._cluster, self._workers = request, cluster, workers
        for error in opened:
            if error is not None:
                request.on_message(f"not used for now: {error}")
        self._usable = [worker for worker, error in zip(workers, opened, strict=True) if error is None]
        if not self._usable:
            raise next(error for error in opened if error is not None)

    def examine(self) -> Sequence[ExaminedDevice | DeviceError]:
        plan, suite = self._request.plan, self._cluster.share(self._request.suite)
        # The units of one name are equal virtual phones, or several devices with the same serial.
        return _each(self._usable, lambda worker: worker.examine(plan, suite))

    def real_devices(self) -> tuple[str, ...]:
        found = _each(self._usable, RemoteWorker.real_devices)
        return tuple(label for each in found if not isinstance(each, DeviceError) for label in each)

    def undo_leftovers(self) -> None:
        self._usable[0].undo_leftovers()

    def make_workers(self, setup: WorkerSetup) -> Sequence[DeviceWorker]:
        ledger = UsageLedger(setup.session.meter)
        remote = RemoteSetup(
            self._request.plan.agents, setup.models, setup.device_recovery, alone=len(self._workers) == 1
        )
        for worker in self._workers:
            worker.prepare(setup, remote, ledger)
        return self._workers


def _each(workers: Sequence[RemoteWorker], perform: Callable[[RemoteWorker], _T]) -> list[_T | DeviceError]:
    """Do something with each worker at once; an error of a device stands in for its result.

    Raises:
        GaraError: Something else is wrong.
    """

    def one(worker: RemoteWorker) -> _T | DeviceError:
        try:
            return perform(worker)
        except DeviceError as error:
            return error
        except WorkerLostError as error:
            return DeviceUnreachableError(f"{worker.label}: {error}")
        except HarnessError as error:  # a virtual phone does not start
            return DeviceUnreachableError(f"{worker.label}: {error}")

    with ThreadPoolExecutor(max_workers=max(1, len(workers))) as pool:
        return list(pool.map(one, workers))
