"""Read the state of an app or of the system from a device; what cannot be read is unknown, not an error."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from garabench.core.app_state import SYSTEM
from garabench.device.adb import RunningShell, ShellResult
from garabench.effects.parse import parse_state
from garabench.effects.state import State, UnknownState
from garabench.effects.state_keys import StateKeys
from garabench.effects.system import END, parse_system, system_command
from garabench.errors import DeviceError, DeviceTimeoutError

AUTHORITY = "org.garabench.state"
"""The content provider of an app's state. Only one app of a device can have it; see `addresses`."""
READ_SECONDS = 10.0
"""Time limit of a reading."""
MAX_BYTES = 16 * 1024 * 1024
"""Maximum size of a state."""
_NO_PROVIDER = "Could not find provider"
_LATE = f"it was not read within {READ_SECONDS:g} s"
_NO_ROWS = "No result found."


class ShellRunner(Protocol):
    """Runs commands on a device; see `garabench.device.adb.Adb`."""

    @property
    def starts_fast(self) -> bool:
        """Whether Android's own commands are fast (Android 7 and newer)."""
        ...

    def shell(
        self, argv: Sequence[str], *, timeout: float | None = None, max_bytes: int | None = None
    ) -> ShellResult:
        """Run a command."""
        ...

    def start_shell(self, argv: Sequence[str]) -> RunningShell:
        """Start a command whose result is read later."""
        ...


def addresses(package: str) -> tuple[str, ...]:
    """Return the addresses of an app's state in the order in which they are tried.

    Android permits an authority only once per device, so of several apps with a provider, each has its own.
    """
    return f"content://{AUTHORITY}/{package}", f"content://{package}.{AUTHORITY}/{package}"


def is_state(address: str) -> bool:
    """Return whether an address is that of an app's state."""
    authority = address.removeprefix("content://").partition("/")[0]
    return authority == AUTHORITY or authority.endswith(f".{AUTHORITY}")


def read_state(adb: ShellRunner, package: str, keys: StateKeys | None = None) -> State:
    """Read the state of an app, or of `SYSTEM`.

    Args:
        adb: The device.
        package: The app.
        keys: The keys of the episode, if the states are locked; the first reading locks them.

    Returns:
        The state; unknown with a reason if the app offers none, answers nonsense, too much or too late, or if
        the device is gone.
    """
    if package == SYSTEM:
        if not adb.starts_fast:
            return UnknownState("Android before 7 does not list its settings")
        output = _run(adb, system_command())
        return output if isinstance(output, UnknownState) else parse_system(output.stdout)
    for address in addresses(package):
        output = _run(adb, _query(address, keys))
        if isinstance(output, UnknownState):
            return output
        if _NO_PROVIDER not in output.output:
            return _parse(output)
    return UnknownState("the app offers no state")


def read_with_system(adb: ShellRunner, package: str, keys: StateKeys | None = None) -> tuple[State, State]:
    """Read the system and an app by one command, which needs less time than one for each.

    Args:
        adb: The device.
        package: The app.
        keys: As for `read_state`.

    Returns:
        The state of the system and that of the app, as `read_state` returns them.
    """
    if not adb.starts_fast:
        return read_state(adb, SYSTEM), read_state(adb, package, keys)
    argv = system_command(_query(addresses(package)[0], keys))
    try:
        printed = adb.shell(argv, timeout=READ_SECONDS, max_bytes=MAX_BYTES).stdout.replace("\r\n", "\n")
    except DeviceTimeoutError:
        return read_state(adb, SYSTEM), UnknownState(_LATE)
    except DeviceError:
        return read_state(adb, SYSTEM), read_state(adb, package, keys)
    settings, end, rows = printed.partition(f"{END}\n")
    app = parse_state(rows)
    if isinstance(app, UnknownState):  # another address, or the reason is on standard error
        app = read_state(adb, package, keys)
    return parse_system(f"{settings}{end}"), app


class StartedReading:
    """A reading of an app's state by a device that performs other commands meanwhile."""

    def __init__(self, adb: ShellRunner, package: str, keys: StateKeys | None = None) -> None:
        """Start it.

        Raises:
            DeviceError: The device is gone.
        """
        self._adb = adb
        self._package = package
        self._keys = keys
        self._running = adb.start_shell(_query(addresses(package)[0], keys))

    def result(self) -> State:
        """Wait for its end, and return what `read_state` would."""
        try:
            result = self._running.result(timeout=READ_SECONDS, max_bytes=MAX_BYTES)
        except DeviceError:
            return read_state(self._adb, self._package, self._keys)
        if result.failed or not result.output.strip() or _NO_PROVIDER in result.output:
            return read_state(self._adb, self._package, self._keys)
        return _parse(result)

    def close(self) -> None:
        """Discard it."""
        self._running.close()


def unlock_states(adb: ShellRunner, keys: StateKeys) -> None:
    """Unlock what the readings of an episode have locked; a missing provider is ignored."""
    for address in keys.releases():
        _run(adb, _query(address, None))


def _query(address: str, keys: StateKeys | None) -> tuple[str, ...]:
    return ("content", "query", "--uri", address if keys is None else keys.address(address))


def _parse(result: ShellResult) -> State:
    if result.stdout.strip() == _NO_ROWS:
        return UnknownState("its provider has no rows")
    if not result.stdout.strip():
        reason = result.stderr.strip().splitlines()[-1:] or ["it printed nothing"]
        return UnknownState(f"its provider failed: {reason[0]}")
    return parse_state(result.stdout)


def _run(adb: ShellRunner, argv: tuple[str, ...]) -> ShellResult | UnknownState:
    try:
        result = adb.shell(argv, timeout=READ_SECONDS, max_bytes=MAX_BYTES)
    except DeviceTimeoutError:
        return UnknownState(_LATE)
    except DeviceError as error:
        return UnknownState(str(error))
    if result.exit_code != 0:
        return UnknownState(f"{argv[0]} exited with status {result.exit_code}")
    if result.error and _NO_PROVIDER not in result.output:
        return UnknownState(f"{argv[0]} failed: {result.error}")
    return result
