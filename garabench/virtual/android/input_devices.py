"""The phone's input devices as Linux offers them: a touch screen of protocol B, and keys.

Sources: Linux ``Documentation/input/multi-touch-protocol.rst``, ``input-event-codes.h``, and AOSP's
``InputReader`` for the rotation of touches. What a person does with the phone comes through these devices;
what the command ``input`` does is injected above them, as on Android.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from garabench.virtual.android.phone_interface import PhoneInterface

EV_SYN, EV_KEY, EV_ABS, EV_SW = 0, 1, 3, 5
SYN_REPORT, BTN_TOUCH = 0, 0x14A
SLOT, TOUCH_MAJOR, POSITION_X, POSITION_Y, TRACKING_ID, PRESSURE = 0x2F, 0x30, 0x35, 0x36, 0x39, 0x3A
TOUCHSCREEN, KEYS = "/dev/input/event1", "/dev/input/event0"
DEVICE_NAMES = {KEYS: "gpio-keys", TOUCHSCREEN: "virtual_touchscreen"}
_SLOTS = 10
_NONE = -1
_MAX_ID = 0xFFFF
_DOWN, _UP, _MOVE = 0, 1, 2
_KEY_CODES: Mapping[int, int] = {
    **{28: 66, 102: 3, 114: 25, 115: 24, 116: 26, 139: 82, 158: 4, 172: 3, 217: 84},
    **{14: 67, 15: 61, 57: 62, 103: 19, 108: 20, 105: 21, 106: 22, 580: 187},
}
"""Android's key codes by Linux's (``Generic.kl``)."""


@dataclass(frozen=True, slots=True)
class RawEvent:
    """An event of a device.

    Attributes:
        device: Path of the device.
        type, code, value: As in ``struct input_event``; the value is signed.
        time_ms: Time since boot.
    """

    device: str
    type: int
    code: int
    value: int
    time_ms: int


@dataclass(frozen=True, slots=True)
class AxisInfo:
    """An axis of a device: its current value and range."""

    value: int
    low: int
    high: int


@dataclass(slots=True)
class _Contact:
    """A slot of the touch screen; its position outlasts a contact."""

    tracking_id: int = _NONE
    x: int = 0
    y: int = 0
    pressure: int = 0
    major: int = 0
    down: bool = False


@dataclass(slots=True)
class _Slots:
    """The slots, and the one that events are about."""

    current: int = 0
    contacts: list[_Contact] = field(default_factory=lambda: [_Contact() for _ in range(_SLOTS)])


class InputDevices:
    """The devices under ``/dev/input``.

    Readers get the events that a person or ``sendevent`` causes, and touches and keys have their effect.
    """

    def __init__(self, phone: PhoneInterface) -> None:
        self._phone = phone
        self._subscribers: list[Callable[[RawEvent], None]] = []
        self.reset()

    def reset(self) -> None:
        """Lift all fingers without an effect."""
        self._slots = _Slots()
        self._next_id = 1

    def subscribe(self, subscriber: Callable[[RawEvent], None]) -> Callable[[], None]:
        """Observe events; return a function that unsubscribes."""
        self._subscribers.append(subscriber)
        return lambda: self._subscribers.remove(subscriber)

    @property
    def axes(self) -> Mapping[int, AxisInfo]:
        """The axes of the touch screen, in pixels of the natural orientation."""
        size, contact = self._phone.display.natural, self._slots.contacts[self._slots.current]
        return {
            SLOT: AxisInfo(self._slots.current, 0, _SLOTS - 1),
            TOUCH_MAJOR: AxisInfo(contact.major, 0, 255),
            POSITION_X: AxisInfo(contact.x, 0, size.width - 1),
            POSITION_Y: AxisInfo(contact.y, 0, size.height - 1),
            TRACKING_ID: AxisInfo(0, 0, _MAX_ID),
            PRESSURE: AxisInfo(contact.pressure, 0, 255),
        }

    def write(self, device: str, kind: int, code: int, value: int) -> None:
        """Write an event to a device; a report of the touch screen moves, sets or lifts a finger.

        As in Linux, an axis that does not change causes no event.
        """
        signed = (value & 0xFFFFFFFF) - (1 << 32) if value & 0x80000000 else value & 0xFFFFFFFF
        if device == TOUCHSCREEN and kind == EV_ABS and not self._set_axis(code, signed):
            return
        self._tell(RawEvent(device, kind, code, signed, self._phone.clock.uptime_ms))
        if kind == EV_KEY and signed == 1 and code in _KEY_CODES:
            self._phone.input.key(_KEY_CODES[code])
        elif device == TOUCHSCREEN and (kind, code) == (EV_SYN, SYN_REPORT):
            self._report()

    def _tell(self, event: RawEvent) -> None:
        for subscriber in list(self._subscribers):
            subscriber(event)

    def _set_axis(self, code: int, value: int) -> bool:
        """Set an axis of the current slot; return whether it changes."""
        slots, contact = self._slots, self._slots.contacts[self._slots.current]
        match code:
            case _ if code == SLOT:
                if not 0 <= value < _SLOTS or value == slots.current:
                    return False
                slots.current = value
            case _ if code == TRACKING_ID:
                if value == contact.tracking_id:
                    return False
                contact.tracking_id = value
            case _ if code == POSITION_X:
                changed, contact.x = value != contact.x, value
                return changed
            case _ if code == POSITION_Y:
                changed, contact.y = value != contact.y, value
                return changed
            case _ if code == PRESSURE:
                changed, contact.pressure = value != contact.pressure, value
                return changed
            case _ if code == TOUCH_MAJOR:
                changed, contact.major = value != contact.major, value
                return changed
        return True

    def _report(self) -> None:
        """Perform what has changed since the last report, for the first finger."""
        contact = next(
            (each for each in self._slots.contacts if each.down or each.tracking_id != _NONE), None
        )
        if contact is None:
            return
        touching = contact.tracking_id != _NONE
        action = (_MOVE if contact.down else _DOWN) if touching else _UP
        contact.down = touching
        self._phone.input.motion(action, *self._on_screen(contact.x, contact.y))

    def _on_screen(self, x: int, y: int) -> tuple[int, int]:
        """Return the point on the rotated screen for one on the natural screen."""
        display = self._phone.display
        natural, size = display.natural, display.size
        x, y = x * size.width // natural.width, y * size.height // natural.height
        match display.rotation:
            case 1:
                return y, size.width - 1 - x
            case 2:
                return size.width - 1 - x, size.height - 1 - y
            case 3:
                return size.height - 1 - y, x
        return x, y

    def _on_panel(self, x: int, y: int) -> tuple[int, int]:
        """Return the point on the natural screen for one on the rotated screen."""
        display = self._phone.display
        natural, size = display.natural, display.size
        match display.rotation:
            case 1:
                x, y = size.width - 1 - y, x
            case 2:
                x, y = size.width - 1 - x, size.height - 1 - y
            case 3:
                x, y = y, size.height - 1 - x
        return x * natural.width // size.width, y * natural.height // size.height

    def show_touch(self, points: Sequence[tuple[int, int]]) -> None:
        """Send readers the events of a finger along some points of the screen, without another effect."""
        if not self._subscribers:
            return
        before: dict[int, int] = {}
        for number, point in enumerate(points):
            x, y = self._on_panel(*point)
            values = {TRACKING_ID: self._next_id, POSITION_X: x, POSITION_Y: y, PRESSURE: 60, TOUCH_MAJOR: 8}
            for code, value in values.items():
                if before.get(code) != value:
                    self._show(EV_ABS, code, value)
            before = values
            if number == 0:
                self._show(EV_KEY, BTN_TOUCH, 1)
            self._show(EV_SYN, SYN_REPORT, 0)
        self._next_id = self._next_id % _MAX_ID + 1
        self._show(EV_ABS, TRACKING_ID, _NONE)
        self._show(EV_KEY, BTN_TOUCH, 0)
        self._show(EV_SYN, SYN_REPORT, 0)

    def _show(self, kind: int, code: int, value: int) -> None:
        self._tell(RawEvent(TOUCHSCREEN, kind, code, value, self._phone.clock.uptime_ms))
