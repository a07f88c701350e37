"""Start a virtual phone in its own process and connect it to the adb server."""

from __future__ import annotations

import contextlib
import json
import select
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

from garabench.core.clock import Clock, SystemClock
from garabench.errors import DeviceLostError, DeviceUnreachableError, HarnessError, InputError
from garabench.virtual import standalone
from garabench.virtual.adb_registration import connect_to_server, disconnect_from_server
from garabench.virtual.android.device_profile import Profile
from garabench.virtual.app_arguments import checked_apps
from garabench.virtual.start_answer import read_start_answer

_START_TIMEOUT_S = 20.0
_ANSWER_TIMEOUT_S = 30.0


class VirtualPhone:
    """A virtual phone; a context manager that starts and stops it, or attaches to a running one.

    Attributes:
        serial: Serial in ``adb devices``; empty before it has started.
    """

    def __init__(
        self,
        profile: str = "android-34",
        *,
        lang: str = "zh",
        seed: int = 0,
        latency: str = "instant",
        emulator: bool = False,
        apps: Sequence[Path | str] = (),
        clock: Clock | None = None,
    ) -> None:
        """Create the phone without starting it.

        Args:
            profile: Name of the profile, such as ``android-34`` or ``android-30:720x1280``.
            lang: Language, ``zh`` or ``en``.
            seed: Random seed.
            latency: Latency profile: ``instant``, ``phone`` or ``slow-legacy``.
            emulator: Whether it gets an emulator's serial, such as ``emulator-5554``.
            apps: Your own app files, and their folders, to install.
            clock: Clock for waiting.

        Raises:
            InputError: The profile is unknown, or an app file is wrong.
        """
        Profile.parse(profile)  # reject wrong input before anything starts
        apps = checked_apps(apps)
        options = {"--profile": profile, "--lang": lang, "--seed": str(seed), "--latency": latency}
        self._argv = [
            sys.executable,
            "-P",  # a file in the current directory, such as types.py, would shadow the standard library
            "-m",
            "garabench.virtual",
            *(w for pair in options.items() for w in pair),
            *(w for path in apps for w in ("--app", str(path))),
        ]
        self._emulator = emulator
        self._clock = clock or SystemClock()
        self._process: subprocess.Popen[str] | None = None
        self._found: standalone.StandalonePhone | None = None
        self._command_id = 0
        self.serial = ""

    @classmethod
    def attach(
        cls, name: str | None = None, *, clock: Clock | None = None, directory: Path | str | None = None
    ) -> VirtualPhone:
        """Attach to a phone of ``garabench phone start``; `stop` and the end of a block leave it running.

        Args:
            name: Its name; optional when only one is running.
            clock: Clock for waiting.
            directory: Folder with the records of running phones, if not the default one.

        Raises:
            InputError: No such phone is running.
            DeviceUnreachableError: The adb server did not connect to it.
        """
        found = standalone.find_phone(name, None if directory is None else Path(directory))
        phone = cls(found.profile, clock=clock)
        phone._found = found
        return phone.start()

    def start(self) -> VirtualPhone:
        """Start it and wait until the adb server lists it as ``device``.

        Raises:
            InputError: An app of an installed package is wrong.
            HarnessError: Its process did not start.
            DeviceUnreachableError: The adb server did not connect to it.
        """
        if self._found is not None:
            connect_to_server(self._found.serial, self._clock)  # the adb server may have been restarted
            self.serial = self._found.serial
            return self
        more = ["--emulator"] if self._emulator else []
        # To a file: an unread pipe would fill up and block the phone.
        with tempfile.TemporaryFile("w+", encoding="utf-8") as log:
            process = self._process = subprocess.Popen(
                self._argv + more, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, text=True
            )
            line = process.stdout.readline() if process.stdout else ""
            address: Mapping[str, Any] = {}
            try:
                if not line:
                    process.communicate(timeout=_START_TIMEOUT_S)
                log.seek(0)
                address = read_start_answer(line, process.poll(), log.read())
            finally:
                if not address:
                    self.stop()
        self.serial = str(address["serial"])
        try:
            connect_to_server(self.serial, self._clock)
        except DeviceUnreachableError:
            self.stop()
            raise
        return self

    def fault(self, name: str, *, on: bool = True, **params: object) -> None:
        """Switch a fault on or off.

        Raises:
            InputError: The fault is unknown.
            HarnessError: The phone is not running.
        """
        self._send("fault", name=name, on=on, params=params if on else {})

    def defect(self, name: str, *, on: bool = True, rate: float | None = None, draw: int = 0) -> None:
        """Switch a defect on or off.

        Args:
            name: Id of the defect.
            on: Whether to switch it on.
            rate: Share of the occasions at which it shows itself; default: the defect's own.
            draw: Number of the sequence of random draws of a defect that shows itself sometimes.

        Raises:
            InputError: The defect is unknown, or the rate invalid.
            HarnessError: The phone is not running.
        """
        more = {"draw": draw} if rate is None else {"draw": draw, "rate": rate}
        self._send("defect", name=name, on=on, **(more if on else {}))

    def allow(self) -> None:
        """Accept the keys of the adb servers that the fault ``unauthorized`` keeps waiting.

        Raises:
            HarnessError: The phone is not running.
        """
        self._send("allow")

    def reset(self, *, seed: int | None = None) -> None:
        """Return to the state after boot; connections and pushed files stay.

        Args:
            seed: New random seed; unchanged unless given.

        Raises:
            HarnessError: The phone is not running.
        """
        self._send("reset", **({} if seed is None else {"seed": seed}))

    def set_language(self, lang: str) -> None:
        """Set the language to ``zh`` or ``en``.

        Raises:
            InputError: The language is another one.
            HarnessError: The phone is not running.
        """
        self._send("language", lang=lang)

    def set_dark(self, on: bool) -> None:
        """Switch the dark theme.

        Raises:
            HarnessError: The phone is not running.
        """
        self._send("dark", on=on)

    def save(self, name: str) -> None:
        """Save a snapshot under a name while it runs: settings, apps and their data.

        Raises:
            InputError: The name is invalid.
            HarnessError: The phone is not running.
        """
        self._send("save", name=name)

    def restore(self, name: str) -> None:
        """Restore a snapshot; all apps end.

        Raises:
            InputError: No snapshot has that name.
            HarnessError: The phone is not running.
        """
        self._send("restore", name=name)

    @property
    def running(self) -> bool:
        """Whether its process is running."""
        if self._found is not None:
            return self._found.is_running
        return self._process is not None and self._process.poll() is None

    def _send(self, verb: str, **values: object) -> None:
        """Send it a command of `garabench.virtual.control` and wait for the answer."""
        if self._found is not None:
            self._found.request(verb, values)
            return
        process = self._process
        if process is None or process.stdin is None or process.stdout is None:
            raise HarnessError("the virtual phone is not running")
        self._command_id += 1
        try:
            command = {"id": self._command_id, "verb": verb, "values": values}
            process.stdin.write(json.dumps(command) + "\n")
            process.stdin.flush()
        except OSError as error:
            raise DeviceLostError(f"the virtual phone {self.serial} has ended") from error
        # One answer per command, so that none is left in the stream's buffer.
        while select.select([process.stdout], [], [], _ANSWER_TIMEOUT_S)[0] and (
            line := process.stdout.readline()
        ):
            answer = json.loads(line)
            if answer.get("id") == self._command_id:
                if "error" in answer:
                    raise InputError(answer["error"])
                return
        raise DeviceLostError(f"the virtual phone {self.serial} has ended or does not answer")

    def wait(self) -> None:
        """Block until the phone's process ends."""
        if self._process is not None:
            self._process.wait()

    def stop(self) -> None:
        """Disconnect and stop it; does nothing when it is not running."""
        process, self._process = self._process, None
        if process is None:
            return
        disconnect_from_server(self.serial, self._clock)
        if process.stdin:
            with contextlib.suppress(OSError):  # it may have been killed with a command pending
                process.stdin.close()
        try:
            process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait(timeout=_ANSWER_TIMEOUT_S)
        for stream in (process.stdout, process.stderr):
            if stream:
                stream.close()

    def __enter__(self) -> VirtualPhone:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()
