"""The services of adbd by name: ``shell:``, ``exec:``, ``sync:``, ``framebuffer:``, ``tcp:`` and others."""

from __future__ import annotations

import asyncio
import contextlib
import struct
from collections.abc import AsyncIterator, Awaitable, Callable

from garabench.virtual.adb.backend import DeviceBackend, Framebuffer
from garabench.virtual.adb.duplex import Duplex
from garabench.virtual.adb.shell_protocol import PacketId, PacketReader, ShellPacket, exit_packet
from garabench.virtual.adb.sync import SyncSession

StreamHandler = Callable[[Duplex], Awaitable[None]]
_FRAME_HEADER = struct.Struct("<14I")
_FRAME_VERSION = 2
_COLOR_SPACE = 1  # with 0, adbutils misreads the following fields
_LOCAL = ("tcp:", "localabstract:", "localreserved:", "localfilesystem:", "dev:", "local:")


def service_handler(backend: DeviceBackend, service: str) -> StreamHandler | None:
    """Return the handler of a stream, or None to refuse the stream.

    Args:
        backend: The phone.
        service: The requested service.
    """
    name, _, rest = service.partition(":")
    kind, *options = name.split(",")
    if kind == "shell":
        pty = "pty" in options or (not rest and "raw" not in options)
        if "v2" in options:
            return lambda stream: _shell_v2(backend, rest, stream, pty)
        return lambda stream: _shell(backend, rest, stream, pty)
    if kind == "exec":
        if "shell_v2" not in backend.features:
            return None  # before Android 5 there is no such service
        return lambda stream: _shell(backend, rest, stream, False)
    if kind in ("abb", "abb_exec"):
        line = " ".join(["cmd", *(_shell_quote(argument) for argument in rest.split("\0") if argument)])
        if kind == "abb":
            return lambda stream: _shell_v2(backend, line, stream, False)
        return lambda stream: _shell(backend, line, stream, False)
    if name in _PROGRAMS and "shell_v2" in backend.features:
        return lambda stream: _shell(backend, f"{name} {rest}".rstrip(), stream, False)
    if kind == "tcpip":
        invalid = not rest.isdecimal() or not 0 < int(rest) < 1 << 16
        reply = f"invalid port {rest}\n" if invalid else f"restarting in TCP mode port: {rest}\n"
        return lambda stream: stream.write(reply.encode())
    if service == "sync:":
        return lambda stream: _sync(backend, stream)
    if service == "framebuffer:":
        return lambda stream: _framebuffer(backend, stream)
    if service in _TRACKERS:
        return _track_nothing
    if service in _FIXED_REPLIES:
        return lambda stream: stream.write(_FIXED_REPLIES[service])
    if service.startswith(_LOCAL):
        return backend.local_service(service) or backend.reverses.service(service)
    return None


_PROGRAMS = ("remount", "disable-verity", "enable-verity")
"""Services that are programs of the phone (``daemon/services.cpp``)."""
_TRACKERS = ("track-jdwp", "track-app")
_FIXED_REPLIES = {
    "jdwp": b"",  # no app is debuggable
    "usb:": b"restarting in USB mode\n",
}


def _shell_quote(argument: str) -> str:
    return "'" + argument.replace("'", "'\\''") + "'"


async def _read_all(stream: Duplex) -> AsyncIterator[bytes]:
    while data := await stream.read():
        yield data


async def _track_nothing(stream: Duplex) -> None:
    """Report debuggable processes: none, until the peer closes the stream."""
    await stream.write(b"0000")
    while await stream.read():
        continue


async def _shell(backend: DeviceBackend, line: str, stream: Duplex, pty: bool) -> None:
    await backend.shell(line, _read_all(stream), stream.write, stream.write, pty=pty)


async def _shell_v2(backend: DeviceBackend, line: str, stream: Duplex, pty: bool) -> None:
    lock = asyncio.Lock()
    queue: asyncio.Queue[bytes | None] = asyncio.Queue()

    def sender(kind: PacketId) -> Callable[[bytes], Awaitable[None]]:
        async def send(data: bytes) -> None:
            async with lock:
                await stream.write(ShellPacket(kind, data).encode())

        return send

    async def stdin() -> AsyncIterator[bytes]:
        while (data := await queue.get()) is not None:
            yield data

    async def pump() -> None:
        reader = PacketReader()
        with contextlib.suppress(ValueError):  # an invalid packet ends the input, as in adbd
            while data := await stream.read():
                for packet in reader.feed(data):
                    if packet.id is PacketId.STDIN:
                        queue.put_nowait(packet.data)
                    elif packet.id is PacketId.CLOSE_STDIN:
                        queue.put_nowait(None)
        queue.put_nowait(None)

    pumping = asyncio.create_task(pump())
    try:
        status = await backend.shell(line, stdin(), sender(PacketId.STDOUT), sender(PacketId.STDERR), pty=pty)
        await stream.write(exit_packet(status))
    finally:
        pumping.cancel()


async def _sync(backend: DeviceBackend, stream: Duplex) -> None:
    session = SyncSession(backend.files)
    while not session.closed and (data := await stream.read()):
        for block in session.feed(data):
            await stream.write(block)


def frame_header(frame: Framebuffer) -> bytes:
    """Return the header of the framebuffer service, version 2: 32 bits per pixel, red first."""
    size = len(frame.rgba)
    channels = (0, 8, 16, 8, 8, 8, 24, 8)  # red, blue, green, alpha: offset and length of each
    return _FRAME_HEADER.pack(_FRAME_VERSION, 32, _COLOR_SPACE, size, frame.width, frame.height, *channels)


async def _framebuffer(backend: DeviceBackend, stream: Duplex) -> None:
    frame = await backend.screen()
    await stream.write(frame_header(frame) + frame.rgba)
