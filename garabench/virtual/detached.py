"""Virtual phones that run by themselves: started, found again by name, switched and stopped.

Each has a record, readable by its owner alone, in the user's folder for run-time state: process, serial,
where its panel listens, and the panel's token.
"""

from __future__ import annotations

import contextlib
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
from garabench.core.names import did_you_mean
from garabench.errors import DeviceUnreachable, HarnessError, InputError
from garabench.virtual.launcher import connect_to_server, free_emulator_port
from garabench.virtual.os.profile import Profile

_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_LIMIT = 20.0
_ANSWER_LIMIT = 3.0
_POLL = 0.05


def default_folder() -> Path:
    """Where the records are, unless ``GARABENCH_STATE`` names another folder."""
    return Path(os.environ.get("GARABENCH_STATE") or platformdirs.user_state_path("garabench")) / "phones"


@dataclass(frozen=True, slots=True)
class DetachedPhone:
    """A phone that runs by itself.

    Attributes:
        name: As the user named it.
        pid: Its process.
        serial: As ``adb devices`` lists it.
        panel: Port of its panel on loopback.
        token: The panel's secret.
        profile: Which phone it is.
    """

    name: str
    pid: int
    serial: str
    panel: int
    token: str
    profile: str

    @property
    def url(self) -> str:
        """The panel's page."""
        return f"http://127.0.0.1:{self.panel}/{self.token}/"

    def ask(self, name: str, body: Mapping[str, object] | None = None) -> dict[str, Any]:
        """Ask its panel: without a body a question, with one an effect.

        Raises:
            DeviceUnreachable: It does not answer.
            InputError: It refuses.
        """
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + name, data, {"X-GaraBench": "1"})  # noqa: S310  # loopback
        direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with direct.open(request, timeout=_ANSWER_LIMIT) as answer:
                found = json.load(answer)
        except urllib.error.HTTPError as error:
            raise InputError(error.read().decode("utf-8", errors="replace")) from error
        except (OSError, ValueError) as error:
            raise DeviceUnreachable(f"the virtual phone {self.name} does not answer") from error
        return found if isinstance(found, dict) else {}


def start(
    name: str,
    *,
    profile: str,
    lang: str,
    latency: str,
    seed: int,
    emulator: bool,
    clock: Clock,
    folder: Path | None = None,
) -> DetachedPhone:
    """Start a phone that outlives this process.

    Raises:
        InputError: The name is wrong or taken, or there is no such profile.
        HarnessError: It does not come up.
        DeviceUnreachable: The adb server does not take it.
    """
    if not _NAME.fullmatch(name):
        raise InputError(f"{name!r} is no name for a phone", hint="Use small letters, digits and hyphens.")
    Profile.parse(profile)
    folder = folder or default_folder()
    if any(each.name == name for each in running(folder)):
        raise InputError(
            f"a virtual phone {name} is running already", hint="Stop it, or give another --name."
        )
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    port = free_emulator_port() if emulator else 0
    argv = [sys.executable, "-m", "garabench.virtual", "--detached", "--name", name, "--profile", profile]
    argv += ["--lang", lang, "--latency", latency, "--seed", str(seed), "--port", str(port)]
    if emulator:
        argv.append("--emulator")
    with (folder / f"{name}.log").open("wb") as log:
        process = subprocess.Popen(
            argv,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=log,
            start_new_session=True,
            text=True,
        )
    line = process.stdout.readline() if process.stdout else ""
    if process.stdout:
        process.stdout.close()
    if not line:
        raise HarnessError(f"the virtual phone did not start; see {folder / f'{name}.log'}")
    said = json.loads(line)
    made = DetachedPhone(name, process.pid, said["serial"], said["panel"], said["token"], profile)
    record = folder / f"{name}.json"
    beside = folder / f"{name}.part"
    beside.touch(mode=0o600)
    beside.write_text(json.dumps(asdict(made)), encoding="utf-8")
    beside.replace(record)
    try:
        connect_to_server(made.serial, clock)
    except DeviceUnreachable:
        stop(made, clock, folder)
        raise
    return made


def running(folder: Path | None = None) -> tuple[DetachedPhone, ...]:
    """The phones that answer, by name; records of others are removed."""
    return tuple(_alive(folder or default_folder()))


def _alive(folder: Path) -> Iterator[DetachedPhone]:
    for record in sorted(folder.glob("*.json")):
        try:
            phone = DetachedPhone(**json.loads(record.read_text(encoding="utf-8")))
            if phone.ask("status").get("name") == phone.name:
                yield phone
                continue
        except (OSError, ValueError, TypeError, DeviceUnreachable, InputError):
            pass  # stale: the process has ended, or another one has its port now
        record.unlink(missing_ok=True)


def find(name: str | None, folder: Path | None = None) -> DetachedPhone:
    """A running phone by its name, or the only one.

    Raises:
        InputError: There is none of that name, or no name was given and there is not just one.
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
    """End a phone, and wait until it has ended.

    Raises:
        HarnessError: It does not end.
    """
    with contextlib.suppress(DeviceUnreachable):  # it may have ended already
        phone.ask("stop", {})
    limit = clock.monotonic() + _LIMIT
    while _exists(phone.pid):
        if clock.monotonic() > limit:
            raise HarnessError(f"the virtual phone {phone.name} (process {phone.pid}) does not end")
        clock.sleep(_POLL)
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
