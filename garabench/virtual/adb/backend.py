"""The interface of the phone to the ADB services."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from garabench.virtual.adb.auth import KeyStore
from garabench.virtual.adb.duplex import LocalService
from garabench.virtual.adb.reverse import ReverseForwards
from garabench.virtual.adb.sync import SyncFiles

Write = Callable[[bytes], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Framebuffer:
    """A screenshot for the framebuffer service.

    Attributes:
        width, height: Size in pixels.
        rgba: Four bytes a pixel, row by row.
    """

    width: int
    height: int
    rgba: bytes

    def __post_init__(self) -> None:
        if len(self.rgba) != self.width * self.height * 4:
            raise ValueError("a framebuffer needs four bytes per pixel")


class DeviceBackend(Protocol):
    """The phone behind an ADB connection."""

    @property
    def properties(self) -> Mapping[str, str]:
        """``ro.product.name``, ``ro.product.model`` and ``ro.product.device``, for the banner."""
        ...

    @property
    def features(self) -> tuple[str, ...]:
        """The features that adbd advertises."""
        ...

    @property
    def files(self) -> SyncFiles:
        """The file system, for the sync service."""
        ...

    async def shell(
        self, line: str, stdin: AsyncIterator[bytes], out: Write, err: Write, *, pty: bool
    ) -> int:
        """Run a shell line (an interactive shell for an empty one); return its exit status.

        Cancellation ends the command, as closing its stream does on Android.
        """
        ...

    async def screen(self) -> Framebuffer:
        """Return the screen, for the framebuffer service."""
        ...

    def reboot(self) -> None:
        """Reboot: processes end, storage stays, connections drop."""
        ...

    def switch_user(self, *, root: bool) -> tuple[str, bool]:
        """Have adbd run as root or as the shell's user; return its reply, and whether it restarts."""
        ...

    def restart_adbd(self) -> None:
        """Restart adbd: connections drop, and new ones are accepted."""
        ...

    def local_service(self, service: str) -> LocalService | None:
        """Return the service that listens on ``tcp:9008``, ``localabstract:name``, …, or None."""
        ...

    @property
    def keys(self) -> KeyStore:
        """The keys of adb servers, checked while the fault ``unauthorized`` is on."""
        ...

    @property
    def reverses(self) -> ReverseForwards:
        """The forwards that ``adb reverse`` has set up."""
        ...

    def fault(self, name: str) -> Mapping[str, Any] | None:
        """Return the parameters of a transport fault while it is on, else None."""
        ...

    def watch(self, changed: Callable[[str, bool], None]) -> None:
        """Call a function with name and state whenever a fault is switched."""
        ...
