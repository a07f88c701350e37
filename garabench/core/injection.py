"""By which way an interruption is brought to the screen, and why it may not be seen there."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict


class Way(enum.StrEnum):
    """How the companion app's window is brought up.

    Attributes:
        ACTIVITY: ``am start`` of its window.
        NOTIFICATION: A notification with a full-screen intent: Android opens the window at once, or shows the
            notification at the top of the screen, whose tap opens the window.
    """

    ACTIVITY = "activity"
    NOTIFICATION = "notification"


class FailureKind(enum.StrEnum):
    """Why an interruption was not seen on the tree.

    Attributes:
        NOT_INSTALLED: The companion app is not on the device.
        START_REFUSED: Android, or the phone's maker, let its window not be started: there is no such activity
            (switched off), no permission, or a start from the background.
        NOTIFICATION_REFUSED: Android shows no notifications of the companion app.
        FULL_SCREEN_REFUSED: Android lets the companion app use no full-screen intents, and shows the
            notification nowhere else.
        SECURE_SCREEN: The lock screen, or a window that nothing may be seen over or recorded
            (``FLAG_SECURE``), has the focus.
        DIALOG_ON_TOP: Another window has the focus, and the companion app's lies behind it or never came.
        SCREEN_OFF: The screen is off.
        BAD_SPEC: The companion app cannot show what it was told.
        LOST_DEVICE: The device was gone, or the episode broke off, before it could be seen.
        NOT_IN_FORCE: A system anomaly that the device does not have, or that was not seen to be in force.
        TIMEOUT: Nothing of it was seen within the limit, and nothing tells why.
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
    def another_way(self) -> bool:
        """Whether a notification may bring up what a plain start did not."""
        return self in _ANOTHER_WAY


_ANOTHER_WAY = frozenset(
    {
        FailureKind.START_REFUSED,
        FailureKind.SECURE_SCREEN,
        FailureKind.DIALOG_ON_TOP,
        FailureKind.TIMEOUT,
    }
)


class FailedTry(BaseModel):
    """One try to bring an interruption up, and why nothing of it was seen.

    Attributes:
        way: By which way.
        kind: Why not.
        reason: The same in a sentence, with what the device said.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    way: Way
    kind: FailureKind
    reason: str


@dataclass(frozen=True, slots=True)
class Sent:
    """How an interruption was sent, and whether it was seen in time.

    Attributes:
        token: Under which the companion app tells of what was sent last; empty for the planned one.
        way: By which way that was.
        tries: Those that failed, in order.
        seconds: From the first try until it was seen; None where that was not measured.
        kind: Why it was not seen; None when it was.
        reason: The same in words; empty when it was.
        evidence: Of a system anomaly: what was read that shows it to be in force.
    """

    token: str = ""
    way: Way = Way.ACTIVITY
    tries: tuple[FailedTry, ...] = ()
    seconds: float | None = None
    kind: FailureKind | None = None
    reason: str = ""
    evidence: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if (self.kind is None) != (not self.reason):
            raise ValueError("what was not seen has a kind and a reason, what was seen has neither")


AS_PLANNED = Sent()
"""Sent once, and seen."""
