"""Standalone virtual phones: start, find by name, control and stop them.

Most run until they are stopped; one in the foreground ends with the process that started it. Each has a
record, readable by its owner only, in the user's runtime directory: process, serial, the panel's port and the
panel's token.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import re
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import platformdirs

from garabench.core.clock import Clock
from garabench.core.suggestions import did_you_mean
from garabench.errors import DeviceUnreachableError, HarnessError, InputError
from garabench.virtual.adb_registration import connect_to_server, disconnect_from_server
from garabench.virtual.android.device_profile import Profile
from garabench.virtual.app_arguments import checked_apps
from garabench.virtual.start_answer import read_start_answer

_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_TIMEOUT_S = 30.0
_STATUS_TIMEOUT_S = 3.0
_POLL_S = 0.05


def default_directory() -> Path:
    """Return the folder of the records, which ``GARABENCH_STATE`` overrides."""
    return Path(os.environ.get("GARABENCH_STATE") or platformdirs.user_state_path("garabench")) / "phones"


@dataclass(frozen=True, slots=True)
class StandalonePhone:
    """A phone that runs in its own process.

    Attributes:
        name: The name the user gave it.
        pid: Process id.
        serial: Serial in ``adb devices``.
        panel: Port of its panel on loopback.
        token: The panel's secret.
        profile: Name of its profile.
    """

    name: str
    pid: int
    serial: str
    panel: int
    token: str
    profile: str

    @property
    def url(self) -> str:
        """URL of the panel's page."""
        return f"http://127.0.0.1:{self.panel}/{self.token}/"

    @property
    def is_running(self) -> bool:
        """Whether it runs; a phone that is too busy to answer counts as running."""
        try:
            return self.request("status", timeout=_STATUS_TIMEOUT_S).get("name") == self.name
        except InputError:
            return False  # another program has its port now
        except DeviceUnreachableError as error:
            return isinstance(error.__cause__, TimeoutError) and _exists(self.pid)

    def request(
        self, name: str, body: Mapping[str, object] | None = None, *, timeout: float = _TIMEOUT_S
    ) -> dict[str, Any]:
        """Send a request to its panel: GET without a body, else POST.

        Args:
            name: Path of the request.
            body: JSON body of the POST.
            timeout: Timeout in seconds.

        Raises:
            DeviceUnreachableError: It does not answer.
            InputError: It refuses.
        """
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + name, data, {"X-GaraBench": "1"})  # noqa: S310  # loopback
        direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with direct.open(request, timeout=timeout) as answer:
                response = json.load(answer)
        except urllib.error.HTTPError as error:
            raise InputError(error.read().decode("utf-8", errors="replace")) from error
        except urllib.error.URLError as error:
            reason = error.reason if isinstance(error.reason, OSError) else error
            raise DeviceUnreachableError(f"the virtual phone {self.name} does not answer") from reason
        except (OSError, ValueError) as error:
            raise DeviceUnreachableError(f"the virtual phone {self.name} does not answer") from error
        return response if isinstance(response, dict) else {}


@dataclass(frozen=True, slots=True)
class PhoneOptions:
    """Options of a phone to start; the attributes are those of `VirtualPhone`.

    Raises:
        InputError: The name is invalid, the profile unknown, or an app file wrong.
    """

    name: str
    profile: str = "android-34"
    lang: str = "zh"
    latency: str = "phone"
    seed: int = 0
    emulator: bool = False
    apps: tuple[Path, ...] = ()

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.name):
            raise InputError(
                f"{self.name!r} is not a valid name for a phone",
                hint="Use small letters, digits and hyphens.",
            )
        Profile.parse(self.profile)
        checked_apps(self.apps)

    def argv(self) -> list[str]:
        """Return the command line of the phone's process."""
        options: dict[str, object] = {
            "--name": self.name,
            "--profile": self.profile,
            "--lang": self.lang,
            "--latency": self.latency,
            "--seed": self.seed,
        }
        argv = [str(word) for pair in options.items() for word in pair]
        more = ["--emulator"] if self.emulator else []
        more += [word for path in self.apps for word in ("--app", str(path.absolute()))]
        return [sys.executable, "-P", "-m", "garabench.virtual", "--standalone", *argv, *more]


def start_phone(options: PhoneOptions, clock: Clock, directory: Path | None = None) -> StandalonePhone:
    """Start a phone that outlives this process.

    Raises:
        InputError: A phone of that name is running, or an app of an installed package is wrong.
        HarnessError: Its process does not start.
        DeviceUnreachableError: The adb server does not connect to it.
    """
    return _start(options, clock, directory or default_directory(), foreground=False)[0]


@contextlib.contextmanager
def in_foreground(
    options: PhoneOptions, clock: Clock, directory: Path | None = None
) -> Iterator[tuple[StandalonePhone, subprocess.Popen[str]]]:
    """Run a phone until the block or this process ends, even if it is killed.

    Raises:
        GaraError: As `start_phone`.
    """
    directory = directory or default_directory()
    phone, process = _start(options, clock, directory, foreground=True)
    try:
        yield phone, process
    finally:
        if process.stdin:
            process.stdin.close()  # the end of its input ends the phone
        stop_phone(phone, clock, directory)


def _start(
    options: PhoneOptions, clock: Clock, directory: Path, *, foreground: bool
) -> tuple[StandalonePhone, subprocess.Popen[str]]:
    directory.mkdir(parents=True, exist_ok=True, mode=0o700)
    with _locked(directory / f"{options.name}.lock"):
        if any(phone.name == options.name for phone in running_phones(directory)):
            raise InputError(
                f"a virtual phone {options.name} is already running", hint="Stop it, or give another --name."
            )
        phone, process = _launch(options, directory, foreground=foreground)
        record = directory / f"{options.name}.json"
        partial = directory / f"{options.name}.part"
        partial.touch(mode=0o600)
        partial.write_text(json.dumps(asdict(phone)), encoding="utf-8")
        partial.replace(record)
    try:
        connect_to_server(phone.serial, clock)
    except DeviceUnreachableError:
        stop_phone(phone, clock, directory)
        raise
    return phone, process


def _launch(
    options: PhoneOptions, directory: Path, *, foreground: bool
) -> tuple[StandalonePhone, subprocess.Popen[str]]:
    argv = options.argv()
    with (directory / f"{options.name}.log").open("wb") as log:
        process = subprocess.Popen(
            [*argv, "--foreground"] if foreground else argv,
            stdin=subprocess.PIPE if foreground else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=log,
            start_new_session=True,  # ctrl-C in this terminal is not meant for it
            text=True,
        )
    line = process.stdout.readline() if process.stdout else ""
    if process.stdout:
        process.stdout.close()
    status = process.wait() if not line else None
    written = (directory / f"{options.name}.log").read_text(encoding="utf-8", errors="replace")
    address = read_start_answer(line, status, written)
    phone = StandalonePhone(
        options.name, process.pid, address["serial"], address["panel"], address["token"], options.profile
    )
    return phone, process


@contextlib.contextmanager
def _locked(lock: Path) -> Iterator[None]:
    """Lock a phone's name; another process waits for the lock, and then finds the phone running."""
    with lock.open("a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)  # released when the file is closed, even if the process is killed
        yield


def running_phones(directory: Path | None = None) -> tuple[StandalonePhone, ...]:
    """Return the running phones in order of name; stale records are removed."""
    return tuple(_running_phones(directory or default_directory()))


def _running_phones(directory: Path) -> Iterator[StandalonePhone]:
    for record in sorted(directory.glob("*.json")):
        try:
            phone = StandalonePhone(**json.loads(record.read_text(encoding="utf-8")))
        except (OSError, ValueError, TypeError):
            record.unlink(missing_ok=True)
            continue
        if phone.is_running:
            yield phone
        else:
            record.unlink(missing_ok=True)


def find_phone(name: str | None, directory: Path | None = None) -> StandalonePhone:
    """Find a running phone by name, or the only one.

    Raises:
        InputError: No phone has that name, or none was given while not exactly one runs.
    """
    phones = {phone.name: phone for phone in running_phones(directory)}
    if name is None:
        if len(phones) == 1:
            return next(iter(phones.values()))
        if not phones:
            raise InputError("no virtual phone is running", hint="Start one: garabench phone start")
        raise InputError("several virtual phones are running", hint=f"Name one of: {', '.join(phones)}")
    if name not in phones:
        raise InputError(f"no virtual phone {name} is running", hint=did_you_mean(name, phones))
    return phones[name]


def stop_phone(phone: StandalonePhone, clock: Clock, directory: Path | None = None) -> None:
    """Stop a phone, and wait until its process has ended.

    Raises:
        HarnessError: Its process does not end.
    """
    with contextlib.suppress(DeviceUnreachableError):  # it may have ended already
        phone.request("stop", {})
    deadline = clock.monotonic() + _TIMEOUT_S
    while _exists(phone.pid):
        if clock.monotonic() > deadline:
            raise HarnessError(f"the virtual phone {phone.name} (process {phone.pid}) did not exit")
        clock.sleep(_POLL_S)
    disconnect_from_server(phone.serial, clock)
    ((directory or default_directory()) / f"{phone.name}.json").unlink(missing_ok=True)


def _exists(pid: int) -> bool:
    try:
        if os.waitpid(pid, os.WNOHANG)[0] == pid:
            return False
    except ChildProcessError:
        pass  # it was started by another process
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
