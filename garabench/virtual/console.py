"""The emulator console, one port below the adb port, which ``adb emu`` talks to.

The commands are those of Android's emulator (see its ``help``). Two ``OK`` lines precede the first answer,
because adb takes the first as the greeting and the second as the answer to its ``auth``.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable

from garabench.errors import InputError
from garabench.virtual.android.phone import Phone
from garabench.virtual.emulator_snapshots import EmulatorSnapshots
from garabench.virtual.phone_backend import PhoneBackend

_READ_SIZE = 4096
_SPEEDS = {"gsm": 14_400, "edge": 473_600, "lte": 58_000_000, "full": 0}
_DIALER, _MESSAGES = "com.android.dialer", "com.android.messaging"
_MAX_LINE = 4096
_GREETING = "Android Console: Authentication required\r\nOK\r\n"
_AUTHENTICATED = "Android Console: type 'help' for a list of commands\r\nOK\r\n"
_HELP = """Android console commands:
    help                 print this list
    ping                 check if the device is alive
    avd name|status      its name; whether it runs
    avd snapshot list            the snapshots of the running device
    avd snapshot save|load NAME  save one; continue from it
    avd snapshot del NAME        delete one
    power display        the battery's state
    power capacity N     its charge in percent
    power ac on|off      whether it charges
    network status       its speed and delay
    network delay MS     delay every packet; none for not at all
    network speed NAME   gsm, edge, lte or full
    gsm list|call N|cancel N  who calls; let a number call; let it hang up
    sms send N TEXT      let a text message arrive
    rotate               turn the device by a quarter
    kill                 end the device
    quit                 close this connection
"""


class ConsoleSession:
    """A console connection without I/O: bytes in, bytes out.

    Attributes:
        closed: Whether to close the connection.
    """

    def __init__(
        self, phone: Phone, snapshots: EmulatorSnapshots, name: str, kill: Callable[[], None]
    ) -> None:
        """Create a session.

        Args:
            phone: The phone.
            snapshots: Its snapshots, which all sessions share.
            name: Name of the emulated device (``avd name``).
            kill: Called to end the phone.
        """
        self._phone = phone
        self._snapshots = snapshots
        self._name = name
        self._kill = kill
        self._buffer = b""
        self._authenticated = False
        self.closed = False

    @property
    def greeting(self) -> bytes:
        """The greeting."""
        return _GREETING.encode()

    def receive(self, data: bytes) -> bytes:
        """Receive bytes; return the answers."""
        self._buffer += data
        answers = ""
        while not self.closed and b"\n" in self._buffer:
            line, _, self._buffer = self._buffer.partition(b"\n")
            answers += self._line(line.decode("utf-8", errors="replace").strip())
        if len(self._buffer) > _MAX_LINE:
            self.closed = True
        return answers.encode()

    def _line(self, line: str) -> str:
        argv = line.split()
        before = "" if self._authenticated else _AUTHENTICATED  # every client is accepted
        self._authenticated = True
        if argv[:1] == ["auth"] or not argv:
            return before
        return before + self._answer(argv)

    def _answer(self, argv: list[str]) -> str:
        match argv:
            case ["help" | "h" | "?", *_]:
                return _HELP.replace("\n", "\r\n") + "OK\r\n"
            case ["ping"]:
                return "I am alive!\r\nOK\r\n"
            case ["avd", "name"]:
                return f"{self._name}\r\nOK\r\n"
            case ["avd", "status"]:
                return "virtual device is running\r\nOK\r\n"
            case ["avd", "snapshot", *rest]:
                return self._snapshot(rest)
            case ["power", *rest]:
                return self._power(rest)
            case ["network", *rest]:
                return self._network(rest)
            case ["gsm", *rest]:
                return self._gsm(rest)
            case ["sms", "send", number, *text] if number.isdecimal() and text:
                self._phone.notifications.post(_MESSAGES, "message", number, " ".join(text))
                return "OK\r\n"
            case ["rotate"]:
                self._rotate()
                return "OK\r\n"
            case ["kill"]:
                self.closed = True
                self._kill()
                return "OK: killing emulator, bye bye\r\n"
            case ["quit" | "exit"]:
                self.closed = True
                return ""
        return "KO: unknown command, try 'help'\r\n"

    def _snapshot(self, argv: list[str]) -> str:
        snapshots = self._snapshots
        effects = {"save": snapshots.save, "load": snapshots.load}
        effects |= dict.fromkeys(("del", "delete"), snapshots.delete)
        try:
            match argv:
                case ["list"]:
                    return "".join(f"{line}\r\n" for line in snapshots.lines()) + "OK\r\n"
                case [verb, *words] if verb in effects and words:
                    effects[verb](" ".join(words))
                    return "OK\r\n"
                case [verb] if verb in effects:
                    return f"KO: Argument missing, try 'avd snapshot {verb} <name>'\r\n"
        except InputError as error:
            return f"KO: {error}\r\n"
        return "KO: bad sub-command\r\n"

    def _power(self, argv: list[str]) -> str:
        battery = self._phone.battery
        match argv:
            case ["display"]:
                state = "Charging" if battery.plugged else "Discharging"
                return f"AC: {'on' if battery.plugged else 'off'}line\r\nstatus: {state}\r\n" + (
                    f"health: Good\r\npresent: true\r\ncapacity: {battery.level}\r\nOK\r\n"
                )
            case ["capacity", number] if number.isascii() and number.isdigit() and int(number) <= 100:
                battery.level = int(number)
            case ["ac", "on" | "off" as state]:
                battery.plugged = state == "on"
            case _:
                return "KO: try 'power display', 'power capacity <0-100>' or 'power ac on|off'\r\n"
        self._phone.changed()
        return "OK\r\n"

    def _network(self, argv: list[str]) -> str:
        network = self._phone.network
        match argv:
            case ["status"]:
                bits, delay = network.speed, network.delay_ms
                speed = f"{bits} bits/s ({bits / 8192:.1f} KB/s)"
                return (
                    f"Current network status:\r\n  download speed:     {speed}\r\n"
                    f"  upload speed:       {speed}\r\n  minimum latency:  {delay} ms\r\n"
                    f"  maximum latency:  {delay} ms\r\nOK\r\n"
                )
            case ["delay", value] if value == "none" or value.isdecimal():
                network.delay_ms = 0 if value == "none" else int(value)
            case ["speed", name] if name in _SPEEDS:
                network.speed = _SPEEDS[name]
            case _:
                return "KO: try 'network status', 'network delay <ms>' or 'network speed <name>'\r\n"
        return "OK\r\n"

    def _gsm(self, argv: list[str]) -> str:
        calls = self._phone.network.calls
        match argv:
            case ["list"]:
                return "".join(f"inbound from {number:<10} : incoming\r\n" for number in calls) + "OK\r\n"
            case ["call", number] if number.isdecimal():
                calls.append(number)
                self._phone.notifications.post(_DIALER, "call", number, "")
            case ["cancel", number] if number in calls:
                calls.remove(number)
                self._phone.notifications.cancel_all(_DIALER)
            case _:
                return "KO: could not be done; try 'gsm list'\r\n"
        return "OK\r\n"

    def _rotate(self) -> None:
        turned = (self._phone.display.rotation + 1) % 4
        self._phone.settings.put("system", "accelerometer_rotation", "0")
        self._phone.settings.put("system", "user_rotation", str(turned))
        self._phone.changed()


async def serve_console(
    backend: PhoneBackend,
    name: str,
    port: int,
    kill: Callable[[], None],
    snapshots: EmulatorSnapshots | None = None,
) -> asyncio.Server:
    """Listen for ``adb emu`` on loopback.

    Raises:
        OSError: The port is in use.
    """
    snapshots = snapshots or EmulatorSnapshots(backend)

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        session = ConsoleSession(backend.phone, snapshots, name, kill)
        writer.write(session.greeting)
        with contextlib.suppress(ConnectionError):
            while not session.closed and (data := await reader.read(_READ_SIZE)):
                writer.write(session.receive(data))
                await writer.drain()
            writer.close()
            await writer.wait_closed()

    return await asyncio.start_server(handle, "127.0.0.1", port)
