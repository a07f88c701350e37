"""Standalone virtual phones: start, find by name, control and stop them.

Most run until they are stopped; an attached one ends with the process that started it. Each has a record,
readable by its owner only, in the user's runtime directory: process, serial, the panel's port
and the panel's token.
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
from garabench.core.identifiers import did_you_mean
from garabench.errors import DeviceUnreachableError, HarnessError, InputError
from garabench.virtual.adb_registration import connect_to_server, disconnect_from_server
from garabench.virtual.android.device_profile import Profile

_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_LIMIT = 30.0
_ANSWER_LIMIT = 3.0
_POLL = 0.05


def default_folder() -> Path:
    """The directory of the records, which ``GARABENCH_STATE`` overrides."""
    return Path(os.environ.get("GARABENCH_STATE") or platformdirs.user_state_path("garabench")) / "phones"


@dataclass(frozen=True, slots=True)
class DetachedPhone:
    """A phone that runs in a process of its own.

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
    def alive(self) -> bool:
        """Whether it runs; a phone that is too busy to answer counts as running."""
        try:
            return self.ask("status", limit=_ANSWER_LIMIT).get("name") == self.name
        except InputError:
            return False  # another program has its port now
        except DeviceUnreachableError as error:
            return isinstance(error.__cause__, TimeoutError) and _exists(self.pid)

    def ask(
        self, name: str, body: Mapping[str, object] | None = None, *, limit: float = _LIMIT
    ) -> dict[str, Any]:
        """Send a request to its panel: GET without a body, else POST.

        Args:
            name: Path of the request.
            body: JSON body of the POST.
            limit: Timeout in seconds.

        Raises:
            DeviceUnreachableError: It does not answer.
            InputError: It refuses.
        """
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + name, data, {"X-GaraBench": "1"})  # noqa: S310  # loopback
        direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with direct.open(request, timeout=limit) as answer:
                found = json.load(answer)
        except urllib.error.HTTPError as error:
            raise InputError(error.read().decode("utf-8", errors="replace")) from error
        except urllib.error.URLError as error:
            reason = error.reason if isinstance(error.reason, OSError) else error
            raise DeviceUnreachableError(f"the virtual phone {self.name} does not answer") from reason
        except (OSError, ValueError) as error:
            raise DeviceUnreachableError(f"the virtual phone {self.name} does not answer") from error
        return found if isinstance(found, dict) else {}


@dataclass(frozen=True, slots=True)
class PhoneOptions:
    """Options of a phone to start; the attributes are those of `VirtualPhone`.

    Raises:
        InputError: The name is invalid, or the profile unknown.
    """

    name: str
    profile: str = "android-34"
    lang: str = "zh"
    latency: str = "phone"
    seed: int = 0
    emulator: bool = False

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.name):
            raise InputError(
                f"{self.name!r} is not a valid name for a phone",
                hint="Use small letters, digits and hyphens.",
            )
        Profile.parse(self.profile)

    def argv(self) -> list[str]:
        """The command line of the phone's process."""
        options: dict[str, object] = {
            "--name": self.name,
            "--profile": self.profile,
            "--lang": self.lang,
            "--latency": self.latency,
            "--seed": self.seed,
        }
        words = [str(word) for pair in options.items() for word in pair]
        more = ["--emulator"] if self.emulator else []
        return [sys.executable, "-P", "-m", "garabench.virtual", "--detached", *words, *more]


def start(options: PhoneOptions, clock: Clock, folder: Path | None = None) -> DetachedPhone:
    """Start a phone that outlives this process.

    Raises:
        InputError: A phone of that name is running.
        HarnessError: Its process does not start.
        DeviceUnreachableError: The adb server does not connect to it.
    """
    return _start(options, clock, folder or default_folder(), attached=False)[0]


@contextlib.contextmanager
def attached(
    options: PhoneOptions, clock: Clock, folder: Path | None = None
) -> Iterator[tuple[DetachedPhone, subprocess.Popen[str]]]:
    """Run a phone until the block ends, or this process, however that ends.

    Raises:
        GaraError: As `start`.
    """
    folder = folder or default_folder()
    phone, process = _start(options, clock, folder, attached=True)
    try:
        yield phone, process
    finally:
        if process.stdin:
            process.stdin.close()  # the end of its input ends the phone
        stop(phone, clock, folder)


def _start(
    options: PhoneOptions, clock: Clock, folder: Path, *, attached: bool
) -> tuple[DetachedPhone, subprocess.Popen[str]]:
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    with _locked(folder / f"{options.name}.lock"):
        if any(each.name == options.name for each in running(folder)):
            raise InputError(
                f"a virtual phone {options.name} is already running", hint="Stop it, or give another --name."
            )
        phone, process = _launch(options, folder, attached=attached)
        record = folder / f"{options.name}.json"
        partial = folder / f"{options.name}.part"
        partial.touch(mode=0o600)
        partial.write_text(json.dumps(asdict(phone)), encoding="utf-8")
        partial.replace(record)
    try:
        connect_to_server(phone.serial, clock)
    except DeviceUnreachableError:
        stop(phone, clock, folder)
        raise
    return phone, process


def _launch(
    options: PhoneOptions, folder: Path, *, attached: bool
) -> tuple[DetachedPhone, subprocess.Popen[str]]:
    argv = options.argv()
    with (folder / f"{options.name}.log").open("wb") as log:
        process = subprocess.Popen(
            [*argv, "--held"] if attached else argv,
            stdin=subprocess.PIPE if attached else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=log,
            start_new_session=True,  # ctrl-C in this terminal is not meant for it
            text=True,
        )
    line = process.stdout.readline() if process.stdout else ""
    if process.stdout:
        process.stdout.close()
    if not line:
        raise HarnessError(f"the virtual phone did not start; see {folder / f'{options.name}.log'}")
    address = json.loads(line)
    phone = DetachedPhone(
        options.name, process.pid, address["serial"], address["panel"], address["token"], options.profile
    )
    return phone, process


@contextlib.contextmanager
def _locked(lock: Path) -> Iterator[None]:
    """Hold the lock on a phone's name; another process waits, and then finds the phone running."""
    with lock.open("a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)  # released when the file is closed, even by a kill
        yield


def running(folder: Path | None = None) -> tuple[DetachedPhone, ...]:
    """The running phones in order of name; stale records are removed."""
    return tuple(_alive(folder or default_folder()))


def _alive(folder: Path) -> Iterator[DetachedPhone]:
    for record in sorted(folder.glob("*.json")):
        try:
            phone = DetachedPhone(**json.loads(record.read_text(encoding="utf-8")))
        except (OSError, ValueError, TypeError):
            record.unlink(missing_ok=True)
            continue
        if phone.alive:
            yield phone
        else:
            record.unlink(missing_ok=True)


def find(name: str | None, folder: Path | None = None) -> DetachedPhone:
    """Find a running phone by name, or the only one.

    Raises:
        InputError: No phone has that name, or none was given while not exactly one runs.
    """
    phones = {phone.name: phone for phone in running(folder)}
    if name is None:
        if len(phones) == 1:
            return next(iter(phones.values()))
        if not phones:
            raise InputError("no virtual phone is running", hint="Start one: garabench phone start")
        raise InputError("several virtual phones are running", hint=f"Name one of: {', '.join(phones)}")
    if name not in phones:
        raise InputError(f"no virtual phone {name} is running", hint=did_you_mean(name, phones))
    return phones[name]


def stop(phone: DetachedPhone, clock: Clock, folder: Path | None = None) -> None:
    """Stop a phone, and wait until its process has ended.

    Raises:
        HarnessError: Its process does not end.
    """
    with contextlib.suppress(DeviceUnreachableError):  # it may have ended already
        phone.ask("stop", {})
    limit = clock.monotonic() + _LIMIT
    while _exists(phone.pid):
        if clock.monotonic() > limit:
            raise HarnessError(f"the virtual phone {phone.name} (process {phone.pid}) did not exit")
        clock.sleep(_POLL)
    disconnect_from_server(phone.serial)
    ((folder or default_folder()) / f"{phone.name}.json").unlink(missing_ok=True)


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
