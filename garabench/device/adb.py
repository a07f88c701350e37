"""The connection to one device through the adb server: the only module that touches adbutils' sockets.

Every call has a time limit, and every error of adbutils becomes one of `garabench.errors`, so that the
layers above never see a foreign exception.
"""

from __future__ import annotations

import contextlib
import logging
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
from garabench.core.suggestions import nearest
from garabench.device.command_errors import find_error
from garabench.errors import (
    CommandError,
    DeviceError,
    DeviceLostError,
    DeviceOfflineError,
    DeviceTimeoutError,
    DeviceUnauthorizedError,
    DeviceUnreachableError,
)

_LOG = logging.getLogger(__name__)
_EXIT_MARK = "GARA_EXIT:"
_STDOUT, _STDERR, _EXIT = 1, 2, 3
DEFAULT_TIMEOUT = 20.0
_LONGEST_LOGGED = 120
_VIRTUAL = "virtual"
"""The name of a virtual phone, which is suggested for a misspelled one."""
"""Maximum number of characters of an argument in the log."""


@dataclass(frozen=True, slots=True)
class ShellResult:
    """The result of a shell command on the device.

    Attributes:
        argv: The command.
        exit_code: Its exit status.
        stdout, stderr: Its output. Devices before Android 7 merge both streams into `stdout`.
        error: The error that it printed although it may have exited with 0; see `command_errors`.
    """

    argv: tuple[str, ...]
    exit_code: int
    stdout: str
    stderr: str = ""
    error: str = ""

    @property
    def output(self) -> str:
        """Both streams, stdout first."""
        return self.stdout + self.stderr

    @property
    def failed(self) -> bool:
        """Whether the command failed, by its exit status or by the error that it printed."""
        return self.exit_code != 0 or bool(self.error)

    @property
    def reason(self) -> str:
        """Why it failed: the error, or else the last line of its output."""
        return self.error or next(iter(self.output.strip().splitlines()[-1:]), "it printed nothing")

    def check(self, what: str) -> ShellResult:
        """Return itself when the command succeeded.

        Args:
            what: The operation, for the message: ``"start the app"``.

        Raises:
            CommandError: It failed.
        """
        if self.failed:
            status = f" exited with status {self.exit_code}" if self.exit_code else ""
            raise CommandError(
                f"could not {what}: {self.argv[0]}{status}: {self.reason}",
                argv=self.argv,
                exit_code=self.exit_code,
                output=self.output,
            )
        return self

    def check_reading(self, what: str) -> ShellResult:
        """Return itself unless it printed an error; some readings exit with 1 where there is nothing to read.

        Args:
            what: The operation, for the message: ``"read the settings"``.

        Raises:
            CommandError: It printed an error.
        """
        return self.check(what) if self.error else self


def translate(error: Exception, serial: str, doing: str) -> DeviceError:
    """Convert an error of adbutils or of a socket into a `DeviceError`.

    Args:
        error: The error that adbutils or the socket raised.
        serial: The device.
        doing: The operation that failed, as a gerund: ``"reading the screen"``.

    Returns:
        The error to raise instead.
    """
    text = str(error) or type(error).__name__
    lowered = text.lower()
    if isinstance(error, AdbConnectionError):
        return DeviceUnreachableError(f"cannot reach or start an adb server ({text})")
    if "unauthorized" in lowered:
        return DeviceUnauthorizedError(
            f"{serial} has not authorized this computer: unlock it and confirm 'Allow USB debugging'"
        )
    if "offline" in lowered:
        return DeviceOfflineError(f"{serial} is offline: adb lists it, but it does not respond; reconnect it")
    if "not found" in lowered or "no such device" in lowered or "unknown device" in lowered:
        near = f"did you mean {_VIRTUAL!r}? " if nearest(serial, (_VIRTUAL,)) else ""
        return DeviceUnreachableError(
            f"device {serial} is not connected; {near}`garabench device list` lists connected devices"
        )
    if isinstance(error, AdbTimeout | TimeoutError):
        return DeviceTimeoutError(f"{serial} did not respond in time while {doing}")
    return DeviceLostError(f"lost the connection to {serial} while {doing} ({text})")


def loggable(argv: Sequence[str]) -> str:
    """Return a command as a line for the log, with typed text masked and long arguments shortened."""
    shown: list[str] = []
    for index, argument in enumerate(argv):
        previous = tuple(argv[max(0, index - 2) : index])
        typed = previous[-2:] == ("input", "text") or (
            previous[:1] == ("--es",) and previous[-1:] != ("--es",)
        )
        cut = argument if len(argument) <= _LONGEST_LOGGED else f"{argument[:_LONGEST_LOGGED]}…"
        shown.append("[text]" if typed else shlex.quote(cut))
    return " ".join(shown)


class _Client(adbutils.AdbClient):  # type: ignore[misc]  # adbutils has no types
    """adbutils' client with the server's version cached; adbutils requests it before every call.

    Each query costs a connection and a fixed sleep of 10 ms, as much as a whole shell command.
    """

    _version: int | None = None

    def server_version(self) -> int:
        if self._version is None:
            self._version = int(super().server_version())
        return self._version


class _LimitedDevice(adbutils.AdbDevice):  # type: ignore[misc]  # adbutils has no types
    """adbutils' device with a short timeout on every socket instead of 10 minutes.

    uiautomator2 opens its HTTP connections through this class, so its calls are limited too: the `timeout`
    that it accepts never reaches the socket.
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
        connection.conn.settimeout(None)  # a long-lived stream, such as the uiautomator2 server's
        return connection


class Adb:
    """One device behind the adb server.

    Attributes:
        serial: Serial, as ``adb devices`` lists it.
        clock: The clock for deadlines and waits.
    """

    def __init__(self, serial: str, clock: Clock, *, timeout: float = DEFAULT_TIMEOUT) -> None:
        """Set up the client without connecting.

        Args:
            serial: Serial, as ``adb devices`` lists it.
            clock: The clock for deadlines and waits.
            timeout: Default time limit of a call, in seconds.
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
        """Path of the ``adb`` that starts the server: the one on ``PATH``, or else the one in adbutils."""
        return str(adbutils.adb_path())

    @contextlib.contextmanager
    def translated(self, doing: str) -> Iterator[None]:
        """Convert the errors of adbutils and of sockets raised in the block; `doing` as for `translate`."""
        try:
            yield
        except subprocess.SubprocessError as error:  # adbutils starts a server where none responds
            raise DeviceUnreachableError(f"cannot start an adb server ({error})") from error
        except (AdbError, OSError, EOFError, TimeoutError) as error:
            raise translate(error, self.serial, doing) from error

    @contextlib.contextmanager
    def _logged(self, service: str, argv: Sequence[str]) -> Iterator[None]:
        """Log a call, how long it took, and the error that it ended with."""
        if not _LOG.isEnabledFor(logging.DEBUG):
            yield
            return
        begun = self._clock.monotonic()
        ended = ""
        try:
            yield
        except BaseException as error:  # logged and raised again
            ended = f": {type(error).__name__}: {error}"
            raise
        finally:
            seconds = self._clock.monotonic() - begun
            _LOG.debug("%s %s %s (%.3f s)%s", self.serial, service, loggable(argv), seconds, ended)

    def state(self) -> str:
        """Return the device's state according to the adb server: ``device``, ``offline``, ….

        Raises:
            DeviceError: The server does not know the device, or reports it as unusable.
        """
        with self.translated("reading its state"):
            return str(self.device.get_state())

    def listed(self) -> str | None:
        """Return the state in the server's list of devices; None when the device is not listed.

        Raises:
            DeviceError: No server responds, and none can be started.
        """
        with self.translated("listing the devices"):
            return {each.serial: each.state for each in self.device._client.list()}.get(self.serial)

    def rejoin(self) -> None:
        """Have the server connect to a device whose serial is an address; it finds all others by itself.

        Raises:
            DeviceError: The address does not respond.
        """
        if re.search(r":\d+$", self.serial):
            with self.translated("connecting to it"):
                answer = self.device._client.connect(self.serial, timeout=self.timeout)
            if "connected to" not in answer:  # also in "already connected to"
                raise DeviceUnreachableError(f"cannot connect to {self.serial}: {answer}")

    @property
    def features(self) -> frozenset[str]:
        """Features of the device's adbd, such as ``shell_v2``."""
        if self._features is None:
            with self.translated("reading its features"):
                self._features = frozenset(self.device.get_features().split(","))
        return self._features

    @property
    def starts_fast(self) -> bool:
        """Whether Android's own commands, such as ``settings get``, are fast (Android 7 and newer).

        On older versions each one starts a virtual machine, and adbd has no ``shell_v2``.
        """
        return "shell_v2" in self.features

    def shell(
        self, argv: Sequence[str], *, timeout: float | None = None, max_bytes: int | None = None
    ) -> ShellResult:
        """Run a command on the device.

        Args:
            argv: The command and its arguments, unquoted.
            timeout: Seconds for the whole call; default `self.timeout`.
            max_bytes: Maximum size of the output; by default, any.

        Raises:
            DeviceTimeoutError: The command did not end in time.
            CommandError: The output is larger than `max_bytes`.
            DeviceError: The device cannot be reached.
        """
        if isinstance(argv, str) or not argv:
            raise TypeError("a device command must be a non-empty list of arguments")
        with self._logged("shell", argv), self.translated(f"running {argv[0]}"):
            raw = self._read_all(self._shell_service(argv), timeout or self.timeout, max_bytes)
        return self._parse_result(tuple(argv), raw)

    def _shell_service(self, argv: Sequence[str]) -> str:
        """Return the service of adbd that runs a command and reports its exit status."""
        line = shlex.join(argv)
        return f"shell,v2,raw:{line}" if self.starts_fast else f"shell:{line}; echo {_EXIT_MARK}$?"

    def _parse_result(self, argv: tuple[str, ...], raw: bytes) -> ShellResult:
        """Parse what `_shell_service` returns: the only place that reads a command's status and its error.

        Raises:
            DeviceLostError: The output ends before the status.
        """
        broken = DeviceLostError(f"the connection to {self.serial} broke while running {argv[0]}")
        if not self.starts_fast:
            text = raw.decode("utf-8", errors="replace").replace("\r\n", "\n")
            body, mark, status = text.rpartition(_EXIT_MARK)
            if not mark or not status.strip().isdigit():
                raise broken
            error = find_error(argv, body, has_exit_status=False)
            return ShellResult(argv, int(status), body, error=error)
        streams = {_STDOUT: bytearray(), _STDERR: bytearray(), _EXIT: bytearray()}
        at = 0
        while at + 5 <= len(raw):
            kind, length = struct.unpack_from("<BI", raw, at)
            streams.setdefault(kind, bytearray()).extend(raw[at + 5 : at + 5 + length])
            at += 5 + length
        if not streams[_EXIT]:
            raise broken
        out, err = (streams[kind].decode("utf-8", errors="replace") for kind in (_STDOUT, _STDERR))
        error = find_error(argv, out + err, has_exit_status=True)
        return ShellResult(argv, streams[_EXIT][0], out, err, error)

    def exec_out(self, argv: Sequence[str], *, timeout: float | None = None) -> bytes:
        """Run a command and return its raw output, without a terminal in between (Android 5 and newer)."""
        with self._logged("exec-out", argv), self.translated(f"running {argv[0]}"):
            return self._read_all(f"exec:{shlex.join(argv)}", timeout or self.timeout)

    def start_exec_out(self, argv: Sequence[str]) -> RunningCommand:
        """Start a command whose raw output is read later; the caller closes it."""
        with self._logged("exec-out", argv), self.translated(f"starting {argv[0]}"):
            return RunningCommand(self, argv, self._open(f"exec:{shlex.join(argv)}", self.timeout))

    def start_shell(self, argv: Sequence[str]) -> RunningShell:
        """Start a command whose result is read later; the caller closes it."""
        service = self._shell_service(argv)
        with self._logged("shell", argv), self.translated(f"starting {argv[0]}"):
            return RunningShell(self, argv, self._open(service, self.timeout))

    def _open(self, service: str, limit: float) -> adbutils.AdbConnection:
        connection = self.device.open_transport(timeout=limit)
        try:
            connection.send_command(service)
            connection.check_okay()
        except BaseException:  # closed, and raised again
            connection.conn.close()
            raise
        return connection

    def _read_all(self, service: str, limit: float, max_bytes: int | None = None) -> bytes:
        deadline = self._clock.monotonic() + limit
        return self._drain(self._open(service, limit), deadline, limit, max_bytes)

    def _drain(
        self,
        connection: adbutils.AdbConnection,
        deadline: float,
        limit: float,
        max_bytes: int | None = None,
    ) -> bytes:
        try:
            chunks: list[bytes] = []
            size = 0
            while True:
                remaining = deadline - self._clock.monotonic()
                if remaining <= 0:
                    raise AdbTimeout(f"not finished after {limit:g} s")
                connection.conn.settimeout(remaining)
                chunk = connection.conn.recv(1 << 16)
                if not chunk:
                    return b"".join(chunks)
                chunks.append(chunk)
                size += len(chunk)
                if max_bytes is not None and size > max_bytes:
                    raise CommandError(f"the output is larger than {max_bytes} bytes")
        finally:
            connection.conn.close()  # adbutils' own close sleeps 10 ms

    def pull(self, remote: str, *, timeout: float | None = None) -> bytes:
        """Read a file of the device.

        Args:
            remote: Its path there.
            timeout: Seconds for the whole file; default `self.timeout`.

        Raises:
            CommandError: There is no such file.
            DeviceTimeoutError: The transfer did not end in time.
        """
        limit = timeout or self.timeout
        deadline = self._clock.monotonic() + limit
        with self._logged("pull", (remote,)), self.translated(f"pulling {remote}"):
            try:
                chunks: list[bytes] = []
                for chunk in self.device.sync.iter_content(remote):
                    chunks.append(chunk)
                    if self._clock.monotonic() > deadline:
                        raise AdbTimeout(f"not finished after {limit:g} s")
                return b"".join(chunks)
            except adbutils.AdbError as error:
                if re.search(r"No such file|does not exist", str(error)):
                    raise CommandError(f"{self.serial} has no file {remote}") from error
                raise

    def push(self, local: Path, remote: str) -> None:
        """Copy a local file to the device."""
        with self._logged("push", (local.name, remote)), self.translated(f"pushing {local.name}"):
            self.device.sync.push(str(local), remote, check=True)


class RunningCommand:
    """A command that runs on the device while other calls are made."""

    def __init__(self, adb: Adb, argv: Sequence[str], connection: adbutils.AdbConnection) -> None:
        """Wrap an open connection; use `Adb.start_exec_out` instead."""
        self._adb = adb
        self._argv = tuple(argv)
        self._connection = connection

    def read(self, *, timeout: float | None = None, max_bytes: int | None = None) -> bytes:
        """Wait for the end of the command, and return its raw output.

        Args:
            timeout: Seconds from now; default `Adb.timeout`.
            max_bytes: Maximum size of the output; by default, any.

        Raises:
            DeviceTimeoutError: It did not end in time.
            CommandError: The output is larger than `max_bytes`.
            DeviceError: The device is gone.
        """
        adb, limit = self._adb, timeout or self._adb.timeout
        with adb._logged("output of", self._argv), adb.translated(f"running {self._argv[0]}"):
            return adb._drain(self._connection, adb.clock.monotonic() + limit, limit, max_bytes)

    def close(self) -> None:
        """Discard the output."""
        self._connection.conn.close()


class RunningShell(RunningCommand):
    """A command of the device's shell that runs while other calls are made."""

    def result(self, *, timeout: float | None = None, max_bytes: int | None = None) -> ShellResult:
        """Wait for the end of the command, and return its result as `Adb.shell` does; see `read`."""
        return self._adb._parse_result(self._argv, self.read(timeout=timeout, max_bytes=max_bytes))
