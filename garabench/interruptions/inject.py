"""Inject an interruption and verify on the tree that it is shown; fall back to a second delivery method."""

from __future__ import annotations

import dataclasses
import re
from dataclasses import dataclass

from garabench.core.companion_app import COMMANDS, LOG_TAG, NOTIFY, PACKAGE, PERMISSION, PERMISSION_SDK, SHOW
from garabench.core.injection import Delivery, DeliveryMethod, FailedAttempt, FailureKind
from garabench.device import foreground
from garabench.device.device import Device
from garabench.device.logs import parse_threadtime
from garabench.device.settle import Settled
from garabench.errors import CommandError, TreeUnavailableError
from garabench.interruptions.lifecycle import on_screen, parse_companion_event
from garabench.interruptions.planned_interruption import PlannedInterruption

METHODS = (DeliveryMethod.ACTIVITY, DeliveryMethod.NOTIFICATION)
"""The delivery methods, in the order in which they are tried."""
LIMIT = 8.0
"""Seconds until an attempt must be visible on the tree, from the start of the companion app's window."""
_OBSERVATIONS = 5
_PAUSE = 0.25
_RESULT = re.compile(r'result=-?\d+, data="(?P<data>.*)"')


@dataclass(frozen=True, slots=True)
class InjectionResult:
    """The result of an injection.

    Attributes:
        settled: The screen afterwards; None if it cannot be read.
        token: The token under which the companion app logs the events of the last attempt.
        method: Delivery method of the last attempt.
        tries: The failed attempts, in order.
        seconds: Time from the first attempt until it was seen on a tree; None if it was not.
    """

    settled: Settled | None
    token: str
    method: DeliveryMethod = DeliveryMethod.ACTIVITY
    tries: tuple[FailedAttempt, ...] = ()
    seconds: float | None = None

    @property
    def shown(self) -> bool:
        """Whether it was seen on the tree."""
        return self.seconds is not None

    @property
    def reason(self) -> str:
        """Why each attempt failed; empty if the interruption is shown."""
        if self.shown:
            return ""
        if len(self.tries) == 1:
            return self.tries[0].reason
        return "; ".join(f"by {each.method.value}: {each.reason}" for each in self.tries)

    @property
    def delivery(self) -> Delivery:
        """The delivery, for the record, with the failure kind of the first attempt."""
        kind = None if self.shown else self.tries[0].kind
        return Delivery(self.token, self.method, self.tries, self.seconds, kind, self.reason)


def inject(device: Device, planned: PlannedInterruption) -> InjectionResult:
    """Start the companion app's window and wait for it on the tree; failing that, post a notification.

    The second attempt has its own token, so that events of the first window, which it may replace, do not
    count as an answer.

    Args:
        device: The device; its log must already be watched, so that no early event is lost.
        planned: What to show.

    Returns:
        Whether it is shown. If not, the caller records the reasons, and the episode counts as not
        interrupted.

    Raises:
        DeviceError: The device is gone.
    """
    started = device.clock.monotonic()
    tries: list[FailedAttempt] = []
    for number, method in enumerate(METHODS, start=1):
        sent = dataclasses.replace(planned, token=attempt_token(planned.token, number))
        failed = _start(device, sent) if method is DeliveryMethod.ACTIVITY else _notify(device, sent)
        hopeless = failed is not None and failed.kind is not FailureKind.FULL_SCREEN_REFUSED
        settled, seen = _wait_until_shown(device, sent, method, once=hopeless)
        if seen is not None:
            return InjectionResult(settled, sent.token, method, tuple(tries), seen - started)
        tries.append(_diagnose(device, method, sent.token, failed))
        if not tries[-1].kind.notification_may_help:
            break
    return InjectionResult(settled, sent.token, method, tuple(tries))


def attempt_token(token: str, number: int) -> str:
    """Return the token of an attempt, by its number from 1."""
    return token if number == 1 else f"{token}-{number}"


def _start(device: Device, planned: PlannedInterruption) -> FailedAttempt | None:
    """Start the window; return why Android refused, or None."""
    try:
        device.apps.start(component=SHOW, extras=planned.extras)
    except CommandError as error:
        return _failed(DeliveryMethod.ACTIVITY, FailureKind.START_REFUSED, str(error))
    return None


def _notify(device: Device, planned: PlannedInterruption) -> FailedAttempt | None:
    """Have the companion app post a notification; return why that failed, or None."""
    result = _request_notification(device, planned)
    if result == "notifications-off" and device.info.sdk >= PERMISSION_SDK:
        # `device setup` grants it, too. Granting has no effect if the user switched notifications off.
        granted = device.adb.shell(["pm", "grant", PACKAGE, PERMISSION])
        if granted.failed:
            reason = (
                f"notifications of {PACKAGE} are switched off, and could not be allowed: {granted.reason}"
            )
            return _failed(DeliveryMethod.NOTIFICATION, FailureKind.NOTIFICATION_REFUSED, reason)
        result = _request_notification(device, planned)
    if result == "posted":
        return None
    if result == "no-full-screen":
        setup = f"garabench device setup {device.info.serial}"
        reason = f"{PACKAGE} is not allowed to use full-screen intents; allow them with: {setup}"
        return _failed(DeliveryMethod.NOTIFICATION, FailureKind.FULL_SCREEN_REFUSED, reason)
    if result.startswith("error:"):
        error = result.removeprefix("error:")
        return _failed(
            DeliveryMethod.NOTIFICATION, FailureKind.BAD_SPEC, f"the companion app reported: {error}"
        )
    if result == "notifications-off":
        reason = f"notifications of {PACKAGE} are switched off"
        return _failed(DeliveryMethod.NOTIFICATION, FailureKind.NOTIFICATION_REFUSED, reason)
    reason = f"{PACKAGE} does not respond to a broadcast: {result}"
    return _failed(DeliveryMethod.NOTIFICATION, FailureKind.START_REFUSED, reason)


def _request_notification(device: Device, planned: PlannedInterruption) -> str:
    """Broadcast the request and return the data of the result, or else the reason why there is none."""
    extras = [word for key, value in planned.extras.items() for word in ("--es", key, value)]
    sent = device.adb.shell([*NOTIFY, "-n", COMMANDS, *extras])
    match = _RESULT.search(sent.output)
    return match["data"] if match else sent.reason


def _wait_until_shown(
    device: Device, planned: PlannedInterruption, method: DeliveryMethod, *, once: bool
) -> tuple[Settled | None, float | None]:
    """Wait for the interruption; return the last screen, and when it was first seen (None if it was not)."""
    try:
        return _observe_until_shown(device, planned, method, once=once)
    except TreeUnavailableError:  # for example, the screen is off
        return None, None


def _observe_until_shown(
    device: Device, planned: PlannedInterruption, method: DeliveryMethod, *, once: bool
) -> tuple[Settled, float | None]:
    notified = method is DeliveryMethod.NOTIFICATION
    started = device.clock.monotonic()
    for number in range(1, _OBSERVATIONS + 1):
        reading = device.read_tree()
        seen = device.clock.monotonic()
        visible_at_once = on_screen(reading.tree, planned, notified=notified)
        settled = device.settle(first=reading)
        if on_screen(settled.reading.tree, planned, notified=notified):
            return settled, seen if visible_at_once else device.clock.monotonic()
        if once or number == _OBSERVATIONS or device.clock.monotonic() - started >= LIMIT:
            break
        device.wait(_PAUSE * number)
    return settled, None


def _diagnose(
    device: Device, method: DeliveryMethod, token: str, refused: FailedAttempt | None
) -> FailedAttempt:
    """Determine why an attempt is not shown, as far as the device reveals it."""
    if not device.apps.installed(PACKAGE):
        return _failed(method, FailureKind.NOT_INSTALLED, f"the companion app {PACKAGE} is not installed")
    if refused is not None:
        return refused
    if error := _error(device, token):
        return _failed(method, FailureKind.BAD_SPEC, f"the companion app reported: {error}")
    if method is DeliveryMethod.ACTIVITY and (logged := foreground.read_refusal(device.adb, SHOW)):
        return _failed(method, FailureKind.START_REFUSED, f"Android refused to start it: {logged}")
    return _failed(method, *cover_reason(foreground.read_foreground(device.adb)))


def cover_reason(now: foreground.Foreground) -> tuple[FailureKind, str]:
    """Return what covers the companion app's window: the kind of failure, and a description."""
    ours = now.resumed is not None and now.resumed.package == PACKAGE
    if not now.awake:
        return FailureKind.SCREEN_OFF, "the screen is off"
    if now.locked:
        return FailureKind.SECURE_SCREEN, "the lock screen is up"
    if now.title.startswith(f"{PACKAGE}/"):
        return FailureKind.TIMEOUT, f"{PACKAGE} is in the foreground, but without the interruption's texts"
    behind = ", and the companion app's window is behind it" if ours else ""
    if now.secure:
        return FailureKind.SECURE_SCREEN, f"a secure window is in the foreground: {now.title}{behind}"
    if now.title:
        return FailureKind.DIALOG_ON_TOP, f"another window is in the foreground: {now.title}{behind}"
    where = f"{PACKAGE} is resumed" if ours else "the window is not visible"
    return FailureKind.TIMEOUT, f"{where}, and no window has the focus"


def _error(device: Device, token: str) -> str:
    """Return the error that the companion app logged for a token, or empty."""
    result = device.adb.shell(["logcat", "-d", "-v", "threadtime", "-s", f"{LOG_TAG}:V"])
    for line in parse_threadtime(result.stdout):
        event = parse_companion_event(line.message)
        if event is not None and event.token == token and event.event.startswith("error:"):
            return event.event.removeprefix("error:")
    return ""


def _failed(method: DeliveryMethod, kind: FailureKind, reason: str) -> FailedAttempt:
    return FailedAttempt(method=method, kind=kind, reason=reason)
