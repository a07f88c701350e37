"""Telephone calls, incoming and outgoing, as ``TelephonyManager`` and ``TelecomManager`` know them."""

from __future__ import annotations

import enum
from collections.abc import Iterator
from dataclasses import dataclass, replace


class CallState(enum.Enum):
    """The state of a call (AOSP ``android.telecom.Call``, ``CallState``)."""

    RINGING = "RINGING"
    DIALING = "DIALING"
    ACTIVE = "ACTIVE"
    HOLDING = "HOLDING"


@dataclass(frozen=True, slots=True)
class PhoneCall:
    """A call.

    Attributes:
        number: The other side's number.
        state: Its state.
        is_outgoing: Whether it was made on this phone.
    """

    number: str
    state: CallState
    is_outgoing: bool = False


class PhoneCalls:
    """The present calls, oldest first."""

    def __init__(self) -> None:
        self._calls: list[PhoneCall] = []

    def __iter__(self) -> Iterator[PhoneCall]:
        return iter(tuple(self._calls))

    def __len__(self) -> int:
        return len(self._calls)

    def find(self, number: str) -> PhoneCall | None:
        """Return the call with a number, or None."""
        return next((call for call in self._calls if call.number == number), None)

    def ring(self, number: str) -> None:
        """Add an incoming call."""
        self._calls.append(PhoneCall(number, CallState.RINGING))

    def dial(self, number: str) -> None:
        """Add an outgoing call, unless this number is being called already."""
        if self.find(number) is None:
            self._calls.append(PhoneCall(number, CallState.DIALING, is_outgoing=True))

    def accept(self, number: str) -> bool:
        """Connect a call, as when the other side answers; return whether there is one."""
        found = self.find(number)
        if found is not None:
            self._calls[self._calls.index(found)] = replace(found, state=CallState.ACTIVE)
        return found is not None

    def hold(self, number: str) -> bool:
        """Put a call on hold; return whether there is one."""
        found = self.find(number)
        if found is not None:
            self._calls[self._calls.index(found)] = replace(found, state=CallState.HOLDING)
        return found is not None

    def hang_up(self, number: str) -> PhoneCall | None:
        """End a call; return it, or None if there is none."""
        found = self.find(number)
        if found is not None:
            self._calls.remove(found)
        return found

    @property
    def ringing(self) -> PhoneCall | None:
        """The incoming call that nobody has answered yet, or None."""
        return next((call for call in reversed(self._calls) if call.state is CallState.RINGING), None)

    @property
    def foreground(self) -> PhoneCall | None:
        """The call in progress or being dialled, or None."""
        states = (CallState.DIALING, CallState.ACTIVE)
        return next((call for call in self._calls if call.state in states), None)

    @property
    def held(self) -> PhoneCall | None:
        """The call on hold, or None."""
        return next((call for call in self._calls if call.state is CallState.HOLDING), None)

    @property
    def state(self) -> int:
        """``TelephonyManager.CALL_STATE_…``: 0 idle, 1 ringing, 2 off the hook."""
        return 1 if self.ringing is not None else 2 if self._calls else 0
