"""Inject an interruption and prove on the tree that it is there, within a limit, by one way or by another."""

from __future__ import annotations

import dataclasses
import re
from dataclasses import dataclass

from garabench.core.injection import FailedTry, FailureKind, Sent, Way
from garabench.device import front
from garabench.device.device import Device
from garabench.device.logs import parse_threadtime
from garabench.device.settle import Settled
from garabench.errors import CommandFailed, TreeUnavailable
from garabench.interruptions.lifecycle import on_screen, parse_event
from garabench.interruptions.plan import (
    COMMANDS,
    LOG_TAG,
    NOTIFY,
    PACKAGE,
    PERMISSION,
    PERMISSION_SDK,
    SHOW,
    Planned,
)

WAYS = (Way.ACTIVITY, Way.NOTIFICATION)
"""In the order in which they are tried."""
LIMIT = 8.0
"""Seconds in which a try has to be seen on the tree, counted from the start of the companion app's window."""
_LOOKS = 5
_PAUSE = 0.25
_ANSWER = re.compile(r'result=-?\d+, data="(?P<data>.*)"')


@dataclass(frozen=True, slots=True)
class Injected:
    """How an injection ended.

    Attributes:
        settled: The screen after it; None where it cannot be read.
        token: Under which the companion app logs what happens to what was sent last.
        way: By which way that was sent.
        tries: Those that failed, in order: all that were made when it is not shown.
        seconds: From the first try until it was seen on a tree; None when it is not shown.
    """

    settled: Settled | None
    token: str
    way: Way = Way.ACTIVITY
    tries: tuple[FailedTry, ...] = ()
    seconds: float | None = None

    @property
    def shown(self) -> bool:
        """Whether it was seen on the tree."""
        return self.seconds is not None

    @property
    def reason(self) -> str:
        """Why it is not shown, of each try; empty when it is."""
        if self.shown:
            return ""
        if len(self.tries) == 1:
            return self.tries[0].reason
        return "; ".join(f"by {each.way.value}: {each.reason}" for each in self.tries)

    @property
    def sent(self) -> Sent:
        """How it was sent, for the record; of several kinds that of the first try."""
        kind = None if self.shown else self.tries[0].kind
        return Sent(self.token, self.way, self.tries, self.seconds, kind, self.reason)


def inject(device: Device, planned: Planned) -> Injected:
    """Start the companion app's window and look until it is on the tree; else have it post a notification.

    What is sent the second way has a token of its own: what becomes of a first window, which it may replace,
    is not taken for an answer.

    Args:
        device: The device; its log has to be watched already, so that no early event is lost.
        planned: What to show.

    Returns:
        Whether it is shown; when not, the caller records the reasons, and the episode counts as not
        interrupted.

    Raises:
        DeviceError: The device is gone.
    """
    begun = device.clock.monotonic()
    tries: list[FailedTry] = []
    for number, way in enumerate(WAYS, start=1):
        sent = dataclasses.replace(planned, token=again(planned.token, number))
        failed = _start(device, sent) if way is Way.ACTIVITY else _notify(device, sent)
        gone = failed is not None and failed.kind is not FailureKind.FULL_SCREEN_REFUSED
        settled, seen = _look(device, sent, way, once=gone)
        if seen is not None:
            return Injected(settled, sent.token, way, tuple(tries), seen - begun)
        tries.append(_why(device, way, sent.token, failed))
        if not tries[-1].kind.another_way:
            break
    return Injected(settled, sent.token, way, tuple(tries))


def again(token: str, number: int) -> str:
    """The token of the try of that number, from 1."""
    return token if number == 1 else f"{token}-{number}"


def _start(device: Device, planned: Planned) -> FailedTry | None:
    """Start the window; why Android refused it."""
    try:
        device.apps.start(component=SHOW, extras=planned.extras)
    except CommandFailed as error:
        return _failed(Way.ACTIVITY, FailureKind.START_REFUSED, str(error))
    return None


def _notify(device: Device, planned: Planned) -> FailedTry | None:
    """Have the companion app post a notification; why there is none, or none that opens the window."""
    answer = _posted(device, planned)
    if answer == "notifications-off" and device.info.sdk >= PERMISSION_SDK:
        # Whoever has not set the device up has not granted it; a person who switched them off is heard.
        device.adb.shell(["pm", "grant", PACKAGE, PERMISSION])
        answer = _posted(device, planned)
    if answer == "posted":
        return None
    if answer == "no-full-screen":
        setup = f"garabench device setup {device.info.serial}"
        why = f"{PACKAGE} may use no full-screen intents: {setup} allows them"
        return _failed(Way.NOTIFICATION, FailureKind.FULL_SCREEN_REFUSED, why)
    if answer.startswith("error:"):
        said = answer.removeprefix("error:")
        return _failed(Way.NOTIFICATION, FailureKind.BAD_SPEC, f"the companion app says: {said}")
    if answer == "notifications-off":
        why = f"the notifications of {PACKAGE} are switched off"
        return _failed(Way.NOTIFICATION, FailureKind.NOTIFICATION_REFUSED, why)
    why = f"{PACKAGE} does not answer a broadcast: {answer or 'nothing'}"
    return _failed(Way.NOTIFICATION, FailureKind.START_REFUSED, why)


def _posted(device: Device, planned: Planned) -> str:
    extras = [word for key, value in planned.extras.items() for word in ("--es", key, value)]
    output = device.adb.shell([*NOTIFY, "-n", COMMANDS, *extras]).output
    match = _ANSWER.search(output)
    return match["data"] if match else output.strip().rpartition("\n")[2]


def _look(device: Device, planned: Planned, way: Way, *, once: bool) -> tuple[Settled | None, float | None]:
    """The screen with the interruption and when it was first seen, or as it is when the limit is over."""
    try:
        return _looked(device, planned, way, once=once)
    except TreeUnavailable:  # as of a screen that is off
        return None, None


def _looked(device: Device, planned: Planned, way: Way, *, once: bool) -> tuple[Settled, float | None]:
    notified = way is Way.NOTIFICATION
    started = device.clock.monotonic()
    for number in range(1, _LOOKS + 1):
        reading = device.look()
        seen = device.clock.monotonic()
        early = on_screen(reading.tree, planned, notified=notified)
        settled = device.settle(first=reading)
        if on_screen(settled.reading.tree, planned, notified=notified):
            return settled, seen if early else device.clock.monotonic()
        if once or number == _LOOKS or device.clock.monotonic() - started >= LIMIT:
            break
        device.wait(_PAUSE * number)
    return settled, None


def _why(device: Device, way: Way, token: str, refused: FailedTry | None) -> FailedTry:
    """Why nothing is shown, as far as the device tells."""
    if not device.apps.installed(PACKAGE):
        return _failed(way, FailureKind.NOT_INSTALLED, f"the companion app {PACKAGE} is not installed")
    if refused is not None:
        return refused
    if said := _error(device, token):
        return _failed(way, FailureKind.BAD_SPEC, f"the companion app says: {said}")
    if way is Way.ACTIVITY and (logged := front.read_refusal(device.adb, SHOW)):
        return _failed(way, FailureKind.START_REFUSED, f"Android refused to start it: {logged}")
    return _failed(way, *covering(front.read(device.adb)))


def covering(now: front.Front) -> tuple[FailureKind, str]:
    """What keeps the companion app's window from being seen, and the same in words."""
    ours = now.resumed is not None and now.resumed.package == PACKAGE
    if not now.awake:
        return FailureKind.SCREEN_OFF, "the screen is off"
    if now.locked:
        return FailureKind.SECURE_SCREEN, "the lock screen is up"
    if now.title.startswith(f"{PACKAGE}/"):
        return FailureKind.TIMEOUT, f"{PACKAGE} is in front without the interruption's texts"
    behind = ", and the companion app's lies behind it" if ours else ""
    if now.secure:
        return FailureKind.SECURE_SCREEN, f"a secure window is in front: {now.title}{behind}"
    if now.title:
        return FailureKind.DIALOG_ON_TOP, f"another window is in front: {now.title}{behind}"
    where = f"{PACKAGE} is resumed" if ours else "it is not seen"
    return FailureKind.TIMEOUT, f"{where}, and no window has the focus"


def _error(device: Device, token: str) -> str:
    """The error that the companion app told of that token, or empty."""
    result = device.adb.shell(["logcat", "-d", "-v", "threadtime", "-s", f"{LOG_TAG}:V"])
    for line in parse_threadtime(result.stdout):
        event = parse_event(line.message)
        if event is not None and event.token == token and event.event.startswith("error:"):
            return event.event.removeprefix("error:")
    return ""


def _failed(way: Way, kind: FailureKind, reason: str) -> FailedTry:
    return FailedTry(way=way, kind=kind, reason=reason)
