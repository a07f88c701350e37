"""``network`` and ``redir`` of the emulator console: speed, latency and redirected ports.

Source: ``external/qemu/android/android-emu/android/console.cpp`` of AOSP.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from garabench.virtual.android.phone import Phone
from garabench.virtual.console.command_language import ConsoleCommand, ConsoleRefusedError
from garabench.virtual.console.port_redirects import PortRedirects, Redirect, RedirectError

_SPEEDS = {
    **{"gsm": (14_400, 14_400), "hscsd": (14_400, 57_600), "gprs": (28_800, 57_600)},
    **{"edge": (473_600, 473_600), "umts": (384_000, 384_000), "hsdpa": (5_760_000, 13_980_000)},
    **{"lte": (58_000_000, 173_000_000), "evdo": (75_000_000, 280_000_000), "full": (0, 0)},
}
"""Bits per second sent and received by name (``android_netspeeds``)."""
_DELAYS = {
    **{"gsm": (150, 550), "hscsd": (80, 400), "gprs": (35, 200), "edge": (80, 400), "umts": (35, 200)},
    **{"hsdpa": (0, 0), "lte": (0, 0), "evdo": (0, 0), "none": (0, 0)},
}
"""Milliseconds by name (``android_netdelays``)."""
_MAX_PORT = 65535


def _port(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and 0 < int(text) <= _MAX_PORT else None


def _pair(text: str) -> tuple[int, int] | None:
    """Return the numbers of ``N`` or ``N:M``; a single one counts for both; None for any other text."""
    found = re.fullmatch(r"(\d{1,9})(?::(\d{1,9}))?", text, re.ASCII)
    return None if found is None else (int(found[1]), int(found[2] or found[1]))


class NetworkCommands:
    """The commands ``network`` and ``redir`` for a phone."""

    def __init__(self, phone: Phone, redirects: PortRedirects) -> None:
        """Create the commands.

        Args:
            phone: The phone.
            redirects: Its redirections of ports.
        """
        self._phone = phone
        self._redirects = redirects
        command = ConsoleCommand
        self.network = command(
            "network",
            "manage network settings",
            "allows you to manage the settings related to the network data connection of the\n"
            "emulated device.",
            commands=(
                command("status", "dump network status", handler=self._network_status),
                command("speed", "change network speed", handler=self._network_speed),
                command("delay", "change network latency", handler=self._network_delay),
            ),
        )
        self.redir = command(
            "redir",
            "manage port redirections",
            "allows you to add, list and remove UDP and/or PORT redirection from the host to the device",
            commands=(
                command("list", "list current redirections", handler=self._redir_list),
                command("add", "add new redirection", handler=self._redir_add),
                command("del", "remove existing redirection", handler=self._redir_del),
            ),
        )

    def _redir_list(self, args: str) -> str:
        rows = [f"{each.protocol}:{each.host_port:<5} => {each.phone_port:<5}\n" for each in self._redirects]
        return "".join(rows) or "no active redirections\n"

    def _redir_add(self, args: str) -> str:
        match args.split(":"):
            case ["tcp" | "udp" as protocol, first, second]:
                host_port, phone_port = _port(first), _port(second)
                if host_port is not None and phone_port is not None:
                    self._redirect(lambda: self._redirects.add(Redirect(protocol, host_port, phone_port)))
                    return ""
        raise ConsoleRefusedError("bad redirection format, try (tcp|udp):hostport:guestport")

    def _redir_del(self, args: str) -> str:
        match args.split(":"):
            case ["tcp" | "udp" as protocol, first]:
                host_port = _port(first)
                if host_port is not None:
                    self._redirect(lambda: self._redirects.remove(protocol, host_port))
                    return ""
        raise ConsoleRefusedError("bad redirection format, try (tcp|udp):hostport")

    def _redirect(self, change: Callable[[], None]) -> None:
        try:
            change()
        except RedirectError as error:
            raise ConsoleRefusedError(str(error)) from error

    def _network_status(self, args: str) -> str:
        sent, received = (f"{bits:8d} bits/s ({bits / 8192:.1f} KB/s)" for bits in self._phone.network.speed)
        least, greatest = self._phone.network.delay_ms
        return (
            f"Current network status:\n  download speed:   {received}\n  upload speed:     {sent}\n"
            f"  minimum latency:  {least} ms\n  maximum latency:  {greatest} ms\n"
        )

    def _network_speed(self, args: str) -> str:
        if not args:
            raise ConsoleRefusedError("missing <speed> argument, see 'help network speed'")
        speed = _SPEEDS.get(args) or _pair(args)
        if speed is None:
            raise ConsoleRefusedError("invalid <speed> argument, see 'help network speed' for valid values")
        # numbers are kilobits, names are known in bits
        self._phone.network.speed = speed if args in _SPEEDS else (speed[0] * 1000, speed[1] * 1000)
        return ""

    def _network_delay(self, args: str) -> str:
        if not args:
            raise ConsoleRefusedError("missing <delay> argument, see 'help network delay'")
        delay = _DELAYS.get(args) or _pair(args)
        if delay is None:
            raise ConsoleRefusedError("invalid <delay> argument, see 'help network delay' for valid values")
        self._phone.network.delay_ms = delay
        return ""
