"""A Ray cluster. The only module that imports Ray, when it connects."""

from __future__ import annotations

import contextlib
import importlib
import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from typing import Any

from garabench.campaign.engines.cluster import Cluster, WorkerLostError
from garabench.campaign.engines.ray_resources import offered_units, resource_name
from garabench.campaign.engines.remote_device import DeviceOptions, Message, RemoteDevice, Reply
from garabench.errors import DeviceUnreachableError, InputError

AUTO = "auto"
"""The cluster that runs on this computer."""
_CONTROL = "control"
"""The group of methods that run during others."""
_POLL_SECONDS = 1.0
_CONTROL_SECONDS = 10.0


def connector(address: str = AUTO) -> Callable[[], AbstractContextManager[Cluster]]:
    """Return a function that connects to a cluster; nothing is connected yet.

    Args:
        address: ``HOST:PORT``, or `AUTO`.

    Raises:
        InputError: Ray is not installed, or the address is that of a Ray client.
    """
    try:
        ray = importlib.import_module("ray")
    except ImportError as error:
        raise InputError(
            "the engine ray needs the package ray, which is not installed",
            hint="Run pip install 'garabench[ray]'.",
        ) from error
    if "://" in address:
        raise InputError(
            f"{address} is not the address of a cluster",
            hint="Expected HOST:PORT; run GaraBench on a node of the cluster, such as its head.",
        )
    return lambda: _connect(ray, address)


@contextlib.contextmanager
def _connect(ray: Any, address: str) -> Iterator[Cluster]:
    """Connect to a cluster, unless this process is connected already.

    Raises:
        DeviceUnreachableError: There is no such cluster, or it has another version of Ray or Python.
    """
    if ray.is_initialized():
        yield _RayCluster(ray)
        return
    try:
        ray.init(address=address, log_to_driver=False, configure_logging=False, logging_level=logging.ERROR)
    except (ConnectionError, OSError, ValueError, RuntimeError) as error:
        raise DeviceUnreachableError(
            f"no Ray cluster can be used at the address {address!r}: {_first_line(error)}. Start one with "
            'ray start --head --resources="$(garabench device resources)"'
        ) from error
    # It prints the logs of failed nodes to standard error.
    logging.getLogger("ray").setLevel(logging.CRITICAL)
    try:
        yield _RayCluster(ray)
    finally:
        ray.shutdown()


class _RayCluster:
    """See `garabench.campaign.engines.cluster.Cluster`."""

    def __init__(self, ray: Any) -> None:
        self._ray = ray
        methods = {_CONTROL: 1}
        self._actor_class = ray.remote(concurrency_groups=methods)(RemoteDevice)

    def units(self) -> Mapping[str, int]:
        return offered_units(self._ray.nodes())

    def start(self, options: DeviceOptions) -> _RayActor:
        # A worker waits for its device most of the time, so it reserves no processor.
        resources = {resource_name(options.name): 1}
        handle = self._actor_class.options(num_cpus=0, resources=resources).remote(options)
        return _RayActor(self._ray, handle)

    def share(self, value: object) -> Any:
        return self._ray.put(value)


class _RayActor:
    """See `garabench.campaign.engines.cluster.DeviceActor`."""

    def __init__(self, ray: Any, handle: Any) -> None:
        self._ray, self._handle = ray, handle
        self._started = handle.__ray_ready__.remote()

    def is_running(self) -> bool:
        done, _ = self._ray.wait([self._started], timeout=0)
        return bool(done)

    def call(self, method: str, *args: object, waiting: Callable[[], None]) -> Reply[Any]:
        errors = self._ray.exceptions
        try:
            reference = getattr(self._handle, method).remote(*args)
            while not self._ray.wait([reference], timeout=_POLL_SECONDS)[0]:
                waiting()
            reply = self._ray.get(reference)
        except errors.RayTaskError:
            raise  # a bug in the method
        except errors.RayError as error:
            raise WorkerLostError(_first_line(error)) from error
        if not isinstance(reply, Reply):
            raise TypeError(f"{method} returned {type(reply).__name__}")
        return reply

    def take_messages(self) -> tuple[Message, ...]:
        method = self._handle.take_messages.options(concurrency_group=_CONTROL)
        try:
            found: tuple[Message, ...] = self._ray.get(method.remote(), timeout=_CONTROL_SECONDS)
        except self._ray.exceptions.RayError:
            return ()  # the call in flight reports it
        return found

    def stop(self, *, interrupted: bool) -> None:
        with contextlib.suppress(self._ray.exceptions.RayError):
            self._handle.stop.options(concurrency_group=_CONTROL).remote(interrupted)

    def end(self) -> None:
        with contextlib.suppress(self._ray.exceptions.RayError):
            self._ray.kill(self._handle)


def _first_line(error: Exception) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[0].rstrip(".") if lines else type(error).__name__
