"""Inject an interruption and prove on the tree that it is there."""

from __future__ import annotations

from dataclasses import dataclass

from garabench.device.device import Device
from garabench.device.settle import Settled
from garabench.errors import CommandFailed
from garabench.interruptions.lifecycle import on_screen
from garabench.interruptions.plan import PACKAGE, SHOW, Planned

_LOOKS = 4


@dataclass(frozen=True, slots=True)
class Injected:
    """How an injection ended.

    Attributes:
        settled: The screen after it.
        reason: Why it is not shown; empty when it is.
    """

    settled: Settled
    reason: str = ""

    @property
    def shown(self) -> bool:
        """Whether it was seen on the tree."""
        return not self.reason


def inject(device: Device, planned: Planned) -> Injected:
    """Start the companion app's window and look until it is on the tree.

    Args:
        device: The device; its log has to be watched already, so that no early event is lost.
        planned: What to show.

    Returns:
        Whether it is shown; when not, the caller records the reason, and the episode counts as not
        interrupted.

    Raises:
        DeviceError: The device is gone.
    """
    reason = ""
    try:
        device.apps.start(component=SHOW, extras=planned.extras)
    except CommandFailed as error:
        reason = str(error)
    settled = device.settle()
    for _ in range(_LOOKS):
        if on_screen(settled.reading.tree, planned):
            return Injected(settled)
        if reason:
            break
        settled = device.settle()
    front = device.focus()
    return Injected(settled, reason or f"{PACKAGE} did not come to the front; {front} is there")
