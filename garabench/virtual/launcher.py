"""Start a virtual phone in a process of its own and connect it to the adb server."""

from __future__ import annotations

import contextlib
import json
import select
import subprocess
import sys
import tempfile
from pathlib import Path
from types import TracebackType

from garabench.core.clock import Clock, SystemClock
from garabench.errors import DeviceLost, DeviceUnreachable, HarnessError, InputError
from garabench.virtual import detached
from garabench.virtual.adb_server import connect_to_server, disconnect_from_server
from garabench.virtual.os.profile import Profile

_START_LIMIT = 20.0
_ANSWER_LIMIT = 30.0


class VirtualPhone:
    """A virtual phone; a context manager that starts and stops it, or finds one that runs and leaves it so.

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
            "-P",  # a file of the present folder, such as types.py, would stand in for Python's own
            "-m",
            "garabench.virtual",
            *(w for pair in options.items() for w in pair),
        ]
        self._emulator = emulator
        self._clock = clock or SystemClock()
        self._process: subprocess.Popen[str] | None = None
        self._found: detached.DetachedPhone | None = None
        self._told = 0
        self.serial = ""

    @classmethod
    def attach(
        cls, name: str | None = None, *, clock: Clock | None = None, folder: Path | None = None
    ) -> VirtualPhone:
        """A phone that ``garabench phone start`` has started; `stop` and the end of a block let it run on.

        Args:
            name: Its name; not needed when only one is running.
            clock: For the waits.
            folder: Where the records of running phones are, if not in the usual place.

        Raises:
            InputError: No such phone is running.
            DeviceUnreachable: The adb server did not take it.
        """
        found = detached.find(name, folder)
        phone = cls(found.profile, clock=clock)
        phone._found = found
        return phone.start()

    def start(self) -> VirtualPhone:
        """Start it and wait until the adb server says that it is a device.

        Raises:
            HarnessError: Its process did not come up.
            DeviceUnreachable: The adb server did not take it.
        """
        if self._found is not None:
            connect_to_server(self._found.serial, self._clock)  # the adb server may be another one by now
            self.serial = self._found.serial
            return self
        more = ["--emulator"] if self._emulator else []
        # Into a file: a pipe that nobody reads would fill up, and then hold the phone.
        with tempfile.TemporaryFile("w+", encoding="utf-8") as said:
            process = self._process = subprocess.Popen(
                self._argv + more, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=said, text=True
            )
            line = process.stdout.readline() if process.stdout else ""
            if not line:
                process.communicate(timeout=_START_LIMIT)
                said.seek(0)
                reason = said.read().strip().splitlines()[-1:]
                raise HarnessError(f"the virtual phone did not start: {reason}")
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
        self._tell("fault", name=name, on=on, params=params if on else {})

    def allow(self) -> None:
        """Accept the keys of the adb servers that wait while the fault ``unauthorized`` is on.

        Raises:
            HarnessError: The phone is not running.
        """
        self._tell("allow")

    def reset(self, *, seed: int | None = None) -> None:
        """Bring it back to the state after it was switched on; connections and pushed files stay.

        Args:
            seed: From now on the seed of everything random on it; unchanged unless given.

        Raises:
            HarnessError: The phone is not running.
        """
        self._tell("reset", **({} if seed is None else {"seed": seed}))

    def set_language(self, lang: str) -> None:
        """Have it speak ``zh`` or ``en``.

        Raises:
            InputError: It speaks no other.
            HarnessError: The phone is not running.
        """
        self._tell("language", lang=lang)

    def set_dark(self, on: bool) -> None:
        """Switch the dark theme.

        Raises:
            HarnessError: The phone is not running.
        """
        self._tell("dark", on=on)

    def save(self, name: str) -> None:
        """Keep its lasting state under a name, as long as it runs: settings, apps and their data.

        Raises:
            InputError: It cannot be a name.
            HarnessError: The phone is not running.
        """
        self._tell("save", name=name)

    def restore(self, name: str) -> None:
        """Put a state back that was saved; all apps end.

        Raises:
            InputError: None was saved under that name.
            HarnessError: The phone is not running.
        """
        self._tell("restore", name=name)

    @property
    def running(self) -> bool:
        """Whether its process is there."""
        if self._found is not None:
            return self._found.alive
        return self._process is not None and self._process.poll() is None

    def _tell(self, verb: str, **values: object) -> None:
        """Give it a command of `garabench.virtual.control` and wait until it has been carried out."""
        if self._found is not None:
            self._found.ask(verb, values)
            return
        process = self._process
        if process is None or process.stdin is None or process.stdout is None:
            raise HarnessError("the virtual phone is not running")
        self._told += 1
        try:
            command = {"id": self._told, "do": verb, "with": values}
            process.stdin.write(json.dumps(command) + "\n")
            process.stdin.flush()
        except OSError as error:
            raise DeviceLost(f"the virtual phone {self.serial} has ended") from error
        # One answer a command: nothing more waits in the stream's own buffer.
        while select.select([process.stdout], [], [], _ANSWER_LIMIT)[0] and (
            line := process.stdout.readline()
        ):
            answer = json.loads(line)
            if answer.get("done") == self._told:
                if "refused" in answer:
                    raise InputError(answer["refused"])
                return
        raise DeviceLost(f"the virtual phone {self.serial} has ended or does not answer")

    def wait(self) -> None:
        """Block until the phone's process ends."""
        if self._process is not None:
            self._process.wait()

    def stop(self) -> None:
        """Disconnect and end it; harmless when it is not running."""
        process, self._process = self._process, None
        if process is None:
            return
        disconnect_from_server(self.serial)
        if process.stdin:
            with contextlib.suppress(OSError):  # it may have been killed with a command on the way
                process.stdin.close()
        try:
            process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait(timeout=_ANSWER_LIMIT)
        for stream in (process.stdout, process.stderr):
            if stream:
                stream.close()

    def __enter__(self) -> VirtualPhone:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()
