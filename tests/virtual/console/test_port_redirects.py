"""Redirections of ports of this machine to the phone's, as Android's emulator sets them up (``redir``)."""

from __future__ import annotations

import asyncio
import socket

import pytest

from garabench.virtual.adb.duplex import Duplex, LocalService
from garabench.virtual.android.device_profile import Profile
from garabench.virtual.android.phone import Phone
from garabench.virtual.console.port_redirects import PortRedirects, Redirect, RedirectError
from garabench.virtual.phone_backend import PhoneBackend


async def _shout(stream: Duplex) -> None:
    await stream.write((await stream.read()).upper())


class _Backend(PhoneBackend):
    def local_service(self, service: str) -> LocalService | None:
        return _shout if service == "tcp:7000" else None


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


async def _ask(port: int) -> bytes:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"hello")
    try:
        return await reader.read()
    except ConnectionError:
        return b""
    finally:
        writer.close()


def test_a_redirected_port_reaches_what_listens_on_the_phone() -> None:
    async def use() -> None:
        redirects = PortRedirects(_Backend(Phone(Profile.parse("android-34"), apps=())))
        port, nobody = _free_port(), _free_port()
        redirects.add(Redirect("tcp", port, 7000))
        with pytest.raises(RedirectError, match="host port already active"):
            redirects.add(Redirect("tcp", port, 7001))
        assert await _ask(port) == b"HELLO"
        redirects.add(Redirect("tcp", nobody, 7001))
        assert await _ask(nobody) == b""
        assert list(redirects) == [Redirect("tcp", port, 7000), Redirect("tcp", nobody, 7001)]
        redirects.remove("tcp", port)
        with pytest.raises(OSError, match="Connect call failed"):
            await _ask(port)
        redirects.add(Redirect("tcp", port, 7000))  # the port is free at once
        assert await _ask(port) == b"HELLO"
        redirects.close()

    asyncio.run(use())


def test_a_port_in_use_is_refused() -> None:
    redirects = PortRedirects(PhoneBackend(Phone(Profile.parse("android-34"), apps=())))
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        with pytest.raises(RedirectError, match="port probably used by another program"):
            redirects.add(Redirect("tcp", other.getsockname()[1], 1))
    port = _free_port()
    redirects.add(Redirect("udp", port, 53))
    redirects.remove("udp", port)
    with pytest.raises(RedirectError, match="unknown redirection"):
        redirects.remove("udp", port)
