"""How full the storage is: what ``DeviceStorageMonitorService`` watches, and warns of."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from garabench.virtual.os.phone import Phone

CHECK_MS = 60_000
"""The service looks at the storage once a minute."""
_ANDROID = "android"


class Storage:
    """The storage's state.

    Attributes:
        low: Whether it runs out, and Android says so in a notification.
        checks: How often the state has changed.
    """

    def __init__(self, phone: Phone) -> None:
        self._phone = phone
        self.low = False
        self.checks = 0
        self._warning = 0

    def force(self, *, low: bool, at_once: bool) -> int:
        """Have the next check find it so, whatever the disk says.

        Args:
            low: Whether it runs out.
            at_once: Check now.

        Returns:
            How often the state has changed.
        """
        if at_once:
            self._check(low)
        else:
            self._phone.clock.after(CHECK_MS, lambda: self._check(low))
        return self.checks

    def _check(self, low: bool) -> None:
        if low == self.low:
            return
        self.low = low
        self.checks += 1
        notes, zh = self._phone.notifications, self._phone.lang == "zh"
        if low:
            title = "存储空间不足" if zh else "Storage space running out"
            text = "某些系统功能可能无法正常使用" if zh else "Some system functions may not work"
            self._warning = notes.post(_ANDROID, "DEVICE_ADMIN", title, text).number
        else:
            notes.cancel(self._warning)
