"""The interface of a cluster, whose actors hold devices."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from garabench.campaign.engines.remote_device import DeviceOptions, Message, Reply
from garabench.errors import HarnessError


class WorkerLostError(HarnessError):
    """The process that holds a device has ended, or its computer is gone."""


class DeviceActor(Protocol):
    """A process of the cluster that holds a `RemoteDevice`."""

    def is_running(self) -> bool:
        """Return whether a node has started the process."""
        ...

    def call(self, method: str, *args: object, waiting: Callable[[], None]) -> Reply[Any]:
        """Call a method of the remote device, and return its reply.

        Args:
            method: Its name.
            args: Its arguments.
            waiting: Called about once a second until the reply arrives; what it raises ends the wait.

        Raises:
            WorkerLostError: The process has ended, or its computer is gone.
        """
        ...

    def take_messages(self) -> tuple[Message, ...]:
        """Return what has happened since the last messages were taken, during a call; none if it is gone."""
        ...

    def stop(self, *, interrupted: bool) -> None:
        """Stop the attempt in flight between two steps; see `RemoteDevice.stop`."""
        ...

    def end(self) -> None:
        """End the process at once."""
        ...


class Cluster(Protocol):
    """Computers whose devices a run uses."""

    def units(self) -> Mapping[str, int]:
        """Return the units of each device that the living nodes offer."""
        ...

    def start(self, options: DeviceOptions) -> DeviceActor:
        """Start a process on a node that offers a device; it waits while no unit of the device is free."""
        ...

    def share(self, value: object) -> Any:
        """Return a reference to a large value, to be passed to several actors."""
        ...
