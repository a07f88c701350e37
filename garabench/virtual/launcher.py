"""Start a virtual phone in a process of its own and connect it to the adb server."""

from __future__ import annotations

import contextlib
import json
import socket
import subprocess
import sys
from types import TracebackType

import adbutils
from adbutils.errors import AdbError

from garabench.core.clock import Clock, SystemClock
from garabench.errors import DeviceLost, DeviceUnreachable, HarnessError, InputError
from garabench.virtual.os.profile import Profile

_START_LIMIT = 20.0
_STATE_LIMIT = 10.0
_POLL = 0.02


def free_emulator_port() -> int:
    """An odd port of 5555 to 5585 that nobody listens on, where adb looks for emulators.

    Raises:
        HarnessError: All are taken.
    """
    for port in range(5555, 5586, 2):
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise HarnessError("all emulator ports from 5555 to 5585 are taken")


def connect_to_server(serial: str, clock: Clock) -> None:
    """Make a phone that listens known to the adb server, and wait until it is a device.

    Raises:
        DeviceUnreachable: The adb server did not take it.
    """
    adb = adbutils.AdbClient(socket_timeout=_START_LIMIT)
    try:
        if serial.startswith("emulator-"):
            connection = adb.make_connection(timeout=_START_LIMIT)
            connection.send_command(f"host:emulator:{int(serial.partition('-')[2]) + 1}")
            connection.close()
        else:
            adb.connect(serial, timeout=_START_LIMIT)
        limit = clock.monotonic() + _STATE_LIMIT
        while {each.serial: each.state for each in adb.list()}.get(serial) != "device":
            if clock.monotonic() > limit:
                raise DeviceUnreachable(f"{serial} did not become a device of the adb server")
            clock.sleep(_POLL)
    except (AdbError, OSError) as error:
        raise DeviceUnreachable(f"the adb server did not connect to {serial}: {error}") from error


class VirtualPhone:
    """A virtual phone; a context manager that starts and stops it.

    Attributes:
        serial: As ``adb devices`` lists it; empty before it has started.
    """

    def __init__(
        self,
        profile: str = "android-34",
        *,
        lang: str = "zh",
        seed: int = 0,
        latency: str = "instant",
        emulator: bool = False,
        clock: Clock | None = None,
    ) -> None:
        """Prepare; nothing is started.

        Args:
            profile: Such as ``android-34`` or ``android-30:720x1280``.
            lang: ``zh`` or ``en``.
            seed: Of everything random on it.
            latency: ``instant`` or ``phone``.
            emulator: Whether it is listed as ``emulator-5554`` and the like, as Android's emulators are.
            clock: For the waits.

        Raises:
            InputError: There is no such profile.
        """
        Profile.parse(profile)  # a wrong name is told before anything is started
        options = {"--profile": profile, "--lang": lang, "--seed": str(seed), "--latency": latency}
        self._argv = [
            sys.executable,
            "-m",
            "garabench.virtual",
            *(w for pair in options.items() for w in pair),
        ]
        self._emulator = emulator
        self._clock = clock or SystemClock()
        self._process: subprocess.Popen[str] | None = None
        self._adb = adbutils.AdbClient(socket_timeout=_START_LIMIT)
        self._told = 0
        self.serial = ""

    def start(self) -> VirtualPhone:
        """Start it and wait until the adb server says that it is a device.

        Raises:
            HarnessError: Its process did not come up.
            DeviceUnreachable: The adb server did not take it.
        """
        more = ["--emulator", "--port", str(free_emulator_port())] if self._emulator else []
        process = subprocess.Popen(
            self._argv + more,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self._process = process
        line = process.stdout.readline() if process.stdout else ""
        if not line:
            _, said = process.communicate(timeout=_START_LIMIT)
            raise HarnessError(f"the virtual phone did not start: {said.strip().splitlines()[-1:]}")
        self.serial = str(json.loads(line)["serial"])
        try:
            connect_to_server(self.serial, self._clock)
        except DeviceUnreachable:
            self.stop()
            raise
        return self

    def fault(self, name: str, *, on: bool = True, **params: object) -> None:
        """Switch a fault on or off.

        Raises:
            InputError: There is no such fault.
            HarnessError: The phone is not running.
        """
        self._tell({"fault": name, "on": on, "params": params if on else {}})

    def allow(self) -> None:
        """Accept the keys of the adb servers that wait while the fault ``unauthorized`` is on.

        Raises:
            HarnessError: The phone is not running.
        """
        self._tell({"allow": True})

    def reset(self) -> None:
        """Bring it back to the state after it was switched on; connections and pushed files stay.

        Raises:
            HarnessError: The phone is not running.
        """
        self._tell({"reset": True})

    @property
    def running(self) -> bool:
        """Whether its process is there."""
        return self._process is not None and self._process.poll() is None

    def _tell(self, command: dict[str, object]) -> None:
        """Give its process a command and wait until it has been carried out."""
        process = self._process
        if process is None or process.stdin is None or process.stdout is None:
            raise HarnessError("the virtual phone is not running")
        self._told += 1
        try:
            process.stdin.write(json.dumps(command | {"id": self._told}) + "\n")
            process.stdin.flush()
        except OSError as error:
            raise DeviceLost(f"the virtual phone {self.serial} has ended") from error
        while line := process.stdout.readline():
            answer = json.loads(line)
            if answer.get("done") == self._told:
                if "refused" in answer:
                    raise InputError(answer["refused"])
                return
        raise DeviceLost(f"the virtual phone {self.serial} has ended")

    def wait(self) -> None:
        """Block until the phone's process ends."""
        if self._process is not None:
            self._process.wait()

    def stop(self) -> None:
        """Disconnect and end it; harmless when it is not running."""
        process, self._process = self._process, None
        if process is None:
            return
        if self.serial and not self._emulator:
            with contextlib.suppress(AdbError, OSError):
                self._adb.disconnect(self.serial)
        if process.stdin:
            process.stdin.close()
        try:
            process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait(timeout=5)
        for stream in (process.stdout, process.stderr):
            if stream:
                stream.close()

    def __enter__(self) -> VirtualPhone:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()
