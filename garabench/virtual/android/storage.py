"""Storage: how much of ``/data`` is free, and when ``DeviceStorageMonitorService`` warns."""

from __future__ import annotations

from garabench.virtual.android.phone_interface import PhoneInterface

DATA_KB = 112_345_678
"""Size of ``/data``."""
_USED_KB = 62_000_000
_LOW_KB, _FULL_KB = 90_000, 2_048
CHECK_MS = 60_000
"""The service checks the storage once a minute."""
_ANDROID = "android"


class Storage:
    """The storage's state.

    Attributes:
        low: Whether storage is low, which Android reports in a notification.
        checks: Number of state changes.
    """

    def __init__(self, phone: PhoneInterface) -> None:
        self._phone = phone
        self.low = False
        self.checks = 0
        self._warning = 0

    @property
    def free_kb(self) -> int:
        """Free space on ``/data``, in KiB; almost nothing with the fault ``no-space``."""
        if self._phone.faults.active("no-space") is not None:
            return _FULL_KB
        return _LOW_KB if self.low else DATA_KB - _USED_KB

    def force(self, *, low: bool, at_once: bool) -> int:
        """Force the result of the next check.

        Args:
            low: Whether storage is low.
            at_once: Whether to check now.

        Returns:
            The number of state changes.
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
