"""A journal belongs to a device, not to a serial."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import pytest

from garabench.core.device_changes import Setting
from garabench.device.adb import Adb
from garabench.device.undo import leftovers as module
from garabench.device.undo.entry import Scope, UndoEntry
from garabench.device.undo.identity import Identity
from garabench.device.undo.journal import Journal
from garabench.device.undo.lease import leased
from garabench.device.undo.leftovers import Leftovers, has_any_journal, leftovers_of
from garabench.errors import DeviceLostError

NAME, OTHER = "emulator-5554", "localhost:5555"


@dataclass
class Name:
    serial: str
    clock: None = None
    state: str | None = None

    def listed(self) -> str | None:
        if self.state == "lost":
            raise DeviceLostError("the adb server has ended")
        return self.state


def entry(key: str) -> UndoEntry:
    setting = Setting("system", key, "1")
    back, expected = setting.undo("0", 34)
    return UndoEntry(setting.subject, "test", Scope.EPISODE, back, setting.query, expected)


def written(folder: Path, serial: str, device: str, key: str, age: int = 0) -> Path:
    journal = Journal.at(serial, folder, device)
    journal.open(entry(key))
    assert journal.path is not None
    os.utime(journal.path, (10_000 - age, 10_000 - age))
    return journal.path


def found(folder: Path, device: str) -> Leftovers:
    with leased(NAME, folder) as held, leftovers_of(cast(Adb, Name(NAME)), held, device) as left:
        return left


def keys(left: Leftovers) -> list[str]:
    return [each.subject.rpartition("/")[2] for journal in left.journals for _, each in journal.entries]


@pytest.fixture(autouse=True)
def names(monkeypatch: pytest.MonkeyPatch) -> dict[str, str | None]:
    """States of other serials on the adb server."""
    states: dict[str, str | None] = {}
    monkeypatch.setattr(module, "Adb", lambda serial, clock: Name(serial, clock, states.get(serial)))
    return states


def answers(monkeypatch: pytest.MonkeyPatch, **by_name: Identity) -> None:
    def identify(adb: Name) -> Identity:
        return by_name["here" if adb.serial == NAME else "there"]

    monkeypatch.setattr(module, "identify_device", identify)


def test_there_are_no_leftovers_without_a_journal(tmp_path: Path) -> None:
    assert not has_any_journal(tmp_path)
    assert not has_any_journal(tmp_path / "none")
    assert found(tmp_path, "d") == Leftovers((), ())


def test_leftovers_are_found_under_any_serial_newest_first(tmp_path: Path) -> None:
    written(tmp_path, NAME, "d", "b", age=20)
    written(tmp_path, OTHER, "d", "c", age=10)
    written(tmp_path, "usb", "d", "a", age=30)
    written(tmp_path, "usb", "another", "x")
    assert has_any_journal(tmp_path)
    assert keys(found(tmp_path, "d")) == ["c", "b", "a"]
    assert found(tmp_path, "d").messages == ()


def test_journal_of_another_device_with_this_serial_is_reported(tmp_path: Path) -> None:
    path = written(tmp_path, NAME, "another", "x")
    before = path.read_bytes()
    left = found(tmp_path, "d")
    assert left.journals == ()
    assert left.messages == (
        f"the undo journal of another device that had this serial before ({path}) "
        "is not applied to this device",
    )
    written(tmp_path, NAME, "d", "a")
    assert keys(found(tmp_path, "d")) == ["a"]
    assert path.read_bytes() == before


def test_old_journal_belongs_to_the_device_with_its_serial(tmp_path: Path) -> None:
    path = written(tmp_path, NAME, "", "old", age=5)
    assert json.loads(path.read_text("utf-8").splitlines()[0]) == {"version": 1, "serial": NAME}
    written(tmp_path, OTHER, "", "other")
    written(tmp_path, NAME, "d", "new")
    assert keys(found(tmp_path, "d")) == ["new", "old"]


@pytest.mark.parametrize("state", [None, "offline", "lost"])
def test_journal_of_an_unreachable_serial_belongs_to_this_device(
    tmp_path: Path, names: dict[str, str | None], state: str | None
) -> None:
    written(tmp_path, OTHER, "d", "a")
    names[OTHER] = state
    assert keys(found(tmp_path, "d")) == ["a"]


@pytest.mark.parametrize(
    ("there", "expected"),
    [
        (Identity("d", "m"), ["a"]),  # this very device
        (Identity("another", ""), ["a"]),  # the name has been given away
        (Identity("d", ""), []),  # a copy of this device: it is that one's
    ],
)
def test_device_of_a_reachable_serial_is_identified(
    tmp_path: Path,
    names: dict[str, str | None],
    monkeypatch: pytest.MonkeyPatch,
    there: Identity,
    expected: list[str],
) -> None:
    written(tmp_path, OTHER, "d", "a")
    names[OTHER] = "device"
    answers(monkeypatch, here=Identity("d", "m"), there=there)
    assert keys(found(tmp_path, "d")) == expected


def test_journal_of_a_run_on_a_copy_of_this_device_is_not_used(tmp_path: Path) -> None:
    written(tmp_path, OTHER, "d", "a")
    with leased(OTHER, tmp_path):
        assert keys(found(tmp_path, "d")) == []
    assert keys(found(tmp_path, "d")) == ["a"]


@pytest.mark.parametrize("line", [b"", b"{", b"[]", b"1", b'"x"', b"{}", b"\xff", b"[" * 20_000])
def test_damaged_journal_belongs_to_no_device(tmp_path: Path, line: bytes) -> None:
    (tmp_path / "x.undo.jsonl").write_bytes(line + b"\n")
    written(tmp_path, NAME, "d", "a")
    assert keys(found(tmp_path, "d")) == ["a"]
