"""What the ADB services need of the phone behind them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from garabench.virtual.adb.keys import KeyStore
from garabench.virtual.adb.sync import SyncFiles

if TYPE_CHECKING:
    from garabench.virtual.adb.reverse import Reverses

Write = Callable[[bytes], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Picture:
    """A screen as the framebuffer service sends it.

    Attributes:
        width, height: In pixels.
        rgba: Four bytes a pixel, row by row.
    """

    width: int
    height: int
    rgba: bytes

    def __post_init__(self) -> None:
        if len(self.rgba) != self.width * self.height * 4:
            raise ValueError("a picture has four bytes a pixel")


class Duplex(Protocol):
    """A stream of bytes in both directions."""

    async def read(self) -> bytes:
        """Some bytes, or none at the end."""
        ...

    async def write(self, data: bytes) -> None:
        """Send bytes; returns when they have been taken in."""
        ...

    async def close(self) -> None:
        """End the stream."""
        ...


LocalService = Callable[[Duplex], Awaitable[None]]
"""A service on the phone: it is given the stream, and runs until it is over."""


class Host(Protocol):
    """The phone behind an ADB connection."""

    @property
    def properties(self) -> Mapping[str, str]:
        """``ro.product.name``, ``ro.product.model``, ``ro.product.device``, for the banner."""
        ...

    @property
    def features(self) -> tuple[str, ...]:
        """What adbd advertises."""
        ...

    @property
    def files(self) -> SyncFiles:
        """The file system, for the sync service."""
        ...

    async def shell(
        self, line: str, stdin: AsyncIterator[bytes], out: Write, err: Write, *, pty: bool
    ) -> int:
        """Run a shell line (an interactive shell for an empty one); its exit status.

        Cancelling it ends the command, as closing its stream does on Android.
        """
        ...

    async def screen(self) -> Picture:
        """The screen, for the framebuffer service."""
        ...

    def reboot(self) -> None:
        """Restart the phone: what runs ends, what lasts stays, connections break off."""
        ...

    def local(self, service: str) -> LocalService | None:
        """What listens at ``tcp:9008``, ``localabstract:name``, …; None when nobody does."""
        ...

    @property
    def keys(self) -> KeyStore:
        """The keys of adb servers; they count while the fault ``unauthorized`` is on."""
        ...

    @property
    def reverses(self) -> Reverses:
        """What ``adb reverse`` has set up."""
        ...

    def trouble(self, name: str) -> Mapping[str, Any] | None:
        """The parameters of a fault of the transport while it is on, else None."""
        ...

    def watch(self, changed: Callable[[str, bool], None]) -> None:
        """Have a function called with name and state whenever a fault is switched."""
        ...
