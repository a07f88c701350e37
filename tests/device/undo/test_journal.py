"""The undo journal on disk: what was open is open again, whatever a kill has left of the file."""

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

SERIAL = "../../etc/passwd:5555"  # a serial is no path


def entry(key: str) -> UndoEntry:
    setting = Setting("system", key, "1")
    back, expected = setting.undo("0", 34)
    return UndoEntry(setting.what, "test", Scope.EPISODE, back, setting.probe, expected)


def file(folder: Path) -> Path:
    (found,) = folder.glob("*.jsonl")
    return found


def test_what_is_open_is_there_after_a_restart_the_newest_first(tmp_path: Path) -> None:
    kept = Journal.at(SERIAL, tmp_path)
    numbers = [kept.open(entry(key)) for key in ("a", "b", "c")]
    kept.done(numbers[1])
    again = Journal.at(SERIAL, tmp_path)
    assert [each.what for _, each in again.entries] == ["the setting system/c", "the setting system/a"]
    assert again.open(entry("d")) > numbers[-1]
    assert again.has("the setting system/a")
    assert again.has("the setting system/a", Scope.EPISODE)
    assert not again.has("the setting system/a", Scope.RUN)
    assert file(tmp_path).name == f"{name_of(SERIAL)}.undo.jsonl"
    assert file(tmp_path).stat().st_mode & 0o777 == 0o600


def test_nothing_is_left_when_all_is_undone(tmp_path: Path) -> None:
    kept = Journal.at(SERIAL, tmp_path)
    kept.done(kept.open(entry("a")))
    assert list(tmp_path.iterdir()) == []
    kept.open(entry("b"))
    assert len(Journal.at(SERIAL, tmp_path).entries) == 1


def test_a_file_that_is_cut_anywhere_is_read_up_to_there_and_written_on(tmp_path: Path) -> None:
    kept = Journal.at(SERIAL, tmp_path)
    for key in ("a", "b"):
        kept.open(entry(key))
    whole = file(tmp_path).read_bytes()
    ends = [place for place, letter in enumerate(whole, start=1) if letter == ord("\n")]
    for length in range(0, len(whole) + 1, 7):
        file(tmp_path).write_bytes(whole[:length])
        cut = Journal.at(SERIAL, tmp_path)
        assert len(cut.entries) == max(0, sum(end <= length for end in ends) - 1)
        cut.open(entry("c"))
        assert Journal.at(SERIAL, tmp_path).entries[0][1] == entry("c")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("{", r":2: invalid line"),
        ("[]", r":2: invalid line"),
        ('{"open": 1}', "not a valid change"),
        ('{"done": "x"}', r":2: invalid line"),
        ('{"open": 1, "back": [["reboot"]]}', r":2: invalid line"),
    ],
)
def test_a_damaged_file_is_told_with_its_line(tmp_path: Path, line: str, said: str) -> None:
    Journal.at(SERIAL, tmp_path).open(entry("a"))
    head = file(tmp_path).read_text("utf-8").splitlines()[0]
    file(tmp_path).write_text(f"{head}\n{line}\n", "utf-8")
    with pytest.raises(InputError, match=said):
        Journal.at(SERIAL, tmp_path)


@pytest.mark.parametrize(
    ("head", "said"),
    [
        ({"version": 2, "serial": SERIAL}, "has version 2"),
        ({"version": 1, "serial": "other"}, "device other"),
    ],
)
def test_a_newer_version_and_another_device_are_refused_by_name(
    tmp_path: Path, head: dict[str, object], said: str
) -> None:
    (tmp_path / f"{name_of(SERIAL)}.undo.jsonl").write_text(json.dumps(head) + "\n", "utf-8")
    with pytest.raises(InputError, match=said):
        Journal.at(SERIAL, tmp_path)


def test_on_a_full_disk_nothing_is_noted_and_nothing_is_spoilt(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = Journal.at(SERIAL, tmp_path)
    kept.open(entry("a"))
    with monkeypatch.context() as patch:
        patch.setattr(journals.os, "fsync", full)
        with pytest.raises(HarnessError, match="No space left"):
            kept.open(entry("b"))
    assert not kept.has("the setting system/b")
    kept.open(entry("c"))
    assert len(Journal.at(SERIAL, tmp_path).entries) == 2


def full(handle: int) -> None:
    raise OSError(28, "No space left on device")


def test_one_in_memory_writes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GARABENCH_STATE", str(tmp_path))
    kept = Journal.in_memory(SERIAL)
    first, _ = kept.open(entry("a")), kept.open(entry("b"))
    kept.done(first)
    assert [each for _, each in kept.entries] == [entry("b")]
    assert list(tmp_path.iterdir()) == []


def test_a_lease_is_held_by_one_and_given_back(tmp_path: Path) -> None:
    with (
        leased(SERIAL, tmp_path),
        leased("another", tmp_path),
        pytest.raises(DeviceBusyError, match="in use"),
    ):
        leased(SERIAL, tmp_path).__enter__()
    with leased(SERIAL, tmp_path):
        pass


def test_a_lease_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", "utf-8")
    with pytest.raises(HarnessError, match="cannot write"):
        leased(SERIAL, tmp_path / "file").__enter__()


def test_each_device_that_had_a_name_has_a_journal_of_its_own(tmp_path: Path) -> None:
    for device, key in (("", "old"), ("d", "a"), ("e", "b")):
        Journal.at(SERIAL, tmp_path, device).open(entry(key))
    Journal.at("another", tmp_path, "d").open(entry("c"))
    assert len(list(tmp_path.iterdir())) == 4
    for device, key in (("", "old"), ("d", "a"), ("e", "b")):
        kept = Journal.at(SERIAL, tmp_path, device)
        assert (kept.serial, kept.device) == (SERIAL, device)
        assert [each for _, each in kept.entries] == [entry(key)]
    path = kept.path
    assert path is not None
    path.write_text(path.read_text("utf-8").replace('"device": "e"', '"device": "f"'), "utf-8")
    with pytest.raises(InputError, match=r":1: .*it belongs to the device .* f"):
        Journal.at(SERIAL, tmp_path, "e")
