"""A fake phone: a replaceable scene, and a record of the calls."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from PIL import Image

from garabench.core.geometry import Size
from garabench.virtual.ui.scene import Scene


class FakeFaults:
    def __init__(self) -> None:
        self.on: dict[str, dict[str, Any]] = {}

    def active(self, name: str) -> dict[str, Any] | None:
        return self.on.get(name)


class Recorder:
    """Records every method call as (name, arguments)."""

    def __init__(self, calls: list[tuple[Any, ...]]) -> None:
        self._calls = calls

    def __getattr__(self, name: str) -> Callable[..., None]:
        def note(*arguments: Any, **named: Any) -> None:
            self._calls.append((name, *arguments, *named.values()))

        return note


class Windows(Recorder):
    last_toast: tuple[str, str] | None = None


class FakePhone:
    def __init__(self, scene: Scene) -> None:
        self.calls: list[tuple[Any, ...]] = []
        self.shown = scene
        self.later: list[tuple[int, Scene]] = []
        self.ms = 0
        self.faults = FakeFaults()
        self.input = Recorder(self.calls)
        self.ime = Recorder(self.calls)
        self.settings = Recorder(self.calls)
        self.files = Recorder(self.calls)
        self.windows = Windows(self.calls)
        self.clipboard_text: str | None = None
        self.clipboard = SimpleNamespace(
            get=lambda: self.clipboard_text,
            set=lambda text, label="": setattr(self, "clipboard_text", text),
        )
        self.display = SimpleNamespace(screen_on=True, rotation=0)
        self.profile = SimpleNamespace(sdk=34, product="shiba")

    async def spend(self, ms: int) -> None:
        self.ms += ms
        while self.later and self.later[0][0] <= self.ms:
            self.shown = self.later.pop(0)[1]

    def scene(self) -> Scene:
        return self.shown

    def frame(self) -> Any:
        image = Image.new("RGB", (40, 80))
        return SimpleNamespace(
            jpeg=lambda quality: b"JPEG" * quality, png=lambda: b"PNG", image=image, size=Size(40, 80)
        )


class Pipe:
    """Both ends of a byte stream in memory, as the server sees it."""

    def __init__(self) -> None:
        self.incoming: asyncio.Queue[bytes] = asyncio.Queue()
        self.sent = bytearray()
        self.closed = False
        self.written = asyncio.Event()

    async def read(self) -> bytes:
        return await self.incoming.get()

    async def write(self, data: bytes) -> None:
        self.sent += data
        self.written.set()

    async def close(self) -> None:
        self.closed = True
