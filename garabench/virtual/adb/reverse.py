"""``adb reverse``: ports of the phone that are forwarded to the adb server's machine."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from garabench.virtual.adb.duplex import Duplex, LocalService

Opener = Callable[[str], Awaitable[Duplex | None]]
"""Opens a stream to a service of the adb server's machine; None if it refuses."""
_FIRST_FREE_PORT = 40000
_LOCAL = re.compile(r"tcp:\d{1,5}|local(abstract|reserved|filesystem)?:[^;\0]+")
_REMOTE = re.compile(r"[a-z]+:[^;\0]+")


@dataclass(frozen=True, slots=True)
class _Listener:
    owner: object
    local: str
    remote: str
    open: Opener


class ReverseForwards:
    """The reverse forwards that adb servers have set up on one phone (AOSP ``handle_forward_request``)."""

    def __init__(self) -> None:
        self._listeners: dict[str, _Listener] = {}

    def request(self, owner: object, request: str, opener: Opener) -> bytes:
        """Handle a request.

        Args:
            owner: The requesting connection; its listeners end with it.
            request: The request after ``reverse:``, such as ``forward:tcp:9000;tcp:8000``.
            opener: Opens streams to the requester's machine.

        Returns:
            The reply: an inner OKAY (a listing has none), a resolved port, or FAIL and the reason.
        """
        verb, _, rest = request.partition(":")
        if request == "list-forward":
            rows = (listener for listener in self._listeners.values() if listener.owner is owner)
            return _string("".join(f"host-0 {listener.local} {listener.remote}\n" for listener in rows))
        if request == "killforward-all":
            self.remove_listeners(owner)
            return b"OKAY"
        if verb == "killforward":
            listener = self._listeners.get(rest)
            if listener is None or listener.owner is not owner:
                return b"FAIL" + _string(f"listener '{rest}' not found")
            del self._listeners[rest]
            return b"OKAY"
        if verb == "forward":
            return self._forward(owner, rest, opener)
        return b"FAIL" + _string(f"unknown reverse request '{request}'")

    def _forward(self, owner: object, rest: str, opener: Opener) -> bytes:
        spec = rest.removeprefix("norebind:")
        local, _, remote = spec.partition(";")
        number = int(local[4:]) if re.fullmatch(r"tcp:\d{1,5}", local) else 0
        if not _LOCAL.fullmatch(local) or not _REMOTE.fullmatch(remote) or number > 0xFFFF:
            return b"FAIL" + _string(f"bad forward: {spec}")
        port = b""
        if local == "tcp:0":
            local = f"tcp:{self._free_port()}"
            port = _string(local[4:])
        existing = self._listeners.get(local)
        if existing is not None and (spec != rest or existing.owner is not owner):
            return b"FAIL" + _string("cannot rebind existing socket")
        self._listeners[local] = _Listener(owner, local, remote, opener)
        return b"OKAY" + port

    def _free_port(self) -> int:
        return next(n for n in range(_FIRST_FREE_PORT, 0x10000) if f"tcp:{n}" not in self._listeners)

    def remove_listeners(self, owner: object) -> None:
        """Remove the listeners of a connection that has ended."""
        self._listeners = {
            k: listener for k, listener in self._listeners.items() if listener.owner is not owner
        }

    def service(self, local: str) -> LocalService | None:
        """Return the forward that listens on a port of the phone, or None."""
        listener = self._listeners.get(local)
        if listener is None:
            return None

        async def forward(near: Duplex) -> None:
            far = await listener.open(listener.remote)
            if far is not None:
                await pump(near, far)

        return forward


async def pump(near: Duplex, far: Duplex) -> None:
    """Copy bytes in both directions until both sides have ended."""

    async def copy(source: Duplex, target: Duplex) -> None:
        while data := await source.read():
            await target.write(data)
        await target.close()

    outbound, inbound = asyncio.create_task(copy(near, far)), asyncio.create_task(copy(far, near))
    try:
        # An ADB stream ends in both directions at once, so the first end ends both.
        await asyncio.wait((outbound, inbound), return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in (outbound, inbound):
            task.cancel()
        await asyncio.gather(outbound, inbound, return_exceptions=True)
        await far.close()


def _string(text: str) -> bytes:
    raw = text.encode()
    return b"%04x" % len(raw) + raw
