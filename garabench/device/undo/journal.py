"""The undo journal: on disk before a change is made, so that no kill can make a change that nobody knows of.

One file a device, of JSON lines: the form's version, the name by which it was reached and which device it
is (`garabench.device.undo.identity`; a journal of before that was noted tells the name alone), then
``{"open": 1, …}`` for each change and ``{"done": 1}`` once its undo was seen. A last line without its end
was being written when the process was killed; the change that it tells of has not begun.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
from pathlib import Path
from typing import Any

from garabench.device.undo.entry import Entry, Scope
from garabench.device.undo.lease import default_folder, name_of
from garabench.errors import HarnessError, InputError

VERSION = 1
SUFFIX = ".undo.jsonl"


class Journal:
    """The changes of one device that are not undone yet.

    Attributes:
        serial: The name by which the device was reached.
        device: Which device it is; empty in a journal of before that was noted.
        path: The file; None for a device that ends with this process, whose journal is in memory alone.
    """

    def __init__(self, serial: str, path: Path | None, device: str = "") -> None:
        """Use `at` or `in_memory`."""
        self.serial = serial
        self.device = device
        self.path = path
        self._open: dict[int, Entry] = {}
        self._last = 0

    @classmethod
    def in_memory(cls, serial: str) -> Journal:
        """For a device that nobody keeps: a virtual phone of this process' own."""
        return cls(serial, None)

    @classmethod
    def at(cls, serial: str, folder: Path | None = None, device: str = "") -> Journal:
        """Open a device's journal; what a process before has left open is in it.

        Args:
            serial: The name by which it is reached, whose lease has to be held.
            folder: Where journals are, if not in the usual place.
            device: Which device it is; without it, the journal of whatever had that name.

        Raises:
            InputError: The file is damaged, of a newer version, or holds what GaraBench does not write.
            HarnessError: It cannot be read or written.
        """
        name = name_of(f"{serial}\n{device}" if device else serial)
        path = (folder or default_folder()) / f"{name}{SUFFIX}"
        journal = cls(serial, path, device)
        try:
            data = path.read_bytes() if path.exists() else b""
            whole = data[: data.rfind(b"\n") + 1]
            if len(whole) != len(data):
                os.truncate(path, len(whole))
        except OSError as error:
            raise _unwritable(path, error) from error
        journal._read(whole.decode("utf-8", "replace").splitlines())
        return journal

    @property
    def entries(self) -> tuple[tuple[int, Entry], ...]:
        """What is not undone, the newest first, by number."""
        return tuple(sorted(self._open.items(), reverse=True))

    @property
    def last(self) -> int:
        """Number of the change that was noted last."""
        return self._last

    def has(self, what: str, scope: Scope | None = None) -> bool:
        """Whether a thing is changed at present."""
        return any(e.what == what and scope in (None, e.scope) for e in self._open.values())

    def open(self, entry: Entry) -> int:
        """Note a change that is about to be made; on disk when this returns.

        Returns:
            Its number.

        Raises:
            HarnessError: It cannot be written: the change must not be made.
        """
        self._last += 1
        self._append({"open": self._last, **entry.to_json()})
        self._open[self._last] = entry
        return self._last

    def done(self, number: int) -> None:
        """Note that a change is undone, or was given up.

        Raises:
            HarnessError: It cannot be written.
        """
        if len(self._open) > 1:
            self._append({"done": number})
        elif self.path is not None:  # nothing is left: no file says so
            with contextlib.suppress(FileNotFoundError):
                self.path.unlink()
            _sync_folder(self.path.parent)
        self._open.pop(number, None)

    def _append(self, data: dict[str, Any]) -> None:
        path = self.path
        if path is None:
            return
        line = json.dumps(data, ensure_ascii=True) + "\n"
        try:
            new = not path.exists() or path.stat().st_size == 0
            if new:
                path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
                head = {"version": VERSION, "serial": self.serial}
                if self.device:
                    head["device"] = self.device
                line = json.dumps(head) + "\n" + line
            write(path, line.encode())
            if new:
                _sync_folder(path.parent)
        except OSError as error:
            raise _unwritable(path, error) from error

    def _read(self, lines: list[str]) -> None:
        for number, line in enumerate(lines, start=1):
            try:
                data = json.loads(line)
                if not isinstance(data, dict):
                    raise ValueError("no object")
                if number == 1:
                    self._begin(data)
                elif "done" in data:
                    self._open.pop(int(data["done"]), None)
                else:
                    self._last = int(data["open"])
                    self._open[self._last] = Entry.from_json(data)
            except (ValueError, KeyError, TypeError, RecursionError) as error:
                raise InputError(
                    f"{self.path}:{number}: this is no line of an undo journal: {error}",
                    hint="It tells what has to be put back on the device; read it, then remove it.",
                ) from error

    def _begin(self, data: dict[str, Any]) -> None:
        version = data["version"]
        if isinstance(version, int) and version > VERSION:
            raise InputError(
                f"{self.path} is of version {version}, and this GaraBench reads up to {VERSION}",
                hint="Use a newer GaraBench to put the device back.",
            )
        if (data["serial"], data.get("device", "")) != (self.serial, self.device):
            raise ValueError(f"it is of the device {data['serial']} {data.get('device', '')}")


def write(path: Path, data: bytes) -> None:
    """Append to a file, on the disk when this returns.

    Raises:
        OSError: It cannot be written.
    """
    with path.open("ab", buffering=0) as file:
        os.fchmod(file.fileno(), 0o600)
        before = file.seek(0, os.SEEK_END)
        try:
            if file.write(data) != len(data):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            os.fsync(file.fileno())
        except OSError:
            with contextlib.suppress(OSError):  # half a line would spoil the next one
                file.truncate(before)
            raise


def _sync_folder(folder: Path) -> None:
    """Have a name that was added or removed on the disk, too."""
    held = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(held)
    finally:
        os.close(held)


def _unwritable(path: Path, error: OSError) -> HarnessError:
    return HarnessError(f"the undo journal cannot be kept: {path}: {error.strerror}")
