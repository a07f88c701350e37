"""A pool of virtual phones that tests borrow: starting one takes a second, resetting one a millisecond.

Tests that kill, unplug or rename a phone, or count the devices of the adb server, start their own phone.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from garabench.device.adb import Adb
from garabench.errors import GaraError
from garabench.virtual.adb_registration import connect_to_server, disconnect_from_server
from garabench.virtual.android.device_profile import Profile
from garabench.virtual.android.faults import Faults
from garabench.virtual.phone_process import VirtualPhone
from tests.waits import CLOCK

FILES = ("/data/local/tmp", "/sdcard")
"""Folders of clients' files, which a reset does not clear."""


class PhonePool:
    """Virtual phones that are reused; idle ones are disconnected from the adb server."""

    def __init__(self) -> None:
        self._idle: dict[Profile, list[VirtualPhone]] = {}

    @contextlib.contextmanager
    def borrow(self, profile: str = "android-34") -> Iterator[VirtualPhone]:
        """Lend a phone in its initial state: no faults, no files, Chinese."""
        idle = self._idle.setdefault(Profile.parse(profile), [])
        if idle:
            phone = idle.pop()
            connect_to_server(phone.serial, CLOCK)
        else:
            phone = VirtualPhone(profile).start()
        try:
            yield phone
        finally:
            try:
                _clean(phone)
            except GaraError:  # the test broke it
                phone.stop()
            else:
                disconnect_from_server(phone.serial)
                idle.append(phone)

    def stop(self) -> None:
        """Stop all phones."""
        for idle in self._idle.values():
            while idle:
                idle.pop().stop()


def _clean(phone: VirtualPhone) -> None:
    for fault in Faults.known():
        phone.fault(fault, on=False)
    phone.set_language("zh")
    phone.reset(seed=0)
    Adb(phone.serial, CLOCK).shell(["sh", "-c", "rm -rf " + " ".join(f"{folder}/*" for folder in FILES)])
