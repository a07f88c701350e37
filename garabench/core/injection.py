"""Delivery of an interruption: the method, and why it was not seen on the screen."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict


class DeliveryMethod(enum.StrEnum):
    """How the companion app's window is shown.

    Attributes:
        ACTIVITY: ``am start`` of its window.
        NOTIFICATION: A notification with a full-screen intent: Android opens the window at once, or shows a
            heads-up notification that opens the window when tapped.
    """

    ACTIVITY = "activity"
    NOTIFICATION = "notification"


class FailureKind(enum.StrEnum):
    """Why an interruption was not seen on the tree.

    Attributes:
        NOT_INSTALLED: The companion app is not on the device.
        START_REFUSED: Android or the phone's vendor refused to start its window: the activity is disabled, a
            permission is missing, or background starts are blocked.
        NOTIFICATION_REFUSED: Notifications of the companion app are switched off.
        FULL_SCREEN_REFUSED: The companion app is not allowed to use full-screen intents, and the notification
            is not shown otherwise.
        SECURE_SCREEN: The lock screen or a secure window (``FLAG_SECURE``) has the focus.
        DIALOG_ON_TOP: Another window has the focus; the companion app's is behind it or did not appear.
        SCREEN_OFF: The screen is off.
        BAD_SPEC: The companion app rejected the specification.
        LOST_DEVICE: The device was gone, or the episode ended, before it could be seen.
        NOT_IN_FORCE: A system anomaly that the device does not support, or that could not be verified.
        TIMEOUT: It was not seen within the time limit, for an unknown reason.
    """

    NOT_INSTALLED = "not-installed"
    START_REFUSED = "start-refused"
    NOTIFICATION_REFUSED = "notification-refused"
    FULL_SCREEN_REFUSED = "full-screen-refused"
    SECURE_SCREEN = "secure-screen"
    DIALOG_ON_TOP = "dialog-on-top"
    SCREEN_OFF = "screen-off"
    BAD_SPEC = "bad-spec"
    LOST_DEVICE = "lost-device"
    NOT_IN_FORCE = "not-in-force"
    TIMEOUT = "timeout"

    @property
    def notification_may_help(self) -> bool:
        """Whether a notification may succeed where a plain start failed."""
        return self in _NOTIFICATION_MAY_HELP


_NOTIFICATION_MAY_HELP = frozenset(
    {
        FailureKind.START_REFUSED,
        FailureKind.SECURE_SCREEN,
        FailureKind.DIALOG_ON_TOP,
        FailureKind.TIMEOUT,
    }
)


class FailedAttempt(BaseModel):
    """A failed attempt to show an interruption.

    Attributes:
        method: The delivery method.
        kind: Why it failed.
        reason: The reason in words, with the device's message.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    method: DeliveryMethod
    kind: FailureKind
    reason: str


@dataclass(frozen=True, slots=True)
class Delivery:
    """The delivery of an interruption, and whether it was seen in time.

    Attributes:
        token: Token of the last attempt's events; empty for the planned token.
        method: Delivery method of the last attempt.
        tries: The failed attempts, in order.
        seconds: Time from the first attempt until it was seen; None if not measured.
        kind: Why it was not seen; None if it was.
        reason: The reason in words; empty if it was seen.
        evidence: For a system anomaly, the readings that show it to be in effect.
    """

    token: str = ""
    method: DeliveryMethod = DeliveryMethod.ACTIVITY
    tries: tuple[FailedAttempt, ...] = ()
    seconds: float | None = None
    kind: FailureKind | None = None
    reason: str = ""
    evidence: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if (self.kind is None) != (not self.reason):
            raise ValueError("a failed delivery needs both a kind and a reason, a successful one neither")


DELIVERED = Delivery()
"""A delivery that succeeded at the first attempt."""
