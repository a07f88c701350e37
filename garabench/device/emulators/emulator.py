"""Start and stop emulators: port allocation, boot, snapshots, and a cold boot where a snapshot fails."""

from __future__ import annotations

import contextlib
import fcntl
import logging
import os
import socket
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import platformdirs

from garabench.core.clock import Clock
from garabench.core.device_changes import CONSOLE
from garabench.device import console
from garabench.device.adb import Adb
from garabench.device.discovery import list_devices
from garabench.device.emulators.launch_options import (
    FIRST_PORT,
    LAST_PORT,
    SNAPSHOT,
    LaunchOptions,
    check_port,
    serial_of,
)
from garabench.device.emulators.sdk import AndroidSdk
from garabench.device.emulators.tool_output import Avd, explain_emulator
from garabench.device.reconnect import start_server
from garabench.errors import (
    CommandError,
    DeviceError,
    DeviceTimeoutError,
    DeviceUnreachableError,
    HarnessError,
    InputError,
)

_LOG = logging.getLogger(__name__)
_POLL = 0.2
_SNAPSHOT_SECONDS, _BOOT_SECONDS, _STOP_SECONDS = 120.0, 300.0, 60.0
_SLOWDOWN = 5.0
"""How much slower an emulator boots without acceleration, at most."""
_SAVE_SECONDS = 120.0
_PORT_ATTEMPTS = 3
"""Ports on which an AVD is started if another program takes each one between its reservation and the boot."""
_TAIL = 16_384
"""Bytes of a log that are searched for the reason of a failure."""


class _PortTakenError(DeviceUnreachableError):
    """The emulator ended because another program listens on its port."""


def default_log_folder() -> Path:
    """Return the folder of the emulators' logs, below ``GARABENCH_STATE`` or the user's state folder."""
    return Path(os.environ.get("GARABENCH_STATE") or platformdirs.user_state_path("garabench")) / "emulators"


@dataclass(frozen=True, slots=True)
class RunningAvd:
    """An AVD whose emulator runs.

    Attributes:
        avd: Name of the AVD.
        serial: Serial of the emulator.
    """

    avd: str
    serial: str


def running_avds(clock: Clock) -> tuple[RunningAvd, ...]:
    """Return the AVDs that run, as the emulators' consoles name them.

    Raises:
        DeviceUnreachableError: There is no adb server, and none can be started.
    """
    found = []
    for item in list_devices():
        if not console.is_emulator(item.serial):
            continue
        with contextlib.suppress(DeviceError, HarnessError):  # it is just ending, or its console is busy
            if name := _avd_name(Adb(item.serial, clock)):
                found.append(RunningAvd(name, item.serial))
    return tuple(sorted(found, key=lambda each: (each.avd, each.serial)))


def _avd_name(adb: Adb) -> str:
    """Return the AVD of a running emulator, or empty.

    Raises:
        DeviceError: Its console does not answer.
        HarnessError: adb cannot be run.
    """
    answer = console.run_in_shell_or_console(adb, (CONSOLE, "avd", "name")).stdout
    name = next((line.strip() for line in answer.splitlines() if line.strip()), "")
    return "" if name == "OK" else name


@dataclass(slots=True)
class Emulator:
    """An emulator that this process has started.

    Attributes:
        sdk: The SDK.
        avd: Its AVD.
        port: The console's port.
        options: How it is started.
        clock: The clock for all time limits.
        on_message: Called with a message about a cold boot after a failed start from the snapshot.
        process_file: File that names its process and this one while it runs, so that a later run can stop
            what a killed one has started; None for none.
        log: Where it writes.
    """

    sdk: AndroidSdk
    avd: Avd
    port: int
    options: LaunchOptions
    clock: Clock
    on_message: Callable[[str], None] = lambda text: None
    process_file: Path | None = None
    log: Path = field(init=False)
    _process: subprocess.Popen[bytes] | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        self.log = default_log_folder() / f"{self.avd.name}.log"

    @property
    def serial(self) -> str:
        """Its serial in ``adb devices``."""
        return serial_of(self.port)

    @property
    def running(self) -> bool:
        """Whether its process is running."""
        return self._process is not None and self._process.poll() is None

    @property
    def has_snapshot(self) -> bool:
        """Whether a snapshot to start from was saved."""
        return (self.avd.path / "snapshots" / SNAPSHOT).is_dir()

    def start(self) -> None:
        """Start it and wait until Android has booted; boot cold if it does not start from its snapshot.

        Raises:
            DeviceUnreachableError: It ended or did not boot in time.
            HarnessError: It cannot be run.
            InputError: The SDK has no emulator.
        """
        if self.has_snapshot and not self.options.cold:
            try:
                self._boot(snapshot=True)
                return
            except _PortTakenError:  # a cold boot cannot help
                raise
            except DeviceUnreachableError as error:
                self.kill()
                self.on_message(f"{self.avd.name} does not start from its snapshot, and boots cold: {error}")
        try:
            self._boot(snapshot=False)
        except DeviceUnreachableError:
            self.kill()
            raise
        if not self.has_snapshot:
            with contextlib.suppress(CommandError, DeviceTimeoutError):  # the next start is cold again
                save_snapshot(Adb(self.serial, self.clock))

    def load_snapshot(self) -> None:
        """Load the snapshot that was saved when it booted, while it runs, and wait until Android answers.

        Raises:
            CommandError: There is no such snapshot, or it cannot be loaded.
            DeviceError: The emulator does not answer, neither before nor afterwards.
            HarnessError: adb cannot be run.
        """
        adb = Adb(self.serial, self.clock)
        console.run_in_shell_or_console(
            adb, (CONSOLE, "avd", "snapshot", "load", SNAPSHOT), limit=_SNAPSHOT_SECONDS
        )
        _LOG.info("%s: loaded the snapshot %s", self.serial, SNAPSHOT)
        self._wait(adb, self._limit(_SNAPSHOT_SECONDS))

    def restart(self) -> None:
        """End it and start it again.

        Raises:
            GaraError: See `start` and `stop`.
        """
        self.stop()
        self.start()

    def stop(self) -> None:
        """End it, without saving its state; does nothing if it has ended."""
        process = self._process
        if process is None:
            return
        if process.poll() is None:
            with contextlib.suppress(DeviceError, HarnessError):
                console.run_in_shell_or_console(Adb(self.serial, self.clock), (CONSOLE, "kill"))
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(_STOP_SECONDS / 4)
        self.kill()

    def kill(self) -> None:
        """End its process."""
        process, self._process = self._process, None
        if process is None:
            return
        if self.process_file is not None:
            with contextlib.suppress(OSError):  # a process that has ended is ignored
                self.process_file.unlink(missing_ok=True)
        for end in (process.terminate, process.kill):
            if process.poll() is None:
                end()
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(_STOP_SECONDS / 4)

    def _boot(self, *, snapshot: bool) -> None:
        argv = [
            str(self.sdk.tool("emulator")),
            *self.options.argv(self.avd.name, self.port, snapshot=snapshot),
        ]
        adb = Adb(self.serial, self.clock)
        start_server(adb)  # the emulator registers with a running server only
        _LOG.info("starting %s on port %d, %s", self.avd.name, self.port, "snapshot" if snapshot else "cold")
        try:
            self.log.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            with self.log.open("wb") as log:
                self._process = subprocess.Popen(
                    argv,
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=subprocess.STDOUT,
                    start_new_session=True,  # ctrl-C in this terminal is not meant for it
                    env=os.environ | {"ANDROID_HOME": str(self.sdk.root)},
                )
            if self.process_file is not None:
                self.process_file.write_text(f"{self._process.pid} {os.getpid()}", encoding="ascii")
        except OSError as error:
            raise HarnessError(f"cannot start the emulator {self.avd.name}: {error}") from error
        # Another program may have taken the port since it was reserved; then the emulator ends.
        self._wait(adb, self._limit(_SNAPSHOT_SECONDS if snapshot else _BOOT_SECONDS))

    def _limit(self, seconds: float) -> float:
        """Return a time limit for this computer, given that for one with acceleration."""
        return seconds * (1.0 if self.options.accelerated else _SLOWDOWN)

    def _wait(self, adb: Adb, seconds: float) -> None:
        deadline = self.clock.monotonic() + seconds
        while True:
            if self._process is None or self._process.poll() is not None:
                failure = explain_emulator(self._log_tail())
                kind = _PortTakenError if failure.port_taken else DeviceUnreachableError
                raise kind(
                    f"the emulator {self.avd.name} ended while it was starting: {failure.reason}. "
                    f"{failure.hint} Its log is {self.log}"
                )
            with contextlib.suppress(DeviceError):
                booted = adb.shell(["getprop", "sys.boot_completed"]).stdout.strip()
                if booted == "1" and _avd_name(adb) == self.avd.name:  # not another one that took the port
                    return
            if self.clock.monotonic() >= deadline:
                raise DeviceUnreachableError(
                    f"the emulator {self.avd.name} did not boot within {seconds:g} s: give it more memory, "
                    f"or run fewer emulators. Its log is {self.log}"
                )
            self.clock.sleep(_POLL)

    def _log_tail(self) -> str:
        try:
            return self.log.read_bytes()[-_TAIL:].decode("utf-8", errors="replace")
        except OSError:
            return ""


def save_snapshot(adb: Adb) -> None:
    """Save the state from which the emulator starts next time.

    Raises:
        CommandError: Its console refused.
        DeviceError: It is gone.
    """
    console.run_in_shell_or_console(adb, (CONSOLE, "avd", "snapshot", "save", SNAPSHOT), limit=_SAVE_SECONDS)


def start_emulator(
    sdk: AndroidSdk,
    name: str,
    clock: Clock,
    *,
    options: LaunchOptions | None = None,
    port: int | None = None,
    on_message: Callable[[str], None] = lambda text: None,
    process_file: Path | None = None,
) -> Emulator:
    """Start an AVD, and wait until Android has booted.

    Args:
        sdk: The SDK.
        name: The AVD.
        clock: The clock for all time limits.
        options: How to start it.
        port: The console's port; None for a free one, and the next if another program takes it meanwhile.
        on_message: See `Emulator`.
        process_file: See `Emulator`.

    Raises:
        InputError: There is no such AVD, it runs already, its port is taken, or there is no acceleration.
        DeviceUnreachableError: It ended or did not boot.
        HarnessError: A tool of the SDK failed.
    """
    options = options or LaunchOptions()
    avd = sdk.avd(name)
    for each in running_avds(clock):
        if each.avd == name:
            raise InputError(
                f"the AVD {name} is already running as {each.serial}",
                hint=f"Use it, or stop it: garabench emulators stop {name}",
            )
    if options.accelerated:
        sdk.check_acceleration()
    lowest, attempts = FIRST_PORT, 1 if port is not None else _PORT_ATTEMPTS
    while True:
        attempts -= 1
        with _reserved_port(port, lowest) as chosen:
            emulator = Emulator(sdk, avd, chosen, options, clock, on_message, process_file)
            try:
                emulator.start()
            except BaseException as error:  # also Ctrl-C: no emulator is left behind
                emulator.kill()
                if not isinstance(error, _PortTakenError) or not attempts:
                    raise
            else:
                return emulator
        lowest = chosen + 2


def is_left_behind(process_file: Path) -> bool:
    """Return whether an emulator runs although the process that has started it was killed.

    Args:
        process_file: See `Emulator`.
    """
    try:
        emulator, starter = map(int, process_file.read_text("ascii").split())
    except (OSError, ValueError):
        return False
    return _is_process(emulator) and not _is_process(starter)


def _is_process(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True


def stop_emulator(running: RunningAvd, clock: Clock, *, save: bool = True) -> None:
    """Stop an emulator, whoever has started it, and wait until it has ended.

    Args:
        running: The emulator.
        clock: The clock for the time limit.
        save: Whether to save its state, from which it starts next time.

    Raises:
        CommandError: Its state could not be saved; it still runs.
        DeviceTimeoutError: It does not end.
        DeviceError: The adb server does not respond.
    """
    adb = Adb(running.serial, clock)
    if save:
        save_snapshot(adb)
    console.run_in_shell_or_console(adb, (CONSOLE, "kill"))
    deadline = clock.monotonic() + _STOP_SECONDS
    while any(item.serial == running.serial for item in list_devices()):
        if clock.monotonic() >= deadline:
            raise DeviceTimeoutError(
                f"{running.avd} ({running.serial}) did not end within {_STOP_SECONDS:g} s: end its process"
            )
        clock.sleep(_POLL)


@contextlib.contextmanager
def _reserved_port(wanted: int | None, lowest: int) -> Iterator[int]:
    """Reserve a free pair of ports among this user's processes, until the emulator listens there.

    Args:
        wanted: The first port of the pair; None for the first free pair.
        lowest: The port from which a free pair is looked for.

    Raises:
        InputError: The wanted port is taken, or all are.
        HarnessError: The reservation cannot be written.
    """
    candidates = range(lowest, LAST_PORT + 1, 2) if wanted is None else [check_port(wanted)]
    folder = default_log_folder()
    with contextlib.ExitStack() as stack:
        for port in candidates:
            try:
                folder.mkdir(parents=True, exist_ok=True, mode=0o700)
                file = stack.enter_context((folder / f"{port}.lock").open("a"))
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                continue  # another process is starting an emulator there
            except OSError as error:
                raise HarnessError(f"cannot reserve a port: {folder}: {error.strerror}") from error
            if _is_free(port) and _is_free(port + 1):
                yield port
                return
    if wanted is not None:
        raise InputError(
            f"port {wanted} or {wanted + 1} is taken", hint="Omit --port for a free one, or choose another."
        )
    raise InputError(
        f"all emulator ports from {lowest} to {LAST_PORT} are taken", hint="Stop some emulators."
    )


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True
