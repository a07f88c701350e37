"""Virtual phones that other programs find by name: started, switched and stopped.

Most run by themselves until they are stopped; a held one ends with who started it. Each has a record,
readable by its owner alone, in the user's folder for run-time state: process, serial, where its panel
listens, and the panel's token.
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
from garabench.core.names import did_you_mean
from garabench.errors import DeviceUnreachable, HarnessError, InputError
from garabench.virtual.adb_server import connect_to_server, disconnect_from_server
from garabench.virtual.os.profile import Profile

_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_LIMIT = 30.0
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

    @property
    def alive(self) -> bool:
        """Whether it runs; one that is too busy to answer does."""
        try:
            return self.ask("status", limit=_ANSWER_LIMIT).get("name") == self.name
        except InputError:
            return False  # another program has its port now
        except DeviceUnreachable as error:
            return isinstance(error.__cause__, TimeoutError) and _exists(self.pid)

    def ask(
        self, name: str, body: Mapping[str, object] | None = None, *, limit: float = _LIMIT
    ) -> dict[str, Any]:
        """Ask its panel: without a body a question, with one an effect.

        Args:
            name: What to ask for.
            body: What the effect needs.
            limit: Seconds of the longest wait.

        Raises:
            DeviceUnreachable: It does not answer.
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
            raise DeviceUnreachable(f"the virtual phone {self.name} does not answer") from reason
        except (OSError, ValueError) as error:
            raise DeviceUnreachable(f"the virtual phone {self.name} does not answer") from error
        return found if isinstance(found, dict) else {}


@dataclass(frozen=True, slots=True)
class Wish:
    """A phone that is to be started; the attributes are those of `VirtualPhone`.

    Raises:
        InputError: The name cannot be one, or there is no such profile.
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
                f"{self.name!r} is no name for a phone", hint="Use small letters, digits and hyphens."
            )
        Profile.parse(self.profile)

    def argv(self) -> list[str]:
        """The phone's process."""
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


def start(wish: Wish, clock: Clock, folder: Path | None = None) -> DetachedPhone:
    """Start a phone that outlives this process.

    Raises:
        InputError: A phone of that name is running.
        HarnessError: It does not come up.
        DeviceUnreachable: The adb server does not take it.
    """
    return _start(wish, clock, folder or default_folder(), held=False)[0]


@contextlib.contextmanager
def held(
    wish: Wish, clock: Clock, folder: Path | None = None
) -> Iterator[tuple[DetachedPhone, subprocess.Popen[str]]]:
    """A phone that ends with the block, or with this process, however that ends.

    Raises:
        GaraError: As `start`.
    """
    folder = folder or default_folder()
    phone, process = _start(wish, clock, folder, held=True)
    try:
        yield phone, process
    finally:
        if process.stdin:
            process.stdin.close()  # it takes the end of its input for the end
        stop(phone, clock, folder)


def _start(
    wish: Wish, clock: Clock, folder: Path, *, held: bool
) -> tuple[DetachedPhone, subprocess.Popen[str]]:
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    with _alone(folder / f"{wish.name}.lock"):
        if any(each.name == wish.name for each in running(folder)):
            raise InputError(
                f"a virtual phone {wish.name} is running already", hint="Stop it, or give another --name."
            )
        made, process = _launch(wish, folder, held=held)
        record = folder / f"{wish.name}.json"
        beside = folder / f"{wish.name}.part"
        beside.touch(mode=0o600)
        beside.write_text(json.dumps(asdict(made)), encoding="utf-8")
        beside.replace(record)
    try:
        connect_to_server(made.serial, clock)
    except DeviceUnreachable:
        stop(made, clock, folder)
        raise
    return made, process


def _launch(wish: Wish, folder: Path, *, held: bool) -> tuple[DetachedPhone, subprocess.Popen[str]]:
    argv = wish.argv()
    with (folder / f"{wish.name}.log").open("wb") as log:
        process = subprocess.Popen(
            [*argv, "--held"] if held else argv,
            stdin=subprocess.PIPE if held else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=log,
            start_new_session=True,  # ctrl-C in this terminal is not meant for it
            text=True,
        )
    line = process.stdout.readline() if process.stdout else ""
    if process.stdout:
        process.stdout.close()
    if not line:
        raise HarnessError(f"the virtual phone did not start; see {folder / f'{wish.name}.log'}")
    said = json.loads(line)
    made = DetachedPhone(wish.name, process.pid, said["serial"], said["panel"], said["token"], wish.profile)
    return made, process


@contextlib.contextmanager
def _alone(lock: Path) -> Iterator[None]:
    """Be the only one who starts a phone of a name; another one waits, and then finds it running."""
    with lock.open("a") as held_open:
        fcntl.flock(held_open, fcntl.LOCK_EX)  # given back when the file is closed, even by a kill
        yield


def running(folder: Path | None = None) -> tuple[DetachedPhone, ...]:
    """The phones that answer, by name; records of others are removed."""
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
