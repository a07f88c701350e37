"""The undo journal on disk: open changes are read back, also from a truncated file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from garabench.core.device_changes import Setting
from garabench.device.undo import journal as journals
from garabench.device.undo.entry import Scope, UndoEntry
from garabench.device.undo.journal import Journal
from garabench.device.undo.lease import leased, name_of
from garabench.errors import DeviceBusyError, HarnessError, InputError

SERIAL = "../../etc/passwd:5555"  # a serial is not a path


def entry(key: str) -> UndoEntry:
    setting = Setting("system", key, "1")
    back, expected = setting.undo("0", 34)
    return UndoEntry(setting.subject, "test", Scope.EPISODE, back, setting.query, expected)


def file(folder: Path) -> Path:
    (found,) = folder.glob("*.jsonl")
    return found


def test_open_changes_survive_a_restart_newest_first(tmp_path: Path) -> None:
    journal = Journal.at(SERIAL, tmp_path)
    numbers = [journal.open(entry(key)) for key in ("a", "b", "c")]
    journal.done(numbers[1])
    again = Journal.at(SERIAL, tmp_path)
    assert [each.subject for _, each in again.entries] == ["the setting system/c", "the setting system/a"]
    assert again.open(entry("d")) > numbers[-1]
    assert again.has("the setting system/a")
    assert again.has("the setting system/a", Scope.EPISODE)
    assert not again.has("the setting system/a", Scope.RUN)
    assert file(tmp_path).name == f"{name_of(SERIAL)}.undo.jsonl"
    assert file(tmp_path).stat().st_mode & 0o777 == 0o600


def test_file_is_removed_when_all_changes_are_undone(tmp_path: Path) -> None:
    journal = Journal.at(SERIAL, tmp_path)
    journal.done(journal.open(entry("a")))
    assert list(tmp_path.iterdir()) == []
    journal.open(entry("b"))
    assert len(Journal.at(SERIAL, tmp_path).entries) == 1


def test_truncated_file_is_read_and_continued(tmp_path: Path) -> None:
    journal = Journal.at(SERIAL, tmp_path)
    for key in ("a", "b"):
        journal.open(entry(key))
    whole = file(tmp_path).read_bytes()
    ends = [place for place, letter in enumerate(whole, start=1) if letter == ord("\n")]
    for length in range(0, len(whole) + 1, 7):
        file(tmp_path).write_bytes(whole[:length])
        cut = Journal.at(SERIAL, tmp_path)
        assert len(cut.entries) == max(0, sum(end <= length for end in ends) - 1)
        cut.open(entry("c"))
        assert Journal.at(SERIAL, tmp_path).entries[0][1] == entry("c")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", r":2: invalid line"),
        ("[]", r":2: invalid line"),
        ('{"open": 1}', "not a valid change"),
        ('{"done": "x"}', r":2: invalid line"),
        ('{"open": 1, "back": [["reboot"]]}', r":2: invalid line"),
    ],
)
def test_damaged_file_is_reported_with_its_line(tmp_path: Path, line: str, message: str) -> None:
    Journal.at(SERIAL, tmp_path).open(entry("a"))
    head = file(tmp_path).read_text("utf-8").splitlines()[0]
    file(tmp_path).write_text(f"{head}\n{line}\n", "utf-8")
    with pytest.raises(InputError, match=message):
        Journal.at(SERIAL, tmp_path)


@pytest.mark.parametrize(
    ("head", "message"),
    [
        ({"version": 2, "serial": SERIAL}, "has version 2"),
        ({"version": 1, "serial": "other"}, "device other"),
    ],
)
def test_newer_versions_and_other_devices_are_rejected(
    tmp_path: Path, head: dict[str, object], message: str
) -> None:
    (tmp_path / f"{name_of(SERIAL)}.undo.jsonl").write_text(json.dumps(head) + "\n", "utf-8")
    with pytest.raises(InputError, match=message):
        Journal.at(SERIAL, tmp_path)


def test_full_disk_leaves_the_journal_intact(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    journal = Journal.at(SERIAL, tmp_path)
    journal.open(entry("a"))
    with monkeypatch.context() as patch:
        patch.setattr(journals.os, "fsync", full)
        with pytest.raises(HarnessError, match="No space left"):
            journal.open(entry("b"))
    assert not journal.has("the setting system/b")
    journal.open(entry("c"))
    assert len(Journal.at(SERIAL, tmp_path).entries) == 2


def full(handle: int) -> None:
    raise OSError(28, "No space left on device")


def test_journal_in_memory_writes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GARABENCH_STATE", str(tmp_path))
    journal = Journal.in_memory(SERIAL)
    first, _ = journal.open(entry("a")), journal.open(entry("b"))
    journal.done(first)
    assert [each for _, each in journal.entries] == [entry("b")]
    assert list(tmp_path.iterdir()) == []


def test_lease_is_exclusive_until_it_is_released(tmp_path: Path) -> None:
    with (
        leased(SERIAL, tmp_path),
        leased("another", tmp_path),
        pytest.raises(DeviceBusyError, match="in use"),
    ):
        leased(SERIAL, tmp_path).__enter__()
    with leased(SERIAL, tmp_path):
        pass


def test_unwritable_lease_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", "utf-8")
    with pytest.raises(HarnessError, match="cannot write"):
        leased(SERIAL, tmp_path / "file").__enter__()


def test_each_device_of_a_serial_has_its_own_journal(tmp_path: Path) -> None:
    for device, key in (("", "old"), ("d", "a"), ("e", "b")):
        Journal.at(SERIAL, tmp_path, device).open(entry(key))
    Journal.at("another", tmp_path, "d").open(entry("c"))
    assert len(list(tmp_path.iterdir())) == 4
    for device, key in (("", "old"), ("d", "a"), ("e", "b")):
        journal = Journal.at(SERIAL, tmp_path, device)
        assert (journal.serial, journal.device) == (SERIAL, device)
        assert [each for _, each in journal.entries] == [entry(key)]
    path = journal.path
    assert path is not None
    path.write_text(path.read_text("utf-8").replace('"device": "e"', '"device": "f"'), "utf-8")
    with pytest.raises(InputError, match=r":1: .*it belongs to the device .* f"):
        Journal.at(SERIAL, tmp_path, "e")
