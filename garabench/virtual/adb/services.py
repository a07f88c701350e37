"""The services of adbd by name: ``shell:``, ``exec:``, ``sync:``, ``framebuffer:``, ``tcp:`` and others."""

from __future__ import annotations

import asyncio
import contextlib
import struct
from collections.abc import AsyncIterator, Awaitable, Callable

from garabench.virtual.adb.host import Duplex, Host, Picture
from garabench.virtual.adb.shell_protocol import Id, Packet, PacketReader, exit_packet
from garabench.virtual.adb.sync import SyncSession

Job = Callable[[Duplex], Awaitable[None]]
_FRAME_HEADER = struct.Struct("<14I")
_FRAME_VERSION = 2
_COLOR_SPACE = 1  # with 0, adbutils reads the following fields one place off
_LOCAL = ("tcp:", "localabstract:", "localreserved:", "localfilesystem:", "dev:", "local:")


def serve(host: Host, service: str) -> Job | None:
    """What serves a stream, or None when the stream has to be refused.

    Args:
        host: The phone.
        service: The name that the peer asked for.
    """
    name, _, rest = service.partition(":")
    kind, *options = name.split(",")
    if kind == "shell":
        pty = "pty" in options or (not rest and "raw" not in options)
        if "v2" in options:
            return lambda stream: _shell_v2(host, rest, stream, pty)
        return lambda stream: _shell(host, rest, stream, pty)
    if kind == "exec":
        if "shell_v2" not in host.features:
            return lambda stream: stream.write(b"")  # before Android 5, exec-out gives nothing
        return lambda stream: _shell(host, rest, stream, False)
    if kind in ("abb", "abb_exec"):
        line = " ".join(["cmd", *(_quoted(word) for word in rest.split("\0") if word)])
        if kind == "abb":
            return lambda stream: _shell_v2(host, line, stream, False)
        return lambda stream: _shell(host, line, stream, False)
    if kind == "tcpip":
        wrong = not rest.isdecimal() or not 0 < int(rest) < 1 << 16
        said = f"invalid port {rest}\n" if wrong else f"restarting in TCP mode port: {rest}\n"
        return lambda stream: stream.write(said.encode())
    if service == "sync:":
        return lambda stream: _sync(host, stream)
    if service == "framebuffer:":
        return lambda stream: _framebuffer(host, stream)
    if service in _TRACKERS:
        return _track_nothing
    if service in _ANSWERS:
        return lambda stream: stream.write(_ANSWERS[service])
    if service.startswith(_LOCAL):
        return host.local(service) or host.reverses.service(service)
    return None


_TRACKERS = ("track-jdwp", "track-app")
_ANSWERS = {
    "jdwp": b"",  # no app is debuggable
    "root:": b"adbd cannot run as root in production builds\n",
    "unroot:": b"adbd not running as root\n",
    "remount:": b'Not running as root. Try "adb root" first.\n',
    "usb:": b"restarting in USB mode\n",
}


def _quoted(word: str) -> str:
    return "'" + word.replace("'", "'\\''") + "'"


async def _read_all(stream: Duplex) -> AsyncIterator[bytes]:
    while data := await stream.read():
        yield data


async def _track_nothing(stream: Duplex) -> None:
    """Tell of debuggable processes as they come and go: there are none."""
    await stream.write(b"0000")
    while await stream.read():
        continue


async def _shell(host: Host, line: str, stream: Duplex, pty: bool) -> None:
    await host.shell(line, _read_all(stream), stream.write, stream.write, pty=pty)


async def _shell_v2(host: Host, line: str, stream: Duplex, pty: bool) -> None:
    lock = asyncio.Lock()
    queue: asyncio.Queue[bytes | None] = asyncio.Queue()

    def sender(kind: Id) -> Callable[[bytes], Awaitable[None]]:
        async def send(data: bytes) -> None:
            async with lock:
                await stream.write(Packet(kind, data).encode())

        return send

    async def stdin() -> AsyncIterator[bytes]:
        while (data := await queue.get()) is not None:
            yield data

    async def pump() -> None:
        reader = PacketReader()
        with contextlib.suppress(ValueError):  # what is no packet is the end of the input, as in adbd
            while data := await stream.read():
                for packet in reader.feed(data):
                    if packet.id is Id.STDIN:
                        queue.put_nowait(packet.data)
                    elif packet.id is Id.CLOSE_STDIN:
                        queue.put_nowait(None)
        queue.put_nowait(None)

    pumping = asyncio.create_task(pump())
    try:
        status = await host.shell(line, stdin(), sender(Id.STDOUT), sender(Id.STDERR), pty=pty)
        await stream.write(exit_packet(status))
    finally:
        pumping.cancel()


async def _sync(host: Host, stream: Duplex) -> None:
    session = SyncSession(host.files)
    while not session.over and (data := await stream.read()):
        for block in session.feed(data):
            await stream.write(block)


def frame_header(picture: Picture) -> bytes:
    """The header of the framebuffer service, version 2: 32 bits a pixel, red first."""
    size = len(picture.rgba)
    channels = (0, 8, 16, 8, 8, 8, 24, 8)  # red, blue, green, alpha: offset and length of each
    return _FRAME_HEADER.pack(
        _FRAME_VERSION, 32, _COLOR_SPACE, size, picture.width, picture.height, *channels
    )


async def _framebuffer(host: Host, stream: Duplex) -> None:
    picture = await host.screen()
    await stream.write(frame_header(picture) + picture.rgba)
