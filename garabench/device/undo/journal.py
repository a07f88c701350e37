"""The undo journal: each change is on disk before it is made, so that a kill leaves no unrecorded change.

One file of JSON lines per device: first the format version, the serial and the device's identity
(`garabench.device.undo.identity`; old journals have the serial only), then ``{"open": 1, …}`` for each change
and ``{"done": 1}`` once its undo was verified. A last line without a newline was being written when the
process was killed; its change has not been made.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

from garabench.device.undo.entry import Scope, UndoEntry
from garabench.device.undo.lease import leases_folder, name_of
from garabench.errors import HarnessError, InputError

VERSION = 1
SUFFIX = ".undo.jsonl"


class Journal:
    """The changes of one device that are not undone yet.

    Attributes:
        serial: The serial by which the device was reached.
        device: The device's identity; empty in old journals.
        path: The file; None for a journal in memory, of a device that ends with this process.
    """

    def __init__(self, serial: str, path: Path | None, device: str = "") -> None:
        """Create an empty journal; use `at` or `in_memory` instead."""
        self.serial = serial
        self.device = device
        self.path = path
        self._open: dict[int, UndoEntry] = {}
        self._last = 0

    @classmethod
    def in_memory(cls, serial: str) -> Journal:
        """Return a journal for a device that ends with this process, such as a virtual phone."""
        return cls(serial, None)

    @classmethod
    def at(cls, serial: str, folder: Path | None = None, device: str = "") -> Journal:
        """Open a device's journal, with the changes that earlier processes have not undone.

        Args:
            serial: The serial by which the device is reached; the caller must hold its lease.
            folder: Folder of the journals; default: the user's state folder.
            device: The device's identity; if empty, open the old journal of the serial alone.

        Raises:
            InputError: The file is damaged, of a newer version, or has entries that GaraBench does not write.
            HarnessError: The file cannot be read or written.
        """
        name = name_of(f"{serial}\n{device}" if device else serial)
        path = (folder or leases_folder()) / f"{name}{SUFFIX}"
        journal = cls(serial, path, device)
        try:
            data = path.read_bytes() if path.exists() else b""
            complete = data[: data.rfind(b"\n") + 1]
            if len(complete) != len(data):
                os.truncate(path, len(complete))
        except OSError as error:
            raise _unwritable(path, error) from error
        journal._read(complete.decode("utf-8", "replace").splitlines())
        return journal

    @property
    def entries(self) -> tuple[tuple[int, UndoEntry], ...]:
        """The changes that are not undone, by number, newest first."""
        return tuple(sorted(self._open.items(), reverse=True))

    @property
    def last(self) -> int:
        """Number of the last recorded change."""
        return self._last

    def has(self, subject: str, scope: Scope | None = None) -> bool:
        """Return whether a change of this state is still to be undone."""
        return any(e.subject == subject and scope in (None, e.scope) for e in self._open.values())

    def open(self, entry: UndoEntry) -> int:
        """Record a change that is about to be made; it is on disk when this returns.

        Returns:
            The number of the change.

        Raises:
            HarnessError: It cannot be written, so the change must not be made.
        """
        self.open_all((entry,))
        return self._last

    def open_all(self, entries: Sequence[UndoEntry]) -> None:
        """Record several changes by one write; see `open`.

        Raises:
            HarnessError: They cannot be written, so the changes must not be made.
        """
        numbered = dict(enumerate(entries, start=self._last + 1))
        if numbered:
            self._last = max(numbered)
            self._append(*({"open": number, **entry.to_json()} for number, entry in numbered.items()))
            self._open |= numbered

    def done(self, number: int) -> None:
        """Record that a change was undone or discarded.

        Raises:
            HarnessError: It cannot be written.
        """
        self.done_all((number,))

    def done_all(self, numbers: Collection[int]) -> None:
        """Record by one write that several changes were undone or need no undo; see `done`.

        Raises:
            HarnessError: It cannot be written.
        """
        if not numbers:
            return
        if self._open.keys() - set(numbers):
            self._append(*({"done": number} for number in numbers))
        elif self.path is not None:  # no open change is left: remove the file
            with contextlib.suppress(FileNotFoundError):
                self.path.unlink()
            _sync_folder(self.path.parent)
        for number in numbers:
            self._open.pop(number, None)

    def _append(self, *data: dict[str, Any]) -> None:
        path = self.path
        if path is None:
            return
        lines = "".join(json.dumps(each, ensure_ascii=True) + "\n" for each in data)
        try:
            new = not path.exists() or path.stat().st_size == 0
            if new:
                path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
                head = {"version": VERSION, "serial": self.serial}
                if self.device:
                    head["device"] = self.device
                lines = json.dumps(head) + "\n" + lines
            append_durably(path, lines.encode())
            if new:
                _sync_folder(path.parent)
        except OSError as error:
            raise _unwritable(path, error) from error

    def _read(self, lines: list[str]) -> None:
        for number, line in enumerate(lines, start=1):
            try:
                data = json.loads(line)
                if not isinstance(data, dict):
                    raise ValueError("expected a JSON object")
                if number == 1:
                    self._check_header(data)
                elif "done" in data:
                    self._open.pop(int(data["done"]), None)
                else:
                    self._last = int(data["open"])
                    self._open[self._last] = UndoEntry.from_json(data)
            except (ValueError, KeyError, TypeError, RecursionError) as error:
                raise InputError(
                    f"{self.path}:{number}: invalid line in an undo journal: {error}",
                    hint="The file lists the changes to the device: undo them by hand, then delete the file.",
                ) from error

    def _check_header(self, data: dict[str, Any]) -> None:
        version = data["version"]
        if isinstance(version, int) and version > VERSION:
            raise InputError(
                f"{self.path} has version {version}; this GaraBench reads versions up to {VERSION}",
                hint="Use a newer GaraBench to restore the device.",
            )
        if (data["serial"], data.get("device", "")) != (self.serial, self.device):
            raise ValueError(f"it belongs to the device {data['serial']} {data.get('device', '')}")


def append_durably(path: Path, data: bytes) -> None:
    """Append to a file; the data is on disk when this returns.

    Raises:
        OSError: The file cannot be written.
    """
    with path.open("ab", buffering=0) as file:
        os.fchmod(file.fileno(), 0o600)
        before = file.seek(0, os.SEEK_END)
        try:
            if file.write(data) != len(data):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            os.fsync(file.fileno())
        except OSError:
            with contextlib.suppress(OSError):  # a partial line would corrupt the next one
                file.truncate(before)
            raise


def _sync_folder(folder: Path) -> None:
    """Flush an added or removed file name to disk."""
    held = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(held)
    finally:
        os.close(held)


def _unwritable(path: Path, error: OSError) -> HarnessError:
    return HarnessError(f"cannot write the undo journal {path}: {error.strerror}")
