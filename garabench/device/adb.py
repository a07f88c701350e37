"""The connection to one device through the adb server: the only module that touches adbutils' sockets.

Every call has a time limit, and every error of adbutils becomes one of `garabench.errors`, so that the
layers above never see a foreign exception.
"""

from __future__ import annotations

import contextlib
import re
import shlex
import struct
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import adbutils
from adbutils.errors import AdbConnectionError, AdbError, AdbTimeout

from garabench.core.clock import Clock
from garabench.errors import (
    CommandFailed,
    DeviceError,
    DeviceLost,
    DeviceOffline,
    DeviceTimeout,
    DeviceUnauthorized,
    DeviceUnreachable,
)

_EXIT_MARK = "GARA_EXIT:"
_STDOUT, _STDERR, _EXIT = 1, 2, 3
DEFAULT_TIMEOUT = 20.0


@dataclass(frozen=True, slots=True)
class ShellResult:
    """What a device command gave.

    Attributes:
        argv: The command as asked for.
        exit_code: Its exit status.
        stdout, stderr: What it printed; where the device cannot tell them apart (before Android 7),
            all of it is in `stdout`.
    """

    argv: tuple[str, ...]
    exit_code: int
    stdout: str
    stderr: str = ""

    @property
    def output(self) -> str:
        """Both streams, stdout first."""
        return self.stdout + self.stderr

    def check(self, what: str) -> ShellResult:
        """Return itself when the command succeeded.

        Args:
            what: What was attempted, for the message: ``"start the app"``.

        Raises:
            CommandFailed: The exit status is not 0.
        """
        if self.exit_code != 0:
            said = self.output.strip().splitlines()[-1:] or ["nothing was printed"]
            raise CommandFailed(
                f"could not {what}: {self.argv[0]} ended with status {self.exit_code}: {said[0]}",
                argv=self.argv,
                exit_code=self.exit_code,
                output=self.output,
            )
        return self


def translate(error: Exception, serial: str, doing: str) -> DeviceError:
    """Turn a foreign error into ours.

    Args:
        error: What adbutils or the socket raised.
        serial: The device.
        doing: What was under way, as a gerund: ``"reading the screen"``.

    Returns:
        The error to raise in its place.
    """
    text = str(error) or type(error).__name__
    lowered = text.lower()
    if isinstance(error, AdbConnectionError):
        return DeviceUnreachable(f"no adb server could be reached or started ({text})")
    if "unauthorized" in lowered:
        return DeviceUnauthorized(
            f"{serial} has not accepted this computer's key: unlock it and confirm 'Allow USB debugging'"
        )
    if "offline" in lowered:
        return DeviceOffline(f"{serial} is offline: it is listed but does not answer; reconnect it")
    if "not found" in lowered or "no such device" in lowered or "unknown device" in lowered:
        return DeviceUnreachable(f"no device {serial} is connected; `garabench device list` shows what is")
    if isinstance(error, AdbTimeout | TimeoutError):
        return DeviceTimeout(f"{serial} did not answer in time while {doing}")
    return DeviceLost(f"the connection to {serial} broke while {doing} ({text})")


class _Client(adbutils.AdbClient):  # type: ignore[misc]  # adbutils has no types
    """adbutils' client, which asks for the server's version once instead of before every call.

    Each question costs a connection and a fixed sleep of 10 ms: as much as a whole shell command.
    """

    _version: int | None = None

    def server_version(self) -> int:
        if self._version is None:
            self._version = int(super().server_version())
        return self._version


class _LimitedDevice(adbutils.AdbDevice):  # type: ignore[misc]  # adbutils has no types
    """adbutils' device with a short limit on every socket in place of its 10 minutes.

    uiautomator2 opens its HTTP connections through it, so that its calls are limited, too: the `timeout`
    it takes never reaches the socket.
    """

    limit: float = DEFAULT_TIMEOUT

    def open_transport(
        self, command: str | None = None, timeout: float | None = None
    ) -> adbutils.AdbConnection:
        return super().open_transport(command, min(timeout or self.limit, self.limit))

    def shell(
        self,
        cmdargs: str | list[str] | tuple[str, ...],
        stream: bool = False,
        timeout: float | None = None,
        **more: Any,
    ) -> Any:
        return super().shell(cmdargs, stream=stream, timeout=min(timeout or self.limit, self.limit), **more)

    def open_shell(self, cmdargs: str | list[str] | tuple[str, ...]) -> adbutils.AdbConnection:
        connection = super().open_shell(cmdargs)
        connection.conn.settimeout(None)  # a held stream, such as the uiautomator2 server's, lasts
        return connection


class Adb:
    """One device behind the adb server.

    Attributes:
        serial: As ``adb devices`` lists it.
        clock: For the deadlines, and for waits.
    """

    def __init__(self, serial: str, clock: Clock, *, timeout: float = DEFAULT_TIMEOUT) -> None:
        """Prepare; nothing is sent yet.

        Args:
            serial: As ``adb devices`` lists it.
            clock: For the deadlines.
            timeout: Seconds for calls that give no limit of their own.
        """
        self.serial = serial
        self.timeout = timeout
        self.clock = self._clock = clock
        client = _Client(socket_timeout=timeout)
        self.device = _LimitedDevice(client, serial=serial)
        self.device.limit = timeout
        self._features: frozenset[str] | None = None

    @property
    def server(self) -> tuple[str, int]:
        """Host and port of the adb server."""
        client = self.device._client
        return str(client.host), int(client.port)

    @property
    def program(self) -> str:
        """The ``adb`` that starts the server where none runs: the path's, or else the one that came along."""
        return str(adbutils.adb_path())

    @contextlib.contextmanager
    def translated(self, doing: str) -> Iterator[None]:
        """Run a block in which foreign errors become ours; `doing` as for `translate`."""
        try:
            yield
        except subprocess.SubprocessError as error:  # adbutils starts a server where none answers
            raise DeviceUnreachable(f"no adb server could be started ({error})") from error
        except (AdbError, OSError, EOFError, TimeoutError) as error:
            raise translate(error, self.serial, doing) from error

    def state(self) -> str:
        """The adb server's word: ``device``, ``offline``, ``unauthorized``, and others.

        Raises:
            DeviceError: The server has no such device, or says it is not usable.
        """
        with self.translated("asking for its state"):
            return str(self.device.get_state())

    def listed(self) -> str | None:
        """Its state as the server lists it; None when it is not in the list.

        Raises:
            DeviceError: No server answers, and none can be started.
        """
        with self.translated("listing the devices"):
            return {each.serial: each.state for each in self.device._client.list()}.get(self.serial)

    def rejoin(self) -> None:
        """Have the server connect to it, where its serial is an address; all others it finds by itself.

        Raises:
            DeviceError: Nobody answers there.
        """
        if re.search(r":\d+$", self.serial):
            with self.translated("connecting to it"):
                said = self.device._client.connect(self.serial, timeout=self.timeout)
            if "connected to" not in said:  # also of one that is connected already
                raise DeviceUnreachable(f"{self.serial} cannot be connected to: {said}")

    @property
    def features(self) -> frozenset[str]:
        """What the device's adbd supports, such as ``shell_v2``."""
        if self._features is None:
            with self.translated("asking for its features"):
                self._features = frozenset(self.device.get_features().split(","))
        return self._features

    def shell(self, argv: Sequence[str], *, timeout: float | None = None) -> ShellResult:
        """Run a command on the device.

        Args:
            argv: The command and its arguments; quoted here, in this one place.
            timeout: Seconds for the whole call; default `self.timeout`.

        Raises:
            DeviceTimeout: It did not end in time.
            DeviceError: The device cannot be reached.
        """
        if isinstance(argv, str) or not argv:
            raise TypeError("a device command is a list of arguments")
        line = shlex.join(argv)
        limit = timeout or self.timeout
        with self.translated(f"running {argv[0]}"):
            if "shell_v2" in self.features:
                return self._shell_v2(tuple(argv), line, limit)
            raw = self._read_all(f"shell:{line}; echo {_EXIT_MARK}$?", limit)
        text = raw.decode("utf-8", errors="replace").replace("\r\n", "\n")
        body, mark, status = text.rpartition(_EXIT_MARK)
        if not mark or not status.strip().isdigit():
            raise DeviceLost(f"the connection to {self.serial} broke while running {argv[0]}")
        return ShellResult(tuple(argv), int(status), body)

    def _shell_v2(self, argv: tuple[str, ...], line: str, limit: float) -> ShellResult:
        data = self._read_all(f"shell,v2,raw:{line}", limit)
        streams = {_STDOUT: bytearray(), _STDERR: bytearray(), _EXIT: bytearray()}
        at = 0
        while at + 5 <= len(data):
            kind, length = struct.unpack_from("<BI", data, at)
            streams.setdefault(kind, bytearray()).extend(data[at + 5 : at + 5 + length])
            at += 5 + length
        if not streams[_EXIT]:
            raise DeviceLost(f"the connection to {self.serial} broke while running {argv[0]}")
        out, err = (streams[kind].decode("utf-8", errors="replace") for kind in (_STDOUT, _STDERR))
        return ShellResult(argv, streams[_EXIT][0], out, err)

    def exec_out(self, argv: Sequence[str], *, timeout: float | None = None) -> bytes:
        """Run a command and return its raw output, untouched by a terminal (Android 5 and newer)."""
        with self.translated(f"running {argv[0]}"):
            return self._read_all(f"exec:{shlex.join(argv)}", timeout or self.timeout)

    def _read_all(self, service: str, limit: float) -> bytes:
        deadline = self._clock.monotonic() + limit
        connection = self.device.open_transport(timeout=limit)
        try:
            connection.send_command(service)
            connection.check_okay()
            chunks: list[bytes] = []
            while True:
                left = deadline - self._clock.monotonic()
                if left <= 0:
                    raise AdbTimeout(f"no end after {limit:g} s")
                connection.conn.settimeout(left)
                chunk = connection.conn.recv(1 << 16)
                if not chunk:
                    return b"".join(chunks)
                chunks.append(chunk)
        finally:
            connection.conn.close()  # adbutils' own close sleeps 10 ms

    def pull(self, remote: str, *, timeout: float | None = None) -> bytes:
        """Read a file of the device.

        Args:
            remote: Its path there.
            timeout: Seconds for the whole file; default `self.timeout`.

        Raises:
            CommandFailed: There is no such file.
            DeviceTimeout: It was not here in time.
        """
        limit = timeout or self.timeout
        deadline = self._clock.monotonic() + limit
        with self.translated(f"pulling {remote}"):
            try:
                chunks: list[bytes] = []
                for chunk in self.device.sync.iter_content(remote):
                    chunks.append(chunk)
                    if self._clock.monotonic() > deadline:
                        raise AdbTimeout(f"no end after {limit:g} s")
                return b"".join(chunks)
            except adbutils.AdbError as error:
                if re.search(r"No such file|does not exist", str(error)):
                    raise CommandFailed(f"{self.serial} has no file {remote}") from error
                raise

    def push(self, local: Path, remote: str) -> None:
        """Copy a file of this computer to the device, keeping its bytes."""
        with self.translated(f"pushing {local.name}"):
            self.device.sync.push(str(local), remote, check=True)
