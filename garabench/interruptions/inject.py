"""Inject an interruption and prove on the tree that it is there, with a second try and a limit."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

from garabench.core.observation import Focus
from garabench.device.device import Device
from garabench.device.settle import Settled
from garabench.errors import CommandFailed
from garabench.interruptions.lifecycle import on_screen
from garabench.interruptions.plan import PACKAGE, SHOW, Planned

TRIES = 2
LIMIT = 8.0
"""Seconds in which a try has to be seen on the tree, counted from the start of the companion app's window."""
_LOOKS = 4


@dataclass(frozen=True, slots=True)
class Injected:
    """How an injection ended.

    Attributes:
        settled: The screen after it.
        token: Under which the companion app logs what happens to the window that was sent last.
        reason: Why it is not shown; empty when it is.
    """

    settled: Settled
    token: str
    reason: str = ""

    @property
    def shown(self) -> bool:
        """Whether it was seen on the tree."""
        return not self.reason


def inject(device: Device, planned: Planned) -> Injected:
    """Start the companion app's window and look until it is on the tree; try once more when it is not.

    A second window has a token of its own: what becomes of the first one, which it may replace, is not taken
    for an answer.

    Args:
        device: The device; its log has to be watched already, so that no early event is lost.
        planned: What to show.

    Returns:
        Whether it is shown; when not, the caller records the reason, and the episode counts as not
        interrupted.

    Raises:
        DeviceError: The device is gone.
    """
    token, refused = planned.token, ""
    for number in range(1, TRIES + 1):
        token = again(planned.token, number)
        refused = _send(device, dataclasses.replace(planned, token=token))
        settled = _look(device, planned, once=bool(refused))
        if on_screen(settled.reading.tree, planned):
            return Injected(settled, token)
    return Injected(settled, token, _reason(device, refused))


def again(token: str, number: int) -> str:
    """The token of the try of that number, from 1."""
    return token if number == 1 else f"{token}-{number}"


def _send(device: Device, planned: Planned) -> str:
    """Start the window; why Android refused it, or empty."""
    try:
        device.apps.start(component=SHOW, extras=planned.extras)
    except CommandFailed as error:
        return str(error)
    return ""


def _look(device: Device, planned: Planned, *, once: bool) -> Settled:
    """The screen with the interruption, or as it is when the limit is over."""
    started = device.clock.monotonic()
    settled = device.settle()
    for _ in range(_LOOKS - 1):
        late = device.clock.monotonic() - started >= LIMIT
        if once or late or on_screen(settled.reading.tree, planned):
            break
        settled = device.settle()
    return settled


def _reason(device: Device, refused: str) -> str:
    """Why nothing is shown, as far as the device tells."""
    if not device.apps.installed(PACKAGE):
        return f"the companion app {PACKAGE} is not installed"
    if refused:
        return refused
    front = device.focus()
    if front.package == PACKAGE:
        return f"{PACKAGE} is in front without the interruption's texts"
    return f"another window is in front: {_named(front)}"


def _named(front: Focus) -> str:
    if not front.package:
        return "one without a name"
    return str(front) if front.activity else front.package
